/** Costs of a shop's items: each value with the time from which it holds. Amounts are öre. */
import type { CostInput, CostVersion } from '../../rows/index.js'
import type { Store } from '../../system/sqlite.js'
import type { ShopKey } from './jobs.js'

/** Whose costs they are: one shop of one profile. */
export interface CostOwner {
  readonly profile: string
  readonly userId: number
}

/** New values of an item, öre: undefined leaves a value as it is, null removes it. */
export type NewCost = Omit<CostInput, 'line'>

/** Result of storing, in items. */
export interface CostsStored {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  readonly removed: number
}

export type Costs = ReturnType<typeof openCosts>

type Values = readonly [cost: number | null, lowest: number | null, recommended: number | null]
type StoredRow = [itemId: number, ownReference: string, since: number, ...Values]

const COLUMNS = 'item_id, own_reference, since, cost, lowest, recommended'
const NONE: Values = [null, null, null]

/** The latest version of each item: beside max(), SQLite takes the other columns from the row that has the maximum. */
const AT = `SELECT item_id, own_reference, max(since), cost, lowest, recommended FROM costs
  WHERE profile = ? AND user_id = ? AND since <= ? GROUP BY item_id, own_reference ORDER BY item_id = 0, item_id, own_reference`
const HISTORY = `SELECT ${COLUMNS} FROM costs WHERE profile = ? AND user_id = ? ORDER BY since, item_id, own_reference`

export function openCosts(store: Store) {
  const versions = (sql: string, { profile, userId }: ShopKey, ...more: number[]): StoredRow[] =>
    userId === null ? [] : store.rows<StoredRow>(sql, profile, userId, ...more)
  return {
    /**
     * Stores values from a time on, in one transaction. A version that says the same as the one before it is not stored.
     * @param since ms since 1970
     */
    store(owner: CostOwner, rows: Iterable<NewCost>, since: number): CostsStored {
      return store.transaction(() => {
        const counts = { added: 0, changed: 0, unchanged: 0, removed: 0 }
        const storedValues = new Map(
          versions(AT, owner, since).map(([id, own, _, ...values]) => [keyOf(id, own), values as Values]),
        )
        for (const row of rows) {
          const before = storedValues.get(keyOf(row.itemId, row.ownReference)) ?? NONE
          const after = merged(before, row)
          counts[storeOutcome(before, after)]++
          if (same(before, after)) continue
          const [cost, lowest, recommended] = after
          const item = { profile: owner.profile, user_id: owner.userId, item_id: row.itemId, own_reference: row.ownReference }
          store.put('costs', { ...item, since, cost, lowest, recommended })
          storedValues.set(keyOf(row.itemId, row.ownReference), after)
        }
        return counts
      })
    },
    /** Costs at a time for each item, ids first, without removed ones; none for an unknown seller. @param at ms since 1970 */
    at: (owner: ShopKey, at: number): CostVersion[] => versions(AT, owner, at).map(rowOf).filter(isKnown),
    /** Every version, removals too, oldest first. */
    history: (owner: ShopKey): CostVersion[] => versions(HISTORY, owner).map(rowOf),
  }
}

function keyOf(itemId: number, ownReference: string): string {
  return itemId > 0 ? String(itemId) : `= ${ownReference}`
}

function rowOf([ItemId, OwnReference, Since, Cost, Lowest, Recommended]: StoredRow): CostVersion {
  return { ItemId, OwnReference, Since, Cost, Lowest, Recommended }
}

function isKnown({ Cost, Lowest, Recommended }: CostVersion): boolean {
  return Cost !== null || Lowest !== null || Recommended !== null
}

function merged([cost, lowest, recommended]: Values, row: NewCost): Values {
  const value = (newValue: number | null | undefined, before: number | null) => (newValue === undefined ? before : newValue)
  return [value(row.cost, cost), value(row.lowest, lowest), value(row.recommended, recommended)]
}

function same(one: Values, other: Values): boolean {
  return one.every((value, at) => value === other[at])
}

function storeOutcome(before: Values, after: Values): keyof CostsStored {
  if (same(before, after)) return 'unchanged'
  if (same(before, NONE)) return 'added'
  return same(after, NONE) ? 'removed' : 'changed'
}
