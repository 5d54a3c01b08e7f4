/**
 * Which sales transactions:watch has delivered. A sale is entered as `begun` before it is delivered and as `done` afterwards, so
 * that no run, and no two at once, deliver it twice. One that a killed process left `begun` is unknown: it is never delivered
 * again by itself.
 */
import type { Clock } from '../../soap/client/index.js'
import { DAY_MS, MINUTE_MS } from '../../system/durations.js'
import { isAtWork, thisProcess } from '../../system/process-owner.js'
import type { SqlValue, Store } from '../../system/sqlite.js'
import { type SalesOwner, shopNumber } from './transactions.js'

/** A sale that a process which cannot be judged has begun, and been silent about for so long, is unknown, ms. */
const ABANDONED_AFTER_MS = 15 * MINUTE_MS

/**
 * Time before the last look in which a sale is still found, ms: the clocks of the service and of this machine may differ, and a
 * sale may show up late.
 */
export const OVERLAP_MS = DAY_MS

export interface WatchState {
  /** Sales before it are never delivered, ms. */
  readonly since: number
  /** Begin of the last complete look, ms; null before the first. */
  readonly lookedAt: number | null
}

export interface WatchedSale {
  readonly Id: number
  /** When it was sold, ms. */
  readonly At: number
}

export type SaleWatch = ReturnType<typeof openWatch>

export function openWatch({ store, clock }: { readonly store: Store; readonly clock: Clock }, owner: SalesOwner, name: string) {
  const shop = shopNumber(store, owner)
  const key = { shop_id: shop, name }
  /** Rows that another process took meanwhile are left to it. */
  const set = (id: number, state: string, attempts = 0, by = thisProcess()): void => {
    store.run(
      `UPDATE watched_sales SET state = ?, attempts = attempts + ?, owner = NULL, changed_at = ?
       WHERE shop_id = ? AND name = ? AND id = ? AND (owner IS NULL OR owner = ?)`,
      ...[state, attempts, clock.now(), shop, name, id, by],
    )
  }
  const setAll = (ids: Iterable<number>, state: string, attempts = 0): void =>
    store.transaction(() => {
      for (const id of ids) set(id, state, attempts)
    })
  const put = ({ Id, At }: WatchedSale, state: string, attempts: number, owner: string | null): void =>
    store.put('watched_sales', { ...key, id: Id, at: At, state, attempts, owner, changed_at: clock.now() })
  const rows = <T>(columns: string, more: string, ...values: SqlValue[]): T[] =>
    store.all<T>(`SELECT ${columns} FROM watched_sales WHERE shop_id = ? AND name = ? AND ${more}`, shop, name, ...values)
  const findSale = (id: number) => rows<{ state: string; attempts: number }>('state, attempts', 'id = ?', id)[0]
  const inState = (state: string): WatchedSale[] => rows('id AS Id, at AS At', 'state = ? ORDER BY at, id', state)
  return {
    /** undefined before the first run of this name. */
    state(): WatchState | undefined {
      return store.first<WatchState>(
        'SELECT since, looked_at AS lookedAt FROM sale_watches WHERE shop_id = ? AND name = ?',
        shop,
        name,
      )
    },
    /** Starts the watch. @param known sales that are there already, and are never delivered */
    start(since: number, knownSales: readonly WatchedSale[]): void {
      store.transaction(() => {
        const { changes } = store.insert('sale_watches', { ...key, since }, 'ON CONFLICT DO NOTHING')
        // Another process was first: what it has not seen yet is new.
        if (changes === 1) for (const sale of knownSales) put(sale, 'done', 0, null)
      })
    },
    /**
     * Notes that everything sold before an instant was seen, ms. Without it, the next look begins earlier and finds what was
     * delivered.
     */
    noteLook(at: number): void {
      store.light(() => store.update('sale_watches', { looked_at: at }, key))
    },
    /**
     * Takes sales for this process, before they are delivered.
     * @returns of each how many times it was tried before; without those that were delivered or given up, and another process's
     */
    take(sales: readonly WatchedSale[]): ReadonlyMap<number, number> {
      return store.transaction(() => {
        const attemptsById = new Map<number, number>()
        for (const sale of sales) {
          const row = findSale(sale.Id)
          if (row !== undefined && row.state !== 'failed') continue
          const attempts = row?.attempts ?? 0
          put(sale, 'begun', attempts + 1, thisProcess())
          attemptsById.set(sale.Id, attempts)
        }
        return attemptsById
      })
    },
    /** Notes that this process is still at work on what it took. */
    beat(): void {
      store.update('watched_sales', { changed_at: clock.now() }, { ...key, state: 'begun', owner: thisProcess() })
    },
    /** They were delivered. */
    done: (ids: Iterable<number>): void => setAll(ids, 'done'),
    /** It was refused: tried again at the next look, or given up. */
    failed: (id: number, givenUp: boolean): void => set(id, givenUp ? 'given up' : 'failed'),
    /** Nobody knows whether it was delivered. */
    unknown: (id: number): void => set(id, 'unknown'),
    /** Nothing was delivered after all: as if they had not been taken. */
    release: (ids: Iterable<number>): void => setAll(ids, 'failed', -1),
    /** Marks what dead processes have left as unknown. @returns those that were marked now */
    markAbandoned(): WatchedSale[] {
      return store.transaction(() => {
        const begunSales = rows<WatchedSale & { owner: string; changed: number }>(
          'id AS Id, at AS At, owner, changed_at AS changed',
          "state = 'begun' ORDER BY at, id",
        )
        const abandonedSales = begunSales.filter(
          ({ owner: by, changed }) => !isAtWork(by, { silentMs: clock.now() - changed, patienceMs: ABANDONED_AFTER_MS }),
        )
        for (const { Id, owner: by } of abandonedSales) set(Id, 'unknown', 0, by)
        return abandonedSales.map(({ Id, At }) => ({ Id, At }))
      })
    },
    /** Sales of unknown outcome, and those that were given up. */
    open: (): { readonly unknown: WatchedSale[]; readonly givenUp: WatchedSale[] } => ({
      unknown: inState('unknown'),
      givenUp: inState('given up'),
    }),
    /** When the oldest sale that is to be tried again was sold, ms. */
    oldestFailed: (): number | undefined => inState('failed')[0]?.At,
    /** Has sales delivered again that are unknown or were given up. @returns the ids of those that are neither */
    again(ids: readonly number[]): number[] {
      return store.transaction(() =>
        ids.filter((id) => {
          const state = findSale(id)?.state
          if (state !== 'unknown' && state !== 'given up') return true
          store.update('watched_sales', { state: 'failed', attempts: 0, changed_at: clock.now() }, { ...key, id })
          return false
        }),
      )
    },
  }
}
