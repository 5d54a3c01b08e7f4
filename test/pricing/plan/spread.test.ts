/** The largest changes of a plan, and their distribution. */
import { expect } from 'chai'
import { buildHistogram, findLargest } from '../../../src/pricing/plan/spread.js'

const ratios = (...list: number[]): [number, number][] => list.map((ratio, index) => [index, ratio])

describe('the spread of changes', () => {
  it('has no bars where nothing changes', () => {
    expect(buildHistogram([])).to.deep.equal([])
  })

  it('puts a change that lies on a bound into the bar above, and leaves empty bars out at both ends only', () => {
    expect(buildHistogram(ratios(-0.1, -0.0999, -0.05, 0.05))).to.deep.equal([
      { From: -10, To: -5, Rows: 2 },
      { From: -5, To: 0, Rows: 1 },
      { From: 0, To: 5, Rows: 0 },
      { From: 5, To: 10, Rows: 1 },
    ])
  })

  it('has an open bar at either end', () => {
    expect(buildHistogram(ratios(9, 50))).to.deep.equal([{ From: 900, To: null, Rows: 2 }])
    expect(buildHistogram(ratios(-0.95))).to.deep.equal([{ From: null, To: -90, Rows: 1 }])
    const all = buildHistogram(ratios(-1, 10))
    expect([all.length, all[0]?.From, all.at(-1)?.To]).to.deep.equal([13, null, null])
    expect(all.slice(1, -1).map(({ From, To, Rows }) => [From, To, Rows])).to.deep.equal([
      [-90, -50, 0],
      [-50, -25, 0],
      [-25, -10, 0],
      [-10, -5, 0],
      [-5, 0, 0],
      [0, 5, 0],
      [5, 10, 0],
      [10, 25, 0],
      [25, 50, 0],
      [50, 100, 0],
      [100, 900, 0],
    ])
  })

  it('names the largest changes, up or down, and the earlier of equal ones', () => {
    const changes = ratios(0.1, -0.4, 0.2, 0.4, -0.2, 0.05)
    expect(findLargest(changes, 3)).to.deep.equal([1, 3, 2])
    expect(findLargest(changes, 10)).to.deep.equal([1, 3, 2, 4, 0, 5])
    expect(findLargest(changes, 0)).to.deep.equal([])
    expect(findLargest(ratios(0.1, 0.2, 0.3, 0.2, 0.4), 2)).to.deep.equal([4, 2])
    expect(findLargest(ratios(0.2, 0.2, 0.3, 0.2), 3)).to.deep.equal([2, 0, 1])
    expect(findLargest(ratios(0, 0), 1)).to.deep.equal([0])
  })
})
