/** Settings that GetShopSettings leaves out: absence is not a fact, so nothing of the shop is emptied because of it. */
import { expect } from 'chai'
import { settingsToSend } from '../../../src/actions/shop/closing.js'

/** A reply with what every reply has (docs/service.md, ShopSettingsData), and no other setting. */
const LEAST = {
  ShowGalleryMode: null,
  ShowAuctionView: true,
  IsTemporaryClosed: false,
  MaxActiveItems: 100,
  MaxInventoryItems: 0,
}
const given = (reply: object) => reply as Parameters<typeof settingsToSend>[0]
/** Elements of the request: a value that is undefined is not sent. */
const sent = (reply: object, wanted: Parameters<typeof settingsToSend>[1]) =>
  JSON.parse(JSON.stringify(settingsToSend(given(reply), wanted)))

describe('settings that are sent to close a shop', () => {
  it('are those of the reply, without what it leaves out', () => {
    expect(sent(LEAST, { Closed: true, Message: null })).to.deep.equal({ ...LEAST, IsTemporaryClosed: true })
    const terms = { ...LEAST, PurchaseTerms: 'Inga returer', ContactInformation: '' }
    expect(sent(terms, { Closed: true, Message: 'Jul' })).to.deep.equal({
      ...terms,
      IsTemporaryClosed: true,
      TemporaryClosedMessage: 'Jul',
    })
  })
  it('have an empty message only where there is one to take away', () => {
    const closed = { ...LEAST, IsTemporaryClosed: true, TemporaryClosedMessage: 'Jul' }
    expect(sent(closed, { Closed: false, Message: null })).to.deep.equal({
      ...closed,
      IsTemporaryClosed: false,
      TemporaryClosedMessage: '',
    })
  })
  for (const name of Object.keys(LEAST)) {
    it(`are not sent where the reply has no ${name}, which would be emptied`, () => {
      const { [name as keyof typeof LEAST]: _, ...rest } = LEAST
      expect(() => settingsToSend(given(rest), { Closed: true, Message: null }))
        .to.throw(`the reply has no ${name},`)
        .with.property('code', 'broken_contract')
    })
  }
})
