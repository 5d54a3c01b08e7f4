/** Own references that live lists had: a later addition of the same reference may be the same item once more. */
import { isoOf } from '../system/time.js'
import type { CostOwner as ShopOwner } from './ledger/costs.js'
import type { Ledger } from './ledger/ledger.js'

/** Rows in one statement: SQLite takes about as long for 500 as for one. */
const AT_ONCE = 500
/** A reference that was seen a moment ago is not written again, ms. */
const FRESH_MS = 60 * 60 * 1000

interface Referred {
  readonly Id: number
  readonly OwnReferences?: readonly string[] | null | undefined
}

/** Remembers which item had each own reference when the list was read. Spaces around a reference do not count. */
export function rememberReferences({ store, clock }: Ledger, { profile, userId }: ShopOwner, items: Iterable<Referred>): void {
  const write = (rows: readonly (readonly [string, number])[]): void => {
    store.run(
      `INSERT INTO own_references (profile, user_id, reference, item_id, seen_at)
       SELECT ?, ?, value ->> 0, value ->> 1, ? FROM json_each(?) WHERE true
       ON CONFLICT (profile, user_id, reference) DO UPDATE SET item_id = excluded.item_id, seen_at = excluded.seen_at
       WHERE item_id <> excluded.item_id OR seen_at < excluded.seen_at - ${FRESH_MS}`,
      profile,
      userId,
      clock.now(),
      JSON.stringify(rows),
    )
  }
  store.light(() => {
    let rows: [string, number][] = []
    for (const { Id, OwnReferences } of items) {
      for (const reference of OwnReferences ?? []) if (reference.trim() !== '') rows.push([reference.trim(), Id])
      if (rows.length < AT_ONCE) continue
      write(rows)
      rows = []
    }
    if (rows.length > 0) write(rows)
  })
}

/** An item that had an own reference when a live list was last read with it. */
export interface SeenReference {
  readonly itemId: number
  /** ISO 8601 */
  readonly at: string
}

/** Facts remembered about some own references. */
export function seenReferences(
  { store }: Ledger,
  { profile, userId }: ShopOwner,
  references: Iterable<string>,
): Map<string, SeenReference> {
  const rows = store.all<{ reference: string; item_id: number; seen_at: number }>(
    `SELECT reference, item_id, seen_at FROM own_references
     WHERE profile = ? AND user_id = ? AND reference IN (SELECT value FROM json_each(?))`,
    profile,
    userId,
    JSON.stringify([...references]),
  )
  return new Map(rows.map(({ reference, item_id: itemId, seen_at: at }) => [reference, { itemId, at: isoOf(at) }]))
}

/** The own references that a shop had when its live list was last read with them. */
export function* rememberedReferences(
  { store }: Ledger,
  { profile, userId }: ShopOwner,
): Generator<{ readonly Id: number; readonly OwnReferences: readonly string[] }> {
  const rows = store.all<{ reference: string; item_id: number }>(
    'SELECT reference, item_id FROM own_references WHERE profile = ? AND user_id = ?',
    profile,
    userId,
  )
  for (const { reference, item_id: Id } of rows) yield { Id, OwnReferences: [reference] }
}
