import { expect } from 'chai'
import fc from 'fast-check'
import { applyRule, DEFAULT_GUARDS, NO_GUARDS, parseRule, planRule, type RuleTexts } from '../../../src/pricing/index.js'
import { faultsOf, shopItem } from '../support.js'

const price = (flags: RuleTexts, old: number) => applyRule(parseRule(flags), old)

describe('price rules', () => {
  for (const [flags, old, expected] of [
    [{ set: '1 299 kr' }, 5, 1299],
    [{ add: '25kr' }, 100, 125],
    [{ add: '-25 kr' }, 100, 75],
    [{ add: '-10%' }, 499, 449],
    [{ add: '10%' }, 45, 50],
    [{ add: '10%' }, 44, 48],
    [{ add: '-10%' }, 45, 41],
    [{ add: '2,5%' }, 100, 103],
    [{ add: '-100%' }, 100, 0],
    [{ endWith: '9' }, 120, 119],
    [{ endWith: '9' }, 124, 129],
    [{ endWith: '9' }, 129, 129],
    [{ endWith: '9' }, 3, 9],
    [{ endWith: '95' }, 1234, 1195],
    [{ endWith: '95' }, 1246, 1295],
    [{ endWith: '00' }, 1250, 1300],
    [{ add: '-10%', endWith: '9' }, 500, 449],
    [{ floor: '100' }, 80, 100],
    [{ ceiling: '100' }, 180, 100],
    [{ endWith: '9', floor: '100' }, 80, 109],
    [{ endWith: '9', ceiling: '100' }, 180, 99],
    [{ endWith: '9', ceiling: '109' }, 180, 109],
    [{ endWith: '9', ceiling: '108' }, 180, 99],
    [{ endWith: '95', ceiling: '195' }, 180, 195],
    [{ add: '-50kr', endWith: '9' }, 20, -30],
  ] as [RuleTexts, number, number][]) {
    it(`${JSON.stringify(flags)} makes ${expected} of ${old}`, () => {
      expect(price(flags, old)).to.equal(expected)
    })
  }

  const flag = fc.record(
    {
      add: fc.oneof(
        fc.integer({ min: -500, max: 500 }).map((kronor) => `${kronor}kr`),
        fc.integer({ min: -90, max: 300 }).map((percent) => `${percent}%`),
      ),
      endWith: fc.constantFrom('9', '5', '00', '95', '999'),
      floor: fc.integer({ min: 1, max: 500 }).map(String),
      ceiling: fc.integer({ min: 2000, max: 9000 }).map(String),
    },
    { requiredKeys: ['add'] },
  )
  const old = fc.integer({ min: 1, max: 1_000_000 })

  it('gives whole kronor, within floor and ceiling, with the ending', () => {
    fc.assert(
      fc.property(flag, old, (flags, from) => {
        const made = price(flags, from)
        expect(Number.isInteger(made)).to.equal(true)
        if (flags.floor !== undefined) expect(made).to.be.at.least(Number(flags.floor))
        if (flags.ceiling !== undefined) expect(made).to.be.at.most(Number(flags.ceiling))
        if (flags.endWith !== undefined && made >= 1) expect(String(made).padStart(3, '0').endsWith(flags.endWith)).to.equal(true)
      }),
    )
  })
  it('never makes a dearer item cheaper than one that was cheaper', () => {
    fc.assert(
      fc.property(flag, old, old, (flags, one, other) => {
        const [low, high] = one < other ? [one, other] : [other, one]
        if (price(flags, low) >= 1) expect(price(flags, low)).to.be.at.most(price(flags, high))
      }),
    )
  })
  it('rounds per cent to the nearest krona, half a krona up', () => {
    fc.assert(
      fc.property(fc.integer({ min: -99, max: 400 }), fc.integer({ min: 1, max: 100_000 }), (percent, from) => {
        const hundredths = BigInt(from) * BigInt(100 + percent)
        expect(price({ add: `${percent}%` }, from)).to.equal(Number((hundredths + 50n) / 100n))
      }),
    )
  })
  it('gives the price with the ending that is nearest to the exact one, the higher of two', () => {
    fc.assert(
      fc.property(fc.integer({ min: -500, max: 900 }), fc.integer({ min: 10, max: 3000 }), (tenths, from) => {
        // In thousandths of a krona: all prices that end with 9 are tried.
        const exact = from * (1000 + tenths)
        const away = (kronor: number) => Math.abs(kronor * 1000 - exact)
        const endings = Array.from({ length: 800 }, (_, at) => 10 * at + 9)
        const nearest = endings.reduce((best, one) => (away(one) <= away(best) ? one : best))
        expect(price({ add: `${tenths / 10}%`, endWith: '9' }, from)).to.equal(nearest)
      }),
    )
  })

  for (const [flags, part] of [
    [{}, 'A rule is missing'],
    [{ set: '' }, 'is empty'],
    [{ set: '0.01' }, 'whole kronor'],
    [{ floor: '' }, 'is empty'],
    [{ floor: '0.01' }, 'whole kronor'],
    [{ floor: '0' }, 'at least 1'],
    [{ set: '49,95' }, 'comma'],
    [{ set: '5', add: '5kr' }, 'cannot be given together with --set'],
    [{ add: '1.5kr' }, 'is not a change'],
    [{ add: '10 procent' }, 'is not a change'],
    [{ endWith: 'x' }, 'is not an ending'],
    [{ floor: '200', ceiling: '100' }, 'above the ceiling'],
    [{ endWith: '99', floor: '100', ceiling: '150' }, 'no price from 100 to 150'],
  ] as [RuleTexts, string][]) {
    it(`refuses ${JSON.stringify(flags)}`, async () => {
      expect((await faultsOf(() => parseRule(flags))).join()).to.contain(part)
    })
  }
  it('tells all faults of a rule at once', async () => {
    expect(await faultsOf(() => parseRule({ set: '0', floor: '1.5', endWith: 'x' }))).to.have.length(3)
  })
})

describe('planning a rule', () => {
  const live = [
    shopItem(1, 100, { CategoryId: 5, OwnReferences: ['LAMP-1'] }),
    shopItem(2, 200, { CategoryId: 6, OwnReferences: ['LAMP-22', 'OLD'] }),
    shopItem(3, 300, { CategoryId: 5 }),
    shopItem(4, null, { CategoryId: 5 }),
    { ...shopItem(5, 500, { CategoryId: 5 }), ItemType: 'PureBuyItNow' },
  ]
  const planned = async (select: Parameters<typeof planRule>[0]['select'], flags: RuleTexts) => {
    const plan = await planRule({ live, select, rule: parseRule(flags), guards: DEFAULT_GUARDS })
    return [...plan.entries()].map(({ Id, OldPrice, NewPrice, State, Limit }) => [Id, OldPrice, NewPrice, State, Limit])
  }

  it('takes every shop item, and holds what has no price to change', async () => {
    expect(await planned({ all: true }, { add: '-10%' })).to.deep.equal([
      [1, 100, 90, 'change', null],
      [2, 200, 180, 'change', null],
      [3, 300, 270, 'change', null],
      [4, null, 0, 'held', 'rule'],
    ])
  })
  it('takes an item that the list has twice once, and gives no price to its neighbour', async () => {
    const twice = [shopItem(1, 100), shopItem(1, 100), shopItem(2, 300)]
    const plan = await planRule({ live: twice, select: { all: true }, rule: parseRule({ add: '-10%' }), guards: DEFAULT_GUARDS })
    expect([...plan.entries()].map(({ Id, OldPrice, NewPrice }) => [Id, OldPrice, NewPrice])).to.deep.equal([
      [1, 100, 90],
      [2, 300, 270],
    ])
  })
  it('holds a price under 1 kr whatever the guards let through', async () => {
    const rule = parseRule({ add: '-100%' })
    const plan = await planRule({ live: [shopItem(1, 100)], select: { all: true }, rule, guards: NO_GUARDS })
    expect([...plan.entries()].map(({ NewPrice, State, Limit }) => [NewPrice, State, Limit])).to.deep.equal([
      [0, 'held', 'below_one'],
    ])
  })
  it('keeps the titles of what changes, and of nothing else', async () => {
    const titled = [100, 200, 300].map((price, at) => shopItem(at + 1, price, { ShortDescription: `T${at + 1}` }))
    const plan = await planRule({ live: titled, select: { all: true }, rule: parseRule({ floor: '200' }), guards: NO_GUARDS })
    expect([...plan.entries()].map(({ Title, State }) => [Title, State])).to.deep.equal([
      ['T1', 'change'],
      [null, 'unchanged'],
      [null, 'unchanged'],
    ])
  })
  it('takes those of a category', async () => {
    expect((await planned({ category: 5 }, { add: '5kr' })).map(([id]) => id)).to.deep.equal([1, 3, 4])
    const branch = { category: 2, within: [5, 6] }
    expect((await planned(branch, { add: '5kr' })).map(([id]) => id)).to.deep.equal([1, 2, 3, 4])
  })
  it('judges the total of a branch without the rest of a list', async () => {
    const many = Array.from({ length: 20 }, (_, at) => shopItem(at + 1, 100, { CategoryId: 5 + (at % 2) }))
    const of = (rest: number) => [...many, shopItem(99, rest, { CategoryId: 9 })]
    const stopped = async (rest: number) => {
      const terms = {
        select: { category: 2, within: [5, 6] },
        rule: parseRule({ add: '-40%' }),
        guards: { ...NO_GUARDS, max_total_fall: 0.3 },
      }
      return (await planRule({ live: of(rest), ...terms })).summary.Stopped?.Limit
    }
    expect([await stopped(100), await stopped(1_000_000)]).to.deep.equal(['max_total_fall', 'max_total_fall'])
  })
  it('takes those whose own reference fits a pattern', async () => {
    expect((await planned({ reference: 'LAMP-?' }, { add: '5kr' })).map(([id]) => id)).to.deep.equal([1])
    expect((await planned({ reference: 'LAMP-*' }, { add: '5kr' })).map(([id]) => id)).to.deep.equal([1, 2])
    expect((await planned({ reference: 'LAMP' }, { add: '5kr' })).map(([id]) => id)).to.deep.equal([])
    expect((await planned({ reference: 'L.MP*' }, { add: '5kr' })).map(([id]) => id)).to.deep.equal([])
  })
  it('holds prices below 1 kr', async () => {
    expect((await planned({ all: true }, { add: '-150kr' }))[0]).to.deep.equal([1, 100, -50, 'held', 'below_one'])
  })
})
