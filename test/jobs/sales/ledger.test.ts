/** Sales as the ledger keeps them, and the claim on those of a shop. */
import { hostname } from 'node:os'
import { expect } from 'chai'
import type { NewSale, NewSaleItem } from '../../../src/jobs/ledger/sales.js'
import { cleanUp, FakeClock, temporaryLedger, thrown } from '../harness.js'

const HOUR = 3_600_000
const SHOP = { profile: 'shop', userId: 7 }
const item = (id: number, more: Partial<NewSaleItem> = {}): NewSaleItem => ({
  ...{ id, line: 0, ownReference: null, before: null, price: 80, allow: 0, state: 'planned', reason: null },
  ...more,
})

describe('sales in the ledger', () => {
  afterEach(cleanUp)

  const open = () => {
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    const create = (more: Partial<NewSale> = {}) =>
      ledger.sales.create({
        ...{ ...SHOP, name: 'Black', title: 'shop:sale', rule: { add: '-20%' }, guards: { most: 5 } },
        ...{ startsAt: clock.time + HOUR, endsAt: clock.time + 5 * HOUR, items: [item(1)] },
        ...more,
      })
    return { clock, ledger, create, sales: ledger.sales, store: ledger.store }
  }

  it('are shown with all their times, and a count for every state of an item', () => {
    const { create, sales, store } = open()
    const made = create({ items: [item(1), item(2), item(3, { state: 'held', reason: 'below cost' })] })
    expect(made).to.deep.equal({
      SaleId: 1,
      Name: 'Black',
      State: 'planned',
      StartsAt: '2026-11-02T09:00:00.000Z',
      EndsAt: '2026-11-02T13:00:00.000Z',
      Profile: 'shop',
      UserId: 7,
      Title: 'shop:sale',
      Counts: { planned: 2, on: 0, done: 0, held: 1, failed: 0, skipped: 0 },
      CreatedAt: '2026-11-02T08:00:00.000Z',
      StartedAt: null,
      EndedAt: null,
      NextAt: '2026-11-02T09:00:00.000Z',
    })
    store.run('UPDATE sales SET started_at = 0, ended_at = 1000, next_at = NULL')
    expect(sales.show(1)).to.deep.equal({
      ...made,
      StartedAt: '1970-01-01T00:00:00.000Z',
      EndedAt: '1970-01-01T00:00:01.000Z',
      NextAt: null,
    })
  })

  it('keep their rule, and every value of an item', () => {
    const { create, sales, store } = open()
    create({ items: [item(1, { line: 3, ownReference: 'L-1', title: 'Lampa', before: 100, allow: 70 }), item(2)] })
    create({ rule: undefined, userId: null, items: [] })
    expect([sales.stored(1).rule, sales.stored(1).guards, sales.stored(1).user_id]).to.deep.equal([
      '{"add":"-20%"}',
      '{"most":5}',
      7,
    ])
    expect([sales.stored(2).rule, sales.stored(2).user_id, sales.show(2).UserId]).to.deep.equal([null, 0, null])
    const columns = 'item_id, line, own_reference, title, before, price, allow, state, reason'
    expect(store.rows(`SELECT ${columns} FROM sale_items ORDER BY item_id`)).to.deep.equal([
      [1, 3, 'L-1', 'Lampa', 100, 80, 70, 'planned', null],
      [2, 0, null, null, null, 80, 0, 'planned', null],
    ])
  })

  it('are stored whole, with their items, or not at all', async () => {
    const { create, sales } = open()
    await thrown(() => create({ items: [item(1), item(1)] }))
    expect(sales.list()).to.deep.equal([])
  })

  it('are listed by profile and state, the newest first', () => {
    const { create, sales, store } = open()
    for (const profile of ['shop', 'other', 'shop']) create({ profile })
    store.run("UPDATE sales SET state = 'ended' WHERE id = 1")
    const ids = (filter?: Parameters<typeof sales.list>[0]) => sales.list(filter).map(({ SaleId }) => SaleId)
    expect(ids()).to.deep.equal([3, 2, 1])
    expect(ids({ profile: 'shop' })).to.deep.equal([3, 1])
    expect(ids({ state: ['planned'] })).to.deep.equal([3, 2])
    expect(ids({ state: ['planned', 'ended'], limit: 2 })).to.deep.equal([3, 2])
    expect(ids({ profile: 'shop', state: ['ended'] })).to.deep.equal([1])
    expect(ids({ state: [] })).to.deep.equal([])
    expect(ids({ limit: 0 })).to.deep.equal([])
  })

  it('are due from their time on, those of the shop alone, in the order of their times', () => {
    const { create, sales, clock } = open()
    const at = (hours: number, more: Partial<NewSale> = {}) => create({ startsAt: clock.time + hours * HOUR, ...more })
    at(2)
    at(1)
    at(1)
    at(1, { profile: 'other' })
    at(1, { userId: null })
    const due = (shop = SHOP as Parameters<typeof sales.due>[0]) => sales.due(shop).map(({ id }) => id)
    clock.time += HOUR - 1
    expect(due()).to.deep.equal([])
    clock.time += 1
    expect(due()).to.deep.equal([2, 3])
    expect(due({ ...SHOP, userId: null })).to.deep.equal([5])
    clock.time += HOUR
    expect(due()).to.deep.equal([2, 3, 1])
  })

  it('that are not there are named', async () => {
    const { sales } = open()
    for (const work of [() => sales.show(4), () => sales.stored(4)]) {
      expect(await thrown(work)).to.deep.include({ code: 'sale_not_found', details: { saleId: 4 } })
    }
  })

  describe('and the claim on those of a shop', () => {
    const claims = (store: ReturnType<typeof open>['store']) =>
      store.rows('SELECT profile, user_id, beat FROM sale_claims ORDER BY user_id')

    it('is renewed by each beat, and gone once it is released', async () => {
      const { sales, store, clock } = open()
      const claim = sales.claim({ ...SHOP, userId: null })
      expect(claims(store)).to.deep.equal([['shop', 0, clock.time]])
      clock.time += 60_000
      claim?.beat()
      expect(claims(store)).to.deep.equal([['shop', 0, clock.time]])
      claim?.release()
      expect(claims(store)).to.deep.equal([])
      expect(await thrown(() => claim?.beat())).to.have.property('code', 'sales_claim_lost')
      claim?.release()
    })

    it('of another process is neither renewed nor released by this one', async () => {
      const { sales, store, clock } = open()
      const claim = sales.claim(SHOP)
      const others = clock.time
      store.run("UPDATE sale_claims SET owner = 'another'")
      clock.time += 1000
      const lost = await thrown(() => claim?.beat())
      expect(lost).to.have.property('message', 'Another process has taken over the sales of the profile "shop".')
      claim?.release()
      expect(claims(store)).to.deep.equal([['shop', 7, others]])
    })

    it('may be released after the ledger is closed', () => {
      const { sales, ledger } = open()
      const claim = sales.claim(SHOP)
      ledger.close()
      expect(() => claim?.release()).not.to.throw()
    })

    for (const [what, owner, silence, free] of [
      ['a dead process is free', { host: hostname(), pid: 2 ** 22 + 1, started: 'x' }, 0, true],
      ['a process of another machine is held until it falls silent', { host: 'elsewhere', pid: 1, started: 'x' }, 119_999, false],
      ['a process of another machine is free after two minutes', { host: 'elsewhere', pid: 1, started: 'x' }, 120_000, true],
    ] as const) {
      it(`of ${what}`, () => {
        const { sales, store, clock } = open()
        store.run("INSERT INTO sale_claims VALUES ('shop', 7, ?, ?)", JSON.stringify(owner), clock.time)
        clock.time += silence
        expect(sales.claim(SHOP) !== undefined).to.equal(free)
      })
    }

    it('of another ledger of this process is held until it falls silent', () => {
      const { sales, clock, ledger } = open()
      expect(sales.claim(SHOP)).not.to.equal(undefined)
      const other = temporaryLedger(clock, ledger.path)
      clock.time += 119_999
      expect(other.sales.claim(SHOP)).to.equal(undefined)
      clock.time += 1
      expect(other.sales.claim(SHOP)).not.to.equal(undefined)
    })

    it('beats by itself every 15 s, and no more once the ledger takes no more or it is released', () => {
      const { sales, store, clock } = open()
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
        const claim = sales.claim(SHOP)
        clock.time += 15_000
        ticks[0]?.[1]()
        expect(ticks.map(([every]) => every)).to.deep.equal([15_000])
        expect(claims(store)).to.deep.equal([['shop', 7, clock.time]])
        expect(cleared).to.deep.equal([])
        store.exec("CREATE TEMP TRIGGER no BEFORE UPDATE ON sale_claims BEGIN SELECT RAISE(FAIL, 'no'); END")
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
