/** Calls that a profile may make, and which quota counts it. */
import { expect } from 'chai'
import {
  callLimits,
  countingOf,
  type OtherShare,
  openQuota,
  otherShares,
  type QuotaProfile,
  tooManyShares,
} from '../../src/cli/call-limits.js'
import { present } from '../../src/contract/present.js'
import { cleanUp, FakeClock, temporaryLedger } from '../jobs/harness.js'

const other = (profile: string, percent: number): OtherShare => ({ profile, userId: 1, percent })

describe('the limits of calls', () => {
  for (const [name, settings, others, limits] of [
    ['none without a service', {}, [other('b', 20)], undefined],
    ['none at a service of this machine', { base_url: 'http://127.0.0.1:8080' }, [], undefined],
    ['the default of the service elsewhere', { base_url: 'https://api.example.com' }, [], { budget: 100 }],
    ['as set', { base_url: 'https://api.example.com', call_budget: 5000 }, [], { budget: 5000 }],
    ['none where that is set', { base_url: 'https://api.example.com', call_budget: 0 }, [], undefined],
    ['none without a budget where the ledger counts anyway', { quota_url: 'none', call_share: 0 }, [], undefined],
    ['the budget alone where no one has a share', { call_budget: 10 }, [], { budget: 10 }],
    ['the own share', { call_budget: 10, call_share: 30 }, [], { budget: 10, share: { percent: 30, reserved: 0, holders: [] } }],
    [
      'the own share beside others',
      { call_budget: 10, call_share: 30 },
      [other('b', 20), other('c', 1.1)],
      { budget: 10, share: { percent: 30, reserved: 21.1, holders: ['b', 'c'] } },
    ],
    [
      'what others leave',
      { call_budget: 10 },
      [other('b', 33.33), other('c', 33.33)],
      { budget: 10, share: { reserved: 66.66, holders: ['b', 'c'] } },
    ],
  ] as const) {
    it(`are ${name}`, () => {
      expect(callLimits('a', settings, others)).to.deep.equal(limits)
    })
  }

  for (const [settings, needs] of [
    [{ call_share: 0.5 }, 'call_share'],
    [{ quota_url: 'redis://127.0.0.1' }, 'quota_url'],
    [{ quota_url_command: 'pass quota' }, 'quota_url'],
    [{ call_share: 1, quota_url: 'redis://127.0.0.1' }, 'call_share'],
  ] as const) {
    it(`cannot be ${JSON.stringify(settings)} without a budget`, () => {
      expect(() => callLimits('a', settings, []))
        .to.throw(`${needs} is set and call_budget is not`)
        .with.property('code', 'invalid_setting')
    })
  }

  it('are shared with profiles of the same application that have a share', () => {
    const profiles = {
      a: { app_id: 7, call_share: 10 },
      b: { app_id: 7, call_share: 20, user_id: 5 },
      c: { app_id: 8, call_share: 30 },
      d: { app_id: 7 },
      e: { app_id: 7, call_share: 0 },
      f: { call_share: 40 },
    }
    expect(otherShares(profiles, 'a', 7)).to.deep.equal([{ profile: 'b', userId: 5, percent: 20 }])
    expect(otherShares(profiles, 'z', 8)).to.deep.equal([{ profile: 'c', userId: undefined, percent: 30 }])
    expect(otherShares(profiles, 'z', undefined)).to.deep.equal([])
  })

  it('are too large only where all shares are more than the whole', () => {
    expect(tooManyShares('a', 30, [other('b', 33.3), other('c', 36.7)])).to.equal(undefined)
    expect(tooManyShares('b', 30, [other('c', 40), other('a', 30.01)])).to.equal(
      'a 30.01%, b 30%, c 40%: together 100.01% of the calls of the application',
    )
    expect(tooManyShares('b', 0, [other('d', 60), other('c', 50)])).to.equal(
      'c 50%, d 60%: together 110% of the calls of the application',
    )
  })
})

describe('the quota of a profile', () => {
  afterEach(cleanUp)

  const open = async (profile: Omit<QuotaProfile, 'name'>) => {
    const warnings: string[] = []
    let asked = 0
    const ledger = temporaryLedger()
    const quota = await openQuota({
      profile: { name: 'a', ...profile },
      clock: new FakeClock(),
      ledger: async () => ledger,
      url: async () => {
        asked++
        return undefined
      },
      warn: (text) => void warnings.push(text),
    })
    return { usage: await quota.usage(), warnings, asked }
  }

  it('counts in the ledger without limits, and asks for no server then', async () => {
    const { usage, warnings, asked } = await open({ settings: {}, embedded: false })
    expect(usage).to.include({ used: 0, budget: undefined, remaining: undefined, share: undefined })
    expect([warnings, asked]).to.deep.equal([[], 0])
  })

  it('is the budget where no other profile is known, without a word about shares', async () => {
    const { usage, warnings, asked } = await open({ settings: { call_budget: 10 }, embedded: false })
    expect(usage).to.include({ remaining: 10 })
    expect([warnings, asked]).to.deep.equal([[], 1])
  })

  it('is counted by the server of its address, or here while that is away', async () => {
    const url = 'redis://user:a-secret@127.0.0.1:1'
    for (const away of [undefined, 'refuse', 'local'] as const) {
      const warnings: string[] = []
      const quota = await openQuota({
        profile: {
          name: 'a',
          settings: { app_id: 7, user_id: 8, call_budget: 10, ...present({ quota_away: away }), quota_patience: 0 },
          embedded: false,
        },
        clock: new FakeClock(),
        ledger: async () => temporaryLedger(),
        url: async () => url,
        warn: (text) => void warnings.push(text),
      })
      expect(quota.countedAt).to.equal('redis://user:••••@127.0.0.1:1')
      const usage = await quota.usage().catch((error: unknown) => error)
      if (away === 'local') {
        expect(usage).to.include({ used: 0, budget: 10, remaining: 10 })
        expect(warnings).to.have.lengthOf(1)
        expect(warnings[0]).to.match(/^The quota server redis:\/\/user:••••@127\.0\.0\.1:1 cannot be used: /)
      } else {
        expect(usage).to.be.instanceOf(Error)
        expect(String(usage)).to.include('redis://user:••••@127.0.0.1:1').and.not.include('a-secret')
        expect(warnings).to.deep.equal([])
      }
      await quota.close()
    }
  })

  it('asks for no server in the sandbox of the process', async () => {
    expect((await open({ settings: { call_budget: 10 }, embedded: true })).asked).to.equal(0)
  })

  it('warns of shares beyond the whole, and counts all the same', async () => {
    const { usage, warnings } = await open({
      settings: { call_budget: 10, call_share: 60 },
      embedded: false,
      otherShares: [other('b', 50)],
    })
    expect(usage).to.include({ remaining: 6 })
    expect(warnings).to.deep.equal([
      'The shares of calls are too large (a 60%, b 50%: together 110% of the calls of the application), so a profile may find less than its share.',
    ])
  })

  it('is counted for the application and the profile', () => {
    expect(countingOf({ name: 'a', settings: { app_id: 7, call_budget: 5 }, embedded: false })).to.deep.equal({
      taker: { appId: 7, profile: 'a', sandbox: false },
      limits: { budget: 5 },
    })
    expect(countingOf({ name: 'sandbox', settings: {}, embedded: true })).to.deep.equal({
      taker: { appId: 0, profile: 'sandbox', sandbox: true },
      limits: undefined,
    })
  })
})
