/**
 * Late is a state: work that jobs:due has not done is named everywhere, and a holder that nobody knows of does not block it for
 * ever.
 */
import { readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../src/jobs/ledger/store.js'
import { thisProcess } from '../../src/system/process-owner.js'
import { Hands } from './clock.js'
import { type Home, openHome } from './harness.js'
import { CATEGORY } from './observed.js'
import { pricesOf, setFaults, stock } from './shop.js'

const HOUR = 3_600_000

describe('work that is overdue', function () {
  this.timeout(60_000)
  let clock: Hands
  let home: Home
  beforeEach(async () => {
    clock = new Hands()
    home = await openHome({ sandbox: { clock, faults: { queueDelayMs: 0 }, emptyShops: true, extended: true } })
  })
  afterEach(() => home.close())
  const run = (...args: string[]) => home.run([...args, '--json'], { clock })
  const done = async (...args: string[]) => {
    const ended = await run(...args)
    expect(ended.code, ended.stderr + ended.stdout).to.equal(0)
    return ended.json()
  }
  const atTerminal = (...args: string[]) => home.run(args, { clock, terminal: true, columns: 200 })
  const edit = (sql: string, ...values: (string | number)[]) => {
    const store = openStore(join(home.dataDir, 'ledger.db'), 'power')
    store.run(sql, ...values)
    store.close()
  }
  const another = JSON.stringify({ ...JSON.parse(thisProcess()), host: 'another-machine' })

  it('is named by everything once a timer is dead for three days, and done by the next run', async () => {
    const [a = 0] = await stock(home, [500])
    await done('shop:discount', 'Black week', `${a}=450`, '--from', 'now', '--until', '+2h', '--yes')
    await done('jobs:due')
    expect(await done('jobs:due', '--check')).to.deep.equal([])
    expect((await done('discounts:list'))[0].State).to.equal('running')
    clock.time += 74 * HOUR

    expect((await done('today'))[0]).to.deep.include({
      Kind: 'overdue',
      Words: 'Overdue: the end of discount 1 "Black week", since 3 days',
      Command: 'seller jobs:due',
    })
    expect((await done('discounts:list'))[0].State).to.equal('overdue')
    const check = await run('jobs:due', '--check')
    expect([check.code, check.json()[0]]).to.deep.equal([
      5,
      {
        ...{ DiscountId: 1, Discount: 'Black week', Part: 'end', JobId: null, State: 'overdue', Counts: null },
        DueAt: '2026-11-22T10:00:00.000Z',
        next: [{ command: 'seller jobs:due', why: 'Do it now' }],
      },
    ])
    expect(check.stderr).to.include('jobs:due last ran 3 days 2 h ago').and.include('Overdue: the end of discount 1')
    expect(await pricesOf(home, [a]), 'it sends nothing').to.deep.equal([450])
    const doctor = await run('doctor')
    const timer = doctor.json().find(({ Check }: { Check: string }) => Check === 'Timer')
    expect([doctor.code, timer.State]).to.deep.equal([1, 'fault'])
    expect(timer.Detail).to.include('Overdue: the end of discount 1').and.include('last ran 3 days 2 h ago')
    const list = await atTerminal('items:list')
    expect(list.stderr).to.include('Overdue: the end of discount 1 "Black week", since 3 days').and.include('seller jobs:due')
    expect((await atTerminal('items:list')).stderr, 'once a day').to.not.include('Overdue')
    expect((await run('items:list')).stderr, 'a script asks by --check').to.equal('')
    clock.time += 25 * HOUR
    expect((await atTerminal('items:list')).stderr).to.include('Overdue')

    await done('jobs:due', '--wait')
    expect(await pricesOf(home, [a])).to.deep.equal([500])
    expect(await done('jobs:due', '--check')).to.deep.equal([])
    expect((await done('discounts:list'))[0].State).to.equal('ended')
  })

  it('is none of a discount whose start jobs:resume has finished, and jobs:due names that command', async () => {
    const [a = 0] = await stock(home, [500])
    await setFaults(home, { 'queue-delay': '3m' })
    await done('shop:discount', 'Black', `${a}=450`, '--from', 'now', '--until', '+2h', '--yes')
    const [started] = await done('jobs:due')
    expect([started.State, started.next]).to.deep.equal([
      'waiting',
      [{ command: `seller jobs:resume ${started.JobId} --wait`, why: 'Wait for the outcome' }],
    ])
    clock.time += 10 * 60_000
    const kinds = async () => (await done('today')).map(({ Kind }: { Kind: string }) => Kind)
    expect(await kinds()).to.include('overdue')
    const [late] = (await run('jobs:due', '--check')).json()
    expect(late.next).to.deep.equal([{ command: 'seller jobs:due', why: 'Do it now' }])
    await done('jobs:resume', String(started.JobId), '--wait')
    expect(await kinds()).to.not.include('overdue')
    expect(await done('jobs:due', '--check')).to.deep.equal([])
    expect((await done('discounts:list'))[0].State).to.equal('running')
    clock.time += 2 * HOUR
    const [ended] = await done('jobs:due', '--wait')
    expect([ended.State, ended.next, await pricesOf(home, [a])]).to.deep.equal(['ok', [], [500]])
  })

  it('is explained by a timer that names a program which is not there any more', async () => {
    const [a = 0] = await stock(home, [500])
    await done('shop:discount', 'Black', `${a}=450`, '--from', '+2h', '--until', '+1h', '--yes')
    const timer = async () =>
      (await run('doctor')).json().find(({ Check }: { Check: string }) => Check === 'Timer') as {
        State: string
        Detail: string
        Fix: string | null
      }
    expect((await timer()).Fix).to.equal(
      'Set up a timer with: seller schedule:show. ' +
        'Without one nothing starts or ends at its time; until it runs, send what is due with: seller jobs:due',
    )
    await done('jobs:due')
    expect(await timer(), 'one run by hand is no timer').to.deep.include({
      State: 'note',
      Detail: 'jobs:due last ran 0 s ago; no timer is known that runs it',
    })
    for (let minute = 0; minute < 11; minute++) {
      clock.time += 60_000
      await done('jobs:due')
    }
    expect(await timer()).to.deep.include({ State: 'ok', Detail: 'jobs:due last ran 0 s ago' })
    clock.time += 11 * 60_000
    await done('jobs:due')
    expect((await timer()).State, 'it was dead between').to.equal('note')
    await done('schedule:show', 'cron')
    // The program of the test's host.
    expect(await timer()).to.deep.include({
      State: 'fault',
      Detail: 'jobs:due last ran 0 s ago; the timer names /opt/seller/bin/run.js, which is not there any more',
    })
  })

  it('is foretold by today where no timer runs jobs:due, and not where one does', async () => {
    const [a = 0] = await stock(home, [500])
    const noTimer = async () => (await done('today')).find(({ Kind }: { Kind: string }) => Kind === 'no_timer')
    expect(await noTimer(), 'nothing waits').to.equal(undefined)
    await done('shop:discount', 'Black', `${a}=450`, '--from', '+2d', '--until', '+1d', '--yes')
    const words = '1 discount waits for jobs:due, and no known timer runs it: it has not run yet'
    const command = 'seller schedule:show'
    const row = { Kind: 'no_timer', Count: 1, Words: words, Command: command, next: [{ command, why: words }] }
    expect(await noTimer()).to.deep.equal(row)
    expect((await atTerminal('today')).stdout).to.include(`${words}\n  ${command}\n`)
    const closing = ['--close', '--from', '2026-12-20', '--until', '2027-01-07', '--yes']
    await done('shop:settings', ...closing)
    expect((await noTimer()).Words).to.match(/^1 discount and the closing of the shop wait for jobs:due, /)
    await done('shop:settings', '--open')
    await done('jobs:due')
    expect((await noTimer()).Words, 'a run by hand').to.match(/: it last ran 0 s ago$/)
    for (let minute = 0; minute < 11; minute++) {
      clock.time += 60_000
      await done('jobs:due')
    }
    expect(await noTimer(), 'runs that follow each other are a timer').to.equal(undefined)
    clock.time += 11 * 60_000
    expect((await noTimer()).Words).to.match(/: it last ran 11 min ago$/)
    await done('jobs:due')
    await done('schedule:show', 'cron')
    expect((await noTimer()).Words).to.match(/: the timer names \/opt\/seller\/bin\/run.js, which is not there any more$/)
    await done('discounts:drop', '1')
    expect(await noTimer()).to.equal(undefined)
  })

  it('is signalled to a monitor by the address or the file that it misses', async () => {
    const asked: string[] = []
    const server = createServer((request, reply) => {
      asked.push(`${request.method} ${request.url}`)
      reply.end('ok')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping/1`
      await done('jobs:due', '--ping', url)
      await done('jobs:due', '--ping', 'alive')
      expect(statSync(join(home.dir, 'alive')).mtimeMs).to.equal(clock.time)
      await done('jobs:due', '--dry-run', '--ping', url)
      expect(asked).to.deep.equal(['GET /ping/1'])
    } finally {
      server.close()
    }
    const gone = await run('jobs:due', '--ping', 'http://127.0.0.1:9/x')
    expect([gone.code, gone.stderr.includes('The sign of life to http://127.0.0.1:9/x failed')]).to.deep.equal([0, true])
  })

  /** Auctions that ended without a bid. */
  const unsold = async (count: number): Promise<number[]> => {
    const ids: number[] = []
    for (let at = 0; at < count; at++) {
      const file = await home.file(
        'new.json',
        JSON.stringify({
          ...{ Title: `Vas ${at}`, CategoryId: Number(CATEGORY), StartPrice: 100, Duration: 3, VAT: 25, AcceptedBidderId: 3 },
          ...{ PaymentOptionIds: [4096], ShippingCondition: 'x', PaymentCondition: 'y' },
          ShippingOptions: [{ ShippingProviderId: 3, Cost: 59, ShippingWeight: 1.5, ShippingOptionId: null }],
        }),
      )
      const { ItemId } = await done('items:add', '--file', file, '--yes', '--wait')
      await done('items:end', String(ItemId), '--yes')
      ids.push(ItemId)
    }
    clock.time += 60_000
    return ids
  }

  it('is not a job that waits for its time: that is scheduled, and what was held when it was planned is said once', async () => {
    const [one = 0, two = 0] = await unsold(2)
    await done('items:relist', String(two), '--yes', '--wait')
    const made = await run('items:relist', String(one), String(two), '--from', '+1h', '--yes')
    expect([made.code, made.json().Counts]).to.satisfy(
      ([code, { unsent, held }]: [number, { unsent: number; held: number }]) => code === 6 && unsent === 1 && held === 1,
    )
    expect(made.json().State, 'not open, which wants a look').to.equal('scheduled')
    const listed = await home.run(['jobs:list'], { clock, terminal: true, columns: 200 })
    expect(listed.stderr).to.include('Job 2 is scheduled').and.not.include('not finished')
    expect((await done('today')).some(({ Kind }: { Kind: string }) => Kind === 'jobs')).to.equal(false)
    const stateOf = async () => (await done('jobs:list', '--unfinished')).map(({ State }: { State: string }) => State)
    expect(await stateOf()).to.deep.equal(['scheduled'])
    clock.time += 3 * HOUR
    expect(await stateOf()).to.deep.equal(['overdue'])
    expect((await done('jobs:show', '2')).State).to.equal('overdue')
    clock.time -= 3 * HOUR
    for (let at = 0; at < 2; at++) {
      clock.time += 40 * 60_000
      const due = await run('jobs:due', '--wait')
      expect(due.code, due.stdout).to.equal(0)
    }
    expect((await done('jobs:show', '2')).Counts).to.include({ ok: 1, held: 1 })
  })

  it('is not blocked by a holder whose clock was ahead, and never ends with 0 while it is not done', async () => {
    const [a = 0] = await stock(home, [500])
    await done('shop:discount', 'Black', `${a}=450`, '--from', 'now', '--until', '+2h', '--yes')
    await done('jobs:due')
    clock.time += 3 * HOUR
    edit('INSERT INTO discount_claims VALUES (?, ?, ?, ?)', 'default', Number(home.env.SELLER_USER_ID), another, clock.time)
    const held = await run('jobs:due')
    expect([held.code, held.stderr]).to.satisfy(
      ([code, said]: [number, string]) => code === 8 && said.includes('on another-machine holds the discounts of the shop'),
    )
    edit('UPDATE discount_claims SET beat = ?', clock.time + 4 * HOUR)
    await done('jobs:due')
    expect(await pricesOf(home, [a])).to.deep.equal([500])
  })

  it('is a job of a process that cannot be judged: taken over once the seller has seen whose it is', async () => {
    const [a = 0] = await stock(home, [500])
    const begun = await run('shop:price', `${a}=510`, '--yes', '--max-calls', '1')
    const { jobId } = begun.json().error
    edit('UPDATE jobs SET lock_owner = ?, lock_beat = ? WHERE id = ?', another, clock.time, jobId)
    const locked = await run('jobs:resume', String(jobId))
    expect([locked.code, locked.json().error.code]).to.deep.equal([6, 'job_locked'])
    expect(locked.json().error.hint).to.include(`seller jobs:resume ${jobId} --take-over`)
    const asked = await run('jobs:resume', String(jobId), '--take-over')
    expect([asked.json().error.code, asked.stderr.includes('on another-machine, which last said so 0 s ago')]).to.deep.equal([
      'confirmation_missing',
      true,
    ])
    await done('jobs:resume', String(jobId), '--take-over', '--yes', '--wait')
    expect(await pricesOf(home, [a])).to.deep.equal([510])
  })

  it('is a backup too: --keep makes one named by its time and removes the oldest, and doctor says how old the newest is', async () => {
    await done('items:list')
    await home.file('note.db', 'not a copy')
    for (let at = 0; at < 4; at++) {
      await done('ledger:backup', 'copies', '--keep', '2')
      clock.time += 24 * HOUR
    }
    expect(readdirSync(join(home.dir, 'copies'))).to.deep.equal(['ledger-20261124T080000Z.db', 'ledger-20261125T080000Z.db'])
    const backup = (await run('doctor')).json().find(({ Check }: { Check: string }) => Check === 'Backup')
    expect([backup.State, backup.Detail.endsWith(', 24 h ago')], backup.Detail).to.deep.equal(['ok', true])
    await done('schedule:show', 'cron', '--backup', 'copies')
    const timed = (await run('doctor')).json().find(({ Check }: { Check: string }) => Check === 'Backup')
    expect([timed.State, timed.Detail]).to.satisfy(
      ([state, detail]: [string, string]) =>
        state === 'note' && detail.endsWith('24 h ago; the timer names /opt/seller/bin/run.js, which is not there any more'),
    )
    clock.time += 30 * 24 * HOUR
    expect((await run('doctor')).json().find(({ Check }: { Check: string }) => Check === 'Backup').State).to.equal('note')
  })
})
