/** Advice on items without a rate of VAT. */
import { expect } from 'chai'
import { adviceFor } from '../../../src/actions/input/advice.js'
import { textOf } from '../../../src/messages/index.js'
import { cleanUp, temporaryDirectory } from '../../jobs/harness.js'

const WHOLE = { ItemAttributes: [2], ShippingOptions: [{ ShippingOptionId: 8, Cost: 0 }], PaymentOptionIds: [8] }

describe('advice on new items', () => {
  const directory = temporaryDirectory()
  after(cleanUp)
  const advice = async (settings: object, rates: readonly (number | null | undefined)[]) => {
    const ctx = { dataDir: directory, profile: { name: 'shop', settings }, clock: { now: () => 0 } }
    return (
      await adviceFor(
        ctx as never,
        rates.map((VAT) => ({ ...WHOLE, VAT })),
      )
    ).map((words) => textOf(words))
  }

  it('says once how many items have no rate of VAT, where the settings say that the shop is registered', async () => {
    const [words, ...more] = await advice({ books: 'method=cash' }, [25, null, undefined, 0])
    expect(more).to.deep.equal([])
    expect(words).to.equal(
      '2 rows of 4 have no rate of VAT, so that orders:export takes what is sold for goods without VAT. ' +
        'Add --vat PERCENT (0 for such goods), or for all new items: seller auth:login --setting default_vat=PERCENT',
    )
    for (const settings of [
      { vat: 12 },
      { accounts: 'sales25=3051' },
      { vat_abroad: 'Tyskland=25:19' },
      { books: 'zero=margin' },
    ])
      expect(await advice(settings, [null]), JSON.stringify(settings)).to.have.lengthOf(1)
  })

  it('has no word of it where all have one, or the shop is not registered, or nothing says that it is', async () => {
    expect(await advice({ vat: 25 }, [25, 0, 6])).to.deep.equal([])
    for (const settings of [
      {},
      { vat: 0 },
      { books: 'zero=unregistered' },
      { vat: 25, books: 'zero=unregistered' },
      { fee: '10%' },
    ])
      expect(await advice(settings, [null, undefined]), JSON.stringify(settings)).to.deep.equal([])
  })
})
