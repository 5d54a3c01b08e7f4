/** Runs that need something done before: an item added, a job sent, a description saved. Each prepares its own. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ErrorCode } from '../../src/errors/index.js'
import { SANDBOX_PROFILE } from '../../src/sandbox/profile.js'
import { buildWsdl } from '../../src/sandbox/wsdl/document.js'
import type { Home } from '../e2e/harness.js'
import { CATEGORY, PIXEL } from '../e2e/observed.js'
import { stock } from '../e2e/shop.js'

/** One command line whose error is compared with the golden file. */
export interface Case {
  readonly args: readonly string[]
  readonly stdin?: string
  /** The service's answer, as the content of the operation's response; by default that of the sandbox. */
  readonly answer?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly before?: (home: Home) => Promise<unknown>
  readonly after?: (home: Home) => Promise<unknown>
}

/** Settings of the environment that a login must find by itself. */
const BARE = Object.fromEntries(
  ['BASE_URL', 'NAMESPACE', 'APP_ID', 'APP_KEY', 'USER_ID', 'TOKEN'].map((name) => [`SELLER_${name}`, undefined]),
)
const OTHER_SELLER = { SELLER_USER_ID: '1002', SELLER_TOKEN: 'sandbox-token-of-member-1002' }

// biome-ignore lint/suspicious/noExplicitAny: what a script would read, unchecked.
async function run(home: Home, ...args: string[]): Promise<any> {
  const ended = await home.run([...args, '--json'])
  if (ended.code !== 0) throw new Error(`${args.join(' ')}: ${ended.stdout}${ended.stderr}`)
  return ended.stdout === '' ? undefined : ended.json()
}

async function auction(home: Home, ...more: string[]): Promise<number> {
  const flags = ['--title', 'Vas', '--category', CATEGORY, '--opening', '100', '--shipping', 'pickup']
  const { ItemId, RequestId } = await run(home, 'items:add', ...flags, ...more)
  await run(home, 'requests:wait', String(RequestId))
  return ItemId
}

async function idOfShopItem(home: Home): Promise<string> {
  const [id = 0] = await stock(home, [100])
  return String(id)
}

async function priceJob(home: Home, ...more: string[]): Promise<string> {
  return String((await run(home, 'shop:price', `${await idOfShopItem(home)}=110`, '--yes', ...more)).JobId)
}

/** Stores a profile without trying it. */
async function login(home: Home, name: string, secrets: object, ...more: string[]): Promise<void> {
  const { namespace, appId, userId } = SANDBOX_PROFILE
  const given = ['--base-url', home.sandbox.url, '--namespace', namespace, '--app-id', String(appId), '--user-id', String(userId)]
  const known = Object.entries(secrets).filter(([key]) => /^(appKey|token)/.test(key))
  const stdin = JSON.stringify(
    Object.fromEntries(known.map(([key, value]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value])),
  )
  // The first profile becomes the current one, which no other case expects.
  for (const profile of ['default', name]) {
    const args = ['auth:login', '-p', profile, ...given, ...(profile === name ? more : []), '--no-verify', '--stdin']
    const stored = await home.run(args, { stdin, env: BARE })
    if (stored.code !== 0) throw new Error(stored.stderr)
  }
}

/** Runs for codes whose command line depends on what the home has. */
export const PREPARED: Partial<Record<ErrorCode, (home: Home) => Promise<Case>>> = {
  overwrites_input: async (home) => {
    await home.file('rows.csv', 'Id,Price\n1,2\n')
    return { args: ['shop:price', '--file', 'rows.csv', '--failed-file', 'rows.csv'] }
  },
  half_a_user: async (home) => ({
    args: ['auth:login', '-p', 'half', '--base-url', home.sandbox.url, '--app-id', '5', '--user-id', '7', '--stdin'],
    stdin: 'app_key=k-00000000',
    env: BARE,
  }),
  secret_command_failed: async (home) => {
    await login(home, 'vault', { appKeyCommand: 'exit 3', tokenCommand: 'exit 3' })
    return { args: ['account:show', '-p', 'vault'], env: BARE }
  },
  binding_too_narrow: async (home) => {
    const id = await idOfShopItem(home)
    await login(home, 'forms', SANDBOX_PROFILE, '--setting', 'binding=post')
    return { args: ['shop:price', `${id}=110`, '--yes', '-p', 'forms'], env: BARE }
  },
  insecure_address: async (home) => {
    const id = await idOfShopItem(home)
    await login(home, 'address', SANDBOX_PROFILE, '--setting', 'binding=get')
    return { args: ['shop:remove', id, '--yes', '-p', 'address'], env: BARE }
  },
  never_committed: async () => ({
    args: ['items:add', '-f', '-', '--wait'],
    stdin: `{"Title":"Vas","CategoryId":${CATEGORY},"StartPrice":10,"AutoCommit":false,"ShippingOptions":[{"ShippingOptionId":8,"Cost":0}]}`,
  }),
  not_an_auction: async (home) => ({ args: ['items:price', await idOfShopItem(home), '--opening', '50'] }),
  not_active_yet: async (home) => {
    const flags = ['--title', 'Mugg', '--category', CATEGORY, '--price', '50', '--from', '2099-01-01']
    const { ItemId, RequestId } = await run(home, 'shop:add', ...flags)
    await run(home, 'requests:wait', String(RequestId))
    return { args: ['shop:remove', String(ItemId)] }
  },
  cannot_be_ended: async (home) => {
    await run(home, 'service:check', '--save', '--yes')
    return { args: ['items:end', await idOfShopItem(home), '--yes'] }
  },
  request_committed: async (home) => {
    const flags = ['--title', 'Vas', '--category', CATEGORY, '--opening', '100', '--shipping', 'pickup']
    const { RequestId } = await run(home, 'items:add', ...flags, '--wait')
    await home.file('late.png', PIXEL.png)
    return { args: ['images:upload', String(RequestId), 'late.png'] }
  },
  discount_state: async (home) => {
    const [id] = await stock(home, [100])
    const made = await run(home, 'shop:discount', 'Rea', `${id}=90`, '--from', '1d', '--until', '2d', '--yes')
    return { args: ['discounts:end', String(made.DiscountId)] }
  },
  closing_state: async (home) => {
    await run(home, 'service:check', '--save', '--yes')
    return { args: ['shop:settings', '--open', '--yes'] }
  },
  feedback_already_left: async (home) => {
    const [sale] = await run(home, 'feedback:pending')
    await run(home, 'feedback:leave', String(sale.Id), 'Tack', '--positive')
    return { args: ['feedback:leave', String(sale.Id), 'Igen', '--positive'] }
  },
  price_held: async (home) => ({ args: ['items:price', String(await auction(home)), '--opening', '1000', '--yes'] }),
  item_held: async (home) => {
    await stock(home, [100], { reference: () => 'HELD-1' })
    return { args: ['shop:add', '--title', 'Mugg', '--category', CATEGORY, '--price', '50', '--reference', 'HELD-1'] }
  },
  sync_held: async (home) => {
    // The prices of the row above: a sorted column beside an unsorted one.
    const ids = await stock(
      home,
      Array.from({ length: 30 }, (_, at) => 100 + at * 10),
      { reference: (at) => `SYNC-${at}` },
    )
    const rows = ids.map((_, at) => `SYNC-${at},${at === 0 ? 390 : 90 + at * 10}`)
    return { args: ['shop:sync', '--file', '-', '--yes'], stdin: `OwnReferences,Price\n${rows.join('\n')}\n` }
  },
  fees_not_accepted: async (home) => {
    const ids = [await auction(home), await auction(home)]
    const stdin = `Id,OpeningPrice,ReservedPrice\n${ids.map((id) => `${id},100,150\n`).join('')}`
    return { args: ['items:price', '--file', '-', '--accept', 'fees', '--yes'], stdin }
  },
  job_over: async (home) => ({ args: ['jobs:drop', await priceJob(home, '--wait')] }),
  undo_impossible: async (home) => ({ args: ['jobs:undo', await priceJob(home, '--blind'), '--yes'] }),
  undo_of_several_kinds: async (home) => {
    const job = await priceJob(home, '--wait')
    const stdin = `Id,OpeningPrice\n${await auction(home)},110\n`
    const other = await home.run(['items:price', '--file', '-', '--yes', '--json'], { stdin })
    return { args: ['jobs:undo', job, String(other.json().JobId), '--yes'] }
  },
  wrong_profile: async (home) => ({ args: ['jobs:resume', await priceJob(home)], env: OTHER_SELLER }),
  plan_of_another: async (home) => {
    await run(home, 'shop:price', `${await idOfShopItem(home)}=110`, '--dry-run', '--save-plan', 'plan.json')
    return { args: ['shop:price', '--plan', 'plan.json', '--yes'], env: OTHER_SELLER }
  },
  no_known_prices: async () => ({
    args: ['shop:restore', '--at', '2026-01-01', '--yes'],
    env: { SELLER_DATA_DIR: 'no-prices' },
  }),
  unknown_name: async () => ({
    args: ['shop:add', '--title', 'Mugg', '--price', '50', '--category', 'Keramikk'],
  }),
  ambiguous_name: async () => ({
    args: ['shop:add', '--title', 'Mugg', '--price', '50', '--category', 'sandaler'],
  }),
  no_token: async (home) => {
    await login(home, 'issued', SANDBOX_PROFILE)
    const args = ['auth:token', '--user-id', '1001', '--stdin', '-p', 'issued']
    return { args, stdin: 'not-the-key-of-this-seller', env: BARE }
  },
  no_page: async (home) => ({ args: ['images:list', await idOfShopItem(home), '--web'] }),
  eid_not_begun: async (home) => {
    await home.run(['eid:verify', '--timeout', '1ms'])
    return { args: ['eid:verify'], after: () => home.run(['eid:cancel']) }
  },
  order_ref_not_taken: async (home) => {
    await run(home, 'service:check', '--save', '--yes')
    return { args: ['eid:status', '--order-ref', 'x'] }
  },
  call_budget_spent: async (home) => {
    await login(home, 'spent', SANDBOX_PROFILE, '--setting', 'call_budget=1')
    await home.run(['account:show', '-p', 'spent'], { env: { ...BARE, SELLER_DATA_DIR: join(home.dir, 'spent') } })
    return { args: ['account:show', '-p', 'spent'], env: { ...BARE, SELLER_DATA_DIR: 'spent' } }
  },
  call_share_spent: async (home) => {
    const env = { SELLER_CALL_BUDGET: '4', SELLER_CALL_SHARE: '25%', SELLER_DATA_DIR: 'share' }
    await home.run(['account:show'], { env: { ...env, SELLER_DATA_DIR: join(home.dir, 'share') } })
    return { args: ['account:show'], env }
  },
  // No program listens on port 1 of a machine.
  quota_away: async () => ({
    args: ['account:show'],
    env: {
      SELLER_CALL_BUDGET: '4',
      SELLER_QUOTA_URL: 'redis://shop:open-sesame@127.0.0.1:1/2',
      SELLER_QUOTA_PATIENCE: '0s',
      SELLER_DATA_DIR: 'away',
    },
  }),
  no_release: async (home) => ({ args: ['update:check', '--url', `${home.sandbox.url}/nowhere`] }),
  no_description: async (home) => ({ args: ['service:check', '--url', `${home.sandbox.url}/nowhere/v3`] }),
  description_twice: async (home) => {
    const wsdl = buildWsdl('PublicService', SANDBOX_PROFILE.namespace, 'https://shop.example')
    await home.file('public.wsdl', wsdl)
    return { args: ['service:check', '-f', 'public.wsdl', '-f', 'public.wsdl'] }
  },
  description_damaged: async (home) => {
    await run(home, 'service:check', '--save', '--yes')
    const dir = join(home.dataDir, 'descriptions')
    // Other cases have saved some at other addresses.
    const paths = (await readdir(dir)).filter((name) => name.includes('Restricted')).map((name) => join(dir, name))
    const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
    const write = (of: (text: string) => string) => Promise.all(paths.map((path, at) => writeFile(path, of(texts[at] ?? ''))))
    await write((text) => text.slice(0, 100))
    return { args: ['service:operations'], after: () => write((text) => text) }
  },
  sandbox_refused: async (home) => ({ args: ['sandbox:start', '--port', new URL(home.sandbox.url).port] }),
}
