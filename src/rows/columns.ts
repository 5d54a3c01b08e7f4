/**
 * Chooses the columns of a table for the fields of an input: by their names, confirmed by what stands in them. One column, or the
 * seller is asked: a wrong one sets what was bought for what is sold.
 */
import { isBlank } from './blank.js'
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
  /** Columns whose numbers are added up, by the column that gets the sum. */
  readonly added: ReadonlyMap<number, readonly number[]>
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

/**
 * @param names of the columns as they stand in the file
 * @param meanings the fields of the input, by the names of their columns
 * @param sample the first rows
 * @param currency of the account (ISO 4217)
 */
export function chooseColumns<F extends string>(
  names: readonly string[],
  meanings: ColumnNames<F>,
  sample: readonly (readonly unknown[])[],
  { columns: typed = {}, prices }: ColumnAnswers = {},
  currency?: string,
): TableColumns<F> {
  const columnNames = names.map(readColumnName)
  const plains = new Set(columnNames.map(({ plain }) => plain))
  const faults: { at: number; why: string }[] = []
  const notes: string[] = []
  const fields: (F | undefined)[] = names.map(() => undefined)
  const skippedColumns = new Set<number>()
  const omittedFields = new Set<F>()
  const place = placeChoice({ columns: typed })
  const addends = new Map<number, readonly number[]>()
  const placeByField = new Map<F, number>()
  for (const [field, wanted] of Object.entries(typed)) {
    const meaning = findMeaning(field, meanings)
    if (meaning === undefined) {
      // Another command may know the field, for which the answer was kept.
      const swappedMeaning = findColumn(names, field) < 0 ? undefined : findMeaning(wanted, meanings)
      if (swappedMeaning !== undefined)
        faults.push({
          at: -1,
          why: `"${field}" is a column, and ${wanted} the field: write ${proposal(swappedMeaning.field, field)}`,
        })
      continue
    }
    if (wanted.trim() === '') omittedFields.add(meaning.field)
    else {
      const at = findColumn(names, wanted)
      if (at >= 0) placeByField.set(meaning.field, at)
      else
        faults.push({
          at: -1,
          why: `There is no column "${wanted}" for ${field}; the columns are ${names.filter((name) => name.trim() !== '').join(', ')}.`,
        })
    }
  }
  for (const [field, at] of placeByField) fields[at] = field
  const candidates = new Map<F, Candidate<F>[]>()
  for (const [at, name] of columnNames.entries()) {
    const meaning = meaningIn(name.plain, meanings)
    if (meaning === undefined) continue
    if (omittedFields.has(meaning.field) || placeByField.has(meaning.field)) {
      skippedColumns.add(at)
      continue
    }
    if (!fits(name, meaning, currency)) continue
    const all = candidates.get(meaning.field) ?? []
    all.push({ ...meaning, at, name, rank: rankOf(name, meaning) })
    candidates.set(meaning.field, all)
  }
  for (const [field, all] of candidates) {
    const best = Math.min(...all.map(({ rank }) => rank))
    const bestCandidates = all.filter(({ rank }) => rank === best)
    const ofPlaces = bestCandidates.length > 1 && bestCandidates.every(({ name }) => name.place !== undefined)
    const placeCandidates =
      ofPlaces && place !== undefined ? bestCandidates.filter(({ name }) => samePlace(name.place ?? '', place)) : []
    const group = placeCandidates.length > 0 ? placeCandidates : bestCandidates
    const filledCandidates = group.filter(({ at }) => sample.length === 0 || sample.some((row) => !isBlank(row[at])))
    const [first = group[0], ...others] = filledCandidates
    if (first === undefined || isForeign(field, first.at, sample)) continue
    const alike = others.every(({ at }) => sample.every((row) => String(row[at] ?? '') === String(row[first.at] ?? '')))
    const adds = ofPlaces && first.kind === 'stock'
    if (filledCandidates.length < 2 || (alike && sample.length > 0 && !adds)) fields[first.at] = field
    else if (adds && place !== undefined && isAllPlaces(place)) {
      fields[first.at] = field
      addends.set(
        first.at,
        group.map(({ at }) => at),
      )
      notes.push(`${field} is the sum of ${group.map(({ name }) => `"${name.place}"`).join(', ')}.`)
    } else {
      fields[first.at] = field
      const all = adds ? [proposal('Place', 'all')] : []
      const choices = [...group.map(({ at }) => proposal(field, names[at] ?? '')), ...all].join(' or ')
      for (const { at } of others)
        faults.push({
          at,
          why: `is a second column for ${field}; "${names[first.at]}" is one already. Rename one of them, or say which it is: ${choices}`,
        })
    }
    for (const { at } of all) if (fields[at] !== field) skippedColumns.add(at)
    const { place: only } = first.name
    if (only !== undefined && fields[first.at] === field && !addends.has(first.at))
      notes.push(`${field} is that of "${only}"${placeCandidates.length > 0 ? '' : ', the only one in the file'}.`)
  }
  nameByValues(columnNames, meanings, fields, sample)
  const price = meanings.price?.field
  const at = price === undefined ? -1 : fields.indexOf(price)
  const unit = columnNames.find(({ plain }) => plain === 'action')?.currency
  if (at >= 0 && unit !== undefined && unit !== (currency ?? 'SEK'))
    faults.push({ at: -1, why: `The prices of the file are in ${unit}, and the account is in ${currency ?? 'SEK'}.` })
  const sales =
    at < 0 || placeByField.has(fields[at] as F)
      ? []
      : [...columnNames.keys()].filter((place) => SALE_PRICES.has(columnNames[place]?.plain ?? ''))
  return {
    fields,
    passed: skippedColumns,
    added: addends,
    sales,
    asked: faults,
    notes,
    net: prices === undefined ? netOf(columnNames[at], plains) : prices === 'net',
  }
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
export function meaningIn<F extends string>(plain: string, meanings: ColumnNames<F>): NameMeaning<F> | undefined {
  if (Object.hasOwn(meanings, plain)) return meanings[plain]
  for (const [start, meaning] of Object.entries(meanings))
    if (start.endsWith('*') && plain.startsWith(start.slice(0, -1)) && !plain.includes('?')) return meaning
  return undefined
}

/** The field that a person names: as the service calls it, as we do, or by any name of its column. */
function findMeaning<F extends string>(field: string, meanings: ColumnNames<F>): NameMeaning<F> | undefined {
  const fieldName = field.trim().toLowerCase()
  return (
    Object.values(meanings).find((meaning) => meaning.field.toLowerCase() === fieldName) ??
    meaningIn(readColumnName(field).plain, meanings)
  )
}

/** The field that the seller has named for a column of JSON, whose columns come one by one; undefined for none. */
export function typedField<F extends string>(
  name: string,
  { columns = {} }: ColumnAnswers,
  meanings: ColumnNames<F>,
): F | undefined {
  const [field] = Object.entries(columns).find(([, column]) => findColumn([name], column) === 0) ?? []
  return field === undefined ? undefined : findMeaning(field, meanings)?.field
}

/** The name of the column that the seller has given for a field beside those of an input. */
export function answerOf({ columns = {} }: ColumnAnswers, field: string): string | undefined {
  return Object.entries(columns).find(([name]) => name.trim().toLowerCase() === field.toLowerCase())?.[1]
}

/** The place whose rows or columns are meant, of a file with several; `isAllPlaces`: their numbers in stock are added up. */
export function placeChoice(answers: ColumnAnswers): string | undefined {
  const place = answerOf(answers, 'Place')?.trim()
  return place === '' ? undefined : place
}

export function isAllPlaces(place: string): boolean {
  return samePlace(place, 'all')
}

export function samePlace(one: string, other: string): boolean {
  return folded(one) === folded(other)
}

function folded(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

function findColumn(names: readonly string[], columnName: string): number {
  const exact = names.findIndex((name) => name.trim() === columnName.trim())
  if (exact >= 0) return exact
  return names.findIndex((name) => samePlace(name, columnName))
}

/** True if nothing in a name says that its column is something else: another currency, a remark beside money or a number. */
function fits<F extends string>(
  { currency, remark, vat, plain }: ColumnName,
  { kind }: NameMeaning<F>,
  account: string | undefined,
): boolean {
  if (kind === 'text') return remark === undefined || !/^[a-z]{2}$/.test(remark)
  if (remark !== undefined) return false
  if (kind === 'item') return true
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
  columnNames: readonly ColumnName[],
  meanings: ColumnNames<F>,
  fields: (F | undefined)[],
  sample: readonly (readonly unknown[])[],
): void {
  const number = meanings.artikelnr?.field
  const own = meanings.sku?.field
  if (number === undefined || fields.some((field) => field === number || field === own)) return
  const at = columnNames.findIndex(({ plain }) => plain === 'id')
  if (at < 0) return
  const values = sample.map((row) => String(row[at] ?? '').trim()).filter((text) => text !== '')
  if (values.length > 0 && values.every((text) => !/^[\d\s\u00a0\u202f.,-]+$/.test(text))) fields[at] = number
}

/** The flag that says which column a field has. */
export function proposal(field: string, column: string): string {
  return `--column ${field}=${/^[\w-]*$/.test(column) ? column : `'${column.replaceAll("'", `'\\''`)}'`}`
}

/**
 * Columns that may be meant for a field of a kind that a file has no column for, the likeliest first: by words of their names and
 * by numbers in their cells.
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
      const columnName = readColumnName(name)
      const cells = sample.map((row) => String(row[at] ?? '').trim()).filter((text) => text !== '')
      if (!isFree(at) || !word.test(name) || cells.length === 0) return []
      if (columnName.currency !== undefined && columnName.currency !== (currency ?? 'SEK')) return []
      if (kind !== 'item' && !cells.some((text) => /\d/.test(text) && /^[\d\s\u00a0.,:-]+(?:\p{L}{2,3}\.?)?$/u.test(text)))
        return []
      const plainKind = kindOf(columnName.plain)
      if (kind === 'price' && ((plainKind !== undefined && plainKind !== 'price') || NO_SALE_PRICE.test(name))) return []
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
