/**
 * Chooses the columns of a table for the fields of an input: by their names, confirmed by what stands in them. One column, or the seller is asked:
 * a wrong one sets what was bought for what is sold.
 */
import { type ColumnName, readColumnName } from './column-names.js'
import {
  type ColumnNames,
  FOREIGN_CELLS,
  kindOf,
  MONEY_NAME,
  type NameMeaning,
  NET_SYSTEMS,
  NO_SALE_PRICE,
  NUMBER_NAME,
  SALE_PRICES,
} from './fields.js'

/** Answers of the seller that go with a file: columns by field, and whether prices have VAT. */
export interface ColumnAnswers {
  /** The name of a column by the field that it is for, as typed; an empty name leaves the field out. */
  readonly columns?: Readonly<Record<string, string>> | undefined
  readonly prices?: 'net' | 'gross' | undefined
}

/** Answers about the columns of files. */
export interface LayoutAnswers extends ColumnAnswers {
  /** Called with the names of the columns before they are chosen. @returns the answers for this layout, typed or kept */
  readonly forLayout?: (names: readonly string[]) => ColumnAnswers
}

export interface TableColumns<F extends string> {
  /** The field of each column; undefined for one that has none. */
  readonly fields: readonly (F | undefined)[]
  /** Columns that could have been the column of a field, and are not. */
  readonly passed: ReadonlySet<number>
  /** Places of the columns with prices of a sale. */
  readonly sales: readonly number[]
  /** True if the prices are without VAT, false if they are with it; undefined where the file does not say it. */
  readonly net: boolean | undefined
  /** Questions to the seller, by the place of a column; -1 for the whole input. */
  readonly asked: readonly { readonly at: number; readonly why: string }[]
  /** Remarks, a sentence each. */
  readonly notes: readonly string[]
}

interface Candidate<F extends string> extends NameMeaning<F> {
  readonly at: number
  readonly name: ColumnName
}

const NUMBERS: ReadonlySet<string> = new Set(['price', 'amount', 'stock'])
/** Fields whose column names items: one of them is enough. */
const ID = 'id'
const ARTICLE = 'artikelnr'

/**
 * @param names of the columns as they stand in the file
 * @param known the fields of the input
 * @param sample the first rows
 * @param currency of the account (ISO 4217)
 */
export function chooseColumns<F extends string>(
  names: readonly string[],
  known: ColumnNames<F>,
  sample: readonly (readonly unknown[])[],
  { columns: typed = {}, prices }: ColumnAnswers = {},
  currency?: string,
): TableColumns<F> {
  const read = names.map(readColumnName)
  const plains = new Set(read.map(({ plain }) => plain))
  const asked: { at: number; why: string }[] = []
  const notes: string[] = []
  const fields: (F | undefined)[] = names.map(() => undefined)
  const passed = new Set<number>()
  const left = new Set<F>()
  const given = new Map<F, number>()
  for (const [field, wanted] of Object.entries(typed)) {
    const meaning = meaningOf(field, known)
    if (meaning === undefined) continue
    if (wanted.trim() === '') left.add(meaning.field)
    else {
      const at = placeOf(names, wanted)
      if (at >= 0) given.set(meaning.field, at)
      else
        asked.push({
          at: -1,
          why: `There is no column "${wanted}" for ${field}; the columns are ${names.filter((name) => name.trim() !== '').join(', ')}.`,
        })
    }
  }
  for (const [field, at] of given) fields[at] = field
  const candidates = new Map<F, Candidate<F>[]>()
  for (const [at, name] of read.entries()) {
    const meaning = meaningIn(name.plain, known)
    if (meaning === undefined) continue
    if (left.has(meaning.field) || given.has(meaning.field)) {
      passed.add(at)
      continue
    }
    if (!fits(name, meaning, currency)) continue
    const all = candidates.get(meaning.field) ?? []
    all.push({ ...meaning, at, name, rank: rankOf(name, meaning) })
    candidates.set(meaning.field, all)
  }
  for (const [field, all] of candidates) {
    const best = Math.min(...all.map(({ rank }) => rank))
    const group = all.filter(({ rank }) => rank === best)
    const filled = group.filter(({ at }) => sample.length === 0 || sample.some((row) => !isEmpty(row[at])))
    const [first = group[0], ...others] = filled
    if (first === undefined || isForeign(field, first.at, sample)) continue
    const alike = others.every(({ at }) => sample.every((row) => String(row[at] ?? '') === String(row[first.at] ?? '')))
    if (filled.length < 2 || (alike && sample.length > 0)) fields[first.at] = field
    else {
      fields[first.at] = field
      const choices = group.map(({ at }) => proposal(field, names[at] ?? '')).join(' or ')
      for (const { at } of others)
        asked.push({
          at,
          why: `is a second column for ${field}; "${names[first.at]}" is one already. Rename one of them, or say which it is: ${choices}`,
        })
    }
    for (const { at } of all) if (fields[at] !== field) passed.add(at)
    const { place } = first.name
    if (place !== undefined && fields[first.at] === field) notes.push(`${field} is that of "${place}", the only one in the file.`)
  }
  nameByValues(names, read, known, fields, sample)
  const price = known.price?.field
  const at = price === undefined ? -1 : fields.indexOf(price)
  const unit = read.find(({ plain }) => plain === 'action')?.currency
  if (at >= 0 && unit !== undefined && unit !== (currency ?? 'SEK'))
    asked.push({ at: -1, why: `The prices of the file are in ${unit}, and the account is in ${currency ?? 'SEK'}.` })
  const sales =
    at < 0 || given.has(fields[at] as F) ? [] : [...read.keys()].filter((place) => SALE_PRICES.has(read[place]?.plain ?? ''))
  return { fields, passed, sales, asked, notes, net: prices === undefined ? netOf(read[at], plains) : prices === 'net' }
}

/** True if the cells of a column are those of another system, whatever its name is. */
function isForeign(field: string, at: number, sample: readonly (readonly unknown[])[]): boolean {
  const like = FOREIGN_CELLS[field]
  return like !== undefined && sample.some((row) => like.test(String(row[at] ?? '')))
}

function netOf(name: ColumnName | undefined, plains: ReadonlySet<string>): boolean | undefined {
  if (name === undefined) return undefined
  if (name.vat !== undefined) return !name.vat
  return NET_SYSTEMS.some(({ price, beside }) => price === name.plain && plains.has(beside)) ? true : undefined
}

/** The meaning of a name of a column, or of the start of one. */
export function meaningIn<F extends string>(plain: string, known: ColumnNames<F>): NameMeaning<F> | undefined {
  if (Object.hasOwn(known, plain)) return known[plain]
  for (const [start, meaning] of Object.entries(known))
    if (start.endsWith('*') && plain.startsWith(start.slice(0, -1)) && !plain.includes('?')) return meaning
  return undefined
}

/** The field that a person names: as the service calls it, as we do, or by any name of its column. */
function meaningOf<F extends string>(field: string, known: ColumnNames<F>): NameMeaning<F> | undefined {
  const wanted = field.trim().toLowerCase()
  return (
    Object.values(known).find((meaning) => meaning.field.toLowerCase() === wanted) ??
    meaningIn(readColumnName(field).plain, known)
  )
}

/** The field that the seller has named for a column of JSON, whose columns come one by one; undefined for none. */
export function typedField<F extends string>(
  name: string,
  { columns = {} }: ColumnAnswers,
  known: ColumnNames<F>,
): F | undefined {
  const [field] = Object.entries(columns).find(([, column]) => placeOf([name], column) === 0) ?? []
  return field === undefined ? undefined : meaningOf(field, known)?.field
}

function placeOf(names: readonly string[], wanted: string): number {
  const exact = names.findIndex((name) => name.trim() === wanted.trim())
  if (exact >= 0) return exact
  const folded = wanted.trim().normalize('NFC').toLowerCase()
  return names.findIndex((name) => name.trim().normalize('NFC').toLowerCase() === folded)
}

/** True if nothing in a name says that its column is something else: another currency, a remark beside money or a number. */
function fits<F extends string>(
  { currency, remark, vat, plain }: ColumnName,
  { kind }: NameMeaning<F>,
  account: string | undefined,
): boolean {
  if (kind === 'text') return remark === undefined || !/^[a-z]{2}$/.test(remark)
  if (remark !== undefined) return false
  if (!NUMBERS.has(kind)) return true
  if (currency !== undefined && currency !== (account ?? 'SEK')) return false
  // A cost is without VAT.
  return kind !== 'amount' || vat !== true || !COSTS.test(plain)
}

const COSTS = /cost|kost|inköp|inpris|einkauf|^ek$/

/** A price that says that VAT is in it comes first, one that says that it is not last. */
function rankOf<F extends string>({ vat }: ColumnName, { kind, rank }: NameMeaning<F>): number {
  return kind !== 'price' || vat === undefined ? rank : vat ? rank - 100 : rank + 100
}

/** `id` names items by own references where its values do, and no other column has these. */
function nameByValues<F extends string>(
  names: readonly string[],
  read: readonly ColumnName[],
  known: ColumnNames<F>,
  fields: (F | undefined)[],
  sample: readonly (readonly unknown[])[],
): void {
  const number = known[ARTICLE]?.field
  const own = known.sku?.field
  if (number === undefined || fields.some((field) => field === number || field === own)) return
  const at = read.findIndex(({ plain }) => plain === ID)
  if (at < 0 || names[at] === undefined) return
  const values = sample.map((row) => String(row[at] ?? '').trim()).filter((text) => text !== '')
  if (values.length > 0 && values.every((text) => !/^[\d\s\u00a0\u202f.,-]+$/.test(text))) fields[at] = number
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || String(value).trim() === ''
}

/** The flag that says which column a field has. */
export function proposal(field: string, column: string): string {
  return `--column ${field}=${/^[\w-]*$/.test(column) ? column : `'${column.replaceAll("'", `'\\''`)}'`}`
}

/**
 * Columns that may be meant for a field of a kind that a file has no column for, the likeliest first: by words of their names and by numbers in
 * their cells.
 */
export function likelyColumns(
  kind: string,
  names: readonly string[],
  sample: readonly (readonly unknown[])[],
  currency: string | undefined,
  isFree: (at: number) => boolean,
): string[] {
  const word =
    kind === 'stock' ? NUMBER_NAME : kind === 'price' || kind === 'amount' ? MONEY_NAME : kind === 'item' ? ITEM_NAME : undefined
  if (word === undefined) return []
  return names
    .flatMap((name, at) => {
      const read = readColumnName(name)
      const cells = sample.map((row) => String(row[at] ?? '').trim()).filter((text) => text !== '')
      if (!isFree(at) || !word.test(name) || cells.length === 0) return []
      if (read.currency !== undefined && read.currency !== (currency ?? 'SEK')) return []
      if (kind !== 'item' && !cells.some((text) => /\d/.test(text) && /^[\d\s\u00a0.,:-]+(?:\p{L}{2,3}\.?)?$/u.test(text)))
        return []
      const known = kindOf(read.plain)
      if (kind === 'price' && ((known !== undefined && known !== 'price') || NO_SALE_PRICE.test(name))) return []
      return [name]
    })
    .slice(0, 3)
}

const ITEM_NAME = /sku|ean|gtin|upc|barcode|streckkod|artikel|article|item|ref|\bid\b|nummer|number|code/i

/** Names of columns that were not read: those that look like money first, then like numbers, then the others. */
export function dangerousFirst(names: readonly string[]): string[] {
  const order = (name: string) => (MONEY_NAME.test(name) ? 0 : NUMBER_NAME.test(name) ? 1 : 2)
  return [...names].sort((one, other) => order(one) - order(other))
}
