/** Readers of the values of settings: strict, and every refusal says what is accepted. */
import { readOrgNumber } from '../contract/books.js'
import { readFee } from '../contract/fees.js'
import { readPercent } from '../contract/percent.js'
import { type ErrorCode, type Fault, ValueError } from '../errors/index.js'
import { DAY_MS, formatDuration, LONGEST_AGE_MS, parseDuration } from '../system/durations.js'
import { readInt } from './values.js'

/** Reads a text. @param name what to call it in a message @throws {SellerError} usage */
export type Read<T> = (text: string, name: string) => T

export function readNamespace(text: string, name: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\S+$/i.test(text))
    throw invalid({ name, value: text, why: 'is not a namespace' }, 'Give the namespace in the WSDL, e.g. http://api.example.com')
  return text.replace(/\/+$/, '')
}

/** Reads a secret. The value is never quoted. @throws {SellerError} invalid_setting */
export function readSecret(text: string, name: string): string {
  const value = text.trim()
  if (value === '') throw invalid({ name, why: 'It is empty' }, 'Give the value that the service issued.')
  // XML and HTTP could carry more, but a control character in a key is a copying mistake.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this looks for control characters.
  if (/[\u0000-\u001f\u007f]/.test(value))
    throw invalid({ name, why: 'It holds a line break or another control character' }, 'Give the value alone.')
  return value
}

export function readCommand(text: string, name: string): string {
  const hint = `Give a JSON array, e.g. '["pass", "show", "shop/key"]', or a line for the shell.`
  if (text === '') throw invalid({ name, why: 'It is empty' }, hint)
  if (!text.startsWith('[')) return text
  let words: unknown
  try {
    words = JSON.parse(text)
  } catch {
    throw invalid({ name, why: 'It begins like a JSON array, but it is not one' }, hint)
  }
  const isValid = Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string') && words[0] !== ''
  if (!isValid) throw invalid({ name, why: 'Its JSON array does not hold a program and its arguments as texts' }, hint)
  return JSON.stringify(words)
}

export function readInstant(text: string, name: string): string {
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text))) return text
  throw invalid({ name, value: text, why: 'is not a date and time' }, 'Give it as ISO 8601, e.g. 2027-02-26T21:15:57Z.')
}

/** Reads an age, which may be longer than any wait of a command. */
export function readAge(text: string, name: string): string {
  const ms = parseDuration(text)
  const hint = 'Give a number with a unit, e.g. 30d or 12h.'
  if (ms === undefined || ms === 0) throw invalid({ name, value: text, why: 'is not a duration' }, hint)
  if (ms > LONGEST_AGE_MS)
    throw invalid({ name, value: text, why: `is longer than ${LONGEST_AGE_MS / DAY_MS}d, the longest age` }, hint)
  return formatDuration(ms)
}

export function readOrgText(text: string, name: string): string {
  const number = readOrgNumber(text)
  if (number !== undefined) return number
  throw invalid(
    { name, value: text, why: 'is not an organisation number' },
    'Give its ten digits, e.g. 556000-4615; the last one must fit.',
  )
}

export function readFeeText(text: string, name: string): string {
  if (readFee(text) !== undefined) return text.trim()
  throw invalid(
    { name, value: text, why: 'is not a fee' },
    'Give a share, a sum or both, and the most it is, e.g. "10%+3kr max 400kr".',
  )
}

/** @throws {SellerError} invalid_setting */
export function readCurrency(text: string, name: string): string {
  if (/^[A-Z]{3}$/.test(text)) return text
  throw invalid({ name, value: text, why: 'is not a currency' }, 'Give its three letters, e.g. SEK.')
}

export function int(range: { min: number }): Read<number> {
  return (text, name) => readInt(text, name, range)
}

export function oneOf<T extends string>(...choices: readonly T[]): Read<T> {
  return (text, name) => {
    const match = choices.find((choice) => choice === text)
    if (match !== undefined) return match
    throw invalid({ name, value: text, why: `is not one of ${choices.join(', ')}` }, 'Give one of them.')
  }
}

/** @param none what `none` is stored as. Where that is an empty text, it is read back. */
export function orNone<T extends string | number>(none: T, read: Read<T>): Read<T> {
  return (text, name) => (text === 'none' || text === none ? none : read(text, name))
}

/** Value of another module's reader. Its refusal becomes one of ours. */
export function unless<T>(
  Refusal: new (...given: never[]) => Error,
  read: () => T,
  name: string,
  hint: string,
  code?: ErrorCode,
): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw invalid({ name, why: error.message }, hint, code)
  }
}

export function readList(text: string, name: string): string {
  if (text.split('|').every((part) => part.trim() !== '')) return text
  throw invalid(
    { name, value: text, why: 'has an empty part' },
    'Give what the flag of items:add takes, several with | between, or none.',
  )
}

/** Answers about the columns of files, by layout: JSON as --column writes it. */
export function readLayouts(text: string, name: string): string {
  const wrong = () => invalid({ name, value: text, why: 'is not what --column keeps' }, 'Remove it from the settings file.')
  try {
    const layouts = JSON.parse(text) as unknown
    const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)
    if (!isRecord(layouts) || !Object.values(layouts).every(isRecord)) throw wrong()
    return text
  } catch (error) {
    throw error instanceof SyntaxError ? wrong() : error
  }
}

/** Per cent, up to 100: `25%`, `12`, `0%` for none. */
export function readVat(text: string, name: string): number {
  const percent = upTo100(text)
  if (percent !== undefined) return percent
  throw new ValueError(
    'invalid_percent',
    { name, value: text, why: 'is not a rate of VAT' },
    'Give per cent, e.g. 25%, or 0% for none.',
  )
}

/** A share of the calls. */
export function readShare(text: string, name: string): number {
  const percent = upTo100(text) ?? 0
  if (percent > 0) return percent
  const hint = 'Give per cent above 0 and up to 100, e.g. 30%, or none.'
  throw new ValueError('invalid_percent', { name, value: text, why: 'is not a share' }, hint)
}

/** Up to 100; the sign may be left out, since nothing else can be meant. */
function upTo100(text: string): number | undefined {
  const percent = readPercent(text, { bare: true, decimals: 2 })
  return percent !== undefined && percent <= 100 ? percent : undefined
}

function invalid(fault: Fault, hint: string, code: ErrorCode = 'invalid_setting'): ValueError {
  return new ValueError(code, fault, hint)
}
