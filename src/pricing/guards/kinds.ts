/** The kinds of limits of price guards: how each is typed, stored in a profile, and written back. */
import { readKronor } from '../../contract/index.js'
import { readPercent } from '../../contract/percent.js'

/** A value as stored in the settings file. */
export type StoredLimit = number | string

export interface LimitKind<T, S extends StoredLimit> {
  /** The word for the value in help. */
  readonly helpValue: string
  /** The value that switches the guard off. */
  readonly off: T
  /**
   * Reads a typed text.
   * @param currency of the account, as for `readKronor`
   * @throws RangeError that says what is wrong with it
   */
  read(text: string, currency?: string): T
  /** Converts a value for the settings file. */
  store(value: T): S
  /** The text that `read` accepts. */
  write(stored: S): string
  /** Code of the usage error for a text that cannot be read, and what to give instead. */
  readonly code: 'invalid_percent' | 'invalid_price' | 'invalid_setting'
  readonly hint: string
}

/** A share: 0.5 for `50%`; null for none. The settings file holds 50, or `off`. */
export const share: LimitKind<number | null, number | 'off'> = {
  helpValue: 'PERCENT|off',
  off: null,
  read: readShare,
  store: (value) => (value === null ? 'off' : Math.round(value * 100_000) / 1000),
  write: (limit) => (typeof limit === 'number' ? `${limit}%` : limit),
  code: 'invalid_percent',
  hint: 'Give the largest share that may pass, e.g. 80%, or off.',
}

/** The least margin: a share below 1; null for none. */
export const margin: LimitKind<number | null, number | 'off'> = {
  ...share,
  read: readMargin,
  hint: 'Give the least share of the price without VAT that must be left, below 100%, e.g. 10%, or off.',
}

/** Kronor; null for none. */
export const kronor: LimitKind<number | null, number | 'off'> = {
  helpValue: 'KR|off',
  off: null,
  read(text, currency) {
    if (isOff(text)) return null
    const result = readKronor(text, 1, currency)
    if ('value' in result) return result.value
    throw new RangeError(`"${text}" ${result.why}`)
  },
  store: (value) => value ?? 'off',
  write: String,
  code: 'invalid_price',
  hint: 'Prices are whole kronor, without decimals or thousands points, e.g. 499 or 1234; off for no limit.',
}

/** On or off. */
export const toggle: LimitKind<boolean, 'on' | 'off'> = {
  helpValue: 'on|off',
  off: false,
  read(text) {
    const word = text.trim().toLowerCase()
    if (word !== 'on' && word !== 'off') throw new RangeError(`"${text}" is neither on nor off`)
    return word === 'on'
  },
  store: (value) => (value ? 'on' : 'off'),
  write: String,
  code: 'invalid_setting',
  hint: 'Give on or off.',
}

/** Reads `80%`, or `off` for none. @throws RangeError saying what is expected */
export function readShare(text: string): number | null {
  if (isOff(text)) return null
  const percent = readPercent(text)
  if (percent === undefined) throw new RangeError(`"${text}" is not a percentage`)
  return percent / 100
}

/** Reads `30%`, below 100 %, or `off` for none. @throws RangeError saying what is expected */
export function readMargin(text: string): number | null {
  const parsedShare = readShare(text)
  if ((parsedShare ?? 0) >= 1) throw new RangeError(`"${text}" is more than any price can leave; write less than 100%`)
  return parsedShare
}

function isOff(text: string): boolean {
  return text.trim().toLowerCase() === 'off'
}
