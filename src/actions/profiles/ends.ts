/**
 * Ends of a run over several shops: a row for each, made from the result of the action or from its error; the table of all,
 * and the one question before, with the plans of all of them.
 */

import type { Context } from '../../cli/context.js'
import type { ErrorDocument } from '../../cli/report.js'
import { countOf, unitOf } from '../../contract/numbers.js'
import { EXIT, type ExitCode } from '../../errors/index.js'
import { type Canvas, kronor, rowsText, type View } from '../../format/output/index.js'
import { fromTo } from '../../format/views/plans.js'
import { type ShopAsked, type ShopEnd, type ShopState, shopCounts, shopPlansView } from '../../format/views/shops.js'
import { run, say } from '../../messages/index.js'
import { PLAIN_ROWS, planCounts } from '../jobs/confirm.js'
import type { Result } from '../result.js'
import type { Shop } from './shop.js'

/**
 * The row of a shop.
 * @param many whether the command shows several documents for one shop, so that Result is a list of them
 * @param instead its state where it has not ended, or the run was interrupted before it
 */
export function endOf(
  { profile, currency, finished, planned }: Shop,
  { many, instead }: { many: boolean; instead: 'planned' | 'not_begun' | undefined },
): ShopEnd {
  const stopCode = planned?.stopped ?? null
  if (finished === undefined || instead !== undefined) {
    const about = { Profile: profile, State: instead ?? 'not_begun', Counts: planned?.counts ?? {}, Message: stopCode }
    return { ...about, Currency: currency, ExitCode: null, JobIds: [], DiscountId: null, Result: null, Error: null }
  }
  const { result, values, error } = finished
  const { code, jobs = [], plan, waiting = false, discountId = null, message = null } = result
  const counts = countsOf(result, error)
  const jobIds = [...jobs.map(({ JobId }) => JobId), error?.jobId].filter((id) => typeof id === 'number')
  const [only = null] = values
  return {
    Profile: profile,
    State: error === undefined ? stateOf(code, counts, waiting) : stateOfError(error),
    ExitCode: code,
    Counts: counts,
    JobIds: [...new Set(jobIds)],
    DiscountId: discountId,
    Message: error?.message ?? stopCode ?? plan?.Stopped?.Reason ?? message,
    Currency: currency,
    // Some of several jobs may have ended before the error, and so may a list of them.
    Result: many ? values : error === undefined || Array.isArray(only) ? only : null,
    Error: error ?? null,
  }
}

function countsOf({ jobs = [], plan }: Result, error: ErrorDocument | undefined): Record<string, number> {
  const sums: Record<string, number> = {}
  const add = (counts: Readonly<Record<string, number>>): void => {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
  }
  for (const { Counts, Unchanged } of jobs) {
    add(Counts ?? {})
    if ((Unchanged ?? 0) > 0) add({ unchanged: Unchanged ?? 0 })
  }
  if (plan !== undefined) add(planCounts(plan))
  add((error?.counts ?? {}) as Record<string, number>)
  return sums
}

function stateOf(code: ExitCode, { queued = 0, unsent = 0, sending = 0 }: ShopEnd['Counts'], isPlanned: boolean): ShopState {
  if (code === EXIT.held) return 'held'
  if (code === EXIT.unknownOutcome) return 'unknown'
  if (code === EXIT.pending) return 'waiting'
  if (code !== EXIT.ok) return 'failed'
  if (isPlanned) return 'planned'
  return queued + unsent + sending > 0 ? 'waiting' : 'ok'
}

function stateOfError({ exitCode }: ErrorDocument): ShopState {
  if (exitCode === EXIT.interrupted) return 'interrupted'
  if (exitCode === EXIT.held) return 'held'
  return exitCode === EXIT.unknownOutcome ? 'unknown' : 'failed'
}

/** The same value with `hide` applied to every text in it. */
export function hideIn<T>(value: T, hide: (text: string) => string): T {
  if (typeof value === 'string') return hide(value) as T
  if (Array.isArray(value)) return value.map((entry) => hideIn(entry, hide)) as T
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, hideIn(entry, hide)])) as T
}

/** Rows shown of each shop. */
const LEAST_ROWS = 3
/** Shops of which rows are shown. */
const MOST_WITH_ROWS = 2

/** A canvas with the unit of a shop's own amounts. */
const canvasOf = ({ width, plain, paint }: Canvas, unit: string): Canvas => ({ width, plain, paint, unit })

/** The sums of all shops that have one, a line for each currency; none for fewer than two. */
function sumOfAll(shops: readonly Shop[]): string[] {
  const sums = new Map<string, { old: number; now: number; shops: number }>()
  for (const { currency, planned } of shops) {
    if (planned?.sums === undefined) continue
    const { old, now, shops: count } = sums.get(currency) ?? { old: 0, now: 0, shops: 0 }
    sums.set(currency, { old: old + planned.sums.old, now: now + planned.sums.now, shops: count + 1 })
  }
  return Array.from(sums)
    .filter(([, { shops: count }]) => count > 1)
    .map(([currency, { old, now, shops: count }]) => {
      const words = fromTo(old, now, (amount) => kronor(amount, unitOf(currency)))
      return `Sum of what changes in ${countOf(count, 'shop')}: ${words}.`
    })
}

/** The facts of the shops, a line each: those that are true of all of them once. */
function factsOf(shops: readonly Shop[]): string[] {
  const profiles = new Map<string, string[]>()
  for (const { profile, planned } of shops) {
    for (const fact of planned?.facts ?? []) profiles.set(fact, [...(profiles.get(fact) ?? []), profile])
  }
  return Array.from(profiles, ([fact, of]) => (of.length === shops.length ? fact : `${of.join(', ')}: ${fact}`))
}

/**
 * Shows what each shop is about to send and asks for a yes, unless it is given or there is nothing to send.
 * @param plans a row for each shop, those included that have ended already
 * @throws {SellerError} guard (6) without a yes
 */
export async function askOnce(
  { output, prompts }: Context,
  plans: readonly ShopEnd[],
  shops: readonly Shop[],
  yes: boolean | undefined,
): Promise<void> {
  const pendingPlans = shops.flatMap(({ planned, finished }) => (finished === undefined && planned?.rows ? [planned] : []))
  const [first] = pendingPlans
  if (first === undefined || yes === true) return
  const rows = pendingPlans.reduce((sum, plan) => sum + plan.rows, 0)
  const sumOf = (profile: string): string | null => {
    const { currency, planned } = shops.find((shop) => shop.profile === profile) ?? {}
    if (planned?.sums === undefined || planned.rows === 0) return null
    return fromTo(planned.sums.old, planned.sums.now, (amount) => kronor(amount, unitOf(currency)))
  }
  const questions = plans.map((plan): ShopAsked => ({ ...plan, Sum: sumOf(plan.Profile) }))
  const lines = questions.map(
    ({ Profile, Counts, Message, Sum }) =>
      `${Profile}: ${shopCounts(Counts) || (Message ?? 'nothing')}${Sum === null ? '' : `; ${Sum}`}`,
  )
  if (!prompts.available) output.note(lines.join('\n'))
  else {
    // The rows of more shops would take their sums off the screen.
    const count = pendingPlans.length > MOST_WITH_ROWS ? 0 : LEAST_ROWS
    for (const { profile, planned, currency } of shops) {
      if (planned?.shown === undefined || !pendingPlans.includes(planned)) continue
      const text = await planned.shown(canvasOf(output, unitOf(currency)), count)
      if (text !== '') prompts.show(`${profile}:\n${text}\n`)
    }
    prompts.show(output.plain ? lines.join('\n') : await rowsText(shopPlansView.columns, questions, output))
    const those = shops.filter(({ planned }) => planned !== undefined && pendingPlans.includes(planned))
    for (const line of [...sumOfAll(those), ...factsOf(those)]) prompts.show(line)
  }
  await prompts.confirm({
    message: `${first.verb} ${countOf(rows, first.noun)}${first.noun === 'shop' ? '' : ` in ${countOf(pendingPlans.length, 'shop')}`}?`,
    flag: '--yes',
    given: yes,
    typed: rows > PLAIN_ROWS ? String(rows) : undefined,
  })
}

interface ShownShops {
  /** `--profiles`. */
  readonly profiles: string
  readonly view: View<ShopEnd>
  readonly shops: readonly Shop[]
  /** True if jobs:undo can take them back: not what --blind sent, nor what was resumed, which may be of a discount. */
  readonly undo: boolean
}

/** Writes a row for each shop. */
export async function writeShops(
  { output }: Context,
  ends: readonly ShopEnd[],
  { profiles, view, shops, undo }: ShownShops,
): Promise<void> {
  await output.list(view, ends)
  // The error says what to do.
  if (ends.some(({ State }) => State === 'interrupted' || State === 'not_begun')) return
  if (ends.some(({ DiscountId }) => DiscountId !== null)) {
    output.hint(
      say`${run('jobs:due')} sends the starts and ends. Let the system run it every minute: ${run('schedule:show', { '--profiles': profiles })}`,
    )
  }
  const heldJob = jobWith(shops, ['held', 'failed', 'retryable', 'skipped'])
  if (heldJob !== undefined)
    output.hint(say`See the rows of a shop with: ${run('jobs:show', { id: heldJob.id, '--failed': true })}`)
  const unknown = jobWith(shops, ['unknown'])
  if (unknown !== undefined)
    output.hint(say`What to check: ${run('jobs:resume', { id: unknown.id, '--profile': unknown.profile })}`)
  if (jobWith(shops, ['queued', 'unsent', 'sending']) !== undefined) {
    output.hint(say`Wait for the outcome with: ${run('jobs:resume', { '--profiles': profiles, '--wait': true })}`)
  }
  const set = undo ? jobWith(shops, ['ok', 'queued'], 'price') : undefined
  if (set !== undefined)
    output.hint(say`Restore the old prices of a shop with: ${run('jobs:undo', { id: set.id, '--profile': set.profile })}`)
}

/** The first job that has rows in one of these states, and the profile of its shop. */
function jobWith(shops: readonly Shop[], states: readonly string[], kind?: string): { id: number; profile: string } | undefined {
  for (const { profile, finished } of shops) {
    const job = finished?.result.jobs?.find(
      ({ Kind, Counts }) => (kind === undefined || Kind === kind) && states.some((state) => (Counts?.[state] ?? 0) > 0),
    )
    if (typeof job?.JobId === 'number') return { id: job.JobId, profile }
  }
  return undefined
}
