/**
 * Orders that were read, kept so that a list or a report costs calls only for what is new. What tells who the buyer is (names,
 * addresses, how to reach somebody, references of payments) is kept apart, for as long as the profile says, and overwritten when
 * it is removed.
 */
import { instantOf } from '../../contract/index.js'
import type { Clock } from '../../soap/client/index.js'
import type { Write } from '../../system/aside.js'
import { DAY_MS } from '../../system/durations.js'
import type { SqlValue, Store } from '../../system/sqlite.js'
import { LedgerError } from './errors.js'
import { TABLES } from './layout.js'
import { type ImpersonalOrder, type Order, type OrderPart, partedOrder } from './order-parts.js'
import { openSpans, type SalesOwner, type Span, shopNumber } from './transactions.js'

export type { ImpersonalOrder, Order } from './order-parts.js'

/** Facts about an order that the order service does not have. */
export interface OrderMarks {
  /** Marked by a job of this ledger. */
  readonly paid: boolean
  readonly sent: boolean
  /** The service no longer has it. */
  readonly gone: boolean
  /** When it was last marked, ms since 1970. */
  readonly at: number
}

/** Facts about an order that the seller knows and the service does not: JSON of the books. */
export type OrderFactsKept = Readonly<Record<string, string>>

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
 * Where SQLite has moved rows between pages, copies of them are left that secure_delete does not overwrite (22 of 3,000,
 * measured). The pages of a dropped table are overwritten whole.
 */
const remade = (table: 'orders' | 'order_people'): string => {
  const indexes = [...TABLES[table].matchAll(/CREATE INDEX (\w+)/g)].map(([, name]) => `DROP INDEX ${name};`)
  return `
  ALTER TABLE ${table} RENAME TO older_rows;
  ${indexes.join(' ')}
  ${TABLES[table]}
  INSERT INTO ${table} SELECT * FROM older_rows;
  DROP TABLE older_rows;`
}

/**
 * Removes the people of orders that were last changed before an instant, so that nothing is left in the file; for one
 * transaction.
 */
export function removalOfPeople(before: number): Write[] {
  const writes = remade('order_people')
    .split(';')
    .map((sql): Write => [sql.trim()])
  return [[ERASING], ['DELETE FROM order_people WHERE at < ?', before], ...writes.filter(([sql]) => sql !== '')]
}

/** The sign that people were erased without making their table again, for which the disk had no room. */
const UNMADE = { profile: '', name: 'people_erased_in_place' } as const

/**
 * Removes rows of people, so that nothing is left in the file, nor in its log.
 * @param also what else is written in the same transaction
 * @returns how many
 */
function erase(store: Store, where: string, values: readonly SqlValue[], also?: () => void): number {
  // A row is sought before the file is locked for writing: whoever only reads waits for nobody.
  if (store.first(`SELECT 1 FROM order_people WHERE ${where} LIMIT 1`, ...values) === undefined) {
    if (also !== undefined) store.transaction(also)
    return 0
  }
  store.exec(ERASING)
  const removal = (ending: () => void) => (): number => {
    const { changes } = store.run(`DELETE FROM order_people WHERE ${where}`, ...values)
    also?.()
    ending()
    return changes
  }
  let changedRows: number
  try {
    changedRows = store.transaction(removal(() => store.exec(remade('order_people'))))
  } catch (error) {
    if (!isFull(error)) throw error
    // Rows can be overwritten where they are, which makes room for the rest. The table is made again once the disk has more of
    // it.
    store.foldLog()
    changedRows = store.transaction(removal(() => store.put('signs', { ...UNMADE, at: 0 })))
  }
  if (changedRows > 0) store.foldLog()
  return changedRows
}

function isFull(error: unknown): boolean {
  return error instanceof LedgerError && error.kind === 'full'
}

/** Makes the table of people again where that was left undone. */
function finishErasing(store: Store): void {
  if (store.first('SELECT 1 FROM signs WHERE profile = ? AND name = ?', UNMADE.profile, UNMADE.name) === undefined) return
  try {
    store.exec(ERASING)
    store.transaction(() => {
      store.exec(remade('order_people'))
      store.run('DELETE FROM signs WHERE profile = ? AND name = ?', UNMADE.profile, UNMADE.name)
    })
    store.foldLog()
  } catch (error) {
    if (!isFull(error)) throw error
  }
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
  erase(store, 'shop_id = ? AND at < ?', [shop, oldest()])
  const insert = (order: Order): void => {
    const { anonymous, people } = partedOrder(order)
    const createdAt = instantOf(order.CreatedDate)
    // One that was never changed may have .NET's unset date, of the year 1.
    const updatedAt = Math.max(createdAt, instantOf(order.LastUpdatedDate))
    const body = JSON.stringify(anonymous)
    store.put('orders', { shop_id: shop, id: order.OrderId, created_at: createdAt, updated_at: updatedAt, body })
    // It is there after all.
    store.run('UPDATE order_marks SET gone = 0 WHERE shop_id = ? AND id = ? AND gone = 1', shop, order.OrderId)
    if (updatedAt < oldest() || isForgotten(order.OrderId)) return
    store.put('order_people', {
      ...{ shop_id: shop, id: order.OrderId, at: updatedAt, until_at: Math.floor(updatedAt / step) * step + keepMs },
      body: JSON.stringify(people),
    })
  }
  const isForgotten = (id: number): boolean =>
    store.first('SELECT 1 FROM forgotten_orders WHERE shop_id = ? AND id = ?', shop, id) !== undefined
  const selectOrders = (
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
    /** True if any order is kept. */
    any: (): boolean => store.first('SELECT 1 FROM orders WHERE shop_id = ? LIMIT 1', shop) !== undefined,
    /** Ids of kept orders, oldest first. */
    ids: (which?: WhichOrders): number[] => store.all<{ id: number }>(...selectOrders('o.id', '', which)).map(({ id }) => id),
    /**
     * Adds orders, or replaces them by what was read now.
     * @param known the span of their last change that is complete from now on
     */
    keep(orders: readonly Order[], span?: Span): void {
      store.light(() => {
        for (const order of orders) insert(order)
        if (span !== undefined) ranges.add(span)
      })
    },
    /** Orders, oldest first: those created or last changed in a span, or some by their ids; all by default. */
    list(which?: WhichOrders): Order[] {
      const rows = store.all<{ body: string; people: string | null }>(
        ...selectOrders('o.body, p.body AS people', 'LEFT JOIN order_people p ON p.shop_id = o.shop_id AND p.id = o.id', which),
      )
      return rows.map(({ body, people }) => ({
        ...JSON.parse(body),
        ...(people === null ? {} : (JSON.parse(people) as OrderPart)),
      }))
    },
    /** As list, one by one and without who the buyers are. */
    *each(which?: WhichOrders): Iterable<ImpersonalOrder> {
      const ids = store.all<{ id: number }>(...selectOrders('o.id', '', which)).map(({ id }) => id)
      for (let from = 0; from < ids.length; from += PIECE) {
        const bodies = store.all<{ body: string }>(...selectOrders('o.body', '', { ids: ids.slice(from, from + PIECE) }))
        for (const { body } of bodies) yield JSON.parse(body)
      }
    },
    marks(): ReadonlyMap<number, OrderMarks> {
      const rows = store.all<{ id: number; paid: number; sent: number; gone: number; at: number }>(
        'SELECT id, paid, sent, gone, marked_at AS at FROM order_marks WHERE shop_id = ?',
        shop,
      )
      return new Map(
        rows.map(({ id, paid, sent, gone, at }) => [id, { paid: paid === 1, sent: sent === 1, gone: gone === 1, at }]),
      )
    },
    /** Facts that the seller gave on orders, by their ids. */
    facts(): ReadonlyMap<number, OrderFactsKept> {
      const rows = store.all<{ id: number; body: string }>('SELECT id, body FROM order_facts WHERE shop_id = ?', shop)
      return new Map(rows.map(({ id, body }) => [id, JSON.parse(body)]))
    },
    /** Notes what the seller says of an order; an empty text removes what was said before. @returns all that is noted of it */
    note(id: number, facts: OrderFactsKept): OrderFactsKept {
      return store.transaction(() => {
        const storedFacts = store.first<{ body: string }>('SELECT body FROM order_facts WHERE shop_id = ? AND id = ?', shop, id)
        const all = { ...(storedFacts === undefined ? {} : (JSON.parse(storedFacts.body) as OrderFactsKept)), ...facts }
        const nonEmpty = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
        store.put('order_facts', { shop_id: shop, id, body: JSON.stringify(nonEmpty) })
        return nonEmpty
      })
    },
    mark(ids: Iterable<number>, mark: 'paid' | 'sent' | 'gone'): void {
      store.transaction(() => {
        for (const id of ids) store.put('order_marks', { shop_id: shop, id, [mark]: true, marked_at: clock.now() })
      })
    },
    /** When marks of jobs were last entered here, ms. */
    markedAt: (): number => store.number('SELECT max(marked_at) FROM order_marks WHERE shop_id = ?', shop),
    /**
     * Orders whose buyers are kept, last changed before a time: how many, and when the first and the last of them were changed,
     * ms.
     */
    buyersKept(before: number): { readonly orders: number; readonly first: number; readonly last: number } {
      const row = store.first<{ orders: number; first: number | null; last: number | null }>(
        'SELECT count(*) AS orders, min(at) AS first, max(at) AS last FROM order_people WHERE shop_id = ? AND at < ?',
        shop,
        before,
      )
      return { orders: row?.orders ?? 0, first: row?.first ?? 0, last: row?.last ?? 0 }
    },
    /**
     * Removes for good who the buyers are: of some orders, or of those last changed before a time. The ids are marked, also of
     * orders that were not read yet, so that no later reading stores it again.
     * @returns of how many something was removed, and how many were marked that had nothing
     */
    forget(which: { readonly ids: readonly number[] } | { readonly before: number }): { removed: number; marked: number } {
      let markedCount = 0
      const marking =
        (from: string, ...values: readonly SqlValue[]) =>
        (): void => {
          const sql = `INSERT INTO forgotten_orders SELECT ?, id, ? FROM ${from} ON CONFLICT DO NOTHING`
          markedCount = store.run(sql, shop, clock.now(), ...values).changes
        }
      if ('ids' in which) {
        const ids = JSON.stringify(which.ids)
        const mark = marking('(SELECT value AS id FROM json_each(?)) WHERE true', ids)
        const removedCount = erase(store, 'shop_id = ? AND id IN (SELECT value FROM json_each(?))', [shop, ids], mark)
        return { removed: removedCount, marked: Math.max(0, markedCount - removedCount) }
      }
      const mark = marking('orders WHERE shop_id = ? AND updated_at < ?', shop, which.before)
      return { removed: erase(store, 'shop_id = ? AND at < ?', [shop, which.before], mark), marked: 0 }
    },
  }
}

const ALWAYS: Span = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** Removes whatever was to be kept until now. */
export function removeExpiredPeople(store: Store, now: number): number {
  finishErasing(store)
  return erase(store, 'until_at < ?', [now])
}

/**
 * Removes who the buyers are from a copy of the ledger that is to stay, of this layout or an older one. Who was forgotten stays
 * marked.
 */
export function removeAllPeople(copy: Store, of: Store): void {
  const has = (table: string): boolean => of.first('SELECT 1 FROM sqlite_master WHERE name = ?', table) !== undefined
  // By exec alone: the driver would keep the copy open until a prepared statement is collected, and Windows moves no open file.
  copy.exec(ERASING)
  if (has('order_people')) copy.exec('DELETE FROM order_people WHERE body IS NOT NULL')
  if (!has('orders') || has('forgotten_orders')) return
  // Before layout 24, a body kept every field that the contract does not have.
  const bodies = of.all<StoredBody>('SELECT shop_id, id, body FROM orders WHERE json_valid(body)')
  for (const { shop_id, id, body } of bodies) {
    const anonymous = JSON.stringify(partedOrder(JSON.parse(body)).anonymous)
    if (anonymous !== body)
      copy.exec(`UPDATE orders SET body = '${anonymous.replaceAll("'", "''")}' WHERE shop_id = ${shop_id} AND id = ${id}`)
  }
  copy.exec('VACUUM')
}

interface StoredBody {
  readonly shop_id: number
  readonly id: number
  readonly body: string
}

/**
 * Upgrades the orders of a ledger before layout 24: fields that the contract does not have go from the orders to the people, with
 * their end, or go for good where that was reached. Who was forgotten gets a mark of its own. For the transaction of the upgrade.
 */
export function partOlderOrders(store: Store): void {
  store.exec(ERASING)
  for (const { shop_id, id, body, people } of store.all<StoredBody & { readonly people: string | null }>(
    `SELECT o.shop_id, o.id, o.body, p.body AS people FROM orders o LEFT JOIN order_people p ON p.shop_id = o.shop_id AND p.id = o.id
     WHERE json_valid(o.body)`,
  )) {
    const parts = partedOrder(JSON.parse(body))
    const anonymous = JSON.stringify(parts.anonymous)
    if (anonymous === body) continue
    store.update('orders', { body: anonymous }, { shop_id, id })
    if (people === null) continue
    const { anonymous: _, people: all } = partedOrder({ ...JSON.parse(body), ...JSON.parse(people) })
    store.update('order_people', { body: JSON.stringify(all) }, { shop_id, id })
  }
  store.exec(remade('orders'))
}
