/**
 * Settles a copy of the ledger that takes the ledger's place. The copy knows nothing of what was sent since it was made, and the
 * service cannot be set back with it. So whatever it has as still to be done may be done: a single write is unknown, a job waits
 * for the seller, and the start of a discount counts as sent, so that its end restores the prices.
 */

import { type Hold, held, packHold, wordsOf } from '../../holds/index.js'
import { textOf } from '../../messages/index.js'
import { discountPrice } from '../../pricing/index.js'
import type { SqlValue } from '../../system/sqlite.js'
import { isoOf } from '../../system/time.js'
import { BulkJournal, countJobRows } from '../bulk/journal.js'
import { recordCounts } from '../bulk/outcome.js'
import { STRATEGIES } from '../bulk/strategies.js'
import type { BulkKind } from '../bulk/types.js'
import { discountItems, readTerms } from '../discounts/index.js'
import type { StoredDiscount } from '../ledger/discounts.js'
import { JobsError } from '../ledger/errors.js'
import type { JobRecord } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { countSteps, readSteps } from '../listing/steps.js'

/** When something was last recorded in a ledger, ms since 1970; 0 for an empty one. */
export function lastRecord({ store }: Pick<Ledger, 'store'>): number {
  return store.number(`SELECT max(at) FROM (
    SELECT max(at) AS at FROM calls UNION ALL SELECT max(sent_at) FROM requests
    UNION ALL SELECT max(created_at) FROM jobs UNION ALL SELECT max(finished_at) FROM jobs UNION ALL SELECT max(created_at) FROM discounts
    UNION ALL SELECT max(at) FROM signs)`)
}

const OPEN_DISCOUNTS = "state IN ('planned', 'running') AND starts_at <= ?"

/** Rows of a copy that may have been sent since it was made. */
const MAY_BE_SENT = ['unsent', 'sending', 'retryable', 'failed'] as const

/**
 * Settles a copy. Doing it again changes nothing.
 * @param madeAt when its last record was made, ms since 1970
 */
export function settleCopy(ledger: Ledger, madeAt: number): void {
  const { store, clock } = ledger
  const hold = held('restored', { MadeAt: isoOf(madeAt) })
  const why = textOf(wordsOf(hold))
  store.transaction(() => {
    const now = clock.now()
    store.run('UPDATE jobs SET lock_owner = NULL, lock_beat = NULL WHERE lock_owner IS NOT NULL')
    store.run('DELETE FROM discount_claims')
    const unknown: Record<string, SqlValue> = { state: 'unknown', message: why, finished_at: now, owner: null }
    store.update('requests', unknown, { state: 'sending' })
    store.run("UPDATE watched_sales SET state = 'unknown', owner = NULL WHERE state = 'begun'")
    for (const job of ledger.jobs.list({ state: ['open', 'waiting', 'unknown'] }).reverse())
      settleJob(ledger, job, { hold, why }, now)
    for (const discount of store.all<StoredDiscount>(`SELECT * FROM discounts WHERE ${OPEN_DISCOUNTS} ORDER BY id`, now))
      settleDiscount(ledger, discount, now)
    // A shop that was to be closed may be by now. How it was before is not known: open, or nobody would have closed it.
    store.run(
      `UPDATE shop_closings SET state = 'closing', before = coalesce(before, ?) WHERE state = 'planned' AND starts_at <= ?`,
      JSON.stringify({ Closed: false, Message: null }),
      now,
    )
  })
}

/** Words for all that may have been sent since: of rows as a hold, of jobs and steps as a text. */
interface Since {
  readonly hold: Hold
  readonly why: string
}

function settleJob(ledger: Ledger, job: JobRecord, since: Since, now: number): void {
  const { JobId, Kind } = job
  if (Kind === 'listing') settleListing(ledger, job, since.why)
  else if (Kind !== 'sync') settleRows(ledger, JobId, Kind, since, now)
  if (job.PartOf === null) ledger.store.put('restored_jobs', { job_id: JobId, at: now })
}

function settleRows(ledger: Ledger, jobId: number, kind: BulkKind, { hold, why }: Since, now: number): void {
  const { store } = ledger
  const part = store.first<{ part: string }>('SELECT part FROM discount_jobs WHERE job_id = ?', jobId)?.part
  const { single, starts } = STRATEGIES[kind]
  const journal = new BulkJournal(ledger, jobId)
  // A row of relist is known by its request, and one that is sent since is of a request that the copy does not know.
  if (single || starts !== undefined || part === 'start') {
    for (const state of MAY_BE_SENT)
      journal.change(state, (batch, at) => {
        if (starts === undefined || starts(batch, at) <= now) batch.set(at, 'unknown', hold)
      })
  }
  if (part === 'start') ledger.jobs.finish(jobId, { state: 'cancelled', counts: countJobRows(ledger, jobId), message: why })
  else recordCounts(ledger, jobId, journal.tally, why)
}

function settleListing(ledger: Ledger, { JobId, State }: JobRecord, why: string): void {
  // All is sent: its result says the rest.
  if (State === 'waiting') return
  const { store } = ledger
  store.run(
    "UPDATE listing_steps SET state = 'unknown', message = ? WHERE job_id = ? AND state IN ('waiting', 'sending')",
    why,
    JobId,
  )
  ledger.jobs.update(JobId, { state: 'unknown', counts: countSteps(readSteps(store, JobId)), message: why })
}

/** Terms of a discount; undefined where another version wrote them: that does not keep the rest of a copy from its place. */
function termsWhereReadable(discount: StoredDiscount): ReturnType<typeof readTerms> | undefined {
  try {
    return readTerms(discount)
  } catch (error) {
    if (error instanceof JobsError && error.code === 'discount_unreadable') return undefined
    throw error
  }
}

/**
 * A discount whose start is past may have begun since. Each item that waits to join it becomes one of which it is not known
 * whether its price was sent: the end compares it with the live list, and restores the normal price where the price of the
 * discount is live.
 */
function settleDiscount(ledger: Ledger, discount: StoredDiscount, now: number): void {
  const { store } = ledger
  const { id, profile, user_id, starts_at, ends_at, started_at } = discount
  const terms = termsWhereReadable(discount)
  for (const { item_id, before, price: own } of [...discountItems(ledger, id, 'planned')]) {
    if (before === null || terms === undefined) {
      const reason = packHold(held('sent_unknown', { Price: null }))
      store.update('discount_items', { state: 'held', reason }, { discount_id: id, item_id })
      continue
    }
    const sql = 'SELECT normal, price, sent FROM discount_prices WHERE profile = ? AND user_id = ? AND item_id = ?'
    const knownItem = store.first<{ normal: number; price: number; sent: number | null }>(sql, profile, user_id, item_id)
    const normal = knownItem?.normal ?? before
    const sentPrice = Math.min(discountPrice(terms(own), normal), knownItem?.sent ?? knownItem?.price ?? normal)
    store.put('discount_prices', {
      ...{ profile, user_id, item_id, normal, price: knownItem?.price ?? normal },
      ...{ sent: sentPrice, job_id: null, sure_at: now },
    })
    const reason = packHold(held('sent_unknown', { Price: sentPrice }))
    store.update('discount_items', { state: 'on', price: own, reason }, { discount_id: id, item_id })
  }
  store.update(
    'discounts',
    { state: 'running', started_at: started_at ?? starts_at, next_at: Math.min(ends_at, discount.next_at ?? ends_at) },
    { id },
  )
}
