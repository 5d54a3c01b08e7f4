/** Reads a catalogue: what a seller wants the shop to have, a row for each item, named by its own reference. */
import { checkInput, operations, ShopItemData } from '../contract/index.js'
import { isBlank } from './blank.js'
import { inputRefused } from './bytes.js'
import { likelyColumns, meaningIn, proposal } from './columns.js'
import { ALLOW_COLUMN, FIELDS, MONEY_NAME, NUMBER_NAME, ownNames, plainName, SHOP_ITEM_NAMES } from './fields.js'
import type { FoundNames, NamedTexts } from './named.js'
import { readPrice, referenceText } from './number.js'
import {
  type ItemRecord,
  type RecordReader,
  type RecordShape,
  readShaped,
  type WordReader,
  withoutPrefix,
  writtenForm,
} from './records.js'
import type { InputOptions } from './rows.js'
import { Ints, type Made, type Spill, StoredList, StoredTexts } from './stored-list.js'
import type { InputForm, Source } from './types.js'

export interface CatalogueRow {
  readonly line: number
  /** The price without VAT that the row gives, öre; the given price has the VAT of the row, or of the profile. */
  readonly net?: number | undefined
  /**
   * Without spaces around them; none if the cell is blank. The first one names the item: others, such as a shelf, may be those of
   * several.
   */
  readonly references: readonly string[]
  /**
   * True if the first one is a number in a column that may have ids of items, such as Artikelnr: if an item has that id, it is
   * meant.
   */
  readonly mayBeId: boolean
  /** Values of the row, by the names of the fields of ShopItemData. A blank cell says nothing. */
  readonly given: Readonly<Record<string, unknown>>
  /** The price that the `_Allow` column lets past the guards, kronor; 0 if there is none. */
  readonly allow: number
  /** Values of the `_` columns. */
  readonly extra: readonly unknown[]
}

/** Rows of a catalogue, which are made when they are asked for. What nearly every row is asked is read without its texts. */
export interface CatalogueList extends Made<CatalogueRow> {
  /** The first own reference of a row, which names its item; undefined for none. */
  referenceAt(index: number): string | undefined
  /** True if a first own reference may be the id of an item, as `mayBeId` of a row. */
  mayBeId(reference: string): boolean
  /** Kronor; undefined for a row that gives none. */
  priceAt(index: number): number | undefined
  quantityAt(index: number): number | undefined
  /** True if a row says of its price only what it is: not that it is without VAT, nor that it may pass the guards. */
  isPlain(index: number): boolean
  /** Fields that a row gives, besides own references: one list for all rows that give the same ones. */
  fieldsAt(index: number): readonly string[]
  /** The images that are sent, by the index of a row, once their files are inspected. Until then rows give the paths. */
  images: { of(index: number): readonly object[] | undefined } | undefined
}

const ID = /^[1-9]\d{0,9}$/
/** Stands for a number that a row does not give. */
const NOT_GIVEN = -(2 ** 31)
/** Fields of an item, besides own references: a row keeps those that it gives as the bits of a number. */
const GIVEN = Object.keys(ShopItemData.fields).filter((field) => field !== 'OwnReferences')

class CatalogueRows implements CatalogueList {
  /** True if the column of own references may have ids of items, such as Artikelnr. */
  numbered = false
  /** By the index of a row. */
  readonly allows = new Map<number, number>()
  images: CatalogueList['images']
  readonly #records: StoredList<ItemRecord>
  readonly #references: StoredTexts
  readonly #prices = new Ints()
  readonly #quantities = new Ints()
  readonly #fieldBits = new Ints()
  /** By the bits of rows. */
  readonly #fieldLists = new Map<number, readonly string[]>()
  readonly #netRows = new Set<number>()

  constructor(spill: (() => Spill) | undefined) {
    this.#records = new StoredList(spill?.())
    // Rows are found by them, in the order of the live list: a million takes 11 MB.
    this.#references = new StoredTexts()
  }

  get length(): number {
    return this.#records.length
  }

  push({ images: paths, ...read }: ItemRecord): void {
    const record = paths === undefined ? read : { ...read, value: { ...read.value, ItemImages: paths } }
    const { value, net } = record
    const { OwnReferences = [], Price, AbsoluteQuantity } = value
    if (net !== undefined) this.#netRows.add(this.length)
    this.#records.push(record)
    this.#references.push((OwnReferences as readonly string[])[0] ?? '')
    this.#prices.push(typeof Price === 'number' ? Price : NOT_GIVEN)
    this.#quantities.push(typeof AbsoluteQuantity === 'number' ? AbsoluteQuantity : NOT_GIVEN)
    this.#fieldBits.push(GIVEN.reduce((bits, field, at) => (value[field] === undefined ? bits : bits | (1 << at)), 0))
  }

  referenceAt(index: number): string | undefined {
    return this.#references.at(index) || undefined
  }

  mayBeId(reference: string): boolean {
    return this.numbered && ID.test(reference)
  }

  priceAt(index: number): number | undefined {
    return given(this.#prices.at(index))
  }

  quantityAt(index: number): number | undefined {
    return given(this.#quantities.at(index))
  }

  isPlain(index: number): boolean {
    return !this.#netRows.has(index) && !this.allows.has(index)
  }

  fieldsAt(index: number): readonly string[] {
    const bits = this.#fieldBits.at(index) ?? 0
    const fields = this.#fieldLists.get(bits) ?? GIVEN.filter((_, at) => (bits & (1 << at)) !== 0)
    this.#fieldLists.set(bits, fields)
    return fields
  }

  at(index: number): CatalogueRow | undefined {
    const record = this.#records.at(index)
    return record && this.#row(index, record)
  }

  *[Symbol.iterator](): Generator<CatalogueRow> {
    let index = 0
    for (const record of this.#records) yield this.#row(index++, record)
  }

  #row(index: number, { line, value, extra, net }: ItemRecord): CatalogueRow {
    const ItemImages = value.ItemImages === undefined ? undefined : this.images?.of(index)
    const fields = ItemImages === undefined ? value : { ...value, ItemImages }
    const references = (fields.OwnReferences ?? []) as readonly string[]
    const mayBeId = this.mayBeId(references[0] ?? '')
    const row = { line, references, mayBeId, given: fields, allow: this.allows.get(index) ?? 0, extra }
    return net === undefined ? row : { ...row, net }
  }
}

function given(value: number | undefined): number | undefined {
  return value === NOT_GIVEN ? undefined : value
}

export interface Catalogue {
  readonly form: InputForm
  readonly rows: CatalogueList
  /** The fields that the file has a column for. */
  readonly fields: ReadonlySet<string>
  /** Columns that are not read, and whose names are about money or a number. */
  readonly suspect: readonly string[]
  /** Remarks about the input, one sentence each. */
  readonly notes: readonly string[]
  /** True if the seller said whether the prices are with VAT. */
  readonly vatSaid: boolean
}

/** Separates own references in one cell. */
const SEPARATOR = '|'
/** The parameter in which a part of an item is checked: any of its fields may be left out. */
const PART = 'updateData.ItemData.'

const SHAPE: RecordShape = {
  fields: ShopItemData.fields,
  names: { ...ownNames(Object.keys(ShopItemData.fields)), ...SHOP_ITEM_NAMES },
  strict: false,
  complete: givenOnly,
  check: (value) => {
    if (Object.keys(value).length === 0) return []
    return withoutPrefix(checkInput(operations.UpdateShopItem, { updateData: { ItemId: 1, ItemData: value } }), PART)
  },
}

/** The field of a shop item that a column of this name has; undefined for none. */
export function shopField(name: string): string | undefined {
  return meaningIn(plainName(name), SHAPE.names)?.field
}

/** Without blank fields, with own references as a list: a row of JSON may name one by itself. */
function givenOnly(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { OwnReferences } = values
  const references = (Array.isArray(OwnReferences) ? OwnReferences : isBlank(OwnReferences) ? [] : [OwnReferences])
    .flatMap((each) => (typeof each === 'string' || typeof each === 'number' ? String(each).split(SEPARATOR) : [each]))
    .map((each) => (typeof each === 'string' ? referenceText(each) : each))
    .filter((each) => each !== '')
  const fields: Record<string, unknown> = references.length > 0 ? { OwnReferences: [...new Set(references)] } : {}
  for (const name of Object.keys(values)) if (name !== 'OwnReferences' && !isBlank(values[name])) fields[name] = values[name]
  return fields
}

function allowedPrice({ faults, currency }: RecordReader, line: number, cell: unknown): number {
  if (isBlank(cell)) return 0
  const result = readPrice(String(cell), currency)
  if ('value' in result) return result.value
  faults.add(line, ALLOW_COLUMN, cell, result.why, result.kind)
  return 0
}

/**
 * Says which columns look like a price or a number in stock, where the file has none that is read: a sync without them compares
 * little.
 */
function missedNotes({ roles, columns, sample, currency }: RecordReader): string[] {
  const isFree = (at: number) => roles[at] === 'other'
  const missingFields = [
    ['Price', 'price', 'price'],
    ['AbsoluteQuantity', 'stock', 'number in stock'],
  ] as const
  return missingFields.flatMap(([field, kind, words]) => {
    const likely = roles.includes(field) ? [] : likelyColumns(kind, columns, sample, currency, isFree)
    if (likely.length === 0) return []
    const names = likely.map((name) => `"${name}"`).join(', ')
    return [`No ${words} is read. ${names} may be one: ${likely.map((name) => proposal(field, name)).join(' or ')}`]
  })
}

/**
 * Reads a catalogue of any form that tables of items have.
 * @param source is read twice if cells have names in place of ids
 * @throws InputRefused with everything that is wrong with it: no column of own references, no rows, values that are not allowed
 */
export async function readCatalogue(
  source: Source,
  options: InputOptions & {
    readonly lookUp?: (texts: NamedTexts) => Promise<FoundNames>
    readonly words?: WordReader
    /** Makes where rows go that are too many for memory; without it they stay there. */
    readonly spill?: () => Spill
  },
): Promise<Catalogue> {
  const {
    reader,
    form,
    records: rows,
  } = await readShaped(
    source,
    { ...SHAPE, vat: options.vat, words: options.words },
    { ...options, into: () => new CatalogueRows(options.spill) },
  )
  const { roles, columns } = reader
  if (!roles.includes('OwnReferences')) {
    const likely = likelyColumns('item', columns, reader.sample, reader.currency, (at) => roles[at] === 'other')
    const choices = likely.map((name) => proposal('OwnReference', name)).join(' or ')
    const say = choices === '' ? '' : ` Or say which it is: ${choices}`
    throw inputRefused(`No column has own references. Name one OwnReferences, or SKU, or Artikelnr.${say}`)
  }
  if (rows.length === 0) throw inputRefused('The catalogue has no rows. An empty one would be an empty shop.')
  const allowColumn = reader.extras.findIndex((at) => plainName(columns[at] ?? '') === ALLOW_COLUMN.toLowerCase())
  const column = plainName(columns[roles.indexOf('OwnReferences')] ?? '')
  rows.numbered = FIELDS.Number.names.includes(column)
  let at = 0
  for (const { line, extra } of allowColumn >= 0 ? rows : []) {
    const allow = allowedPrice(reader, line, extra[allowColumn])
    if (allow > 0) rows.allows.set(at, allow)
    at++
  }
  reader.faults.refuse()
  // Held rows are written back under the columns of the file, whatever these are called.
  // A price that was read without VAT is written back with it, under a name that says nothing else.
  return {
    form: writtenForm(reader, form),
    rows,
    fields: new Set(roles.filter((role) => role in ShopItemData.fields)),
    suspect: columns.filter((name, at) => roles[at] === 'other' && (MONEY_NAME.test(name) || NUMBER_NAME.test(name))),
    notes: [...missedNotes(reader), ...reader.notes],
    vatSaid: reader.answers.prices !== undefined,
  }
}
