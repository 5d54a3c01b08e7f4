/** How the run ended for one shop: its row in the table, made from what the command wrote for it, or from its error. */

import { EXIT, type ExitCode } from '../../cli/errors.js'
import type { ErrorDocument } from '../../cli/report.js'
import type { PlanSummaryShown, ShopEnd, ShopState } from '../../format/views/index.js'
import { planCounts } from '../jobs/confirm.js'

/** What is left of the work of one shop. */
export interface Finished {
  readonly code: ExitCode
  /** The documents that it wrote. */
  readonly results: readonly unknown[]
  readonly error?: ErrorDocument
}

/** What documents of commands may have that counts here. */
interface Parts {
  readonly JobId?: unknown
  readonly DiscountId?: unknown
  readonly Counts?: Readonly<Record<string, number>> | null
  readonly Unchanged?: number
  readonly Summary?: PlanSummaryShown
  /** Of what jobs:due did: `start`, `end`, `missed`. */
  readonly Part?: string
  readonly Discount?: string
  readonly State?: string
}

/**
 * @param many whether the command writes several documents for one shop, so that Result is a list of them
 * @param stopped why nothing at all was sent
 */
export function endOf(
  profile: string,
  { code, results, error }: Finished,
  { many, stopped }: { many: boolean; stopped: string | null },
): ShopEnd {
  const documents = results.flat().filter((value): value is Parts => typeof value === 'object' && value !== null)
  const counts = countsOf(documents, error)
  const jobIds = [...documents.map(({ JobId }) => JobId), error?.jobId].filter((id) => typeof id === 'number')
  const plan = documents.find(({ Summary }) => Summary !== undefined)?.Summary
  const [only = null] = results
  const discountId = Array.isArray(only) ? undefined : documents[0]?.DiscountId
  return {
    Profile: profile,
    State:
      error === undefined
        ? stateOf(code, counts, plan !== undefined || documents.some(({ State }) => State === 'due'))
        : stateOfError(error),
    ExitCode: code,
    Counts: counts,
    JobIds: [...new Set(jobIds)],
    DiscountId: typeof discountId === 'number' ? discountId : null,
    Message: error?.message ?? stopped ?? plan?.Stopped?.Reason ?? discountsText(documents),
    // Of several jobs some may have ended before the error, and so they may of a list of them.
    Result: many ? results : error === undefined || Array.isArray(only) ? only : null,
    Error: error ?? null,
  }
}

/** A shop that the run was interrupted before, or that the others' plans were shown with. */
export function endWithout(profile: string, state: ShopState, counts: ShopEnd['Counts'], message: string | null): ShopEnd {
  const nothing = { ExitCode: null, JobIds: [], DiscountId: null, Result: null, Error: null }
  return { Profile: profile, State: state, Counts: counts, Message: message, ...nothing }
}

/** `start of "Black week", end of "Flash", missed start of "Xmas"`; null if it is not about discounts. */
function discountsText(documents: readonly Parts[]): string | null {
  const words = documents.flatMap(({ Part, Discount }) =>
    Part === undefined ? [] : [`${Part === 'missed' ? 'missed start' : Part} of "${Discount}"`],
  )
  return words.length === 0 ? null : words.join(', ')
}

function countsOf(documents: readonly Parts[], error: ErrorDocument | undefined): Record<string, number> {
  const sums: Record<string, number> = {}
  const add = (counts: Readonly<Record<string, number>>): void => {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
  }
  for (const { Counts, Unchanged = 0, Summary } of documents) {
    add(Counts ?? {})
    if (Unchanged > 0) add({ unchanged: Unchanged })
    if (Summary !== undefined) add(planCounts(Summary))
  }
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
