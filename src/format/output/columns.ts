/** `--columns` and `--sort`: the names that a kind of record has, and the message for an unknown one. */
import { type Field, nearest, resolved, type Struct, structIn } from '../../contract/index.js'
import { type Column, type ColumnKind, UnknownColumnError, type View } from './types.js'

/** The columns to show to a person or in the plain forms. @throws {UnknownColumnError} */
export function chosenColumns<T>(view: View<T>, names: readonly string[] | undefined, human = true): readonly Column<T>[] {
  if (names === undefined || names.length === 0) return human ? view.columns : (view.plain ?? view.columns)
  return names.map((name) => (human ? partHeaded(view, name.trim()) : undefined) ?? columnNamed(view, name.trim(), '--columns'))
}

/** Fields of a record that columns read: all parts of a nested one. Undefined where a column may read any. */
export function fieldsOf<T>(columns: readonly Column<T>[]): (string & keyof T)[] | undefined {
  const fields = new Set<string & keyof T>()
  for (const { key, reads, unlisted, value, shown, style, unit } of columns) {
    const readsAny = [value, shown, style, unit].some((own) => own !== undefined)
    if (unlisted === true || (reads === undefined && readsAny)) return undefined
    for (const field of reads ?? [key.split('.', 1)[0] as string & keyof T]) fields.add(field)
  }
  return [...fields]
}

/**
 * For a person, the column that is headed like the field it is a part of: `Buyer` is the alias that tables show, and not all of
 * the buyer.
 */
function partHeaded<T>(view: View<T>, name: string): Column<T> | undefined {
  return view.columns.find(({ key, header }) => header === name && key.startsWith(`${name}.`))
}

/**
 * A field of a person that is not in the contract, and not similar to one that is. The records may have it, which is known when
 * they are read.
 */
function unlistedColumn<T>({ type }: View<T>, name: string): Column<T> | undefined {
  if (type === undefined || !/^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(name)) return undefined
  const dot = name.lastIndexOf('.')
  const last = name.slice(dot + 1)
  const [, field] = fieldsIn(type).find(([path]) => path === name.slice(0, dot)) ?? []
  const holder = dot < 0 ? type : field && structIn(field.type)
  if (holder?.personal !== true || nearest(last, Object.keys(holder.fields)) !== undefined) return undefined
  return { key: name, unlisted: true }
}

export interface SortKey<T> {
  readonly column: Column<T>
  readonly descending: boolean
}

/** The keys to sort by. @throws {UnknownColumnError} */
export function chosenSort<T>(view: View<T>, names: readonly string[] | undefined): readonly SortKey<T>[] {
  return (names ?? []).map((text) => {
    const name = text.trim()
    // A hyphen, or a minus sign: what the command line makes of one (cli/argv).
    const descending = name.startsWith('-') || name.startsWith('\u2212')
    return { column: columnNamed(view, descending ? name.slice(1) : name, '--sort'), descending }
  })
}

/** A column by its key in any case, or by its header on a terminal. */
function columnNamed<T>(view: View<T>, name: string, flag: string): Column<T> {
  const lower = name.toLowerCase()
  const own = [...view.columns, ...(view.named ?? [])]
  const listedColumn =
    own.find(({ key }) => key === name) ??
    own.find(({ key }) => key.toLowerCase() === lower) ??
    own.find(({ header }) => header?.toLowerCase() === lower)
  const fields = knownFields(view)
  if (listedColumn !== undefined && !fields.has(name)) return listedColumn
  if (listedColumn?.key === name) return listedColumn
  const key = fields.has(name) ? name : [...fields.keys()].find((fieldName) => fieldName.toLowerCase() === lower)
  if (key !== undefined) return view.plain?.find((column) => column.key === key) ?? { key, kind: fields.get(key) }
  const unlistedMatch = flag === '--columns' ? unlistedColumn(view, name) : undefined
  if (unlistedMatch !== undefined) return unlistedMatch
  throw unknownColumn(view, name, flag)
}

/** The error for a name that records do not have, with the names they have. */
export function unknownColumn<T>(view: View<T>, name: string, flag: string): UnknownColumnError {
  const own = [...view.columns, ...(view.named ?? [])]
  const keys = [...new Set([...own.map((column) => column.key), ...knownFields(view).keys()])]
  const headers = view.columns.flatMap(({ header }) => header ?? [])
  const near = name === '' ? undefined : nearest(name, [...keys, ...headers])
  const nestedKeys = keys.filter((key) => key.includes('.'))
  const flat = keys.filter((key) => !key.includes('.')).join(', ')
  const list = `Known: ${flat}${nestedKeys.length === 0 ? '' : `; and nested ones by dots, e.g. ${nestedKeys.slice(0, 3).join(', ')}`}.`
  return new UnknownColumnError(
    name === '' ? `${flag} has an empty name.` : `${flag}: "${name}" is not a field of these records.`,
    near === undefined ? list : `Did you mean ${near}? ${list}`,
    name,
  )
}

/** Names of columns. The type knows the records, of which scripts/schemas.ts makes the schema of a list. */
export type ColumnNames<T> = string[] & { readonly recordType?: T }

/** The names that `--columns` and `--sort` accept for a view, without nested names. Keys and headers that it shows come first. */
export function columnKeys<T>(view: View<T>): ColumnNames<T> {
  const own = [...view.columns.flatMap(({ key, header }) => [key, header ?? key]), ...(view.named ?? []).map(({ key }) => key)]
  const keys = [...own, ...knownFields(view).keys()]
  return [...new Set(keys)].filter((key) => !key.includes('.'))
}

function knownFields<T>(view: View<T>): Map<string, ColumnKind | undefined> {
  const fields = new Map<string, ColumnKind | undefined>((view.keys ?? []).map((key) => [key, undefined]))
  for (const { key, kind } of view.plain ?? []) fields.set(key, kind)
  if (view.type !== undefined) for (const [name, field] of fieldsIn(view.type)) fields.set(name, kindOf(field))
  return fields
}

/** Every field in a type by its name, nested ones with dots. A type that contains itself is entered once. */
function fieldsIn(struct: Struct, prefix = '', inside: readonly Struct[] = []): [name: string, field: Field][] {
  return Object.entries(struct.fields).flatMap(([name, field]): [string, Field][] => {
    const path = prefix + name
    const inner = structIn(field.type)
    const nestedFields = inner === undefined || inside.includes(inner) ? [] : fieldsIn(inner, `${path}.`, [...inside, struct])
    return [[path, field], ...nestedFields]
  })
}

/** True if records of the type can hold bytes; true if the type is not known. */
export function mayHoldBytes(struct: Struct | undefined, inside: readonly Struct[] = []): boolean {
  if (struct === undefined) return true
  return Object.values(struct.fields).some(({ type }) => {
    const plain = resolved(type)
    const item = plain.kind === 'list' ? resolved(plain.item) : plain
    if (item.kind === 'struct') return !inside.includes(item) && mayHoldBytes(item, [...inside, struct])
    return item.kind === 'base64Binary'
  })
}

/** Kind of values in a field; undefined for texts. */
export function kindOf(field: Field): ColumnKind | undefined {
  if (field.repeated) return 'list'
  switch (field.type.kind) {
    case 'int':
    case 'decimal':
    case 'boolean':
    case 'list':
      return field.type.kind
    case 'dateTime':
      return 'date'
    default:
      return undefined
  }
}
