/**
 * Orders that were read, kept so that a list or a report costs calls only for what is new. What tells who the buyer is (names, addresses,
 * how to reach somebody, references of payments) is kept apart, for as long as the profile says, and overwritten when it is removed.
 */
import { instantOf, type Output, type SellerOrder } from '../../contract/index.js'
import type { Clock } from '../../soap/client/index.js'
import type { Write } from '../../system/aside.js'
import { DAY_MS } from '../../system/durations.js'
import type { SqlValue, Store } from '../../system/sqlite.js'
import { TABLES } from './layout.js'
import { openSpans, type SalesOwner, type Span, shopNumber } from './transactions.js'

export type Order = Output<typeof SellerOrder>

/** What is known of an order beside what the order service says of it. */
export interface OrderMarks {
  /** Marked by a job of this ledger. */
  readonly paid: boolean
  readonly sent: boolean
  /** The service no longer has it. */
  readonly gone: boolean
}

export interface WhichOrders {
  readonly created?: Span
  readonly updated?: Span
  readonly ids?: readonly number[]
}

export type KeptOrders = ReturnType<typeof openOrders>

/** Orders that are in memory at once. */
const PIECE = 500

/** A deleted text is overwritten in the file. */
const ERASING = 'PRAGMA secure_delete = ON'
/**
 * Where SQLite has moved rows between pages, copies of them are left that secure_delete does not overwrite (22 of 3,000, measured). The pages of
 * a dropped table are overwritten whole.
 */
const REMADE = `
  ALTER TABLE order_people RENAME TO older_people;
  DROP INDEX order_people_by_end;
  ${TABLES.order_people}
  INSERT INTO order_people SELECT * FROM older_people;
  DROP TABLE older_people;`

/** What removes the people of orders that were last changed before an instant, so that nothing is left in the file; for one transaction. */
export function removalOfPeople(before: number): Write[] {
  const remade = REMADE.split(';').map((sql): Write => [sql.trim()])
  return [[ERASING], ['DELETE FROM order_people WHERE at < ?', before], ...remade.filter(([sql]) => sql !== '')]
}

/** Removes rows of people, or what they say, so that nothing is left in the file, nor in its log. @returns how many */
function erase(store: Store, change: string, where: string, ...values: readonly SqlValue[]): number {
  // A row is sought before the file is locked for writing.
  if (store.first(`SELECT 1 FROM order_people WHERE ${where} LIMIT 1`, ...values) === undefined) return 0
  store.exec(ERASING)
  const changed = store.transaction(() => {
    const { changes } = store.run(`${change} WHERE ${where}`, ...values)
    if (changes > 0) store.exec(REMADE)
    return changes
  })
  if (changed > 0) store.foldLog()
  return changed
}

/** @param keepMs how long it is kept who a buyer is, counted from the last change of the order; 0 for not at all */
export function openOrders(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  owner: SalesOwner,
  keepMs: number,
) {
  const shop = shopNumber(store, owner)
  store.exec(ERASING)
  // Those of one day go together, because the table is made anew then.
  const step = Math.max(1, Math.floor(Math.min(DAY_MS, keepMs / 8)))
  const oldest = (): number => Math.ceil((clock.now() - keepMs) / step) * step
  erase(store, 'DELETE FROM order_people', 'shop_id = ? AND at < ? AND body IS NOT NULL', shop, oldest())
  const insert = (order: Order): void => {
    const { anonymous, people } = parted(order)
    const [created, updated] = [instantOf(order.CreatedDate), instantOf(order.LastUpdatedDate)]
    const body = JSON.stringify(anonymous)
    store.put('orders', { shop_id: shop, id: order.OrderId, created_at: created, updated_at: updated, body })
    if (updated < oldest()) return
    // An order whose buyer was forgotten has an empty row, which stays.
    store.insert(
      'order_people',
      {
        ...{ shop_id: shop, id: order.OrderId, at: updated, until_at: Math.floor(updated / step) * step + keepMs },
        body: JSON.stringify(people),
      },
      'ON CONFLICT DO UPDATE SET at = excluded.at, until_at = excluded.until_at, body = excluded.body WHERE body IS NOT NULL',
    )
  }
  const chosen = (
    columns: string,
    join: string,
    { created = ALWAYS, updated = ALWAYS, ids }: WhichOrders = {},
  ): [string, ...SqlValue[]] => {
    // Ids are looked up one by one. Left to itself, SQLite reads all orders by their time for every piece of ids.
    const from =
      ids === undefined ? 'orders o' : '(SELECT value FROM json_each(?)) wanted CROSS JOIN orders o ON o.id = wanted.value'
    return [
      `SELECT ${columns} FROM ${from} ${join}
       WHERE o.shop_id = ? AND o.created_at BETWEEN ? AND ? AND o.updated_at BETWEEN ? AND ? ORDER BY o.created_at, o.id`,
      ...(ids === undefined ? [] : [JSON.stringify(ids)]),
      ...[shop, created.from, created.to, updated.from, updated.to],
    ]
  }
  const ranges = openSpans(store, 'order_ranges', shop)
  return {
    /** Spans of the last change whose orders are all kept, in order. */
    spans: ranges.spans,
    /**
     * Adds orders, or replaces them by what was read now.
     * @param known the span of their last change that is complete from now on
     */
    keep(orders: readonly Order[], known?: Span): void {
      store.transaction(() => {
        for (const order of orders) insert(order)
        if (known !== undefined) ranges.add(known)
      })
    },
    /** Orders, oldest first: those created or last changed in a span, or some by their ids; all by default. */
    list(which?: WhichOrders): Order[] {
      const rows = store.all<{ body: string; people: string | null }>(
        ...chosen('o.body, p.body AS people', 'LEFT JOIN order_people p ON p.shop_id = o.shop_id AND p.id = o.id', which),
      )
      return rows.map(({ body, people }) => ({ ...JSON.parse(body), ...(people === null ? {} : (JSON.parse(people) as People)) }))
    },
    /** As list, one by one and without who the buyers are. */
    *each(which?: WhichOrders): Iterable<Order> {
      const ids = store.all<{ id: number }>(...chosen('o.id', '', which)).map(({ id }) => id)
      for (let from = 0; from < ids.length; from += PIECE) {
        const bodies = store.all<{ body: string }>(...chosen('o.body', '', { ids: ids.slice(from, from + PIECE) }))
        for (const { body } of bodies) yield JSON.parse(body)
      }
    },
    marks(): ReadonlyMap<number, OrderMarks> {
      const rows = store.all<{ id: number; paid: number; sent: number; gone: number }>(
        'SELECT id, paid, sent, gone FROM order_marks WHERE shop_id = ?',
        shop,
      )
      return new Map(rows.map(({ id, paid, sent, gone }) => [id, { paid: paid === 1, sent: sent === 1, gone: gone === 1 }]))
    },
    mark(ids: Iterable<number>, mark: keyof OrderMarks): void {
      store.transaction(() => {
        for (const id of ids) store.put('order_marks', { shop_id: shop, id, [mark]: true, marked_at: clock.now() })
      })
    },
    /** When marks of jobs were last entered here, ms. */
    markedAt: (): number => store.number('SELECT max(marked_at) FROM order_marks WHERE shop_id = ?', shop),
    /** Removes for good who the buyers are: of some orders, or of those last changed before a time. @returns of how many */
    forget(which: { readonly ids: readonly number[] } | { readonly before: number }): number {
      const [where, value] =
        'ids' in which
          ? (['id IN (SELECT value FROM json_each(?))', JSON.stringify(which.ids)] as const)
          : (['at < ?', which.before] as const)
      return erase(store, 'UPDATE order_people SET body = NULL', `shop_id = ? AND body IS NOT NULL AND ${where}`, shop, value)
    },
  }
}

const ALWAYS: Span = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** Removes whatever was to be kept until now. */
export function removeExpiredPeople(store: Store, now: number): number {
  return erase(store, 'DELETE FROM order_people', 'until_at < ?', now)
}

/** Removes who the buyers are from a copy of the ledger that is to stay. */
export function removeAllPeople(copy: Store, of: Store): void {
  // By exec alone: the driver would keep the copy open until a prepared statement is collected, and Windows moves no open file.
  copy.exec(ERASING)
  if (of.first("SELECT 1 FROM sqlite_master WHERE name = 'order_people'") !== undefined) copy.exec('DELETE FROM order_people')
}

type People = Partial<Pick<Order, 'Buyer' | 'ShipTo' | 'SellerOrderPayments'>>

/** The order without what tells who the buyer is, and that. The seller is left out: it is the owner of the shop. */
function parted({ Seller: _, Buyer, ShipTo, ...order }: Order): { anonymous: Order; people: People } {
  const SellerOrderPayments = order.SellerOrderPayments.map(({ Reference: _, ...rest }) => ({ ...rest, AdditionalInfo: [] }))
  const { UserId, Alias, CountryName } = Buyer ?? {}
  return {
    anonymous: {
      ...order,
      SellerOrderPayments,
      ...(UserId === undefined ? {} : { Buyer: { UserId, CountryName, Alias } }),
      ...(ShipTo === undefined ? {} : { ShipTo: { CountryName: ShipTo.CountryName } }),
    },
    people: { Buyer, ShipTo, SellerOrderPayments: order.SellerOrderPayments },
  }
}
