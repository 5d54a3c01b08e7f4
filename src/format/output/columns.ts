/** `--columns` and `--sort`: the names that a kind of record has, and the message for an unknown one. */
import { type Field, nearest, resolved, type Struct, structIn } from '../../contract/index.js'
import { similar } from '../../contract/nearest.js'
import { type Column, type ColumnKind, UnknownColumnError, type View } from './types.js'

/** The columns to show to a person or in the plain forms. @throws {UnknownColumnError} */
export function chosenColumns<T>(view: View<T>, names: readonly string[] | undefined, human = true): readonly Column<T>[] {
  if (names === undefined || names.length === 0) return human ? view.columns : (view.plain ?? view.columns)
  return eachNamed(
    view,
    names,
    '--columns',
    (name) => (human ? partHeaded(view, name) : undefined) ?? columnNamed(view, name, true),
  )
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
  // A hyphen, or a minus sign: what the command line makes of one (cli/argv).
  const isDescending = (name: string): boolean => /^[-\u2212]/.test(name)
  const bare = (name: string): string => (isDescending(name) ? name.slice(1) : name)
  const columns = eachNamed(
    view,
    (names ?? []).map((name) => bare(name.trim())),
    '--sort',
    (name) => columnNamed(view, name, false),
  )
  return columns.map((column, at) => ({ column, descending: isDescending(names?.[at]?.trim() ?? '') }))
}

/** The columns of all names. @throws {UnknownColumnError} with every name that is unknown */
function eachNamed<T>(
  view: View<T>,
  names: readonly string[],
  flag: ColumnFlag,
  columnOf: (name: string) => Column<T> | undefined,
): readonly Column<T>[] {
  const found = names.map((name) => [name.trim(), columnOf(name.trim())] as const)
  const unknown = found.flatMap(([name, column]) => (column === undefined ? [name] : []))
  if (unknown.length > 0) throw unknownColumns(view, unknown, flag)
  return found.flatMap(([, column]) => column ?? [])
}

/** A column by its key in any case, or by its header on a terminal. @param shown and so perhaps a field that is not listed */
function columnNamed<T>(view: View<T>, name: string, shown: boolean): Column<T> | undefined {
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
  return shown ? unlistedColumn(view, name) : undefined
}

type ColumnFlag = UnknownColumnError['flag']

/** Columns that a name may stand for where it is like none, or like one of another sense (Rated for Created). */
const MEANINGS: Readonly<Record<string, readonly string[]>> = {
  amount: ['SubTotal', 'Price', 'Sum'],
  created: ['CreatedAt', 'CreatedDate', 'StartDate', 'Date'],
  date: ['CreatedDate', 'CreatedAt'],
  price: ['Amount', 'Sum'],
  quantity: ['Counts', 'Count', 'Rows'],
  status: ['State'],
  title: ['Subject'],
}

/** A question with more names than these is no help. */
const MOST_MEANT = 3

/** The keys that an unknown name may mean: the first that has its sense, or those that are like it. */
function keysMeant(name: string, keys: readonly string[], headers: readonly string[]): readonly string[] {
  const word = name.toLowerCase()
  const meanings = Object.hasOwn(MEANINGS, word) ? (MEANINGS[word] ?? []) : []
  const meant = meanings.find((key) => keys.includes(key))
  return meant === undefined ? similar(name, [...keys, ...headers]).slice(0, MOST_MEANT) : [meant]
}

/** The error for names that records do not have, with the names they have. */
export function unknownColumns<T>(view: View<T>, names: readonly string[], flag: ColumnFlag): UnknownColumnError {
  const own = [...view.columns, ...(view.named ?? [])]
  const keys = [...new Set([...own.map((column) => column.key), ...knownFields(view).keys()])]
  const headers = view.columns.flatMap(({ header }) => header ?? [])
  const nestedKeys = keys.filter((key) => key.includes('.'))
  const flat = keys.filter((key) => !key.includes('.')).join(', ')
  const list = `Known: ${flat}${nestedKeys.length === 0 ? '' : `; and nested ones by dots, e.g. ${nestedKeys.slice(0, 3).join(', ')}`}.`
  const near = names.map((name) => [name, name === '' ? [] : keysMeant(name, keys, headers)] as const)
  const questions = near.flatMap(([name, meant]) =>
    meant.length === 0 ? [] : [`${meant.join(' or ')}${names.length === 1 ? '' : ` for ${name}`}`],
  )
  const quoted = names.filter((name) => name !== '').map((name) => `"${name}"`)
  const are = quoted.length === 1 ? 'is not a field' : 'are not fields'
  return new UnknownColumnError(
    quoted.length === 0 ? `${flag} has an empty name.` : `${flag}: ${quoted.join(', ')} ${are} of these records.`,
    questions.length === 0 ? list : `Did you mean ${questions.join(', and ')}? ${list}`,
    flag,
    new Map(near.map(([name, [first]]) => [name, first])),
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
