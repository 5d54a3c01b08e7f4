/**
 * Reads whole items for shop:add --file and items:add --file: with the service's own field names, from CSV, JSON, NDJSON or YAML.
 * The contract checks each, so that a file is refused before its first item is added.
 */
import { checkInput, type Field, type InputFault, ItemRequest, nearest, operations, ShopItemData } from '../contract/index.js'
import { isBlank, saysNothing } from './blank.js'
import { meaningIn, proposal } from './columns.js'
import { type ColumnNames, ITEM_NAMES, kindOf, ownNames, plainName, SHOP_ITEM_NAMES } from './fields.js'
import { readImages } from './image-cells.js'
import { type CellRead, type FoundNames, type NamedTexts, namesIn, readCell, readNamed } from './named.js'
import { NET_NOTE, otherColumnsNote, refusesTitle, SUM_FAULT, sumIn, VAT_ADVICE } from './notes.js'
import { hasÖre, readAmount } from './number.js'
import { readQuantity } from './quantity.js'
import { RowReader } from './row-reader.js'
import { type InputOptions, readRows } from './rows.js'
import type { InputForm, Source } from './types.js'

export type RecordOperation = 'AddItem' | 'AddShopItem'

export interface ItemRecord {
  readonly line: number
  /** The price without VAT that the row gives, öre; the price of the value is with the VAT of the row, or of the profile. */
  readonly net?: number | undefined
  /** An ItemRequest or a ShopItemData, checked. */
  readonly value: Readonly<Record<string, unknown>>
  /** Paths and addresses of the images that the row names, in order. */
  readonly images?: readonly string[] | undefined
  /** Values of the `_` columns. */
  readonly extra: readonly unknown[]
}

export interface ItemRecords {
  readonly form: InputForm
  readonly records: readonly ItemRecord[]
  /** Remarks about the input, one sentence each. */
  readonly notes: readonly string[]
}

const PRICE = 'Price'
const NUMBERS: ReadonlySet<string> = new Set([PRICE, 'AbsoluteQuantity'])

/** A field that a file cannot contain, and why. */
const BARRED = 'AutoCommit'
const WHY_BARRED = 'every item of a file is committed: with its images, or at once'

const IMAGES = 'ItemImages'
const CONDITION = 'ItemAttributes'
const REFERENCES = 'OwnReferences'

/** The value of a field that a cell has in words; undefined for what is read otherwise. */
export type WordReader = (field: string, cell: unknown) => CellRead | undefined

/** Shape of the rows of a file. */
export interface RecordShape {
  readonly fields: Readonly<Record<string, Field>>
  /** Its fields by the plain names of their columns. */
  readonly names: ColumnNames<string>
  /** VAT of rows that give a price without, and no rate; a share. */
  readonly vat?: number | undefined
  /** Reads words, dates and numbers with a unit as flags do; undefined where a field has none. */
  readonly words?: WordReader | undefined
  /** The category of rows that name none. */
  readonly category?: unknown
  /**
   * True if a column that may be a mistyped field, or a price of another kind, is refused: what is added cannot be taken back.
   */
  readonly strict: boolean
  /** The value of a row with all that it does not give. */
  complete(given: Readonly<Record<string, unknown>>): Record<string, unknown>
  /** Faults of a value, by the names of its fields. */
  check(value: Readonly<Record<string, unknown>>): InputFault[]
}

/** The place of the item in the parameters of each operation. */
const PARAMETER = { AddItem: 'itemRequest', AddShopItem: 'shopItemData' } as const

/** Values that an item needs and a file may leave out. An item with images is committed after them. */
const ALWAYS: Readonly<Record<RecordOperation, Readonly<Record<string, unknown>>>> = {
  AddItem: { Restarts: 0, StartPrice: 0, ReservePrice: 0, BuyItNowPrice: 0, AutoCommit: true },
  AddShopItem: {},
}

/** Faults of an item that an operation is to add. */
export function recordFaults(operation: RecordOperation, value: Readonly<Record<string, unknown>>): InputFault[] {
  const parameter = PARAMETER[operation]
  return withoutPrefix(checkInput(operations[operation], { [parameter]: value }), `${parameter}.`)
}

/** The faults by the names of fields of the item, not of the parameters. */
export function withoutPrefix(faults: readonly InputFault[], prefix: string): InputFault[] {
  return faults.map((fault) => (fault.field.startsWith(prefix) ? { ...fault, field: fault.field.slice(prefix.length) } : fault))
}

/** The service's own names first: its Quantity is a change of the number in stock, and not that number. */
function shape(fields: RecordShape['fields'], names: RecordShape['names']) {
  return { fields, names: { ...names, ...ownNames(Object.keys(fields)) }, strict: true }
}

const ITEM_SHAPE = shape(ItemRequest.fields, ITEM_NAMES)
const SHOP_SHAPE = shape(ShopItemData.fields, SHOP_ITEM_NAMES)

/**
 * The field of an item that a name in a file means; undefined for none. Images are one of every item, although the call that adds
 * an auction has none.
 */
export function itemField(operation: RecordOperation, name: string): string | undefined {
  const { fields, names } = operation === 'AddItem' ? ITEM_SHAPE : SHOP_SHAPE
  const field = Object.hasOwn(fields, name) ? name : meaningIn(plainName(name), names)?.field
  return field !== undefined && (field === IMAGES || Object.hasOwn(fields, field)) ? field : undefined
}

/** Rules that only the command knows of its items. */
interface RecordRules {
  /** Adds values that depend on other fields of the row. */
  readonly complete?: (values: Readonly<Record<string, unknown>>) => Record<string, unknown>
  /** Faults of a value beyond the contract, such as a date that has passed. */
  readonly further?: (value: Readonly<Record<string, unknown>>) => InputFault[]
  readonly words?: WordReader
}

/**
 * Reads the items of a file.
 * @param defaults values for fields that a row leaves out, by service field name
 * @param lookUp finds names that cells have in place of ids; they are refused without it. The source is then read twice
 * @throws InputRefused with everything that is wrong with all of them
 */
export async function readItemRecords(
  source: Source,
  operation: RecordOperation,
  defaults: Readonly<Record<string, unknown>> = {},
  { complete = (values) => values, further = () => [], words }: RecordRules = {},
  options?: InputOptions,
  lookUp?: (texts: NamedTexts) => Promise<FoundNames>,
): Promise<ItemRecords> {
  const itemShape: RecordShape = {
    ...(operation === 'AddItem' ? ITEM_SHAPE : SHOP_SHAPE),
    words,
    category: defaults.CategoryId,
    vat: typeof defaults.VAT === 'number' ? defaults.VAT / 100 : options?.vat,
    complete: (values) => ({ ...ALWAYS[operation], ...complete({ ...defaults, ...values }) }),
    check: (value) => [...recordFaults(operation, value), ...further(value)],
  }
  const { reader, form, records } = await readShaped(source, itemShape, { ...options, lookUp, into: (): ItemRecord[] => [] })
  return { form: writtenForm(reader, form), records, notes: reader.notes }
}

/**
 * The form of rows that are written back: the columns of the file with the fields that they hold. A price without VAT is written
 * with it.
 */
export function writtenForm({ columns, roles, chosen }: RecordReader, form: InputForm): InputForm {
  const namedColumns = columns
    .map((column, at) => ({ column: chosen?.net === true && roles[at] === PRICE ? PRICE : column, role: roles[at] ?? '' }))
    .filter(({ role }) => role !== 'ignored')
  const fields = namedColumns.map(({ column, role }) => (role === 'extra' || role === 'other' ? column : role))
  return { ...form, columns: namedColumns.map(({ column }) => column), fields }
}

/** Consumer of the rows that are read. */
interface Records {
  push(record: ItemRecord): unknown
}

export interface ReadShapedOptions<T extends Records> extends InputOptions {
  /** Makes what takes the rows. */
  readonly into: () => T
  /** Finds names that cells have in place of ids; they are refused without it. The source is then read twice. */
  readonly lookUp?: ((texts: NamedTexts) => Promise<FoundNames>) | undefined
}

/** Reads rows of any shape. @throws InputRefused with everything that is wrong with all of them */
export async function readShaped<T extends Records>(
  source: Source,
  shape: RecordShape,
  { lookUp, into, ...options }: ReadShapedOptions<T>,
): Promise<{ reader: RecordReader; form: InputForm; records: T }> {
  const read = async (lookups?: FoundNames) => {
    const records = into()
    const reader = new RecordReader(shape, records, lookups)
    return { reader, records, form: await readRows(source, reader, { ...options, yamlNumbers: 'values' }) }
  }
  const first = await read()
  const hasNames = lookUp !== undefined && first.reader.names.size > 0
  const last = hasNames ? await read(await lookUp(first.reader.names)) : first
  last.reader.faults.refuse()
  return last
}

export class RecordReader extends RowReader<string> {
  /** Names that cells have in place of ids. */
  readonly names = new Map<string, Set<string>>()
  readonly #shape: RecordShape
  readonly #records: Records
  readonly #lookups: FoundNames
  #csv = false
  #refusesTitle = false

  constructor(shape: RecordShape, records: Records, lookups: FoundNames = new Map()) {
    const fieldNames = Object.keys(shape.fields).filter((name) => name !== BARRED)
    super(shape.names, shape.strict ? (name, plain) => whyRefused(name, plain, fieldNames) : undefined)
    this.#records = records
    this.#lookups = lookups
    this.#shape = shape
  }

  /** Remarks about the input, one sentence each. */
  get notes(): string[] {
    const { words } = this
    return [
      ...this.inputNotes,
      ...(words.length === 0 ? [] : [`Cells without a number were left out: ${words.join(', ')}.`]),
      ...(this.chosen?.net === true ? [NET_NOTE] : []),
      ...otherColumnsNote(this.others),
    ]
  }

  override column(name: string, line: number): void {
    super.column(name, line)
    const role = this.roles.at(-1) ?? ''
    if (role === BARRED) this.faults.add(line, null, name, `cannot be in a file: ${WHY_BARRED}`)
  }

  columnsKnown(): void {
    this.#csv = true
    this.#refusesTitle = refusesTitle(this.columns, this.faults)
  }

  row(line: number, values: readonly unknown[]): void {
    if (this.#refusesTitle) return
    // An item has a category: its own, or that of all rows.
    const sum = this.#csv && isBlank(values[this.indexOf('CategoryId')]) ? sumIn(values) : undefined
    if (sum !== undefined) {
      this.faults.add(line, null, sum, SUM_FAULT)
      return
    }
    const fields: Record<string, unknown> = {}
    let readable = true
    let net: number | undefined
    let images: readonly string[] | undefined
    const category = values[this.indexOf('CategoryId')] ?? this.#shape.category
    this.roles.forEach((role, column) => {
      const field = this.#shape.fields[role]
      const cell = values[column]
      if (cell === undefined) return
      if (role === IMAGES) {
        const imageCell = readImages(cell)
        if ('value' in imageCell) images = imageCell.value as readonly string[] | undefined
        else {
          readable = false
          this.faults.add(line, role, cell, imageCell.why)
        }
        return
      }
      if (field === undefined) return
      for (const text of namesIn(role, cell, category)) this.names.set(role, (this.names.get(role) ?? new Set()).add(text))
      const words = this.#shape.words?.(role, cell)
      const result =
        words ??
        readNamed(role, cell, this.#lookups, category) ??
        (this.#csv || (this.#shape.strict && role === REFERENCES && typeof cell === 'string')
          ? this.#cell(field, role, String(cell))
          : { value: cell })
      if ('why' in result) {
        readable = false
        const advice = this.#advice(role, cell)
        const why = result.hint === undefined ? result.why : `${result.why}. ${result.hint}`
        const name = words === undefined ? role : (this.columns[column] ?? role)
        this.faults.add(line, name, cell, advice === '' ? why : `${why.replace(/\.$/, '')}${advice}`, result.kind)
      } else if (role === PRICE && this.chosen?.net === true && typeof result.value === 'number') net = result.value
      else if (result.value !== undefined) fields[role] = result.value
    })
    if (!readable) return
    if (net !== undefined) {
      const rate = typeof fields.VAT === 'number' ? fields.VAT / 100 : (this.#shape.vat ?? 0)
      fields[PRICE] = Math.round((net * (1 + rate)) / 100)
    }
    const value = this.#shape.complete(fields)
    const faults = this.#shape.check(value)
    for (const fault of faults) this.faults.add(line, fault.field, fault.value, messageOf(fault), fault.kind ?? fault.message)
    if (faults.length > 0) return
    const beside = { ...(net === undefined ? {} : { net }), ...(images === undefined ? {} : { images }) }
    this.#records.push({ line, value, extra: this.extraOf(values), ...beside })
  }

  /** Next step beside a cell of a table that cannot be read. */
  #advice(role: string, cell: unknown): string {
    if (this.chosen === undefined) return ''
    if (role === CONDITION) return `; or leave the column out: ${proposal(role, '')}`
    if (!this.#shape.strict && role !== 'AttributeValues' && namesIn(role, cell).length > 0)
      return `; or leave the column out: ${proposal(role, '')}`
    const öre = role === PRICE && this.chosen.net === undefined && hasÖre(String(cell))
    return öre ? VAT_ADVICE : ''
  }

  /** A cell of a table. A word in place of a number says nothing. */
  #cell(field: Field, role: string, cell: string): CellRead {
    if (!NUMBERS.has(role)) return readCell(field, role, cell, this.currency)
    if (saysNothing(cell)) {
      this.keepWord(cell)
      return { value: undefined }
    }
    if (role !== PRICE) return readQuantity(cell)
    return this.chosen?.net === true ? readAmount(cell, this.currency) : readCell(field, role, cell, this.currency)
  }
}

/** Why a column that is no field of an item to add cannot be passed over. */
function whyRefused(name: string, plain: string, fieldNames: readonly string[]): string | undefined {
  const near = nearest(name.trim(), fieldNames)
  if (near !== undefined) return `is not a column of this input. Did you mean ${near}?`
  const kind = kindOf(plain)
  if (plain !== '' && kind !== 'price' && kind !== 'stock') return undefined
  return `is ${plain === '' ? 'a column without a name' : 'not a column of this input'}. Known columns: ${fieldNames.join(', ')}.`
}

/** Message on a fault of a field, with the next step. */
export function messageOf(fault: InputFault): string {
  return fault.hint === undefined ? fault.message : `${fault.message}. ${fault.hint}`
}
