/** A live list without a price or a number in stock: no error, for services differ in what they list, and never 0 in a plan. */
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { fullReplyOf } from '../soap/damage.js'
import { type HostileHome, openHostile } from './hostile.js'

const LISTS = new Set(['GetSellerItems', 'GetItem'])

describe('a live list that leaves a value out', () => {
  let home: HostileHome
  let without: readonly string[]
  before(async () => {
    home = await openHostile()
    home.answer((operation) => {
      if (!LISTS.has(operation.name)) return undefined
      const item = fullReplyOf(operation, 'ord').replaceAll('<ItemType>Auction<', '<ItemType>ShopItem<')
      return without.reduce((text, name) => text.replaceAll(new RegExp(`<${name}>[^<]*</${name}>`, 'g'), ''), item)
    })
  })
  beforeEach(() => home.calls())
  after(() => home.close())

  for (const [what, args] of [
    ['a price that is typed', ['7=100']],
    ['a rule that lowers', ['--all', '--add', '-10%']],
    ['a rule that raises', ['--all', '--add', '25kr']],
    ['a rule that sets', ['--all', '--set', '99']],
  ] as const) {
    it(`holds ${what}, and sends nothing`, async () => {
      without = ['BuyItNowPrice']
      const run = await home.seller('shop:price', ...args, '--yes', '--json')
      expect(run.code, run.stdout + run.stderr).to.equal(EXIT.held)
      expect(run.json().Counts).to.include({ held: 1, ok: 0, queued: 0 })
      expect(home.calls()).to.not.include('SetPriceOnShopItems')
    })
  }

  it('is listed all the same', async () => {
    without = ['BuyItNowPrice', 'RemainingQuantity']
    const run = await home.seller('items:list', '--json')
    expect(run.code, run.stderr).to.equal(EXIT.ok)
    expect(run.json()[0]).to.not.have.any.keys('BuyItNowPrice', 'RemainingQuantity')
  })

  it('shows the held row and why in a plan', async () => {
    without = ['BuyItNowPrice']
    const run = await home.seller('shop:price', '7=100', '--dry-run', '--json')
    expect(run.json().Rows[0]).to.include({ Id: 7, State: 'held', OldPrice: null })
    expect(run.json().Rows[0].Reason).to.include('has no price now')
  })
})
