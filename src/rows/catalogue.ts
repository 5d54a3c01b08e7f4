/** Reads a catalogue: what a seller wants the shop to have, a row for each item, named by its own reference. */
import { checkInput, operations, ShopItemData } from '../contract/index.js'
import { refused } from './bytes.js'
import { likelyColumns, proposal } from './columns.js'
import { ALLOW_COLUMN, FIELDS, MONEY_NAME, NUMBER_NAME, ownNames, plainName, SHOP_ITEM_NAMES } from './fields.js'
import { isBlank } from './item-rows.js'
import type { FoundNames, NamedTexts } from './named.js'
import { readPrice, referenceText } from './number.js'
import { type ItemRecord, type RecordReader, type RecordShape, readShaped, withoutPrefix, writtenForm } from './records.js'
import type { InputOptions } from './rows.js'
import { Ints, type Made, type Spill, StoredList, StoredTexts } from './stored-list.js'
import type { InputForm, Source } from './types.js'

export interface CatalogueRow {
  readonly line: number
  /** The price without VAT that the row gives, öre; the given price has the VAT of the row, or of the profile. */
  readonly net?: number | undefined
  /** Without spaces around them; none if the cell is blank. The first one names the item: others, such as a shelf, may be those of several. */
  readonly references: readonly string[]
  /** True if the first one is a number in a column that may have ids of items, such as Artikelnr: if an item has that id, it is meant. */
  readonly mayBeId: boolean
  /** Values of the row, by the names of the fields of ShopItemData. A blank cell says nothing. */
  readonly given: Readonly<Record<string, unknown>>
  /** The price that the `_Allow` column lets past the guards, kronor; 0 if there is none. */
  readonly allow: number
  /** Values of the `_` columns. */
  readonly extra: readonly unknown[]
}

/** Numbers and names of a row, which are read without its texts. */
export interface BriefRow extends Pick<CatalogueRow, 'line' | 'references' | 'mayBeId' | 'allow'> {
  /** Kronor; undefined for a row that gives none. */
  readonly price: number | undefined
  readonly quantity: number | undefined
  /** The price without VAT, öre; undefined for a row that gives one with it, or none. */
  readonly net: number | undefined
  /** True if the rows have `_` columns. */
  readonly hasExtra: boolean
  /** Fields that the row gives, besides own references. */
  readonly given: readonly string[]
}

/** Rows of a catalogue, which are made when they are asked for. */
export interface CatalogueList extends Made<CatalogueRow> {
  /** @throws RangeError beyond the last row */
  brief(index: number): BriefRow
}

const ID = /^[1-9]\d{0,9}$/
/** Stands for a number that a row does not give. */
const NOT_GIVEN = -(2 ** 31)
/** Fields of an item, besides own references: a row keeps those that it gives as the bits of a number. */
const GIVEN = Object.keys(ShopItemData.fields).filter((field) => field !== 'OwnReferences')
/** Between own references, in which the contract refuses it. */
const UNIT_SEPARATOR = '\u001f'

class CatalogueRows implements CatalogueList {
  /** True if the column of own references may have ids of items, such as Artikelnr. */
  numbered = false
  /** By the index of a row. */
  readonly allows = new Map<number, number>()
  readonly #records: StoredList<ItemRecord>
  readonly #references: StoredTexts
  readonly #lines = new Ints()
  readonly #prices = new Ints()
  readonly #quantities = new Ints()
  readonly #given = new Ints()
  readonly #nets = new Map<number, number>()
  #hasExtra = false

  constructor(spill: (() => Spill) | undefined) {
    this.#records = new StoredList(spill?.())
    this.#references = new StoredTexts(spill?.())
  }

  get length(): number {
    return this.#records.length
  }

  push(record: ItemRecord): void {
    const { line, value, extra, net } = record
    const { OwnReferences = [], Price, AbsoluteQuantity } = value
    if (net !== undefined) this.#nets.set(this.length, net)
    this.#records.push(record)
    this.#references.push((OwnReferences as readonly string[]).join(UNIT_SEPARATOR))
    this.#lines.push(line)
    this.#prices.push(typeof Price === 'number' ? Price : NOT_GIVEN)
    this.#quantities.push(typeof AbsoluteQuantity === 'number' ? AbsoluteQuantity : NOT_GIVEN)
    this.#given.push(GIVEN.reduce((bits, field, at) => (value[field] === undefined ? bits : bits | (1 << at)), 0))
    if (extra.length > 0) this.#hasExtra = true
  }

  brief(index: number): BriefRow {
    const joined = this.#references.at(index)
    if (joined === undefined) throw new RangeError(`There is no row ${index} of ${this.length}.`)
    const references = joined === '' ? [] : joined.split(UNIT_SEPARATOR)
    const number = (ints: Ints): number | undefined => {
      const value = ints.at(index)
      return value === NOT_GIVEN ? undefined : value
    }
    const bits = this.#given.at(index) ?? 0
    return {
      line: number(this.#lines) ?? 0,
      references,
      mayBeId: this.#mayBeId(references),
      price: number(this.#prices),
      quantity: number(this.#quantities),
      net: this.#nets.get(index),
      allow: this.allows.get(index) ?? 0,
      hasExtra: this.#hasExtra,
      get given() {
        return GIVEN.filter((_, at) => (bits & (1 << at)) !== 0)
      },
    }
  }

  at(index: number): CatalogueRow | undefined {
    const record = this.#records.at(index)
    return record && this.#row(index, record)
  }

  *[Symbol.iterator](): Generator<CatalogueRow> {
    let index = 0
    for (const record of this.#records) yield this.#row(index++, record)
  }

  #row(index: number, { line, value: given, extra, net }: ItemRecord): CatalogueRow {
    const references = (given.OwnReferences ?? []) as readonly string[]
    const of = net === undefined ? { line } : { line, net }
    return { ...of, references, mayBeId: this.#mayBeId(references), given, allow: this.allows.get(index) ?? 0, extra }
  }

  #mayBeId([first = '']: readonly string[]): boolean {
    return this.numbered && ID.test(first)
  }
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

/** Without blank fields, with own references as a list: a row of JSON may name one by itself. */
function givenOnly(read: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { OwnReferences } = read
  const references = (Array.isArray(OwnReferences) ? OwnReferences : isBlank(OwnReferences) ? [] : [OwnReferences])
    .flatMap((each) => (typeof each === 'string' || typeof each === 'number' ? String(each).split(SEPARATOR) : [each]))
    .map((each) => (typeof each === 'string' ? referenceText(each) : each))
    .filter((each) => each !== '')
  const given: Record<string, unknown> = references.length > 0 ? { OwnReferences: [...new Set(references)] } : {}
  for (const name of Object.keys(read)) if (name !== 'OwnReferences' && !isBlank(read[name])) given[name] = read[name]
  return given
}

function allowedPrice({ faults, currency }: RecordReader, line: number, cell: unknown): number {
  if (isBlank(cell)) return 0
  const read = readPrice(String(cell), currency)
  if ('value' in read) return read.value
  faults.add(line, ALLOW_COLUMN, cell, read.why, read.kind)
  return 0
}

/** Says which columns look like a price or a number in stock, where the file has none that is read: a sync without them compares little. */
function missedNotes({ roles, columns, sample, currency }: RecordReader): string[] {
  const isFree = (at: number) => roles[at] === 'other'
  const missed = [
    ['Price', 'price', 'price'],
    ['AbsoluteQuantity', 'stock', 'number in stock'],
  ] as const
  return missed.flatMap(([field, kind, words]) => {
    const likely = roles.includes(field) ? [] : likelyColumns(kind, columns, sample, currency, isFree)
    if (likely.length === 0) return []
    const named = likely.map((name) => `"${name}"`).join(', ')
    return [`No ${words} is read. ${named} may be one: ${likely.map((name) => proposal(field, name)).join(' or ')}`]
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
    /** Makes where rows go that are too many for memory; without it they stay there. */
    readonly spill?: () => Spill
  },
): Promise<Catalogue> {
  const {
    reader,
    form,
    records: rows,
  } = await readShaped(source, { ...SHAPE, vat: options.vat }, { ...options, into: () => new CatalogueRows(options.spill) })
  const { roles, columns } = reader
  if (!roles.includes('OwnReferences')) {
    const likely = likelyColumns('item', columns, reader.sample, reader.currency, (at) => roles[at] === 'other')
    const choices = likely.map((name) => proposal('OwnReference', name)).join(' or ')
    const say = choices === '' ? '' : ` Or say which it is: ${choices}`
    throw refused(`No column has own references. Name one OwnReferences, or SKU, or Artikelnr.${say}`)
  }
  if (rows.length === 0) throw refused('The catalogue has no rows. An empty one would be an empty shop.')
  const allowing = reader.extras.findIndex((at) => plainName(columns[at] ?? '') === ALLOW_COLUMN.toLowerCase())
  const column = plainName(columns[roles.indexOf('OwnReferences')] ?? '')
  rows.numbered = FIELDS.Number.names.includes(column)
  let at = 0
  for (const { line, extra } of allowing >= 0 ? rows : []) {
    const allow = allowedPrice(reader, line, extra[allowing])
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
