/** A shop to reprice: items seeded through the control plane of a sandbox, and their current prices. */
import { join } from 'node:path'
import { ITEM_TYPE_IDS } from '../../src/contract/index.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { controlSandbox } from '../control-sandbox.js'
import { closing } from '../opened.js'
import type { Home } from './harness.js'

/** Adds shop items of the standard seller, one for each price. @returns their ids, in that order */
export async function stock(
  home: Home,
  prices: readonly number[],
  more: { reference?: (at: number) => string; quantity?: number } = {},
): Promise<number[]> {
  const lines = prices.map((price, at) => `Vara ${at},${price},${more.reference?.(at) ?? ''},${more.quantity ?? 1}`)
  const csv = `Title,Price,OwnReference,Quantity\n${lines.join('\n')}\n`
  return ((await controlSandbox(home.sandbox.url, 'seed', { csv })) as { ids: number[] }).ids
}

/**
 * Current prices of a seller's shop items, by id, from the sandbox's file, after what is due there: to read the list by the wire
 * was a third of many tests. It makes no call.
 */
export async function livePrices(home: Home, sellerId: number = SANDBOX_PROFILE.userId): Promise<Map<number, number>> {
  const moved = (await controlSandbox(home.sandbox.url, 'clock', { advance: '0s' })) as { now: string }
  const now = Date.parse(moved.now)
  using store = closing(openStore(join(home.dir, 'server.db'), 'process'))
  return new Map(
    store.rows<[number, number]>(
      'SELECT id, price FROM items WHERE seller_id = ? AND type = ? AND starts <= ? AND ends > ?',
      ...[sellerId, ITEM_TYPE_IDS.ShopItem, now, now],
    ),
  )
}

/** Live prices of some items, in the order of the ids. */
export async function pricesOf(home: Home, ids: readonly number[]): Promise<(number | undefined)[]> {
  const live = await livePrices(home)
  return ids.map((id) => live.get(id))
}

export async function setFaults(home: Home, order: Readonly<Record<string, string>>): Promise<void> {
  await controlSandbox(home.sandbox.url, 'faults', order)
}
