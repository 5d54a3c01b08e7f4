/**
 * Makes the client of a profile: its settings, its credentials, the budget that counts its calls, and the sandbox if that is its
 * service.
 */
// Not through the index of format: see translate.ts.
import { safeText } from '../format/output/safe-text.js'
import type { Quota } from '../jobs/ledger/index.js'
import type { CallObserver, Credentials, RecordEnd, Replaced, SoapClient, SoapError, UnreadValue } from '../soap/client/index.js'
import { asksApproval, notApproved } from './approval.js'
import { countingOf, type QuotaProfile } from './call-limits.js'
import { FROM_COMMAND } from './credentials.js'
import { learningClient } from './descriptions/learning-client.js'
import { makeDirectory } from './directories.js'
import type { Host } from './host.js'
import { sandboxRefused } from './sandbox-file.js'
import type { SavedForClient } from './saved-description.js'
import type { Settings } from './settings.js'

export interface ClientNeeds {
  /** True if a seller's user id and token are required (default true). The public service does not need them. */
  user?: boolean
  /** True if nothing will be sent (a dry run): then no credentials are needed, and no service is started. */
  describe?: boolean | undefined
}

/** The parts of a run that a client needs. */
export interface RunOptions {
  readonly flags: { readonly trace?: boolean | undefined; readonly 'max-calls'?: number | undefined; readonly plan?: string }
  readonly host: Pick<Host, 'stderr' | 'clock' | 'env' | 'carriedOut' | 'begun'>
  readonly config: { readonly userAgent: string }
  readonly signal: AbortSignal
  /** Longest time of a call, ms, instead of the profile's call_timeout. */
  readonly callTimeoutMs?: number | undefined
}

export interface Opening {
  readonly options: RunOptions
  readonly dataDir: string
  readonly profile: QuotaProfile
  readonly needs: ClientNeeds
  readonly credentials: Credentials
  /** The quota of the profile, which records each call. */
  readonly quota: () => Promise<Quota>
  readonly sandboxPath: string
  readonly closers: Array<() => unknown>
  /** Called before a pause between two attempts of a call that began `sinceMs` ago. */
  readonly onPause: (ms: number, why: string, sinceMs: number) => void
  /** Called for a reply with characters that XML forbids. */
  readonly onReplaced: (replaced: Replaced) => void
  /** Called for a reply with values that could not be read and were left out. */
  readonly onUnread: (values: readonly UnreadValue[]) => void
  /** Called for a request whose parameters have values that are not sent, because the service does not have their fields. */
  readonly onUnsent: (fields: readonly string[]) => void
  /** Reads and saves the description of a service of which none is saved; whether it did. Absent where that is not to be done. */
  readonly learn?: (() => Promise<boolean>) | undefined
}

/** Makes the client of a profile. Nothing is sent before the first call; the sandbox inside the process is started here. */
export async function openClient(opening: Opening): Promise<SoapClient> {
  const {
    options,
    dataDir,
    profile,
    needs,
    credentials,
    quota,
    sandboxPath,
    closers,
    onPause,
    onReplaced,
    onUnread,
    onUnsent,
    learn,
  } = opening
  const [{ createClient }, { savedForClient }] = await Promise.all([
    import('../soap/client/index.js'),
    import('./saved-description.js'),
  ])
  const { settings, embedded } = profile
  const { flags, host, callTimeoutMs } = options
  const description = await savedForClient({ dataDir, profile })
  const rest = {
    namespace: settings.namespace ?? 'urn:namespace-not-set',
    credentials,
    sandbox: settings.sandbox,
    binding: settings.binding,
    insecureAddress: settings.insecure_address === 'yes',
    maxResultAge: settings.max_result_age,
    userAgent: options.config.userAgent,
    clock: host.clock,
    signal: options.signal,
    trace: tracer(options),
    onPause: (ms: number, { message }: SoapError, sinceMs: number) => onPause(ms, message, sinceMs),
    onReplaced,
    onUnread,
    callTimeoutMs: callTimeoutMs ?? settings.call_timeout,
    listTimeoutMs: callTimeoutMs,
    deadlineMs: callTimeoutMs,
  }
  const makeClient = (where: { readonly baseUrl: string; readonly observer?: CallObserver }): SoapClient => {
    const clientFor = ({ dialect, changed, unsent }: SavedForClient) =>
      createClient({
        ...rest,
        ...where,
        dialect,
        async changed(service, operation, params) {
          const why = await changed(service, operation, params)
          if (why === undefined) onUnsent(unsent(params))
          return why
        },
      })
    if (description.known || learn === undefined || embedded || needs.describe === true) return clientFor(description)
    return learningClient(clientFor(description), async () => {
      // Ctrl-C stops the call meanwhile, which then says that it was not sent.
      const saw = await learn().catch((error: unknown) => {
        if (options.signal.aborted) return false
        throw error
      })
      const newDescription = await savedForClient({ dataDir, profile })
      // Another process may have read and saved it since this one began, e.g. while a person was asked.
      if (!saw && !newDescription.known) return undefined
      return Object.values(newDescription.dialect).every(({ length }) => length === 0) ? undefined : clientFor(newDescription)
    })
  }
  // Nothing is sent to this address; its name says so to the reader of the request.
  if (needs.describe === true) return makeClient({ baseUrl: settings.base_url ?? 'https://base-url.not.set' })
  let baseUrl = settings.base_url ?? ''
  if (embedded) {
    makeDirectory(dataDir, 'SELLER_DATA_DIR')
    // The sandbox offers an operation before it is known whether the real service has it.
    const { startSandbox } = await import('../sandbox/index.js')
    const server = await startSandbox({ path: sandboxPath, extended: true, clock: options.host.clock }).catch(sandboxRefused)
    closers.push(() => server.close())
    baseUrl = server.url
  }
  const maxCalls = flags['max-calls']
  const { taker, limits } = countingOf(profile)
  const observe = async () => {
    const openedQuota = await quota()
    const { budgetObserver } = await import('../jobs/ledger/index.js')
    return budgetObserver({ ...taker, quota: openedQuota, maxCalls })
  }
  // A limit is checked before the call. Without one, a read need not wait for the ledger.
  const observer = maxCalls === undefined && limits === undefined ? lateObserver(observe) : await observe()
  const isReadOnly = flags.plan === undefined && asksApproval(host.env)
  return makeClient({ baseUrl, observer: noting(isReadOnly ? readingOnly(observer) : observer, host) })
}

/**
 * An observer that is made when it is needed: before a write is sent, and for a read after it was sent, so that the ledger is
 * opened while the reply is awaited (15 to 20 ms of a start). Nothing of the reply is handed on before the read is recorded. If
 * the process is killed in between, one read is not counted, but never a write.
 */
export function lateObserver(make: () => Promise<CallObserver>): CallObserver {
  let openingObserver: Promise<void> | undefined
  let madeObserver: CallObserver | undefined
  /** Reads that began before the observer existed. */
  const early: Array<() => Promise<void>> = []
  const prepare = () => {
    openingObserver ??= make().then(async (observer) => {
      madeObserver = observer
      await Promise.all(early.splice(0).map((record) => record()))
    })
    // Whoever awaits it gets the failure; until then no one may be waiting.
    openingObserver.catch(() => undefined)
    return openingObserver
  }
  return {
    ready: (kind) => (kind === 'read' || madeObserver !== undefined ? undefined : prepare()),
    left: () => void prepare(),
    settled: () => (madeObserver === undefined ? prepare() : undefined),
    begin(call) {
      if (madeObserver !== undefined) return madeObserver.begin(call)
      let end: RecordEnd | undefined
      let callEnd: Parameters<RecordEnd>[0] | undefined
      early.push(async () => {
        end = await madeObserver?.begin(call)
        if (callEnd !== undefined) end?.(callEnd)
      })
      return (outcome) => {
        callEnd = outcome
        end?.(outcome)
      }
    },
  }
}

/** The observer, which lets no write begin. */
function readingOnly(observer: CallObserver): CallObserver {
  return {
    ...observer,
    begin(call) {
      if (call.kind !== 'read') throw notApproved(undefined)
      return observer.begin(call)
    },
  }
}

/** The observer, which also notes for the host the writes that begin and those that are answered. */
function noting(observer: CallObserver, { carriedOut, begun }: Pick<Host, 'carriedOut' | 'begun'>): CallObserver {
  return {
    ...observer,
    async begin(call) {
      if (call.kind !== 'read') begun.add(call.operation)
      const end = await observer.begin(call)
      return (callEnd) => {
        if (call.kind !== 'read' && callEnd.outcome === 'ok') carriedOut.add(call.operation)
        end(callEnd)
      }
    },
  }
}

/** Credentials for a request that is shown and not sent: no command runs. */
export function shownCredentials(settings: Readonly<Settings>): Credentials {
  const { app_id: appId = 0, app_key_command: keyCommand, token_command: tokenCommand, user_id: userId } = settings
  const appKey = settings.app_key ?? (keyCommand === undefined ? undefined : FROM_COMMAND)
  return { appId, appKey, userId, token: settings.token ?? (tokenCommand === undefined ? undefined : FROM_COMMAND) }
}

/** Writes to stderr under --trace; undefined without it. */
export function tracer({ flags, host }: RunOptions): ((text: string) => void) | undefined {
  return flags.trace === true ? (text) => void host.stderr.write(`${safeText(text)}\n`) : undefined
}
