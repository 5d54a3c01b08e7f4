/**
 * How a run over several shops ended for each: its row, made from the result of the action or from its error; the table of all,
 * and the one question before, with the plans of all of them.
 */

import type { Context } from '../../cli/context.js'
import { shellWord } from '../../cli/profiles.js'
import type { ErrorDocument } from '../../cli/report.js'
import { EXIT, type ExitCode } from '../../errors/index.js'
import type { View } from '../../format/output/index.js'
import { countOf, type ShopEnd, type ShopState, shopCounts, shopPlansView } from '../../format/views/index.js'
import { PLAIN_ROWS, planCounts, SHOWN_ROWS } from '../jobs/confirm.js'
import type { Result } from '../result.js'
import type { Finished, Shop } from './shop.js'

/**
 * @param many whether the command shows several documents for one shop, so that Result is a list of them
 * @param stopped why nothing at all was sent
 */
export function endOf(
  profile: string,
  { result, values, error }: Finished,
  { many, stopped }: { many: boolean; stopped: string | null },
): ShopEnd {
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
    Message: error?.message ?? stopped ?? plan?.Stopped?.Reason ?? message,
    // Of several jobs some may have ended before the error, and so they may of a list of them.
    Result: many ? values : error === undefined || Array.isArray(only) ? only : null,
    Error: error ?? null,
  }
}

/** A shop that the run was interrupted before, or that the others' plans were shown with. */
export function endWithout(profile: string, state: ShopState, counts: ShopEnd['Counts'], message: string | null): ShopEnd {
  const nothing = { ExitCode: null, JobIds: [], DiscountId: null, Result: null, Error: null }
  return { Profile: profile, State: state, Counts: counts, Message: message, ...nothing }
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

function stateOf(code: ExitCode, { queued = 0, unsent = 0, sending = 0 }: ShopEnd['Counts'], planned: boolean): ShopState {
  if (code === EXIT.held) return 'held'
  if (code === EXIT.unknownOutcome) return 'unknown'
  if (code === EXIT.pending) return 'waiting'
  if (code !== EXIT.ok) return 'failed'
  if (planned) return 'planned'
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

/** Rows shown of each shop, however many shops there are. */
const LEAST_ROWS = 3

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
  const sending = shops.flatMap(({ planned, finished }) => (finished === undefined && planned?.rows ? [planned] : []))
  const [first] = sending
  if (first === undefined || yes === true) return
  const rows = sending.reduce((sum, planned) => sum + planned.rows, 0)
  const lines = (): string =>
    plans.map((plan) => `${plan.Profile}: ${shopCounts(plan.Counts) || (plan.Message ?? 'nothing')}`).join('\n')
  if (!prompts.available) output.note(lines())
  else if (output.human) await output.list(shopPlansView, plans)
  else prompts.show(lines())
  if (prompts.available) {
    const count = Math.max(LEAST_ROWS, Math.floor(SHOWN_ROWS / sending.length))
    for (const { profile, planned } of shops) {
      if (planned?.shown === undefined || !sending.includes(planned)) continue
      prompts.show(`\n${profile}:\n${await planned.shown(output, count)}`)
    }
  }
  await prompts.confirm({
    message: `${first.verb} ${countOf(rows, first.noun)} in ${countOf(sending.length, 'shop')}?`,
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
  /** Whether jobs:undo can take them back: not what --blind sent, nor what was resumed, which may be of a discount. */
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
  const all = `--profiles ${shellWord(profiles)}`
  if (ends.some(({ DiscountId }) => DiscountId !== null)) {
    output.hint(`seller jobs:due sends the starts and ends. Let the system run it every minute: seller schedule:show cron ${all}`)
  }
  const held = jobWith(shops, ['held', 'failed', 'retryable', 'skipped'])
  if (held !== undefined) output.hint(`See the rows of a shop with: seller jobs:show ${held.id} --failed`)
  const unknown = jobWith(shops, ['unknown'])
  if (unknown !== undefined) output.hint(`What to check: seller jobs:resume ${unknown.id}${unknown.flag}`)
  if (jobWith(shops, ['queued', 'unsent', 'sending']) !== undefined) {
    output.hint(`Wait for the outcome with: seller jobs:resume ${all} --wait`)
  }
  const set = undo ? jobWith(shops, ['ok', 'queued'], 'price') : undefined
  if (set !== undefined) output.hint(`Restore the old prices of a shop with: seller jobs:undo ${set.id}${set.flag}`)
}

/** The first job that has rows in one of these states, and the flag for its shop. */
function jobWith(shops: readonly Shop[], states: readonly string[], kind?: string): { id: number; flag: string } | undefined {
  for (const { profile, finished } of shops) {
    const found = finished?.result.jobs?.find(
      ({ Kind, Counts }) => (kind === undefined || Kind === kind) && states.some((state) => (Counts?.[state] ?? 0) > 0),
    )
    if (typeof found?.JobId === 'number') return { id: found.JobId, flag: ` --profile ${shellWord(profile)}` }
  }
  return undefined
}
