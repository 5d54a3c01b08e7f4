import { expect } from 'chai'
import { writeDiscount } from '../../../src/actions/discounts/list.js'
import type { Context } from '../../../src/cli/context.js'
import { cleanUp, temporaryLedger, thrown } from '../../jobs/harness.js'

describe('a discount that is shown', () => {
  afterEach(cleanUp)

  it('needs a ledger to read, and none to write', async () => {
    const ledger = temporaryLedger()
    const ctx = {
      output: { human: false },
      ledger: async (use?: { reading?: boolean }) => {
        if (use?.reading !== true) throw new Error('The ledger cannot be written.')
        return ledger
      },
    } as unknown as Context
    expect(await thrown(() => writeDiscount(ctx, 7))).to.include({ code: 'discount_not_found' })
  })
})
