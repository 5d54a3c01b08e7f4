/**
 * Transactions that were read, kept so that a report costs calls only for what is new. Of a buyer only the id and alias are kept.
 */
import { without } from '../../contract/without.js'
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

/** Facts about an item that was sold; null if the service no longer lists it. */
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

export type KeptSales = ReturnType<typeof openSales>

/** Rows read at once. */
const PAGE = 2_000
const SELECTED = `SELECT t.id AS Id, t.at AS At, t.updated_at AS UpdatedAt, t.amount AS Amount, t.paid AS Paid, t.shipped AS Shipped,
  t.rated AS Rated, t.item_id AS ItemId, t.title AS Title, t.own_references AS OwnReferences, t.buyer_id AS BuyerId, t.buyer AS Buyer,
  t.order_id AS OrderId, i.started_at AS StartedAt, i.category_id AS CategoryId`
const WITH_ITEM = 'LEFT JOIN sold_items i ON i.shop_id = t.shop_id AND i.item_id = t.item_id'
type Row = Omit<SoldSale, 'Paid' | 'Shipped' | 'Rated' | 'OwnReferences' | 'OrderId'> &
  Record<'Paid' | 'Shipped' | 'Rated', number> & { readonly OwnReferences: string; readonly OrderId: number | null }

/** The number of a shop in the ledger; it is entered when it is new. */
export function shopNumber(store: Store, { profile, address, userId }: SalesOwner): number {
  const key = [profile, address, userId] as const
  store.light(() =>
    store.run('INSERT INTO sales_shops (profile, address, user_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', ...key),
  )
  return store.number('SELECT id FROM sales_shops WHERE profile = ? AND address = ? AND user_id = ?', ...key)
}

export function openSales({ store, clock }: { readonly store: Store; readonly clock: Clock }, owner: SalesOwner) {
  const shop = shopNumber(store, owner)
  const insert = (sale: KeptSale): void => {
    store.put('transactions', {
      ...{ shop_id: shop, read_at: clock.now(), id: sale.Id, at: sale.At, updated_at: sale.UpdatedAt, amount: sale.Amount },
      ...{ paid: sale.Paid, shipped: sale.Shipped, rated: sale.Rated, item_id: sale.ItemId, title: sale.Title },
      own_references: JSON.stringify(sale.OwnReferences),
      ...{ buyer_id: sale.BuyerId, buyer: sale.Buyer, order_id: sale.OrderId },
    })
  }
  const ranges = openSpans(store, 'transaction_ranges', shop)
  function* pages({ from, to }: Span): Generator<SoldSale[], void> {
    const sql = `${SELECTED} FROM transactions t ${WITH_ITEM}
       WHERE t.shop_id = ?1 AND t.at >= ?2 AND t.at <= ?3 AND (t.at > ?2 OR t.id > ?4) ORDER BY t.at, t.id LIMIT ${PAGE}`
    let last: Pick<Row, 'At' | 'Id'> | undefined = { At: from, Id: Number.MIN_SAFE_INTEGER }
    while (last !== undefined) {
      const rows: Row[] = store.all<Row>(sql, shop, last.At, to, last.Id)
      last = rows.at(-1)
      if (last !== undefined) yield rows.map(saleOf)
    }
  }
  return {
    /** Spans of time whose sales are all kept, in order, apart from each other. */
    spans: ranges.spans,
    /** True if any sale is kept. */
    any: (): boolean => store.first('SELECT 1 FROM transactions WHERE shop_id = ? LIMIT 1', shop) !== undefined,
    /** Adds sales, or replaces them by what was read now. */
    keep(sales: readonly KeptSale[]): void {
      store.light(() => {
        for (const sale of sales) insert(sale)
      })
    },
    /**
     * Replaces what is kept of a span by what the service answered for it: sales that are gone there are removed.
     * @param known the part of the span that is complete from now on: none of it is read again for new sales
     * @param askedAt ms; sales that were read by another process after it stay
     */
    replace({ from, to }: Span, sales: readonly KeptSale[], knownSpan: Span | undefined, askedAt: number): void {
      store.light(() => {
        store.run('DELETE FROM transactions WHERE shop_id = ? AND at BETWEEN ? AND ? AND read_at <= ?', shop, from, to, askedAt)
        for (const sale of sales) insert(sale)
        if (knownSpan !== undefined) ranges.add(knownSpan)
      })
    },
    /** Sales of a span, oldest first. */
    list: (span: Span): SoldSale[] => [...pages(span)].flat(),
    /** The same, so many at once: a report may have a million. */
    pages,
    /** Those of some ids, in any order. */
    byIds(ids: readonly number[]): SoldSale[] {
      const wantedIds = '(SELECT value FROM json_each(?)) wanted CROSS JOIN transactions t ON t.id = wanted.value'
      return store
        .all<Row>(`${SELECTED} FROM ${wantedIds} ${WITH_ITEM} WHERE t.shop_id = ?`, JSON.stringify(ids), shop)
        .map(saleOf)
    },
    /** Items sold in a span that were never asked about. @returns when the first of them was sold, ms, and their ids */
    async unknownItems({ from, to }: Span, signal?: AbortSignal): Promise<{ readonly ids: number[]; readonly firstAt: number }> {
      const sql = `SELECT t.item_id AS id, min(t.at) AS at FROM transactions t WHERE t.shop_id = ? AND t.at BETWEEN ? AND ? AND t.item_id IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM sold_items i WHERE i.shop_id = t.shop_id AND i.item_id = t.item_id)
         GROUP BY t.item_id ORDER BY t.item_id`
      // It looks at every sale of the span.
      const rows = await aside(store, (run) => run<{ id: number; at: number }>(sql, shop, from, to), signal)
      return { ids: rows.map(({ id }) => id), firstAt: rows.reduce((first, { at }) => Math.min(first, at), to) }
    },
    keepItems(items: readonly SoldItem[]): void {
      store.light(() => {
        for (const { ItemId, StartedAt, CategoryId } of items) {
          const facts = { started_at: StartedAt, category_id: CategoryId, asked_at: clock.now() }
          store.put('sold_items', { shop_id: shop, item_id: ItemId, ...facts })
        }
      })
    },
  }
}

function saleOf(row: Row): SoldSale {
  const facts = {
    ...{ Paid: row.Paid === 1, Shipped: row.Shipped === 1, Rated: row.Rated === 1 },
    OwnReferences: JSON.parse(row.OwnReferences) as string[],
  }
  // Every sale of a report passes here, so that no copy is made of one that has its order.
  return Object.assign(row.OrderId === null ? without(row, 'OrderId') : row, facts) as SoldSale
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
  const joinedSpans: { from: number; to: number }[] = []
  for (const { from, to } of [...spans].sort((one, other) => one.from - other.from)) {
    const last = joinedSpans.at(-1)
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to)
    else joinedSpans.push({ from, to })
  }
  return joinedSpans
}

/** Parts of a span that none of the known spans covers, in order. */
export function missingSpans({ from, to }: Span, knownSpans: readonly Span[]): Span[] {
  const missing: Span[] = []
  let next = from
  for (const span of joinSpans(knownSpans)) {
    if (span.to < next) continue
    if (span.from > to) break
    if (span.from > next) missing.push({ from: next, to: span.from - 1 })
    next = span.to + 1
  }
  return next > to ? missing : [...missing, { from: next, to }]
}
