/**
 * The settings of a profile, and how each is read from a text. The settings file, the environment, auth:login and auth:status use this
 * list.
 */
import { AccountsError, readAccounts } from '../contract/accounts.js'
import { readFee } from '../contract/fees.js'
import { ITEM_ATTRIBUTES, NameMapError, readNameMap, writeNameMap } from '../contract/index.js'
import { readPercent } from '../contract/percent.js'
import { type AnyGuard, GUARD_NAMES, type GuardName, type GuardSettings, PRICE_GUARDS } from '../pricing/guards/index.js'
import type { Binding } from '../soap/client/index.js'
import { formatDuration, parseDuration } from '../system/durations.js'
import { baseAddress, readServiceAddress } from './address.js'
import { SETTING_VARIABLES } from './environment.js'
import { SellerError } from './errors.js'
import type { Environment } from './host.js'
import { readQuotaUrl, secretsOfQuotaUrl, shownQuotaUrl } from './quota-url.js'
import { readDuration, readInt } from './values.js'

/** Named as in the settings file. The price guards come from pricing. */
export interface Settings extends GuardSettings {
  base_url?: string
  namespace?: string
  app_id?: number
  app_key?: string
  /** The third value of an application, for the address at which a seller allows it (docs/service.md, Token login). */
  public_key?: string
  user_id?: number
  token?: string
  /** Prints the application key: a JSON array of words, or a line for the platform's shell. Not used if app_key is set. */
  app_key_command?: string
  /** The same for the token. */
  token_command?: string
  /** When the token expires, ISO 8601. Known for a token that auth:token fetched. */
  token_expires?: string
  /** ConfigurationHeader.Sandbox: 0 live, 1 test (docs/service.md, Configuration). */
  sandbox?: 0 | 1
  /** ConfigurationHeader.MaxResultAge in seconds. */
  max_result_age?: number
  binding?: Binding
  /** Calls allowed in 24 hours for the application; 0 for any number. */
  call_budget?: number
  /** Share of those calls that this profile may make, per cent; 0 for none of its own. */
  call_share?: number
  /** The server that counts the calls of several machines, or `none`. */
  quota_url?: string
  /** Prints that address, like app_key_command. */
  quota_url_command?: string
  /** What to do if that server does not answer: refuse the call, or count in the ledger. */
  quota_away?: 'refuse' | 'local'
  /** How long a server that is away is tried again before that, ms. */
  quota_patience?: number
  /** The age at which the saved description of the service should be checked again, e.g. `30d`. */
  description_max_age?: string
  /** How long after the last change of an order it is kept who the buyer is, e.g. `90d`; `0d` for not at all. */
  keep_personal?: string
  /** Accounts of the books, e.g. `sales25=3001,fees=6570`, where they are not the standard ones. */
  accounts?: string
  /** What the marketplace takes of a sale, without VAT (contract/fees.ts). */
  fee?: string
  /** The service's own names for names of the document, e.g. `Eid=Zed`; empty for none. */
  names?: string
  /** How long a whole call may take, ms. */
  call_timeout?: number
  /** What becomes of a discount whose start was missed: it begins late, or not at all. */
  missed_start?: 'late' | 'skip'
  /** The currency of the account, ISO 4217, as the service said it at the last login. */
  currency?: string
  /** VAT that the prices of the shop include, per cent. */
  vat?: number
  /** Of new items, where nothing else is given: ways of sending as --shipping takes them, with | between; empty for none. */
  default_shipping?: string
  /** Payment types, by id or name, with | between. */
  default_payment?: string
  default_condition?: string
  /** Per cent, a whole number. */
  default_vat?: string
  /** The file that names the newest version, or `none` for never looking. */
  update_url?: string
}

export type SettingName = keyof Settings

export interface SettingSpec {
  readonly label: string
  /** The environment variable; absent if only a profile may set it. */
  readonly env?: string
  readonly secret?: boolean
  readonly read: (text: string, name: string) => string | number
  /** The text that `read` takes back. */
  readonly write?: (value: string | number) => string
  /** What is shown of a secret; by default its last four characters. */
  readonly mask?: (value: string) => string
  /** What must never be shown of a secret; by default the whole value. */
  readonly hidden?: (value: string) => string[]
}

const BINDINGS: readonly Binding[] = ['soap12', 'soap11', 'get', 'post']

/** In the order of prompts and lists. */
export const SETTINGS: Readonly<Record<SettingName, SettingSpec>> = {
  base_url: { ...SETTING_VARIABLES.base_url, read: readBaseUrl },
  namespace: { ...SETTING_VARIABLES.namespace, read: readNamespace },
  app_id: { ...SETTING_VARIABLES.app_id, read: (text, name) => readInt(text, name, { min: 0 }) },
  app_key: { ...SETTING_VARIABLES.app_key, secret: true, read: readSecret },
  public_key: { ...SETTING_VARIABLES.public_key, secret: true, read: readSecret },
  user_id: { ...SETTING_VARIABLES.user_id, read: (text, name) => readInt(text, name, { min: 1 }) },
  token: { ...SETTING_VARIABLES.token, secret: true, read: readSecret },
  app_key_command: { label: 'Command that prints the application key', read: readCommand },
  token_command: { label: 'Command that prints the token', read: readCommand },
  token_expires: { label: 'Time the token ends', read: readInstant },
  sandbox: { label: "The service's own test mode", read: (text, name) => readInt(text, name, { min: 0, max: 1 }) },
  max_result_age: { label: 'Age of cached answers, seconds', read: (text, name) => readInt(text, name, { min: 0 }) },
  binding: { ...SETTING_VARIABLES.binding, read: (text, name) => readChoice(text, name, BINDINGS) },
  call_budget: {
    ...SETTING_VARIABLES.call_budget,
    read: (text, name) => (text === 'none' ? 0 : readInt(text, name, { min: 1 })),
    write: (value) => (value === 0 ? 'none' : String(value)),
  },
  call_share: { ...SETTING_VARIABLES.call_share, read: readShare, write: (value) => (value === 0 ? 'none' : `${value}%`) },
  quota_url: {
    ...SETTING_VARIABLES.quota_url,
    secret: true,
    read: readQuotaUrl,
    mask: shownQuotaUrl,
    hidden: secretsOfQuotaUrl,
  },
  quota_url_command: { label: 'Command that prints the quota server', read: readCommand },
  quota_away: { ...SETTING_VARIABLES.quota_away, read: (text, name) => readChoice(text, name, ['refuse', 'local']) },
  quota_patience: {
    ...SETTING_VARIABLES.quota_patience,
    read: (text, name) => readDuration(text, name),
    write: (value) => formatDuration(Number(value)),
  },
  description_max_age: { label: 'Age of a saved description', read: readAge },
  keep_personal: { label: 'Time the names and addresses of buyers are kept', read: readKeeping },
  accounts: { label: 'Accounts of the books', read: readAccountsSetting },
  fee: { label: 'Fee of a sale', read: readFeeSetting },
  names: { label: "The service's own names", read: readNames },
  call_timeout: {
    label: 'Time a call may take',
    read: (text, name) => readDuration(text, name),
    write: (value) => formatDuration(Number(value)),
  },
  ...guardSettings(),
  missed_start: {
    label: 'A start of a discount that was missed',
    read: (text, name) => readChoice(text, name, ['late', 'skip']),
  },
  currency: { label: 'Currency of the account', read: readCurrency },
  vat: { label: 'VAT in the prices', read: readVat, write: (value) => `${value}%` },
  default_shipping: { label: 'Shipping of new items', read: orNone(readList) },
  default_payment: { label: 'Payment of new items', read: orNone(readList) },
  default_condition: {
    label: 'Condition of new items',
    read: orNone((text, name) => readChoice(text, name, Object.keys(ITEM_ATTRIBUTES))),
  },
  default_vat: { label: 'VAT of new items', read: orNone((text, name) => String(readInt(text, name, { min: 0, max: 100 }))) },
  update_url: {
    ...SETTING_VARIABLES.update_url,
    read: (text, name) => (text === 'none' ? text : readServiceAddress(text, name).href),
  },
}

/** What new items get where nothing else is given. */
export const DEFAULT_NAMES = [
  'default_shipping',
  'default_payment',
  'default_condition',
  'default_vat',
] as const satisfies SettingName[]

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]

/**
 * Reads a setting from a text.
 * @param from where the text came from, for the message: a variable, a flag, a file
 * @throws {SellerError} usage
 */
export function readSetting(name: SettingName, text: string, from: string): string | number {
  const value = SETTINGS[name].secret ? text : text.trim()
  try {
    return SETTINGS[name].read(value, from)
  } catch (error) {
    // A value on the command line is visible anyway. A variable, a file or stdin may hold a key by mistake.
    if (!(error instanceof SellerError) || from.startsWith('--') || value === '') throw error
    const shown = error.message.replaceAll(`"${value}"`, `the value (${value.length} characters, not shown)`)
    throw new SellerError(error.code, shown, error.hint)
  }
}

/** A base address; any address of the service is accepted. */
function readBaseUrl(text: string, name: string): string {
  return baseAddress(readServiceAddress(text, name))
}

function readNamespace(text: string, name: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\S+$/i.test(text))
    throw invalid(name, `"${text}" is not a namespace.`, 'Give the namespace in the WSDL, e.g. http://api.example.com')
  return text.replace(/\/+$/, '')
}

/** Reads a secret. The value is never quoted. @throws {SellerError} invalid_setting */
export function readSecret(text: string, name: string): string {
  const value = text.trim()
  if (value === '') throw invalid(name, 'It is empty.', 'Give the value that the service issued.')
  // XML and HTTP could carry more, but a control character in a key is a copying mistake.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this looks for control characters.
  if (/[\u0000-\u001f\u007f]/.test(value))
    throw invalid(name, 'It holds a line break or another control character.', 'Give the value alone.')
  return value
}

/** The environment for a command that has no use for keys: without the variables of secret settings (on Windows in any case of letters). */
export function withoutSecrets(env: Environment): Environment {
  const secret = new Set(SETTING_NAMES.flatMap((name) => (SETTINGS[name].secret === true ? [SETTINGS[name].env] : [])))
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secret.has(name.toUpperCase())))
}

/** The words of a command given as a JSON array, which runs without a shell; undefined for a line that the shell reads. */
export function commandWords(command: string): string[] | undefined {
  return command.startsWith('[') ? (JSON.parse(command) as string[]) : undefined
}

function readCommand(text: string, name: string): string {
  const hint = `Give a JSON array, e.g. '["pass", "show", "shop/key"]', or a line for the shell.`
  if (text === '') throw invalid(name, 'It is empty.', hint)
  if (!text.startsWith('[')) return text
  let words: unknown
  try {
    words = JSON.parse(text)
  } catch {
    throw invalid(name, 'It begins like a JSON array, but it is not one.', hint)
  }
  const known = Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string') && words[0] !== ''
  if (!known) throw invalid(name, 'Its JSON array does not hold a program and its arguments as texts.', hint)
  return JSON.stringify(words)
}

function readInstant(text: string, name: string): string {
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text))) return text
  throw invalid(name, `"${text}" is not a date and time.`, 'Give it as ISO 8601, e.g. 2027-02-26T21:15:57Z.')
}

/** Reads an age, which may be longer than any wait of a command. */
function readAge(text: string, name: string): string {
  const ms = parseDuration(text)
  if (ms === undefined || ms === 0)
    throw invalid(name, `"${text}" is not a duration.`, 'Give a number with a unit, e.g. 30d or 12h.')
  return formatDuration(ms)
}

/** Reads accounts; `none` for the standard ones. */
function readAccountsSetting(text: string, name: string): string {
  try {
    if (text !== 'none') readAccounts(text)
    return text === 'none' ? '' : text
  } catch (error) {
    if (!(error instanceof AccountsError)) throw error
    throw invalid(name, `${error.message}.`, 'Give pairs, e.g. sales25=3001,sales25.Norge=3105,fees=6570.')
  }
}

/** Reads a fee; `none` for none. */
function readFeeSetting(text: string, name: string): string {
  if (text === 'none') return ''
  if (readFee(text) !== undefined) return text.trim()
  throw invalid(name, `"${text}" is not a fee.`, 'Give a share, a sum or both, and the most it is, e.g. "10%+3kr max 400kr".')
}

/** Reads how long something is kept; `none` for not at all. */
function readKeeping(text: string, name: string): string {
  return text === 'none' || parseDuration(text) === 0 ? '0d' : readAge(text, name)
}

/** @throws {SellerError} invalid_setting */
function readCurrency(text: string, name: string): string {
  if (/^[A-Z]{3}$/.test(text)) return text
  throw invalid(name, `"${text}" is not a currency.`, 'Give its three letters, e.g. SEK.')
}

/** `none` removes a default. */
function orNone(read: (text: string, name: string) => string): SettingSpec['read'] {
  return (text, name) => (text === 'none' || text === '' ? '' : read(text, name))
}

function readList(text: string, name: string): string {
  if (text.split('|').every((part) => part.trim() !== '')) return text
  throw invalid(name, `"${text}" has an empty part.`, 'Give what the flag of items:add takes, several with | between, or none.')
}

/** Reads a name map; `none` removes it. */
function readNames(text: string, name: string): string {
  try {
    return text === 'none' ? '' : writeNameMap(readNameMap(text))
  } catch (error) {
    if (!(error instanceof NameMapError)) throw error
    throw invalid(
      name,
      `${error.message}.`,
      "Give pairs of the document's word and that of the service, e.g. Eid=Zed,ExternalPayment=OuterPayment.",
    )
  }
}

/** Per cent, up to 100: `25%`, `12`, `0%` for none. */
function readVat(text: string, name: string): number {
  const percent = upTo100(text)
  if (percent !== undefined) return percent
  throw new SellerError('invalid_percent', `${name}: "${text}" is not a rate of VAT.`, 'Give per cent, e.g. 25%, or 0% for none.')
}

/** A share of the calls, or `none`. */
function readShare(text: string, name: string): number {
  if (text === 'none') return 0
  const percent = upTo100(text) ?? 0
  if (percent > 0) return percent
  const hint = 'Give per cent above 0 and up to 100, e.g. 30%, or none.'
  throw new SellerError('invalid_percent', `${name}: "${text}" is not a share.`, hint)
}

/** Up to 100; the sign may be left out, since nothing else can be meant. */
function upTo100(text: string): number | undefined {
  const percent = readPercent(text, { bare: true, decimals: 2 })
  return percent !== undefined && percent <= 100 ? percent : undefined
}

function readChoice(text: string, name: string, choices: readonly string[]): string {
  if (!choices.includes(text)) throw invalid(name, `"${text}" is not one of ${choices.join(', ')}.`, 'Give one of them.')
  return text
}

/** The guards, whose limits a profile may set. */
function guardSettings(): Record<GuardName, SettingSpec> {
  const entries = GUARD_NAMES.map((guard): [GuardName, SettingSpec] => {
    const { kind, label } = PRICE_GUARDS[guard]
    return [guard, { label, ...limitSetting(kind) }]
  })
  return Object.fromEntries(entries) as Record<GuardName, SettingSpec>
}

/** How a limit is read and written. */
function limitSetting({ read, store, write, code, hint }: AnyGuard['kind']): Pick<SettingSpec, 'read' | 'write'> {
  return {
    read(text, name) {
      try {
        return store(read(text))
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        throw new SellerError(code, `${name}: ${error.message}.`, hint)
      }
    },
    write: (value) => write(value),
  }
}

function invalid(name: string, message: string, hint: string): SellerError {
  return new SellerError('invalid_setting', `${name}: ${message}`, hint)
}

/** Formats a value for display: of a secret only what its setting shows, by default the last four characters, or none if it is short. */
export function maskSetting(name: SettingName, value: string | number): string {
  const { secret, write, mask } = SETTINGS[name]
  if (!secret) return write?.(value) ?? String(value)
  const text = String(value)
  if (mask !== undefined) return mask(text)
  return text.length < 12 ? '••••' : `••••${text.slice(-4)}`
}

/** The texts of a value that must never be shown. */
export function secretsIn(name: SettingName, value: string): string[] {
  return SETTINGS[name].hidden?.(value) ?? [value]
}
