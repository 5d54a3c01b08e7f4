/** When a person is asked before an item goes on sale. */
import { expect } from 'chai'
import { confirmItem } from '../../../src/actions/listing/binding.js'
import type { Context } from '../../../src/cli/context.js'

const REQUEST = { Title: 'Vas', CategoryId: 5, StartPrice: 10, ReservePrice: 0, BuyItNowPrice: 90, Duration: 7 }
const IMAGE = { path: 'a.png' }

describe('the question before a single item is added', () => {
  const asked = async (autoCommit: boolean, more: object = {}, available = true, yes?: boolean): Promise<string | undefined> => {
    let message: string | undefined
    const prompts = {
      available,
      async confirm(question: { message: string }) {
        message = question.message
      },
    }
    const options = { request: { ...REQUEST, AutoCommit: autoCommit }, images: [], campaignCode: undefined, ...more }
    await confirmItem({ prompts } as unknown as Pick<Context, 'prompts'>, options as never, { yes })
    return message
  }

  it('says what goes on sale, and for how much', async () => {
    expect(await asked(true)).to.equal(
      'Add "Vas": start price 10 kr, buy-now price 90 kr, 7 days, category 5? It goes on sale and cannot be withdrawn.',
    )
  })

  it('is not asked where nothing binding follows, and is where the steps end with a commit', async () => {
    expect(await asked(false)).to.equal(undefined)
    expect(await asked(false, { images: [IMAGE, IMAGE] })).to.include('2 images')
    expect(await asked(false, { campaignCode: 'SLUT' })).to.include('campaign code SLUT')
    expect(await asked(true, { images: [IMAGE] })).to.include('1 image')
  })

  it('is not asked off a terminal, nor after a yes', async () => {
    expect(await asked(true, {}, false)).to.equal(undefined)
    expect(await asked(true, {}, true, true)).to.equal(undefined)
  })
})
