/** Discounts as the ledger keeps them, and the claim on those of a shop. */
import { hostname } from 'node:os'
import { expect } from 'chai'
import type { NewDiscount, NewDiscountItem } from '../../../src/jobs/ledger/discounts.js'
import { cleanUp, FakeClock, temporaryLedger, thrown } from '../harness.js'

const HOUR = 3_600_000
const SHOP = { profile: 'shop', userId: 7 }
const item = (id: number, more: Partial<NewDiscountItem> = {}): NewDiscountItem => ({
  ...{ id, line: 0, ownReference: null, before: null, price: 80, allow: 0, state: 'planned', hold: null },
  ...more,
})

describe('discounts in the ledger', () => {
  afterEach(cleanUp)

  const open = () => {
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    const create = (more: Partial<NewDiscount> = {}) =>
      ledger.discounts.create({
        ...{ ...SHOP, name: 'Black', title: 'shop:discount', rule: { add: '-20%' }, guards: { most: 5 } },
        ...{ startsAt: clock.time + HOUR, endsAt: clock.time + 5 * HOUR, items: [item(1)] },
        ...more,
      })
    return { clock, ledger, create, discounts: ledger.discounts, store: ledger.store }
  }

  it('are shown with all their times, and a count for every state of an item', () => {
    const { create, discounts, store } = open()
    const made = create({ items: [item(1), item(2), item(3, { state: 'held', hold: ['no_price', {}] })] })
    expect(made).to.deep.equal({
      DiscountId: 1,
      Name: 'Black',
      State: 'planned',
      StartsAt: '2026-11-02T09:00:00.000Z',
      EndsAt: '2026-11-02T13:00:00.000Z',
      Profile: 'shop',
      UserId: 7,
      Title: 'shop:discount',
      Counts: { planned: 2, on: 0, done: 0, held: 1, failed: 0, skipped: 0 },
      CreatedAt: '2026-11-02T08:00:00.000Z',
      StartedAt: null,
      EndedAt: null,
      NextAt: '2026-11-02T09:00:00.000Z',
    })
    store.run('UPDATE discounts SET started_at = 0, ended_at = 1000, next_at = NULL')
    expect(discounts.show(1)).to.deep.equal({
      ...made,
      StartedAt: '1970-01-01T00:00:00.000Z',
      EndedAt: '1970-01-01T00:00:01.000Z',
      NextAt: null,
    })
  })

  it('keep their rule, and every value of an item', () => {
    const { create, discounts, store } = open()
    create({ items: [item(1, { line: 3, ownReference: 'L-1', title: 'Lampa', before: 100, allow: 70 }), item(2)] })
    create({ rule: undefined, userId: null, items: [] })
    expect([discounts.stored(1).rule, discounts.stored(1).guards, discounts.stored(1).user_id]).to.deep.equal([
      '{"add":"-20%"}',
      '{"most":5}',
      7,
    ])
    expect([discounts.stored(2).rule, discounts.stored(2).user_id, discounts.show(2).UserId]).to.deep.equal([null, 0, null])
    const columns = 'item_id, line, own_reference, title, before, price, allow, state, reason'
    expect(store.rows(`SELECT ${columns} FROM discount_items ORDER BY item_id`)).to.deep.equal([
      [1, 3, 'L-1', 'Lampa', 100, 80, 70, 'planned', null],
      [2, 0, null, null, null, 80, 0, 'planned', null],
    ])
  })

  it('are stored whole, with their items, or not at all', async () => {
    const { create, discounts } = open()
    await thrown(() => create({ items: [item(1), item(1)] }))
    expect(discounts.list()).to.deep.equal([])
  })

  it('are listed by profile and state, the newest first', () => {
    const { create, discounts, store } = open()
    for (const profile of ['shop', 'other', 'shop']) create({ profile })
    store.run("UPDATE discounts SET state = 'ended' WHERE id = 1")
    const ids = (filter?: Parameters<typeof discounts.list>[0]) => discounts.list(filter).map(({ DiscountId }) => DiscountId)
    expect(ids()).to.deep.equal([3, 2, 1])
    expect(ids({ profile: 'shop' })).to.deep.equal([3, 1])
    expect(ids({ state: ['planned'] })).to.deep.equal([3, 2])
    expect(ids({ state: ['planned', 'ended'], limit: 2 })).to.deep.equal([3, 2])
    expect(ids({ profile: 'shop', state: ['ended'] })).to.deep.equal([1])
    expect(ids({ state: [] })).to.deep.equal([])
    expect(ids({ limit: 0 })).to.deep.equal([])
  })

  it('are due from their time on, those of the shop alone, in the order of their times', () => {
    const { create, discounts, clock } = open()
    const at = (hours: number, more: Partial<NewDiscount> = {}) => create({ startsAt: clock.time + hours * HOUR, ...more })
    at(2)
    at(1)
    at(1)
    at(1, { profile: 'other' })
    at(1, { userId: null })
    const due = (shop = SHOP as Parameters<typeof discounts.due>[0]) => discounts.due(shop).map(({ id }) => id)
    clock.time += HOUR - 1
    expect(due()).to.deep.equal([])
    clock.time += 1
    expect(due()).to.deep.equal([2, 3])
    expect(due({ ...SHOP, userId: null })).to.deep.equal([5])
    clock.time += HOUR
    expect(due()).to.deep.equal([2, 3, 1])
  })

  it('that are not there are named', async () => {
    const { discounts } = open()
    for (const work of [() => discounts.show(4), () => discounts.stored(4)]) {
      expect(await thrown(work)).to.deep.include({ code: 'discount_not_found', details: { discountId: 4 } })
    }
  })

  describe('and the claim on those of a shop', () => {
    const claims = (store: ReturnType<typeof open>['store']) =>
      store.rows('SELECT profile, user_id, beat FROM discount_claims ORDER BY user_id')

    it('is renewed by each beat, and gone once it is released', async () => {
      const { discounts, store, clock } = open()
      const claim = discounts.claim({ ...SHOP, userId: null })
      expect(claims(store)).to.deep.equal([['shop', 0, clock.time]])
      clock.time += 60_000
      claim?.beat()
      expect(claims(store)).to.deep.equal([['shop', 0, clock.time]])
      claim?.release()
      expect(claims(store)).to.deep.equal([])
      expect(await thrown(() => claim?.beat())).to.have.property('code', 'discounts_claim_lost')
      claim?.release()
    })

    it('of another process is neither renewed nor released by this one', async () => {
      const { discounts, store, clock } = open()
      const claim = discounts.claim(SHOP)
      const others = clock.time
      store.run("UPDATE discount_claims SET owner = 'another'")
      clock.time += 1000
      const lost = await thrown(() => claim?.beat())
      expect(lost).to.have.property('message', 'Another process has taken over the discounts of the profile "shop".')
      claim?.release()
      expect(claims(store)).to.deep.equal([['shop', 7, others]])
    })

    it('may be released after the ledger is closed', () => {
      const { discounts, ledger } = open()
      const claim = discounts.claim(SHOP)
      ledger.close()
      expect(() => claim?.release()).not.to.throw()
    })

    for (const [what, owner, silence, free] of [
      ['a dead process is free', { host: hostname(), pid: 2 ** 22 + 1, started: 'x' }, 0, true],
      ['a process of another machine is held until it falls silent', { host: 'elsewhere', pid: 1, started: 'x' }, 119_999, false],
      ['a process of another machine is free after two minutes', { host: 'elsewhere', pid: 1, started: 'x' }, 120_000, true],
    ] as const) {
      it(`of ${what}`, () => {
        const { discounts, store, clock } = open()
        store.run("INSERT INTO discount_claims VALUES ('shop', 7, ?, ?)", JSON.stringify(owner), clock.time)
        clock.time += silence
        expect(discounts.claim(SHOP) !== undefined).to.equal(free)
      })
    }

    it('of another ledger of this process is held until it falls silent', () => {
      const { discounts, clock, ledger } = open()
      expect(discounts.claim(SHOP)).not.to.equal(undefined)
      const other = temporaryLedger(clock, ledger.path)
      clock.time += 119_999
      expect(other.discounts.claim(SHOP)).to.equal(undefined)
      clock.time += 1
      expect(other.discounts.claim(SHOP)).not.to.equal(undefined)
    })

    it('beats by itself every 15 s, and no more once the ledger takes no more or it is released', () => {
      const { discounts, store, clock } = open()
      const ticks: [every: number, tick: () => void][] = []
      const cleared: unknown[] = []
      const real = { setInterval: globalThis.setInterval, clearInterval: globalThis.clearInterval }
      const fake = { unref: () => fake }
      Object.assign(globalThis, {
        setInterval: (tick: () => void, every: number) => {
          ticks.push([every, tick])
          return fake
        },
        clearInterval: (timer: unknown) => cleared.push(timer),
      })
      try {
        const claim = discounts.claim(SHOP)
        clock.time += 15_000
        ticks[0]?.[1]()
        expect(ticks.map(([every]) => every)).to.deep.equal([15_000])
        expect(claims(store)).to.deep.equal([['shop', 7, clock.time]])
        expect(cleared).to.deep.equal([])
        store.exec("CREATE TEMP TRIGGER no BEFORE UPDATE ON discount_claims BEGIN SELECT RAISE(FAIL, 'no'); END")
        ticks[0]?.[1]()
        expect(cleared).to.deep.equal([fake])
        store.exec('DROP TRIGGER no')
        claim?.release()
        expect(cleared).to.deep.equal([fake, fake])
      } finally {
        Object.assign(globalThis, real)
      }
    })
  })
})
