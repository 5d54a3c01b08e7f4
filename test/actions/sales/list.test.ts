import { expect } from 'chai'
import { writeSale } from '../../../src/actions/sales/list.js'
import type { Context } from '../../../src/cli/context.js'
import { cleanUp, temporaryLedger, thrown } from '../../jobs/harness.js'

describe('a sale that is shown', () => {
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
    expect(await thrown(() => writeSale(ctx, 7))).to.include({ code: 'sale_not_found' })
  })
})
