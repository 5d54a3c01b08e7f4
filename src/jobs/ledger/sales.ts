/** Sales with a start and an end, as the ledger keeps them, and the claim by which one process at a time works on those of a shop. */
import { SALE_ITEM_STATES, type SaleCounts, type SaleItemState, type SaleRecord, type SaleState } from '../../contract/sales.js'
import type { Clock } from '../../soap/client/index.js'
import { ownerState, thisProcess } from '../../system/process-owner.js'
import type { SqlValue, Store } from '../../system/sqlite.js'
import { isoOf, isoOrNull } from '../../system/time.js'
import { JobsError } from './errors.js'

/** Whose sales they are. */
export interface SaleShop {
  readonly profile: string
  readonly userId: number | null
}

export interface NewSaleItem {
  readonly id: number
  readonly line: number
  readonly ownReference: string | null
  readonly title?: string | null
  /** Kronor; null where it was not known. */
  readonly before: number | null
  /** Kronor. */
  readonly price: number
  /** The price that a column of the seller lets through; 0 where there is none. */
  readonly allow: number
  readonly state: SaleItemState
  readonly reason: string | null
}

export interface NewSale extends SaleShop {
  readonly name: string
  readonly title: string
  /** Anything that JSON carries; undefined where each item has a price of its own. */
  readonly rule: unknown
  readonly guards: unknown
  /** ms since 1970 */
  readonly startsAt: number
  readonly endsAt: number
  readonly items: Iterable<NewSaleItem>
}

/** A sale as it is stored. Times are ms since 1970. */
export interface StoredSale {
  readonly id: number
  readonly profile: string
  /** 0 for none. */
  readonly user_id: number
  readonly name: string
  readonly title: string
  readonly rule: string | null
  readonly guards: string
  readonly starts_at: number
  readonly ends_at: number
  readonly state: SaleState
  readonly created_at: number
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly next_at: number | null
  readonly tries: number
}

/** The sales of a shop taken for this process. */
export interface SaleClaim {
  /** Whether it is still held; cheap to call before each step. @throws JobsError code `sales_claim_lost` */
  beat(): void
  /** Harmless when called twice. */
  release(): void
}

export interface Sales {
  /** Writes a sale with its items, in one transaction. */
  create(sale: NewSale): SaleRecord
  /** @throws JobsError code `sale_not_found` */
  show(saleId: number): SaleRecord
  /** @throws JobsError code `sale_not_found` */
  stored(saleId: number): StoredSale
  /** The newest first. */
  list(filter?: { profile?: string; state?: readonly SaleState[]; limit?: number }): SaleRecord[]
  /** Sales that have something to do now, in the order in which it became due. */
  due(shop: SaleShop): StoredSale[]
  /** Takes the sales of a shop for this process; undefined while another works on them. A holder that is dead is taken over. */
  claim(shop: SaleShop): SaleClaim | undefined
}

/** How often a holder says that it lives, ms, and after which silence one whose life cannot be judged is taken for dead. */
const BEAT_EVERY_MS = 15_000
const DEAD_AFTER_MS = 2 * 60 * 1000

const COLUMNS =
  'id, profile, user_id, name, title, rule, guards, starts_at, ends_at, state, created_at, started_at, ended_at, next_at, tries'

export function openSales(store: Store, clock: Clock): Sales {
  const stored = (saleId: number): StoredSale => {
    const sale = store.first<StoredSale>(`SELECT ${COLUMNS} FROM sales WHERE id = ?`, saleId)
    if (sale === undefined) throw notFound(saleId)
    return sale
  }
  const shown = (sale: StoredSale): SaleRecord => ({
    SaleId: sale.id,
    Name: sale.name,
    State: sale.state,
    StartsAt: isoOf(sale.starts_at),
    EndsAt: isoOf(sale.ends_at),
    Profile: sale.profile,
    UserId: sale.user_id === 0 ? null : sale.user_id,
    Title: sale.title,
    Counts: countsOf(store, sale.id),
    CreatedAt: isoOf(sale.created_at),
    StartedAt: isoOrNull(sale.started_at),
    EndedAt: isoOrNull(sale.ended_at),
    NextAt: isoOrNull(sale.next_at),
  })
  return {
    create: (sale) => store.transaction(() => shown(stored(insert(store, sale, clock.now())))),
    show: (saleId) => shown(stored(saleId)),
    stored,
    list({ profile, state, limit } = {}) {
      const where: string[] = []
      const values: SqlValue[] = []
      if (profile !== undefined) {
        where.push('profile = ?')
        values.push(profile)
      }
      if (state !== undefined) {
        where.push(`state IN (${state.map(() => '?').join(', ')})`)
        values.push(...state)
      }
      const condition = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`
      return store
        .all<StoredSale>(`SELECT ${COLUMNS} FROM sales ${condition} ORDER BY id DESC LIMIT ?`, ...values, limit ?? -1)
        .map(shown)
    },
    due: ({ profile, userId }) =>
      store.all<StoredSale>(
        `SELECT ${COLUMNS} FROM sales WHERE profile = ? AND user_id = ? AND next_at <= ? ORDER BY next_at, id`,
        profile,
        userId ?? 0,
        clock.now(),
      ),
    claim: (shop) => claim(store, clock, shop),
  }
}

function insert(store: Store, sale: NewSale, now: number): number {
  const { id } = store.run(
    `INSERT INTO sales (profile, user_id, name, title, rule, guards, starts_at, ends_at, state, created_at, next_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'planned', ?, ?)`,
    sale.profile,
    sale.userId ?? 0,
    sale.name,
    sale.title,
    sale.rule === undefined ? null : JSON.stringify(sale.rule),
    JSON.stringify(sale.guards),
    sale.startsAt,
    sale.endsAt,
    now,
    sale.startsAt,
  )
  for (const item of sale.items) {
    store.run(
      `INSERT INTO sale_items (sale_id, item_id, line, own_reference, title, before, price, allow, state, reason)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      item.id,
      item.line,
      item.ownReference,
      item.title ?? null,
      item.before,
      item.price,
      item.allow,
      item.state,
      item.reason,
    )
  }
  return id
}

function countsOf(store: Store, saleId: number): SaleCounts {
  const counts = Object.fromEntries(SALE_ITEM_STATES.map((state) => [state, 0])) as SaleCounts
  const found = store.all<{ state: SaleItemState; n: number }>(
    'SELECT state, count(*) AS n FROM sale_items WHERE sale_id = ? GROUP BY state',
    saleId,
  )
  for (const { state, n } of found) counts[state] = n
  return counts
}

function claim(store: Store, clock: Clock, { profile, userId }: SaleShop): SaleClaim | undefined {
  const owner = thisProcess()
  const user = userId ?? 0
  const taken = store.transaction(() => {
    const held = store.first<{ owner: string; beat: number }>(
      'SELECT owner, beat FROM sale_claims WHERE profile = ? AND user_id = ?',
      profile,
      user,
    )
    // This process may have two ledgers open, which their owner text cannot tell apart: only silence can.
    const state = held === undefined ? 'gone' : held.owner === owner ? 'unknowable' : ownerState(held.owner)
    const lives = state === 'alive' || (state === 'unknowable' && clock.now() - (held?.beat ?? 0) < DEAD_AFTER_MS)
    if (lives) return false
    store.run(
      `INSERT INTO sale_claims (profile, user_id, owner, beat) VALUES (?, ?, ?, ?)
       ON CONFLICT (profile, user_id) DO UPDATE SET owner = excluded.owner, beat = excluded.beat`,
      profile,
      user,
      owner,
      clock.now(),
    )
    return true
  })
  if (!taken) return undefined
  let held = true
  const renew = (): boolean =>
    store.run(
      'UPDATE sale_claims SET beat = ? WHERE profile = ? AND user_id = ? AND owner = ?',
      clock.now(),
      profile,
      user,
      owner,
    ).changes > 0
  const timer = setInterval(() => {
    // A failure here (the disk is full) shows at the next write of the work itself.
    try {
      renew()
    } catch {
      clearInterval(timer)
    }
  }, BEAT_EVERY_MS)
  timer.unref()
  return {
    beat() {
      if (held && renew()) return
      throw new JobsError(
        'sales_claim_lost',
        `Another process has taken over the sales of the profile "${profile}".`,
        'Nothing is lost. Run seller jobs:due again.',
      )
    },
    release() {
      if (!held) return
      held = false
      clearInterval(timer)
      if (store.open) store.run('DELETE FROM sale_claims WHERE profile = ? AND user_id = ? AND owner = ?', profile, user, owner)
    },
  }
}

function notFound(saleId: number): JobsError {
  return new JobsError('sale_not_found', `There is no sale ${saleId} in the ledger.`, 'See all sales with: seller sales:list', {
    saleId,
  })
}
