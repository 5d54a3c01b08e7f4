/**
 * Reads whole items for shop:add --file and items:add --file: with the service's own field names, from CSV, JSON, NDJSON or YAML.
 * The contract checks each, so that a file is refused before its first item is added.
 */
import { checkInput, type Field, type InputFault, ItemRequest, nearest, operations, ShopItemData } from '../contract/index.js'
import { ITEM_NAMES, kindOf, SHOP_ITEM_NAMES } from './fields.js'
import { isBlank } from './item-rows.js'
import { type FoundNames, type NamedTexts, namesIn, readCell, readNamed } from './named.js'
import { otherColumnsNote, refusesTitle, SUM_FAULT, sumIn } from './notes.js'
import { RowReader } from './row-reader.js'
import { readRows } from './rows.js'
import type { InputForm, Source } from './types.js'

export type RecordOperation = 'AddItem' | 'AddShopItem'

export interface ItemRecord {
  readonly line: number
  /** An ItemRequest or a ShopItemData, checked. */
  readonly value: Readonly<Record<string, unknown>>
  /** Values of the `_` columns. */
  readonly extra: readonly unknown[]
}

export interface ItemRecords {
  readonly form: InputForm
  readonly records: readonly ItemRecord[]
  /** Remarks about the input, one sentence each. */
  readonly notes: readonly string[]
}

/** Fields that a file cannot contain, and what to do instead. */
const BARRED: Readonly<Record<string, string>> = {
  ItemImages: 'images are added one item at a time, with --image',
  AutoCommit: 'every item of a file is committed at once; images are added one item at a time, with --image',
}

/** What the rows of a file are. */
export interface RecordShape {
  readonly fields: Readonly<Record<string, Field>>
  /** Its fields by the plain names of their columns. */
  readonly names: Readonly<Record<string, string>>
  /** The category of rows that name none. */
  readonly category?: unknown
  /** Whether a column that may be a mistyped field, or a price of another kind, is refused: what is added cannot be taken back. */
  readonly strict: boolean
  /** The value of a row with all that it does not give. */
  complete(given: Readonly<Record<string, unknown>>): Record<string, unknown>
  /** What is wrong with a value, by the names of its fields. */
  check(value: Readonly<Record<string, unknown>>): InputFault[]
}

/** The place of the item in the parameters of each operation. */
const PARAMETER = { AddItem: 'itemRequest', AddShopItem: 'shopItemData' } as const

/** Values that an item needs and a file may leave out. AutoCommit is always true, because a file contains no images. */
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
  const own = Object.fromEntries(Object.keys(fields).map((name) => [name.toLowerCase(), name]))
  return { fields, names: { ...names, ...own }, strict: true }
}

const ITEM_SHAPE = shape(ItemRequest.fields, ITEM_NAMES)
const SHOP_SHAPE = shape(ShopItemData.fields, SHOP_ITEM_NAMES)

/** What only the command knows of its items. */
interface RecordRules {
  /** Adds values that depend on other fields of the row. */
  readonly complete?: (values: Readonly<Record<string, unknown>>) => Record<string, unknown>
  /** What is wrong with a value beyond the contract, such as a date that has passed. */
  readonly further?: (value: Readonly<Record<string, unknown>>) => InputFault[]
}

/**
 * Reads the items of a file.
 * @param defaults values for fields that a row leaves out, by service field name
 * @param sheet of a workbook
 * @param lookUp finds names that cells have in place of ids; they are refused without it. The source is then read twice
 * @throws InputRefused with everything that is wrong with all of them
 */
export async function readItemRecords(
  source: Source,
  operation: RecordOperation,
  defaults: Readonly<Record<string, unknown>> = {},
  { complete = (values) => values, further = () => [] }: RecordRules = {},
  sheet?: string,
  lookUp?: (texts: NamedTexts) => Promise<FoundNames>,
): Promise<ItemRecords> {
  const wanted: RecordShape = {
    ...(operation === 'AddItem' ? ITEM_SHAPE : SHOP_SHAPE),
    category: defaults.CategoryId,
    complete: (given) => ({ ...ALWAYS[operation], ...complete({ ...defaults, ...given }) }),
    check: (value) => [...recordFaults(operation, value), ...further(value)],
  }
  const { reader, form, records } = await readShaped(source, wanted, { sheet, lookUp, into: (): ItemRecord[] => [] })
  return { form, records, notes: reader.notes }
}

/** What takes the rows that are read. */
interface Records {
  push(record: ItemRecord): unknown
}

export interface ReadShapedOptions<T extends Records> {
  /** Makes what takes the rows. */
  readonly into: () => T
  /** Of a workbook. */
  readonly sheet?: string
  /** Finds names that cells have in place of ids; they are refused without it. The source is then read twice. */
  readonly lookUp?: (texts: NamedTexts) => Promise<FoundNames>
}

/** Reads rows of any shape. @throws InputRefused with everything that is wrong with all of them */
export async function readShaped<T extends Records>(
  source: Source,
  shape: RecordShape,
  { sheet, lookUp, into }: ReadShapedOptions<T>,
): Promise<{ reader: RecordReader; form: InputForm; records: T }> {
  const read = async (found?: FoundNames) => {
    const records = into()
    const reader = new RecordReader(shape, records, found)
    return { reader, records, form: await readRows(source, reader, { yamlNumbers: 'values', sheet }) }
  }
  const first = await read()
  const named = lookUp !== undefined && first.reader.names.size > 0
  const last = named ? await read(await lookUp(first.reader.names)) : first
  last.reader.faults.refuse()
  return last
}

export class RecordReader extends RowReader<string> {
  /** Names that cells have in place of ids. */
  readonly names = new Map<string, Set<string>>()
  readonly #shape: RecordShape
  readonly #records: Records
  readonly #found: FoundNames
  #csv = false
  #titled = false

  constructor(shape: RecordShape, records: Records, found: FoundNames = new Map()) {
    const known = Object.keys(shape.fields).filter((name) => !(name in BARRED))
    super(shape.names, shape.strict ? (name, plain) => whyRefused(name, plain, known) : undefined)
    this.#records = records
    this.#found = found
    this.#shape = shape
  }

  /** Remarks about the input, one sentence each. */
  get notes(): string[] {
    return [...this.inputNotes, ...otherColumnsNote(this.others)]
  }

  override column(name: string, line: number): void {
    super.column(name, line)
    const role = this.roles.at(-1) ?? ''
    if (role in BARRED) this.faults.add(line, null, name, `cannot be in a file: ${BARRED[role]}`)
  }

  columnsKnown(): void {
    this.#csv = true
    this.#titled = refusesTitle(this.columns, this.faults)
  }

  row(line: number, values: readonly unknown[]): void {
    if (this.#titled) return
    // An item has a category: its own, or that of all rows.
    const sum = this.#csv && isBlank(values[this.indexOf('CategoryId')]) ? sumIn(values) : undefined
    if (sum !== undefined) {
      this.faults.add(line, null, sum, SUM_FAULT)
      return
    }
    const given: Record<string, unknown> = {}
    let readable = true
    const category = values[this.indexOf('CategoryId')] ?? this.#shape.category
    this.roles.forEach((role, column) => {
      const field = this.#shape.fields[role]
      const cell = values[column]
      if (field === undefined || cell === undefined) return
      for (const text of namesIn(role, cell, category)) this.names.set(role, (this.names.get(role) ?? new Set()).add(text))
      const read =
        readNamed(role, cell, this.#found, category) ?? (this.#csv ? readCell(field, role, String(cell)) : { value: cell })
      if ('why' in read) {
        readable = false
        this.faults.add(line, role, cell, read.why)
      } else if (read.value !== undefined) given[role] = read.value
    })
    if (!readable) return
    const value = this.#shape.complete(given)
    const faults = this.#shape.check(value)
    for (const fault of faults) this.faults.add(line, fault.field, fault.value, messageOf(fault))
    if (faults.length > 0) return
    this.#records.push({ line, value, extra: this.extraOf(values) })
  }
}

/** Why a column that is no field of an item to add cannot be passed over. */
function whyRefused(name: string, plain: string, known: readonly string[]): string | undefined {
  const near = nearest(name.trim(), known)
  if (near !== undefined) return `is not a column of this input. Did you mean ${near}?`
  const kind = kindOf(plain)
  if (plain !== '' && kind !== 'price' && kind !== 'stock') return undefined
  return `is ${plain === '' ? 'a column without a name' : 'not a column of this input'}. Known columns: ${known.join(', ')}.`
}

/** What is wrong with a field, with what to do about it. */
export function messageOf(fault: InputFault): string {
  return fault.hint === undefined ? fault.message : `${fault.message}. ${fault.hint}`
}
