/** Reads what a person types: durations, dates, kronor, whole numbers. Strict; every error says what is accepted. */

import { readKronor as readAmount } from '../contract/kronor.js'
import { MAX_INT, MIN_INT } from '../contract/limits.js'
import { dateTimeOf, instantOf } from '../contract/scalars.js'
import { type ErrorCode, ValueError } from '../errors/index.js'
import { DAY_MS, parseDuration } from '../system/durations.js'

// setTimeout takes a 32-bit int of ms and falls back to 1 ms beyond it, so no duration may be longer.
const LONGEST_MS = 2_147_483_647

/**
 * The days between which a time that a person types must lie. The difference of two such times, taken from the first, still has a
 * year of four digits, as all dates of the service have.
 */
const [FIRST_DAY, LAST_DAY] = ['1900-01-01', '2999-12-31']

function refusal(code: ErrorCode, name: string, text: string, why: string, hint: string): ValueError {
  return new ValueError(code, { name, value: text, why }, hint)
}

/**
 * A duration with a unit on every part: 500ms, 90s, 10m, 1.5h, 1h30m, 2d.
 * @param name the flag or argument, for the message, e.g. `--timeout`
 * @returns ms
 * @throws {SellerError} usage
 */
export function readDuration(text: string, name: string): number {
  const ms = parseDuration(text)
  const hint = 'Give a number with a unit: ms, s, m, h or d, e.g. 90s, 10m, 1h30m.'
  if (ms === undefined) {
    throw refusal('invalid_duration', name, text, /^\d+(\.\d+)?$/.test(text) ? 'has no unit' : 'is not a duration', hint)
  }
  if (ms > LONGEST_MS) throw refusal('invalid_duration', name, text, 'is too long; the longest is 24d', hint)
  return ms
}

/** The starting point of a relative date. */
export interface Now {
  /** ms since 1970 */
  readonly now: number
  /** Direction of `7d` without a sign: in the past (--since) or in the future (--until). */
  readonly direction: 'past' | 'future'
}

const DAYS: ReadonlyMap<string, number> = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
])

/**
 * Reads a date (its midnight) or a date and time; without a zone it is Swedish local time, as at the service. With `at` it may be
 * relative: now, today, yesterday, tomorrow (midnight), or a duration such as 7d, +12h, -90m; then it must lie between FIRST_DAY
 * and LAST_DAY.
 * @returns ISO 8601 text with its zone, e.g. 2026-11-30T18:00:00+01:00; a zone that was given stays
 * @throws {SellerError} usage
 */
export function readDateTime(text: string, name: string, at?: Now): string {
  const relative = at === undefined ? undefined : relativeInstant(text.trim().toLowerCase(), at)
  if (relative !== undefined) return dateTimeOf(bounded(relative, name, text))
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text)
  const [, date, time = '00:00', seconds = ':00', zone = ''] = match ?? []
  const full = `${date}T${time}${seconds}${zone}`
  const instant = match === null ? Number.NaN : instantOf(full)
  if (Number.isNaN(instant)) {
    throw refusal(
      'invalid_date',
      name,
      text,
      'is not a date',
      at === undefined
        ? 'Give e.g. 2026-11-30, 2026-11-30T18:00 (Swedish time) or 2026-11-30T18:00:00Z.'
        : 'Give e.g. 2026-11-30, 2026-11-30T18:00 (Swedish time), 2026-11-30T18:00:00Z, yesterday, tomorrow or 7d.',
    )
  }
  if (at !== undefined) bounded(instant, name, text)
  if (zone !== '') return full
  const local = dateTimeOf(instant)
  if (!time.startsWith('24') && local.slice(0, 16) !== full.slice(0, 16)) {
    throw refusal(
      'invalid_date',
      name,
      text,
      'does not exist in Sweden: the clocks go from 02:00 to 03:00 then',
      'Give another time, or one with its zone, e.g. 2026-11-30T18:00:00Z.',
    )
  }
  return local
}

const [FIRST_MS, END_MS] = [instantOf(`${FIRST_DAY}T00:00:00`), instantOf(`${LAST_DAY}T24:00:00`)]

/** @throws {SellerError} usage, for a time that nothing of the service can have */
function bounded(instant: number, name: string, text: string): number {
  if (instant >= FIRST_MS && instant < END_MS) return instant
  throw refusal('invalid_date', name, text, `is not between ${FIRST_DAY} and ${LAST_DAY}`, 'Give a date in that range.')
}

/**
 * Reads a time to come: as readDateTime, or a time of day (`18:00`), which is today's, or tomorrow's if that is past.
 * @throws {SellerError} usage
 */
export function readStartTime(text: string, name: string, now: number): string {
  const at = { now, direction: 'future' } as const
  if (!/^\d\d:\d\d$/.test(text.trim())) return readDateTime(text, name, at)
  const on = (day: string) => readDateTime(`${readDateTime(day, name, at).slice(0, 10)}T${text.trim()}`, name, at)
  const today = on('today')
  return instantOf(today) > now ? today : on('tomorrow')
}

/** The one rule of times in flags, as help shows it; docs/scripting.md (Times) has it too. */
export const TIMES: readonly (readonly [text: string, meaning: string])[] = [
  ['2026-11-30', 'that day at 00:00, in Swedish time'],
  ['2026-11-30T18:00', 'in Swedish time; 2026-11-30T18:00Z and +01:00 name their zone'],
  ['today, yesterday', 'that day at 00:00'],
  ['7d, 12h, 90m', 'so long before this moment, to the second: 7d is 168 hours, wherever the day begins'],
  ['+7d, tomorrow', 'in the future, as is 7d in flags about what is to come'],
  ['--since', 'is included: what happened at that moment counts'],
  [
    '--until',
    'is not included: --until 2026-12-01 ends with 30 November. The end of a discount, given as a day alone, is the end of that day',
  ],
]

/**
 * Reads an end to come: as readDateTime, but a day alone (2026-11-30, today, tomorrow) lasts until the midnight after it.
 * @returns ISO 8601, or a duration as it was written, such as `+7d`, which counts from the start: `endAt` knows it
 * @throws {SellerError} usage
 */
export function readEnd(text: string, name: string, now: number): string {
  const date = readDateTime(text, name, { now, direction: 'future' })
  const word = text.trim().toLowerCase()
  if (parseDuration(word.replace(/^\+/, '')) !== undefined) return word
  if (!/^\d{4}-\d\d-\d\d$/.test(word) && !DAYS.has(word)) return date
  // Adding a day to noon gives the right one also when the clocks change.
  const noon = instantOf(`${date.slice(0, 10)}T12:00:00`) + DAY_MS
  return dateTimeOf(instantOf(`${dateTimeOf(noon).slice(0, 10)}T00:00:00`))
}

/** The instant of an end that readEnd has read, ms since 1970. @param starts ms since 1970 */
export function endAt(text: string, starts: number): number {
  const lasts = parseDuration(text.replace(/^\+/, ''))
  return lasts === undefined ? instantOf(text) : starts + lasts
}

/** @returns ms since 1970; undefined for a text that is not relative */
function relativeInstant(text: string, { now, direction }: Now): number | undefined {
  if (text === 'now') return now
  const days = DAYS.get(text)
  if (days !== undefined) {
    const today = dateTimeOf(now).slice(0, 10)
    // Adding whole days to noon gives the right day also when the clocks change.
    const noon = instantOf(`${today}T12:00:00`) + days * DAY_MS
    return instantOf(`${dateTimeOf(noon).slice(0, 10)}T00:00:00`)
  }
  const [, sign = direction === 'past' ? '-' : '+', span = ''] = /^([+-])?(.+)$/.exec(text) ?? []
  const ms = parseDuration(span)
  return ms === undefined ? undefined : now + (sign === '-' ? -ms : ms)
}

/**
 * An amount in whole kronor, including 0: 499, "1 234", 1234kr, 1 234 kr. Decimals are refused, never rounded.
 * @param currency of the account, which a unit next to the amount must be; undefined where it is judged later
 * @throws {SellerError} usage
 */
export function readKronor(text: string, name: string, currency?: string): number {
  const result = readAmount(text, 0, currency)
  if ('value' in result) return result.value
  throw refusal(
    'invalid_price',
    name,
    text,
    result.why,
    'Prices are whole kronor, without decimals or thousands points, e.g. 499 or 1234.',
  )
}

/**
 * A whole number that fits in the service's 32-bit int, between min and max if given.
 * @throws {SellerError} usage
 */
export function readInt(text: string, name: string, range: { min?: number; max?: number } = {}): number {
  const { min = MIN_INT, max = MAX_INT } = range
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(value)) throw refusal('invalid_number', name, text, 'is not a whole number', 'Give digits only, e.g. 42.')
  if (value < min || value > max) {
    throw refusal('invalid_number', name, text, `is not between ${min} and ${max}`, 'Give a number in that range.')
  }
  return value
}
