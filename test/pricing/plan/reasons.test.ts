/** Why a row is held or stays: each limit in its own sentence, with the numbers of the row in it. */
import { expect } from 'chai'
import { GUARD_NAMES, PRICE_GUARDS } from '../../../src/pricing/guards/index.js'
import { DEFAULT_GUARDS, NO_GUARDS } from '../../../src/pricing/index.js'
import { holdReason, isRowGuard, limitByte, limitOf } from '../../../src/pricing/plan/guards.js'
import { FACT_LIMITS, type HoldLimit } from '../../../src/pricing/types.js'

const FACTS = { old: 100, price: 300, first: 0, guards: { ...DEFAULT_GUARDS, min_price: 400 } }
const WHOLE = { changed: 40, held: 8, shifted: 30, total: 1000, totalAfter: 600, totalOf: 'shop' as const }

describe('the reason of a row that is held or stays', () => {
  for (const [limit, more, reason] of [
    ['no_price', {}, 'the item has no price now, so the change cannot be judged'],
    ['below_one', { price: -4 }, '-4 kr is not a price: it must be at least 1 kr'],
    ['moved', { expected: 90 }, 'the live price is 100 kr and not 90 kr: it was changed since'],
    ['not_shop_item', {}, 'the item is not a shop item; its prices are set with items:price'],
    ['other_reference', {}, 'the item does not have the own reference given next to its id'],
    ['queued', {}, 'a job has queued a price'],
    [
      'queued',
      { pending: { price: 90, jobId: 7, state: 'queued' } },
      'job 7 has queued 90 kr, which may come after this price; wait for it first (seller jobs:resume 7 --wait)',
    ],
    [
      'queued',
      { pending: { price: 90, jobId: 7, state: 'sending' } },
      'job 7 was sending 90 kr when it was stopped; finish it first (seller jobs:resume 7)',
    ],
    ['queued', { pending: { price: 300, jobId: 7, state: 'sending' } }, 'job 7 has queued this price already'],
    ['wrong_way', { refused: 101 }, 'the rule lowers prices and would raise this one to 101 kr, so it stays'],
    ['wrong_way', { refused: 99 }, 'the rule raises prices and would lower this one to 99 kr, so it stays'],
    ['raises', {}, 'a discount lowers prices, and this one would rise from 100 kr to 300 kr'],
    ['held_in_plan', { given: 'because' }, 'because'],
    ['held_in_plan', {}, 'held'],
    ['rule', { given: 'a rule' }, 'a rule'],
    ['min_price', {}, '300 kr is below the minimum of 400 kr'],
    ['max_change', {}, 'a change of +200 % is over the limit of 50 % (100 kr to 300 kr)'],
    [
      'same_price',
      { equal: { price: 300, same: 12, changed: 20 } },
      '12 of 20 changed rows would get 300 kr, over the limit of 50 %: a rule or a column gone wrong?',
    ],
    ['same_price', {}, 'held'],
    [
      'max_held',
      { whole: WHOLE },
      'nothing is sent: 8 of 40 rows that change (20 %) are held, over the limit of 10 %; is it the right column?',
    ],
    ['max_held', {}, 'held'],
    ['max_held', { equal: { price: 300, same: 12, changed: 20 } }, 'held'],
    // A plan that was made with guards that are off now.
    ['max_change', { guards: NO_GUARDS }, 'held'],
  ] as const) {
    it(`is for ${limit}: ${reason}`, () => {
      expect(holdReason(limit, { ...FACTS, ...more })).to.equal(reason)
    })
  }

  it('is kept as a byte for each limit, and none for 0', () => {
    const limits: HoldLimit[] = [...GUARD_NAMES.map((name) => PRICE_GUARDS[name].limit as HoldLimit), ...FACT_LIMITS]
    expect(limits.map(limitByte)).to.deep.equal(limits.map((_, at) => at + 1))
    expect(limits.map((_, at) => limitOf(at + 1))).to.deep.equal(limits)
    expect([limitOf(0), limitOf(limits.length + 1)]).to.deep.equal([undefined, undefined])
  })

  it('comes from a guard over the row alone for some limits only', () => {
    const rows: HoldLimit[] = ['min_price', 'factor_ten', 'min_margin', 'max_change', 'max_drift']
    const limits = [...GUARD_NAMES.map((name) => PRICE_GUARDS[name].limit as HoldLimit), ...FACT_LIMITS]
    expect(limits.filter(isRowGuard)).to.deep.equal(rows)
  })
})
