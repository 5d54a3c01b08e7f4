/**
 * The turns of a discount, one by one: when it begins, ends, is tried again or is given up, and what a job's rows mean for its
 * items.
 */
import { expect } from 'chai'
import { held } from '../../../src/holds/index.js'
import { createBulkJob } from '../../../src/jobs/bulk/index.js'
import { type BulkRowState, ROW_STATES } from '../../../src/jobs/bulk/types.js'
import { type DiscountChange, DiscountChanges } from '../../../src/jobs/discounts/changes.js'
import { DiscountedItems, hasDiscountedItems } from '../../../src/jobs/discounts/discounted-items.js'
import {
  begins,
  discountJobs,
  discountName,
  discountsWithItems,
  dropDiscount,
  endDiscountNow,
  isMissed,
  movableItems,
  scheduleDiscounts,
  startsDiscount,
  takeInResults,
  turnDiscounts,
  unsettledJobs,
} from '../../../src/jobs/discounts/index.js'
import type { DiscountPart } from '../../../src/jobs/discounts/results.js'
import type { Ledger, ShopKey } from '../../../src/jobs/index.js'
import type { NewDiscountItem } from '../../../src/jobs/ledger/discounts.js'
import { said } from '../../said.js'
import { FORM } from '../bulk/support.js'
import { cleanUp, FakeClock, temporaryLedger } from '../harness.js'
import { discountedItems, itemsOf } from './support.js'

const SHOP: ShopKey = { profile: 'shop', userId: 7 }
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The prices of items in a discount, and changes that are written at once. */
const priceTable = (ledger: Ledger) => ({
  all: () => discountedItems(ledger, SHOP),
  change: (...change: DiscountChange) => {
    const changes = new DiscountChanges(ledger, SHOP)
    changes.add(...change)
    changes.write()
  },
})

describe('a discount, turn by turn', () => {
  afterEach(cleanUp)

  const open = () => {
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    const { store, discounts } = ledger
    /** A discount of an hour, with items in some states. */
    const make = (states: readonly NewDiscountItem['state'][] = ['planned'], shop = SHOP, rule: unknown = undefined) => {
      const items = states.map((state, at) => ({
        ...{ id: at + 1, line: 0, ownReference: null, before: 100, price: 80, allow: 0, state, hold: null },
      }))
      const { DiscountId } = discounts.create({
        ...{ ...shop, name: 'Black', title: 't', rule, guards: {}, startsAt: clock.time, endsAt: clock.time + HOUR, items },
      })
      return DiscountId
    }
    const put = (id: number, set: string) => store.exec(`UPDATE discounts SET ${set} WHERE id = ${id}`)
    const items = (id: number) => itemsOf(ledger, id).map(({ state, hold }) => [state, said({ Hold: hold })])
    return { clock, ledger, store, discounts, make, put, items, prices: priceTable(ledger) }
  }

  it('begins until its end, and is missed at its end, or earlier where a late start is skipped', () => {
    const { discounts, make, put, clock } = open()
    const id = make()
    const at = (ms: number) => {
      const discount = discounts.stored(id)
      const now = clock.time + ms
      return [begins(discount, now), isMissed(discount, now, 'late'), isMissed(discount, now, 'skip')]
    }
    expect(at(0)).to.deep.equal([true, false, false])
    expect(at(15 * MINUTE)).to.deep.equal([true, false, false])
    expect(at(15 * MINUTE + 1)).to.deep.equal([true, false, true])
    expect(at(HOUR - 1)).to.deep.equal([true, false, true])
    expect(at(HOUR)).to.deep.equal([false, true, true])
    put(id, "state = 'running'")
    expect(at(HOUR - 1)).to.deep.equal([true, false, false])
    expect(at(HOUR)).to.deep.equal([false, false, false])
    for (const state of ['ending', 'ended', 'dropped', 'missed']) {
      put(id, `state = '${state}'`)
      expect(at(0), state).to.deep.equal([false, false, false])
    }
    expect(discountName(discounts.stored(id))).to.equal('discount 1 "Black"')
  })

  it('is missed, or begins to end, with the reason for the items that are left', () => {
    const { ledger, discounts, make, put, clock, items } = open()
    const [late, over, running, early] = [0, 0, 0, 0].map(() => make(['planned', 'on']))
    for (const id of [running, early]) put(id ?? 0, "state = 'running', tries = 4")
    put(late ?? 0, `ends_at = ends_at + ${HOUR}`)
    put(early ?? 0, `ends_at = ends_at + ${HOUR}`)
    clock.time += HOUR
    const due = [late, over, running, early].map((id) => discounts.stored(id ?? 0))
    const { missed, ending } = turnDiscounts(ledger, due, 'skip')
    expect([missed.map(({ id }) => id), [...ending]]).to.deep.equal([[late, over], [running]])
    expect(items(late ?? 0)).to.deep.equal([
      ['held', 'the discount was to begin earlier, and the profile skips a start that was missed'],
      ['on', null],
    ])
    expect(items(over ?? 0)[0]).to.deep.equal([
      'held',
      'the discount ended before it started, because seller jobs:due did not run in time',
    ])
    expect(items(running ?? 0)).to.deep.equal([
      ['held', 'the discount ended before this price could be sent'],
      ['on', null],
    ])
    expect(items(early ?? 0)[0]).to.deep.equal(['planned', null])
    expect(discounts.list().map(({ State }) => State)).to.deep.equal(['overdue', 'overdue', 'missed', 'missed'])
    expect(discounts.show(late ?? 0)).to.deep.include({ NextAt: null, EndedAt: new Date(clock.time).toISOString() })
    expect([discounts.stored(running ?? 0).tries, discounts.stored(early ?? 0).tries]).to.deep.equal([0, 4])
  })

  describe('comes next', () => {
    const next = (
      { state, tries = 0, items }: { state: string; tries?: number; items: NewDiscountItem['state'][] },
      { after = 0, job = false } = {},
    ) => {
      const { ledger, discounts, make, put, clock, store } = open()
      const begin = clock.time
      const id = make(items)
      put(id, `state = '${state}', tries = ${tries}`)
      if (job) {
        const { JobId } = ledger.jobs.create({ kind: 'price', ...SHOP, title: 'x' })
        store.run("INSERT INTO discount_jobs (job_id, discount_id, part) VALUES (?, ?, 'start')", JobId, id)
      }
      clock.time += after
      scheduleDiscounts(ledger, SHOP, [discounts.stored(id)])
      const { state: now, next_at: at, tries: counted } = discounts.stored(id)
      return [now, at === null ? null : (at - begin) / MINUTE, counted]
    }

    for (const [what, discount, more, expected] of [
      ['at its end, where every item is in it', { state: 'running', items: ['on', 'held'] }, {}, ['running', 60, 0]],
      [
        'at its end, where it has nothing left to do but to end',
        { state: 'running', tries: 7, items: [] },
        {},
        ['running', 60, 0],
      ],
      ['after a minute, where an item waits to join', { state: 'running', items: ['planned', 'on'] }, {}, ['running', 1, 1]],
      ['after a minute, where a job is not settled', { state: 'running', items: ['on'] }, { job: true }, ['running', 1, 1]],
      ['after twice as long each time', { state: 'running', tries: 3, items: ['planned'] }, {}, ['running', 8, 4]],
      ['at its end, and not after it', { state: 'running', tries: 6, items: ['planned'] }, {}, ['running', 60, 0]],
      [
        'never later than its end',
        { state: 'running', tries: 5, items: ['planned'] },
        { after: 40 * MINUTE },
        ['running', 60, 0],
      ],
      ['exactly at its end', { state: 'running', items: ['planned'] }, { after: 59 * MINUTE }, ['running', 60, 0]],
      [
        'never again, where it ends and no item is left',
        { state: 'ending', tries: 3, items: ['planned', 'done'] },
        {},
        ['ended', null, 0],
      ],
      ['after a minute, where an item is to leave it', { state: 'ending', items: ['on'] }, { after: HOUR }, ['ending', 61, 1]],
      ['after an hour at most', { state: 'ending', tries: 6, items: ['on'] }, { after: HOUR }, ['ending', 120, 7]],
      [
        'after an hour still, however often it was tried',
        { state: 'ending', tries: 2000, items: ['on'] },
        { after: HOUR },
        ['ending', 120, 2001],
      ],
      ['after a minute, where a job of its end is not settled', { state: 'ending', items: [] }, { job: true }, ['ending', 1, 1]],
      [
        'as it was, where it has not begun',
        { state: 'planned', tries: 2, items: ['planned'] },
        { after: MINUTE },
        ['planned', 0, 2],
      ],
      ['as it was, where it is over', { state: 'ended', items: ['on'] }, { after: MINUTE }, ['ended', 0, 0]],
    ] as const) {
      it(what, () => {
        expect(next({ ...discount, items: [...discount.items] }, more)).to.deep.equal(expected)
      })
    }
  })

  it('ends at once when told, and tries again what failed at its end; one that has not begun is not ended', () => {
    const { ledger, discounts, make, put, clock, items } = open()
    const begin = clock.time
    const states = ['planned', 'running', 'ending', 'ended', 'dropped', 'missed']
    const ids = states.map((state) => {
      const id = make(['failed', 'held'])
      put(id, `state = '${state}', tries = 3, ended_at = 5, next_at = 5`)
      return id
    })
    clock.time += MINUTE
    for (const id of ids) endDiscountNow(ledger, id)
    expect(
      ids.map((id) => {
        const { state, ends_at, next_at, tries, ended_at } = discounts.stored(id)
        return [state, (ends_at - begin) / MINUTE, next_at === null ? null : next_at - begin, tries, ended_at]
      }),
    ).to.deep.equal([
      ['planned', 60, 5 - begin, 3, 5],
      ['running', 1, MINUTE, 0, null],
      ['ending', 1, MINUTE, 0, null],
      ['ending', 1, MINUTE, 0, null],
      ['dropped', 60, 5 - begin, 3, 5],
      ['missed', 60, 5 - begin, 3, 5],
    ])
    expect(ids.map((id) => items(id)[0]?.[0])).to.deep.equal(['failed', 'failed', 'failed', 'on', 'failed', 'failed'])
    clock.time += 2 * HOUR
    endDiscountNow(ledger, ids[1] ?? 0)
    expect(discounts.stored(ids[1] ?? 0).ends_at, 'it ended before').to.equal(begin + MINUTE)
  })

  it('is given up only before it begins', () => {
    const { ledger, discounts, make, put, clock } = open()
    const [planned, running] = [make(), make()]
    put(running, "state = 'running'")
    expect([dropDiscount(ledger, planned), dropDiscount(ledger, running), dropDiscount(ledger, 99)]).to.deep.equal([
      true,
      false,
      false,
    ])
    expect(discounts.stored(planned)).to.include({ state: 'dropped', next_at: null, ended_at: clock.time })
    expect(discounts.stored(running).state).to.equal('running')
    expect(dropDiscount(ledger, planned), 'once').to.equal(false)
  })

  it('has items to move: those that wait for it until its end, and from then on those that are in it', () => {
    const { ledger, discounts, make, clock, prices, store } = open()
    const id = make(['planned', 'on', 'on', 'on', 'held', 'done'])
    const movable = (ms: number, shop = SHOP) => movableItems(ledger, shop, discounts.stored(id), clock.time + ms)
    for (const item of [2, 3, 4]) prices.change('normal', item, 100)
    const { JobId: start } = ledger.jobs.create({ kind: 'price', ...SHOP, title: 'x' })
    const { JobId: change } = ledger.jobs.create({ kind: 'price', ...SHOP, title: 'x' })
    store.run("INSERT INTO discount_jobs (job_id, discount_id, part) VALUES (?, ?, 'start')", start, id)
    store.run("INSERT INTO discount_jobs (job_id, discount_id, part) VALUES (?, NULL, 'change')", change)
    prices.change('sending', 2, 100, 100, 80, start)
    prices.change('sending', 3, 100, 100, 80, change)
    expect([movable(0), movable(HOUR - 1)]).to.deep.equal([1, 1])
    expect(movable(HOUR), 'one that waits, one that nothing sets, one that a change sets').to.equal(3)
    expect(movable(HOUR, { ...SHOP, userId: null }), 'of a shop that has none of these prices').to.equal(4)
    for (const [tries, count] of [
      [4, 3],
      [5, 4],
    ] as const) {
      store.run('UPDATE discounts SET tries = ?', tries)
      expect(movable(HOUR)).to.equal(count)
    }
  })

  it('is one of the other discounts of an item while it is planned or runs', () => {
    const { ledger, make, put } = open()
    const ids = ['planned', 'running', 'ending', 'ended'].map((state) => {
      const id = make(['planned', 'on', 'held'])
      put(id, `state = '${state}'`)
      return id
    })
    make(['planned'], { ...SHOP, userId: 8 })
    make(['planned'], { profile: 'other', userId: 7 })
    const nobody = make(['planned'], { ...SHOP, userId: null })
    const others = (shop: ShopKey) =>
      discountsWithItems(ledger, shop, { of: ['planned', 'running'], items: ['planned', 'on'] }).map(({ discount, terms }) => [
        discount.id,
        [1, 2, 3].map(terms),
      ])
    const terms = [{ kronor: 80 }, { kronor: 80 }, undefined]
    expect(others(SHOP)).to.deep.equal([
      [ids[0], terms],
      [ids[1], terms],
    ])
    expect(others({ ...SHOP, userId: null })).to.deep.equal([[nobody, [{ kronor: 80 }, undefined, undefined]]])
  })

  it('has the prices of its items until no discount has them and no job is setting them', () => {
    const { ledger, make, put, prices, store, clock } = open()
    const [first, second] = [make(['planned', 'planned']), make(['planned'])]
    for (const id of [first, second]) put(id, "state = 'running'")
    const any = (shop = SHOP) => hasDiscountedItems(ledger, shop)
    const one = () => prices.all().get(1)
    expect(any()).to.equal(false)
    prices.change('join', first, 1)
    prices.change('normal', 1, 100)
    prices.change('joinMoved', second, 1, 999, 70, ['normal_moved', { Before: 100, Normal: 999 }])
    prices.change('normal', 1, 999)
    expect(itemsOf(ledger, first)[0]).to.deep.include({ state: 'on', before: 100, price: 80, hold: null })
    expect(itemsOf(ledger, second)[0]).to.deep.include({
      ...{ state: 'on', before: 999, price: 70, hold: held('normal_moved', { Before: 100, Normal: 999 }) },
    })
    const { JobId } = ledger.jobs.create({ kind: 'price', ...SHOP, title: 'x' })
    const resting = { normal: 100, price: 100, sent: null, jobId: null, sureAt: null }
    expect(one(), 'its first discount has brought its normal price').to.deep.equal(resting)
    prices.change('arrived', 1)
    expect(one(), 'nothing was sent').to.deep.equal(resting)
    prices.change('sending', 1, 999, 90, 80, JobId)
    prices.change('unsure', 1, clock.time)
    prices.change('unsure', 1, clock.time + 5)
    const sent = { ...resting, price: 90, sent: 80, jobId: JobId, sureAt: clock.time }
    expect([...discountedItems(ledger, SHOP)]).to.deep.equal([[1, sent]])
    prices.change('leave', 1)
    expect(any()).to.equal(true)
    prices.change('arrived', 1)
    expect(one()).to.deep.equal({ ...resting, price: 80 })
    prices.change('change', JobId, 1, 100, 70)
    prices.change('sending', 1, 100, 80, 60, JobId)
    prices.change('arrived', 1)
    expect(one()).to.deep.equal({ ...resting, normal: 70, price: 60 })
    prices.change('sending', 1, 70, 60, 55, JobId)
    prices.change('notSent', 1)
    expect(one()).to.deep.equal({ ...resting, normal: 70, price: 60 })
    const having = (shop: ShopKey, id: number) =>
      new DiscountedItems(ledger, shop).having(id).map((its) => ({ discountId: its.discount.id, terms: its.terms(id) }))
    expect([1, 2].map((id) => having(SHOP, id))).to.deep.equal([
      [
        { discountId: first, terms: { kronor: 80 } },
        { discountId: second, terms: { kronor: 70 } },
      ],
      [],
    ])
    for (const shop of [
      { ...SHOP, userId: 8 },
      { ...SHOP, profile: 'other' },
    ]) {
      expect([any(shop), having(shop, 1)]).to.deep.equal([false, []])
    }
    store.run("UPDATE discount_items SET state = 'done' WHERE discount_id = ?", first)
    prices.change('leave', 1)
    expect(any(), 'the second has it').to.equal(true)
    store.run("UPDATE discount_items SET state = 'done'")
    prices.change('sending', 1, 70, 60, 55, JobId)
    prices.change('leave', 1)
    expect(any(), 'a job is setting it').to.equal(true)
    prices.change('notSent', 1)
    prices.change('leave', 1)
    expect(any()).to.equal(false)
  })

  describe('learns from a row of its job', () => {
    /** The item of a running discount and its price, once a job with one row in a state is settled. */
    const settle = (
      part: DiscountPart,
      state: BulkRowState,
      { cancelled = false, tries = 0, ended = false, reason = null as unknown } = {},
    ) => {
      const { ledger, make, put, clock, prices, store, items } = open()
      const id = make(['on'])
      put(id, `state = 'running', tries = ${tries}`)
      const rows = [{ line: 1, id: 1, price: 80, oldPrice: 100 }]
      const { JobId } = createBulkJob(ledger, { kind: 'price', ...SHOP, title: 't', form: FORM, rows })
      const byte = ROW_STATES.indexOf(state)
      store.run(`UPDATE bulk_states SET states = ?, unsent = 0, ${state} = 1`, new Uint8Array([byte]))
      if (reason !== null) store.run('UPDATE bulk_states SET reasons = ?', JSON.stringify([[reason, [0]]]))
      if (cancelled) store.run("UPDATE jobs SET state = 'cancelled'")
      store.run(
        'INSERT INTO discount_jobs (job_id, discount_id, part) VALUES (?, ?, ?)',
        JobId,
        part === 'change' ? null : id,
        part,
      )
      prices.change('join', id, 1)
      prices.change('sending', 1, 100, 100, 80, JobId)
      if (ended) clock.time += HOUR
      expect(unsettledJobs(ledger, SHOP)).to.deep.equal([{ job_id: JobId, discount_id: part === 'change' ? null : id, part }])
      expect(unsettledJobs(ledger, SHOP, id)).to.have.length(part === 'change' ? 0 : 1)
      expect(unsettledJobs(ledger, SHOP, id + 1)).to.deep.equal([])
      expect(unsettledJobs(ledger, { ...SHOP, userId: null })).to.deep.equal([])
      expect([startsDiscount(ledger, JobId), startsDiscount(ledger, JobId + 1)]).to.deep.equal([part === 'start', false])
      expect(discountJobs(ledger, id)).to.deep.equal(part === 'change' ? [] : [{ JobId, Part: part }])
      takeInResults(ledger, SHOP)
      const price = prices.all().get(1)
      const left = unsettledJobs(ledger, SHOP).length === 0 ? 'settled' : 'open'
      const shown =
        price === undefined ? 'gone' : price.sent === null ? price.price : price.sureAt === null ? 'on its way' : 'unsure'
      return [...(items(id)[0] ?? []), shown, left]
    }

    const DROPPED = 'job 1 was dropped before this price was sent'
    const GONE = 'it is no longer in the live list'
    const UNTIL_0_3 = 'it is not in the live list any more'
    for (const [part, state, more, expected] of [
      ['start', 'ok', {}, ['on', null, 80, 'settled']],
      ['end', 'ok', {}, ['done', null, 'gone', 'settled']],
      ['change', 'ok', {}, ['on', null, 80, 'settled']],
      ['start', 'unsent', {}, ['on', null, 'on its way', 'open']],
      ['start', 'sending', {}, ['on', null, 'on its way', 'open']],
      ['end', 'queued', {}, ['on', null, 'on its way', 'open']],
      ['end', 'unknown', {}, ['on', null, 'on its way', 'open']],
      ['start', 'sending', { cancelled: true }, ['on', null, 'unsure', 'settled']],
      ['end', 'queued', { cancelled: true }, ['on', null, 'unsure', 'settled']],
      ['start', 'unknown', { cancelled: true }, ['on', null, 'unsure', 'settled']],
      ['start', 'unsent', { cancelled: true }, ['held', DROPPED, 'gone', 'settled']],
      [
        'start',
        'unsent',
        { cancelled: true, ended: true },
        ['held', 'the discount ended before this price could be sent', 'gone', 'settled'],
      ],
      ['end', 'unsent', { cancelled: true, ended: true }, ['failed', DROPPED, 100, 'settled']],
      ['change', 'unsent', { cancelled: true }, ['on', null, 100, 'settled']],
      ['start', 'failed', { reason: 'no' }, ['failed', 'no', 'gone', 'settled']],
      ['start', 'failed', {}, ['failed', 'failed', 'gone', 'settled']],
      ['start', 'retryable', { reason: 'later' }, ['planned', 'later', 'unsure', 'settled']],
      ['start', 'held', { reason: 'moved' }, ['held', 'moved', 'gone', 'settled']],
      ['end', 'skipped', { reason: 'gone' }, ['skipped', 'gone', 'gone', 'settled']],
      ['end', 'held', { reason: ['gone', {}] }, ['on', GONE, 100, 'settled']],
      ['end', 'held', { reason: UNTIL_0_3 }, ['on', GONE, 100, 'settled']],
      ['end', 'held', { reason: 'moved' }, ['held', 'moved', 'gone', 'settled']],
      ['end', 'failed', { tries: 29, reason: 'no' }, ['on', 'no', 100, 'settled']],
      ['end', 'retryable', { tries: 30, reason: 'no' }, ['failed', 'no', 100, 'settled']],
      ['change', 'failed', { reason: 'no' }, ['on', null, 100, 'settled']],
    ] as const) {
      it(`of its ${part}: ${state} ${JSON.stringify(more)}`, () => {
        expect(settle(part, state, more)).to.deep.equal(expected)
      })
    }
  })

  it('learns the rows that are known of its job, and waits with the job for the others', () => {
    const { ledger, make, put, prices, store } = open()
    const id = make(['on', 'on'])
    put(id, "state = 'running'")
    const rows = [1, 2].map((item) => ({ line: item, id: item, price: 80, oldPrice: 100 }))
    const { JobId } = createBulkJob(ledger, { kind: 'price', ...SHOP, title: 't', form: FORM, rows })
    const states = (first: BulkRowState, second: BulkRowState) => {
      store.run('UPDATE bulk_states SET states = ?', new Uint8Array([first, second].map((state) => ROW_STATES.indexOf(state))))
      for (const state of ROW_STATES)
        store.run(`UPDATE bulk_states SET ${state} = ?`, [first, second].filter((each) => each === state).length)
      takeInResults(ledger, SHOP)
      return [1, 2].map((item) => {
        const { price, sent, sureAt } = prices.all().get(item) ?? {}
        return [price, sent, sureAt]
      })
    }
    store.run("INSERT INTO discount_jobs (job_id, discount_id, part) VALUES (?, ?, 'start')", JobId, id)
    for (const item of [1, 2]) prices.change('sending', item, 100, 100, 80, JobId)
    expect(states('ok', 'queued')).to.deep.equal([
      [80, null, null],
      [100, 80, null],
    ])
    expect(unsettledJobs(ledger, SHOP)).to.have.length(1)
    expect(states('ok', 'ok')).to.deep.equal([
      [80, null, null],
      [80, null, null],
    ])
    expect(unsettledJobs(ledger, SHOP)).to.deep.equal([])
  })
})
