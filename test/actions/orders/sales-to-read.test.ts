import { expect } from 'chai'
import { salesToRead } from '../../../src/actions/orders/sales-to-read.js'

const DAY = 24 * 3_600_000
const NOW = 100 * DAY
const sales = (count: number, from: number, to: number) =>
  Array.from({ length: count }, (_, at) => from * DAY + Math.floor(((to - from) * DAY * (at + 1)) / (count + 1)))
const spans = (instants: readonly number[], missing: readonly [number, number][], kept: readonly number[]) =>
  salesToRead(
    {
      instants: instants.map((at) => at * DAY),
      missing: missing.map(([from, to]) => ({ from: from * DAY, to: to * DAY })),
      now: NOW,
    },
    kept,
  ).map(({ from, to }) => [from / DAY, to / DAY])

describe('the sales that are read again for open orders', () => {
  it('are those of what is missing, and a day around each', () => {
    expect(spans([], [[98, 100]], [])).to.deep.equal([[98, 100]])
    expect(spans([99], [[98, 100]], [])).to.deep.equal([[98, 100]])
    expect(spans([50], [], [])).to.deep.equal([[49, 51]])
    expect(spans([100], [], []), 'nothing later than now').to.deep.equal([[99, 100]])
  })

  it('have a few others between them, which cost less than a call', () => {
    expect(spans([10], [[98, 100]], sales(2499, 12, 97))).to.deep.equal([[9, 100]])
    expect(spans([10], [[98, 100]], sales(2500, 12, 97))).to.deep.equal([
      [9, 11],
      [98, 100],
    ])
    expect(spans([10], [[98, 100]], sales(1000, 9, 11)), 'they are read anyway').to.deep.equal([[9, 100]])
  })

  it('take two calls at most: the largest gap is left out', () => {
    const kept = [...sales(2500, 12, 19), ...sales(3000, 22, 49), ...sales(2600, 52, 97)]
    expect(spans([50, 10, 20], [[98, 100]], kept)).to.deep.equal([
      [9, 21],
      [49, 100],
    ])
    expect(spans([], [], kept), 'nothing, where nothing is open').to.deep.equal([])
  })
})
