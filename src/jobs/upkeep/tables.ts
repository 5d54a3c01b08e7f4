/** One table of what the upkeep knows of the ledger's tables: what must hold of their rows, and which rows are old. */
import { CLOSING_STATES } from '../../contract/closings.js'
import { DISCOUNT_ITEM_STATES, DISCOUNT_STATES } from '../../contract/index.js'
import type { Write } from '../../system/aside.js'
import { removalOfPeople } from '../ledger/orders.js'
import { OVERLAP_MS } from '../ledger/sale-watches.js'

/** Something that is not as it must be. */
export interface Finding {
  /** file: SQLite's own check; references: a row that names a missing one; the others: rules of this tool. */
  readonly Check:
    | 'file'
    | 'references'
    | 'jobs'
    | 'rows'
    | 'steps'
    | 'requests'
    | 'sales'
    | 'discounts'
    | 'closings'
    | 'prices'
    | 'costs'
  /** The table, with the job, request or batch if there is one. */
  readonly Where: string
  readonly Problem: string
}

export function finding(Check: Finding['Check'], Where: string, Problem: string): Finding {
  return { Check, Where, Problem }
}

/**
 * Tables of what belongs to a row of another one, by the column that names it: it is taken over and removed with that. One comes
 * after those that its rows refer to.
 */
export const BELONGING = [
  ['listing_steps', 'jobs', 'job_id'],
  ['bulk_batches', 'jobs', 'job_id'],
  ['bulk_states', 'jobs', 'job_id'],
  ['discount_items', 'discounts', 'discount_id'],
  ['discount_jobs', 'jobs', 'job_id'],
  ['discount_changes', 'jobs', 'job_id'],
  ['restored_jobs', 'jobs', 'job_id'],
  ['paced_jobs', 'jobs', 'job_id'],
  ['shop_run_shops', 'shop_runs', 'run_id'],
] as const

/** Rules that SQL can check. */
interface TableRules {
  readonly check: Finding['Check']
  /** Noun for the id in `at`. */
  readonly what: string
  /** SQL that selects what breaks a rule, as `at`, by the problem. */
  readonly must: Readonly<Record<string, string>>
}

const JOB_STATES = ['open', 'waiting', 'unknown', 'ok', 'partial', 'failed', 'cancelled']
const REQUEST_STATES = ['sending', 'queued', 'ok', 'retryable', 'failed', 'refused', 'unknown']
const STEP_STATES = ['waiting', 'sending', 'done', 'failed', 'skipped', 'unknown']
/** Discounts of which nothing is open. */
export const OVER_DISCOUNTS = "('ended', 'dropped', 'missed')"

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ')
}

export const RULES: readonly TableRules[] = [
  {
    check: 'jobs',
    what: 'job',
    must: {
      'its state is unknown to this tool': `SELECT id AS at FROM jobs WHERE state NOT IN (${quoted(JOB_STATES)})`,
      'its details cannot be read': 'SELECT id AS at FROM jobs WHERE NOT json_valid(detail) OR NOT json_valid(counts)',
      'it is finished without a time, or unfinished with one':
        "SELECT id AS at FROM jobs WHERE (state IN ('ok', 'partial', 'failed', 'cancelled')) <> (finished_at IS NOT NULL)",
      'it is a part of a job that came after it': 'SELECT id AS at FROM jobs WHERE part_of >= id',
      'it is a sync without parts':
        "SELECT id AS at FROM jobs j WHERE kind = 'sync' AND NOT EXISTS (SELECT 1 FROM jobs WHERE part_of = j.id)",
      'it takes back a job that came after it': 'SELECT id AS at FROM jobs WHERE undo_of >= id',
      'it is finished, and has rows that are not sent or have no result': `SELECT DISTINCT j.id AS at FROM jobs j JOIN bulk_states s ON s.job_id = j.id
          WHERE j.state IN ('ok', 'partial', 'failed') AND s.unsent + s.sending + s.queued > 0`,
      'it is a listing without steps':
        "SELECT id AS at FROM jobs j WHERE kind = 'listing' AND NOT EXISTS (SELECT 1 FROM listing_steps WHERE job_id = j.id)",
    },
  },
  {
    check: 'steps',
    what: 'job',
    must: {
      'a step has a state that is unknown to this tool': `SELECT DISTINCT job_id AS at FROM listing_steps WHERE state NOT IN (${quoted(STEP_STATES)})`,
      'its steps are not numbered from 1 on':
        'SELECT job_id AS at FROM listing_steps GROUP BY job_id HAVING min(step) <> 1 OR max(step) <> count(*)',
    },
  },
  {
    check: 'requests',
    what: 'request row',
    must: {
      'its state is unknown to this tool': `SELECT row AS at FROM requests WHERE state NOT IN (${quoted(REQUEST_STATES)})`,
      'it was taken by the service, and has no request id':
        "SELECT row AS at FROM requests WHERE state IN ('queued', 'ok', 'retryable') AND request_id IS NULL",
      'it has a result without a time, or none with one':
        "SELECT row AS at FROM requests WHERE (state NOT IN ('sending', 'queued')) <> (finished_at IS NOT NULL)",
      'it is marked as being sent, but no process sends it':
        "SELECT row AS at FROM requests WHERE state = 'sending' AND owner IS NULL",
      'it belongs to a job of another profile':
        'SELECT r.row AS at FROM requests r JOIN jobs j ON j.id = r.job_id WHERE j.profile <> r.profile',
    },
  },
  {
    check: 'sales',
    what: 'shop',
    must: {
      'a span of read sales ends before it begins, or reaches into the next one': `SELECT a.shop_id AS at FROM transaction_ranges a WHERE a.to_at < a.from_at OR EXISTS (
          SELECT 1 FROM transaction_ranges b WHERE b.shop_id = a.shop_id AND b.from_at > a.from_at AND b.from_at <= a.to_at)`,
      'own references of a sale cannot be read':
        'SELECT DISTINCT shop_id AS at FROM transactions WHERE NOT json_valid(own_references)',
      'a watched sale has a state that is unknown to this tool':
        "SELECT DISTINCT shop_id AS at FROM watched_sales WHERE state NOT IN ('begun', 'done', 'failed', 'given up', 'unknown')",
      'a watched sale is marked as being delivered, but no process does it':
        "SELECT DISTINCT shop_id AS at FROM watched_sales WHERE state = 'begun' AND owner IS NULL",
    },
  },
  {
    check: 'discounts',
    what: 'discount',
    must: {
      'its state is unknown to this tool': `SELECT id AS at FROM discounts WHERE state NOT IN (${quoted(DISCOUNT_STATES)})`,
      'it ends before it begins': 'SELECT id AS at FROM discounts WHERE ends_at < starts_at',
      'it is over and something is due for it, or it is not and nothing ever is': `SELECT id AS at FROM discounts WHERE (state IN ${OVER_DISCOUNTS}) <> (next_at IS NULL)`,
      'its rule or its guards cannot be read':
        'SELECT id AS at FROM discounts WHERE NOT json_valid(guards) OR (rule IS NOT NULL AND NOT json_valid(rule))',
      'one of its items has a state that is unknown to this tool': `SELECT DISTINCT discount_id AS at FROM discount_items WHERE state NOT IN (${quoted(DISCOUNT_ITEM_STATES)})`,
      'it does not run, and has items that are in it': `SELECT DISTINCT i.discount_id AS at FROM discount_items i JOIN discounts s ON s.id = i.discount_id
          WHERE i.state = 'on' AND s.state NOT IN ('running', 'ending')`,
      'the normal price of one of its items is not there': `SELECT DISTINCT i.discount_id AS at FROM discount_items i JOIN discounts s ON s.id = i.discount_id WHERE i.state = 'on' AND NOT EXISTS (
          SELECT 1 FROM discount_prices p WHERE p.profile = s.profile AND p.user_id = s.user_id AND p.item_id = i.item_id)`,
    },
  },
  {
    check: 'closings',
    what: 'shop',
    must: {
      'its state is unknown to this tool': `SELECT profile AS at FROM shop_closings WHERE state NOT IN (${quoted(CLOSING_STATES)})`,
      'it ends before it begins': 'SELECT profile AS at FROM shop_closings WHERE ends_at < starts_at',
      'it is over and something is due for it, or it is not and nothing ever is': `SELECT profile AS at FROM shop_closings
          WHERE (state IN ('planned', 'closing', 'closed')) <> (next_at IS NOT NULL)`,
      'how the shop was before cannot be read':
        "SELECT profile AS at FROM shop_closings WHERE (before IS NULL AND state = 'closed') OR NOT json_valid(coalesce(before, '{}'))",
    },
  },
]

/** Rows that pruning counts and removes by their age alone. ?1 is an instant, ms since 1970. */
export const OLD = {
  Calls: 'calls WHERE at < ?1',
  /** A report that needs them reads them again. */
  Sales: 'transactions WHERE at < ?1',
  Orders: 'orders WHERE updated_at < ?1',
  /** Versions of costs that another one followed before that: what held then stays. */
  Costs: `costs WHERE since < ?1 AND EXISTS (SELECT 1 FROM costs later WHERE later.profile = costs.profile
  AND later.user_id = costs.user_id AND later.item_id = costs.item_id AND later.own_reference = costs.own_reference
  AND later.since > costs.since AND later.since <= ?1)`,
} as const

/**
 * Removes what goes with sales and orders from before an instant, ms since 1970: the facts about their items and buyers, and that
 * they were read. A report that needs them asks the service again.
 */
export function removalAfterOldSales(before: number): Write[] {
  return [
    ['DELETE FROM transaction_ranges WHERE to_at < ?', before],
    ['UPDATE transaction_ranges SET from_at = ?1 WHERE from_at < ?1', before],
    [
      'DELETE FROM sold_items WHERE NOT EXISTS (SELECT 1 FROM transactions t WHERE t.shop_id = sold_items.shop_id AND t.item_id = sold_items.item_id)',
    ],
    ['DELETE FROM order_marks WHERE marked_at < ?', before],
    ['DELETE FROM order_ranges WHERE to_at < ?', before],
    ...removalOfPeople(before),
    ['UPDATE order_ranges SET from_at = ?1 WHERE from_at < ?1', before],
    // A mark is all that keeps a sale from being delivered again. A watch reads from the oldest sale that it tries again, or from
    // a day before its last look, and an old order comes again when it changes. So marks are removed only of a watch that nobody
    // has run since and that has nothing to try again, only those that its next look does not reach, and what is older is not
    // delivered by it any more.
    [
      `UPDATE sale_watches SET since = max(since, looked_at - ?2) WHERE looked_at < ?1
         AND NOT EXISTS (SELECT 1 FROM watched_sales o WHERE o.shop_id = sale_watches.shop_id AND o.name = sale_watches.name
           AND o.state <> 'done')`,
      before,
      OVERLAP_MS,
    ],
    [
      `DELETE FROM watched_sales WHERE state = 'done' AND at < ?1
         AND NOT EXISTS (SELECT 1 FROM sale_watches w WHERE w.shop_id = watched_sales.shop_id AND w.name = watched_sales.name
           AND watched_sales.at >= w.since)`,
      before,
    ],
  ]
}

/** Removes what belongs to jobs, and then the jobs. @param ids as a JSON list */
export function removalOfJobs(ids: string): Write[] {
  const belonging = BELONGING.filter(([, of]) => of === 'jobs').reverse()
  return [...belonging.map(([table, , column]) => [table, column]), ['jobs', 'id']].map(([table, column]): Write => {
    return [`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`, ids]
  })
}

/**
 * Removes the discounts that ended before an instant and have no job left. The normal prices of items in a discount always stay.
 * After the records about removed jobs are gone.
 * @param before ms since 1970
 */
export function removalOfEndedDiscounts(before: number): Write[] {
  const old = `SELECT id FROM discounts s WHERE state IN ${OVER_DISCOUNTS} AND coalesce(ended_at, ends_at) < ?
    AND NOT EXISTS (SELECT 1 FROM discount_jobs j WHERE j.discount_id = s.id)
    AND NOT EXISTS (SELECT 1 FROM discount_items i WHERE i.discount_id = s.id AND i.state = 'failed')`
  return [
    [`DELETE FROM discount_items WHERE discount_id IN (${old})`, before],
    [
      `DELETE FROM discounts WHERE id IN (${old}) AND NOT EXISTS (SELECT 1 FROM discount_items i WHERE i.discount_id = discounts.id)`,
      before,
    ],
  ]
}
