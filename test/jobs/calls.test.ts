import { expect } from 'chai'
import { budgetObserver } from '../../src/jobs/ledger/call-budget.js'
import type { Calls } from '../../src/jobs/ledger/calls.js'
import { BudgetError } from '../../src/jobs/ledger/errors.js'
import { allowedBy, type CallLimits, ledgerQuota, type NewCall } from '../../src/jobs/ledger/quota.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import type { RecordEnd } from '../../src/soap/client/index.js'
import { Store } from '../../src/system/sqlite.js'
import { closing } from '../opened.js'
import { cleanUp, FakeClock, temporaryLedger, thrown, withNotedTimers } from './harness.js'

/** Records that a call begins. @returns what records its end */
async function begun(calls: Calls, call: NewCall): Promise<RecordEnd> {
  const [end] = await calls.begin([call])
  if (end === undefined) throw new Error('the call was not recorded')
  return end
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('the calls in the ledger', () => {
  afterEach(cleanUp)

  const call = (changes: Partial<NewCall> = {}): NewCall => ({
    appId: 7,
    profile: 'p',
    service: 'RestrictedService',
    operation: 'GetItem',
    kind: 'read',
    attempt: 1,
    ...changes,
  })
  const attempt = { operation: 'GetItem', service: 'RestrictedService', kind: 'read', attempt: 1 } as const

  it('are there before they end, and say how they ended', async () => {
    const clock = new FakeClock()
    const { calls } = temporaryLedger(clock)
    const end = await begun(calls, call({ operation: 'AddItem', kind: 'single write', attempt: 2 }))
    const row = {
      Call: 1,
      AppId: 7,
      Profile: 'p',
      Service: 'RestrictedService',
      Operation: 'AddItem',
      Kind: 'single write',
      Attempt: 2,
      At: '2026-11-02T08:00:00.000Z',
      Outcome: null,
      HttpStatus: null,
      Ms: null,
    }
    expect(calls.list()).to.deep.equal([row])
    end({ outcome: 'fault', httpStatus: 500, ms: 41.7 })
    expect(calls.list()).to.deep.equal([{ ...row, Outcome: 'fault', HttpStatus: 500, Ms: 42 }])
  })

  it('are counted for each application, in a window that slides', async () => {
    const clock = new FakeClock()
    const { calls } = temporaryLedger(clock)
    await begun(calls, call())
    clock.time += 23 * HOUR
    await begun(calls, call())
    await begun(calls, call({ appId: 8 }))
    expect(calls.usage(7).Used).to.equal(2)
    clock.time += HOUR
    expect(calls.usage(7).Used).to.equal(1)
    expect(calls.usage(8).Used).to.equal(1)
    clock.time += 23 * HOUR
    expect(calls.usage(7).Used).to.equal(0)
  })

  it('count when their end is not known, and do not when the connection was never made', async () => {
    const { calls } = temporaryLedger()
    await begun(calls, call())
    ;(await begun(calls, call()))({ outcome: 'interrupted', ms: 1 })
    ;(await begun(calls, call()))({ outcome: 'unreachable', ms: 1 })
    expect(calls.usage(7).Used).to.equal(2)
    expect(calls.list()).to.have.length(3)
  })

  it('are summed up by operation and by hour, with what is left of a budget', async () => {
    const clock = new FakeClock()
    const { calls } = temporaryLedger(clock)
    clock.time += 10 * 60_000
    ;(await begun(calls, call()))({ outcome: 'ok', ms: 1 })
    ;(await begun(calls, call({ operation: 'AddItem' })))({ outcome: 'fault', ms: 1 })
    clock.time += 2 * HOUR
    ;(await begun(calls, call()))({ outcome: 'ok', ms: 1 })
    const standing = (appId: number, budget: number) => calls.standing({ appId, profile: 'p' }, { budget })
    const leaves = Date.parse('2026-11-03T08:10:00.000Z')
    expect(standing(7, 100)).to.include({ used: 3, remaining: 97, oldestLeavesAt: leaves })
    expect(standing(9, 100)).to.include({ used: 0, remaining: 100, oldestLeavesAt: undefined })
    expect(calls.usage(7)).to.deep.equal({
      Used: 3,
      Since: '2026-11-01T10:10:00.000Z',
      ByOperation: [
        { Operation: 'GetItem', Calls: 2, Failed: 0 },
        { Operation: 'AddItem', Calls: 1, Failed: 1 },
      ],
      ByHour: [
        { Hour: '2026-11-02T08:00:00.000Z', Calls: 2, Failed: 1 },
        { Hour: '2026-11-02T10:00:00.000Z', Calls: 1, Failed: 0 },
      ],
    })
    expect(calls.usage(9)).to.deep.include({ Used: 0, ByOperation: [], ByHour: [] })
  })

  it('are listed by application, profile and time, the newest first', async () => {
    const clock = new FakeClock()
    const { calls } = temporaryLedger(clock)
    await begun(calls, call())
    await begun(calls, call({ appId: 8, profile: 'q' }))
    clock.time += HOUR
    await begun(calls, call({ operation: 'AddItem' }))
    const numbers = (filter: Parameters<typeof calls.list>[0]) => calls.list(filter).map(({ Call }) => Call)
    expect(numbers({})).to.deep.equal([3, 2, 1])
    expect(numbers({ appId: 7 })).to.deep.equal([3, 1])
    expect(numbers({ profile: 'q' })).to.deep.equal([2])
    expect(numbers({ since: clock.time })).to.deep.equal([3])
    expect(numbers({ since: clock.time + 1 })).to.deep.equal([])
    expect(numbers({ limit: 2 })).to.deep.equal([3, 2])
  })

  it('are forgotten after 90 days', async () => {
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    await begun(ledger.calls, call())
    clock.time += 89 * DAY
    await begun(ledger.calls, call())
    ledger.close()
    clock.time += 2 * DAY
    expect(temporaryLedger(clock, ledger.path).calls.list()).to.have.length(1)
  })

  it('go over a connection that does not flush each of them', () => {
    const ledger = temporaryLedger()
    using store = closing(openStore(ledger.path, 'process'))
    expect(store.first('PRAGMA synchronous')).to.deep.equal({ synchronous: 1 })
  })

  it('are ended together, 32 by one commit, or after a quarter of a second', async () => {
    const ledger = temporaryLedger()
    const written = () => ledger.store.rows('SELECT id FROM calls WHERE outcome IS NOT NULL').length
    const ends = await ledger.calls.begin(Array.from({ length: 33 }, () => call()))
    await withNotedTimers((timers, cleared, timer) => {
      for (const end of ends.slice(0, 31)) end({ outcome: 'ok', ms: 1 })
      expect([written(), timers.map(({ ms }) => ms)]).to.deep.equal([0, [250]])
      ends[31]?.({ outcome: 'ok', ms: 1 })
      expect([written(), cleared]).to.deep.equal([32, [timer]])
      ends[32]?.({ outcome: 'ok', ms: 1 })
      expect([written(), timers.length]).to.deep.equal([32, 2])
      timers[1]?.run()
      expect(written()).to.equal(33)
    })
  })

  /** Counts the transactions of all connections while it works. */
  const transactionsOf = async (work: () => unknown): Promise<number> => {
    const real = Store.prototype.transaction
    let count = 0
    Store.prototype.transaction = function <T>(this: Store, work: () => T): T {
      count++
      return real.call(this, work) as T
    }
    try {
      await work()
    } finally {
      Store.prototype.transaction = real
    }
    return count
  }

  it('are read without a lock when there is nothing to write', async () => {
    const { calls } = temporaryLedger()
    await begun(calls, call())
    const read = () => {
      expect(calls.list()).to.have.length(1)
      expect(calls.usage(7).Used).to.equal(1)
    }
    expect(await transactionsOf(read)).to.equal(0)
  })

  it('are all begun or none where the ledger takes no more', async () => {
    const ledger = temporaryLedger()
    await begun(ledger.calls, call())
    ledger.store.exec(
      "CREATE TRIGGER no BEFORE INSERT ON calls WHEN NEW.operation = 'AddItem' BEGIN SELECT RAISE(ABORT, 'no'); END",
    )
    const taken = await Promise.allSettled(
      ['GetItem', 'AddItem', 'GetItem'].map((operation) => ledger.calls.begin([call({ operation })], { budget: 9 })),
    )
    expect(taken.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected'])
    expect(ledger.calls.list()).to.have.length(1)
    ledger.store.exec('DROP TRIGGER no')
    expect(await ledger.calls.begin([])).to.deep.equal([])
    expect(await ledger.calls.begin([], { budget: 0 })).to.deep.equal([])
    expect(await ledger.calls.begin([call(), call()])).to.have.length(2)
  })

  it('that wait are recorded when the ledger is closed', async () => {
    const ledger = temporaryLedger()
    const waiting = ledger.calls.begin([call()])
    expect(
      await transactionsOf(() => {
        ledger.close()
        return waiting
      }),
      'one for the calls, one before the fold, one for the note in the next log (jobs/ledger/log.ts), and nothing opens it again',
    ).to.equal(3)
    expect(await waiting).to.have.length(1)
    expect(temporaryLedger(new FakeClock(), ledger.path).calls.list()).to.have.length(1)
  })

  it('are ended without an error when the ledger cannot be written any more', async () => {
    const ledger = temporaryLedger()
    const end = await begun(ledger.calls, call())
    ledger.close()
    expect(() => end({ outcome: 'ok', ms: 1 })).not.to.throw()
  })

  describe('and the budget', () => {
    const observe = (
      ledger: ReturnType<typeof temporaryLedger>,
      {
        budgetPer24h,
        share,
        ...rest
      }: { maxCalls?: number; budgetPer24h?: number; share?: CallLimits['share']; sandbox?: boolean },
      profile = 'p',
    ) => {
      const taker = { appId: 7, profile, sandbox: rest.sandbox }
      const limits = budgetPer24h === undefined ? undefined : { budget: budgetPer24h, share }
      return budgetObserver({ ...taker, ...rest, quota: ledgerQuota(ledger.calls, taker, limits) })
    }
    const spent = async (work: () => unknown) => {
      const error = await thrown(work)
      expect(error).to.be.instanceOf(BudgetError)
      return error as BudgetError
    }

    it('let a run make only the calls it was allowed', async () => {
      const ledger = temporaryLedger()
      const observer = observe(ledger, { maxCalls: 2 })
      ;(await observer.begin(attempt))({ outcome: 'ok', ms: 1 })
      await observer.begin({ ...attempt, attempt: 2 })
      const error = await spent(() => observer.begin(attempt))
      expect(error).to.include({ limit: 'max-calls', allowed: 2, used: 2, category: 'quota' })
      expect(observer.made).to.equal(2)
      expect(ledger.calls.list()).to.have.length(2)
      expect(await observe(ledger, { maxCalls: 1 }).begin(attempt)).to.be.a('function')
    })

    it('count as made what may have reached the service, as the ledger does', async () => {
      const ledger = temporaryLedger()
      const observer = observe(ledger, {})
      ;(await observer.begin(attempt))({ outcome: 'unreachable', ms: 1 })
      ;(await observer.begin({ ...attempt, attempt: 2 }))({ outcome: 'ok', ms: 1 })
      expect(observer.made).to.equal(1)
      expect(ledger.calls.usage(7).Used).to.equal(1)
    })

    it('refuse the call over it before it is sent, and tell when the next is free', async () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      const observer = observe(ledger, { budgetPer24h: 3 })
      for (let i = 0; i < 3; i += 1) {
        await observer.begin(attempt)
        clock.time += HOUR
      }
      const error = await spent(() => observer.begin(attempt))
      expect(error).to.include({ limit: 'budget', allowed: 3, used: 3 })
      expect(error.message).to.contain('3 of 3')
      expect(error.hint).to.match(
        /^The next call is free in 21 h, at \d{4}-\d\d-\d\d \d\d:\d\d(?: Swedish time)?\. If the service/,
      )
      expect(error.details).to.deep.equal({ allowed: 3, used: 3, freeAt: '2026-11-03T08:00:00.000Z' })
      expect(ledger.calls.list()).to.have.length(3)
      clock.time += 21 * HOUR
      await observer.begin(attempt)
      await spent(() => observer.begin(attempt))
      clock.time += HOUR
      await observer.begin(attempt)
    })

    it('let as many of one turn begin as are left, and record those before they go on', async () => {
      const ledger = temporaryLedger()
      const observer = observe(ledger, { budgetPer24h: 3 })
      const begun = await Promise.allSettled([1, 2, 3, 4, 5].map(() => observer.begin(attempt)))
      expect(begun.map(({ status }) => status)).to.deep.equal(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
      expect(ledger.calls.list()).to.have.length(3)
      expect(observer.made).to.equal(3)
    })

    it('count for a call what was given back just before it, whoever begins at that moment', async () => {
      const ledger = temporaryLedger()
      const [end] = await ledger.calls.begin([call()], { budget: 1 })
      end?.({ outcome: 'unreachable', ms: 1 })
      const both = await Promise.all([ledger.calls.begin([call({ appId: 8 })]), ledger.calls.begin([call()], { budget: 1 })])
      expect(both.map(({ length }) => length)).to.deep.equal([1, 1])
      both[1]?.[0]?.({ outcome: 'unreachable', ms: 1 })
      expect(await ledger.calls.begin([call()], { budget: 1 }), 'alone').to.have.length(1)
      await spent(() => ledger.calls.begin([call()], { budget: 1 }))
    })

    it('tell when as many calls are free as were asked for', async () => {
      const clock = new FakeClock()
      const start = clock.time
      const ledger = temporaryLedger(clock)
      for (let hour = 0; hour < 3; hour++) {
        await begun(ledger.calls, call())
        clock.time += HOUR
      }
      const freeAt = async (count: number) =>
        (
          await spent(() =>
            ledger.calls.begin(
              Array.from({ length: count }, () => call()),
              { budget: 3 },
            ),
          )
        ).freeAt
      expect([await freeAt(1), await freeAt(2), await freeAt(3), await freeAt(4)]).to.deep.equal([
        start + DAY,
        start + DAY + HOUR,
        start + DAY + 2 * HOUR,
        undefined,
      ])
    })

    it('are not spent by the sandbox, which has a budget of its own', async () => {
      const ledger = temporaryLedger()
      const real = observe(ledger, { budgetPer24h: 2 })
      const sandbox = observe(ledger, { budgetPer24h: 2, sandbox: true })
      await real.begin(attempt)
      for (let at = 0; at < 2; at++) await sandbox.begin(attempt)
      await spent(() => sandbox.begin(attempt))
      await real.begin(attempt)
      await spent(() => real.begin(attempt))
      expect([ledger.calls.usage(7).Used, ledger.calls.usage(7, { sandbox: true }).Used]).to.deep.equal([2, 2])
      expect(ledger.calls.standing({ appId: 7, profile: 'p', sandbox: true }, { budget: 2 })).to.include({
        used: 2,
        remaining: 0,
      })
    })

    it('show those of the sandbox apart, with the time when its own oldest leaves', async () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      await observe(ledger, {}).begin(attempt)
      clock.time += HOUR
      const sandbox = observe(ledger, { sandbox: true })
      for (let at = 0; at < 3; at++) await sandbox.begin(attempt)
      const standing = (isSandbox: boolean, budget?: number) =>
        ledger.calls.standing({ appId: 7, profile: 'p', sandbox: isSandbox }, budget === undefined ? undefined : { budget })
      const oldest = standing(false).oldestLeavesAt ?? 0
      expect(standing(true, 10)).to.include({ used: 3, remaining: 7, oldestLeavesAt: oldest + HOUR })
      const usage = ledger.calls.usage(7, { sandbox: true })
      expect(usage.ByOperation.map(({ Calls }) => Calls)).to.deep.equal([3])
      expect(usage.ByHour.map(({ Calls }) => Calls)).to.deep.equal([3])
      expect(standing(false)).to.include({ used: 1, remaining: undefined })
      // The window is open at its older end.
      clock.time = oldest
      expect(standing(false)).to.include({ used: 0, oldestLeavesAt: undefined })
    })

    it('count what other processes and other profiles of the application spend', async () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      const other = temporaryLedger(clock, ledger.path)
      const observer = observe(ledger, { budgetPer24h: 4 })
      await observer.begin(attempt)
      await begun(other.calls, call({ profile: 'q' }))
      await begun(other.calls, call({ appId: 8 }))
      await observer.begin(attempt)
      await begun(other.calls, call())
      await spent(() => observer.begin(attempt))
    })

    it('take several calls at once, or none of them', async () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      const taker = { appId: 7, profile: 'p' }
      const quota = ledgerQuota(ledger.calls, taker, { budget: 3 })
      expect(await quota.take([call(), call()])).to.have.length(2)
      clock.time += HOUR
      const error = await spent(() => quota.take([call(), call()]))
      expect(error).to.include({ used: 2, freeAt: clock.time + 23 * HOUR })
      expect(await quota.take([call()])).to.have.length(1)
      expect(ledger.calls.list()).to.have.length(3)
      expect((await spent(() => quota.take([call(), call(), call(), call()]))).freeAt, 'never').to.equal(undefined)
    })
  })

  describe('and shares of the budget', () => {
    // Settings of each profile: a has 30%, b has 50%, c and d have none.
    const LIMITS: Readonly<Record<string, CallLimits>> = {
      a: { budget: 10, share: { percent: 30, reserved: 50, holders: ['b'] } },
      b: { budget: 10, share: { percent: 50, reserved: 30, holders: ['a'] } },
      c: { budget: 10, share: { reserved: 80, holders: ['a', 'b'] } },
      d: { budget: 10, share: { reserved: 80, holders: ['a', 'b'] } },
    }
    const quotaOf = (ledger: ReturnType<typeof temporaryLedger>, profile: string) =>
      ledgerQuota(ledger.calls, { appId: 7, profile }, LIMITS[profile])
    const take = (ledger: ReturnType<typeof temporaryLedger>, profile: string) =>
      quotaOf(ledger, profile).take([call({ profile })])
    const refused = async (ledger: ReturnType<typeof temporaryLedger>, profile: string) => {
      const error = await thrown(() => take(ledger, profile))
      expect(error).to.be.instanceOf(BudgetError)
      return error as BudgetError
    }

    it('serve the last shop whatever the others took before', async () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      for (let at = 0; at < 3; at++) await take(ledger, 'a')
      clock.time += HOUR
      const error = await refused(ledger, 'a')
      expect(error).to.include({ limit: 'share', code: 'call_share_spent', allowed: 3, used: 3 })
      expect(error.message).to.equal(
        'The share of the profile "a" is spent: 3 of 3 calls in the last 24 hours, 30% of the call budget of 10. The call was not sent.',
      )
      expect(error.hint).to.match(
        /^The next call is free in 23 h, at \d{4}-\d\d-\d\d \d\d:\d\d(?: Swedish time)?\. Set another share with: seller auth:login --profile a --setting call_share=PERCENT$/,
      )
      expect(error.details).to.deep.equal({ allowed: 3, used: 3, profile: 'a', percent: 30, freeAt: '2026-11-03T08:00:00.000Z' })
      await take(ledger, 'c')
      await take(ledger, 'd')
      const rest = await refused(ledger, 'd')
      expect(rest.message).to.include('What the shares of other profiles leave is spent: 2 of 2 calls in the last 24 hours.')
      expect(rest.message).to.include('They reserve 80% of the call budget of 10.')
      for (let at = 0; at < 5; at++) await take(ledger, 'b')
      const last = await refused(ledger, 'b')
      expect(last, 'the whole budget is spent too, and that is said first').to.include({ limit: 'budget', used: 10 })
      clock.time += 23 * HOUR
      await take(ledger, 'a')
    })

    it('say what is left to each', async () => {
      const ledger = temporaryLedger()
      await take(ledger, 'a')
      await take(ledger, 'c')
      const left = async (profile: string) => {
        const { used, remaining, share, shares } = await quotaOf(ledger, profile).usage()
        return { used, remaining, percent: share?.percent, allowed: share?.allowed, ofShare: share?.used, shares }
      }
      expect(await left('a')).to.deep.equal({ used: 2, remaining: 2, percent: 30, allowed: 3, ofShare: 1, shares: 80 })
      expect(await left('d')).to.deep.equal({ used: 2, remaining: 1, percent: undefined, allowed: 2, ofShare: 1, shares: 80 })
    })

    it('say when the next call is free to a profile: that of its share, or of all where less is left', async () => {
      const clock = new FakeClock()
      const start = clock.time
      const ledger = temporaryLedger(clock)
      const standing = async (profile: string) => {
        const { remaining, oldestLeavesAt } = await quotaOf(ledger, profile).usage()
        return [remaining, oldestLeavesAt === undefined ? undefined : (oldestLeavesAt - start) / HOUR]
      }
      expect(await standing('a')).to.deep.equal([3, undefined])
      for (const profile of ['b', 'b', 'a']) {
        await take(ledger, profile)
        clock.time += HOUR
      }
      expect(await standing('a')).to.deep.equal([2, 26])
      for (let at = 0; at < 5; at++) await begun(ledger.calls, call({ profile: 'c' }))
      expect(await standing('a'), 'as much is left of all').to.deep.equal([2, 24])
      await begun(ledger.calls, call({ profile: 'c' }))
      expect(await standing('a'), 'less is left of all').to.deep.equal([1, 24])
    })

    it('name in their details what is known of the share, and nothing else', async () => {
      const ledger = temporaryLedger()
      for (let at = 0; at < 2; at++) await take(ledger, 'd')
      const { details } = await refused(ledger, 'd')
      expect(Object.keys(details ?? {}).sort()).to.deep.equal(['allowed', 'freeAt', 'profile', 'used'])
    })

    it('allow one call at least to who has a share, and none to who has none where all is reserved', async () => {
      expect(allowedBy({ percent: 1, reserved: 0 }, 10)).to.equal(1)
      expect(allowedBy({ percent: 33.33, reserved: 0 }, 10_000)).to.equal(3333)
      expect(allowedBy({ percent: 0.07, reserved: 0 }, 100_000)).to.equal(70)
      expect(allowedBy({ reserved: 130 }, 100)).to.equal(0)
      const ledger = temporaryLedger()
      const taker = { appId: 7, profile: 'e' }
      const quota = ledgerQuota(ledger.calls, taker, { budget: 10, share: { reserved: 100, holders: ['a'] } })
      const error = (await thrown(() => quota.take([call({ profile: 'e' })]))) as BudgetError
      expect(error.message).to.equal(
        'The shares of other profiles reserve all of the call budget of 10, and the profile "e" has none. The call was not sent.',
      )
      expect(error.hint).to.equal('Give the profile a share with: seller auth:login --profile e --setting call_share=PERCENT')
    })
  })
})
