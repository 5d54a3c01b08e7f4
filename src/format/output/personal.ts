/**
 * Fields of persons that the contract does not have. A newer service may send an identity number, for example, and a script that
 * stores whole records would store it unasked (docs/decisions.md, "Unknown fields of persons are shown only where they are asked
 * for").
 */

import { type Struct, structIn } from '../../contract/index.js'
import { blank, run, say, type Words } from '../../messages/index.js'
import { unknownColumns } from './columns.js'
import { jsonText } from './json.js'
import type { Column, View } from './types.js'
import { cellValue } from './values.js'

type Bag = Readonly<Record<string, unknown>>
type Cleaner = (value: Bag) => Bag

/** Cleaners by type; undefined if the type contains no person. */
const cleaners = new WeakMap<Struct, Cleaner | undefined>()

/**
 * The whole record for JSON and YAML: in the view's own form, without unknown fields of persons. Undefined if it is the record as
 * it is.
 */
export function wholeRecord<T>({ type, json }: View<T>): ((row: T) => unknown) | undefined {
  const clean = type === undefined ? undefined : createCleaner(type, [])
  if (clean === undefined) return json
  return (row) => {
    const cleanRow = clean(row as Bag) as T
    return json === undefined ? cleanRow : json(cleanRow)
  }
}

/** A record as one line of JSON, whole, as ndjson has it: for a program that is handed one. */
export function recordText<T>(view: View<T>, row: T): string {
  return jsonText(wholeRecord(view)?.(row) ?? row, false)
}

function createCleaner(struct: Struct, inside: readonly Struct[]): Cleaner | undefined {
  if (cleaners.has(struct)) return cleaners.get(struct)
  // A category contains categories, but no person.
  if (inside.includes(struct)) return undefined
  const inner = Object.entries(struct.fields).flatMap(([name, { type }]): [string, Cleaner][] => {
    const heldStruct = structIn(type)
    const clean = heldStruct === undefined ? undefined : createCleaner(heldStruct, [...inside, struct])
    return clean === undefined ? [] : [[name, clean]]
  })
  const personal = struct.personal === true
  const cleaner = inner.length === 0 && !personal ? undefined : cleanerFor(struct, personal, inner)
  cleaners.set(struct, cleaner)
  return cleaner
}

/** Copies only what changes: nearly every record is passed on as it is. */
function cleanerFor({ fields }: Struct, personal: boolean, inner: readonly [string, Cleaner][]): Cleaner {
  return (value) => {
    let cleanValue: Bag = value
    if (personal && Object.keys(value).some((name) => !Object.hasOwn(fields, name))) {
      cleanValue = Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(fields, name)))
    }
    for (const [name, clean] of inner) {
      const heldValue = cleanValue[name]
      if (typeof heldValue !== 'object' || heldValue === null) continue
      const next = Array.isArray(heldValue) ? cleanList(heldValue, clean) : clean(heldValue as Bag)
      if (next !== heldValue) cleanValue = { ...cleanValue, [name]: next }
    }
    return cleanValue
  }
}

function cleanList(list: readonly unknown[], clean: Cleaner): readonly unknown[] {
  const cleanEntries = list.map((entry) => (typeof entry === 'object' && entry !== null ? clean(entry as Bag) : entry))
  return cleanEntries.some((entry, at) => entry !== list[at]) ? cleanEntries : list
}

/**
 * One record is there before anything is written: a field that it lacks is refused like any other unknown name.
 * @throws {UnknownColumnError}
 */
export function requireUnlisted<T>(view: View<T>, columns: readonly Column<T>[], row: T): void {
  const unlistedColumns = new UnlistedColumns(columns)
  unlistedColumns.see(row)
  const missing = [...unlistedColumns.missing].map(({ key }) => key)
  if (missing.length > 0) throw unknownColumns(view, missing, '--columns')
}

/** Notes the unlisted columns that no record had. */
export class UnlistedColumns<T> {
  readonly missing: Set<Column<T>>

  constructor(columns: readonly Column<T>[]) {
    this.missing = new Set(columns.filter(({ unlisted }) => unlisted === true))
  }

  see(row: T): void {
    for (const column of this.missing) {
      const value = cellValue(row, column)
      if (value !== undefined && !(Array.isArray(value) && value.length === 0)) this.missing.delete(column)
    }
  }

  /** Says which ones they are; undefined if every one was there, or there were no records. */
  warning(rows: number): Words | undefined {
    if (rows === 0 || this.missing.size === 0) return undefined
    const names = [...this.missing].map(({ key }) => key).join(', ')
    return say`--columns: no record has ${names}, which is not a known field either. ${run('call', { operation: blank('OPERATION'), '--raw': true })} shows everything that the service sends.`
  }
}
