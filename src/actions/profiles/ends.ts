/** How the run ended for one shop: its row in the table, made from the result of the action, or from its error. */

import { EXIT, type ExitCode } from '../../cli/errors.js'
import type { ErrorDocument } from '../../cli/report.js'
import type { ShopEnd, ShopState } from '../../format/views/index.js'
import { planCounts } from '../jobs/confirm.js'
import type { Result } from '../result.js'

/** What is left of the work of one shop. */
export interface Finished {
  /** With the code that it ended with. */
  readonly result: Result
  /** What it shows, as values of JSON. */
  readonly values: readonly unknown[]
  readonly error?: ErrorDocument
}

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
