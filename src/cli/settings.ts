/**
 * The settings of a profile, and how each is read from a text. The settings file, the environment, auth:login and auth:status use
 * this list.
 */
import { AccountsError, readAccounts } from '../contract/accounts.js'
import { BooksError, readBooks, readCountries, readRatesAbroad } from '../contract/books.js'
import { ITEM_ATTRIBUTES, NameMapError, readNameMap, writeNameMap } from '../contract/index.js'
import { countOf } from '../contract/numbers.js'
import { SellerError, ValueError } from '../errors/index.js'
import {
  type AnyGuard,
  defaultText,
  GUARD_NAMES,
  type GuardName,
  type GuardSettings,
  PRICE_GUARDS,
} from '../pricing/guards/index.js'
import type { Binding } from '../soap/client/index.js'
import { formatDuration, parseDuration } from '../system/durations.js'
import { baseAddress, readQuotaUrl, readServiceAddress, secretsOfQuotaUrl, shownQuotaUrl } from './address.js'
import { SETTING_VARIABLES } from './environment.js'
import type { Environment } from './host.js'
import {
  int,
  oneOf,
  orNone,
  type Read,
  readAge,
  readCommand,
  readCurrency,
  readFeeText,
  readInstant,
  readLayouts,
  readList,
  readNamespace,
  readOrgText,
  readSecret,
  readShare,
  readVat,
  unless,
} from './setting-readers.js'
import { readDuration, readInt } from './values.js'

export interface SettingSpec {
  readonly label: string
  /** The environment variable; absent if only a profile may set it. */
  readonly env?: string
  /** The word for its value, and its summary, for auth:login. What only a prompt, stdin or a variable may give has none. */
  readonly flag?: readonly [helpValue: string, summary: string]
  /** True if auth:login has a flag of its own for it, as for what a login needs. Others are given by --setting. */
  readonly own?: true
  readonly secret?: boolean
  /** True if a stored profile may give it to the sandbox, whose address and credentials are built in. */
  readonly sandbox?: boolean
  /** True if no call depends on it: changing it needs no proof and no other value. */
  readonly local?: boolean
  readonly read: Read<string | number>
  /** The text that `read` takes back. */
  readonly write?: (value: string | number) => string
  /** Part of a secret that is shown; by default its last four characters. */
  readonly mask?: (value: string) => string
  /** Parts of a secret that must never be shown; by default the whole value. */
  readonly hidden?: (value: string) => string[]
}

const [LOCAL, IN_SANDBOX] = [{ local: true }, { sandbox: true }] as const
const ANYWHERE = { ...LOCAL, ...IN_SANDBOX }
const duration = {
  read: (text: string, name: string) => readDuration(text, name),
  write: (ms: string | number) => formatDuration(Number(ms)),
}

/** In the order of prompts, flags and lists. Named as in the settings file. */
const TABLE = {
  base_url: {
    ...SETTING_VARIABLES.base_url,
    own: true,
    flag: ['URL', 'Any address of the service. https, or http on this machine.'],
    read: (text: string, name: string) => baseAddress(readServiceAddress(text, name)),
  },
  namespace: {
    ...SETTING_VARIABLES.namespace,
    own: true,
    flag: ['URI', 'XML namespace of the service (default: read from its description).'],
    read: readNamespace,
  },
  app_id: { ...SETTING_VARIABLES.app_id, own: true, flag: ['ID', 'Application id.'], read: int({ min: 0 }) },
  app_key: { ...SETTING_VARIABLES.app_key, secret: true, read: readSecret },
  // The third value of an application, for the address at which a seller allows it (docs/service.md, Token login).
  public_key: { ...SETTING_VARIABLES.public_key, secret: true, read: readSecret },
  user_id: { ...SETTING_VARIABLES.user_id, own: true, flag: ['ID', 'User id of the seller.'], read: int({ min: 1 }) },
  token: { ...SETTING_VARIABLES.token, secret: true, read: readSecret },
  // Not used if app_key is set.
  app_key_command: {
    label: 'Command that prints the application key',
    own: true,
    flag: ['COMMAND', 'Command that prints the application key. A JSON array of words, or a line for the shell.'],
    read: readCommand,
  },
  token_command: {
    label: 'Command that prints the token',
    own: true,
    flag: ['COMMAND', 'Command that prints the token.'],
    read: readCommand,
  },
  // Known for a token that auth:token fetched.
  token_expires: { label: 'Time the token ends', read: readInstant },
  // ConfigurationHeader.Sandbox: 0 live, 1 test (docs/service.md, Configuration).
  sandbox: {
    label: "The service's own test mode",
    flag: ['0|1', "The service's own test mode (ConfigurationHeader)."],
    read: (text: string, name: string) => readInt(text, name, { min: 0, max: 1 }) as 0 | 1,
  },
  // ConfigurationHeader.MaxResultAge.
  max_result_age: {
    ...IN_SANDBOX,
    label: 'Age of cached answers, seconds',
    flag: ['SECONDS', 'Accept an answer that the service cached up to this many seconds ago.'],
    read: int({ min: 0 }),
  },
  binding: {
    ...SETTING_VARIABLES.binding,
    ...IN_SANDBOX,
    flag: ['soap12|soap11|get|post', 'How calls are sent (default soap12).'],
    read: oneOf<Binding>('soap12', 'soap11', 'get', 'post'),
  },
  // Allows writes by the binding get; no unless it was stored.
  insecure_address: {
    ...IN_SANDBOX,
    label: 'Writes with key and token in the address',
    flag: ['yes|no', 'Whether the binding get may write, with the key and the token in the address (default no).'],
    read: oneOf('yes', 'no'),
  },
  // Calls of the application in 24 hours; 0 for any number.
  call_budget: {
    ...SETTING_VARIABLES.call_budget,
    ...ANYWHERE,
    flag: ['N|none', 'Calls allowed to the application in 24 hours (default 100, as at the service; none at a sandbox).'],
    read: orNone(0, int({ min: 1 })),
    write: (value: string | number) => (value === 0 ? 'none' : String(value)),
  },
  // Share of those calls, per cent; 0 for none of its own.
  call_share: {
    ...SETTING_VARIABLES.call_share,
    ...ANYWHERE,
    flag: ['PERCENT|none', 'Share of the call budget that this profile may use, and that others leave to it.'],
    read: orNone(0, readShare),
    write: (value: string | number) => (value === 0 ? 'none' : `${value}%`),
  },
  quota_url: {
    ...SETTING_VARIABLES.quota_url,
    ...LOCAL,
    flag: [
      'URL|none',
      'Redis or Valkey server that counts the calls of several machines: redis://HOST:PORT, or rediss:// for TLS.',
    ],
    secret: true,
    read: readQuotaUrl,
    mask: shownQuotaUrl,
    hidden: secretsOfQuotaUrl,
  },
  quota_url_command: {
    ...LOCAL,
    label: 'Command that prints the quota server',
    flag: ['COMMAND', 'Command that prints that address, if it holds a password.'],
    read: readCommand,
  },
  quota_away: {
    ...SETTING_VARIABLES.quota_away,
    ...LOCAL,
    flag: ['refuse|local', 'If the quota server does not answer: refuse calls (default), or count them on this machine.'],
    read: oneOf('refuse', 'local'),
  },
  quota_patience: {
    ...SETTING_VARIABLES.quota_patience,
    ...LOCAL,
    flag: ['DURATION', 'How long a quota server that is away is tried again before calls are refused (default 30s).'],
    ...duration,
  },
  description_max_age: {
    ...ANYWHERE,
    label: 'Age of a saved description',
    flag: ['DURATION', 'Age at which the saved description of the service should be checked again (default 30d).'],
    read: readAge,
  },
  keep_personal: {
    ...ANYWHERE,
    label: 'Time the names and addresses of buyers are kept',
    flag: [
      'DURATION|none',
      'Time after the last change of an order until the names and addresses of its buyer are removed (default 90d).',
    ],
    read: (text: string, name: string) => (text === 'none' || parseDuration(text) === 0 ? '0d' : readAge(text, name)),
  },
  accounts: {
    ...ANYWHERE,
    label: 'Accounts of the books',
    flag: ['PAIRS|none', 'Accounts of the books, e.g. sales25=3001,fee=6570 (default: the Swedish standard chart).'],
    read: orNone('', (text, name) => {
      unless(AccountsError, () => readAccounts(text), name, 'Give pairs, e.g. sales25=3001,export.Norge=3105,fee=6570.')
      return text
    }),
  },
  books: {
    ...ANYWHERE,
    label: 'Choices of the books',
    flag: [
      'PAIRS|none',
      'How the books are kept, e.g. method=cash,voucher=day,zero=margin,from=2026-09-01 (docs/books.md lists all).',
    ],
    read: orNone('', booksText(readBooks, 'Give pairs, e.g. method=cash,voucher=day,from=2026-09-01.')),
  },
  countries: {
    ...ANYWHERE,
    label: 'Sales to other countries',
    flag: ['PAIRS|none', 'How sales to a country are taxed, e.g. Norge=export,Danmark=oss,Finland=sweden.'],
    read: orNone('', booksText(readCountries, 'Give pairs, e.g. Norge=export,Danmark=oss.')),
  },
  vat_abroad: {
    ...ANYWHERE,
    label: 'VAT of other EU countries',
    flag: ['PAIRS|none', 'VAT abroad by Swedish rate, for OSS, e.g. Tyskland=25:19/6:7,Finland=25:25.5.'],
    read: orNone('', booksText(readRatesAbroad, 'Give countries with rates, e.g. Tyskland=25:19/6:7.')),
  },
  company: {
    ...ANYWHERE,
    label: 'Company of the books',
    flag: ['NAME|none', 'Legal name of the company, for the files of orders:export --form sie.'],
    read: orNone('', (text) => text),
  },
  org_number: {
    ...ANYWHERE,
    label: 'Organisation number',
    flag: ['NUMBER|none', 'Organisation number of the company, e.g. 556000-4615.'],
    read: orNone('', readOrgText),
  },
  fee: {
    ...ANYWHERE,
    label: 'Fee of a sale',
    flag: ['FEE|none', 'What the marketplace takes of a sale, without VAT, for sales:report, e.g. "10%+3kr max 400kr".'],
    read: orNone('', readFeeText),
  },
  names: {
    label: "The service's own names",
    flag: ['MAP|none', "The service's own names for names of the document, e.g. Eid=Zed (service:check proposes them)."],
    read: orNone('', (text, name) =>
      unless(
        NameMapError,
        () => writeNameMap(readNameMap(text)),
        name,
        "Give pairs of the document's word and that of the service, e.g. Eid=Zed,ExternalPayment=OuterPayment.",
      ),
    ),
  },
  call_timeout: {
    ...ANYWHERE,
    label: 'Time a call may take',
    flag: ['DURATION', 'Time a call may take with its retries (default 5m; a list that is streamed gets six times as long).'],
    ...duration,
  },
  ...guardSettings(),
  missed_start: {
    ...IN_SANDBOX,
    label: 'A start of a discount that was missed',
    flag: [
      'late|skip',
      'What becomes of a discount whose start was missed by 15 minutes: it begins late (default), or is skipped.',
    ],
    read: oneOf('late', 'skip'),
  },
  // ISO 4217, as the service said it at the last login.
  currency: { label: 'Currency of the account', read: readCurrency },
  vat: {
    ...ANYWHERE,
    label: 'VAT in the prices',
    flag: ['PERCENT', 'VAT that the prices include and the costs of shop:costs do not (default 25%).'],
    read: readVat,
    write: (value: string | number) => `${value}%`,
  },
  default_shipping: {
    ...ANYWHERE,
    label: 'Shipping of new items',
    flag: [
      'PARTS|none',
      'Shipping of new items where none is given, as --shipping of items:add takes it; several with | between.',
    ],
    read: orNone('', readList),
  },
  default_payment: {
    ...ANYWHERE,
    label: 'Payment of new items',
    flag: ['ID|NAME|none', 'Payment types of new items where none is given; several with | between.'],
    read: orNone('', readList),
  },
  default_condition: {
    ...ANYWHERE,
    label: 'Condition of new items',
    flag: ['new|used|none', 'Condition of new items where none is given.'],
    read: orNone('', oneOf(...Object.keys(ITEM_ATTRIBUTES))),
  },
  default_vat: {
    ...ANYWHERE,
    label: 'VAT of new items',
    flag: ['PERCENT|none', 'VAT of new items where none is given, e.g. 25.'],
    read: orNone('', (text, name) => String(readInt(text, name, { min: 0, max: 100 }))),
  },
  image_metadata: {
    ...ANYWHERE,
    label: 'Metadata of photos',
    flag: ['remove|keep', 'Place, time and camera in photos that are sent: remove (default; the pixels stay the same), or keep.'],
    read: oneOf('remove', 'keep'),
  },
  // Kept by --column; a flag would be typed for one layout only.
  file_columns: { ...ANYWHERE, label: 'Columns by layout of files', read: readLayouts },
  update_url: {
    ...SETTING_VARIABLES.update_url,
    flag: ['URL|none', 'Release file that tells of newer versions (update:check); none for never looking by itself.'],
    read: (text: string, name: string) => (text === 'none' ? text : readServiceAddress(text, name).href),
  },
} satisfies Record<string, SettingSpec>

type Table = Omit<typeof TABLE, GuardName>

/** The values of a profile. The price guards come from pricing. */
export type Settings = GuardSettings & { -readonly [K in keyof Table]?: ReturnType<Table[K]['read']> }

export type SettingName = keyof typeof TABLE

export const SETTINGS: Readonly<Record<SettingName, SettingSpec>> = TABLE

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
    if (!(error instanceof ValueError)) throw new ValueError(error.code, { name: from, why: 'It cannot be used' }, error.advice)
    throw error.withheld(value, `the value (${countOf(value.length, 'character')}, not shown)`)
  }
}

/**
 * The environment for a command that has no use for keys: without the variables of secret settings (on Windows in any case of
 * letters).
 */
export function withoutSecrets(env: Environment): Environment {
  const secret = new Set(SETTING_NAMES.flatMap((name) => (SETTINGS[name].secret === true ? [SETTINGS[name].env] : [])))
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secret.has(name.toUpperCase())))
}

/** The words of a command given as a JSON array, which runs without a shell; undefined for a line that the shell reads. */
export function commandWords(command: string): string[] | undefined {
  return command.startsWith('[') ? (JSON.parse(command) as string[]) : undefined
}

/** A setting of the books, which is kept as it was written. */
function booksText(parse: (text: string) => unknown, hint: string): Read<string> {
  return (text, name) => {
    unless(BooksError, () => parse(text), name, hint)
    return text
  }
}

/** The guards, whose limits a profile may set. */
function guardSettings(): Record<GuardName, SettingSpec> {
  const entries = GUARD_NAMES.map((guard): [GuardName, SettingSpec] => {
    const { label, kind } = PRICE_GUARDS[guard]
    const { read, store, write, code, hint, helpValue }: AnyGuard['kind'] = kind
    const flag = [helpValue, `Guard: ${label.charAt(0).toLowerCase()}${label.slice(1)} (default ${defaultText(guard)}).`] as const
    const reading: Read<string | number> = (text, name) => unless(RangeError, () => store(read(text)), name, hint, code)
    return [guard, { ...ANYWHERE, label, flag, read: reading, write: (value) => write(value) }]
  })
  return Object.fromEntries(entries) as Record<GuardName, SettingSpec>
}

/**
 * Formats a value for display: of a secret only what its setting shows, by default the last four characters, or none if it is
 * short.
 */
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
