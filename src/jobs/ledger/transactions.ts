/** Transactions that were read, kept so that a report costs calls only for what is new. Of a buyer only the id and alias are kept. */
import type { Clock } from '../../soap/client/index.js'
import { aside } from '../../system/aside.js'
import type { Store } from '../../system/sqlite.js'

/** Whose sales: a seller, at a service, under a profile. */
export interface SalesOwner {
  readonly profile: string
  /** Base address of the service; `sandbox` for the one inside the process. */
  readonly address: string
  readonly userId: number
}

/** A transaction as reports need it. Times in ms since 1970, amount in kronor. */
export interface KeptSale {
  readonly Id: number
  readonly At: number
  readonly UpdatedAt: number
  readonly Amount: number
  readonly Paid: boolean
  readonly Shipped: boolean
  /** The seller left feedback. */
  readonly Rated: boolean
  readonly ItemId: number | null
  readonly Title: string | null
  readonly OwnReferences: readonly string[]
  readonly BuyerId: number | null
  readonly Buyer: string | null
  /** Where the service gives it. */
  readonly OrderId?: number
}

/** A sale with what is known of its item; null where it was not asked about, or the service no longer lists it. */
export interface SoldSale extends KeptSale {
  readonly StartedAt: number | null
  readonly CategoryId: number | null
}

/** What is known of an item that was sold; null where the service no longer lists it. */
export interface SoldItem {
  readonly ItemId: number
  readonly StartedAt: number | null
  readonly CategoryId: number | null
}

/** From the first instant to the last, both included, ms. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface KeptSales {
  /** Spans of time whose sales are all kept, in order, apart from each other. */
  spans(): Span[]
  /** Adds sales, or replaces them by what was read now. */
  keep(sales: readonly KeptSale[]): void
  /**
   * Replaces what is kept of a span by what the service answered for it: sales that are gone there are removed.
   * @param known the part of the span that is complete from now on: none of it is read again for new sales
   * @param askedAt ms; sales that were read by another process after it stay
   */
  replace(span: Span, sales: readonly KeptSale[], known: Span | undefined, askedAt: number): void
  /** Sales of a span, oldest first. */
  list(span: Span): SoldSale[]
  /** The same, so many at once: a report may have a million. */
  pages(span: Span): Generator<SoldSale[], undefined>
  /** Those of some ids, in any order. */
  byIds(ids: readonly number[]): SoldSale[]
  /** Items sold in a span that were never asked about. @returns when the first of them was sold, ms, and their ids */
  unknownItems(span: Span, signal?: AbortSignal): Promise<{ readonly ids: number[]; readonly firstAt: number }>
  keepItems(items: readonly SoldItem[]): void
}

interface Row {
  readonly id: number
  readonly at: number
  readonly updated_at: number
  readonly amount: number
  readonly paid: number
  readonly shipped: number
  readonly rated: number
  readonly item_id: number | null
  readonly title: string | null
  readonly own_references: string
  readonly buyer_id: number | null
  readonly buyer: string | null
  readonly order_id: number | null
  readonly started_at: number | null
  readonly category_id: number | null
}

/** Rows read at once. */
const PAGE = 2_000
const COLUMNS = 'id, at, updated_at, amount, paid, shipped, rated, item_id, title, own_references, buyer_id, buyer, order_id'
const SELECTED = 'SELECT t.*, i.started_at, i.category_id'
const WITH_ITEM = 'LEFT JOIN sold_items i ON i.shop_id = t.shop_id AND i.item_id = t.item_id'

/** The number of a shop in the ledger; it is entered when it is new. */
export function shopNumber(store: Store, { profile, address, userId }: SalesOwner): number {
  const key = [profile, address, userId] as const
  store.run('INSERT INTO sales_shops (profile, address, user_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', ...key)
  const row = store.first<{ id: number }>('SELECT id FROM sales_shops WHERE profile = ? AND address = ? AND user_id = ?', ...key)
  return row?.id ?? 0
}

export function openSales({ store, clock }: { readonly store: Store; readonly clock: Clock }, owner: SalesOwner): KeptSales {
  const shop = shopNumber(store, owner)
  const insert = (sale: KeptSale): void => {
    store.run(
      `INSERT OR REPLACE INTO transactions (shop_id, read_at, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[shop, clock.now(), sale.Id, sale.At, sale.UpdatedAt, sale.Amount, sale.Paid, sale.Shipped, sale.Rated],
      ...[sale.ItemId, sale.Title, JSON.stringify(sale.OwnReferences), sale.BuyerId, sale.Buyer, sale.OrderId],
    )
  }
  const ranges = openSpans(store, 'transaction_ranges', shop)
  function* pages({ from, to }: Span): Generator<SoldSale[], undefined> {
    const sql = `${SELECTED} FROM transactions t ${WITH_ITEM}
       WHERE t.shop_id = ?1 AND t.at >= ?2 AND t.at <= ?3 AND (t.at > ?2 OR t.id > ?4) ORDER BY t.at, t.id LIMIT ${PAGE}`
    for (let last: { at: number; id: number } | undefined = { at: from, id: Number.MIN_SAFE_INTEGER }; last !== undefined; ) {
      const rows: Row[] = store.all<Row>(sql, shop, last.at, to, last.id)
      if (rows.length > 0) yield rows.map(saleOf)
      last = rows.length < PAGE ? undefined : rows.at(-1)
    }
    return undefined
  }
  return {
    spans: ranges.spans,
    keep(sales) {
      store.transaction(() => {
        for (const sale of sales) insert(sale)
      })
    },
    replace({ from, to }, sales, known, askedAt) {
      store.transaction(() => {
        store.run('DELETE FROM transactions WHERE shop_id = ? AND at BETWEEN ? AND ? AND read_at <= ?', shop, from, to, askedAt)
        for (const sale of sales) insert(sale)
        if (known !== undefined) ranges.add(known)
      })
    },
    list: (span) => [...pages(span)].flat(),
    pages,
    byIds(ids) {
      const wanted = '(SELECT value FROM json_each(?)) wanted CROSS JOIN transactions t ON t.id = wanted.value'
      return store.all<Row>(`${SELECTED} FROM ${wanted} ${WITH_ITEM} WHERE t.shop_id = ?`, JSON.stringify(ids), shop).map(saleOf)
    },
    async unknownItems({ from, to }, signal) {
      const sql = `SELECT t.item_id AS id, min(t.at) AS at FROM transactions t WHERE t.shop_id = ? AND t.at BETWEEN ? AND ? AND t.item_id IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM sold_items i WHERE i.shop_id = t.shop_id AND i.item_id = t.item_id)
         GROUP BY t.item_id ORDER BY t.item_id`
      // It looks at every sale of the span.
      const rows = await aside(store, (run) => run<{ id: number; at: number }>(sql, shop, from, to), signal)
      return { ids: rows.map(({ id }) => id), firstAt: rows.reduce((first, { at }) => Math.min(first, at), to) }
    },
    keepItems(items) {
      store.transaction(() => {
        for (const { ItemId, StartedAt, CategoryId } of items) {
          const known = { started_at: StartedAt, category_id: CategoryId, asked_at: clock.now() }
          store.put('sold_items', { shop_id: shop, item_id: ItemId, ...known })
        }
      })
    },
  }
}

function saleOf(row: Row): SoldSale {
  return {
    Id: row.id,
    At: row.at,
    UpdatedAt: row.updated_at,
    Amount: row.amount,
    Paid: row.paid === 1,
    Shipped: row.shipped === 1,
    Rated: row.rated === 1,
    ItemId: row.item_id,
    Title: row.title,
    OwnReferences: JSON.parse(row.own_references) as string[],
    BuyerId: row.buyer_id,
    Buyer: row.buyer,
    ...(row.order_id === null ? {} : { OrderId: row.order_id }),
    StartedAt: row.started_at,
    CategoryId: row.category_id,
  }
}

/** Spans of time of a shop that are read whole, in order, apart from each other. */
export function openSpans(
  store: Store,
  table: 'transaction_ranges' | 'order_ranges',
  shop: number,
): { spans(): Span[]; add(span: Span): void } {
  const spans = (): Span[] =>
    store.all<Span>(`SELECT from_at AS "from", to_at AS "to" FROM ${table} WHERE shop_id = ? ORDER BY from_at`, shop)
  return {
    spans,
    /** In the caller's transaction. */
    add(span) {
      const all = joinSpans([...spans(), span])
      store.run(`DELETE FROM ${table} WHERE shop_id = ?`, shop)
      for (const { from, to } of all) store.insert(table, { shop_id: shop, from_at: from, to_at: to })
    },
  }
}

/** The same instants as spans that neither overlap nor touch, in order. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: { from: number; to: number }[] = []
  for (const { from, to } of [...spans].sort((one, other) => one.from - other.from)) {
    const last = joined.at(-1)
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to)
    else joined.push({ from, to })
  }
  return joined
}

/** What of a span lies in none of the spans that are known, in order. */
export function missingSpans({ from, to }: Span, known: readonly Span[]): Span[] {
  const missing: Span[] = []
  let next = from
  for (const span of joinSpans(known)) {
    if (span.to < next) continue
    if (span.from > to) break
    if (span.from > next) missing.push({ from: next, to: span.from - 1 })
    next = span.to + 1
  }
  return next > to ? missing : [...missing, { from: next, to }]
}
