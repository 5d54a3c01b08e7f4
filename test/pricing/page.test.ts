import { expect } from 'chai'
import { rowsOfPage, SeenItems } from '../../src/actions/prices/plan-files.js'
import type { PlanState } from '../../src/contract/plans.js'
import type { PlanEntry } from '../../src/pricing/index.js'

const entry = (Id: number, Percent: number, State: PlanEntry['State'] = 'change') =>
  ({
    Line: Id,
    Id,
    OwnReference: null,
    OldPrice: 100,
    NewPrice: 100 + Percent,
    Change: Percent,
    Percent,
    State,
  }) as PlanEntry

describe('the rows of a page of a plan', () => {
  const all = [entry(1, 3), entry(2, -40), entry(3, 90, 'held'), entry(4, 5, 'unknown'), entry(5, 12), entry(6, -95, 'held')]
  const plan = {
    *entries(...states: PlanState[]) {
      yield* all.filter(({ State }) => states.includes(State))
    },
  }

  it('are what is held, what is not live, and then the largest changes', () => {
    expect(rowsOfPage(plan).rows.map(({ Id }) => Id)).to.deep.equal([6, 3, 4, 2, 5, 1])
    expect(rowsOfPage(plan).left).to.equal(0)
  })

  it('leave out the smallest changes of a plan that is too large', () => {
    const { rows, left } = rowsOfPage(plan, 4)
    expect([rows.map(({ Id }) => Id), left]).to.deep.equal([[6, 3, 4, 2], 2])
  })
})

describe('the picture of an item for a page', () => {
  const item = (more: object) => ({ Id: 7, ItemType: 'ShopItem', ...more }) as Parameters<SeenItems['see']>[0]
  const linkOf = (pictures: boolean, more: object): string | undefined => {
    const seen = new SeenItems(pictures)
    seen.see(item(more))
    return seen.links.get(7)
  }
  const detailed = ['normal', 'gallery', 'thumb'].map((Format) => ({ Format, Url: `https://i.example.com/${Format}/1.png` }))

  it('is the thumbnail, else a larger one, else the first link', () => {
    expect(linkOf(true, { DetailedImageLinks: detailed })).to.match(/thumb/)
    expect(linkOf(true, { DetailedImageLinks: detailed.slice(0, 2) })).to.match(/gallery/)
    expect(linkOf(true, { ImageLinks: ['https://i.example.com/a.png'] })).to.match(/a\.png/)
    expect(linkOf(true, {})).to.equal(undefined)
  })

  it('is none where no pictures are asked for', () => {
    expect(linkOf(false, { DetailedImageLinks: detailed })).to.equal(undefined)
  })
})
