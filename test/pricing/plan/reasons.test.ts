/** Why a row is held or stays: each limit by its code, with the numbers of the row (its words: test/holds). */
import { expect } from 'chai'
import { GUARD_NAMES, PRICE_GUARDS } from '../../../src/pricing/guards/index.js'
import { DEFAULT_GUARDS, NO_GUARDS } from '../../../src/pricing/index.js'
import { holdOf, isRowGuard } from '../../../src/pricing/plan/guards.js'
import { FACT_LIMITS, type HoldLimit } from '../../../src/pricing/types.js'
import { because } from '../../said.js'

const FACTS = { id: 5, old: 100, price: 300, first: 0, guards: { ...DEFAULT_GUARDS, min_price: 400 } }
const WHOLE = { changed: 40, held: 8, shifted: 30, total: 1000, totalAfter: 600, totalOf: 'shop' as const }
const EQUAL = { price: 300, same: 12, changed: 20 }

describe('the reason of a row that is held or stays', () => {
  const UNKNOWN = because('held')

  for (const [limit, more, Code, Values] of [
    ['no_price', {}, 'no_price', {}],
    ['below_one', { price: -4 }, 'below_one', { Price: -4 }],
    ['moved', { expected: 90 }, 'moved', { Live: 100, Expected: 90, Discount: null }],
    ['not_shop_item', {}, 'not_shop_item', { Id: 5 }],
    ['other_reference', {}, 'other_reference', {}],
    ['queued', {}, UNKNOWN.Code, UNKNOWN.Values],
    ['queued', { pending: { price: 90, jobId: 7, state: 'queued' } }, 'queued', { Job: 7, Price: 90, Sent: 'queued' }],
    ['queued', { pending: { price: 90, jobId: 7, state: 'sending' } }, 'queued', { Job: 7, Price: 90, Sent: 'sending' }],
    ['queued', { pending: { price: 300, jobId: 7, state: 'sending' } }, 'queued', { Job: 7, Price: 300, Sent: 'same' }],
    ['wrong_way', { refused: 101 }, 'wrong_way', { Old: 100, Price: 101 }],
    ['wrong_way', { refused: 99 }, 'wrong_way', { Old: 100, Price: 99 }],
    ['raises', {}, 'raises', { Old: 100, Price: 300 }],
    ['held_in_plan', { given: because('because') }, 'held_in_plan', because('because')],
    ['held_in_plan', {}, 'held_in_plan', UNKNOWN],
    ['rule', { given: because('a rule') }, 'text', { Said: 'a rule' }],
    ['min_price', {}, 'min_price', { Price: 300, Limit: 400 }],
    ['max_change', {}, 'max_change', { Old: 100, Price: 300, Limit: 0.5 }],
    ['same_price', { equal: EQUAL }, 'same_price', { Price: 300, Same: 12, Changed: 20, Limit: 0.5 }],
    ['same_price', {}, UNKNOWN.Code, UNKNOWN.Values],
    ['max_held', { whole: WHOLE }, 'max_held', { Held: 8, Changed: 40, Limit: 0.1 }],
    ['max_held', {}, UNKNOWN.Code, UNKNOWN.Values],
    ['max_held', { equal: EQUAL }, UNKNOWN.Code, UNKNOWN.Values],
    // A plan that was made with guards that are off now.
    ['max_change', { guards: NO_GUARDS }, UNKNOWN.Code, UNKNOWN.Values],
  ] as const) {
    it(`is for ${limit} of ${JSON.stringify(more)} the code ${Code} with its values`, () => {
      const hold = holdOf(limit, { ...FACTS, ...more })
      expect(hold.Code).to.equal(Code)
      expect(hold.Values).to.deep.include(Values)
    })
  }

  it('comes from a guard over the row alone for some limits only', () => {
    const rows: HoldLimit[] = ['min_price', 'factor_ten', 'min_margin', 'max_change', 'max_drift']
    const limits = [...GUARD_NAMES.map((name) => PRICE_GUARDS[name].limit as HoldLimit), ...FACT_LIMITS]
    expect(limits.filter(isRowGuard)).to.deep.equal(rows)
  })
})
