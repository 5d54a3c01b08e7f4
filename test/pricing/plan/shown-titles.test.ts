import { expect } from 'chai'
import { NO_GUARDS, planPrices } from '../../../src/pricing/index.js'
import { PriceRows } from '../../../src/rows/index.js'

/** True if a title in a row counts as edited. @param lossy whether the file may have lost characters to "?" */
async function isEdited(shown: string, live: string, lossy: boolean): Promise<boolean> {
  const rows = new PriceRows({ kind: 'rule', columns: ['Id', 'Price'] })
  rows.lossyTitles = lossy
  rows.add({ line: 1, id: 7, price: 5, title: shown })
  const plan = await planPrices({ rows, live: [{ Id: 7, ItemType: 'ShopItem', ShortDescription: live }], guards: NO_GUARDS })
  return plan.editedCount > 0
}

describe('a title in a row of prices that is only there to be read', () => {
  it('is the live one whatever its spaces, tabs and line breaks', async () => {
    expect(await isEdited(' Blå  mugg\tny ', 'Blå mugg\nny', false)).to.equal(false)
    expect(await isEdited('Blå mugg', 'Blå  muggar', false)).to.equal(true)
  })

  it('is the live one where each question mark stands for one character, if the file may have lost some', async () => {
    for (const [shown, live, same] of [
      ['Bl? mugg', 'Blå mugg', true],
      ['?? mugg', '😀ö mugg', true],
      ['Bl? mugg', 'Bl mugg', false],
      ['Bl? mugg', 'Blåå mugg', false],
      ['Bl? mugg', 'Blå muggar', false],
      ['Bl? mugg', 'En Blå mugg', false],
      ['Bl? m.gg (1+1)', 'Blå m.gg (1+1)', true],
      ['Bl? m.gg', 'Blå mugg', false],
      ['[?] *^$|{}\\', '[å] *^$|{}\\', true],
      ['Bla mugg', 'Blå mugg', false],
    ] as const) {
      expect(await isEdited(shown, live, true), `${shown} for ${live}`).to.equal(!same)
    }
    expect(await isEdited('Bl? mugg', 'Blå mugg', false)).to.equal(true)
  })
})
