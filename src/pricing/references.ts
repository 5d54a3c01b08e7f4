/**
 * Own references that are nearly the same: a person, or a spreadsheet, writes one of them differently, and the item would be
 * added twice. A reference has several keys; two are nearly the same if they share one.
 */
import { type Hold, held } from '../holds/index.js'
import { StoredTexts } from '../rows/stored-list.js'

const DASHES = /[\s\u00a0_\-\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/gu

/**
 * Folds a reference: drops what people mix up: case, spaces, dashes of any kind, underscores, the letter O for a zero, and zeros
 * in front of a number. `ab–1 0` and `AB-1O` are both `ab10`; so is `ab-010`, but `a100` is not `a1`.
 */
export function foldReference(reference: string): string {
  return reference
    .toLowerCase()
    .replaceAll('o', '0')
    .replaceAll(/(?<![\d.,])0+(?=\d)/g, '')
    .replaceAll(DASHES, '')
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const
/** Names of months in Swedish, German, Danish, Norwegian and French spreadsheets, by their first letters. */
const ALSO: Readonly<Record<string, number>> = {
  maj: 5,
  mai: 5,
  okt: 10,
  dez: 12,
  des: 12,
  mär: 3,
  mrz: 3,
  fév: 2,
  avr: 4,
  aoû: 8,
  déc: 12,
}

function parseMonth(word: string): number {
  const start = word.toLowerCase().slice(0, 3)
  return (ALSO[start] ?? MONTHS.indexOf(start as (typeof MONTHS)[number]) + 1) || 0
}

/**
 * A reference that may be a day, by its two numbers; `made`: in a form that a spreadsheet makes, `03-apr`, while `3-4` is what it
 * made it of.
 */
interface Day {
  readonly numbers: string
  readonly made: boolean
}

/**
 * Two small numbers that a spreadsheet takes for a day: `3-4`, `3/4`, and what it makes of them: `03-apr`, `apr-03`,
 * `2026-04-03`. Which is the day and which the month depends on the language, so their order is dropped.
 */
function parseDay(reference: string): Day | undefined {
  const text = reference.toLowerCase().replace(/\.$/, '')
  const key = (one: number, other: number, made = true): Day | undefined => {
    const [less, more] = [Math.min(one, other), Math.max(one, other)]
    return less > 0 && less <= 12 && more <= 31 ? { numbers: `${less} ${more}`, made } : undefined
  }
  const iso = /^\d{4}-(\d{2})-(\d{2})(?:[t ]00:00(?::00)?)?$/.exec(text)
  if (iso !== null) return key(Number(iso[1]), Number(iso[2]))
  const numbers = /^(\d{1,2})[-/.](\d{1,2})(?:[-/.](?:19|20)\d{2})?$/.exec(text)
  if (numbers !== null) return key(Number(numbers[1]), Number(numbers[2]), false)
  const [, day, month = ''] = /^(\d{1,2})[-. /]{0,2}(\p{L}{3,9})$/u.exec(text) ?? []
  if (day !== undefined) return key(Number(day), parseMonth(month))
  const [, name = '', number] = /^(\p{L}{3,9})[-. /]{0,2}(\d{1,2})$/u.exec(text) ?? []
  return number === undefined ? undefined : key(Number(number), parseMonth(name))
}

const NUMBER = /^(\d+)(?:[.,](\d+))?(?:e\+?(\d{1,2}))?$/i
/** Digits that a spreadsheet keeps of a number. */
const KEPT_DIGITS = 15
const TRUTH = /^(?:true|sant|wahr|vrai|sand)$/i

/**
 * Keys of a reference that a spreadsheet may have read as a number, a day or a truth.
 * @param of a row of the file, or a live item
 */
function spreadsheetKeys(reference: string, of: 'row' | 'live'): string[] {
  const keys: string[] = []
  if (TRUTH.test(reference)) keys.push('true')
  const day = parseDay(reference)
  // Two references of which no spreadsheet has made a day are two: `3-4` and `4-3`.
  if (day !== undefined)
    keys.push(...(day.made ? ['made', of === 'row' ? 'live' : 'row'] : [of]).map((side) => `day ${side} ${day.numbers}`))
  const [, whole, rest = '', power] = NUMBER.exec(reference) ?? []
  if (whole === undefined) return keys
  const digits = `${whole}${rest}`.replace(/^0+(?=\d)/, '')
  const exponent = Number(power ?? 0) - rest.length
  // `90.750` is 90.75, `1E5` is 100000.
  const trimmed = digits.replace(/0+$/, '') || '0'
  keys.push(`number ${trimmed} ${exponent + digits.length - trimmed.length}`)
  if (digits.length + Math.max(0, exponent) > KEPT_DIGITS)
    keys.push(`long ${digits.slice(0, KEPT_DIGITS).replace(/0+$/, '')} ${digits.length + exponent}`)
  return keys
}

/**
 * A number in the short form of a spreadsheet, which has lost digits: `7,35E+12`.
 * @returns how many digits it has, and the key
 */
function shortForm(reference: string): { readonly digits: number; readonly key: string } | undefined {
  const [, first, rest = '', power] = /^(\d)(?:[.,](\d+))?e\+?(\d{1,2})$/i.exec(reference) ?? []
  if (first === undefined || Number(power) <= rest.length) return undefined
  return { digits: rest.length, key: `short ${first}${rest} ${Number(power)}` }
}

/** The key that a whole number has in the short form with so many digits behind the sign. */
function shortKey(number: string, digits: number): string {
  const [mantissa = '', power = ''] = Number(number).toExponential(Math.min(digits, 20)).split('e+')
  return `short ${mantissa.replace('.', '')} ${power}`
}

/** The part of a live item that is compared. */
export interface Referred {
  readonly Id: number
  readonly OwnReferences?: readonly string[] | null | undefined
}

/** A live item that an own reference may mean, although no live item has exactly this one. */
export interface NearItem {
  readonly id: number
  /** The item's own reference that is nearly the same; undefined where the reference is the id of the item. */
  readonly reference: string | undefined
}

/**
 * Separates references in a cell of another system, which has all variants of an item in one row. Ours is `|`, for references of
 * one item.
 */
const SEVERAL = /\s*[,;\n]\s*/

/** The references in one cell, where it has several of them; a number with a decimal comma is one. */
function splitReference(reference: string): string[] {
  const parts = reference.split(SEVERAL)
  const each = parts.length > 1 && !/^\d+,\d+$/.test(reference) && parts.every((part) => part.length > 1 && /\d/.test(part))
  return each ? parts : []
}

/** Finds, for own references that no live item has, the live item that each may mean. Sees the live list item by item. */
export class NearReferences {
  readonly found = new Map<string, NearItem>()
  readonly #keys = new Map<string, string[]>()
  readonly #ids = new Map<number, string>()
  /** Numbers of digits of references in the short form. */
  readonly #short = new Set<number>()

  constructor(references: Iterable<string>) {
    for (const reference of references) {
      const short = shortForm(reference)
      if (short !== undefined) this.#short.add(short.digits)
      const keys = [foldReference(reference), ...spreadsheetKeys(reference, 'row'), ...(short === undefined ? [] : [short.key])]
      for (const key of new Set(keys)) {
        const others = this.#keys.get(key)
        if (others === undefined) this.#keys.set(key, [reference])
        else others.push(reference)
      }
      if (/^\d{1,10}$/.test(reference)) this.#ids.set(Number(reference), reference)
    }
  }

  see({ Id, OwnReferences }: Referred): void {
    const asId = this.#ids.get(Id)
    if (asId !== undefined && !this.found.has(asId)) this.found.set(asId, { id: Id, reference: undefined })
    for (const own of OwnReferences ?? []) {
      const text = own.trim()
      for (const key of this.#keysOf(text))
        for (const reference of this.#keys.get(key) ?? [])
          if (!this.found.has(reference)) this.found.set(reference, { id: Id, reference: text })
    }
  }

  *#keysOf(reference: string): Generator<string> {
    yield foldReference(reference)
    yield* spreadsheetKeys(reference, 'live')
    if (/^\d{5,}$/.test(reference)) for (const digits of this.#short) yield shortKey(reference, digits)
  }
}

/** The own references of a live list, kept while it streams by: which rows stay without an item is known at its end. */
export class LiveReferences {
  readonly #references = new StoredTexts()
  readonly #ids: number[] = []

  see({ Id, OwnReferences }: Referred): void {
    for (const own of OwnReferences ?? []) {
      this.#references.push(own)
      this.#ids.push(Id)
    }
  }

  /** The live items that own references without an item may mean. */
  near(references: readonly string[]): ReadonlyMap<string, NearItem> {
    if (references.length === 0) return new Map()
    const near = new NearReferences(references)
    for (const [at, Id] of this.#ids.entries()) near.see({ Id, OwnReferences: [this.#references.at(at) ?? ''] })
    return near.found
  }
}

/** Why a row is not sent to an item whose reference is nearly its own; undefined where the reference is the id of the item. */
export function heldAsMistyped(OwnReference: string, { id, reference }: NearItem): Hold | undefined {
  return reference === undefined ? undefined : held('near_live', { OwnReference, Near: reference, Item: id })
}

/** Why a row with such a reference is not sent. */
export function heldAsNear(OwnReference: string, { id, reference }: NearItem): Hold {
  return held('near_reference', { OwnReference, Near: reference ?? null, Item: id })
}

/** Why a row whose cell has several references is not sent; undefined for a cell with one. */
export function heldAsSeveral(OwnReference: string): Hold | undefined {
  const parts = splitReference(OwnReference)
  return parts.length === 0 ? undefined : held('several_in_cell', { OwnReference, References: parts })
}

/** A title for comparison: people change spaces and case, not words. */
export function foldTitle(title: string): string {
  return title.replaceAll(/\s+/gu, ' ').trim().toLowerCase()
}
