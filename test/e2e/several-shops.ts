/** Three sellers' shops at one service, each with a profile. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { controlSandbox } from '../control-sandbox.js'
import type { Home, Run, RunOptions } from './harness.js'
import { type ObservedHome, openObserved } from './observed.js'
import { livePrices } from './shop.js'

/** The variables of a home that would win over every profile. */
export const OWN_SELLERS = {
  SELLER_BASE_URL: undefined,
  SELLER_NAMESPACE: undefined,
  SELLER_APP_ID: undefined,
  SELLER_APP_KEY: undefined,
  SELLER_USER_ID: undefined,
  SELLER_TOKEN: undefined,
} as const

/** Sellers of a fresh sandbox that have a shop. */
const SELLERS = {
  'shop-a': { user_id: SANDBOX_PROFILE.userId, token: SANDBOX_PROFILE.token },
  'shop-b': { user_id: 1002, token: 'sandbox-token-of-member-1002' },
  'shop-d': { user_id: 1006, token: 'sandbox-token-of-member-1006' },
}
export type ShopName = keyof typeof SELLERS

export interface SeveralShops {
  readonly home: ObservedHome
  /** Ids of the items of each shop, in the order of `PRICES`. */
  readonly ids: Readonly<Record<ShopName, readonly number[]>>
  /** Runs a command for profiles. */
  run(args: readonly string[], options?: RunOptions): Promise<Run>
  /** Live prices of the items of a shop. */
  prices(name: ShopName): Promise<(number | undefined)[]>
  close(): Promise<void>
}

/** Kronor, of the items REF-0, REF-1 … of each shop. */
export const PRICES = [100, 200, 300] as const

/** Profiles shop-a, shop-b and shop-d, and shop-c that is not logged in. */
export async function openShops(options: Parameters<typeof openObserved>[0] = {}): Promise<SeveralShops> {
  const home = await openObserved(options)
  await writeProfiles(home)
  const rows = Object.values(SELLERS).flatMap(({ user_id }) =>
    PRICES.map((price, at) => `Vara ${at},${price},REF-${at},${user_id}`),
  )
  const csv = ['Title,Price,OwnReference,SellerId', ...rows].join('\n')
  const { ids } = (await controlSandbox(home.sandbox.url, 'seed', { csv })) as { ids: number[] }
  const of = (at: number): readonly number[] => ids.slice(at * PRICES.length, (at + 1) * PRICES.length)
  const shops: SeveralShops = {
    home,
    ids: { 'shop-a': of(0), 'shop-b': of(1), 'shop-d': of(2) },
    run: (args, given) => home.run(args, { ...given, env: { ...OWN_SELLERS, ...given?.env } }),
    async prices(name) {
      const live = await livePrices(home, SELLERS[name].user_id)
      return shops.ids[name].map((id) => live.get(id))
    },
    close: () => home.close(),
  }
  return shops
}

/** Writes the settings file. @param changes settings of some profiles */
export async function writeProfiles(
  { sandbox, configDir }: Pick<Home, 'sandbox' | 'configDir'>,
  changes: Readonly<Record<string, object>> = {},
): Promise<void> {
  const service = { base_url: sandbox.url, namespace: sandbox.namespace, app_id: SANDBOX_PROFILE.appId }
  const keys = { ...service, app_key: SANDBOX_PROFILE.appKey }
  const profiles: Record<string, object> = { 'shop-c': service }
  for (const [name, seller] of Object.entries(SELLERS)) profiles[name] = { ...keys, ...seller }
  for (const [name, change] of Object.entries(changes)) profiles[name] = { ...(profiles[name] ?? keys), ...change }
  await mkdir(configDir, { recursive: true })
  await writeFile(join(configDir, 'profiles.json'), JSON.stringify({ profiles }), { mode: 0o600 })
}
