/**
 * Two shops of different accounts in one process: nothing of one run reaches the other, and in a run over both each keeps its
 * own.
 */
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { systemClock } from '../../src/system/clock.js'
import type { Run } from './harness.js'
import { openShops, type SeveralShops, writeProfiles } from './several-shops.js'

interface Account {
  readonly key: string
  readonly token: string
  readonly unit: string
  /** Texts that must not be in anything of this shop. */
  readonly foreign: RegExp
}

/** The second one calls as another application of a fresh sandbox, and its machine is in Japan, half a year ahead. */
const ACCOUNTS = {
  'shop-a': {
    key: SANDBOX_PROFILE.appKey,
    token: SANDBOX_PROFILE.token,
    unit: 'kr',
    foreign: /EUR|Swedish time|shop-b|2027-/,
  },
  'shop-b': {
    key: '0c7b2f6e-2222-4d4f-9a57-2b6f0e5a7d02',
    token: 'sandbox-token-of-member-1002',
    unit: 'EUR',
    // A coin is called so.
    foreign: /\d kr\b(?! 1976)|shop-a/,
  },
} as const satisfies Record<string, Account>
type Name = keyof typeof ACCOUNTS
const NAMES = Object.keys(ACCOUNTS) as Name[]
const BOTH = ['--profiles', NAMES.join()]

describe('two shops of different currencies', function () {
  this.timeout(120_000)
  let shops: SeveralShops
  /** Requests that were sent to the service at the address of each shop. */
  let sent: Record<Name, string[]>
  let profiles: Record<string, object>
  const doors: Server[] = []

  before(async () => {
    shops = await openShops({ faults: { queueDelayMs: 0 } })
    const changes: Record<string, object> = {}
    for (const name of NAMES) {
      const base_url = await door((text) => sent[name].push(text))
      changes[name] = name === 'shop-a' ? { base_url } : { base_url, app_id: 2, app_key: ACCOUNTS[name].key, currency: 'EUR' }
    }
    profiles = changes
    await writeProfiles(shops.home, profiles)
  })

  beforeEach(() => {
    sent = { 'shop-a': [], 'shop-b': [] }
  })

  after(async () => {
    for (const each of doors) each.close()
    await shops.close()
  })

  /** A way to the sandbox that is slow enough for calls to overlap. */
  async function door(see: (text: string) => void): Promise<string> {
    const server = createServer(async (asked, answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of asked) chunks.push(chunk as Buffer)
      see(Buffer.concat(chunks).toString())
      await sleep(20)
      const { host: _, ...headers } = asked.headers
      request(new URL(asked.url ?? '', shops.home.sandbox.url), { method: asked.method, headers }, (reply) => {
        answer.writeHead(reply.statusCode ?? 500, reply.headers)
        reply.pipe(answer)
      }).end(Buffer.concat(chunks))
    })
    doors.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Runs a command for one shop, on its machine. */
  const runFor = (name: Name, ...args: string[]): Promise<Run> => {
    const ahead = name === 'shop-a' ? 0 : 200 * 86_400_000
    const clock = { ...systemClock, now: () => Date.now() + ahead }
    const zone = name === 'shop-a' ? 'Europe/Stockholm' : 'Asia/Tokyo'
    return shops.run([...args, '--profile', name], { clock: { ...clock, zone } })
  }

  const rowsOf = (run: Run): { Profile: string; State: string; Currency: string; JobIds: readonly number[] }[] => run.json()

  describe('in one run', () => {
    const fileOf = async (amounts: Record<Name, string>): Promise<string> => {
      for (const name of NAMES)
        await shops.home.file(`prices-${name}.csv`, `OwnReference;Price\nREF-0;110\nREF-1;${amounts[name]}\n`)
      return `${shops.home.dir}/prices-{profile}.csv`
    }

    it('take amounts in their own currency', async () => {
      const file = await fileOf({ 'shop-a': '1000 kr', 'shop-b': '1000 EUR' })
      const run = await shops.run(['shop:price', '--file', file, ...BOTH, '--dry-run', '--json'])
      expect(run.code, run.stdout + run.stderr).to.equal(0)
      expect(rowsOf(run).map(({ Profile, State, Currency }) => [Profile, State, Currency])).to.deep.equal([
        ['shop-a', 'planned', 'SEK'],
        ['shop-b', 'planned', 'EUR'],
      ])
      for (const [at, { unit }] of Object.values(ACCOUNTS).entries())
        expect(JSON.stringify(rowsOf(run)[at])).to.include(`200 ${unit} to 1 000 ${unit}`)
    })

    for (const [name, amount, own] of [
      ['shop-a', '1000 EUR', 'is in EUR, and the account is in SEK'],
      ['shop-b', '1000 kr', 'is in SEK, and the account is in EUR'],
    ] as const) {
      it(`refuse ${amount} for ${name}, before any call`, async () => {
        const file = await fileOf({ 'shop-a': '1000', 'shop-b': '1000', [name]: amount })
        const run = await shops.run(['shop:price', '--file', file, ...BOTH, '--dry-run', '--json'])
        expect(run.code, run.stdout).to.equal(3)
        expect(run.json().error.message).to.include(`${name}: `).and.to.include(own)
        expect(sent).to.deep.equal({ 'shop-a': [], 'shop-b': [] })
      })
    }

    it('keep each its own unit in the ledger', async () => {
      const file = await fileOf({ 'shop-a': '1000 kr', 'shop-b': '1000 EUR' })
      const run = await shops.run(['shop:price', '--file', file, ...BOTH, '--yes', '--wait', '--json'])
      expect(run.code, run.stdout).to.equal(6)
      for (const name of NAMES) {
        const { unit } = ACCOUNTS[name]
        const [id] = rowsOf(run).find(({ Profile }) => Profile === name)?.JobIds ?? []
        const shown = await runFor(name, 'jobs:show', String(id), '--failed', '--json')
        expect(shown.stdout, shown.stderr).to.include(`200 ${unit} to 1 000 ${unit}`)
      }
    })

    it('have sums of their own in a report', async () => {
      const run = await shops.run(['sales:report', '--since', '3000d', ...BOTH, '-o', 'table'])
      expect(run.code, run.stderr).to.equal(0)
      expect(run.stdout)
        .to.match(/^shop-a .* kr .*$/m)
        .and.to.match(/^shop-b .* EUR .*$/m)
      expect(run.stdout.match(/, 1 shop: \d+ sales?, [\d ]+(?:kr|EUR)$/gm)).to.have.lengthOf(2)
    })
  })

  it('do not meet where they are at work at once', async () => {
    const commands = [
      ['items:list', '--limit', '5', '-o', 'table'],
      ['shop:price', 'REF-0=111', 'REF-2=3000', '--dry-run', '-o', 'table'],
      ['shop:price', '--reference', 'REF-*', '--add', '-10%', '--floor', '5', '--dry-run', '-o', 'table'],
      ['transactions:list', '-o', 'table'],
      ['sales:report', '--since', '300d', '-o', 'table'],
      ['auth:status', '-o', 'table'],
    ]
    const runs = await Promise.all(
      [...commands, ...commands].flatMap((args) => NAMES.map(async (name) => ({ name, args, run: await runFor(name, ...args) }))),
    )
    for (const { name, args, run } of runs) {
      const { foreign } = ACCOUNTS[name]
      expect(run.code, `${args}: ${run.stderr}`).to.equal(0)
      expect((run.stdout + run.stderr).match(foreign), `${name}: ${args.join(' ')}`).to.equal(null)
    }
    for (const name of NAMES) {
      const [other] = NAMES.filter((each) => each !== name)
      const text = sent[name].join('\n')
      expect(text).to.include(ACCOUNTS[name].key).and.to.include(ACCOUNTS[name].token)
      if (other !== undefined) expect(text).not.to.include(ACCOUNTS[other].key).and.not.to.include(ACCOUNTS[other].token)
    }
  })

  it('have the time of their own machine in what they are told', async () => {
    const limited = Object.entries(profiles).map(([name, settings]) => [name, { ...settings, call_budget: 1 }])
    await writeProfiles(shops.home, Object.fromEntries(limited))
    const [swedish, japanese] = await Promise.all(NAMES.map((name) => runFor(name, 'account:show')))
    await writeProfiles(shops.home, profiles)
    expect(swedish?.stderr).to.match(/The next call is free in [^,]+, at \d{4}-\d\d-\d\d \d\d:\d\d\. /)
    expect(japanese?.stderr).to.match(/The next call is free in [^,]+, at \d{4}-\d\d-\d\d \d\d:\d\d Swedish time\. /)
    expect([swedish?.code, japanese?.code]).to.deep.equal([7, 7])
  })

  it('have limits in their own currency, whose unit may be typed', async () => {
    const limits = (name: Name, text: string) =>
      shops.run(['auth:login', '--profile', name, '--setting', `min_price=${text}`, '--json'])
    const wrong = await limits('shop-b', '50 kr')
    expect([wrong.code, wrong.json().error.code, wrong.json().error.message]).to.deep.equal([
      2,
      'invalid_price',
      '--setting min_price: "50 kr" is in SEK, and the account is in EUR; write an amount in EUR.',
    ])
    expect((await limits('shop-b', '5 EUR')).code).to.equal(0)
    expect((await limits('shop-b', 'off')).code).to.equal(0)
  })

  it('are not moved twice by a rule in their own unit', async () => {
    const add = ['shop:price', '--reference', 'REF-2', '--add', '7 EUR', '--profiles', 'shop-b', '--yes', '--json']
    const first = await shops.run(add)
    expect(first.code, first.stdout + first.stderr).to.equal(0)
    const again = await shops.run(add)
    expect([again.code, again.json().error.code]).to.deep.equal([6, 'moved_already'])
  })
})
