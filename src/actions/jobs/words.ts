/** Notes about a job on stderr: rows that failed, the reason it stopped, how to continue. */

import type { Context } from '../../cli/context.js'
import { toSellerError } from '../../cli/translate.js'
import { BULK_KINDS } from '../../contract/jobs.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT, type ExitCode, SellerError } from '../../errors/index.js'
import { thousands } from '../../format/output/index.js'
import type { NotRead } from '../../format/views/not-read.js'
import { type PlanSummaryShown, type ReasonShown, reasonLines } from '../../format/views/plans.js'
import { passByAllow, passFlags, sentenceOf, wordsOf } from '../../holds/index.js'
import {
  type BulkJob,
  type BulkRow,
  type BulkRowState,
  type BulkStop,
  bulkRows,
  isUndoable,
  type Verification,
} from '../../jobs/bulk/index.js'
import type { JobKind, JobRecord, Ledger } from '../../jobs/index.js'
import { blank, type Command, joined, run, say, type Words } from '../../messages/index.js'
import { readForm } from './refused-rows.js'

/** Kinds whose rows guards hold one by one. */
const GUARDED: readonly JobRecord['Kind'][] = ['price', 'auction-price', 'update']

/** Number of rows that a warning names; jobs:show has all of them. */
const NAMED = 3

export function resumeCommand(jobId: number, wait: boolean): Command {
  return run('jobs:resume', { id: jobId, '--wait': wait })
}

/** A job, or one of its parts, with the counts of its rows. */
type CountedJob = Pick<JobRecord, 'JobId' | 'Kind' | 'Counts'>

type StoppedShown = NonNullable<PlanSummaryShown['Stopped']>

/**
 * Warns about held rows, before anything is sent.
 * @param held of its plan, if there is one
 * @param parts those of a job that has some
 */
export function warnHeldRows(
  ctx: Context,
  ledger: Ledger,
  job: CountedJob & Pick<JobRecord, 'UndoOf' | 'DiscountId'>,
  heldFile: string | null,
  summary: Pick<PlanSummaryShown, 'Stopped' | 'HeldBy'> = {},
  parts: readonly CountedJob[] = [job],
): void {
  if (job.Counts.held === 0) return
  const { Stopped: stopped = null, HeldBy: heldBy } = summary
  const where = heldFile === null ? '' : `; ${job.Counts.held === 1 ? 'it is' : 'they are'} in ${heldFile}`
  const rows = nameRows(ctx, ledger, parts, { states: ['held'], but: stopped?.Code })
  const why = run('jobs:show', { id: job.JobId, '--failed': true })
  const heldNote = say`${countOf(job.Counts.held, 'row')} held, not sent${where}. See why with: ${why}`
  ctx.output.warn(joined([heldNote, ...rows], '\n'))
  const isGuarded = parts.some(({ Kind, Counts }) => GUARDED.includes(Kind) && Counts.held > 0)
  if (isGuarded && job.UndoOf === null && job.DiscountId === null && stopped === null)
    hintLetThrough(ctx.output, heldBy, readForm(ledger, job.JobId).kind === 'arguments', heldFile)
}

/** Says why nothing of a plan is sent, and how to let it through. @param seen whether its rows are shown */
export function warnStoppedPlan(output: Context['output'], stop: StoppedShown | null | undefined, isSeen = false): void {
  if (stop === null || stop === undefined) return
  output.warn(sentenceOf(stop))
  output.hint(letThrough(stop.Limit, isSeen))
}

/** Warns that a plan was made without the live list, where nobody asked for that. */
export function warnNotCompared(output: Context['output'], unread: readonly NotRead[] = []): void {
  if (unread.some(({ Reason }) => Reason === 'not_logged_in'))
    output.warn('You are not logged in, so this was not compared with the shop. A run may hold what is live already.')
}

/** Advice for sending rows that a guard over everything has stopped. */
export function letThrough(limit: string, isSeen = false): string {
  const rows = isSeen ? 'If the rows are right' : 'See the rows with --dry-run. If they are right'
  const [flag = 'a wider limit'] = passFlags([limit])
  return `${rows}, give ${flag}.`
}

/** Warns about rows whose items are not live: nothing is sent for them, and nothing is wrong with the others. */
export function warnSkippedRows(ctx: Context, ledger: Ledger, job: CountedJob, parts: readonly CountedJob[]): void {
  const { skipped } = job.Counts
  if (skipped === 0) return
  const what = skipped === 1 ? '1 row names an item that is not live' : `${thousands(skipped)} rows name items that are not live`
  const rows = nameRows(ctx, ledger, parts, { states: ['skipped'] })
  const all = run('jobs:show', { id: job.JobId, '--failed': true })
  const skippedNote = say`${what}; nothing was sent for ${skipped === 1 ? 'it' : 'them'}. See the ${skipped === 1 ? 'row' : 'rows'} with: ${all}`
  ctx.output.warn(joined([skippedNote, ...rows], '\n'))
  ctx.output.hint(
    say`Such an item has ended or was removed, or its id is wrong. Compare with: ${run('items:list')}. With --strict this is exit 5.`,
  )
}

/**
 * Says what can be done about held rows, by the guards that hold them. Of what is no guard, the reason says it.
 * @param heldBy rows by what holds them, where that is known
 * @param typed whether they were given on the command line
 * @param file the file that they were written to
 */
export function hintLetThrough(
  output: Context['output'],
  heldBy: PlanSummaryShown['HeldBy'],
  isTyped: boolean,
  file: string | null = null,
): void {
  const flags = heldBy === undefined ? ['the limit that its reason names'] : passFlags(Object.keys(heldBy))
  const isAllowed = heldBy === undefined || passByAllow(Object.keys(heldBy))
  const allow = isTyped || !isAllowed ? [] : ['each exact price in a column _Allow']
  const ways = [...(flags.length === 0 ? [] : [flags.join(', and ')]), ...allow]
  if (ways.length === 0) return
  const correct = isTyped
    ? isAllowed
      ? 'Give another price'
      : 'Give another value'
    : file === null
      ? 'Correct them'
      : `Correct them in ${file} and send it`
  output.hint(`Held rows are not sent. ${correct}; or, if they are right, give ${ways.join(', or ')}.`)
}

/** Warns about rows that a resume held because their price changed since the plan. */
export function warnMovedRows(ctx: Context, job: BulkJob, rows: number): void {
  const showFailed = run('jobs:show', { id: job.JobId, '--failed': true })
  if (job.Kind === 'relist') {
    ctx.output.warn(`${countOf(rows, 'row')} held, not sent: relisted since the plan was made.`)
    ctx.output.hint(say`See why with: ${showFailed}`)
    return
  }
  const [what, both] = job.Kind === 'update' ? ['fields have', 'why'] : ['live price has', 'both prices']
  ctx.output.warn(`${countOf(rows, 'row')} held, not sent: the ${what} changed since the job was planned.`)
  ctx.output.hint(say`See ${both} with: ${showFailed}. If the old plan is right, send those rows as a new change.`)
}

/** Says that rows of a job wait for their time. */
export function noteLater(ctx: Context, { JobId, Message }: Pick<JobRecord, 'JobId' | 'Message'>): void {
  ctx.output.note(`Job ${JobId}: ${Message}.`)
  ctx.output.hint(
    say`${run('jobs:due')} sends them when their time has come. Let the system run it every minute: ${run('schedule:show')}`,
  )
}

/** Hints that a job can be undone, if something was set. @param parts the jobs of its rows */
export function hintUndo(ctx: Context, { JobId, UndoOf }: Pick<JobRecord, 'JobId' | 'UndoOf'>, parts: readonly BulkJob[]): void {
  const undoable = parts.filter(
    ({ Kind, Blind, DiscountId, Counts }) => isUndoable(Kind) && !Blind && DiscountId === null && Counts.ok + Counts.queued > 0,
  )
  const [job, other] = undoable
  if (job === undefined || UndoOf !== null) return
  if (other !== undefined || job.Kind === 'add-shop') {
    ctx.output.hint(say`Take back what it did with: ${run('jobs:undo', { id: JobId })}`)
    return
  }
  ctx.output.hint(
    say`Restore the old ${job.Kind === 'update' ? 'fields' : BULK_KINDS[job.Kind].sets === undefined ? 'prices' : 'numbers'} with: ${run('jobs:undo', { id: JobId })}`,
  )
}

/** Warns about rows of a job that did not succeed. @param parts the jobs that have its rows */
export function warnUnfinishedRows(
  ctx: Context,
  ledger: Ledger,
  job: CountedJob,
  parts: readonly CountedJob[],
  {
    timedOut,
    failedFile,
    stopped,
  }: { readonly timedOut: boolean; readonly failedFile: string | null; readonly stopped: boolean },
): void {
  const { output } = ctx
  const { failed, retryable, unknown, queued, unsent } = job.Counts
  const id = job.JobId
  if (failed + retryable > 0) {
    const rows = nameRows(ctx, ledger, parts, { states: ['failed', 'retryable'] })
    output.warn([`${countOf(failed + retryable, 'row')} failed.`, ...rows].join('\n'))
    output.hint(
      failedFile === null
        ? say`All of them: ${run('jobs:show', { id, '--failed': true })}`
        : `They are in ${failedFile}, with the reason.`,
    )
    const images = failForImages(ledger, parts)
    if (retryable > 0 || images) output.hint(say`Send them again with: ${run('jobs:resume', { id, '--retry-failed': true })}`)
    if (images && failedFile === null)
      output.hint(
        say`For other images, correct the rows of the file that this writes: ${run('jobs:resume', { id, '--failed-file': blank('FILE') })}`,
      )
  }
  if (unknown > 0) {
    const rows = nameRows(ctx, ledger, parts, { states: ['unknown'] })
    output.warn(
      [
        `${countOf(unknown, 'row')} sent, but the reply was lost. The item may or may not exist. Nothing is sent again automatically.`,
        ...rows,
      ].join('\n'),
    )
    output.hint(say`What to check: ${run('jobs:resume', { id })}`)
  }
  // The error of a run that was stopped says how to go on.
  if (stopped || unsent > 0 || queued === 0) return
  if (timedOut) output.warn(`Still waiting for ${countOf(queued, 'result')} when the time was up.`)
  output.hint(say`${timedOut ? 'Continue' : 'Queued. Wait for the outcome'} with: ${resumeCommand(id, true)}`)
}

/** True if a row failed for an image that was refused or has changed: nothing of it is on sale, so it may be sent again. */
export function failForImages(ledger: Ledger, parts: readonly CountedJob[]): boolean {
  for (const { JobId } of parts)
    for (const { Hold: hold } of bulkRows(ledger, JobId, ['failed', 'retryable']))
      if (
        hold?.Code === 'image' ||
        (hold?.Code === 'service_said' && /\bImageProcessingError\b/.test(String(hold.Values.Result)))
      )
        return true
  return false
}

/** The first rows in some states, with their reasons. @param but rows with this code are counted and not named */
function nameRows(
  ctx: Context,
  ledger: Ledger,
  jobs: readonly CountedJob[],
  { states, but }: { states: readonly BulkRowState[]; but?: string | undefined },
): string[] {
  const rows: ReasonShown[] = []
  let unit: 'line' | 'row' = 'line'
  for (const { JobId, Kind } of jobs) {
    const { kind } = readForm(ledger, JobId)
    if (kind === 'xlsx') unit = 'row'
    for (const row of bulkRows(ledger, JobId, states)) {
      if (rows.length === NAMED) break
      if (but !== undefined && row.Hold?.Code === but) continue
      // Arguments on the command line have no line numbers.
      rows.push({ ...reasonOf(ctx, row, Kind), ...(kind === 'arguments' ? { Line: 0 } : {}) })
    }
  }
  const all = jobs.flatMap(({ Counts }) => states.map((state) => Counts[state]))
  const more = all.reduce((sum, count) => sum + count, 0) - rows.length
  const lines = reasonLines(rows, ctx.errorTerminal ? ctx.output.width : undefined, unit)
  return more > 0 && lines.length > 0 ? [...lines, `  … and ${thousands(more)} more`] : lines
}

/** The reason for the state of a row. @param kind of its job: the ids of marks are those of orders */
export function reasonOf(ctx: Context, row: BulkRow, kind: JobKind): ReasonShown {
  const { Line, Id, OwnReference, Title, Hold: hold, State } = row
  const Reason = hold === null ? State : ctx.text(wordsOf(hold))
  return { Line, Id, OwnReference, Title, Reason, Noun: kind === 'order' ? 'order' : 'item' }
}

const WHY: Readonly<Record<Exclude<BulkStop, 'interrupted'>, Words>> = {
  quota: say`Wait until older calls fall out of the quota (${run('calls:show')}), then continue with: `,
  budget: 'Then continue with: ',
  network: 'When the service can be reached again, continue with: ',
  refused: 'Then continue with: ',
  fault: 'Several calls in a row were refused in the same way, so the job was stopped. Continue with: ',
}

export interface Stopped {
  readonly stop: BulkStop
  readonly error: unknown
  readonly verdict: ExitCode
  readonly wait: boolean
}

/** Why a run ended before everything was sent, and the command that continues. */
export function errorOfStop(
  job: Pick<JobRecord, 'JobId' | 'State' | 'Counts'>,
  { stop, error, verdict, wait }: Stopped,
): SellerError {
  const details = { jobId: job.JobId, state: job.State, counts: { ...job.Counts } }
  // The context has its own text for Ctrl-C, with the command.
  if (stop === 'interrupted')
    return new SellerError('interrupted', 'Interrupted.', say`Continue with: ${resumeCommand(job.JobId, wait)}`, details)
  const cause = toSellerError(error)
  const { unsent, sending, held: _held, skipped: _skipped, ...others } = job.Counts
  const rows = Object.values(others).reduce((sum, count) => sum + count, unsent + sending)
  const remaining = unsent + sending
  const outcome =
    remaining === 0
      ? `everything was sent${job.Counts.queued > 0 ? ', and results are still to come' : ''}`
      : `the service has answered for ${thousands(rows - remaining)} of ${countOf(rows, 'row')}${unanswered(sending)}`
  const first = stop === 'budget' || stop === 'refused' ? cause.advice : undefined
  return cause.with({
    message: say`${cause.words}\nJob ${job.JobId}: ${outcome}.`,
    hint: joined([first, say`${WHY[stop]}${resumeCommand(job.JobId, wait)}`]),
    exitCode: verdict === EXIT.failure ? cause.exitCode : verdict,
    details,
  })
}

/** Rows whose call was sent without an answer: no one may say that they were not sent. */
function unanswered(sendingRows: number): string {
  if (sendingRows === 0) return ''
  return `; ${countOf(sendingRows, 'row')} ${sendingRows === 1 ? 'was' : 'were'} sent without an answer, and may have been carried out`
}

/** Prints every difference between what the job set and what is live. */
export function printDifferences({ output }: Context, { Checked, Differences }: Verification): void {
  if (Differences.length === 0) {
    const words = Checked === 1 ? 'the row is live as it' : `all ${countOf(Checked, 'row')} are live as they`
    output.note(`Verified: ${words} should be.`)
    return
  }
  const lines = Differences.map(({ Id, Field, Expected, Live, State }) => {
    const pending = State === 'queued' ? ' (still queued)' : ''
    return `  item ${Id}: ${Field} is ${Live ?? 'none'}, not ${Expected ?? 'none'}${pending}`
  })
  output.warn([`${countOf(Differences.length, 'difference')} in ${countOf(Checked, 'row')}:`, ...lines].join('\n'))
}
