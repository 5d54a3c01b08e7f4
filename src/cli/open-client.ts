/** Making the client of a profile: its settings, its credentials, the budget that watches its calls, and the sandbox where it is that. */
// Past format's door: see translate.ts.
import { safeText } from '../format/output/safe-text.js'
import type { Ledger } from '../jobs/ledger/index.js'
import { startSandbox } from '../sandbox/index.js'
import type { CallObserver, Credentials, SoapClient, SoapError } from '../soap/client/index.js'
import { noteCarriedOut } from './carried-out.js'
import { FROM_COMMAND } from './credentials.js'
import { makeDirectory } from './directory.js'
import type { Host } from './host.js'
import type { ResolvedProfile } from './profiles.js'
import { sandboxRefused } from './sandbox-file.js'
import type { Settings } from './settings.js'

export interface ClientNeeds {
  /** Whether a seller's user id and token must be there (default true); the public service needs none. */
  user?: boolean
  /** ms a call may take, instead of the profile's call_timeout. */
  timeoutMs?: number
  /** Nothing will be sent (a dry run): no credentials are needed, and no service is started. */
  describe?: boolean
}

/** What of the run a client needs to know. */
export interface RunOptions {
  readonly flags: { readonly trace?: boolean; readonly 'max-calls'?: number }
  readonly host: Pick<Host, 'stderr' | 'clock'>
  readonly config: { readonly userAgent: string }
}

/** The part of a profile that a client is made of. */
export type ClientProfile = Pick<ResolvedProfile, 'name' | 'settings' | 'embedded'>

export interface Opening {
  readonly options: RunOptions
  readonly dataDir: string
  readonly profile: ClientProfile
  readonly needs: ClientNeeds
  readonly credentials: Credentials
  readonly ledger: (nothing: undefined) => Promise<Ledger>
  readonly sandboxPath: string
  readonly closers: Array<() => unknown>
  /** Told before a pause between two attempts of a call. */
  readonly onPause: (ms: number, why: string) => void
}

/** Nothing is sent before the first call; the service inside the process is started here. */
export async function openClient(opening: Opening): Promise<SoapClient> {
  const { options, dataDir, profile, needs, credentials, ledger, sandboxPath, closers, onPause } = opening
  const [{ createClient }, { dialectOf }] = await Promise.all([
    import('../soap/client/index.js'),
    import('./saved-description.js'),
  ])
  const { settings, embedded } = profile
  const { flags, host } = options
  const rest = {
    dialect: await dialectOf({ dataDir, profile }),
    namespace: settings.namespace ?? 'urn:namespace-not-set',
    credentials,
    sandbox: settings.sandbox,
    binding: settings.binding,
    maxResultAge: settings.max_result_age,
    userAgent: options.config.userAgent,
    clock: host.clock,
    trace: tracer(options),
    callTimeoutMs: needs.timeoutMs ?? settings.call_timeout,
    listTimeoutMs: needs.timeoutMs,
    onPause: (ms: number, { message }: SoapError) => onPause(ms, message),
  }
  // Nothing goes there: the name says so to whoever reads the request.
  if (needs.describe === true) return createClient({ ...rest, baseUrl: settings.base_url ?? 'https://base-url.not.set' })
  let baseUrl = settings.base_url ?? ''
  if (embedded) {
    makeDirectory(dataDir, 'SELLER_DATA_DIR')
    // A command may be tried there before the real service is known to have its operation.
    const server = await startSandbox({ path: sandboxPath, extended: true }).catch(sandboxRefused)
    closers.push(() => server.close())
    baseUrl = server.url
  }
  const maxCalls = flags['max-calls']
  const budgetPer24h = settings.call_budget
  const observe = async () => {
    const opened = await ledger(undefined)
    const { budgetObserver } = await import('../jobs/ledger/index.js')
    return budgetObserver({
      ledger: opened,
      appId: credentials.appId,
      profile: profile.name,
      sandbox: embedded,
      maxCalls,
      budgetPer24h,
    })
  }
  // A limit is looked up before the call; without one a read need not wait for the ledger.
  const observer = maxCalls === undefined && budgetPer24h === undefined ? lateObserver(observe) : await observe()
  return createClient({ ...rest, baseUrl, observer: noting(observer, host) })
}

/**
 * An observer that is made when it is needed: before a write leaves, and for a read once it has left, so that the ledger is opened while the
 * reply is awaited (15 to 20 ms of a start). Nothing of the reply is handed on before the read is recorded. A process killed in between leaves one
 * read uncounted, never a write.
 */
export function lateObserver(make: () => Promise<CallObserver>): CallObserver {
  let making: Promise<void> | undefined
  let made: CallObserver | undefined
  /** Reads that were begun before it was there. */
  const early: Array<() => void> = []
  const prepare = () => {
    making ??= make().then((observer) => {
      made = observer
      for (const record of early.splice(0)) record()
    })
    // Whoever awaits it hears of a failure; until then nobody need be there.
    making.catch(() => undefined)
    return making
  }
  return {
    ready: (kind) => (kind === 'read' || made !== undefined ? undefined : prepare()),
    left: () => void prepare(),
    settled: () => (made === undefined ? prepare() : undefined),
    begin(call) {
      if (made !== undefined) return made.begin(call)
      let end: ReturnType<CallObserver['begin']> | undefined
      let ended: Parameters<ReturnType<CallObserver['begin']>>[0] | undefined
      early.push(() => {
        end = made?.begin(call)
        if (ended !== undefined) end?.(ended)
      })
      return (outcome) => {
        ended = outcome
        end?.(outcome)
      }
    },
  }
}

/** The observer, with the writes that were answered noted for the host. */
function noting(observer: CallObserver, host: object): CallObserver {
  return {
    ...observer,
    begin(call) {
      const end = observer.begin(call)
      return (ended) => {
        if (call.kind !== 'read' && ended.outcome === 'ok') noteCarriedOut(host, call.operation)
        end(ended)
      }
    },
  }
}

/** For a request that is shown and not sent: no command runs. */
export function shownCredentials(settings: Readonly<Settings>): Credentials {
  const { app_id: appId = 0, app_key_command: keyCommand, token_command: tokenCommand, user_id: userId } = settings
  const appKey = settings.app_key ?? (keyCommand === undefined ? undefined : FROM_COMMAND)
  return { appId, appKey, userId, token: settings.token ?? (tokenCommand === undefined ? undefined : FROM_COMMAND) }
}

/** Writes to stderr under --trace; undefined without it. */
export function tracer({ flags, host }: RunOptions): ((text: string) => void) | undefined {
  return flags.trace === true ? (text) => void host.stderr.write(`${safeText(text)}\n`) : undefined
}
