import { join } from 'node:path'
import { expect } from 'chai'
import { bulkJob, bulkRows, createBulkJob, dropJob, type NewBulkRow } from '../../../src/jobs/bulk/index.js'
import { runBulkJob } from '../../../src/jobs/bulk/run.js'
import {
  dropDiscount,
  LiveShop,
  PricesDuringDiscounts,
  planStep,
  scheduleDiscounts,
  takeInResults,
  turnDiscounts,
} from '../../../src/jobs/discounts/index.js'
import { movableItems } from '../../../src/jobs/discounts/items.js'
import { unsettledJobs } from '../../../src/jobs/discounts/results.js'
import { guardsOfDiscount, readTerms, vatOfDiscount } from '../../../src/jobs/discounts/terms.js'
import { JobsError, type Ledger, type ShopKey, type StoredDiscount } from '../../../src/jobs/index.js'
import { findFaults, pruneLedger } from '../../../src/jobs/upkeep/index.js'
import { DEFAULT_GUARDS, KnownPrices, type LiveItem, parseRule } from '../../../src/pricing/index.js'
import { because, said } from '../../said.js'
import { thrownBy } from '../../thrown.js'
import { FORM } from '../bulk/support.js'
import { cleanUp, FakeClock, temporaryDirectory, temporaryLedger, thrown } from '../harness.js'
import { discountedItems, itemsOf } from './support.js'

const SHOP: ShopKey = { profile: 'shop', userId: 7 }
const HOUR = 3_600_000

/** A shop and its service, with prices that are set as soon as they are sent. */
class Shop {
  readonly clock = new FakeClock()
  readonly ledger: Ledger
  readonly live = new Map<number, number>([
    [1, 100],
    [2, 200],
    [3, 300],
  ])
  /** Answer of the service for a request; Ok by default. */
  code = 'Ok'
  /** Items that the service lists as ended. */
  ended: ReadonlySet<number> = new Set()
  /** Results of requests come. */
  answers = true
  /** Knowledge of the ledger beside the discounts. */
  history = new KnownPrices(0.5)
  #request = 0
  readonly client = {
    call: async (name: string, params: { request?: { ShopItems: { Id: number; Price: number }[] }; requestIds?: number[] }) => {
      if (name === 'GetRequestResults' && !this.answers) return []
      if (name === 'GetRequestResults')
        return (params.requestIds ?? []).map((RequestId) => ({ RequestId, ResultCode: this.code }))
      const items = params.request?.ShopItems ?? []
      if (this.code === 'Ok') for (const { Id, Price } of items) this.live.set(Id, Price)
      return { QueuedRequestResponses: items.map(({ Id }) => ({ RequestId: ++this.#request, ItemId: Id })), ValidationErrors: [] }
    },
  } as never

  constructor(path?: string) {
    this.ledger = temporaryLedger(this.clock, path)
  }

  /** A discount of 20 % on all items. @param starts hours from now @param ends the same */
  discount(starts: number, ends: number, add = '-20%'): StoredDiscount {
    const now = this.clock.now()
    const items = [...this.live].map(([id, price]) => ({
      id,
      line: 0,
      ownReference: null,
      before: price,
      price,
      allow: 0,
      state: 'planned' as const,
      hold: null,
    }))
    const { DiscountId } = this.ledger.discounts.create({
      ...SHOP,
      name: 'Black',
      title: 'shop:discount',
      rule: parseRule({ add }),
      guards: DEFAULT_GUARDS,
      startsAt: now + starts * HOUR,
      endsAt: now + ends * HOUR,
      items,
    })
    return this.ledger.discounts.stored(DiscountId)
  }

  /** Plans and writes what is due, and sends nothing yet. @returns the jobs */
  async step(): Promise<number[]> {
    const { ledger } = this
    takeInResults(ledger, SHOP)
    const due = ledger.discounts.due(SHOP)
    turnDiscounts(ledger, due, 'late')
    const discounts = due.map(({ id }) => ledger.discounts.stored(id)).filter(({ state }) => state !== 'missed')
    const live = await LiveShop.read([...this.live].map(([Id, BuyItNowPrice]) => ({ Id, ItemType: 'ShopItem', BuyItNowPrice })))
    const known = () => this.history
    const step = await planStep({
      ledger,
      shop: SHOP,
      due: discounts,
      live,
      ended: this.ended,
      known,
      guards: DEFAULT_GUARDS,
      perCall: 500,
    })
    return (await step.write()).made.map(({ jobId }) => jobId)
  }

  async send(jobIds: readonly number[]): Promise<void> {
    for (const jobId of jobIds)
      await runBulkJob({ ledger: this.ledger, client: this.client, clock: this.clock, jobId, wait: this.answers })
    takeInResults(this.ledger, SHOP)
    scheduleDiscounts(
      this.ledger,
      SHOP,
      this.ledger.discounts.list().map(({ DiscountId }) => this.ledger.discounts.stored(DiscountId)),
    )
  }

  async due(): Promise<void> {
    await this.send(await this.step())
  }

  get prices(): number[] {
    return [...this.live.values()]
  }

  normals(): Record<number, number> {
    return Object.fromEntries([...discountedItems(this.ledger, SHOP)].map(([id, { normal }]) => [id, normal]))
  }

  states(discount: StoredDiscount): string[] {
    return itemsOf(this.ledger, discount.id).map(({ state }) => state)
  }

  hours(hours: number): void {
    this.clock.time += hours * HOUR
  }
}

describe('discounts with a start and an end', () => {
  afterEach(cleanUp)

  it('keep the normal prices from the moment when the start is written, and forget them at the end', async () => {
    const shop = new Shop()
    const discount = shop.discount(1, 5)
    expect(await shop.step()).to.deep.equal([])
    shop.hours(1)
    const jobs = await shop.step()
    // Nothing is sent yet.
    expect(shop.prices).to.deep.equal([100, 200, 300])
    expect(shop.normals()).to.deep.equal({ 1: 100, 2: 200, 3: 300 })
    await shop.send(jobs)
    expect(shop.prices).to.deep.equal([80, 160, 240])
    shop.hours(4)
    await shop.due()
    expect(shop.prices).to.deep.equal([100, 200, 300])
    expect(shop.normals()).to.deep.equal({})
    expect(shop.ledger.discounts.show(discount.id).State).to.equal('ended')
    expect(await findFaults(shop.ledger.store)).to.deep.equal([])
  })

  it('do not send the start twice when the process ended between its record and its call', async () => {
    const shop = new Shop()
    shop.discount(0, 5)
    const [job = 0] = await shop.step()
    // Another run, a moment later: the rows of the job are on their way.
    shop.clock.time += 120_000
    expect(await shop.step()).to.deep.equal([])
    await shop.send([job])
    expect(shop.prices).to.deep.equal([80, 160, 240])
    expect(shop.ledger.jobs.list()).to.have.length(1)
  })

  it('give up what a start had not sent when the discount ends, and restore nothing that was not set', async () => {
    const shop = new Shop()
    const discount = shop.discount(0, 5)
    const [job = 0] = await shop.step()
    shop.hours(5)
    dropJob(shop.ledger, job, { certain: true })
    await shop.due()
    expect(shop.prices).to.deep.equal([100, 200, 300])
    expect(shop.states(discount)).to.deep.equal(['held', 'held', 'held'])
    expect(itemsOf(shop.ledger, discount.id)[0]?.hold?.Code).to.equal('discount_over')
    shop.clock.time += 60_000
    await shop.due()
    expect(shop.ledger.discounts.show(discount.id).State).to.equal('ended')
    expect(shop.normals()).to.deep.equal({})
  })

  it('restore a price of the start whose reply was lost, even if it is carried out after the end', async () => {
    const shop = new Shop()
    const discount = shop.discount(0, 5)
    const [job = 0] = await shop.step()
    const { store } = shop.ledger
    // As a process that is killed in its call leaves it.
    store.run("UPDATE bulk_states SET unsent = 0, sending = 3, states = x'010101' WHERE job_id = ?", job)
    shop.hours(5)
    dropJob(shop.ledger, job, { certain: true })
    await shop.due()
    expect(shop.states(discount)).to.deep.equal(['on', 'on', 'on'])
    // One of them arrives late.
    shop.live.set(1, 80)
    shop.clock.time += 2 * 60_000
    await shop.due()
    expect(shop.prices).to.deep.equal([100, 200, 300])
    shop.clock.time += 20 * 60_000
    await shop.due()
    shop.clock.time += 60 * 60_000
    await shop.due()
    expect(shop.states(discount)).to.deep.equal(['done', 'done', 'done'])
    expect(shop.ledger.discounts.show(discount.id).State).to.equal('ended')
    expect(shop.normals()).to.deep.equal({})
  })

  it('try an end again that the service fails, later and later, and keep the normal price', async () => {
    const shop = new Shop()
    const discount = shop.discount(0, 5)
    await shop.due()
    shop.hours(5)
    shop.code = 'TryAgain'
    for (let round = 0; round < 40; round++) {
      await shop.due()
      shop.clock.time = Math.max(shop.clock.time, Date.parse(shop.ledger.discounts.show(discount.id).NextAt ?? '') || 0)
    }
    expect(shop.states(discount)).to.deep.equal(['failed', 'failed', 'failed'])
    expect(shop.normals()).to.deep.equal({ 1: 100, 2: 200, 3: 300 })
    // About a day, and not a try every minute.
    expect(shop.ledger.jobs.list().length).to.be.within(25, 35)
    expect(shop.prices).to.deep.equal([80, 160, 240])
  })

  it('start again what the service did not carry out, until the discount ends', async () => {
    const shop = new Shop()
    const discount = shop.discount(0, 5)
    shop.code = 'TryAgain'
    await shop.due()
    expect(shop.states(discount)).to.deep.equal(['planned', 'planned', 'planned'])
    shop.code = 'Ok'
    shop.clock.time += 120_000
    await shop.due()
    expect(shop.prices).to.deep.equal([80, 160, 240])
    shop.hours(5)
    await shop.due()
    expect(shop.prices).to.deep.equal([100, 200, 300])
  })

  it('wait for an item that is not live, unless it has ended, and for one that another job has a price on its way for', async () => {
    const shop = new Shop()
    const discount = shop.discount(0, 5)
    shop.history.notePending(2, { price: 222, jobId: 99, state: 'queued' })
    await shop.due()
    expect(shop.states(discount)).to.deep.equal(['on', 'planned', 'on'])
    const reasons = itemsOf(shop.ledger, discount.id).map(({ hold }) => said({ Hold: hold }))
    expect(reasons).to.deep.equal([null, 'job 99 has 222 kr on the way', null])
    shop.history = new KnownPrices(0.5)
    shop.live.set(2, 222)
    shop.clock.time += 120_000
    await shop.due()
    expect(shop.prices).to.deep.equal([80, 178, 240])
    shop.live.delete(1)
    shop.hours(5)
    await shop.due()
    expect(shop.states(discount)).to.deep.equal(['on', 'done', 'done'])
    expect(shop.prices).to.deep.equal([222, 300])
    shop.hours(1)
    shop.ended = new Set([1])
    await shop.due()
    expect(shop.states(discount)).to.deep.equal(['skipped', 'done', 'done'])
    expect(shop.normals()).to.deep.equal({})
  })

  it('end although the service never tells what became of their prices: the live list does', async () => {
    const shop = new Shop()
    shop.answers = false
    const discount = shop.discount(0, 5)
    await shop.due()
    shop.hours(5)
    for (let round = 0; round < 30; round++) {
      await shop.due()
      const { NextAt } = shop.ledger.discounts.show(discount.id)
      if (NextAt === null) break
      expect(Date.parse(NextAt)).to.be.greaterThan(shop.clock.time)
      shop.clock.time = Date.parse(NextAt)
    }
    expect(shop.prices).to.deep.equal([100, 200, 300])
    expect(shop.states(discount)).to.deep.equal(['done', 'done', 'done'])
    expect(shop.normals()).to.deep.equal({})
  })

  it('take in the results of a job that come after a while', async () => {
    const shop = new Shop()
    shop.answers = false
    const discount = shop.discount(0, 5)
    await shop.due()
    const unsettled = () => unsettledJobs(shop.ledger, SHOP).map(({ job_id }) => job_id)
    const [job = 0] = unsettled()
    expect(unsettled(), 'a job whose rows are queued').to.have.length(1)
    shop.answers = true
    await shop.send([job])
    expect(unsettled()).to.deep.equal([])
    expect([...discountedItems(shop.ledger, SHOP).values()].map(({ sent, price }) => [sent, price])).to.deep.equal([
      [null, 80],
      [null, 160],
      [null, 240],
    ])
    expect(shop.states(discount)).to.deep.equal(['on', 'on', 'on'])
  })

  it('do not take in an item that is not live when they begin', async () => {
    const shop = new Shop()
    const discount = shop.discount(0, 5)
    shop.live.delete(2)
    await shop.due()
    expect(shop.prices).to.deep.equal([80, 240])
    expect(itemsOf(shop.ledger, discount.id).map(({ state, hold }) => [state, said({ Hold: hold })])).to.deep.equal([
      ['on', null],
      ['skipped', 'no live shop item has id 2'],
      ['on', null],
    ])
  })

  it('wait at their end for a start that was not sent, and no more once it is cancelled', async () => {
    const shop = new Shop()
    const discount = shop.discount(0, 5)
    const [job = 0] = await shop.step()
    shop.hours(5)
    expect(await shop.step()).to.deep.equal([])
    const outcomes = () => itemsOf(shop.ledger, discount.id).map(({ state, hold }) => [state, said({ Hold: hold })])
    expect(outcomes()).to.deep.equal([
      ['on', `job ${job} has 80 kr on the way`],
      ['on', `job ${job} has 160 kr on the way`],
      ['on', `job ${job} has 240 kr on the way`],
    ])
    // Somebody cancels it once the step has taken in results.
    const { ledger } = shop
    const live = await LiveShop.read([...shop.live].map(([Id, BuyItNowPrice]) => ({ Id, ItemType: 'ShopItem', BuyItNowPrice })))
    const due = ledger.discounts.due(SHOP)
    dropJob(ledger, job, { certain: true })
    const step = await planStep({
      ...{ ledger, shop: SHOP, due, live, known: () => shop.history, guards: DEFAULT_GUARDS, perCall: 500 },
    })
    expect((await step.write()).made).to.deep.equal([])
    expect(outcomes()).to.deep.equal([
      ['done', null],
      ['done', null],
      ['done', null],
    ])
  })

  it('hold an item whose normal price is lost, rather than set one that was made up', async () => {
    const shop = new Shop()
    const short = shop.discount(0, 5)
    shop.discount(0, 9, '-30%')
    for (let round = 0; round < 3; round++) {
      await shop.due()
      shop.clock.time += 120_000
    }
    expect(shop.prices).to.deep.equal([70, 140, 210])
    shop.ledger.store.run('DELETE FROM discount_prices WHERE item_id = 1')
    shop.hours(5)
    await shop.due()
    expect(shop.prices).to.deep.equal([70, 140, 210])
    expect(itemsOf(shop.ledger, short.id).map(({ state, hold }) => [state, said({ Hold: hold })])).to.deep.equal([
      ['held', 'its normal price is not in the ledger'],
      ['done', null],
      ['done', null],
    ])
  })

  it('hold at their start what their guards do not let through, but for what a row allows', async () => {
    const shop = new Shop()
    const discount = shop.discount(0, 5)
    const { store } = shop.ledger
    store.run('UPDATE discounts SET guards = ?', JSON.stringify({ max_change: 0.1, vat: '25%' }))
    store.run('UPDATE discount_items SET allow = 160 WHERE item_id = 2')
    await shop.due()
    expect(shop.prices).to.deep.equal([100, 160, 300])
    expect(shop.states(discount)).to.deep.equal(['held', 'on', 'held'])
    const holds = itemsOf(shop.ledger, discount.id).map(({ hold }) => hold)
    expect(holds.map((hold) => hold?.Code ?? null)).to.deep.equal(['max_change', null, 'max_change'])
    expect(holds[0]?.Values).to.include({ Old: 100, Price: 80, Limit: 0.1 })
    expect(holds[2]?.Values).to.include({ Old: 300, Price: 240, Limit: 0.1 })
  })

  it('note of an item what its price was when the discount was made, where it is another when the discount begins', async () => {
    const shop = new Shop()
    const discount = shop.discount(1, 5)
    shop.live.set(1, 150)
    shop.hours(1)
    await shop.due()
    expect(shop.prices).to.deep.equal([120, 160, 240])
    expect(itemsOf(shop.ledger, discount.id).map(({ hold }) => said({ Hold: hold }))).to.deep.equal([
      'its price was 100 kr when the discount was made, and 150 kr when it began',
      null,
      null,
    ])
  })

  it('change nothing of a discount that was given up since its step was planned', async () => {
    const shop = new Shop()
    const discount = shop.discount(0, 5)
    const { ledger } = shop
    const live = await LiveShop.read([...shop.live].map(([Id, BuyItNowPrice]) => ({ Id, ItemType: 'ShopItem', BuyItNowPrice })))
    const options = { ledger, shop: SHOP, due: [discount], live, known: () => shop.history, guards: DEFAULT_GUARDS, perCall: 500 }
    const step = await planStep(options)
    expect(dropDiscount(ledger, discount.id)).to.equal(true)
    expect((await step.write()).made).to.deep.equal([])
    expect([shop.states(discount), shop.normals(), ledger.jobs.list()]).to.deep.equal([['planned', 'planned', 'planned'], {}, []])
    expect(ledger.discounts.show(discount.id).State).to.equal('dropped')
  })

  it('do not wait for a lost price once it cannot come any more, though its row is still on the way in the ledger', async () => {
    const shop = new Shop()
    const discount = shop.discount(0, 5)
    const [job = 0] = await shop.step()
    shop.ledger.store.run("UPDATE bulk_states SET unsent = 0, sending = 3, states = x'010101' WHERE job_id = ?", job)
    shop.hours(5)
    dropJob(shop.ledger, job, { certain: true })
    for (const [id, price] of [
      [1, 80],
      [2, 160],
      [3, 240],
    ] as const) {
      shop.history.notePending(id, { price, jobId: job, state: 'sending' })
    }
    await shop.due()
    expect(shop.states(discount)).to.deep.equal(['on', 'on', 'on'])
    shop.hours(1)
    await shop.due()
    expect(shop.states(discount)).to.deep.equal(['done', 'done', 'done'])
    expect(shop.prices).to.deep.equal([100, 200, 300])
  })

  it('have items to move: those that wait, and at the end those whose price no job is setting, but after a while also those', async () => {
    const shop = new Shop()
    const discount = shop.discount(0, 5)
    const { store } = shop.ledger
    const movable = () => movableItems(shop.ledger, SHOP, shop.ledger.discounts.stored(discount.id), shop.clock.now())
    expect(movable()).to.equal(3)
    shop.answers = false
    await shop.due()
    expect(movable(), 'they have joined').to.equal(0)
    shop.hours(5)
    expect(movable(), 'a job is setting them').to.equal(0)
    store.run('UPDATE discount_prices SET sure_at = ? WHERE item_id = 1', shop.clock.now())
    store.run('UPDATE discount_prices SET sure_at = ? WHERE item_id = 2', shop.clock.now() + 1)
    expect(movable(), 'one cannot come any more').to.equal(1)
    store.run('UPDATE discount_prices SET sent = NULL WHERE item_id = 3')
    expect(movable(), 'one is set').to.equal(2)
    store.run('UPDATE discounts SET tries = 100')
    expect(movable(), 'it was waited for long enough').to.equal(3)
  })

  it('take the price of each item from their rule, or from the item', () => {
    const rule = JSON.parse(JSON.stringify(parseRule({ add: '-20%' })))
    const its = { id: 1, name: 'Black', rule: null, guards: '{"max_change":0.1,"vat":"25%"}' }
    expect(readTerms(its)(5)).to.deep.equal({ kronor: 5 })
    expect(readTerms({ ...its, rule: JSON.stringify(rule) })(5)).to.deep.equal({ rule })
    expect(guardsOfDiscount(its, DEFAULT_GUARDS)).to.deep.equal({ ...DEFAULT_GUARDS, max_change: 0.1 })
    expect([vatOfDiscount(its), vatOfDiscount({ ...its, guards: '{}' })]).to.deep.equal(['25%', undefined])
  })

  it('read every rule that can be typed, and refuse what another version wrote', () => {
    const its = { id: 4, name: 'Black', guards: '{}' }
    const given = [{ set: '90' }, { add: '5kr' }, { margin: '30%' }, { markup: '40%' }, { recommended: true }]
    for (const texts of given) {
      const rule = parseRule({ ...texts, endWith: '9', floor: '10', ceiling: '900' })
      expect(readTerms({ ...its, rule: JSON.stringify(rule) })(5)).to.deep.equal({ rule: JSON.parse(JSON.stringify(rule)) })
    }
    for (const [rule, field] of [
      ['{"add":-20}', 'add'],
      ['{"add":{"kind":"share","amount":-20}}', 'add'],
      ['{"byCost":{"kind":"margin"}}', 'byCost'],
      ['{"floor":"10"}', 'floor'],
      ['[]', undefined],
    ] as const) {
      const error = thrownBy(JobsError, () => readTerms({ ...its, rule }))
      expect(error, rule).to.deep.include({ code: 'discount_unreadable', exitCode: 3 })
      expect(error.details).to.deep.equal({ discountId: 4, ...(field && { field }) })
      expect(error.message).to.match(/^Discount 4 "Black" cannot be read: .* Another version of seller wrote it\.$/)
    }
    for (const guards of ['{"max_change":"10%"}', '{"shifted":1}', '{"vat":25}', 'null'])
      expect(thrownBy(JobsError, () => guardsOfDiscount({ ...its, guards }, DEFAULT_GUARDS))).to.include({
        code: 'discount_unreadable',
      })
  })

  describe('while they run', () => {
    const running = async (): Promise<{ shop: Shop; during: () => PricesDuringDiscounts }> => {
      const shop = new Shop()
      expect(PricesDuringDiscounts.of(shop.ledger, SHOP)).to.equal(undefined)
      shop.discount(0, 5)
      await shop.due()
      expect(PricesDuringDiscounts.of(shop.ledger, { ...SHOP, userId: 8 })).to.equal(undefined)
      const during = () => {
        const found = PricesDuringDiscounts.of(shop.ledger, SHOP)
        if (found === undefined) throw new Error('no item is in a discount')
        return found
      }
      shop.live.set(4, 400)
      return { shop, during }
    }
    const live = (shop: Shop): LiveItem[] =>
      [...shop.live].map(([Id, BuyItNowPrice]) => ({ Id, ItemType: 'ShopItem', BuyItNowPrice }))
    const shown = async (shop: Shop, during: PricesDuringDiscounts, wanted?: (item: LiveItem) => number | undefined) => {
      const prices: [number, unknown][] = []
      for await (const { Id, BuyItNowPrice } of during.normal(live(shop), wanted)) prices.push([Id, BuyItNowPrice])
      return prices
    }
    const row = (id: number, price?: number, more: Partial<NewBulkRow> = {}): NewBulkRow => ({ line: 1, id, price, ...more })

    it('a plan sees the normal price of each item, and what somebody else changed as it is', async () => {
      const { shop, during } = await running()
      expect([1, 4].map((id) => during().has(id))).to.deep.equal([true, false])
      expect(await shown(shop, during())).to.deep.equal([
        [1, 100],
        [2, 200],
        [3, 300],
        [4, 400],
      ])
      shop.live.set(2, 155)
      const plan = during()
      expect(await shown(shop, plan, ({ Id }) => (Id === 1 ? 80 : undefined))).to.deep.equal([
        [1, 80],
        [2, 155],
        [3, 300],
        [4, 400],
      ])
      expect(plan.kept).to.equal(1)
      await shown(shop, plan)
      expect(plan.kept, 'counted for each plan').to.equal(0)
    })

    it('a row sets the normal price and sends the discount price that follows; other rows go as they are', async () => {
      const { shop, during } = await running()
      const plan = during()
      await shown(shop, plan)
      const rows = [
        row(1, 150, { oldPrice: 100 }),
        row(2, 150, { oldPrice: 200, held: because('x') }),
        row(2, undefined, { oldPrice: 200 }),
        row(3, 200),
        row(4, 500, { oldPrice: 400 }),
      ]
      const sent = [...plan.sending(rows)]
      expect(sent.map(({ id, price, oldPrice }) => [id, price, oldPrice])).to.deep.equal([
        [1, 120, 80],
        [2, 150, 200],
        [2, undefined, 200],
        [3, 160, null],
        [4, 500, 400],
      ])
      const { JobId } = shop.ledger.jobs.create({ kind: 'price', ...SHOP, title: 'x' })
      plan.record(JobId)
      const changes = shop.ledger.store.all(
        'SELECT item_id, normal_from, normal_to FROM discount_changes WHERE job_id = ?',
        JobId,
      )
      expect(changes.map((change) => ({ ...(change as object) }))).to.deep.equal([
        { item_id: 1, normal_from: 100, normal_to: 150 },
        { item_id: 3, normal_from: 300, normal_to: 200 },
      ])
      const prices = [...discountedItems(shop.ledger, SHOP)].filter(([, { jobId }]) => jobId === JobId)
      expect(prices.map(([id, { price, sent: wanted }]) => [id, price, wanted])).to.deep.equal([
        [1, 80, 120],
        [3, 240, 160],
      ])
    })

    it('a price that somebody else changed is what a row goes out from', async () => {
      const { shop, during } = await running()
      shop.live.set(1, 95)
      const plan = during()
      await shown(shop, plan)
      const [sent] = plan.sending([row(1, 200, { oldPrice: 95 })])
      expect([sent?.price, sent?.oldPrice]).to.deep.equal([160, 95])
    })

    it('a price that was not sent keeps no item in its discount', async () => {
      const { shop, during } = await running()
      const plan = during()
      await shown(shop, plan)
      const rows = [...plan.sending([row(1, 150, { oldPrice: 100 })])]
      plan.record(createBulkJob(shop.ledger, { ...SHOP, kind: 'price', title: 'x', form: FORM, rows }).JobId)
      shop.hours(5)
      await shop.due()
      expect(shop.prices).to.deep.equal([100, 200, 300, 400])
    })

    it('a job without rows of items in a discount is no job of discounts', async () => {
      const { shop, during } = await running()
      const plan = during()
      expect([...plan.sending([row(4, 500)])]).to.have.length(1)
      const { JobId } = shop.ledger.jobs.create({ kind: 'price', ...SHOP, title: 'x' })
      plan.record(JobId)
      expect(unsettledJobs(shop.ledger, SHOP)).to.deep.equal([])
    })
  })

  it('put each turn of an item into one job, and wait with the other', async () => {
    const shop = new Shop()
    const long = shop.discount(0, 5)
    await shop.due()
    const next = shop.discount(5, 9, '-30%')
    shop.hours(5)
    const jobs = await shop.step()
    expect(jobs).to.have.length(1)
    expect([...bulkRows(shop.ledger, jobs[0] ?? 0)].map(({ Price, OldPrice }) => [OldPrice, Price])).to.deep.equal([
      [80, 70],
      [160, 140],
      [240, 210],
    ])
    await shop.send(jobs)
    shop.clock.time += 120_000
    await shop.due()
    expect(shop.ledger.discounts.show(long.id).State).to.equal('ended')
    expect(shop.states(next)).to.deep.equal(['on', 'on', 'on'])
    shop.hours(4)
    await shop.due()
    expect(shop.prices).to.deep.equal([100, 200, 300])
  })

  it('are worked on by one process at a time, until it ends or falls silent', async () => {
    const path = join(temporaryDirectory(), 'ledger.db')
    const [one, other] = [new Shop(path), new Shop(path)]
    const claim = one.ledger.discounts.claim(SHOP)
    expect(claim).not.to.equal(undefined)
    expect(other.ledger.discounts.claim(SHOP)).to.equal(undefined)
    expect(other.ledger.discounts.claim({ ...SHOP, userId: 8 })).not.to.equal(undefined)
    other.clock.time += 3 * 60_000
    const taken = other.ledger.discounts.claim(SHOP)
    expect(taken).not.to.equal(undefined)
    claim?.release()
    other.ledger.store.run("UPDATE discount_claims SET owner = 'another'")
    expect(((await thrown(() => taken?.beat())) as { code: string }).code).to.equal('discounts_claim_lost')
  })

  it('are kept by pruning with their jobs until they are over, and then go with them', async () => {
    const shop = new Shop()
    const discount = shop.discount(0, 1000)
    await shop.due()
    shop.hours(500)
    await pruneLedger(shop.ledger, shop.clock.now())
    expect(shop.ledger.jobs.list()).to.have.length(1)
    expect(shop.normals()).to.deep.equal({ 1: 100, 2: 200, 3: 300 })
    shop.hours(500)
    await shop.due()
    expect(shop.prices).to.deep.equal([100, 200, 300])
    shop.hours(1)
    await pruneLedger(shop.ledger, shop.clock.now())
    expect(shop.ledger.jobs.list()).to.deep.equal([])
    expect(shop.ledger.discounts.list()).to.deep.equal([])
    expect(((await thrown(() => shop.ledger.discounts.show(discount.id))) as { code: string }).code).to.equal(
      'discount_not_found',
    )
  })

  it('are checked: what could not be is found', async () => {
    const shop = new Shop()
    const discount = shop.discount(0, 10)
    await shop.due()
    const { store } = shop.ledger
    store.run('DELETE FROM discount_prices WHERE item_id = 1')
    store.run('UPDATE discounts SET next_at = NULL')
    const found = (await findFaults(store)).map(({ Where, Problem }) => `${Where}: ${Problem}`)
    expect(found).to.deep.equal([
      `discount ${discount.id}: it is over and something is due for it, or it is not and nothing ever is`,
      `discount ${discount.id}: the normal price of one of its items is not there`,
    ])
  })

  it('show their job what they are', async () => {
    const shop = new Shop()
    const discount = shop.discount(0, 10)
    const [job = 0] = await shop.step()
    expect(bulkJob(shop.ledger, job)).to.include({
      DiscountId: discount.id,
      Title: `discount ${discount.id} "Black": start`,
      Kind: 'price',
    })
  })
})
