/** The upkeep of discounts with a start and an end: what pruning keeps and removes, and what a check looks for. */
import { DISCOUNT_ITEM_STATES, DISCOUNT_STATES } from '../../contract/index.js'
import type { Write } from '../../system/aside.js'
import type { Store } from '../../system/sqlite.js'
import { quoted, type Rules } from './types.js'

const OVER = "('ended', 'dropped', 'missed')"

/** Of some jobs, those that a discount still needs: it is not over, or has not taken in what became of them. */
export function jobsOfOpenDiscounts(store: Store, jobIds: readonly number[]): number[] {
  return store
    .all<{ id: number }>(
      `SELECT j.job_id AS id FROM discount_jobs j LEFT JOIN discounts s ON s.id = j.discount_id
       WHERE j.job_id IN (SELECT value FROM json_each(?)) AND (j.settled = 0 OR s.state NOT IN ${OVER}
         OR EXISTS (SELECT 1 FROM discount_prices p WHERE p.job_id = j.job_id))`,
      JSON.stringify(jobIds),
    )
    .map(({ id }) => id)
}

/**
 * What removes what discounts know of jobs that are removed, and the discounts that ended before an instant and have no job left. The normal prices of items
 * in a discount always stay. Before the jobs are removed.
 * @param before ms since 1970
 */
export function removalOfEndedDiscounts(before: number, jobIds: readonly number[]): Write[] {
  const ids = JSON.stringify(jobIds)
  const old = `SELECT id FROM discounts s WHERE state IN ${OVER} AND coalesce(ended_at, ends_at) < ?
    AND NOT EXISTS (SELECT 1 FROM discount_jobs j WHERE j.discount_id = s.id)
    AND NOT EXISTS (SELECT 1 FROM discount_items i WHERE i.discount_id = s.id AND i.state = 'failed')`
  return [
    ...['discount_changes', 'discount_jobs'].map(
      (table): Write => [`DELETE FROM ${table} WHERE job_id IN (SELECT value FROM json_each(?))`, ids],
    ),
    [`DELETE FROM discount_items WHERE discount_id IN (${old})`, before],
    [
      `DELETE FROM discounts WHERE id IN (${old}) AND NOT EXISTS (SELECT 1 FROM discount_items i WHERE i.discount_id = discounts.id)`,
      before,
    ],
  ]
}

export const SCHEDULED_DISCOUNTS_RULES: Rules = {
  'its state is unknown to this tool': `SELECT id AS at FROM discounts WHERE state NOT IN (${quoted(DISCOUNT_STATES)})`,
  'it ends before it begins': 'SELECT id AS at FROM discounts WHERE ends_at < starts_at',
  'it is over and something is due for it, or it is not and nothing ever is': `SELECT id AS at FROM discounts WHERE (state IN ${OVER}) <> (next_at IS NULL)`,
  'its rule or its guards cannot be read':
    'SELECT id AS at FROM discounts WHERE NOT json_valid(guards) OR (rule IS NOT NULL AND NOT json_valid(rule))',
  'one of its items has a state that is unknown to this tool': `SELECT DISTINCT discount_id AS at FROM discount_items WHERE state NOT IN (${quoted(DISCOUNT_ITEM_STATES)})`,
  'it does not run, and has items that are in it': `SELECT DISTINCT i.discount_id AS at FROM discount_items i JOIN discounts s ON s.id = i.discount_id
      WHERE i.state = 'on' AND s.state NOT IN ('running', 'ending')`,
  'the normal price of one of its items is not there': `SELECT DISTINCT i.discount_id AS at FROM discount_items i JOIN discounts s ON s.id = i.discount_id WHERE i.state = 'on' AND NOT EXISTS (
      SELECT 1 FROM discount_prices p WHERE p.profile = s.profile AND p.user_id = s.user_id AND p.item_id = i.item_id)`,
}
