/** A first listing that the service takes: what is missing is said with the flag that adds it, and a strict service refuses it. */
import { expect } from 'chai'
import { CATEGORY, type ObservedHome, openObserved } from './observed.js'

describe('a first listing', () => {
  let home: ObservedHome
  before(async () => {
    home = await openObserved({ strict: true, extended: true })
  })
  after(() => home.close())
  const auction = ['items:add', '--title', 'Vas', '--category', CATEGORY, '--start-price', '100']
  const ware = ['shop:add', '--title', 'Mugg', '--category', CATEGORY, '--price', '149']
  const KERAMIK = [...ware.map((arg) => (arg === CATEGORY ? '120503' : arg)), '--condition', 'new']
  const [CONDITION, SHIPPING] = ['no condition, and some categories refuse that. Add --condition used', 'Add --shipping pickup']

  for (const [what, args, exit, said, unsaid] of [
    ['an auction without both', auction, 3, [CONDITION, SHIPPING, 'the condition is required'], []],
    ['a shop item without both', ware, 3, [CONDITION, SHIPPING, 'at least one is required'], []],
    ['one without shipping', [...ware, '--condition', 'new'], 3, [SHIPPING], [CONDITION]],
    ['one without a condition', [...ware, '--shipping', 'pickup'], 3, [CONDITION], [SHIPPING]],
    ['a shop item with both', [...ware, '--condition', 'new', '--shipping', 'pickup'], 0, [], [CONDITION, SHIPPING]],
    ['an auction with both', [...auction, '--condition', 'used', '--shipping', 'pickup'], 0, [], [CONDITION, SHIPPING]],
    ['one of a category that requires a brand', [...KERAMIK, '--shipping', 'pickup'], 3, ['(Märke) is required'], []],
    ['one without a brand, once that is known', [...KERAMIK, '--shipping', 'pickup'], 3, ['Add --attribute Märke=VALUE'], []],
    ['one with its brand', [...KERAMIK, '--shipping', 'pickup', '--attribute', 'märke=höganäs'], 0, [], ['Märke']],
    [
      'a contact, which needs no shipping',
      [...auction.slice(0, -2), '--type', 'contact', '--condition', 'used'],
      0,
      [],
      [SHIPPING],
    ],
  ] as const) {
    it(`of ${what} ${exit === 0 ? 'is taken' : 'is refused'}`, async () => {
      if (what.includes('once')) await home.seller('reference:attributes', 'keramik')
      const { code, stderr } = await home.seller(...args, '--again')
      const words = stderr.replace(/\s+/g, ' ')
      expect(code, stderr).to.equal(exit)
      for (const text of said) expect(words).to.include(text)
      for (const text of unsaid) expect(words).to.not.include(text)
    })
  }

  it('of many rows is told of once, with how many lack it', async () => {
    const file = await home.file(
      'rows.csv',
      `Title,CategoryId,Price,Shipping\nEn,${CATEGORY},10,pickup\nTvå,${CATEGORY},20,\nTre,${CATEGORY},30,\n`,
    )
    const { stderr } = await home.seller('shop:add', '--file', file, '--dry-run')
    const words = stderr.replace(/\s+/g, ' ')
    expect(words).to.include('3 rows of 3 have no condition').and.include('2 rows of 3 have no shipping')
  })
})
