/** The tools of a command: streams, clock, environment, prompts, and a client and a ledger that open on first use. */
import { isAbsolute, join } from 'node:path'
// Not through the index files of format and soap: see translate.ts.
import type { ServiceName } from '../contract/index.js'
import { showIn } from '../contract/numbers.js'
import type { Output } from '../format/output/types.js'
import type { Ledger, Quota } from '../jobs/ledger/index.js'
import { SANDBOX_PROFILE } from '../sandbox/index.js'
import type { Replaced, SoapClient } from '../soap/client/index.js'
import type { Clock } from '../system/clock.js'
import { durationText } from '../system/durations.js'
import type { NameEntry } from '../system/whole-file.js'
import { openQuota, type QuotaProfile } from './call-limits.js'
import { openCredentials, Secrets } from './credentials.js'
import { directoriesOf, makeDirectory } from './directories.js'
import type { Environment, Host, InputStream } from './host.js'
import { namingProfile } from './next.js'
import { type ClientNeeds, openClient, shownCredentials, tracer } from './open-client.js'
import { type OutputRun, openOutput } from './open-output.js'
import type { OutFile } from './out-file.js'
import { requireFileName } from './output-file.js'
import { missingSettings, notLoggedIn, type ResolvedProfile, resolveProfile, shellWord } from './profiles.js'
import { createPrompts, type Prompts } from './prompts.js'
import { SETTING_NAMES, SETTINGS, type SettingName, type Settings, secretsIn } from './settings.js'
import type { PlannedRows, ShopParts } from './shop-parts.js'
import { warnOfTokenEnd } from './token-end.js'

export type { ClientNeeds } from './open-client.js'

export interface LedgerUse {
  /** Whether nothing will be written, so that a read-only ledger is enough. */
  readonly reading?: boolean
}

export interface Interruption {
  /** What was already sent, one sentence. */
  readonly sent?: string
  /** The command that continues the work, e.g. `seller requests:wait 17`. */
  readonly next?: string
  /** Nothing was changed, so the command can simply be run again. */
  readonly again?: true
}

/** A pause between attempts is announced if the call has taken so long with it, ms. The usual back-off after a quick failure is shorter. */
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
  /** Whether stdout is a person's terminal, so that a browser may be opened. */
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
  /** A client of settings that are not stored yet, for a login that tries them; a new one at each call. */
  trialClient(name: string, settings: Readonly<Settings>): Promise<SoapClient>
  /** The User-Agent of requests. */
  readonly userAgent: string
  /** Under --trace: prints each message sent and received. Secrets are masked already. */
  readonly trace: ((text: string) => void) | undefined
  /** Reads and saves the descriptions of the services that commands use, or of another one, where none is saved; whether it did. */
  learnDescriptions(service?: ServiceName): Promise<boolean>
  /** Path of the ledger, which may not exist yet. */
  readonly ledgerPath: string
  /** Opens the ledger in the data directory. One per command: the first use decides whether it is read-only. */
  ledger(use?: LedgerUse): Promise<Ledger>
  /** The quota that the calls of the profile are taken from. One per command. `reading`: as for the ledger. */
  quota(use?: LedgerUse): Promise<Quota>
  /** The quota of settings that are not stored yet. */
  trialQuota(name: string, settings: Readonly<Settings>): Promise<Quota>
  /** Whether links of the service lead somewhere once this process has ended: those of a sandbox without a server do not. */
  linksLast(): Promise<boolean>
  /** ` --profile NAME` if a suggested command needs it to use this profile again, else an empty text. */
  profileFlag(): string
  /** In a run over several shops, takes the place of the question before rows are sent. */
  readonly approve?: (rows: PlannedRows) => Promise<void>
  /** In a run over several shops, called in the transaction that writes a job, or a discount. */
  readonly onMade?: ShopParts['onMade']
  /** Opens the context of another profile, for a run over several shops. Its caller closes it. */
  shop(profile: string, parts: ShopParts): Promise<Context>
  /** Sets what to print if Ctrl-C comes from here on. The last call counts. */
  ifInterrupted(words: Interruption): void
  /** What ifInterrupted set. */
  interruption(): Interruption | undefined
  /** Hides the secrets of the environment, of the profile and of commands that print them; in a run over several shops those of all. */
  hide(text: string): string
  /** Whether results go into a file, and not to stdout. */
  readonly toFile: boolean
  /** Gives the file of results its name now, and tells `entry` of it. Nothing may be written to it afterwards. */
  nameFile(entry: NameEntry): Promise<void>
  /** Closes what was opened. @param failed then a file of results is not kept */
  close(failed?: boolean): Promise<void>
}

export interface ContextOptions {
  readonly flags: OutputRun['flags'] & {
    readonly profile?: string
    readonly 'no-input'?: boolean
    readonly 'max-calls'?: number
  }
  readonly host: Omit<Host, 'onSignal' | 'exit' | 'runtime'>
  /** oclif's configuration, for the User-Agent. */
  readonly config: { readonly userAgent: string; readonly root: string; readonly version: string }
  readonly signal: AbortSignal
  /** The id of the command, e.g. `items:list`. */
  readonly command: string
  /** How long a call may take, ms, instead of the profile's call_timeout. */
  readonly callTimeoutMs?: number
  /** Whether results may go through a pager. */
  readonly paged?: boolean
  /** The file of --out. */
  readonly out?: OutFile
  /** What the shop of a run over several has of its own. */
  readonly parts?: ShopParts
  /** Those that a run over several has used. */
  readonly secrets?: Secrets
}

/** Makes the context of one command. Everything is opened, read and loaded on first use. */
export async function openContext(options: ContextOptions): Promise<Context> {
  const { flags, host, signal, parts } = options
  const { stdout, stderr, env, clock } = host
  const { configDir, dataDir } = directoriesOf(env)
  const closers: Array<() => unknown> = []
  // Of the flag alone: errors ask for it too, and one may be that the profile is not there.
  const profileFlag = () => (flags.profile === undefined ? '' : ` --profile ${shellWord(flags.profile)}`)
  const opened = parts ?? (await openOutput({ ...options, words: (text) => namingProfile(text, profileFlag()) }))
  const { output } = opened
  // Opened first and closed last, so that nothing else stays open while someone reads.
  let failed = false
  if ('close' in opened) closers.push(() => opened.close(failed))
  const asked = flags['no-input'] !== true && (env.CI === undefined || env.CI === '' || env.CI === 'false')
  const terminals = stderr.isTTY === true && stdout.isTTY === true && host.stdin.isTTY === true
  const prompts = createPrompts({ available: asked && terminals && parts === undefined, host, signal, plain: output.plain })
  const secrets = options.secrets ?? new Secrets()
  secrets.add(...secretsOf(SETTING_NAMES.map((name) => [name, env[SETTINGS[name].env ?? '']])))
  let resolved: ResolvedProfile | undefined
  let words: Interruption | undefined
  let tried: QuotaProfile | undefined
  const profile = (): ResolvedProfile => {
    if (resolved === undefined) {
      resolved = resolveProfile({ flag: flags.profile, env, configDir, sandbox: SANDBOX_SETTINGS })
      secrets.add(...secretsOf(SETTING_NAMES.map((name) => [name, resolved?.settings[name]])))
      for (const warning of resolved.warnings) output.warn(warning)
      showIn(resolved.settings.currency, parts === undefined)
    }
    return resolved
  }
  const ledgerPath = join(dataDir, 'ledger.db')
  const ledger = once(async (use: LedgerUse | undefined) => {
    const { openLedger, openLedgerToRead } = await import('../jobs/ledger/index.js')
    makeDirectory(dataDir, 'SELLER_DATA_DIR')
    const opened = use?.reading === true ? openLedgerToRead(ledgerPath, clock) : openLedger(ledgerPath, clock)
    closers.push(() => opened.close())
    if (opened.state === 'emptied') {
      output.warn(`The ledger ${ledgerPath} was empty, so a new one was started. Its earlier contents are lost.`)
    }
    if (opened.state === 'copy') output.note(`The ledger ${ledgerPath} is read-only here, so a copy of it is read.`)
    // The sandbox needs no warning, and a copy is not the ledger to watch.
    const { name, embedded } = tried ?? profile()
    if (!embedded && opened.state !== 'copy') {
      const { watchLedger } = await import('./ledger-mark.js')
      closers.push(watchLedger({ configDir, profile: name, ledger: opened, output, emptied: opened.state === 'emptied' }))
    }
    return opened
  })
  const sandboxPath = join(dataDir, 'sandbox.db')
  const credentials = openCredentials(host, signal, secrets)
  const countCalls = async (of: QuotaProfile, use?: LedgerUse): Promise<Quota> => {
    const warn = (text: string) => output.warn(text)
    const url = () => credentials.quotaUrl(of)
    const opened = await openQuota({ profile: of, clock, ledger: () => ledger(use), url, warn, signal })
    closers.push(() => opened.close())
    return opened
  }
  const quota = once((use: LedgerUse | undefined) => countCalls(profile(), use))
  const connect = async (needs: ClientNeeds, of: QuotaProfile = profile()): Promise<SoapClient> => {
    const onPause = (ms: number, why: string, sinceMs: number) => {
      if (sinceMs + ms >= ANNOUNCED_PAUSE_MS) output.note(`${why} Waiting ${durationText(ms)} before trying again.`)
    }
    const keys = needs.describe === true ? shownCredentials(of.settings) : await credentials.of(of, needs.user ?? true)
    const client = await openClient({
      ...{ options, dataDir, sandboxPath, closers, profile: of, needs, credentials: keys, onPause },
      quota: () => (of === tried ? countCalls(of) : quota(undefined)),
      onReplaced: replacedWarning(output),
      learn: of === tried ? undefined : () => learned(),
    })
    closers.push(() => client.close())
    return client
  }
  const trying = (name: string, settings: Readonly<Settings>): QuotaProfile => {
    tried = { name, settings, embedded: false }
    return tried
  }
  const learn = async (service?: ServiceName) => {
    const { learnDescriptions } = await import('./descriptions/learn.js')
    return learnDescriptions({ dataDir, clock, profile: profile(), output, signal, userAgent, trace }, service)
  }
  const learned = once(() => learn())
  const warned = once(() => warnOfTokenEnd({ profile: profile(), clock, dataDir, output, flag: profileFlag() }))
  const updated = once(() => {
    const { root, version } = options.config
    const of = { settings: profile().settings, root, version, dataDir }
    const looking = import('./update.js').then(({ noteUpdate }) =>
      noteUpdate(of, clock.now(), (text) => output.note(text), { signal, userAgent, trace }),
    )
    closers.push(() => looking)
    return looking
  })
  const [userAgent, trace] = [options.config.userAgent, tracer(options)]
  const clients = { sending: once(connect), describing: once(connect), withoutToken: once(connect) }
  return {
    get stdin() {
      return parts?.stdin ?? host.stdin
    },
    approve: parts?.approve,
    onMade: parts?.onMade,
    shop: (name, given) => openContext({ ...options, paged: false, flags: { ...flags, profile: name }, parts: given, secrets }),
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
    path: (given) => (isAbsolute(requireFileName(given)) ? given : join(host.cwd, given)),
    async client(needs = {}) {
      if (needs.describe === true) return clients.describing(needs)
      await parts?.beforeCalls()
      requireSettings(profile(), needs.user ?? true, parts !== undefined)
      if (terminals && needs.user !== false) await warned()
      if (terminals && !profile().embedded) void updated()
      // A command that prints the token is not run if the token is not needed.
      const { token, token_command: command } = profile().settings
      const spared = needs.user === false && token === undefined && command !== undefined
      return spared ? clients.withoutToken(needs) : clients.sending(needs)
    },
    trialClient: (name, settings) => connect({ user: settings.user_id !== undefined }, trying(name, settings)),
    userAgent,
    trace,
    linksLast: async () => !profile().embedded || (await import('../sandbox/index.js')).serverOn(sandboxPath) !== undefined,
    learnDescriptions: (service) => (service === undefined ? learned() : learn(service)),
    ledger: (use) => ledger(use),
    quota: (use) => quota(use),
    trialQuota: (name, settings) => countCalls(trying(name, settings)),
    profileFlag,
    ifInterrupted(said) {
      words = said
    },
    interruption: () => words,
    hide: (text) => secrets.hide(text),
    toFile: options.out !== undefined && parts === undefined,
    async nameFile(entry) {
      if (options.out !== undefined) options.out.entry = entry
      if ('close' in opened) await opened.close()
    },
    async close(broken = false) {
      failed = broken
      // The last opened first: the client before the service it talks to.
      for (const closer of closers.splice(0).reverse()) await closer()
    },
  }
}

/** Warns once: what is read later in the same command is likely to have the same items. */
function replacedWarning(output: Output): (replaced: Replaced) => void {
  let said = false
  return ({ characters, first }) => {
    if (said) return
    said = true
    const many = characters === 1 ? 'a character' : `${characters} characters`
    const where =
      first === undefined ? '' : `, ${characters === 1 ? '' : 'the first '}in ${RECORDS[first.type] ?? first.type} ${first.id}`
    output.warn(`The service sent ${many} that XML forbids${where}. ${characters === 1 ? 'It is' : 'They are'} read as \ufffd.`)
  }
}

/** Types of records, in words. */
const RECORDS: Readonly<Record<string, string>> = {
  Item: 'item',
  Transaction: 'transaction',
  TransactionItem: 'item',
  User: 'member',
}

function requireSettings(profile: ResolvedProfile, user: boolean, several: boolean): void {
  if (profile.embedded) return
  const missing = missingSettings(profile, user)
  if (missing.length > 0) throw notLoggedIn(profile, missing, several)
}

function once<A = void, R = unknown>(make: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
  let made: Promise<R> | undefined
  return (argument) => {
    made ??= make(argument)
    return made
  }
}

function secretsOf(values: readonly (readonly [SettingName, unknown])[]): string[] {
  return values.flatMap(([name, value]) =>
    SETTINGS[name].secret !== true || value === undefined || value === '' ? [] : secretsIn(name, String(value)),
  )
}
