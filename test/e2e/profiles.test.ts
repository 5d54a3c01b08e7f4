/** --profiles: a command over several shops of one service, over real HTTP. */

import { existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { openLedger } from '../../src/jobs/ledger/index.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { systemClock } from '../../src/system/clock.js'
import { closing, openedForEach } from '../opened.js'
import { words } from './harness.js'
import { ask } from './person.js'
import { OWN_SELLERS, openShops, PRICES, writeProfiles } from './several-shops.js'
import { setFaults } from './shop.js'

const UP = ['shop:price', '--reference', 'REF-*', '--add', '10kr']
const ALL = ['--profiles', 'shop-*']
const RAISED = PRICES.map((price) => price + 10)

interface End {
  readonly Profile: string
  readonly State: string
  readonly ExitCode: number | null
  readonly Counts: Readonly<Record<string, number>>
  readonly JobIds: readonly number[]
  readonly DiscountId: number | null
  readonly Message: string | null
  // biome-ignore lint/suspicious/noExplicitAny: what a script would read, unchecked.
  readonly Result: any
  readonly Error: { readonly code: string; readonly exitCode: number; readonly message: string; readonly hint: string } | null
}

const short = ({ Profile, State, ExitCode }: End): string => `${Profile} ${State} ${ExitCode}`

describe('--profiles', function () {
  this.timeout(120_000)
  const shops = openedForEach(() => openShops({ faults: { queueDelayMs: 0 }, emptyShops: true }))

  beforeEach(() => {
    shops.home.calls()
  })

  describe('shop:price', () => {
    it('plans all, asks once and sends after a yes', async () => {
      const person = ask(shops.home, [...UP, ...ALL, '--wait'], { env: { ...OWN_SELLERS, NO_COLOR: '1' } })
      await person.sees('Send 9 new prices in 3 shops?')
      expect(shops.home.calls()).to.deep.equal(Array(3).fill('GetSellerItems'))
      await person.enters('y')
      const run = await person.done
      expect(run.code, run.stderr).to.equal(4)
      expect(run.stderr)
        .to.match(/^shop-a +3 to change +600 kr to \d+ kr/m)
        .and.to.match(/^shop-d +3 to change/m)
      expect(run.stderr).to.match(/^shop-c +The profile "shop-c" has no/m)
      expect(run.stdout).to.match(/^shop-d +ok +3 ok/m)
      expect(new Set(run.stderr.match(/Send \d+ new price.*\?/g))).to.have.property('size', 1)
      expect(shops.home.calls().filter((name) => name === 'SetPriceOnShopItems')).to.have.lengthOf(3)
      expect(await shops.prices('shop-d')).to.deep.equal(RAISED)
    })

    it('goes on with the others where the service of one is away, and exits with the worst code', async () => {
      const away = { base_url: 'http://127.0.0.1:9' }
      await writeProfiles(shops.home, { 'shop-b': { ...shopB, ...away } })
      const run = await shops.run([...UP, '--profiles', 'shop-a,shop-b,shop-d', '--yes', '--wait', '--json'])
      expect(run.code).to.equal(1)
      const ends: End[] = run.json()
      expect(ends.map(short)).to.deep.equal(['shop-a ok 0', 'shop-b failed 1', 'shop-d ok 0'])
      expect(ends[1]?.Error?.code).to.equal('unreachable')
      // A spent budget wins over a login that is missing.
      await writeProfiles(shops.home, { 'shop-d': { call_budget: 1 } })
      const spent = await shops.run([...UP, ...ALL, '--again', '--yes', '--json'])
      expect(spent.json().map(short)).to.deep.equal([
        'shop-a waiting 0',
        'shop-b waiting 0',
        'shop-c failed 4',
        'shop-d failed 7',
      ])
      expect(spent.code).to.equal(7)
    })

    it('shows no secret of any shop, where a service repeats that of another', async () => {
      using server = closing(
        createServer((_request, response) => {
          const fault = `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text xml:lang="en">no ${SANDBOX_PROFILE.token}</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>`
          response.writeHead(500, { 'content-type': 'application/soap+xml' }).end(fault)
        }),
      )
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      await writeProfiles(shops.home, { 'shop-b': { ...shopB, base_url: url } })
      for (const form of ['json', 'table', 'csv']) {
        const run = await shops.run([...UP, '--profiles', 'shop-b,shop-a', '--dry-run', '-o', form])
        expect(run.stdout + run.stderr)
          .to.include('•••')
          .and.not.to.include(SANDBOX_PROFILE.token)
      }
    })
  })

  describe('the profiles', () => {
    const refused = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> => {
      const run = await shops.run(args, { env })
      expect(run.code, run.stdout).to.equal(2)
      expect(run.stdout).to.equal('')
      expect(shops.home.calls()).to.deep.equal([])
      return run.stderr
    }

    it('do not go with a seller of the environment', async () => {
      const one = await refused([...UP, ...ALL, '--yes'], { SELLER_TOKEN: 'a-token-of-somebody' })
      expect(one).to.include('SELLER_TOKEN is set').and.not.to.include('a-token-of-somebody')
      expect(one).to.include('env -u SELLER_TOKEN')
    })

    it('are each a shop of its own, and the sandbox only by its name', async () => {
      await writeProfiles(shops.home, { 'shop-e': shopB })
      expect(await refused([...UP, ...ALL, '--yes'])).to.include('"shop-b" and "shop-e" are the same shop (seller 1002)')
      const jobs = await shops.run(['jobs:due', '--profiles', '*', '--json'])
      expect(jobs.json().map(({ Profile }: End) => Profile)).to.deep.equal(['shop-a', 'shop-b', 'shop-c', 'shop-d', 'shop-e'])
      const named = await shops.run(['jobs:due', '--profiles', 'sandbox,shop-?,shop-a', '--json'])
      expect(
        named
          .json()
          .map(({ Profile }: End) => Profile)
          .slice(0, 2),
      ).to.deep.equal(['sandbox', 'shop-a'])
      expect(named.json()).to.have.lengthOf(6)
    })
  })

  it('shows what needs doing today in each, with commands of its own', async () => {
    const stopped = await shops.run(['shop:price', '--all', '--add', '1kr', '--profile', 'shop-d', '--yes', '--max-calls', '1'])
    expect(stopped.code, stopped.stderr).to.equal(7)
    const run = await shops.run(['today', ...ALL, '--json'])
    const [a, b, c, d] = run.json()
    expect([a, b, c, d].map(({ Profile, State }: End) => `${Profile} ${State}`)).to.deep.equal([
      ...['shop-a ok', 'shop-b ok', 'shop-c failed', 'shop-d ok'],
    ])
    expect([run.code, c.Message]).to.deep.equal([c.ExitCode, c.Error.message])
    const job = d.Result.find(({ Kind }: { Kind: string }) => Kind === 'jobs')
    expect(job).to.include({ Words: '1 job stopped before the end', Command: 'seller jobs:resume --profile shop-d' })
    expect(d.Message).to.include('1 job stopped before the end')
    const shown = await shops.run(['today', ...ALL, '-o', 'table'])
    expect(shown.stdout)
      .to.include('shop-d\n')
      .and.to.include('  1 job stopped before the end\n    seller jobs:resume --profile shop-d\n')
    expect((shown.stdout + shown.stderr).split('The profile "shop-c" has no'), 'an error is told once').to.have.lengthOf(2)
    expect(shown.stderr).to.include('shop-c: The profile "shop-c" has no').and.not.to.include('nothing that needs doing')
    const rows = await shops.run(['today', '--profiles', 'shop-d', '-o', 'csv', '--columns', 'Profile,Message'])
    expect(rows.stdout).to.match(/^Profile,Message\r?\nshop-d,.*1 job stopped/)
  })

  it('sends all shops before it waits for the results of any, unless one at a time is asked for', async () => {
    await setFaults(shops.home, { 'queue-delay': '2s' })
    const up = (add: string, atOnce: string) => [
      ...UP.slice(0, -1),
      add,
      '--profiles',
      'shop-a,shop-b,shop-d',
      '--at-once',
      atOnce,
      '--yes',
      '--wait',
    ]
    const order = async (args: string[]): Promise<boolean> => {
      shops.home.calls()
      const run = await shops.run([...args, '--json'])
      expect(run.code, run.stderr).to.equal(0)
      const calls = shops.home.calls()
      return calls.lastIndexOf('SetPriceOnShopItems') < calls.indexOf('GetRequestResults')
    }
    expect(await order(up('10kr', '3'))).to.equal(true)
    expect(await order(up('11kr', '1'))).to.equal(false)
    for (const name of ['shop-a', 'shop-b', 'shop-d'] as const)
      expect(await shops.prices(name)).to.deep.equal(PRICES.map((price) => price + 21))
  })

  it('begins after a kill what the killed run had not begun, each shop once, and holds the same move within the hour', async () => {
    const own = { env: OWN_SELLERS }
    const raise = [...UP, '--profiles', 'shop-a,shop-b,shop-d', '--yes', '--json']
    await setFaults(shops.home, { latency: '300ms' })
    const started = shops.home.spawn([...raise, '--at-once', '1'], own)
    while (!shops.home.calls().includes('SetPriceOnShopItems')) await new Promise((resolve) => setTimeout(resolve, 20))
    started.kill('SIGKILL')
    await started.done
    await setFaults(shops.home, { latency: '0ms' })
    const listed = await shops.run(['jobs:list', '-p', 'shop-a', '--json'])
    const [, left = ''] = /A run of shop:price .* ago did not begin \d shops?: (.*)\.\n/.exec(listed.stderr) ?? []
    expect(left, listed.stderr).to.match(/shop-d$/)
    expect(listed.stderr).to.include(`seller jobs:resume --profiles ${left.replace(', ', ',')}`)
    const held = await shops.run(raise)
    const moved = ['shop-a', 'shop-b', 'shop-d'].filter((name) => !left.includes(name))
    expect([held.code, held.json().error.code, held.json().error.shops], held.stderr).to.deep.equal([6, 'moved_already', moved])
    // The same change in other words.
    for (const same of [
      ['--all', '--add', '10 kr'],
      ['--all', '--add', '+10SEK'],
      ['--reference', '*', '--add', '10kr'],
    ]) {
      const refused = await shops.run(['shop:price', ...same, '--profiles', 'shop-a,shop-b,shop-d', '--yes', '--json'])
      expect([refused.code, refused.json().error.code], same.join(' ')).to.deep.equal([6, 'moved_already'])
    }
    const rest = ['jobs:resume', '--profiles', 'shop-a,shop-b,shop-d', '--wait', '--json']
    // Two at once: one of them begins each shop.
    await Promise.all([shops.home.spawn(rest, own).done, shops.home.spawn(rest, own).done])
    expect((await shops.run(rest)).code).to.equal(0)
    for (const name of ['shop-a', 'shop-b', 'shop-d'] as const) expect(await shops.prices(name), name).to.deep.equal(RAISED)
    expect((await shops.run(['jobs:list', '-p', 'shop-a', '--json'])).stderr).to.equal('')
    const again = await shops.run([...raise, '--again', '--wait'])
    expect(again.code, again.stderr).to.equal(0)
    expect(await shops.prices('shop-d')).to.deep.equal(PRICES.map((price) => price + 20))
  })

  it('makes after a kill the discounts that the killed run had not made, one in each shop, and holds the same within the hour', async () => {
    const names = ['shop-a', 'shop-b', 'shop-d']
    const profiles = ['--profiles', names.join(',')]
    const flash = ['shop:discount', 'Flash', '--reference', 'REF-*', '--add', '-20%', '--from', 'now', '--until', '+2h']
    const make = [...flash, ...profiles, '--yes', '--json']
    const made = async () =>
      ((await shops.run(['discounts:list', '--all-profiles', '--json'])).json() as { Profile: string; Name: string }[])
        .map(({ Profile, Name }) => `${Profile} ${Name}`)
        .sort()
    // Nothing is on the way between two shops, so the run is killed while it cannot write. Each shop is read before its discount
    // is made: slow replies leave time to see the first one.
    await setFaults(shops.home, { latency: '500ms' })
    mkdirSync(shops.home.dataDir, { recursive: true })
    const { store } = openLedger(join(shops.home.dataDir, 'ledger.db'), systemClock)
    const started = shops.home.spawn([...make, '--at-once', '1'], { env: OWN_SELLERS })
    try {
      for (let locked = false; !locked; await new Promise((resolve) => setTimeout(resolve, 1))) {
        store.exec('BEGIN IMMEDIATE')
        locked = store.first('SELECT 1 FROM discounts LIMIT 1') !== undefined
        if (!locked) store.exec('ROLLBACK')
      }
      started.kill('SIGKILL')
      await started.done
      store.exec('ROLLBACK')
    } finally {
      store.close()
    }
    await setFaults(shops.home, { latency: '0ms' })
    const before = await made()
    const [done, left] = [names.slice(0, before.length), names.slice(before.length)]
    expect(before).to.deep.equal(done.map((name) => `${name} Flash`))
    const listed = await shops.run(['jobs:list', '-p', 'shop-a', '--json'])
    expect(listed.stderr).to.match(new RegExp(`A run of shop:discount .* ago did not begin \\d shops?: ${left.join(', ')}\\.\n`))
    expect(listed.stderr).to.include(`seller jobs:resume --profiles ${left.join(',')}`)
    const held = await shops.run(make)
    expect([held.code, held.json().error.code, held.json().error.shops], held.stderr).to.deep.equal([6, 'moved_already', done])
    expect((await shops.run([...make, '--dry-run'])).code, 'a plan is not held').to.equal(0)
    const rest = ['jobs:resume', ...profiles, '--json']
    // Two at once: one of them begins each shop.
    await Promise.all([shops.home.spawn(rest, { env: OWN_SELLERS }).done, shops.home.spawn(rest, { env: OWN_SELLERS }).done])
    expect((await shops.run(rest)).code).to.equal(0)
    expect(await made()).to.deep.equal(names.map((name) => `${name} Flash`))
    expect((await shops.run(['jobs:list', '-p', 'shop-a', '--json'])).stderr).to.equal('')
    expect((await shops.run([...flash.with(1, 'Another'), ...profiles, '--yes', '--json'])).code, 'another discount').to.equal(0)
    expect((await shops.run([...make, '--again'])).code).to.equal(0)
    expect(await made()).to.have.lengthOf(9)
  })

  it('records the file of a run by its whole path, since another directory may have one of that name', async () => {
    const path = await shops.home.file('up.csv', 'OwnReference,Price\nREF-0,110\n')
    const args = ['shop:price', '--file', 'up.csv', '--profiles', 'shop-a,shop-b', '--yes', '--json']
    const run = await shops.home.spawn(args, { env: OWN_SELLERS, cwd: dirname(path) }).done
    expect(run.code, run.stderr).to.equal(0)
    const store = openLedger(join(shops.home.dataDir, 'ledger.db'), systemClock)
    const calls = store.store.all<{ call: string }>('SELECT call FROM shop_runs').map(({ call }) => JSON.parse(call).flags.file)
    store.close()
    expect(calls).to.deep.equal([path])
  })

  it('begins nothing that another version recorded in another way, and says what', async () => {
    mkdirSync(shops.home.dataDir, { recursive: true })
    const store = openLedger(join(shops.home.dataDir, 'ledger.db'), systemClock)
    after(() => store.close())
    const flags = { all: true, add: '10kr', timeout: 60_000 }
    for (const [command, call, why] of [
      ['shop:price', { args: [], flags: { ...flags, raise: '1%' } }, 'it has the flag --raise, which this version does not have'],
      ['shop:price', { args: [], flags: { ...flags, all: 'yes' } }, 'its flag --all has a value of another form'],
      ['shop:price', { args: 'A=1', flags }, 'its arguments are not a list of texts'],
      ['shop:discount', { args: ['Flash'], flags }, 'it lacks the flag --from'],
    ] as const) {
      const id = store.shopRuns.begin({ command, moves: null, call: JSON.stringify(call) }, ['shop-a'])
      // The process that recorded it is gone.
      store.store.run("UPDATE shop_runs SET owner = json_set(owner, '$.started', 'before')")
      const { code, json } = await shops.run(['jobs:resume', '--profiles', 'shop-a', '--json'])
      const [{ Error: error }] = json()
      expect([code, error.code], why).to.deep.equal([3, 'run_unreadable'])
      expect(error.message).to.equal(
        `The run of ${command} for shop-a cannot be begun: ${why}. Another version of seller recorded it.`,
      )
      for (const table of ['shop_run_shops WHERE run_id', 'shop_runs WHERE id']) store.store.run(`DELETE FROM ${table} = ?`, id)
    }
    expect(shops.home.calls().filter((name) => name.startsWith('Set'))).to.deep.equal([])
  })

  it('does what is due in each shop, and leaves the sign of life of a timer in those without work too', async () => {
    const made = [...words`shop:discount Now --reference REF-* --add -20% --from now --until +1h --profiles shop-b --yes`]
    expect((await shops.run(made)).code).to.equal(0)
    const names = 'shop-a,shop-b,shop-d'
    const before = await shops.run(['jobs:due', '--check', '--json', '--profiles', names])
    const due = await shops.run(['jobs:due', '--json', '--profiles', names])
    expect([before.code, due.code], due.stderr).to.deep.equal([0, 0])
    const ends = due.json() as { Profile: string; State: string; Result: { Part: string }[] }[]
    expect(ends.map(({ Profile, State, Result }) => [Profile, State, Result.map(({ Part }) => Part)])).to.deep.equal([
      ['shop-a', 'ok', []],
      ['shop-b', 'waiting', ['start']],
      ['shop-d', 'ok', []],
    ])
    for (const name of names.split(',')) {
      const check = await shops.run(['jobs:due', '--check', '-p', name])
      expect([check.code, check.stderr], name).to.satisfy(
        ([code, said]: [number, string]) => code === 0 && said.includes('jobs:due last ran'),
      )
    }
  })

  it('begins a discount late that a run has left out, and not after its end', async () => {
    const make = (name: string, until: string) =>
      shops.run([
        ...words`shop:discount ${name} --reference REF-* --add -20% --from now --until ${until} --profiles shop-a --yes`,
      ])
    for (const [name, until] of [
      ['Long', '2099-01-01'],
      ['Short', '+1h'],
    ] as const)
      expect((await make(name, until)).code).to.equal(0)
    const store = openStore(join(shops.home.dataDir, 'ledger.db'), 'process')
    // As a kill in front of the shop leaves it.
    store.exec(`UPDATE shop_run_shops SET discount_id = NULL, ended = 0; DELETE FROM discount_items; DELETE FROM discounts;
      UPDATE shop_runs SET owner = '{"host":"elsewhere","pid":1,"started":"x"}', at = at - 4000000,
        call = replace(call, json_extract(call, '$.flags.from'), '2026-01-01T00:00:00.000Z');
      UPDATE shop_runs SET call = replace(call, json_extract(call, '$.flags.until'), '2026-01-02T00:00:00.000Z') WHERE moves LIKE '%Short%'`)
    store.close()
    const resumed = await shops.run(['jobs:resume', '--profiles', 'shop-a', '--json'])
    expect(resumed.code, resumed.stderr).to.equal(6)
    expect(resumed.stderr).to.include('The discount "Short" is not made in shop-a: its end is past.')
    const found = (await shops.run(['discounts:list', '-p', 'shop-a', '--json'])).json()
    expect(found.map(({ Name, State }: { Name: string; State: string }) => [Name, State])).to.deep.equal([['Long', 'planned']])
    expect(Date.parse(found[0].StartsAt)).to.be.greaterThan(Date.parse('2026-01-02T00:00:00Z'))
    expect((await shops.run(['jobs:list', '-p', 'shop-a', '--json'])).stderr).to.equal('')
  })

  it('stops at Ctrl-C when the shop at work is safe, and lists the rest as not begun', async () => {
    await setFaults(shops.home, { latency: '400ms' })
    const both = [...UP, '--profiles', 'shop-a,shop-b,shop-c,shop-d', '--at-once', '1', '--yes', '--json']
    const started = shops.home.spawn(both, { env: OWN_SELLERS })
    const ledger = () => openLedger(join(shops.home.dataDir, 'ledger.db'), systemClock)
    // Until the job of the second shop is written: its call is on the way, or about to be.
    for (let jobs = 0; jobs < 2; ) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (!existsSync(join(shops.home.dataDir, 'ledger.db'))) continue
      const opened = ledger()
      jobs = opened.jobs.list({}).length
      opened.close()
    }
    started.interrupt('SIGINT')
    const run = await started.done
    expect(run.code, run.stderr).to.equal(130)
    const ends: End[] = run.json()
    expect(ends.map(({ Profile, State }) => `${Profile} ${State}`)).to.deep.equal([
      'shop-a waiting',
      'shop-b interrupted',
      'shop-c failed',
      'shop-d not_begun',
    ])
    expect(ends[1]?.Error?.hint).to.include('seller jobs:resume 2 --profile shop-b')
    expect(ends[3]).to.include({ ExitCode: null, Result: null, Error: null })
    expect(run.stderr).to.include('Done: 1 of 4 shops. Not begun: shop-d.')
    expect(run.stderr).to.include('seller jobs:resume --profiles shop-b')
    expect(run.stderr, 'the error says what to do').to.not.match(/Wait for the outcome|Restore the old prices/)
    await setFaults(shops.home, { latency: '0ms' })
    const rest = await shops.run(['jobs:resume', '--profiles', 'shop-*', '--wait', '--json'])
    expect(rest.code, rest.stderr).to.equal(0)
    expect(await shops.prices('shop-a')).to.deep.equal(RAISED)
    expect(await shops.prices('shop-b')).to.deep.equal(RAISED)
    expect(await shops.prices('shop-d')).to.deep.equal(RAISED)
  })

  it('sends nothing after Ctrl-C while the plans are made', async () => {
    // It never answers: the plan of the first shop is still being made when Ctrl-C comes.
    let calls = 0
    let arrived = (): void => undefined
    const called = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const server = createServer(() => {
      calls += 1
      arrived()
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    try {
      const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      await writeProfiles(shops.home, { 'shop-a': { base_url }, 'shop-b': { base_url }, 'shop-d': { base_url } })
      const started = shops.home.start([...UP, '--profiles', 'shop-a,shop-b,shop-d', '--at-once', '1', '--yes', '--json'], {
        env: OWN_SELLERS,
      })
      await called
      started.interrupt('SIGINT')
      const run = await started.done
      expect(run.code).to.equal(130)
      const ends: End[] = run.json()
      expect(ends.map(({ State }) => State)).to.deep.equal(['interrupted', 'not_begun', 'not_begun'])
      expect(ends.flatMap(({ JobIds }) => JobIds)).to.deep.equal([])
      expect(calls).to.equal(1)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('runs in the sandbox of this machine too, beside other shops', async () => {
    const run = await shops.run(['shop:price', '--all', '--add', '1kr', '--dry-run', '--profiles', 'sandbox,shop-b', '--json'])
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json().map(short)).to.deep.equal(['sandbox planned 0', 'shop-b planned 0'])
    expect(run.json()[0].Counts.change).to.be.greaterThan(run.json()[1].Counts.change)
  })

  it('sends nothing after Ctrl-C at the question', async () => {
    const person = ask(shops.home, [...UP, ...ALL], { env: OWN_SELLERS })
    await person.sees('Send 9 new prices in 3 shops?')
    const run = await person.stops()
    expect(run.code).to.equal(130)
    expect(shops.home.calls()).not.to.include('SetPriceOnShopItems')
  })

  describe('jobs', () => {
    it('are left to the process that works on them', async () => {
      await setFaults(shops.home, { 'queue-delay': '2s' })
      const sent = await shops.run(['shop:price', 'REF-0=101', '--profiles', 'shop-a', '--yes', '--json'])
      expect(sent.json()[0].State, sent.stderr).to.equal('waiting')
      const ledger = openLedger(join(shops.home.dataDir, 'ledger.db'), systemClock)
      const lock = ledger.jobs.lock(1)
      const busy = await shops.run(['jobs:resume', '--profiles', 'shop-a', '--json'])
      lock.release()
      ledger.close()
      expect([busy.code, busy.stderr.includes('Job 1 is at work in another process.')], busy.stderr).to.deep.equal([0, true])
    })

    it('that cannot go on do not stop the others, and what is unknown is shown', async () => {
      const mug = await shops.home.file('mugs.csv', 'Title,CategoryId,Price\nMugg,344481,149\nFat,344481,20\n')
      await setFaults(shops.home, { 'drop-after': '100%' })
      const lost = await shops.run(['shop:add', '--file', mug, '-p', 'shop-a', '--yes', '--json'])
      expect(lost.code, lost.stderr).to.equal(9)
      await setFaults(shops.home, { 'drop-after': '0%', 'queue-delay': '2s' })
      await shops.run(['shop:price', 'REF-0=101', '--profiles', 'shop-a,shop-b', '--yes'])
      const run = await shops.run(['jobs:resume', '--profiles', 'shop-*', '--wait', '--json'])
      expect(run.code, run.stderr).to.equal(9)
      const ends: End[] = run.json()
      expect(ends.map(short)).to.deep.equal(['shop-a unknown 9', 'shop-b ok 0', 'shop-c ok 0', 'shop-d ok 0'])
      expect(ends[0]?.Counts).to.include({ unknown: 2, ok: 1 })
      expect(ends[0]?.Result[0].Unknown).to.have.lengthOf(2)
      expect(run.stderr).to.include('seller jobs:resume 1 --profile shop-a')
    })

    it('are left alone after an error that the next would meet too', async () => {
      await setFaults(shops.home, { 'queue-delay': '1h' })
      await shops.run(['shop:price', 'REF-0=101', '--profiles', 'shop-a,shop-b', '--yes'])
      await shops.run(['shop:price', 'REF-1=201', '--profiles', 'shop-a', '--yes'])
      await writeProfiles(shops.home, { 'shop-a': { token: 'an-old-token-of-shop-a' } })
      shops.home.calls()
      const run = await shops.run(['jobs:resume', '--profiles', 'shop-a,shop-b', '--json'])
      const ends: End[] = run.json()
      expect(ends.map(short)).to.deep.equal(['shop-a failed 4', 'shop-b waiting 0'])
      expect(run.code).to.equal(4)
      expect(shops.home.calls().filter((name) => name === 'GetRequestResults')).to.have.lengthOf.at.most(2)
      expect(run.stdout + run.stderr).not.to.include('an-old-token')
    })
  })
})

const shopB = { user_id: 1002, token: 'sandbox-token-of-member-1002' }
