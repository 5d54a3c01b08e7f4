/** Reads a catalogue: what a seller wants the shop to have, a row for each item, named by its own reference. */
import { checkInput, operations, ShopItemData } from '../contract/index.js'
import { refused } from './bytes.js'
import { CatalogueRows } from './catalogue-rows.js'
import type { FaultList } from './faults.js'
import { ALLOW_COLUMN, FIELDS, plainName, SHOP_ITEM_NAMES } from './fields.js'
import { isBlank } from './item-rows.js'
import type { FoundNames, NamedTexts } from './named.js'
import { readPrice } from './number.js'
import type { TextSpill } from './packed.js'
import { type RecordShape, readShaped, withoutPrefix } from './records.js'
import type { InputForm, Source } from './types.js'

export interface Catalogue {
  readonly form: InputForm
  readonly rows: CatalogueRows
  /** The fields that the file has a column for. */
  readonly fields: ReadonlySet<string>
  /** Remarks about the input, one sentence each. */
  readonly notes: readonly string[]
}

/** Separates own references in one cell. */
const SEPARATOR = '|'
/** The parameter in which a part of an item is checked: any of its fields may be left out. */
const PART = 'updateData.ItemData.'

const SHAPE: RecordShape = {
  fields: ShopItemData.fields,
  names: {
    ...Object.fromEntries(Object.keys(ShopItemData.fields).map((name) => [name.toLowerCase(), name])),
    ...SHOP_ITEM_NAMES,
  },
  strict: false,
  complete: givenOnly,
  check: (value) => {
    if (Object.keys(value).length === 0) return []
    return withoutPrefix(checkInput(operations.UpdateShopItem, { updateData: { ItemId: 1, ItemData: value } }), PART)
  },
}

/** Without blank fields, with own references as a list: a row of JSON may name one by itself. */
function givenOnly(read: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { OwnReferences, ...others } = read
  const given = Object.entries(others).filter(([, value]) => !isBlank(value))
  const references = (Array.isArray(OwnReferences) ? OwnReferences : isBlank(OwnReferences) ? [] : [OwnReferences])
    .flatMap((each) => (typeof each === 'string' || typeof each === 'number' ? String(each).split(SEPARATOR) : [each]))
    .map((each) => (typeof each === 'string' ? each.trim() : each))
    .filter((each) => each !== '')
  return { ...(references.length > 0 ? { OwnReferences: [...new Set(references)] } : {}), ...Object.fromEntries(given) }
}

function allowedPrice(faults: FaultList, line: number, cell: unknown): number {
  if (isBlank(cell)) return 0
  const read = readPrice(String(cell))
  if ('value' in read) return read.value
  faults.add(line, ALLOW_COLUMN, cell, read.why)
  return 0
}

/**
 * Reads a catalogue of any form that tables of items have.
 * @param source is read twice if cells have names in place of ids
 * @throws InputRefused with everything that is wrong with it: no column of own references, no rows, values that are not allowed
 */
export async function readCatalogue(
  source: Source,
  options: {
    readonly sheet?: string
    readonly lookUp?: (texts: NamedTexts) => Promise<FoundNames>
    /** Makes where rows go that are too many for memory; without it they stay there. */
    readonly spill?: () => TextSpill
  },
): Promise<Catalogue> {
  const {
    reader,
    form,
    records: rows,
  } = await readShaped(source, SHAPE, { ...options, into: () => new CatalogueRows(options.spill?.()) })
  const { roles, columns } = reader
  if (!roles.includes('OwnReferences')) {
    throw refused('No column has own references. Name one OwnReferences, or SKU, or Artikelnr.')
  }
  if (rows.length === 0) throw refused('The catalogue has no rows. An empty one would be an empty shop.')
  const allowing = reader.extras.findIndex((at) => plainName(columns[at] ?? '') === ALLOW_COLUMN.toLowerCase())
  const column = plainName(columns[roles.indexOf('OwnReferences')] ?? '')
  rows.numbered = FIELDS.Number.names.includes(column)
  for (let at = 0; allowing >= 0 && at < rows.length; at++) {
    const allow = allowedPrice(reader.faults, rows.line(at), rows.at(at)?.extra[allowing])
    if (allow > 0) rows.allow(at, allow)
  }
  reader.faults.refuse()
  // Held rows are written back under the columns of the file, whatever these are called.
  const kept = columns.map((column, at) => ({ column, role: roles[at] ?? '' })).filter(({ role }) => role !== 'ignored')
  const fields = kept.map(({ column, role }) => (role === 'extra' || role === 'other' ? column : role))
  return {
    form: { ...form, fields },
    rows,
    fields: new Set(roles.filter((role) => role in ShopItemData.fields)),
    notes: reader.notes,
  }
}
