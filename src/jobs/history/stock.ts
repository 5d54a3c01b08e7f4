/**
 * Numbers in stock of a shop as they were last read, and those that fell since they were: sold, or taken out elsewhere. A file
 * that was exported before would put sold goods back on sale.
 */
import { bulkRows } from '../bulk/show.js'
import type { CostOwner as ShopOwner } from '../ledger/costs.js'
import type { Ledger } from '../ledger/ledger.js'
import { unpacking } from './damaged.js'
import { PricePacker, SeenPrices } from './seen-prices.js'

type Records = Pick<Ledger, 'path' | 'store' | 'clock'>

/** A number in stock that fell, by no job of this ledger. */
export interface StockFall {
  readonly before: number
  readonly after: number
  /** When it was seen, ms since 1970. */
  readonly at: number
}

/** Time for which a fall is known, ms: nobody sends an older export. */
const KNOWN_FOR_MS = 30 * 24 * 60 * 60 * 1000

type StoredFall = readonly [id: number, before: number, after: number, at: number]

interface SeenStock {
  readonly seenAt: number
  readonly items: number
  readonly numbers: ArrayBuffer
  readonly falls: string
}

const SHOP = 'SELECT seen_at AS seenAt, items, numbers, falls FROM stock_shops WHERE profile = ? AND user_id = ?'

function seenStock({ store }: Pick<Ledger, 'store'>, { profile, userId }: ShopOwner): SeenStock | undefined {
  return store.first<SeenStock>(SHOP, profile, userId)
}

/**
 * Numbers from before a sale, by item id: those that are known to have fallen, and those of the last reading, which a lower live
 * number is below.
 * @throws LedgerError
 */
export function numbersBeforeSales(ledger: Records, owner: ShopOwner): { of(id: number): StockFall | undefined } {
  const shop = seenStock(ledger, owner)
  const falls = new Map(knownFalls(ledger, shop).map(([id, before, after, at]) => [id, { before, after, at }]))
  const seenPrices = unpackedNumbers(ledger, shop)
  const set = shop === undefined ? new Map<number, number>() : numbersSetSince(ledger, owner, shop.seenAt)
  return {
    of(id) {
      const fall = falls.get(id)
      if (fall !== undefined || shop === undefined) return fall
      const place = seenPrices.find(id)
      const before = set.get(id) ?? (place < 0 ? 0 : (seenPrices.prices[place] ?? 0))
      return before > 0 ? { before, after: before - 1, at: shop.seenAt } : undefined
    },
  }
}

function unpackedNumbers(ledger: Records, shop: SeenStock | undefined): SeenPrices {
  return unpacking(ledger, () => new SeenPrices(new Uint8Array(shop?.numbers ?? []), shop?.items ?? 0))
}

function knownFalls(ledger: Records, shop: SeenStock | undefined): StoredFall[] {
  if (shop === undefined) return []
  const falls = unpacking(ledger, () => JSON.parse(shop.falls) as StoredFall[])
  return falls.filter(([, , , at]) => at > ledger.clock.now() - KNOWN_FOR_MS)
}

/** One reading of the live list of a whole shop, with the numbers in stock. */
export class StockReading {
  readonly #ledger: Records
  readonly #owner: ShopOwner
  readonly #numbers = new PricePacker()
  readonly #live = new Map<number, number>()
  readonly #shop: SeenStock | undefined
  readonly #seenNumbers: SeenPrices
  /** True while every item has said its number. */
  #whole = true

  /** Call it before the list is asked for. @throws LedgerError */
  constructor(ledger: Records, owner: ShopOwner) {
    this.#ledger = ledger
    this.#owner = owner
    const shop = seenStock(ledger, owner)
    this.#shop = shop
    this.#seenNumbers = unpackedNumbers(ledger, shop)
  }

  /** An item of the list. @param number undefined where the list was not asked for it, or does not say it */
  see(id: number, number: number | undefined): void {
    if (!this.#whole) return
    if (number === undefined || number < 0) {
      this.#whole = false
      return
    }
    this.#numbers.push(id, number)
    const at = this.#seenNumbers.find(id)
    // Nearly every number is that of the last time.
    if (at >= 0 && this.#seenNumbers.prices[at] !== number) this.#live.set(id, number)
  }

  /** Writes what was found. Call it when the list has ended well; a list without numbers writes nothing. @throws LedgerError */
  write(): void {
    if (!this.#whole || this.#numbers.count === 0) return
    const { store, clock } = this.#ledger
    const { profile, userId } = this.#owner
    const now = clock.now()
    const set =
      this.#shop === undefined ? new Map<number, number>() : numbersSetSince(this.#ledger, this.#owner, this.#shop.seenAt)
    const falls = new Map(knownFalls(this.#ledger, this.#shop).map((fall) => [fall[0], fall]))
    const changedNumbers = new Map(this.#live)
    for (const id of set.keys())
      if (!changedNumbers.has(id) && this.#seenNumbers.find(id) >= 0) changedNumbers.set(id, this.#numberOf(id))
    for (const [id, after] of changedNumbers) {
      const before = set.get(id) ?? this.#numberOf(id)
      if (after < before) falls.set(id, [id, before, after, now])
      else if (after > (falls.get(id)?.[2] ?? 0)) falls.delete(id)
    }
    const shopRow = {
      ...{ profile, user_id: userId, seen_at: now, items: this.#numbers.count, numbers: this.#numbers.bytes },
      falls: JSON.stringify([...falls.values()]),
    }
    store.light(() => store.put('stock_shops', shopRow))
  }

  /** The number of the last reading. */
  #numberOf(id: number): number {
    return this.#seenNumbers.prices[this.#seenNumbers.find(id)] ?? 0
  }
}

/** The last number that a job has set for each item since a time. @param since ms since 1970 */
function numbersSetSince(ledger: Records, { profile, userId }: ShopOwner, since: number): Map<number, number> {
  const jobs = `SELECT id FROM jobs WHERE kind = 'stock' AND profile = ? AND (user_id IS NULL OR user_id = ?) AND created_at >= ? ORDER BY id`
  const set = new Map<number, number>()
  for (const { id } of ledger.store.all<{ id: number }>(jobs, profile, userId, since))
    for (const { Id, Payload } of bulkRows(ledger, id, ['ok', 'unknown', 'sending'])) {
      const { Quantity } = (Payload ?? {}) as { readonly Quantity?: number }
      if (Quantity !== undefined && Id !== null) set.set(Id, Quantity)
    }
  return set
}
