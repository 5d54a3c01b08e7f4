/** Work that jobs:due should have done by now. A timer that has died says nothing itself, so others look for what it left. */
import { ROW_STATES, type ShownJob, type ShownJobState } from '../../contract/jobs.js'
import type { ShopKey } from './jobs.js'
import type { Ledger } from './ledger.js'
import { isOverdue, OVERDUE_AFTER_MS } from './overdue-after.js'
import { readPace } from './paced.js'

export interface Overdue {
  readonly What: 'start' | 'end' | 'relist' | 'rows' | 'close' | 'open'
  /** Id of the discount or the job; 0 of a closing. */
  readonly Id: number
  /** Name as a part of a sentence: `the end of discount 3 "Black week"`. */
  readonly Name: string
  /** When it was due, ms since 1970. */
  readonly since: number
}

type Kept = Pick<Ledger, 'store' | 'clock' | 'discounts' | 'jobs' | 'closings'>

/** @returns what is overdue of a shop, the oldest first */
export function overdueWork(ledger: Kept, shop: ShopKey): Overdue[] {
  const latest = ledger.clock.now() - OVERDUE_AFTER_MS
  const discounts = ledger.discounts
    .due(shop)
    .filter((discount) => isOverdue(discount, ledger.clock.now()))
    .map(({ id, name, starts_at, ends_at }): Overdue => {
      const isEnd = ends_at <= latest
      const what = isEnd ? 'end' : 'start'
      return { What: what, Id: id, Name: `the ${what} of discount ${id} "${name}"`, since: isEnd ? ends_at : starts_at }
    })
  const rows = ledger.jobs
    .list({ profile: shop.profile, userId: shop.userId, state: ['open', 'waiting'], partOf: null })
    .flatMap((job): Overdue[] => {
      const since = job.Running ? undefined : scheduledAt(ledger, job)
      if (since === undefined || since > latest) return []
      const [What, what] = job.Kind === 'relist' ? (['relist', 'auctions'] as const) : (['rows', 'rows'] as const)
      return [{ What, Id: job.JobId, Name: `${what} of job ${job.JobId}`, since }]
    })
  return [...discounts, ...rows, ...overdueClosings(ledger, shop)].sort((one, other) => one.since - other.since)
}

function overdueClosings({ closings, clock }: Kept, shop: ShopKey): Overdue[] {
  const closing = closings.open(shop)
  if (closing === undefined || !isOverdue(closing, clock.now())) return []
  const { ends_at: ends, starts_at: since } = closing
  const isEnd = ends <= clock.now() - OVERDUE_AFTER_MS
  if (isEnd && closing.state !== 'planned') return [{ What: 'open', Id: 0, Name: 'the opening of the shop', since: ends }]
  return [{ What: 'close', Id: 0, Name: 'the closing of the shop', since }]
}

/** Profiles that jobs:due may have something to do for: one question for all shops. Of the others nothing is due, nor overdue. */
export function profilesWithDueWork({ store, clock }: Pick<Kept, 'store' | 'clock'>): ReadonlySet<string> {
  const sql = `SELECT profile FROM discounts WHERE next_at <= ?1
    UNION SELECT profile FROM shop_closings WHERE next_at <= ?1
    UNION SELECT profile FROM jobs WHERE kind = 'relist' AND state IN ('open', 'waiting', 'unknown')
    UNION SELECT j.profile FROM paced_jobs p JOIN jobs j ON j.id = p.job_id AND j.state IN ('open', 'waiting')`
  return new Set(store.all<{ profile: string }>(sql, clock.now()).map(({ profile }) => profile))
}

/** As it is kept, and as it is shown. */
const MAY_WAIT: readonly ShownJobState[] = ['open', 'scheduled', 'overdue']

/** A job as far as its time depends on it. */
type Timed = Pick<ShownJob, 'Kind' | 'JobId' | 'State' | 'PartOf' | 'CreatedAt'>

/**
 * When a job whose rows all wait for their time has its next one, or one that is sent by the day goes on, ms since 1970: jobs:due
 * sends it, and nobody need resume it. Undefined for any other.
 */
export function scheduledAt(ledger: Pick<Kept, 'store' | 'jobs' | 'clock'>, job: Timed): number | undefined {
  const { Kind, JobId, State } = job
  if ((!MAY_WAIT.includes(State) && State !== 'waiting') || ledger.jobs.isRestored(JobId)) return undefined
  const pace = readPace(ledger, job)
  if (pace !== undefined) return pace.nextAt
  return Kind === 'relist' && State !== 'waiting' ? nextStart(ledger, JobId) || undefined : undefined
}

/** The state of a job as it is shown: one whose rows wait for their time is scheduled, or overdue. */
export function shownState(
  ledger: Pick<Kept, 'store' | 'jobs' | 'clock'>,
  job: Timed & Pick<ShownJob, 'Running'>,
): ShownJobState {
  if (job.State === 'waiting') return job.State
  const at = scheduledAt(ledger, job)
  if (at === undefined) return job.State
  return !job.Running && isOverdue({ next_at: at }, ledger.clock.now()) ? 'overdue' : 'scheduled'
}

const OPEN = [ROW_STATES.indexOf('unsent'), ROW_STATES.indexOf('sending')]

/**
 * Rows of relist that wait for their time: when the next is sent, ms since 1970; 0 for one that is sent at once. Undefined where
 * none waits.
 */
export function nextStart({ store }: Pick<Ledger, 'store'>, jobId: number): number | undefined {
  const batches = store.rows<[Buffer, string]>(
    `SELECT s.states, b.payloads FROM bulk_states s JOIN bulk_batches b ON b.job_id = s.job_id AND b.batch = s.batch
     WHERE s.job_id = ? AND s.unsent + s.sending > 0 AND b.payloads NOT NULL`,
    jobId,
  )
  let next: number | undefined
  for (const [states, payloads] of batches) {
    const rows = JSON.parse(payloads) as readonly ({ readonly StartsAt?: string | null } | null)[]
    for (const [at, row] of rows.entries()) {
      if (!OPEN.includes(states[at] ?? -1)) continue
      const start = row?.StartsAt ? Date.parse(row.StartsAt) : 0
      next = Math.min(next ?? start, start)
    }
  }
  return next
}
