/**
 * Waits for queued requests on behalf of a person: shows on stderr what it waits for and which command continues, and finds the
 * exit code.
 */

import type { Context } from '../../cli/context.js'
import { capital, resultMeaning } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT, type ExitCode, SellerError } from '../../errors/index.js'
import { rowsOfRequests } from '../../jobs/bulk/index.js'
import { type Ledger, type RequestRow, waitForRequests } from '../../jobs/index.js'
import { type Command, joined, type Message, run, say } from '../../messages/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { durationText } from '../../system/durations.js'

/**
 * Waits until the requests are finished or the time is up, and says on stderr what failed and how to continue.
 * @param timeoutMs how long, ms
 * @param doubted ids that are not in this ledger. If the service says nothing about one at the first look, it is not waited for.
 * @returns a row for each request that has a final result; exit code 0 if all are ok, 9 if nobody knows the outcome of some, 8 if
 * some are pending, 1 if some failed
 * @throws {SellerError} not_found if that applies to all of them; {SoapError} if the service refuses; aborted by Ctrl-C, after
 * the command that continues was printed
 */
export async function waitFor(
  ctx: Context,
  client: SoapClient,
  requestIds: readonly number[],
  timeoutMs: number,
  doubtedIds?: ReadonlySet<number>,
): Promise<{ rows: RequestRow[]; code: ExitCode }> {
  const strangers = doubtedIds ?? (await unknownRequests(ctx, requestIds))
  const continued = (ids: readonly number[]) => waitCommand(ids, doubtedIds === undefined && ids.some((id) => strangers.has(id)))
  const requests = requestIds.length === 1 ? `request ${requestIds[0]}` : countOf(requestIds.length, 'request')
  // This tool sent only those of its ledger.
  if (strangers.size === 0) ctx.ifInterrupted({ sent: `${capital(requests)} sent.`, next: continued(requestIds) })
  const text = `Waiting for ${requests}`
  const progress = ctx.output.progress({ kind: 'spinner', text })
  const ledger = await ctx.ledger()
  const waitSteps = waitForRequests({
    client,
    ledger,
    requestIds,
    timeoutMs,
    clock: ctx.clock,
    signal: ctx.signal,
    profile: ctx.profile.name,
    endsUncommitted: true,
    endsUnknown: doubtedIds,
  })
  try {
    let step = await waitSteps.next()
    while (step.done !== true) {
      const { pending, nextLookMs, problem } = step.value
      const why = problem === undefined ? '' : ` (${problem.message})`
      progress.update({ text: `${text}: ${pending} to go, next look in ${durationText(nextLookMs)}${why}` })
      step = await waitSteps.next()
    }
    const { results, pending, uncommitted = [], unknown = [], problem } = step.value
    progress.stop()
    if (unknown.length > 0) warnUnknownRequests(ctx, unknown, requestIds.length)
    const awaitedIds = pending.filter((id) => !uncommitted.includes(id))
    if (awaitedIds.length > 0) {
      const why = problem === undefined ? '' : ` The last look failed: ${problem.message}`
      const of = requestIds.length === 1 ? 'the request' : `${awaitedIds.length} of ${requests}`
      ctx.output.warn(`Still waiting for ${of} when the time was up.${why}`)
      ctx.output.hint(say`Continue with: ${continued(awaitedIds)}`)
    }
    for (const id of uncommitted) warnUncommitted(ctx, ledger, id)
    const failedRows = results.filter(({ State }) => State !== 'ok')
    for (const row of failedRows) ctx.output.warn(failureOf(row))
    const anyFailed = failedRows.length + unknown.length > 0
    const unsure = failedRows.filter(({ State }) => State === 'unknown').map(({ RequestId }) => RequestId ?? 0)
    if (unsure.length > 0) {
      ctx.output.hint(say`Look at the item before you send it again. Ask for the result again with: ${continued(unsure)}`)
      return { rows: results, code: EXIT.unknownOutcome }
    }
    return { rows: results, code: pending.length > 0 ? EXIT.pending : anyFailed ? EXIT.failure : EXIT.ok }
  } catch (error) {
    throw error instanceof SellerError && error.code === 'request_not_found'
      ? error
      : await addWayOn(ctx, requestIds, continued(requestIds), error)
  } finally {
    progress.stop()
  }
}

/**
 * Adds to the error that stopped the waiting (a quota, a refusal) the ids that are still queued and the command that continues.
 */
async function addWayOn(ctx: Context, requestIds: readonly number[], next: Command, error: unknown): Promise<unknown> {
  // For Ctrl-C, both are printed already.
  if (ctx.signal.aborted) return error
  const { toSellerError } = await import('../../cli/translate.js')
  const cause = toSellerError(error)
  const queuedNote =
    requestIds.length === 1 ? `Request ${requestIds[0]} is queued.` : `${countOf(requestIds.length, 'request')} are queued.`
  return cause.with({
    hint: joined([cause.advice, queuedNote, say`Continue with: ${next}`]),
    details: { requestIds },
  })
}

/** @throws {SellerError} not_found if nothing else was waited for */
function warnUnknownRequests(ctx: Context, unknown: readonly number[], of: number): void {
  const [message, hint] = unknownWords(unknown)
  if (unknown.length === of) throw new SellerError('request_not_found', message, hint)
  ctx.output.warn(message)
  ctx.output.hint(hint)
}

/** The message for unknown requests, and what to do. */
export function unknownWords(requestIds: readonly number[]): [message: string, hint: Message] {
  const requestNames = requestIds.length === 1 ? `request ${requestIds[0]}` : `the requests ${requestIds.join(', ')}`
  return [
    `Neither the ledger nor the service knows ${requestNames}.`,
    say`Check the number with: ${run('requests:list')}. If another program queued it, wait for it with: ${run('requests:wait', { id: requestIds, '--with': 'unknown' })}`,
  ]
}

/** Waiting does not bring an uncommitted request a result. Says what would. */
function warnUncommitted(ctx: Context, ledger: Ledger, requestId: number): void {
  const JobId = ledger.requests.byRequestId(requestId, ctx.profile.name)?.JobId
  ctx.output.warn(`Request ${requestId} is not committed, so its item is not on sale and no result will come.`)
  const resume = JobId ? run('jobs:resume', { id: JobId }) : run('images:upload', { request: requestId, '--commit': true })
  ctx.output.hint(say`Continue with: ${resume}`)
}

/**
 * The command that continues to wait for these requests.
 * @param isUnknown true if neither the ledger nor the service may know some of them, so that it must name them all
 */
export function waitCommand(requestIds: readonly number[], isUnknown = false): Command {
  if (isUnknown) return run('requests:wait', { id: requestIds, '--with': 'unknown' })
  return run('requests:wait', { id: requestIds.length <= 20 ? requestIds : undefined })
}

/** A failed request in words: its result, the service's message, and what can be done. */
export function failureOf(row: RequestRow): string {
  const meaning = resultMeaning(`${row.ResultCode ?? ''}${row.State === 'retryable' ? ' TryAgain' : ''}`)
  const serviceText = meaning.includes(row.Message ?? '') ? '' : `The service says: ${row.Message}`
  const endText = `Request ${row.RequestId} (${row.Operation} ${row.Subject}) ended with ${row.ResultCode ?? row.State}.`
  return [endText, meaning, serviceText].filter((text) => text !== '').join(' ')
}

/** Ids that are neither a request nor a row of a job in this ledger. */
export async function unknownRequests(ctx: Context, requestIds: readonly number[]): Promise<Set<number>> {
  const ledger = await ctx.ledger()
  const unknown = requestIds.filter((id) => ledger.requests.byRequestId(id, ctx.profile.name) === undefined)
  const ofJobs = rowsOfRequests(ledger, ctx.profile.name, unknown)
  return new Set(unknown.filter((id) => !ofJobs.has(id)))
}
