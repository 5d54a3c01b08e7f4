/**
 * Replies of services that differ in what they say. A live list without a price or a number in stock is no error, and never 0 in
 * a plan. A date of change in year 1 is none, and an auction has ended when the service says so.
 */
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { opened } from '../opened.js'
import { fullReplyOf } from '../soap/damage.js'
import { openHostile } from './hostile.js'

const LISTS = new Set(['GetSellerItems', 'GetItem'])

describe('a live list that leaves a value out', () => {
  const home = opened(openHostile)
  let without: readonly string[]
  before(async () => {
    home.answer((operation) => {
      if (!LISTS.has(operation.name)) return undefined
      const item = fullReplyOf(operation, 'ord').replaceAll('<ItemType>Auction<', '<ItemType>ShopItem<')
      return without.reduce((text, name) => text.replaceAll(new RegExp(`<${name}>[^<]*</${name}>`, 'g'), ''), item)
    })
  })
  beforeEach(() => home.calls())

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
    const run = await home.done('items:list', '--json')
    expect(run.json()[0]).to.not.have.any.keys('BuyItNowPrice', 'RemainingQuantity')
  })

  it('shows the held row and why in a plan', async () => {
    without = ['BuyItNowPrice']
    const run = await home.seller('shop:price', '7=100', '--dry-run', '--json')
    expect(run.json().Rows[0]).to.include({ Id: 7, State: 'held', OldPrice: null })
    expect(run.json().Rows[0].Reason).to.include('has no current price')
  })

  it('says what lets such a row pass, which does', async () => {
    without = ['BuyItNowPrice']
    const plan = (stdin: string) => home.run(['shop:price', '--file', '-', '--dry-run', '--json'], { stdin })
    const held = await plan('Id,Price\n7,100\n')
    expect(held.stderr).to.include('if they are right, give each exact price in a column _Allow.')
    expect((await plan('Id,Price,_Allow\n7,100,100\n')).json().Rows[0]).to.include({ Id: 7, State: 'change', NewPrice: 100 })
  })
})

describe('a date of change in year 1, which .NET writes for none', () => {
  const home = opened(openHostile)
  before(() => {
    home.answer((operation) =>
      ['GetSellerOrders', 'GetSellerTransactions'].includes(operation.name)
        ? fullReplyOf(operation, 'ord')
            .replaceAll(/<LastUpdatedDate>[^<]*/g, '<LastUpdatedDate>0001-01-01T00:00:00')
            .replaceAll(/<(Date|CreatedDate)>[^<]*/g, '<$1>2026-01-20T10:00:00')
        : undefined,
    )
  })

  for (const command of [
    ['orders:list', '--since', '2026-01-01'],
    ['orders:watch', '--once', '--since', '2026-01-01'],
    ['transactions:list'],
    ['transactions:watch', '--once', '--since', '2026-01-01'],
  ])
    it(`leaves ${command[0]} its row`, async () => {
      const run = await home.done(...command, '--json')
      expect(run.json(), run.stderr).to.have.length(1)
    })

  it('counts the sale in a report', async () => {
    const run = await home.done('sales:report', '--since', '2026-01-01', '--until', '2026-02-01', '--compare', 'none', '--json')
    expect(run.json().Total, run.stderr).to.include({ Sales: 1 })
  })
})

describe('the end of an auction', () => {
  const home = opened(openHostile)

  for (const [what, ended, date] of [
    ['has come where the service says so, whatever this clock says', true, '2090-01-01T00:00:00'],
    ['has not come where the service says so, whatever this clock says', false, '2020-01-01T00:00:00'],
  ] as const)
    it(what, async () => {
      home.answer((operation) =>
        operation.name === 'GetItem'
          ? fullReplyOf(operation, 'ord')
              .replace('<Ended>true', `<Ended>${ended}`)
              .replace(/<EndDate>[^<]*/, `<EndDate>${date}`)
              .replace('<TotalBids>7', '<TotalBids>0')
          : undefined,
      )
      const run = await home.seller('items:price', '7', '--opening', '8', '--dry-run', '--allow', 'max_change', '--json')
      const faults = run.json().error?.faults ?? []
      expect(
        faults.some(({ message }: { message: string }) => message.startsWith('ended')),
        run.stdout,
      ).to.equal(ended)
    })
})
