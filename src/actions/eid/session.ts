/** An electronic-ID session from start to end (docs/service.md, Electronic-ID verification), and which one is used. */

import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { type Fields, type Operation, operations, type ResultOf, resolved } from '../../contract/index.js'
import type { EidRecord } from '../../format/views/index.js'
import type { EidOwner } from '../../jobs/ledger/index.js'
import { type Clock, type OperationRef, type SoapClient, SoapError } from '../../soap/client/index.js'
import { readSaved } from '../service/saved.js'

/**
 * The link that starts the app on the same device and that it reads as a QR code. Sweden's common electronic ID documents it; the
 * service's own documents describe only the token.
 */
export function autoStartLink(token: string): string {
  return `bankid:///?autostarttoken=${encodeURIComponent(token)}&redirect=null`
}

export interface EidSession {
  readonly EidOrderRef: string
  readonly AutoStartToken: string | null
}

/**
 * Begins a session. If its answer was lost, it may have begun, and is cancelled.
 * @param onCancel called with whether the service accepted the cancellation
 * @throws {SellerError} service, with the reason that the service gave, if no session was begun
 */
export async function beginEid(
  client: SoapClient,
  onFile: boolean,
  signal: AbortSignal,
  onCancel: (cancelled: boolean) => void,
): Promise<EidSession> {
  const beginning = onFile
    ? client.call('BeginEidOnFileVerification', {}, { signal })
    : client.call('BeginEidVerification', {}, { signal })
  const begun = await beginning.catch(async (error: unknown) => {
    // Not after a refusal: there may be another session that must continue.
    const lost = error instanceof SoapError && error.sent && (error.kind === 'aborted' || error.kind === 'unknown-outcome')
    if (lost) onCancel(await cancelEid(client, UNNAMED))
    throw error
  })
  if (begun?.EidOrderRef) return { EidOrderRef: begun.EidOrderRef, AutoStartToken: begun.AutoStartToken ?? null }
  const reason = begun?.Error ? begun.Error : 'The service gave no reason.'
  throw new SellerError(
    'eid_not_begun',
    `The verification was not started: ${reason}`,
    'If another verification is in progress, follow it with: seller eid:status, or cancel it with: seller eid:cancel',
    { serviceError: begun?.Error ?? null },
  )
}

type OfSession = 'GetEidVerificationProgress' | 'CancelEidVerification'

/** The operation in the form that has a field for the order reference, if the reference is sent. */
function formFor(name: OfSession, { params }: EidOrder): OperationRef {
  const operation: Operation = operations[name]
  return params.request === undefined ? name : { ...operation, params: operation.alsoAccepts ?? {} }
}

/** The present state of a session. */
export async function eidProgress(client: SoapClient, order: EidOrder, signal: AbortSignal): Promise<EidRecord> {
  const progress = await client.callAny(formFor('GetEidVerificationProgress', order), order.params, { signal })
  const { IsCompleted, Progress, Error: error } = (progress ?? {}) as NonNullable<ResultOf<'GetEidVerificationProgress'>>
  return { EidOrderRef: order.ref ?? null, IsCompleted: IsCompleted ?? false, Progress: Progress ?? null, Error: error || null }
}

/** Asks the service to end a session. */
export async function cancelSession(client: SoapClient, order: EidOrder, signal: AbortSignal): Promise<void> {
  await client.callAny(formFor('CancelEidVerification', order), order.params, { signal })
}

/** How a session has ended; undefined while it continues. An error of the service is one, whatever else it says. */
export function eidOutcome({ IsCompleted, Error: error }: EidRecord): 'completed' | 'failed' | undefined {
  if (error) return 'failed'
  return IsCompleted === true ? 'completed' : undefined
}

/** Each look is a call, and calls are counted: every 2 s at first, then slower, up to 5 s. */
const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 5000
const SLOWER = 1.25

interface FollowEid {
  readonly client: SoapClient
  readonly order: EidOrder
  readonly clock: Clock
  readonly signal: AbortSignal
  /** ms */
  readonly timeoutMs: number
}

/** Yields the state of the session at each look, until it has ended or the time is up. */
export async function* followEid({ client, order, clock, signal, timeoutMs }: FollowEid): AsyncGenerator<EidRecord, void> {
  const deadline = clock.now() + timeoutMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * SLOWER, LONGEST_PAUSE_MS)) {
    const progress = await eidProgress(client, order, signal)
    yield progress
    const left = deadline - clock.now()
    if (eidOutcome(progress) !== undefined || left <= 0) return
    await clock.sleep(Math.min(pause, left), signal)
    signal.throwIfAborted()
  }
}

/** Long enough for one call, short enough for a person who pressed Ctrl-C and waits for the prompt. */
const CANCEL_MS = 4000

/** @returns whether the service accepted it */
async function cancelEid(client: SoapClient, order: EidOrder): Promise<boolean> {
  // Not the caller's signal, which may be what ended the work.
  const signal = AbortSignal.timeout(CANCEL_MS)
  return cancelSession(client, order, signal).then(
    () => true,
    () => false,
  )
}

/**
 * Does some work with a session, and cancels the session at the service if the work throws (also on Ctrl-C): a session that is
 * not followed would stay open and block the next one.
 * @param onCancel called with whether the service accepted the cancellation
 */
export async function cancelledOnError<T>(
  client: SoapClient,
  order: EidOrder,
  work: () => Promise<T>,
  onCancel: (cancelled: boolean) => void,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    onCancel(await cancelEid(client, order))
    throw error
  }
}

/** A session to follow or to cancel. */
export interface EidOrder {
  /** undefined if none was named and none was begun here. */
  readonly ref: string | undefined
  /** Parameters of GetEidVerificationProgress and CancelEidVerification. */
  readonly params: { readonly request?: { readonly EidOrderRef: string } }
}

/** No order is named: the service takes the latest of the seller. */
export const UNNAMED: EidOrder = { ref: undefined, params: {} }

export function eidOwner({ profile }: Pick<Context, 'profile'>): EidOwner {
  return { profile: profile.name, userId: profile.settings.user_id }
}

/** A session by its reference, which is sent if the service has a field for it. */
export function orderOf(ref: string, sent: boolean): EidOrder {
  return { ref, params: sent ? { request: { EidOrderRef: ref } } : {} }
}

/** Whether the service accepts an order reference, according to its saved description; undefined if none is saved. */
export async function takesOrderRef(ctx: Context): Promise<boolean | undefined> {
  const saved = await readSaved(ctx, 'RestrictedService')
  return saved === undefined
    ? undefined
    : hasPlace(saved.description.operations.get('GetEidVerificationProgress')?.operation.params)
}

/**
 * The named session, or else the last one that was begun here. A named reference is also sent if no description is saved: a
 * service without a field for it ignores it.
 * @throws {SellerError} order_ref_not_taken if the service has no field for the named reference
 */
export async function namedOrLatest(ctx: Context, named: string | undefined): Promise<EidOrder> {
  const takes = await takesOrderRef(ctx)
  if (named !== undefined) {
    if (takes === false) {
      const message =
        'According to its saved description, the service has no field for an order reference. It answers about your latest session.'
      throw new SellerError('order_ref_not_taken', message, 'Leave out --order-ref.')
    }
    return orderOf(named, true)
  }
  const { eidSessions } = await ctx.ledger()
  const latest = eidSessions.latest(eidOwner(ctx))
  return latest === undefined ? UNNAMED : orderOf(latest.EidOrderRef, takes === true)
}

function hasPlace(params: Fields | undefined): boolean {
  const type = params?.request === undefined ? undefined : resolved(params.request.type)
  return type?.kind === 'struct' && Object.hasOwn(type.fields, 'EidOrderRef')
}
