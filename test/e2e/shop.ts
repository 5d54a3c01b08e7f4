/** A shop to reprice: items seeded through the control plane of a sandbox, and their current prices. */
import { controlSandbox } from '../../src/sandbox/index.js'
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

/** Current prices of the seller's shop items, by id. It makes two calls that a test must not count, so check the calls before. */
export async function livePrices(home: Home): Promise<Map<number, number>> {
  const items: { Id: number; BuyItNowPrice: number }[] = (
    await home.run(['items:list', '--type', 'shop', '--columns', 'Id,BuyItNowPrice', '--json'], { env: { NO_COLOR: '1' } })
  ).json()
  return new Map(items.map(({ Id, BuyItNowPrice }) => [Id, BuyItNowPrice]))
}

/** Live prices of some items, in the order of the ids. */
export async function pricesOf(home: Home, ids: readonly number[]): Promise<(number | undefined)[]> {
  const live = await livePrices(home)
  return ids.map((id) => live.get(id))
}

export async function setFaults(home: Home, order: Readonly<Record<string, string>>): Promise<void> {
  await controlSandbox(home.sandbox.url, 'faults', order)
}
