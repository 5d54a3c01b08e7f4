/** The sums of margins: exact, whatever the amounts, and never a krona short. */
import { expect } from 'chai'
import fc from 'fast-check'
import { lowestPrice, marginPercent, nearestKronor, priceForMargin, priceForMarkup } from '../../../src/pricing/guards/index.js'

const cost = fc.integer({ min: 1, max: 2 ** 31 - 1 })
const ONE = 100_000n
/** A share with the three decimals of per cent that can be typed. */
const shareTo = (max: number) => fc.integer({ min: 0, max }).map((units) => units / 100_000)
const margin = shareTo(99_999)
const vat = shareTo(100_000)
const units = (share: number) => BigInt(Math.round(share * 100_000))

/** True if a price leaves a margin, in whole numbers: (net - cost) / net >= margin, with net = 100 price / (1 + vat). */
const leaves = (price: number, öre: number, share: number, rate: number) =>
  100n * BigInt(price) * (ONE - units(share)) >= BigInt(öre) * (ONE + units(rate))
const marksUp = (price: number, öre: number, share: number, rate: number) =>
  100n * BigInt(price) * ONE * ONE >= BigInt(öre) * (ONE + units(share)) * (ONE + units(rate))
/** The same under the margin scheme: the VAT is a fifth of what the price leaves over the cost. */
const leavesByScheme = (price: number, öre: number, share: number) =>
  4n * (100n * BigInt(price) - BigInt(öre)) * ONE >= units(share) * (400n * BigInt(price) + BigInt(öre))
const marksUpByScheme = (price: number, öre: number, share: number) =>
  4n * (100n * BigInt(price) - BigInt(öre)) * ONE >= 5n * units(share) * BigInt(öre)

describe('margins', () => {
  for (const [öre, share, rate, price] of [
    [10_000, 0.3, 0.25, 179],
    [10_000, 0, 0.25, 125],
    [10_000, 0, 0, 100],
    [10_001, 0, 0, 101],
    // 70 / (1 - 0.3) is 100 and not 100.00000000000001, which would be rounded up to 101.
    [7000, 0.3, 0, 100],
    [24_950, 0.1, 0.12, 311],
    [0, 0.5, 0.25, 0],
  ] as const) {
    it(`a margin of ${share} over ${öre} öre with ${rate} VAT takes ${price} kr`, () => {
      expect(priceForMargin(öre, share, rate)).to.equal(price)
    })
  }

  it('a markup of 45 % on 100 kr is 145 kr, and 182 kr with 25 % VAT', () => {
    expect(priceForMarkup(10_000, 0.45, 0)).to.equal(145)
    expect(priceForMarkup(10_000, 0.45, 0.25)).to.equal(182)
  })

  it('a sum that a floating-point number cannot hold is exact', () => {
    // A ten-millionth of a krona above a whole number of kronor.
    expect(priceForMarkup(2147483647, 91.25983, 0)).to.equal(1981264763)
    expect(priceForMarkup(2147483647, 91.25983, 0, 'below')).to.equal(1981264762)
  })

  it('a price for a margin is the lowest that leaves it', () => {
    fc.assert(
      fc.property(cost, margin, vat, (öre, share, rate) => {
        const price = priceForMargin(öre, share, rate)
        expect(leaves(price, öre, share, rate), `${price} kr is enough`).to.equal(true)
        expect(leaves(price - 1, öre, share, rate), `${price - 1} kr is not`).to.equal(false)
      }),
    )
  })

  it('a price for a markup is the lowest that adds it', () => {
    fc.assert(
      fc.property(cost, shareTo(10_000_000), vat, (öre, share, rate) => {
        const price = priceForMarkup(öre, share, rate)
        expect(marksUp(price, öre, share, rate)).to.equal(true)
        expect(marksUp(price - 1, öre, share, rate)).to.equal(false)
      }),
    )
  })

  it('under the margin scheme, VAT is a fifth of what a price leaves over the cost', () => {
    // 1000 kr for what cost 600: 80 kr of VAT, 320 kr left of 920.
    expect(priceForMargin(60_000, 0.34782, 'margin')).to.equal(1000)
    expect(priceForMarkup(60_000, 0.53333, 'margin')).to.equal(1000)
    expect(marginPercent(1000, 60_000, 'margin')).to.equal(34.7)
    // Nothing is taxed below the cost, and nothing comes back.
    expect(marginPercent(500, 60_000, 'margin')).to.equal(-20)
    expect(lowestPrice({ cost: 60_000, lowest: undefined, vat: 'margin' }, 0)).to.equal(600)
    fc.assert(
      fc.property(cost, margin, shareTo(10_000_000), (öre, share, markup) => {
        const left = priceForMargin(öre, share, 'margin')
        expect([leavesByScheme(left, öre, share), leavesByScheme(left - 1, öre, share)]).to.deep.equal([true, false])
        const added = priceForMarkup(öre, markup, 'margin')
        expect([marksUpByScheme(added, öre, markup), marksUpByScheme(added - 1, öre, markup)]).to.deep.equal([true, false])
      }),
    )
  })

  it('what is shown of a margin is reached, and less than a tenth of a per cent above it', () => {
    const öre = fc.integer({ min: 1, max: 10_000_000 })
    fc.assert(
      fc.property(öre, fc.integer({ min: 1, max: 1_000_000 }), fc.constantFrom(0, 0.06, 0.12, 0.25), (amount, price, rate) => {
        const net = (price * 100) / (1 + rate)
        const left = ((net - amount) / net) * 100
        const shown = marginPercent(price, amount, rate)
        expect(shown).to.be.at.most(left + 1e-6 * (1 + Math.abs(left)))
        expect(shown).to.be.above(left - 0.1 - 1e-6 * (1 + Math.abs(left)))
      }),
    )
    expect(marginPercent(100, 7000, 0)).to.equal(30)
    expect(marginPercent(125, 10_000, 0.25)).to.equal(0)
    expect(marginPercent(100, 10_000, 0.25)).to.equal(-25)
  })

  it('the lowest price is the higher of what the margin takes and what the seller has set', () => {
    expect(lowestPrice({ cost: 10_000, lowest: undefined, vat: 0.25 }, 0)).to.equal(125)
    expect(lowestPrice({ cost: 10_000, lowest: 14_950, vat: 0.25 }, 0)).to.equal(150)
    expect(lowestPrice({ cost: 10_000, lowest: 12_000, vat: 0.25 }, 0.1)).to.equal(139)
    expect(lowestPrice({ cost: undefined, lowest: 14_900, vat: 0.25 }, 0)).to.equal(149)
    expect(lowestPrice({ cost: undefined, lowest: undefined, vat: 0.25 }, 0)).to.equal(0)
  })

  it('amounts are rounded as people do', () => {
    expect([24_949, 24_950, 24_951].map(nearestKronor)).to.deep.equal([249, 250, 250])
  })
})
