/** What a command may touch: streams, clock, environment, prompts, and a client and a ledger that open when first used. */
import { isAbsolute, join } from 'node:path'
// Past format's and soap's doors: see translate.ts.
import { createOutput } from '../format/output/output.js'
import type { Form, Output } from '../format/output/types.js'
import type { Ledger } from '../jobs/ledger/index.js'
import { SANDBOX_PROFILE } from '../sandbox/index.js'
import type { SoapClient } from '../soap/client/index.js'
import type { Clock } from '../system/clock.js'
import { durationText } from '../system/durations.js'
import { openCredentials } from './credentials.js'
import { directoriesOf } from './directories.js'
import { makeDirectory } from './directory.js'
import type { Environment, Host, InputStream, OutputStream } from './host.js'
import { type ClientNeeds, type ClientProfile, openClient, shownCredentials, tracer } from './open-client.js'
import { missingSettings, notLoggedIn, type ResolvedProfile, resolveProfile, shellWord } from './profiles.js'
import { createPrompts, type Prompts } from './prompts.js'
import { SETTING_NAMES, SETTINGS, type Settings } from './settings.js'

export type { ClientNeeds } from './open-client.js'

export interface LedgerUse {
  /** Nothing will be written: a ledger that cannot be written is read all the same. */
  readonly reading?: boolean
}

export interface Interruption {
  /** What was already sent, one sentence. */
  readonly sent?: string
  /** The command that goes on, e.g. `seller requests:wait 17`. */
  readonly next?: string
}

/** A pause before another attempt that a person wonders about, ms: those of the usual back-off are shorter. */
const PAUSE_TOLD_MS = 5000

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
  /** Stderr is a terminal: a person sees what is drawn there. */
  readonly errorTerminal: boolean
  /** flag > environment > profile, with the source of each value; read from disk when first asked for. */
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
  /** What requests call us. */
  readonly userAgent: string
  /** Under --trace: takes each message sent and received, with its secrets masked already. */
  readonly trace: ((text: string) => void) | undefined
  /** The ledger's file, whether it is there or not. */
  readonly ledgerPath: string
  /** The ledger in the data directory. One per command: the first use says whether it is only read. */
  ledger(use?: LedgerUse): Promise<Ledger>
  /** ` --profile NAME` where a command needs it to mean this profile again, else nothing: for commands told to the user. */
  profileFlag(): string
  /** Says what to tell the user should Ctrl-C come from here on; the last call counts. */
  ifInterrupted(words: Interruption): void
  /** What ifInterrupted said. */
  interruption(): Interruption | undefined
  /** Whether anything was written to stdout. */
  written(): boolean
  /** What may never be shown: the secrets of the profile, as far as it was read. */
  secrets(): readonly string[]
  /** Closes what was opened. */
  close(): Promise<void>
}

export interface ContextOptions {
  readonly flags: {
    readonly profile?: string
    readonly output?: Form
    readonly json?: boolean
    readonly columns?: string
    readonly sort?: string
    readonly 'no-header'?: boolean
    readonly quiet?: boolean
    readonly trace?: boolean
    readonly 'no-input'?: boolean
    readonly 'max-calls'?: number
  }
  readonly host: Omit<Host, 'onSignal' | 'exit' | 'runtime'>
  /** oclif's: the directories of the user, and what requests call us. */
  readonly config: { readonly userAgent: string }
  readonly signal: AbortSignal
}

/** Makes the context of one command. Nothing is opened, read or loaded that is not asked for. */
export async function openContext(options: ContextOptions): Promise<Context> {
  const { flags, host, signal } = options
  const { stdout, stderr, env, clock } = host
  const { configDir, dataDir } = directoriesOf(env)
  let written = false
  const output = await createOutput({
    stdout: observed(stdout, () => {
      written = true
    }),
    stderr,
    env,
    form: flags.json === true ? 'json' : flags.output,
    columns: listed(flags.columns),
    sort: listed(flags.sort),
    header: flags['no-header'] !== true,
    quiet: flags.quiet,
    clock,
  })
  const asked = flags['no-input'] !== true && (env.CI === undefined || env.CI === '' || env.CI === 'false')
  const terminals = stderr.isTTY === true && stdout.isTTY === true && host.stdin.isTTY === true
  const prompts = createPrompts({ available: asked && terminals, host })
  const closers: Array<() => unknown> = []
  let resolved: ResolvedProfile | undefined
  let words: Interruption | undefined
  let tried: ClientProfile | undefined
  const profile = (): ResolvedProfile => {
    if (resolved === undefined) {
      resolved = resolveProfile({ flag: flags.profile, env, configDir, sandbox: SANDBOX_SETTINGS })
      for (const warning of resolved.warnings) output.warn(warning)
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
      output.warn(`The ledger ${ledgerPath} was empty and has been begun anew: whatever it held before is lost.`)
    }
    if (opened.state === 'copy') output.note(`The ledger ${ledgerPath} cannot be written here: a copy of it is read.`)
    // Nothing in the sandbox is worth a warning, and a copy is not the ledger to be watched.
    const { name, embedded } = tried ?? profile()
    if (!embedded && opened.state === 'as found') {
      const { watchLedger } = await import('./ledger-mark.js')
      closers.push(watchLedger({ configDir, profile: name, ledger: opened, output }))
    }
    return opened
  })
  const sandboxPath = join(dataDir, 'sandbox.db')
  const credentials = openCredentials(host, signal)
  const connect = async (needs: ClientNeeds, of: ClientProfile = profile()): Promise<SoapClient> => {
    const onPause = (ms: number, why: string) => {
      if (ms >= PAUSE_TOLD_MS) output.note(`${why} Waiting ${durationText(ms)} before trying again.`)
    }
    const keys = needs.describe === true ? shownCredentials(of.settings) : await credentials.of(of, needs.user ?? true)
    const common = { options, dataDir, ledger, sandboxPath, closers, onPause }
    const client = await openClient({ ...common, profile: of, needs, credentials: keys })
    closers.push(() => client.close())
    return client
  }
  const clients = { sending: once(connect), describing: once(connect), withoutToken: once(connect) }
  return {
    get stdin() {
      return host.stdin
    },
    env,
    clock,
    signal,
    output,
    prompts,
    errorTerminal: stderr.isTTY === true,
    configDir,
    dataDir,
    sandboxPath,
    ledgerPath,
    get profile() {
      return profile()
    },
    path: (given) => (isAbsolute(given) ? given : join(host.cwd, given)),
    async client(needs = {}) {
      if (needs.describe !== true) requireSettings(profile(), needs.user ?? true)
      if (needs.describe === true) return clients.describing(needs)
      // A command that prints the token is not run where no token is needed.
      const { token, token_command: command } = profile().settings
      const spared = needs.user === false && token === undefined && command !== undefined
      return spared ? clients.withoutToken(needs) : clients.sending(needs)
    },
    trialClient(name, settings) {
      tried = { name, settings, embedded: false }
      return connect({ user: settings.user_id !== undefined }, tried)
    },
    userAgent: options.config.userAgent,
    trace: tracer(options),
    ledger: (use) => ledger(use),
    profileFlag: () => (profile().chosen.source === 'flag' ? ` --profile ${shellWord(profile().name)}` : ''),
    ifInterrupted(said) {
      words = said
    },
    interruption: () => words,
    written: () => written,
    secrets: () => [...secretsOf(resolved, env), ...credentials.used],
    async close() {
      // The last opened first: the client before the service it talks to.
      for (const closer of closers.splice(0).reverse()) await closer()
    },
  }
}

function requireSettings(profile: ResolvedProfile, user: boolean): void {
  if (profile.embedded) return
  const missing = missingSettings(profile, user)
  if (missing.length > 0) throw notLoggedIn(profile, missing)
}

function once<A, R>(make: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
  let made: Promise<R> | undefined
  return (argument) => {
    made ??= make(argument)
    return made
  }
}

function listed(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function secretsOf(profile: ResolvedProfile | undefined, env: Environment): string[] {
  const names = SETTING_NAMES.filter((name) => SETTINGS[name].secret === true)
  const values = names.flatMap((name) => [profile?.settings[name], env[SETTINGS[name].env ?? '']])
  return values.filter((value) => value !== undefined && value !== '').map(String)
}

/** The stream, telling of the first write. */
function observed(stream: OutputStream, onWrite: () => void): OutputStream {
  return new Proxy(stream, {
    get(target, key) {
      const value = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      if (key !== 'write') return value.bind(target)
      return (...args: unknown[]) => {
        onWrite()
        return Reflect.apply(value, target, args)
      }
    },
  })
}
