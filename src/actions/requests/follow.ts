/**
 * Follows a queued request or a listing: waiting with progress, the report of its end, the exit code, and the command
 * that continues.
 */

import type { Context } from '../../cli/context.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT, type ExitCode } from '../../errors/index.js'
import {
  BudgetError,
  type ImageFile,
  type ListingChoices,
  type ListingOutcome,
  type ListingStep,
  type RequestRow,
  removeListing,
  runListing,
  showListing,
  type WaitProgress,
} from '../../jobs/index.js'
import { joined, run, say } from '../../messages/index.js'
import { type SoapClient, SoapError } from '../../soap/client/index.js'
import { durationText } from '../../system/durations.js'
import { photosOf } from '../input/photos.js'
import { committedSince } from '../listing/committed.js'
import { failureOf, waitCommand, waitFor } from './waiting.js'

export interface WaitFlags {
  readonly wait: boolean
  /** ms */
  readonly timeout: number
}

/**
 * Waits for the results of queued rows if --wait was given. Otherwise prints the command that waits, on stderr.
 * @returns the rows as they are in the ledger then, in the order given, and the exit code
 */
export async function followRequests(
  ctx: Context,
  client: SoapClient,
  rows: readonly RequestRow[],
  flags: WaitFlags,
): Promise<{ rows: RequestRow[]; code: ExitCode }> {
  const ids = rows.flatMap(({ RequestId, State }) => (RequestId === null || State !== 'queued' ? [] : [RequestId]))
  if (ids.length === 0) return { rows: [...rows], code: EXIT.ok }
  if (!flags.wait) {
    ctx.output.hint(say`Queued. Wait for the outcome with: ${waitCommand(ids)}`)
    return { rows: [...rows], code: EXIT.ok }
  }
  const { code } = await waitFor(ctx, client, ids, flags.timeout)
  const { requests } = await ctx.ledger()
  return { rows: rows.map((row) => requests.byRow(row.Row) ?? row), code }
}

type FollowOptions = WaitFlags &
  Readonly<ListingChoices> & {
    readonly jobId: number
    /** Images that this run has inspected. */
    readonly images?: readonly ImageFile[]
  }

/**
 * Carries out the steps of a listing with progress: which step of how many, how much of an image was sent, then the wait.
 * @returns its state, and the exit code: 0 ok or not waited for, 1 failed by the service, 8 still pending
 * @throws what runListing throws, with the command that continues this job if the item was accepted but not committed; Ctrl-C
 * names jobs:resume
 */
export async function followListing(
  ctx: Context,
  client: SoapClient,
  { jobId, images, commitAnyway, choice, requestId, wait, timeout }: FollowOptions,
): Promise<{ outcome: ListingOutcome; code: ExitCode }> {
  const { output, signal } = ctx
  ctx.ifInterrupted({
    sent: `What was sent is recorded in job ${jobId}.`,
    next: run('jobs:resume', { id: jobId }),
  })
  const progress = output.progress({ kind: 'spinner', text: 'Beginning' })
  const onUploadProgress = (step: ListingStep, sentBytes: number, total: number): void =>
    progress.update({ text: `${stepWords(step)}, ${Math.floor((sentBytes / Math.max(1, total)) * 100)} %` })
  const steps = runListing({
    client,
    ledger: await ctx.ledger(),
    jobId,
    images,
    wait,
    timeoutMs: timeout,
    commitAnyway,
    keepMetadata: photosOf(ctx).options.keepMetadata,
    choice,
    requestId,
    signal,
    onUploadProgress,
  })
  try {
    let next = await steps.next()
    for (; next.done !== true; next = await steps.next()) {
      const { value } = next
      const text =
        value.phase === 'wait' ? waitingWords(value.wait) : `${value.step.Step}/${value.steps} ${stepWords(value.step)}`
      progress.update({ text })
    }
    progress.stop()
    return { outcome: next.value, code: showOutcome(ctx, next.value) }
  } catch (error) {
    throw await addWayOn(ctx, client, jobId, error)
  } finally {
    progress.stop()
  }
}

/**
 * Adds what to do about this listing to the error that stopped it: the usual advice ("nothing was changed", "run it again") would
 * leave the item uncommitted and add a second one.
 */
async function addWayOn(ctx: Context, client: SoapClient, jobId: number, error: unknown): Promise<unknown> {
  // A JobsError of the listing has its own advice; a budget error knows of no job.
  if (ctx.signal.aborted || !(error instanceof SoapError || error instanceof BudgetError)) return error
  const ledger = await ctx.ledger()
  const { State, RequestId, Steps } = showListing(ledger, jobId)
  if (State !== 'open') return error
  const { toSellerError } = await import('../../cli/translate.js')
  const refusedStep = Steps.find(({ State: step }) => step === 'failed')
  if (refusedStep !== undefined && refusedStep.Operation !== 'AddItemCommit' && RequestId !== null) {
    const closedError = await committedSince(ctx, client, RequestId, refusedStep.Message ?? '')
    if (closedError !== undefined) {
      const isUntouched = Steps.every(({ State: step }) => step === 'failed' || step === 'waiting')
      // Nothing of such a job was carried out, and nothing ever can be.
      if (isUntouched) removeListing(ledger, jobId)
      return isUntouched
        ? closedError
        : closedError.with({ hint: say`${closedError.advice}. Then: ${run('jobs:drop', { id: jobId })}`, details: { jobId } })
    }
  }
  const isOwnItem = Steps.some(({ Operation }) => Operation === 'AddItem')
  const isCommitted = Steps.some(({ Operation, State: step }) => Operation === 'AddItemCommit' && step === 'done')
  const state =
    RequestId === null || !isOwnItem
      ? []
      : [
          `The item is request ${RequestId}, which ${isCommitted ? 'is committed and queued' : 'is not committed: it is not on sale'}.`,
        ]
  const ways =
    refusedStep !== undefined && refusedStep.Operation !== 'AddItemCommit'
      ? [
          // Nobody has asked to put an item on sale that only gets images.
          ...(isOwnItem || Steps.some(({ Operation }) => Operation === 'AddItemCommit')
            ? [
                say`Put it on sale without ${refusedStep.Operation === 'AddItemImage' ? 'that image' : 'the code'}: ${run('jobs:resume', { id: jobId, '--commit-anyway': true })}.`,
              ]
            : []),
          isOwnItem
            ? say`Or drop this one (${run('jobs:drop', { id: jobId })}), correct it and add the item again. An uncommitted item never goes on sale.`
            : say`Drop this job (${run('jobs:drop', { id: jobId })}), check the request (${run('requests:list')}) and send another image for it. Do not add the item again: it would be there twice.`,
        ]
      : [
          say`Continue at the step that failed: ${run('jobs:resume', { id: jobId, '--wait': isCommitted })}. Adding the item again would make a second one.`,
        ]
  const cause = toSellerError(error)
  // Another try would not send it either.
  const never = cause.code === 'operation_changed' && RequestId === null
  const hint = never ? say`${cause.advice} Drop this job first: ${run('jobs:drop', { id: jobId })}` : joined([...state, ...ways])
  return cause.with({ hint, details: { jobId, requestId: RequestId } })
}

/** Reports the state of a listing that did not simply succeed. */
function showOutcome(ctx: Context, { Request, State, TimedOut, RequestId }: ListingOutcome): ExitCode {
  if (State === 'failed' && Request !== null) {
    ctx.output.warn(failureOf(Request))
    return EXIT.failure
  }
  if (State !== 'waiting' || RequestId === null) return EXIT.ok
  if (Request?.State === 'unknown') {
    ctx.output.warn(failureOf(Request))
    ctx.output.hint(say`Ask for the result again with: ${waitCommand([RequestId])}`)
    return EXIT.unknownOutcome
  }
  if (TimedOut) ctx.output.warn('Still waiting for the result when the time was up.')
  ctx.output.hint(say`${TimedOut ? 'Continue' : 'Queued. Wait for the outcome'} with: ${waitCommand([RequestId])}`)
  return TimedOut ? EXIT.pending : EXIT.ok
}

function stepWords({ Operation, Subject }: ListingStep): string {
  return Subject === '' ? Operation : `${Operation} ${Subject}`
}

function waitingWords({ pending, nextLookMs, problem }: WaitProgress): string {
  const trouble = problem === undefined ? '' : ` (${problem.message})`
  return `Waiting for ${countOf(pending, 'result')}, next look in ${durationText(nextLookMs)}${trouble}`
}
