import { expect } from 'chai'
import { opened, openedForEach } from '../../opened.js'
import { ALL, APPLICATION, EXPIRED, HOUR, Market, ME, member, SECOND } from './market.js'

describe('sandbox/marketplace: who calls', () => {
  const market = opened(() => new Market())

  for (const [what, caller] of [
    ['no application', {}],
    ['an unknown application', { appId: 99, appKey: APPLICATION.appKey }],
    ['a wrong key', { appId: APPLICATION.appId, appKey: 'wrong' }],
    ['no key', { appId: APPLICATION.appId }],
  ] as const) {
    it(`refuses ${what} in both services with the known text`, () => {
      for (const name of ['GetOfficalTime', 'GetUserInfo'] as const) {
        const fault = market.fault(name, {}, caller)
        expect(fault).to.include({ family: 'process', message: 'Invalid application id' })
      }
    })
  }

  for (const [what, caller] of [
    ['no user', APPLICATION],
    ['a wrong token', { ...ME, token: 'wrong' }],
    ['no token', { ...APPLICATION, userId: ME.userId }],
    ["another's token", { ...ME, token: member(SECOND).token }],
    ['an unknown user', { ...ME, userId: 4711 }],
    ['an expired token', member(EXPIRED)],
  ] as const) {
    it(`refuses a restricted operation with ${what} by 403`, () => {
      expect(market.refusal('GetUserInfo', {}, caller).status).to.equal(403)
    })
  }

  it('asks for no user in the public service', () => {
    expect(market.call('GetItemTypes', {}, APPLICATION)).to.have.length(4)
    expect(market.call('PublicService.GetSellerItems', { ...ALL, userId: 1002 }, APPLICATION)).to.not.be.empty
  })

  it('tells who the calls are made for', () => {
    expect(market.call('GetUserInfo', {})).to.include({
      Id: 1001,
      Alias: 'Södermalms_Loppis',
      FirstName: 'Åsa',
      City: 'Stockholm',
    })
    expect(market.call('GetUserInfo', {})).to.not.have.property('PersonalNumber')
    expect(market.call('GetUserInfo', {}, member(2004))).to.include({ Id: 2004, Alias: 'lisa<3vinyl' })
  })
})

describe('sandbox/marketplace: quota', () => {
  const market = openedForEach(() => new Market())

  it('counts calls and refuses none as it comes', () => {
    for (let calls = 0; calls < 150; calls++) market.call('GetOfficalTime', {})
    expect(market.marketplace.console.calls()[0]).to.deep.include({ appId: 1, used: 150, quota: null })
  })

  it('counts calls that end in a fault or 403, but none that knows no application', () => {
    market.fault('RemoveShopItem', { shopItemId: 1 })
    market.refusal('GetUserInfo', {}, APPLICATION)
    market.fault('GetOfficalTime', {}, {})
    expect(market.marketplace.console.calls()[0]?.used).to.equal(2)
  })

  it('refuses by 429 over the quota, tells when there is room, and lets in again then', () => {
    market.marketplace.settings.quota = { calls: 3, windowMs: 24 * HOUR }
    for (let calls = 0; calls < 3; calls++) {
      market.call('GetOfficalTime', {})
      market.now += HOUR
    }
    const refusal = market.refusal('GetOfficalTime', {}, ME)
    expect(refusal).to.include({ status: 429, retryAfterMs: 21 * HOUR })
    expect(refusal.message).to.include('quota of 3 calls')
    expect(market.refusal('GetUserInfo', {}, ME).status).to.equal(429)
    expect(market.marketplace.console.calls()[0]).to.deep.include({ used: 3, quota: 3, windowMs: 24 * HOUR })
    market.now += 21 * HOUR
    market.call('GetOfficalTime', {})
    expect(market.refusal('GetOfficalTime', {}, ME).retryAfterMs).to.equal(HOUR)
  })

  it('gives each application its own', () => {
    market.marketplace.settings.quota = { calls: 1, windowMs: HOUR }
    const other = { appId: 2, appKey: '0c7b2f6e-2222-4d4f-9a57-2b6f0e5a7d02' }
    market.call('GetOfficalTime', {})
    market.call('GetOfficalTime', {}, other)
    expect(market.refusal('GetOfficalTime', {}, other).status).to.equal(429)
  })

  it('lets nobody in with a quota of none', () => {
    market.marketplace.settings.quota = { calls: 0, windowMs: HOUR }
    expect(market.refusal('GetOfficalTime', {}, ME)).to.include({ status: 429, retryAfterMs: HOUR })
    market.marketplace.settings.quota = null
    market.call('GetOfficalTime', {})
    market.now += HOUR / 2
    market.marketplace.settings.quota = { calls: 0, windowMs: HOUR }
    expect(market.refusal('GetOfficalTime', {}, ME).retryAfterMs).to.equal(HOUR)
  })

  it('keeps calls for a day, for a quota that is set later, or for the window of a longer one', () => {
    const used = (hours: number) => {
      market.marketplace.settings.quota = { calls: 1000, windowMs: hours * HOUR }
      return market.marketplace.console.calls()[0]?.used
    }
    const call = (times: number) => {
      for (let count = 0; count < times; count++) market.call('GetOfficalTime', {})
    }
    market.marketplace.settings.quota = { calls: 1000, windowMs: 48 * HOUR }
    call(200)
    market.now += 30 * HOUR
    call(100)
    expect([used(48), used(24)]).to.deep.equal([300, 100])
    market.marketplace.settings.quota = { calls: 1000, windowMs: HOUR }
    market.now += 2 * HOUR
    call(256)
    expect(used(48), 'those of 32 hours ago were deleted').to.equal(356)
  })
})
