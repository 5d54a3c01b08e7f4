/**
 * The prices that were seen in the live lists of shops: for each shop all prices as they were last seen, in one blob, and what
 * each reading found changed, in one blob a reading. A reading that finds nothing writes a few numbers. The blobs are packed by
 * jobs/history.
 */
import type { Write } from '../../system/aside.js'
import type { Store } from '../../system/sqlite.js'
import type { CostOwner as ShopOwner } from './costs.js'

/** A shop whose live list was read. Times are ms since 1970. */
export interface SeenShop {
  readonly shopId: number
  /** From when on its prices are known: the first reading, or what pruning left. */
  readonly knownFrom: number
  /** The newest job of the ledger at that time. */
  readonly firstJob: number
  /** The last reading of the whole list. */
  readonly seenAt: number
  /** The newest job of the ledger when that reading began. What jobs up to it have done, it has seen. */
  readonly lastJob: number
  /** The oldest job of prices that had rows without a result then; null if there was none. */
  readonly openJob: number | null
  /** Goes up with every reading that is written: of two that ran at once, one is dropped. */
  readonly version: number
  readonly items: number
  readonly prices: Uint8Array
  /** Number of items with an own reference in the last reading of the whole list; null where that was not counted. */
  readonly referenced: number | null
}

/** Changes that a reading found. */
export interface ReadingRow {
  readonly readingId: number
  /** ms since 1970. */
  readonly at: number
  /** The newest job of the ledger when it began. */
  readonly lastJob: number
  /** True if it was of the whole list, and not of a category. */
  readonly whole: boolean
  readonly count: number
  readonly moves: Uint8Array
}

/** A reading as it is written. */
export interface NewReading {
  readonly at: number
  readonly lastJob: number
  readonly openJob: number | null
  readonly whole: boolean
  /** Number of items with an own reference. */
  readonly referenced?: number
  /** undefined if nothing changed; else at least one move. */
  readonly changed?:
    | {
        readonly count: number
        readonly moves: Uint8Array
        readonly items: number
        readonly prices: Uint8Array
      }
    | undefined
}

export type PriceHistory = ReturnType<typeof openPriceHistory>

const SHOP = `SELECT id AS shopId, known_from AS knownFrom, first_job AS firstJob, seen_at AS seenAt, last_job AS lastJob,
  open_job AS openJob, version, items, prices, referenced FROM price_shops WHERE profile = ? AND user_id = ?`
const NEXT_READING = `SELECT id AS readingId, at, last_job AS lastJob, whole, count, moves FROM price_readings
  WHERE shop_id = ? AND at >= ? AND id > ? ORDER BY id LIMIT 1`

/** A row as the driver gives it. */
type Raw<T, B extends keyof T> = Omit<T, B> & Record<B, ArrayBuffer>

export function openPriceHistory(store: Store) {
  return {
    /** The shop; undefined where its list was never read. */
    shop({ profile, userId }: ShopOwner): SeenShop | undefined {
      const shopRow = store.first<Raw<SeenShop, 'prices'>>(SHOP, profile, userId)
      return shopRow === undefined ? undefined : { ...shopRow, prices: new Uint8Array(shopRow.prices) }
    },
    /** Writes the first reading of a shop; nothing where another process was first. */
    begin(
      { profile, userId }: ShopOwner,
      {
        at,
        lastJob,
        openJob,
        items,
        prices,
        referenced,
      }: Omit<NewReading, 'changed' | 'whole'> & { readonly items: number; readonly prices: Uint8Array },
    ): void {
      const reading = { seen_at: at, last_job: lastJob, open_job: openJob, version: 1, items, prices, referenced }
      const row = { profile, user_id: userId, known_from: at, first_job: lastJob, ...reading }
      store.light(() => store.insert('price_shops', row, 'ON CONFLICT DO NOTHING'))
    },
    /** Writes a later one. @returns false, with nothing written, where another was written since the shop was read */
    add(
      { shopId, version }: Pick<SeenShop, 'shopId' | 'version'>,
      { at, lastJob, openJob, whole, referenced, changed }: NewReading,
    ): boolean {
      return store.light(() => {
        const last = whole ? { seen_at: at, last_job: lastJob, open_job: openJob, referenced } : {}
        const now = changed && { items: changed.items, prices: changed.prices }
        if (store.update('price_shops', { version: version + 1, ...last, ...now }, { id: shopId, version }) === 0) return false
        if (changed === undefined) return true
        const { count, moves } = changed
        store.insert('price_readings', { shop_id: shopId, at, last_job: lastJob, whole, count, moves })
        return true
      })
    },
    /** The readings of a shop that found changes, oldest first. @param filter `since`: at or after, ms since 1970 */
    *readings(shopId: number, { since = 0 }: { readonly since?: number } = {}): Generator<ReadingRow> {
      for (let last = 0; ; ) {
        const row = store.first<Raw<ReadingRow, 'moves'> & { whole: unknown }>(NEXT_READING, shopId, since, last)
        if (row === undefined) return
        last = row.readingId
        yield { ...row, whole: Number(row.whole) === 1, moves: new Uint8Array(row.moves) }
      }
    },
    /**
     * Writes packed moves instead of those of a reading, or deletes it, and notes that prices up to it are not known any more.
     */
    shortened: (
      shopId: number,
      { readingId, at, lastJob }: ReadingRow,
      kept: { readonly count: number; readonly bytes: Uint8Array } | undefined,
    ): readonly Write[] => [
      kept === undefined
        ? ['DELETE FROM price_readings WHERE id = ?', readingId]
        : ['UPDATE price_readings SET count = ?, moves = ? WHERE id = ?', kept.count, kept.bytes, readingId],
      ['UPDATE price_shops SET known_from = max(known_from, ?), first_job = max(first_job, ?) WHERE id = ?', at, lastJob, shopId],
    ],
    /** The ids of all shops. */
    shops: (): number[] => store.all<{ id: number }>('SELECT id FROM price_shops ORDER BY id').map(({ id }) => id),
  }
}
