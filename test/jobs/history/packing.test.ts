import { expect } from 'chai'
import fc from 'fast-check'
import { packMoves, unpackMoves } from '../../../src/jobs/history/moves.js'
import { PricePacker, SeenPrices } from '../../../src/jobs/history/seen-prices.js'
import { VarintReader, VarintWriter } from '../../../src/jobs/history/varints.js'

const id = fc.integer({ min: 1, max: 2 ** 31 - 1 })
const price = fc.integer({ min: 0, max: 2 ** 31 - 1 })

describe('packed prices', () => {
  it('numbers of any sign and size come back', () => {
    const numbers = fc.array(fc.integer({ min: -(2 ** 32), max: 2 ** 32 }))
    fc.assert(
      fc.property(numbers, (values) => {
        const writer = new VarintWriter()
        for (const value of values) writer.push(value)
        const reader = new VarintReader(writer.bytes)
        const read: number[] = []
        while (!reader.done) read.push(reader.next())
        expect(read).to.deep.equal(values.map((value) => value + 0))
      }),
    )
  })

  it('moves come back in their order', () => {
    const from = fc.oneof(fc.constant(-1), price)
    const moves = fc.array(fc.record({ id, from, to: from, job: fc.integer({ min: 0, max: 1e6 }) }))
    fc.assert(
      fc.property(moves, (given) => {
        const { bytes, count } = packMoves(given)
        expect(count).to.equal(given.length)
        expect([...unpackMoves(bytes)]).to.deep.equal(given)
      }),
    )
  })

  it('prices of a shop are found by id, in the order of the list and out of it', () => {
    const shop = fc.uniqueArray(fc.record({ id, price }), { selector: (item) => item.id })
    fc.assert(
      fc.property(shop, fc.nat(), (items, turn) => {
        const packer = new PricePacker()
        for (const item of items) packer.push(item.id, item.price)
        const seen = new SeenPrices(packer.bytes, packer.count)
        const turned = [...items.slice(turn % (items.length + 1)), ...items.slice(0, turn % (items.length + 1))]
        for (const item of [...items, ...turned, ...items.reverse()]) expect(seen.prices[seen.find(item.id)]).to.equal(item.price)
      }),
    )
  })

  it('that are cut short are refused', () => {
    const { bytes } = packMoves([{ id: 600_000_001, from: 499, to: 549, job: 17 }])
    expect(() => [...unpackMoves(bytes.subarray(0, bytes.length - 2))]).to.throw(RangeError)
    const packer = new PricePacker()
    packer.push(600_000_001, 499)
    expect(() => new SeenPrices(packer.bytes, 2)).to.throw(RangeError)
    expect(() => new SeenPrices(packer.bytes, 0)).to.throw(RangeError)
  })
})
