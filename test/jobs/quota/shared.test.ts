/** Decisions of a machine by the answers of the quota server. */
import { expect } from 'chai'
import { BudgetError } from '../../../src/jobs/ledger/errors.js'
import type { CallLimits, NewCall, Quota } from '../../../src/jobs/ledger/index.js'
import { ownerOf, SharedQuota, type SharedQuotaOptions } from '../../../src/jobs/quota/shared.js'
import { cleanUp, FakeClock, temporaryLedger, thrown } from '../harness.js'
import { FakeQuotaServer, type Reply } from './server.js'

const HOUR = 3_600_000
/** Taken from the start of the answer: taken, limit, used, allowed, of share, wait, bucket, shares, oldest. */
const taken = (changes: Partial<Record<number, number | string>> = {}): Reply =>
  Object.assign([1, '', 1, -1, 1, 0, '29700', -1, -1], changes)
const AWAY = { error: 'LOADING Redis is loading the dataset in memory' }

describe('the shared quota', () => {
  let server: FakeQuotaServer
  let clock: FakeClock
  const opened: Quota[] = []
  const warnings: string[] = []
  beforeEach(async () => {
    server = await FakeQuotaServer.start()
    server.answer = () => taken()
    clock = new FakeClock()
    warnings.splice(0)
  })
  afterEach(async () => {
    for (const quota of opened.splice(0)) await quota.close()
    await server.close()
    cleanUp()
  })

  const call: NewCall = { appId: 7, profile: 'p', service: 's', operation: 'GetItem', kind: 'read', attempt: 1 }
  const machine = (limits: CallLimits = { budget: 10 }, more: Partial<SharedQuotaOptions> = {}) => {
    const ledger = temporaryLedger(clock)
    const quota = new SharedQuota({
      ...{
        url: server.url,
        shownUrl: 'redis://quota',
        away: 'refuse',
        others: [],
        userId: 5,
        patienceMs: 60_000,
        awayPatienceMs: 0,
      },
      ...{ taker: { appId: 7, profile: 'p' }, limits, calls: ledger.calls, clock, warn: (text) => warnings.push(text) },
      ...more,
    })
    opened.push(quota)
    return { quota, ledger, take: (calls = 1) => quota.take(Array.from({ length: calls }, () => call)) }
  }
  const refused = async (work: () => Promise<unknown>) => {
    const error = await thrown(work)
    expect(error, String(error)).to.be.instanceOf(BudgetError)
    return error as BudgetError
  }
  const scripts = () => server.runs.map(({ script }) => script)

  it('connects with its first call, and asks by the limits, the window and the minute', async () => {
    const { quota, take, ledger } = machine()
    expect([server.connections, quota.countedAt]).to.deep.equal([0, 'redis://quota'])
    expect(await take(2)).to.have.length(2)
    expect(server.runs).to.deep.equal([
      {
        script: 'take',
        keys: ['seller:quota:{7}:buckets', 'seller:quota:{7}:counts', 'seller:quota:{7}:shares'],
        // No owner: profiles without a share are counted together.
        args: ['', '2', '10', '0', '86400000', '60000', '', '1'],
      },
    ])
    expect(ledger.calls.list()).to.have.length(2)
    await take()
    expect([server.connections, server.sentWhole]).to.deep.equal([1, 1])
    server.forgetScripts()
    await take()
    expect([server.connections, server.sentWhole, server.runs.length]).to.deep.equal([1, 2, 3])
  })

  it('tells its share and those of the other profiles until the sum came back once, and asks for the sum again to show it', async () => {
    const limits = { budget: 1000, share: { percent: 12.5, reserved: 0, holders: [] } }
    const others = [
      { profile: 'b', userId: 2, percent: 33.33 },
      { profile: 'c', userId: undefined, percent: 50 },
    ]
    const { quota, take } = machine(limits, { others, serverTime: () => 1234 })
    await take()
    // Without a sum nothing was noted for certain.
    server.answer = () => taken({ 7: 9583 })
    await take()
    await take()
    await quota.usage()
    const told = ['b:2', '3333', 'c:', '5000']
    const head = (calls: string) => ['p:5', calls, '1000', '1250', '86400000', '60000', '1234']
    expect(server.runs.map(({ args }) => args)).to.deep.equal([
      [...head('1'), '1', ...told],
      [...head('1'), '1', ...told],
      [...head('1'), '0'],
      [...head('0'), '1'],
    ])
    expect(warnings).to.deep.equal([])
    expect(ownerOf({ profile: 'p', userId: undefined })).to.equal('p:')
  })

  it('warns once of shares over the whole, and not of the whole', async () => {
    server.answer = () => taken({ 7: 10_000 })
    await machine().take()
    expect(warnings).to.deep.equal([])
    server.answer = () => taken({ 7: 10_050 })
    const { take } = machine()
    await take()
    await take()
    expect(warnings).to.deep.equal([
      'The shares of calls add up to 100.5% at redis://quota, so a profile may find less than its share.',
    ])
  })

  describe('that is spent', () => {
    it('refuses the call, which is not recorded, and says where it was counted and when one is free', async () => {
      server.answer = () => taken({ 0: 0, 1: 'budget', 2: 10, 5: 2 * HOUR })
      const { take, ledger } = machine()
      const error = await refused(() => take())
      expect(error).to.include({ code: 'call_budget_spent', allowed: 10, used: 10, freeAt: clock.time + 2 * HOUR })
      expect(error.message).to.equal(
        'The call budget is spent: 10 of 10 calls in the last 24 hours, counted at redis://quota. The call was not sent.',
      )
      expect(error.details).to.deep.equal({ allowed: 10, used: 10, freeAt: new Date(clock.time + 2 * HOUR).toISOString() })
      expect(ledger.calls.list()).to.deep.equal([])
      server.answer = () => taken({ 0: 0, 1: 'budget', 2: 0, 5: -1 })
      const never = await refused(() => take())
      expect([never.freeAt, never.details, never.hint.startsWith('If the service')]).to.deep.equal([
        undefined,
        { allowed: 10, used: 0 },
        true,
      ])
    })

    it('names the share, or what the shares leave: the server knows them all', async () => {
      const spent = (used: number) => taken({ 0: 0, 1: 'share', 2: 9, 3: used, 4: used, 5: 0, 7: 8000 })
      server.answer = () => spent(3)
      const own = machine({ budget: 10, share: { percent: 30, reserved: 0, holders: [] } })
      const share = await refused(() => own.take())
      expect(share).to.include({ code: 'call_share_spent', allowed: 3, used: 3, freeAt: clock.time })
      expect(share.message).to.equal(
        'The share of the profile "p" is spent: 3 of 3 calls in the last 24 hours, counted at redis://quota, 30% of the call budget of 10. The call was not sent.',
      )
      server.answer = () => spent(2)
      const rest = await refused(() => machine().take())
      expect(rest).to.include({ code: 'call_share_spent', allowed: 2, used: 2 })
      expect(rest.message).to.include('They reserve 80% of the call budget of 10.')
      expect(rest.details).to.have.all.keys('allowed', 'used', 'freeAt', 'profile')
    })
  })

  it('shows what is used, what is left to the profile, and when the next call leaves', async () => {
    const usage = async (changes: Partial<Record<number, number>>, percent?: number) => {
      server.answer = () => taken({ 1: '', ...changes })
      const share = percent === undefined ? undefined : { percent, reserved: 0, holders: [] }
      return machine({ budget: 10, share }).quota.usage()
    }
    expect(await usage({ 2: 4, 3: -1, 4: 4, 7: -1, 8: -1 })).to.deep.equal({
      ...{ used: 4, budget: 10, remaining: 6, oldestLeavesAt: undefined, share: undefined, shares: 0 },
    })
    // The nearer of the two limits counts, and neither is below none.
    expect(await usage({ 2: 4, 3: 3, 4: 1, 7: 7000, 8: HOUR }, 30)).to.deep.equal({
      ...{ used: 4, budget: 10, remaining: 2, oldestLeavesAt: clock.time + HOUR, shares: 70 },
      share: { percent: 30, allowed: 3, used: 1 },
    })
    expect(await usage({ 2: 9, 3: 3, 4: 0, 8: 0 }, 30)).to.include({ remaining: 1, oldestLeavesAt: clock.time })
    expect(await usage({ 2: 12, 3: 3, 4: 0 }, 30)).to.include({ remaining: 0 })
    const reserved = await usage({ 2: 4, 3: 0, 4: 4, 7: 10_000 })
    expect(reserved).to.deep.include({ remaining: 0, share: { percent: undefined, allowed: 0, used: 4 }, shares: 100 })
  })

  describe('and calls that are given back', () => {
    it('are those that did not reach the service, to the minute from which they were taken', async () => {
      server.answer = ({ script }) => (script === 'take' ? taken({ 6: '29703' }) : 1)
      const { quota, take, ledger } = machine({ budget: 10, share: { percent: 30, reserved: 0, holders: [] } })
      const [one, other, third] = await take(3)
      one?.({ outcome: 'unreachable', ms: 1 })
      other?.({ outcome: 'fault', ms: 1 })
      third?.({ outcome: 'ok', ms: 1 })
      // Closing waits until they are given back.
      await quota.close()
      expect(server.runs.slice(1)).to.deep.equal([
        {
          script: 'give back',
          keys: ['seller:quota:{7}:buckets', 'seller:quota:{7}:counts'],
          args: ['p:5', '29703', '1'],
        },
      ])
      expect(ledger.calls.list().map(({ Outcome }) => Outcome)).to.have.members(['unreachable', 'fault', 'ok'])
    })

    it('are all of them where they could not be recorded, and nothing is sent', async () => {
      server.answer = ({ script }) => (script === 'take' ? taken() : 1)
      const full = new Error('The disk is full.')
      const { ledger } = machine()
      const calls = { standing: ledger.calls.standing, alone: () => [], reported() {}, begin: () => Promise.reject(full) }
      const { quota, take } = machine({ budget: 10 }, { calls })
      expect(await thrown(() => take(3))).to.equal(full)
      await quota.close()
      expect(server.runs.at(-1)).to.deep.include({ script: 'give back', args: ['', '29700', '3'] })
    })

    it('count as made where the server does not take them back', async () => {
      server.answer = ({ script }) => (script === 'take' ? taken() : { error: 'OOM command not allowed' })
      const { quota, take, ledger } = machine()
      const [end] = await take()
      end?.({ outcome: 'unreachable', ms: 1 })
      await quota.close()
      expect(scripts()).to.deep.equal(['take', 'give back'])
      expect(ledger.calls.list()).to.have.length(1)
    })
  })

  describe('whose server is away', () => {
    it('sends nothing, says why without the address, and asks anew at the next call', async () => {
      server.answer = () => AWAY
      const { quota, take, ledger } = machine()
      const error = await refused(() => take())
      expect(error).to.include({ code: 'quota_away', category: 'quota' })
      expect(error.message).to.equal(
        'The quota server redis://quota cannot be used: it is still loading its data. The call was not sent.',
      )
      expect(error.details).to.deep.equal({ server: 'redis://quota', reason: 'it is still loading its data' })
      expect(error.hint).to.include('seller auth:login --profile p --setting quota_away=local')
      expect((await refused(() => quota.usage())).message).to.match(/loading its data\.$/)
      expect([ledger.calls.list(), warnings]).to.deep.equal([[], []])
      server.answer = () => taken()
      expect(await take()).to.have.length(1)
    })

    it('counts here for 30 s if the settings say so, warns once for each time, and then asks again', async () => {
      server.answer = () => AWAY
      const { quota, take, ledger } = machine({ budget: 3 }, { away: 'local' })
      await take()
      await take()
      expect(await quota.usage()).to.include({ used: 2, remaining: 1, budget: 3 })
      const warning =
        'The quota server redis://quota cannot be used: it is still loading its data. Calls are counted on this machine alone, because quota_away is local.'
      expect([warnings, server.runs.length]).to.deep.equal([[warning], 1])
      clock.time += 29_999
      await take()
      expect(server.runs.length).to.equal(1)
      // The budget of the machine alone holds too.
      expect((await refused(() => take())).details).to.include({ allowed: 3, used: 3 })
      clock.time += 1
      expect((await refused(() => take())).code).to.equal('call_budget_spent')
      expect([warnings.length, server.runs.length]).to.deep.equal([2, 2])
      clock.time += 30_000
      server.answer = () => taken()
      await take()
      await take()
      expect([warnings.length, scripts().slice(2)]).to.deep.equal([2, ['report', 'take', 'take']])
      expect(ledger.calls.list()).to.have.length(5)
    })

    it('reports what was counted here, once, also from another process and after an answer that was lost', async () => {
      server.answer = () => AWAY
      const share = { percent: 30, reserved: 0, holders: [] }
      clock.time += 50_000
      const first = machine({ budget: 30, share }, { away: 'local', serverTime: () => 9 })
      const [unreached] = await first.take(3)
      unreached?.({ outcome: 'unreachable', ms: 1 })
      clock.time += 20_000
      await first.take(2)
      await first.quota.close()
      clock.time += 5000
      const reports = () => server.runs.filter(({ script }) => script === 'report')
      const [before] = [server.runs.length]
      server.answer = ({ script }) => (script === 'report' ? 'cut' : taken())
      const again = () => machine({ budget: 30, share }, { calls: first.ledger.calls, serverTime: () => 9 })
      expect((await refused(() => again().take())).code).to.equal('quota_away')
      expect(
        server.runs.slice(before).map(({ script }) => script),
        'nothing is taken before',
      ).to.deep.equal(['report'])
      server.answer = ({ script }) => (script === 'report' ? 0 : taken())
      const third = again()
      await Promise.all([third.take(), third.take()])
      await again().take()
      const [lost, told, ...more] = reports()
      expect([lost?.args, more]).to.deep.equal([told?.args, []])
      // Two minutes: the one call that reached nobody is not among the three; ages in ms.
      expect(told?.args.slice(1)).to.deep.equal(['p:5', '86400000', '60000', '9', '25000', '2', '5000', '2'])
      expect(told?.keys.at(-1)).to.equal('seller:quota:{7}:reported')
    })

    it('tries again with longer and longer pauses, says so once, and goes on', async () => {
      let asked = 0
      server.answer = () => (++asked % 6 === 0 ? taken() : AWAY)
      const { take } = machine({ budget: 9 }, { awayPatienceMs: 30_000 })
      await take()
      expect(clock.slept).to.deep.equal([200, 400, 800, 1600, 2000])
      expect(warnings).to.deep.equal([
        'The quota server redis://quota is away: it is still loading its data. Trying again for 30 s.',
      ])
      await take()
      expect(warnings).to.have.length(2)
      server.answer = () => AWAY
      const begun = clock.time
      expect((await refused(() => take())).message).to.include('its data. It was tried for 30 s. The call was not sent.')
      expect(clock.time - begun).to.equal(30_000)
      const stop = new AbortController()
      stop.abort(new Error('Ctrl-C'))
      const stopped = machine({ budget: 9 }, { awayPatienceMs: 30_000, signal: stop.signal })
      expect((await thrown(() => stopped.take())) as Error).to.have.property('message', 'Ctrl-C')
    })

    it('does not try again what no time cures', async () => {
      for (const reply of [{ error: 'WRONGPASS invalid' }, { error: 'NOPERM no' }, 1]) {
        server.answer = () => reply
        expect(await refused(() => machine({ budget: 9 }, { awayPatienceMs: 30_000 }).take())).to.include({ code: 'quota_away' })
      }
      expect([clock.slept, warnings]).to.deep.equal([[], []])
    })

    it('warns once where several calls find it so at the same time', async () => {
      let asked = 0
      let go = () => {}
      const both = new Promise<void>((resolve) => {
        go = resolve
      })
      server.answer = async () => {
        if (++asked === 1) go()
        await both
        return AWAY
      }
      const { take } = machine({ budget: 10 }, { away: 'local' })
      expect(await Promise.all([take(), take(), take()])).to.have.length(3)
      expect(warnings).to.have.length(1)
    })

    it('asks over a new connection when the old one was lost, once', async () => {
      const { take } = machine()
      await take()
      server.drop()
      await take()
      expect([server.connections, server.runs.length]).to.deep.equal([2, 2])
      server.answer = () => 'cut'
      expect((await refused(() => take())).message).to.include('the connection was lost')
      // Once over the connection that had held so far, once over a new one.
      expect([server.connections, server.runs.length]).to.deep.equal([3, 4])
    })

    it('takes an answer of another shape for none', async () => {
      for (const reply of [1, [1, '', 1], [1, '', 1, -1, 1, 0, '29700', -1, -1, 0]]) {
        server.answer = () => reply
        expect((await refused(() => machine().take())).details).to.include({ reason: 'it answers something else' })
      }
    })

    it('leaves errors alone that are not of the server', async () => {
      const broken = new Error('a bug')
      const serverTime = () => {
        throw broken
      }
      expect(await thrown(() => machine({ budget: 1 }, { away: 'local', serverTime }).take())).to.equal(broken)
      expect(warnings).to.deep.equal([])
    })
  })
})
