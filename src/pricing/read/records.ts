/**
 * Reads whole items for shop:add --file and items:add --file: with the service's own field names, from CSV, JSON, NDJSON or YAML.
 * The contract checks each, so that a file is refused before its first item is added.
 */
import { checkInput, type Field, type InputFault, ItemRequest, operations, ShopItemData } from '../../contract/index.js'
import { FaultList } from '../faults.js'
import type { InputForm, Source } from '../types.js'
import type { Encoding } from './bytes.js'
import { readCell } from './cell.js'
import { type FoundNames, type NamedTexts, namesIn, readNamed } from './named.js'
import { encodingNote } from './notes.js'
import { Roles } from './roles.js'
import { type RowReader, readRows } from './rows.js'

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

/** The place of the item in the parameters of each operation. */
const PARAMETER = { AddItem: 'itemRequest', AddShopItem: 'shopItemData' } as const

/** Values that an item needs and a file may leave out. AutoCommit is always true, because a file contains no images. */
const ALWAYS: Readonly<Record<RecordOperation, Readonly<Record<string, unknown>>>> = {
  AddItem: { Restarts: 0, StartPrice: 0, ReservePrice: 0, BuyItNowPrice: 0, AutoCommit: true },
  AddShopItem: {},
}

/** Fields that a file cannot contain, and what to do instead. */
const BARRED: Readonly<Record<string, string>> = {
  ItemImages: 'images are added one item at a time, with --image',
  AutoCommit: 'every item of a file is committed at once; images are added one item at a time, with --image',
}

type Complete = (values: Readonly<Record<string, unknown>>) => Record<string, unknown>

/**
 * Reads the items of a file.
 * @param defaults values for fields that a row leaves out, by service field name
 * @param complete adds values that depend on other fields of the row
 * @param sheet of a workbook
 * @param lookUp finds names that cells have in place of ids; they are refused without it. The source is then read twice
 * @throws InputRefused with everything that is wrong with all of them
 */
export async function readItemRecords(
  source: Source,
  operation: RecordOperation,
  defaults: Readonly<Record<string, unknown>> = {},
  complete: Complete = (values) => values,
  sheet?: string,
  lookUp?: (texts: NamedTexts) => Promise<FoundNames>,
): Promise<ItemRecords> {
  const read = async (found?: FoundNames) => {
    const reader = new RecordReader(operation, defaults, complete, found)
    return { reader, form: await readRows(source, reader, reader.faults, { yamlNumbers: 'values', sheet }) }
  }
  const first = await read()
  const named = lookUp !== undefined && first.reader.names.size > 0
  const { reader, form } = named ? await read(await lookUp(first.reader.names)) : first
  reader.faults.refuse()
  return { form, records: reader.records, notes: encodingNote(reader.encoding) }
}

class RecordReader implements RowReader {
  readonly faults = new FaultList()
  readonly records: ItemRecord[] = []
  encoding: Encoding = 'UTF-8'
  readonly #operation: RecordOperation
  readonly #defaults: Readonly<Record<string, unknown>>
  readonly #complete: Complete
  readonly #fields: Readonly<Record<string, Field>>
  readonly #roles: Roles<string>
  /** Names that cells have in place of ids. */
  readonly names = new Map<string, Set<string>>()
  readonly #found: FoundNames
  #csv = false

  constructor(
    operation: RecordOperation,
    defaults: Readonly<Record<string, unknown>>,
    complete: Complete,
    found: FoundNames = new Map(),
  ) {
    this.#found = found
    this.#operation = operation
    this.#complete = complete
    this.#defaults = defaults
    this.#fields = operation === 'AddItem' ? ItemRequest.fields : ShopItemData.fields
    const known = Object.keys(this.#fields)
    const names = Object.fromEntries(known.map((name) => [name.toLowerCase(), name]))
    this.#roles = new Roles<string>({ names, known: known.filter((name) => !(name in BARRED)), faults: this.faults })
  }

  encoded(encoding: Encoding): void {
    this.encoding = encoding
  }

  column(name: string, line: number): void {
    this.#roles.add(name, line)
    const role = this.#roles.roles.at(-1) ?? ''
    if (role in BARRED) this.faults.add(line, null, name, `cannot be in a file: ${BARRED[role]}`)
  }

  columnsKnown(): void {
    this.#csv = true
  }

  row(line: number, values: readonly unknown[]): void {
    const given: Record<string, unknown> = {}
    let readable = true
    this.#roles.roles.forEach((role, column) => {
      const field = this.#fields[role]
      const cell = values[column]
      if (field === undefined || cell === undefined) return
      for (const text of namesIn(role, cell)) this.names.set(role, (this.names.get(role) ?? new Set()).add(text))
      const read = readNamed(role, cell, this.#found) ?? (this.#csv ? readCell(field, role, String(cell)) : { value: cell })
      if ('why' in read) {
        readable = false
        this.faults.add(line, role, cell, read.why)
      } else if (read.value !== undefined) given[role] = read.value
    })
    if (!readable) return
    const value = { ...ALWAYS[this.#operation], ...this.#complete({ ...this.#defaults, ...given }) }
    const operation = operations[this.#operation]
    const faults = checkInput(operation, { [PARAMETER[this.#operation]]: value })
    for (const fault of faults) this.faults.add(line, this.#fieldOf(fault), fault.value, messageOf(fault))
    if (faults.length > 0) return
    this.records.push({ line, value, extra: this.#roles.extras.map((column) => values[column] ?? null) })
  }

  #fieldOf(fault: InputFault): string {
    const prefix = `${PARAMETER[this.#operation]}.`
    return fault.field.startsWith(prefix) ? fault.field.slice(prefix.length) : fault.field
  }
}

function messageOf(fault: InputFault): string {
  return fault.hint === undefined ? fault.message : `${fault.message}. ${fault.hint}`
}
