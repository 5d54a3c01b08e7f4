/** The tools of a command: streams, clock, environment, prompts, and a client and a ledger that open on first use. */
import { isAbsolute, join } from 'node:path'
// Not through the index files of format and soap: see translate.ts.
import type { ServiceName } from '../contract/index.js'
import { unitOf } from '../contract/numbers.js'
import type { Output } from '../format/output/types.js'
import type { Ledger, Quota } from '../jobs/ledger/index.js'
import { type Command, type Edge, type Message, textOf, type Words } from '../messages/index.js'
import { SANDBOX_PROFILE } from '../sandbox/profile.js'
import type { Replaced, SoapClient, UnreadValue } from '../soap/client/index.js'
import type { Clock } from '../system/clock.js'
import { durationText } from '../system/durations.js'
import type { NameEntry } from '../system/whole-file.js'
import { openQuota, type QuotaProfile } from './call-limits.js'
import { openCredentials, Secrets } from './credentials.js'
import { makeDirectory, resolveDirectories } from './directories.js'
import type { Environment, Host, InputStream } from './host.js'
import type { Marks } from './ledger-mark.js'
import { removeLeftFiles } from './left-files.js'
import { type ClientNeeds, openClient, shownCredentials, tracer } from './open-client.js'
import { type OutputRun, openOutput } from './open-output.js'
import type { OutFile } from './out-file.js'
import { requireFileName } from './output-file.js'
import { missingSettings, notLoggedIn, type ResolvedProfile, resolveProfile } from './profiles.js'
import { createPrompts, type Prompts } from './prompts.js'
import { SETTING_NAMES, SETTINGS, type SettingName, type Settings, secretsIn } from './settings.js'
import { readStored, type Stored } from './settings-file.js'
import type { PlannedRows, ShopParts } from './shop-parts.js'
import { warnOfTokenEnd } from './token-end.js'

export type { ClientNeeds } from './open-client.js'

export interface LedgerUse {
  /** True if nothing will be written, so that a read-only ledger is enough. */
  readonly reading?: boolean
}

export interface Interruption {
  /** Sentence about requests that were already sent. */
  readonly sent?: Words
  /** The command that continues the work, e.g. `seller requests:wait 17`. */
  readonly next?: Command | Message | undefined
  /** Nothing was changed, so the command can simply be run again. */
  readonly again?: true
}

/**
 * A pause between attempts is announced if the call has taken so long with it, ms. The usual back-off after a quick failure is
 * shorter.
 */
const ANNOUNCED_PAUSE_MS = 5000

const SANDBOX_SETTINGS: Settings = {
  namespace: SANDBOX_PROFILE.namespace,
  app_id: SANDBOX_PROFILE.appId,
  app_key: SANDBOX_PROFILE.appKey,
  user_id: SANDBOX_PROFILE.userId,
  token: SANDBOX_PROFILE.token,
}

export interface Context {
  readonly stdin: InputStream
  readonly env: Environment
  readonly clock: Clock
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal
  readonly output: Output
  readonly prompts: Prompts
  /** Stderr is a terminal. */
  readonly errorTerminal: boolean
  /** True if stdout is a person's terminal, so that a browser may be opened. */
  readonly ownsTerminal: boolean
  /** Settings by flag, environment, profile (in this order), each with its source. Read from disk on first use. */
  readonly profile: ResolvedProfile
  readonly configDir: string
  readonly dataDir: string
  /** The sandbox's SQLite file. */
  readonly sandboxPath: string
  /** A path as the user gave it, from the directory the command was started in. */
  path(given: string): string
  /** The client of the profile; `sandbox` starts the service inside this process first. One per command. */
  client(needs?: ClientNeeds): Promise<SoapClient>
  /**
   * Refuses the run where the profile lacks settings of a client. @param user false for operations without a user
   * @throws {SellerError} not_logged_in, with every missing setting
   */
  requireLogin(user?: boolean): void
  /** A client of settings that are not stored yet, for a login that tries them; a new one at each call. */
  trialClient(name: string, settings: Readonly<Settings>): Promise<SoapClient>
  /** The User-Agent of requests. */
  readonly userAgent: string
  /** Under --trace: prints each message sent and received. Secrets are masked already. */
  readonly trace: ((text: string) => void) | undefined
  /**
   * Reads and saves the descriptions of the services that commands use, or of another one, where none is saved; whether it did.
   */
  learnDescriptions(service?: ServiceName): Promise<boolean>
  /** Path of the ledger, which may not exist yet. */
  readonly ledgerPath: string
  /** Opens the ledger in the data directory. One per command: the first use decides whether it is read-only. */
  ledger(use?: LedgerUse): Promise<Ledger>
  /** The quota that the calls of the profile are taken from. One per command. `reading`: as for the ledger. */
  quota(use?: LedgerUse): Promise<Quota>
  /** The quota of settings that are not stored yet. */
  trialQuota(name: string, settings: Readonly<Settings>): Promise<Quota>
  /** True if links of the service lead somewhere once this process has ended: those of a sandbox without a server do not. */
  linksLast(): Promise<boolean>
  /** Currency of the account (ISO 4217), in which amounts are. SEK where it is not known. */
  readonly currency: string
  /** Facts about the run that messages need. */
  readonly edge: Edge
  /** The words of a message in this run, for a field of a result. */
  text(words: Words): string
  /** In a run over several shops, takes the place of the question before rows are sent. */
  readonly approve?: ((rows: PlannedRows) => Promise<void>) | undefined
  /** In a run over several shops, called in the transaction that writes a job, or a discount. */
  readonly onMade?: ShopParts['onMade'] | undefined
  /** Opens the context of another profile, for a run over several shops. Its caller closes it. */
  shop(profile: string, parts: ShopParts): Promise<Context>
  /** Sets what to print if Ctrl-C comes from here on. The last call counts. */
  ifInterrupted(words: Interruption): void
  /** Interruption that ifInterrupted set. */
  interruption(): Interruption | undefined
  /**
   * Hides the secrets of the environment, of the profile and of commands that print them; in a run over several shops those of
   * all.
   */
  hide(text: string): string
  /** True if results go into a file, and not to stdout. */
  readonly toFile: boolean
  /** Gives the file of results its name now, and tells `entry` of it. Nothing may be written afterwards, also to stdout. */
  nameFile(entry?: NameEntry): Promise<void>
  /** Closes what was opened. @param failed then a file of results is not kept */
  close(failed?: boolean): Promise<void>
}

export interface ContextOptions {
  readonly flags: OutputRun['flags'] & {
    readonly profile?: string | undefined
    readonly 'no-input'?: boolean
    readonly 'max-calls'?: number | undefined
  }
  readonly host: Omit<Host, 'onSignal' | 'exit' | 'runtime'>
  /** oclif's configuration, for the User-Agent. */
  readonly config: { readonly userAgent: string; readonly root: string; readonly version: string }
  readonly signal: AbortSignal
  /** The id of the command, e.g. `items:list`. */
  readonly command: string
  /** Longest time of a call, ms, instead of the profile's call_timeout. */
  readonly callTimeoutMs?: number | undefined
  /** True if results may go through a pager. */
  readonly paged?: boolean | undefined
  /** As of OutputRun. */
  readonly named?: boolean | undefined
  /** The file of --out. */
  readonly out?: OutFile | undefined
  /** Parts that are the shop's own in a run over several. */
  readonly parts?: ShopParts | undefined
  /** Parts that the shops of a run over several have together. */
  readonly whole?: WholeRun | undefined
}

/** Parts that the shops of a run have together: each is opened or read once, however many shops there are. */
interface WholeRun {
  readonly secrets: Secrets
  /** The ledger, which the whole run closes. */
  readonly ledger: (use: LedgerUse | undefined) => Promise<Ledger>
  readonly storedProfiles: () => Stored
  readonly marks: () => Promise<Marks>
}

/** Makes the context of one command. Everything is opened, read and loaded on first use. */
export async function openContext(options: ContextOptions): Promise<Context> {
  const { flags, host, signal, parts, whole } = options
  const { stdout, stderr, env, clock } = host
  const { configDir, dataDir } = resolveDirectories(env)
  if (parts === undefined) removeLeftFiles(dataDir, clock.now())
  const closers: Array<() => unknown> = []
  const edge: Edge = {
    // The flag alone decides: errors ask for it too, and one may be that the profile is missing.
    profile: flags.profile,
    command: options.command,
    shell: process.platform === 'win32' ? 'windows' : 'posix',
    // Asked for by what shows an amount. An error may be that the profile is not there: then amounts are in kronor.
    unit() {
      unit ??= unitOf(resolvedProfile?.settings.currency ?? peekProfile()?.settings.currency)
      return unit
    },
  }
  const openedOutput = parts ?? (await openOutput({ ...options, edge, dataDir }))
  const { output } = openedOutput
  // Opened first and closed last, so that nothing else stays open while someone reads.
  let hasFailed = false
  if ('close' in openedOutput) closers.push(() => openedOutput.close(hasFailed))
  const mayAsk = flags['no-input'] !== true && (env.CI === undefined || env.CI === '' || env.CI === 'false')
  const terminals = stderr.isTTY === true && stdout.isTTY === true && host.stdin.isTTY === true
  const prompts = createPrompts({
    edge,
    available: mayAsk && terminals && parts === undefined,
    host,
    signal,
    plain: output.plain,
  })
  const secrets = whole?.secrets ?? new Secrets()
  secrets.add(...secretsOf(SETTING_NAMES.map((name) => [name, env[SETTINGS[name].env ?? '']])))
  let resolvedProfile: ResolvedProfile | undefined
  let unit: string | undefined
  const resolve = (): ResolvedProfile =>
    resolveProfile({ flag: flags.profile, env, configDir, sandbox: SANDBOX_SETTINGS, stored: whole?.storedProfiles })
  const peekProfile = (): ResolvedProfile | undefined => {
    try {
      return resolve()
    } catch {
      return undefined
    }
  }
  let words: Interruption | undefined
  let trialProfile: QuotaProfile | undefined
  const profile = (): ResolvedProfile => {
    if (resolvedProfile === undefined) {
      resolvedProfile = resolve()
      secrets.add(...secretsOf(SETTING_NAMES.map((name) => [name, resolvedProfile?.settings[name]])))
      for (const warning of resolvedProfile.warnings) output.warn(warning)
    }
    return resolvedProfile
  }
  const ledgerPath = join(dataDir, 'ledger.db')
  const openFile = once(async (use: LedgerUse | undefined) => {
    const { openLedger, openLedgerToRead } = await import('../jobs/ledger/index.js')
    makeDirectory(dataDir, 'SELLER_DATA_DIR')
    const ledgerFile = use?.reading === true ? openLedgerToRead(ledgerPath, clock) : openLedger(ledgerPath, clock)
    closers.push(() => ledgerFile.close())
    if (ledgerFile.state === 'emptied') {
      output.warn(`The ledger ${ledgerPath} was empty, so a new one was started. Its earlier contents are lost.`)
    }
    if (ledgerFile.state === 'copy') output.note(`The ledger ${ledgerPath} is read-only here, so a copy of it is read.`)
    return ledgerFile
  })
  const ledger = once(async (use: LedgerUse | undefined) => {
    const openedLedger = await (whole?.ledger ?? openFile)(use)
    if (terminals && openedLedger.state !== 'copy' && parts === undefined && trialProfile === undefined) {
      const { name: shop, settings } = profile()
      const { warnOfOverdue } = await import('./overdue.js')
      warnOfOverdue(openedLedger, { profile: shop, userId: settings.user_id ?? null }, options.command, output)
    }
    // The sandbox needs no warning, and a copy is not the ledger to watch.
    const { name, embedded } = trialProfile ?? profile()
    if (!embedded && openedLedger.state !== 'copy') {
      const { watchLedger } = await import('./ledger-mark.js')
      const [emptied, marks] = [openedLedger.state === 'emptied', await whole?.marks()]
      closers.push(watchLedger({ configDir, profile: name, ledger: openedLedger, output, emptied, marks }))
    }
    return openedLedger
  })
  const sandboxPath = join(dataDir, 'sandbox.db')
  const credentials = openCredentials(host, signal, secrets)
  const countCalls = async (of: QuotaProfile, use?: LedgerUse): Promise<Quota> => {
    const warn = (text: string) => output.warn(text)
    const url = () => credentials.quotaUrl(of)
    const openedQuota = await openQuota({ profile: of, clock, ledger: () => ledger(use), url, warn, signal })
    closers.push(() => openedQuota.close())
    return openedQuota
  }
  const quota = once((use: LedgerUse | undefined) => countCalls(profile(), use))
  const connect = async (needs: ClientNeeds, of: QuotaProfile = profile()): Promise<SoapClient> => {
    const onPause = (ms: number, why: string, sinceMs: number) => {
      if (sinceMs + ms >= ANNOUNCED_PAUSE_MS) output.note(`${why} Waiting ${durationText(ms)} before trying again.`)
    }
    const keys = needs.describe === true ? shownCredentials(of.settings) : await credentials.of(of, needs.user ?? true)
    const client = await openClient({
      ...{ options, dataDir, sandboxPath, closers, profile: of, needs, credentials: keys, onPause },
      quota: () => (of === trialProfile ? countCalls(of) : quota(undefined)),
      onReplaced: replacedWarning(output),
      onUnread: unreadWarning(output),
      onUnsent: unsentWarning(output),
      learn: of === trialProfile ? undefined : () => learnOnce(),
    })
    closers.push(() => client.close())
    return client
  }
  const tryProfile = (name: string, settings: Readonly<Settings>): QuotaProfile => {
    trialProfile = { name, settings, embedded: false }
    return trialProfile
  }
  const learn = async (service?: ServiceName) => {
    const { learnDescriptions } = await import('./descriptions/learn.js')
    return learnDescriptions({ dataDir, clock, profile: profile(), output, signal, userAgent, trace }, service)
  }
  const learnOnce = once(() => learn())
  const requireLogin = (user = true): void => {
    const missing = missingSettings(profile(), user)
    if (missing.length > 0) throw notLoggedIn(profile(), missing, parts !== undefined)
  }
  const warnOnce = once(() => warnOfTokenEnd({ profile: profile(), clock, dataDir, output }))
  const updateOnce = once(() => {
    const { root, version } = options.config
    const of = { settings: profile().settings, root, version, dataDir }
    const updateCheck = import('./update.js').then(({ noteUpdate }) =>
      noteUpdate(of, clock.now(), (words) => output.note(words), { signal, userAgent, trace }),
    )
    closers.push(() => updateCheck)
    return updateCheck
  })
  const [userAgent, trace] = [options.config.userAgent, tracer(options)]
  let together: WholeRun | undefined
  const forShops = (): WholeRun => {
    let storedFile: Stored | undefined
    together ??= {
      secrets,
      ledger: openFile,
      storedProfiles() {
        storedFile ??= readStored(configDir)
        return storedFile
      },
      marks: once(async () => (await import('./ledger-mark.js')).readMarks(configDir)),
    }
    return together
  }
  const clients = { sending: once(connect), describing: once(connect), withoutToken: once(connect) }
  return {
    get stdin() {
      return parts?.stdin ?? host.stdin
    },
    approve: parts?.approve,
    onMade: parts?.onMade,
    shop: (name, shopParts) =>
      openContext({ ...options, paged: false, flags: { ...flags, profile: name }, parts: shopParts, whole: forShops() }),
    env,
    clock,
    signal,
    output,
    prompts,
    errorTerminal: stderr.isTTY === true,
    ownsTerminal: host.ownsTerminal === true && stdout.isTTY === true,
    configDir,
    dataDir,
    sandboxPath,
    ledgerPath,
    get profile() {
      return profile()
    },
    get currency() {
      return profile().settings.currency ?? 'SEK'
    },
    path: (fileName) => (isAbsolute(requireFileName(fileName)) ? fileName : join(host.cwd, fileName)),
    requireLogin,
    async client(needs = {}) {
      if (needs.describe === true) return clients.describing(needs)
      await parts?.beforeCalls()
      requireLogin(needs.user)
      if (terminals && needs.user !== false) await warnOnce()
      if (terminals && !profile().embedded) void updateOnce()
      // A command that prints the token is not run if the token is not needed.
      const { token, token_command: command } = profile().settings
      const needsNoToken = needs.user === false && token === undefined && command !== undefined
      return needsNoToken ? clients.withoutToken(needs) : clients.sending(needs)
    },
    trialClient: (name, settings) => connect({ user: settings.user_id !== undefined }, tryProfile(name, settings)),
    userAgent,
    trace,
    linksLast: async () => !profile().embedded || (await import('../sandbox/index.js')).serverOn(sandboxPath) !== undefined,
    learnDescriptions: (service) => (service === undefined ? learnOnce() : learn(service)),
    ledger: (use) => ledger(use),
    quota: (use) => quota(use),
    trialQuota: (name, settings) => countCalls(tryProfile(name, settings)),
    edge,
    text: (words) => textOf(words, edge),
    ifInterrupted(interruption) {
      words = interruption
    },
    interruption: () => words,
    hide: (text) => secrets.hide(text),
    toFile: options.out !== undefined && parts === undefined,
    async nameFile(entry) {
      if (options.out !== undefined) options.out.entry = entry
      if ('close' in openedOutput) await openedOutput.close()
    },
    async close(isBroken = false) {
      hasFailed = isBroken
      // The last opened first: the client before the service it talks to.
      for (const closer of closers.splice(0).reverse()) await closer()
    },
  }
}

/** Warns once: what is read later in the same command is likely to have the same items. */
function replacedWarning(output: Output): (replaced: Replaced) => void {
  let isSaid = false
  return ({ characters, first }) => {
    if (isSaid) return
    isSaid = true
    const many = characters === 1 ? 'a character' : `${characters} characters`
    const where =
      first === undefined ? '' : `, ${characters === 1 ? '' : 'the first '}in ${RECORDS[first.type] ?? first.type} ${first.id}`
    output.warn(`The service sent ${many} that XML forbids${where}. ${characters === 1 ? 'It is' : 'They are'} read as \ufffd.`)
  }
}

/** The most values that are named in warnings: a service that writes all of a kind so is one fact. */
const UNREAD_NAMED = 5

/** Warns of each value once: what is read later in the same command has it again. */
function unreadWarning(output: Output): (values: readonly UnreadValue[]) => void {
  const saidPlaces = new Set<string>()
  return (values) => {
    for (const { field, text, why, record } of values) {
      const where = record === undefined ? field : `${field} of ${RECORDS[record.type] ?? record.type} ${record.id}`
      if (saidPlaces.has(where)) continue
      saidPlaces.add(where)
      if (saidPlaces.size <= UNREAD_NAMED) output.warn(`${where} is left out: "${shortText(text)}" cannot be read (${why}).`)
      if (saidPlaces.size === UNREAD_NAMED + 1) output.warn('More values cannot be read and are left out.')
    }
  }
}

/** Says of each field once that it is not sent. */
function unsentWarning(output: Output): (fields: readonly string[]) => void {
  const saidFields = new Set<string>()
  return (fields) => {
    for (const field of fields) {
      if (saidFields.has(field)) continue
      saidFields.add(field)
      output.warn(`${field} is not sent: this service is of an older edition and does not have it.`)
    }
  }
}

function shortText(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

/** Types of records, in words. */
const RECORDS: Readonly<Record<string, string>> = {
  Item: 'item',
  Transaction: 'transaction',
  TransactionItem: 'item',
  User: 'member',
}

function once<A = void, R = unknown>(make: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
  let result: Promise<R> | undefined
  return (argument) => {
    result ??= make(argument)
    return result
  }
}

function secretsOf(values: readonly (readonly [SettingName, unknown])[]): string[] {
  return values.flatMap(([name, value]) =>
    SETTINGS[name].secret !== true || value === undefined || value === '' ? [] : secretsIn(name, String(value)),
  )
}
