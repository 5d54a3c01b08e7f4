/**
 * Electronic-ID sessions (docs/service.md, Electronic-ID verification): one from its start to its end, and which one is used.
 * Some editions of the service have a field for its order reference, the document's form has none (docs/service.md, Choices
 * between sources).
 */

import type { Context } from '../../cli/context.js'
import { type Fields, type Operation, operations, type ResultOf, resolved } from '../../contract/index.js'
import { EXIT, type ExitCode, SellerError } from '../../errors/index.js'
import { qrCode } from '../../format/output/index.js'
import { type EidRecord, eidView } from '../../format/views/auth.js'
import type { EidOwner } from '../../jobs/ledger/index.js'
import { type Message, run, say } from '../../messages/index.js'
import { type CallOptions, type OperationRef, type SoapClient, SoapError } from '../../soap/client/index.js'
import { type Result, recordResult } from '../result.js'
import { readSaved } from '../service/saved.js'

/** A session to follow or to cancel. */
interface EidOrder {
  /** undefined if none was named and none was begun here. */
  readonly ref: string | undefined
  /** Parameters of GetEidVerificationProgress and CancelEidVerification. */
  readonly params: { readonly request?: { readonly EidOrderRef: string } }
}

/** No order is named: the service takes the latest of the seller. */
const UNNAMED: EidOrder = { ref: undefined, params: {} }

function eidOwner({ profile }: Pick<Context, 'profile'>): EidOwner {
  return { profile: profile.name, userId: profile.settings.user_id }
}

/** A session by its reference, which is sent if the service has a field for it. */
function orderOf(ref: string, isSent: boolean): EidOrder {
  return { ref, params: isSent ? { request: { EidOrderRef: ref } } : {} }
}

/** True if the service accepts an order reference, according to its saved description; undefined if none is saved. */
async function takesOrderRef(ctx: Context): Promise<boolean | undefined> {
  const savedSource = await readSaved(ctx, 'RestrictedService')
  return savedSource === undefined
    ? undefined
    : hasPlace(savedSource.description.operations.get('GetEidVerificationProgress')?.operation.params)
}

function hasPlace(params: Fields | undefined): boolean {
  const type = params?.request === undefined ? undefined : resolved(params.request.type)
  return type?.kind === 'struct' && Object.hasOwn(type.fields, 'EidOrderRef')
}

/**
 * The named session, or else the last one that was begun here. A named reference is also sent if no description is saved: a
 * service without a field for it ignores it.
 * @throws {SellerError} order_ref_not_taken if the service has no field for the named reference
 */
export async function namedOrLatest(ctx: Context, orderRef: string | undefined): Promise<EidOrder> {
  const takes = await takesOrderRef(ctx)
  if (orderRef !== undefined) {
    if (takes === false) {
      const message =
        'According to its saved description, the service has no field for an order reference. It answers about your latest session.'
      throw new SellerError('order_ref_not_taken', message, 'Leave out --order-ref.')
    }
    return orderOf(orderRef, true)
  }
  const { eidSessions } = await ctx.ledger()
  const latest = eidSessions.latest(eidOwner(ctx))
  return latest === undefined ? UNNAMED : orderOf(latest.EidOrderRef, takes === true)
}

type OfSession = 'GetEidVerificationProgress' | 'CancelEidVerification'

/** The operation in the form that has a field for the order reference, if the reference is sent. */
function formFor(name: OfSession, { params }: EidOrder): OperationRef {
  const operation: Operation = operations[name]
  return params.request === undefined ? name : { ...operation, params: operation.alsoAccepts ?? {} }
}

/** The present state of a session. */
export async function eidProgress(client: SoapClient, order: EidOrder): Promise<EidRecord> {
  const progress = await client.callAny(formFor('GetEidVerificationProgress', order), order.params)
  const { IsCompleted, Progress, Error: error } = (progress ?? {}) as NonNullable<ResultOf<'GetEidVerificationProgress'>>
  return { EidOrderRef: order.ref ?? null, IsCompleted: IsCompleted ?? false, Progress: Progress ?? null, Error: error || null }
}

/** Asks the service to end a session. */
export async function cancelSession(client: SoapClient, order: EidOrder, options?: CallOptions): Promise<void> {
  await client.callAny(formFor('CancelEidVerification', order), order.params, options)
}

/** Outcome of a session; undefined while it continues. An error of the service is one, whatever else it says. */
export function eidOutcome({ IsCompleted, Error: error }: EidRecord): 'completed' | 'failed' | undefined {
  if (error) return 'failed'
  return IsCompleted === true ? 'completed' : undefined
}

export interface VerifyOptions {
  /** True to start the app by link or QR code (BeginEidOnFileVerification). */
  readonly onFile: boolean
  readonly wait: boolean
  /** Time to follow the session, ms. */
  readonly timeoutMs: number
}

interface EidSession {
  readonly EidOrderRef: string
  readonly AutoStartToken: string | null
}

/**
 * eid:verify: begins a session, shows how to start the app, and follows the session until it ends. One that is not followed would
 * stay open and block the next one, so it is cancelled at the service if following it throws (also on Ctrl-C).
 * @returns the last known state of the session
 * @throws {SellerError} service, with the reason that the service gave, if no session was begun
 */
export async function verifyEid(ctx: Context, options: VerifyOptions): Promise<Result> {
  const client = await ctx.client()
  const { eidSessions } = await ctx.ledger()
  const isSent = (await takesOrderRef(ctx)) === true
  const session = await beginEid(ctx, client, options.onFile)
  const { EidOrderRef: ref } = session
  eidSessions.begin(ref, eidOwner(ctx))
  const order = orderOf(ref, isSent)
  const last = await follow(ctx, client, order, session, options).catch(async (error: unknown) => {
    if (await cancelUnseen(ctx, client, order)) eidSessions.end(ref, 'cancelled')
    throw error
  })
  const outcome = options.wait ? eidOutcome(last) : undefined
  if (outcome !== undefined) eidSessions.end(ref, outcome)
  return recordResult(eidView, { ...session, ...last }, judge(ctx, last, options))
}

/** Begins a session. If its answer was lost, it may have begun, and is cancelled. */
async function beginEid(ctx: Context, client: SoapClient, onFile: boolean): Promise<EidSession> {
  const beginning = client.call(onFile ? 'BeginEidOnFileVerification' : 'BeginEidVerification', {})
  const session = await beginning.catch(async (error: unknown) => {
    // Not after a refusal: there may be another session that must continue.
    const isLost = error instanceof SoapError && error.sent && (error.kind === 'aborted' || error.kind === 'unknown-outcome')
    if (isLost) await cancelUnseen(ctx, client, UNNAMED)
    throw error
  })
  if (session?.EidOrderRef) return { EidOrderRef: session.EidOrderRef, AutoStartToken: session.AutoStartToken ?? null }
  const reason = session?.Error ? session.Error : 'The service gave no reason.'
  throw new SellerError(
    'eid_not_begun',
    `The verification was not started: ${reason}`,
    say`If another verification is in progress, follow it with: ${run('eid:status')}, or cancel it with: ${run('eid:cancel')}`,
    { serviceError: session?.Error ?? null },
  )
}

/** Long enough for one call, short enough for a person who pressed Ctrl-C and waits for the prompt. */
const CANCEL_MS = 4000

/** @returns whether the service accepted it */
async function cancelUnseen({ output, ifInterrupted }: Context, client: SoapClient, order: EidOrder): Promise<boolean> {
  // Not the signal of the run, which may be what ended the work.
  const isCancelled = await cancelSession(client, order, { signal: AbortSignal.timeout(CANCEL_MS) }).then(
    () => true,
    () => false,
  )
  output.warn(`The session ${isCancelled ? 'was' : 'could not be'} cancelled at the service.`)
  ifInterrupted(isCancelled ? { again: true } : { next: run('eid:cancel') })
  return isCancelled
}

/** Each look is a call, and calls are counted: every 2 s at first, then slower, up to 5 s. */
const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 5000
const SLOWER = 1.25

async function follow(
  ctx: Context,
  client: SoapClient,
  order: EidOrder,
  session: EidSession,
  { onFile, wait, timeoutMs }: VerifyOptions,
): Promise<EidRecord> {
  const { clock, output, signal } = ctx
  output.note(`Order reference ${session.EidOrderRef}`)
  if (onFile) await showStart(ctx, session)
  // In the sandbox, only the user can approve it.
  if (ctx.profile.embedded)
    output.hint(say`In the sandbox, approve it from another terminal with: ${run('sandbox:eid', { outcome: 'approve' })}`)
  if (!wait) return {}
  const progress = output.progress({ kind: 'spinner', text: 'Open your electronic-ID app' })
  const deadline = clock.now() + timeoutMs
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * SLOWER, LONGEST_PAUSE_MS)) {
      const last = await eidProgress(client, order)
      if (last.Progress) progress.update({ text: last.Progress })
      const remainingMs = deadline - clock.now()
      if (eidOutcome(last) !== undefined || remainingMs <= 0) return last
      await clock.sleep(Math.min(pause, remainingMs), signal)
      signal.throwIfAborted()
    }
  } finally {
    progress.stop()
  }
}

/**
 * The link for this device, the QR code for another. Only a person can use either. Sweden's common electronic ID documents the
 * link; the service's own documents describe only the token.
 */
async function showStart({ output }: Context, { AutoStartToken: token }: EidSession): Promise<void> {
  if (token === null) return
  const link = `bankid:///?autostarttoken=${encodeURIComponent(token)}&redirect=null`
  output.note(`Start the app on this device: ${link}`)
  if (output.human && !output.plain) output.aside(`Or scan this with it:\n${await qrCode(link, output.paint)}`)
}

function judge({ output }: Context, record: EidRecord, { wait }: VerifyOptions): ExitCode {
  const next = (verb: string): Message => say`${verb} it with: ${run('eid:status')}. Cancel it with: ${run('eid:cancel')}`
  if (!wait) {
    output.hint(next('Follow'))
    return EXIT.ok
  }
  const outcome = eidOutcome(record)
  if (outcome === 'completed') return EXIT.ok
  if (outcome === undefined) {
    output.warn('The time is up, but the verification has not ended.')
    output.hint(next('See'))
    return EXIT.pending
  }
  output.warn(`You are not verified: ${record.Error}`)
  return EXIT.failure
}
