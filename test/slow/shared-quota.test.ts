/** The quota that machines share, at a real server: what it counts, and what happens when it is away. */
import { mkdtempSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { BudgetError, type CallLimits, type Quota } from '../../src/jobs/index.js'
import { SharedQuota, type SharedQuotaOptions } from '../../src/jobs/quota/shared.js'
import { type ObservedHome, openObserved } from '../e2e/observed.js'
import { setFaults, stock } from '../e2e/shop.js'
import { FakeClock, temporaryLedger, thrown } from '../jobs/harness.js'
import { closing } from '../opened.js'
import { PASSWORD, type RedisOnDisk, type RedisServer, startRedis, startRedisOnDisk } from './redis.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** In the middle of a minute of the server. */
const NOON = Date.parse('2026-11-02T12:00:30Z')

describe('the quota that machines share', () => {
  let redis: RedisServer | undefined
  before(async function () {
    redis = await startRedis()
    if (redis === undefined) this.skip()
  })
  after(() => redis?.kill())
  const server = (): RedisServer => {
    if (redis === undefined) throw new Error('There is no server.')
    return redis
  }

  describe('as it is counted', () => {
    const opened: Quota[] = []
    let now = NOON
    let appId = 100
    beforeEach(() => {
      now = NOON
      appId++
    })
    afterEach(async () => {
      for (const quota of opened.splice(0)) await quota.close()
    })
    const warnings: string[] = []
    /** A machine of its own: its ledger is in its own directory. */
    const machine = (limits: CallLimits, profile = 'p', more: Partial<SharedQuotaOptions> = {}) => {
      const clock = new FakeClock()
      clock.time = NOON
      const ledger = temporaryLedger(clock)
      const quota = new SharedQuota({
        ...{
          url: server().url,
          shownUrl: 'redis://quota',
          away: 'refuse',
          others: [],
          userId: 1,
          patienceMs: 3000,
          awayPatienceMs: 0,
        },
        ...{ taker: { appId, profile }, limits, calls: ledger.calls, clock, warn: (text) => warnings.push(text) },
        serverTime: () => now,
        ...more,
      })
      opened.push(quota)
      const call = { appId, profile, service: 's', operation: 'GetItem', kind: 'read', attempt: 1 }
      return { quota, ledger, clock, take: (calls = 1) => quota.take(Array.from({ length: calls }, () => call)) }
    }
    const refused = async (work: () => Promise<unknown>) => {
      const error = await thrown(work)
      expect(error).to.be.instanceOf(BudgetError)
      return error as BudgetError
    }

    it('lets machines take the budget together, and says where it is counted and when a call is free', async () => {
      const [one, other] = [machine({ budget: 5 }), machine({ budget: 5 })]
      await one.take(3)
      now += HOUR
      await other.take(2)
      const error = await refused(() => one.take())
      expect(error).to.include({ code: 'call_budget_spent', allowed: 5, used: 5 })
      expect(error.message).to.equal(
        'The call budget is spent: 5 of 5 calls in the last 24 hours, counted at redis://quota. The call was not sent.',
      )
      // The minute of the first calls ends half a minute after them.
      expect(error.freeAt).to.equal(one.clock.time + 23 * HOUR + 30_000 - 1)
      expect([one.ledger.calls.list().length, other.ledger.calls.list().length]).to.deep.equal([3, 2])
      expect(await one.quota.usage()).to.include({ used: 5, remaining: 0, budget: 5, oldestLeavesAt: error.freeAt })
    })

    it('counts in a window that slides: a call leaves it a day later, with its minute', async () => {
      const { take, quota } = machine({ budget: 3 })
      await take(2)
      now += 12 * HOUR
      await take(1)
      now = NOON + DAY + 29_998
      await refused(() => take())
      now += 1
      await take(2)
      await refused(() => take())
      now += 12 * HOUR
      expect((await quota.usage()).used).to.equal(2)
      now += DAY
      expect((await quota.usage()).used).to.equal(0)
    })

    it('keeps the same count as a list of all calls would, over days', async () => {
      const { take, quota } = machine({ budget: 40 })
      const minutes: number[] = []
      let random = 7
      for (let at = 0; at < 400; at++) {
        random = (random * 48_271) % 2_147_483_647
        now += (random % 40) * MINUTE
        const minute = Math.floor(now / MINUTE)
        const counted = minutes.filter((one) => one > minute - 24 * 60 - 1 + (now % MINUTE === MINUTE - 1 ? 1 : 0)).length
        const wanted = 1 + (random % 3)
        const error = await take(wanted).catch((thrownError: BudgetError) => thrownError)
        expect(error instanceof BudgetError, `step ${at}`).to.equal(counted + wanted > 40)
        if (!(error instanceof BudgetError)) minutes.push(...Array.from({ length: wanted }, () => minute))
      }
      expect((await quota.usage()).used).to.be.greaterThan(0)
    })

    it('uses the clock of the server, whatever the machines think', async () => {
      const ahead = machine({ budget: 2 }, 'p', { serverTime: undefined })
      const behind = machine({ budget: 2 }, 'p', { serverTime: undefined })
      ahead.clock.time += 30 * DAY
      behind.clock.time -= 30 * DAY
      await ahead.take()
      await behind.take()
      await refused(() => ahead.take())
      await refused(() => behind.take())
    })

    it('takes all or none', async () => {
      const { take, ledger } = machine({ budget: 3 })
      await refused(() => take(4))
      await take(2)
      await refused(() => take(2))
      await take(1)
      expect(ledger.calls.list()).to.have.length(3)
    })

    it('gives a call back that did not reach the service, and no other', async () => {
      const { take, quota } = machine({ budget: 2 })
      const [end] = await take()
      end?.({ outcome: 'unreachable', ms: 1 })
      const [kept] = await take()
      kept?.({ outcome: 'fault', ms: 1 })
      await quota.close()
      expect((await quota.usage()).used).to.equal(1)
    })

    it('keeps no more than a field for each minute, and nothing after a quiet day', async () => {
      const { take } = machine({ budget: 10_000 }, 'p', { serverTime: undefined })
      for (let at = 0; at < 300; at++) await take()
      const keys = `seller:quota:{${appId}}`
      const [fields = '', left = ''] = await server().say(`HLEN ${keys}:counts`, `PTTL ${keys}:buckets`)
      expect(Number(fields.slice(1))).to.be.at.most(6)
      expect(Number(left.slice(1))).to.be.within(DAY, DAY + 2 * MINUTE)
    })

    it('takes old calls out in parts, between which others are answered, and all of them before it refuses or shows a count', async () => {
      const [keys, yesterday] = [`seller:quota:{${appId}}`, Math.floor((NOON - DAY) / MINUTE) - 10]
      const add = [
        "for n = 1, 2500 do local one = ARGV[1] .. ' p' .. n .. ':1'",
        "redis.call('ZADD', KEYS[1], ARGV[1], one) redis.call('HSET', KEYS[2], one, 1, 'of p' .. n .. ':1', 1) end",
        "return redis.call('HINCRBY', KEYS[2], 'all', 2500)",
      ].join(' ')
      const seed = `EVAL "${add}" 2 ${keys}:buckets ${keys}:counts ${yesterday}`
      const kept = async () => Number((await server().say(`ZCARD ${keys}:buckets`))[0]?.slice(1))
      const { take, quota } = machine({ budget: 9000 })
      await take()
      await server().say(seed)
      await take()
      expect(await kept()).to.equal(2251)
      const scripts = async () =>
        Number(/cmdstat_evalsha:calls=(\d+)/.exec((await server().say('INFO commandstats')).join(''))?.[1])
      const before = await scripts()
      expect((await quota.usage()).used).to.equal(2)
      expect((await scripts()) - before).to.equal(10)
      expect(await kept()).to.equal(1)
      await server().say(seed)
      const narrow = machine({ budget: 3 })
      await narrow.take()
      expect(await kept()).to.equal(1)
      await refused(() => narrow.take())
      expect(await server().say(`HLEN ${keys}:counts`)).to.deep.equal([':3'])
    })

    it('says when the calls of a share are free, past many minutes of others', async () => {
      const share = { percent: 5, reserved: 0, holders: [] }
      const [own, other] = [machine({ budget: 80, share }, 'own'), machine({ budget: 80 }, 'other')]
      await own.take()
      const began = now
      for (let at = 0; at < 5; at++) {
        now += 3 * HOUR
        await other.take()
      }
      await own.take(3)
      const leaves = (taken: number) => own.clock.time + (taken - now) + DAY + 30_000 - 1
      expect((await refused(() => own.take())).freeAt).to.equal(leaves(began))
      expect((await refused(() => own.take(3))).freeAt).to.equal(leaves(now))
    })

    it('holds shares across machines, and lets profiles without one take only the rest', async () => {
      const share = (percent: number) => ({ budget: 10, share: { percent, reserved: 0, holders: [] } })
      const a = machine(share(30), 'a')
      const b = machine(share(50), 'b')
      const c = machine({ budget: 10 }, 'c')
      const d = machine({ budget: 10 }, 'd')
      await b.quota.usage()
      await a.take(3)
      const spent = await refused(() => a.take())
      expect(spent).to.include({ code: 'call_share_spent', allowed: 3, used: 3 })
      expect(spent.message).to.include(
        'The share of the profile "a" is spent: 3 of 3 calls in the last 24 hours, counted at redis://quota, 30%',
      )
      await c.take()
      await d.take()
      const rest = await refused(() => d.take())
      expect(rest.message).to.include('What the shares of other profiles leave is spent: 2 of 2 calls')
      expect(rest.message).to.include('They reserve 80% of the call budget of 10.')
      await b.take(5)
      await refused(() => b.take())
      expect(await a.quota.usage()).to.deep.include({
        used: 10,
        remaining: 0,
        share: { percent: 30, allowed: 3, used: 3 },
        shares: 80,
      })
    })

    it('knows the shares of the other profiles of a machine from its first call on', async () => {
      const others = [
        { profile: 'b', userId: 2, percent: 60 },
        { profile: 'c', userId: 3, percent: 40 },
      ]
      const plain = machine({ budget: 10, share: { reserved: 100, holders: ['b', 'c'] } }, 'a', { others })
      const error = await refused(() => plain.take())
      expect(error.message).to.include('The shares of other profiles reserve all of the call budget of 10')
    })

    it('tells shops apart that have the same profile name on two machines', async () => {
      const limits = { budget: 10, share: { percent: 20, reserved: 0, holders: [] } }
      const [one, other] = [machine(limits, 'default', { userId: 1001 }), machine(limits, 'default', { userId: 1002 })]
      await one.take(2)
      await refused(() => one.take())
      await other.take(2)
    })

    it('forgets the share of a profile that was not seen for eight days, and warns of more than the whole', async () => {
      const share = (percent: number) => ({ budget: 10, share: { percent, reserved: 0, holders: [] } })
      warnings.splice(0)
      await machine(share(70), 'a').take()
      await machine(share(60), 'b').take()
      expect(warnings).to.deep.equal([
        'The shares of calls add up to 130% at redis://quota, so a profile may find less than its share.',
      ])
      now += 8 * DAY
      await machine({ budget: 10 }, 'c').take(10)
    })

    it('keeps the sum of the shares, and follows one that is changed, by any machine', async () => {
      const share = (percent: number) => ({ budget: 100, share: { percent, reserved: 0, holders: [] } })
      const rest = async () => (await machine({ budget: 100 }, 'c').quota.usage()).share?.allowed
      await machine(share(30), 'a').take()
      await machine(share(20), 'b').take()
      expect(await rest()).to.equal(50)
      await machine(share(5), 'a').take()
      expect(await rest()).to.equal(75)
      now += HOUR
      expect(await rest()).to.equal(75)
      // An older version of the tool removes what is no share, and sums up by itself.
      await server().say(`HDEL seller:quota:{${appId}}:shares ""`)
      expect(await rest()).to.equal(75)
    })

    it('never exceeds the budget when many ask at once', async () => {
      const machines = Array.from({ length: 4 }, () => machine({ budget: 50 }))
      const results = await Promise.allSettled(machines.flatMap(({ take }) => Array.from({ length: 25 }, () => take())))
      expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(50)
    })

    it('goes on when the server has forgotten its scripts, and refuses keys that hold something else', async () => {
      const { take } = machine({ budget: 5 })
      await take()
      await server().say('SCRIPT FLUSH')
      await take()
      await server().say(`SET seller:quota:{${appId}}:buckets x`)
      const error = await refused(() => take())
      expect(error.code).to.equal('quota_away')
      expect(error.details).to.deep.equal({ server: 'redis://quota', reason: 'its keys seller:quota:* hold something else' })
    })

    it('makes a new connection when the server has closed the old one', async () => {
      const { take, quota } = machine({ budget: 5 })
      await take()
      await server().say('CLIENT KILL TYPE normal SKIPME yes')
      await take()
      expect((await quota.usage()).used).to.equal(2)
    })

    it('counts a call as taken when only the answer was lost', async () => {
      using cut = closing(await between(server().port, (answers) => (answers === 3 ? 'cut' : 'pass')))
      const port = String((cut.address() as { port: number }).port)
      const { take, quota } = machine({ budget: 3 }, 'p', { url: server().url.replace(String(server().port), port) })
      await take()
      // Its answer is lost after the server has counted it; the second try counts another.
      await take()
      expect((await quota.usage()).used).to.equal(3)
      await refused(() => take())
    })

    it('does not wait for ever for a server that says nothing', async () => {
      using silent = closing(await between(server().port, () => 'hold'))
      const port = String((silent.address() as { port: number }).port)
      const url = server().url.replace(String(server().port), port)
      const { take, ledger } = machine({ budget: 3 }, 'p', { url, patienceMs: 200 })
      const error = await refused(() => take())
      expect(error.message).to.include('no answer within 0.2 s')
      expect(ledger.calls.list()).to.deep.equal([])
    })
  })

  describe('from the command line', () => {
    let home: ObservedHome
    before(async function () {
      if (redis === undefined) this.skip()
      home = await openObserved({ faults: { queueDelayMs: 0 } })
    })
    after(() => home?.close())
    beforeEach(async () => {
      await server().say('FLUSHALL')
      home.calls()
    })

    /** The environment of a machine: only the network is shared. */
    const on = (name: string, more: Readonly<Record<string, string>> = {}) => ({
      SELLER_DATA_DIR: join(home.dir, name),
      SELLER_CONFIG_DIR: join(home.dir, `${name}-config`),
      SELLER_QUOTA_URL: server().url,
      SELLER_CALL_BUDGET: '10',
      SELLER_QUOTA_PATIENCE: '0s',
      ...more,
    })

    it('lets two processes on two data directories make exactly the calls of the budget', async () => {
      const work = (name: string) =>
        home.shell(
          'codes=""; for run in 1 2 3 4 5 6 7 8 9; do seller account:show >/dev/null 2>&1; codes="$codes $?"; done; echo $codes',
          {
            env: on(name),
          },
        )
      const ended = await Promise.all(['one', 'two'].map(work))
      const codes = ended.flatMap(({ stdout }) => stdout.trim().split(' '))
      expect(codes.filter((code) => code === '0')).to.have.length(10)
      expect(codes.filter((code) => code === '7')).to.have.length(8)
      expect(home.calls()).to.have.length(10)
      const shown = (await home.run(['calls:show', '--json'], { env: on('one') })).json()
      expect(shown).to.include({ Used: 10, Budget: 10, Remaining: 0, Quota: `redis://:••••@127.0.0.1:${server().port}/0` })
      const other = (await home.run(['calls:show', '--json'], { env: on('two') })).json()
      expect(shown.UsedHere + other.UsedHere).to.equal(10)
    })

    it('sends nothing while the server is away, and counts on the machine alone if that is set', async () => {
      const env = on('away', { SELLER_QUOTA_URL: `redis://:${PASSWORD}@127.0.0.1:1` })
      const run = await home.run(['account:show', '--json'], { env })
      expect([run.code, run.json().error.code]).to.deep.equal([7, 'quota_away'])
      expect(run.json().error).to.include({ server: 'redis://:••••@127.0.0.1:1', reason: 'the connection was refused' })
      expect(home.calls()).to.deep.equal([])
      const local = { ...env, SELLER_QUOTA_AWAY: 'local', SELLER_CALL_BUDGET: '2' }
      for (const code of [0, 0, 7]) {
        const alone = await home.run(['account:show', '--json'], { env: local })
        expect(alone.code, alone.stderr).to.equal(code)
        expect(alone.stderr).to.include('Calls are counted on this machine alone, because quota_away is local.')
      }
      expect(home.calls()).to.have.length(2)
    })

    it('waits out a restart of the server, and reports what was counted alone when it is back: no more than the budget', async () => {
      const calls = 30
      const budget = { SELLER_CALL_BUDGET: String(calls), SELLER_QUOTA_PATIENCE: '60s' }
      const work = (name: string, more = {}) =>
        home.shell('for run in 1 2 3 4 5 6; do seller account:show >/dev/null 2>>err-$NAME || echo $?; done', {
          env: on(name, { ...budget, NAME: name, ...more }),
        })
      const running = ['m1', 'm2', 'm3'].map((name) => work(name))
      while (home.calls().length === 0) await sleep(20)
      const port = server().port
      await server().kill()
      await sleep(1500)
      await server().start()
      // It has forgotten the calls before: the count of those after is exact.
      expect(
        (await Promise.all(running)).map(({ stdout }) => stdout),
        'nobody ends',
      ).to.deep.equal(['', '', ''])
      await server().say('FLUSHALL')
      home.calls()
      await server().kill()
      const alone = await Promise.all(['m4', 'm5'].map((name) => work(name, { SELLER_QUOTA_AWAY: 'local' })))
      expect(alone.map(({ stdout }) => stdout)).to.deep.equal(['', ''])
      await server().start()
      expect(server().port).to.equal(port)
      const back = await Promise.all(['m4', 'm5'].map((name) => home.run(['account:show', '--json'], { env: on(name, budget) })))
      expect(back.map(({ code }) => code)).to.deep.equal([0, 0])
      const made = home.calls().length
      const shown = (await home.run(['calls:show', '--json'], { env: on('m6', budget) })).json()
      expect([made, shown.Used]).to.deep.equal([14, 14])
    })

    it('says where another ledger works on the same shop', async () => {
      const env = (name: string) => on(name, { SELLER_CALL_BUDGET: '50' })
      const stderr = async (name: string) => (await home.run(['account:show'], { env: env(name) })).stderr
      expect([await stderr('l1'), await stderr('l1')]).to.deep.equal(['', ''])
      const second = await stderr('l2')
      expect(second)
        .to.match(/Another ledger worked on the shop of "default" \d+ s ago/)
        .and.include(join(home.dir, 'l1', 'ledger.db'))
      expect(second)
        .to.include(join(home.dir, 'l2', 'ledger.db'))
        .and.not.include(PASSWORD)
      expect(await stderr('l2')).to.equal('')
      expect(await stderr('l1'), 'again, by the first').to.include('Another ledger')
    })

    it('never shows the password', async () => {
      const wrong = PASSWORD.replace('9', '8')
      const runs = [
        ['account:show', '--trace'],
        ['account:show', '--trace', '--json'],
        ['calls:show', '--json'],
        ['calls:show'],
        ['auth:status'],
        ['auth:status', '--json'],
        ['doctor', '--json'],
        ['doctor', '--trace'],
        ['schedule:show', 'systemd', '--json'],
        ['auth:login', '--no-verify'],
      ]
      for (const password of [PASSWORD, wrong]) {
        const env = on('masked', { SELLER_QUOTA_URL: server().url.replace(PASSWORD, password), SELLER_CALL_BUDGET: '100' })
        for (const args of runs) {
          const { stdout, stderr } = await home.run(args, { env })
          expect(stdout + stderr, args.join(' ')).to.not.include(password)
          if (args[0] === 'auth:status') expect(stdout).to.include(`redis://:••••@127.0.0.1:${server().port}/0`)
        }
      }
      const refused = await home.run(['account:show', '--json'], {
        env: on('masked', { SELLER_QUOTA_URL: server().url.replace(PASSWORD, wrong) }),
      })
      expect(refused.json().error).to.include({ code: 'quota_away', reason: 'it refuses the user or the password' })
    })

    it('stops a job in the middle when the server is killed, and goes on when it is back', async () => {
      const ids = await stock(
        home,
        Array.from({ length: 60 }, (_, at) => 100 + at),
      )
      await mkdir(join(home.dir, 'job'), { recursive: true })
      const env = on('job', { SELLER_CALL_BUDGET: '500' })
      await setFaults(home, { latency: '60ms' })
      const run = home.spawn(['shop:remove', '--file', '-', '--allow', 'max_removed', '--yes', '--json'], {
        env,
        stdin: `Id\n${ids.join('\n')}\n`,
      })
      const seen: string[] = []
      const removed = () => {
        seen.push(...home.calls())
        return seen.filter((name) => name === 'RemoveShopItem').length
      }
      while (removed() < 10) await sleep(10)
      await server().kill()
      const ended = await run.done
      const before = removed()
      expect([ended.code, ended.json().error.code], ended.stderr).to.deep.equal([7, 'quota_away'])
      expect(before).to.be.lessThan(60)
      const { jobId } = ended.json().error
      const shown = (await home.run(['jobs:show', String(jobId), '--json'], { env })).json()
      expect(shown.State).to.equal('open')
      expect((await home.run(['jobs:resume', String(jobId), '--json'], { env })).code).to.equal(7)
      expect(removed(), 'nothing is sent while it is away').to.equal(before)
      await server().start()
      await setFaults(home, { latency: '0ms' })
      const resumed = await home.run(['jobs:resume', String(jobId), '--wait', '--json'], { env })
      expect(resumed.code, resumed.stderr).to.equal(0)
      expect(removed(), 'each item once').to.equal(60)
      expect(resumed.json()).to.include({ State: 'ok' })
    })

    /** Fates of the server in the middle of a job, and its end. What its answers drown or lose is counted all the same. */
    const TROUBLES: Readonly<
      Record<string, { disk?: true; begin(server: RedisServer): unknown; end(server: RedisServer): unknown; lost?: true }>
    > = {
      'is slow': { begin: (one) => one.say('CLIENT PAUSE 1500 ALL'), end: () => undefined },
      'has no memory left': {
        begin: (one) => one.say('CONFIG SET maxmemory 1'),
        end: (one) => one.say('CONFIG SET maxmemory 0'),
      },
      'has a full disk': {
        disk: true,
        async begin(one) {
          ;(one as RedisOnDisk).fill(true)
          // It finds out when it writes.
          while (!(await one.say('SET room 1'))[0]?.startsWith('-MISCONF')) await sleep(20)
        },
        end: (one) => (one as RedisOnDisk).fill(false),
      },
      'is killed, and starts again with what it has written': {
        begin: (one) => one.kill(),
        end: (one) => one.start(),
        lost: true,
      },
      floods: { begin: () => undefined, end: () => undefined, lost: true },
    }
    for (const [what, { disk, begin, end, lost }] of Object.entries(TROUBLES)) {
      it(`counts each call of a job once where the server ${what} in its middle, and the job goes on`, async function () {
        const kept = mkdtempSync(join(home.dir, 'kept-'))
        const own = await (disk === true ? startRedisOnDisk() : startRedis({ disk: kept }))
        if (own === undefined) this.skip()
        let floods = false
        const front = await between(own.port, () => (floods ? 'flood' : 'pass'))
        try {
          const ids = await stock(
            home,
            Array.from({ length: 40 }, (_, at) => 100 + at),
          )
          const env = on(`middle ${what}`, {
            SELLER_QUOTA_URL: own.url.replace(String(own.port), String((front.address() as { port: number }).port)),
            ...{ SELLER_CALL_BUDGET: '500', SELLER_QUOTA_PATIENCE: '20s' },
          })
          home.calls()
          await setFaults(home, { latency: '40ms' })
          const stdin = `Id\n${ids.join('\n')}\n`
          const run = home.spawn(['shop:remove', '--file', '-', '--allow', 'max_removed', '--yes', '--json'], { env, stdin })
          const seen: string[] = []
          const removed = () => {
            seen.push(...home.calls())
            return seen.filter((name) => name === 'RemoveShopItem').length
          }
          while (removed() < 8) await sleep(10)
          floods = what === 'floods'
          await begin(own)
          await sleep(1_500)
          await end(own)
          floods = false
          const ended = await run.done
          await setFaults(home, { latency: '0ms' })
          if (ended.code !== 0) {
            expect([ended.code, ended.json().error.code], ended.stderr).to.deep.equal([7, 'quota_away'])
            const resumed = await home.run(['jobs:resume', String(ended.json().error.jobId), '--json'], { env })
            expect(resumed.code, resumed.stderr).to.equal(0)
          }
          expect(ended.code, 'a flood is not waited for').to.equal(what === 'floods' ? 7 : 0)
          expect(removed(), 'each item once').to.equal(40)
          const { Used } = (await home.run(['calls:show', '--json'], { env })).json()
          // Each of two calls at once may be tried twice.
          expect(Used - seen.length, 'calls that the service has not seen').to.be.within(0, lost ? 4 : 0)
        } finally {
          front.close()
          await own.kill()
        }
      })
    }

    it('tries the server at the login, and keeps the password out of the command line', async () => {
      const login = ['auth:login', '-p', 'shop', '--setting', 'call_budget=10', '--setting', 'call_share=40%', '--no-input']
      const env = { ...on('login'), SELLER_QUOTA_URL: '', SELLER_CALL_BUDGET: '' }
      const flagged = await home.run([...login, '--setting', `quota_url=${server().url}`], { env })
      expect([flagged.code, flagged.stderr.includes(PASSWORD)]).to.deep.equal([2, false])
      const wrong = await home.run([...login, '--stdin'], { env, stdin: `quota_url=${server().url.replace('9', '8')}` })
      expect(wrong.code, wrong.stderr).to.equal(7)
      expect((await home.run(['auth:status', '-p', 'shop'], { env })).code, 'nothing was stored').to.equal(2)
      const right = await home.run([...login, '--stdin'], { env, stdin: `quota_url=${server().url}` })
      expect(right.code, right.stderr).to.equal(0)
      expect(right.stderr).to.include('The quota server answers: 0 of 10 calls made in the last 24 hours.')
      const command = `printf %s "${server().url}"`
      const changed = await home.run(['auth:login', '-p', 'shop', '--setting', `quota_url_command=${command}`], { env })
      expect(changed.code, changed.stderr).to.equal(0)
      const shown = await home.run(['calls:show', '-p', 'shop', '--json'], { env })
      expect(shown.json()).to.include({ Quota: `redis://:••••@127.0.0.1:${server().port}/0`, Share: 40, ShareAllowed: 4 })
    })
  })
})

/** 64 KiB of a text that never ends. */
const FLOOD = `$1000000000\r\n${'x'.repeat(65_536)}`

/**
 * Passes connections on to a port. `judge` gets the number of each answer and may cut the connection instead of passing it, hold
 * all, or send without an end.
 */
async function between(port: number, judge: (answers: number) => 'pass' | 'cut' | 'hold' | 'flood'): Promise<Server> {
  const { connect } = await import('node:net')
  let answers = 0
  const sockets = new Set<Socket>()
  const proxy = createServer((socket) => {
    const there = connect(port, '127.0.0.1')
    sockets.add(socket).add(there)
    socket.pipe(there)
    there.on('data', (chunk) => {
      const verdict = judge(++answers)
      if (verdict === 'pass') socket.write(chunk)
      if (verdict === 'cut') socket.destroy()
      if (verdict === 'flood') {
        const pour = () => {
          while (!socket.destroyed && socket.write(FLOOD));
        }
        socket.on('drain', pour)
        pour()
      }
    })
    for (const [one, other] of [
      [socket, there],
      [there, socket],
    ] as const) {
      one.on('error', () => undefined)
      one.on('close', () => other.destroy())
    }
  })
  proxy.on('close', () => {
    for (const socket of sockets) socket.destroy()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return proxy
}
