/** Price disasters that happened to others, each as a whole input: no wrong price may be sent. */
import { expect } from 'chai'
import { DEFAULT_GUARDS, parseRule, planPrices, planRule } from '../../src/pricing/index.js'
import { faultsOf, readCut, shopItem } from './support.js'

const shop = Array.from({ length: 40 }, (_, at) => shopItem(at + 1, 199 + at * 50))

const sent = async (csv: string) => {
  const plan = await planPrices({ rows: await readCut(csv), live: shop, guards: DEFAULT_GUARDS })
  return [...plan.entries('change')].map(({ Id, NewPrice }) => [Id, NewPrice])
}

describe('price disasters', () => {
  it('a blank minimum that became 0.01: refused in a file, and as a floor', async () => {
    expect(await faultsOf(readCut('Id,Price\n1,0.01\n2,\n3,249\n'))).to.have.length(1)
    expect(await faultsOf(readCut('[{"Id":1,"Price":0.01}]'))).to.have.length(1)
    expect(await faultsOf(() => parseRule({ add: '-10%', floor: '' }))).to.have.length(1)
    expect(await faultsOf(() => parseRule({ add: '-10%', floor: '0.01' }))).to.have.length(1)
  })
  it('a blank minimum that became 1 kr: every row held', async () => {
    expect(await sent(`Id,Price\n${shop.map((item) => `${item.Id},1`).join('\n')}\n`)).to.deep.equal([])
  })
  it('a missing zero: the row is held, the others go', async () => {
    expect(await sent('Id,Price\n1,199\n2,24\n3,289\n')).to.deep.equal([[3, 289]])
  })
  it('an extra zero: the row is held', async () => {
    expect(await sent('Id,Price\n1,1990\n3,289\n')).to.deep.equal([[3, 289]])
  })
  it('a rule that set everything to 49.95: refused as typed, and held when rounded', async () => {
    expect(await faultsOf(() => parseRule({ set: '49.95' }))).to.have.length(1)
    expect(await faultsOf(() => parseRule({ set: '49,95' }))).to.have.length(1)
    const plan = await planRule({ live: shop, select: { all: true }, rule: parseRule({ set: '50' }), guards: DEFAULT_GUARDS })
    expect(plan.summary.Change).to.equal(0)
  })
  it('a rule that sets everything to a price near the present ones: held still', async () => {
    const near = Array.from({ length: 30 }, (_, at) => shopItem(at + 1, 45 + (at % 10)))
    const plan = await planRule({ live: near, select: { all: true }, rule: parseRule({ set: '50' }), guards: DEFAULT_GUARDS })
    expect(plan.summary).to.include({ Change: 0, Held: 27, Unchanged: 3 })
    expect(plan.summary.HeldBy).to.deep.equal({ same_price: 27 })
  })
  it('a comma read as a decimal point, or a point as thousands: the file is refused', async () => {
    for (const price of ['199,90', '1.234', '1,234', '1 234,50', '1.000']) {
      expect(await faultsOf(readCut(`Id;Price\n1;${price}\n2;249\n`)), price).to.have.length(1)
    }
  })
  it('an unquoted comma in a comma-separated file: the file is refused', async () => {
    expect(await faultsOf(readCut('Id,Price\n1,199,90\n'))).to.have.length(1)
  })
  it('öre read as kronor: every row held', async () => {
    expect(
      await sent(`Id,Price\n${shop.map((item) => `${item.Id},${(item.BuyItNowPrice ?? 0) * 100}`).join('\n')}\n`),
    ).to.deep.equal([])
  })
  it('a sheet sorted in one column only, so that prices belong to others: far ones are held', async () => {
    const csv = `Id,Price\n${shop.map((item, at) => `${item.Id},${shop.at(-1 - at)?.BuyItNowPrice}`).join('\n')}\n`
    for (const [id = 0, price = 0] of await sent(csv)) {
      const old = shop[id - 1]?.BuyItNowPrice ?? 0
      expect(Math.abs(price - old) / old).to.be.at.most(0.5)
    }
  })
})
