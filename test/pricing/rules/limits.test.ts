/** Rules at their limits: what each flag takes, and which items a rule leaves, holds or turns away from. */
import { expect } from 'chai'
import {
  applyRule,
  DEFAULT_GUARDS,
  type Guards,
  ItemCosts,
  type LiveItem,
  NO_GUARDS,
  PlanCosts,
  parseRule,
  planRule,
  type RuleTexts,
  ruleWords,
} from '../../../src/pricing/index.js'
import { said } from '../../said.js'
import { faultsOf, shopItem } from '../support.js'

const MAX_INT = 2147483647
const cost = (öre: number) => ({ cost: öre, lowest: undefined, recommended: undefined, vat: 0 })

describe('the flags of a rule', () => {
  for (const [flags, old, expected] of [
    [{ add: ' -10% ' }, 100, 90],
    [{ add: '−10%' }, 100, 90],
    [{ add: '+10 KR' }, 100, 110],
    [{ add: '12.25%' }, 10_000, 11_225],
    [{ add: '-10pct' }, 100, 90],
    [{ add: '-10 PCT' }, 100, 90],
    [{ markup: '150pct' }, 5, 250],
    [{ add: '0,5 %' }, 1000, 1005],
    [{ endWith: ' 9 ' }, 104, 109],
    // The lower one is nearer to 453.60 and 1453.68; 454 and 1454 are as near to both.
    [{ add: '8%', endWith: '9' }, 420, 449],
    [{ add: '8%', endWith: '9' }, 1346, 1449],
    [{ add: '5.1%', endWith: '9' }, 422, 439],
    [{ add: '8%', endWith: '9' }, 22, 19],
    [{ add: '-10%', endWith: '9' }, 160, 149],
    [{ endWith: '9' }, 454, 459],
    [{ endWith: '0009' }, 9000, 10_009],
    [{ floor: '100', ceiling: '100' }, 50, 100],
    [{ floor: '100', ceiling: '199', endWith: '99' }, 150, 199],
    [{ ceiling: '9', endWith: '9' }, 150, 9],
    [{ ceiling: '9', endWith: '9' }, 9, 9],
    [{ floor: '109', endWith: '9' }, 5, 109],
    [{ markup: '150%' }, 5, 250],
    [{ markup: '0%' }, 5, 100],
    [{ margin: '99%' }, 5, 10_000],
    [{ markup: '0%', endWith: '9', ceiling: '99' }, 5, 99],
    [{ markup: '0%', endWith: '9', ceiling: '109' }, 5, 109],
    [{ markup: '0%', endWith: '9', floor: '110' }, 5, 119],
  ] as [RuleTexts, number, number][]) {
    it(`${JSON.stringify(flags)} makes ${expected} of ${old}, at a cost of 100 kr`, () => {
      expect(applyRule(parseRule(flags), old, cost(10_000))).to.equal(expected)
    })
  }

  for (const [flags, fault] of [
    [{ set: undefined, add: undefined }, 'A rule is missing'],
    [{ add: 'x5' }, '--add|x5|is not a change'],
    [{ add: '5x' }, '--add|5x|is not a change'],
    [{ add: '1.255%' }, 'is not a change'],
    [{ add: '1.5kr' }, 'is not a change'],
    [{ add: '1234567890' }, 'is not a change'],
    [{ add: ' -10 ' }, '--add| -10 |has no unit; write -10kr for kronor, or -10% for per cent (-10pct in a batch file)'],
    [{ add: '1.5' }, 'has no unit'],
    [{ margin: '100pct' }, 'is not below 100%'],
    [{ add: '+-5' }, 'is not a change'],
    [{ endWith: '12345' }, '--end-with|12345|is not an ending'],
    [{ endWith: '' }, 'is not an ending'],
    [{ endWith: '9x' }, 'is not an ending'],
    [{ endWith: 'x9' }, 'is not an ending'],
    [{ floor: '101', ceiling: '100' }, '--floor|101|is above the ceiling of 100 kr'],
    [{ endWith: '99', floor: '100', ceiling: '198' }, 'no price from 100 to 198 kr has this ending'],
    [{ endWith: '9', ceiling: '8' }, 'no price from 1 to 8 kr has this ending'],
    [{ margin: '100%' }, '--margin|100%|is not below 100%, and no price leaves such a margin; write per cent, such as 30%'],
    [{ margin: ' 150% ' }, 'is not below 100%'],
    [{ margin: 'x100%' }, '--margin|x100%|is not a share; write per cent, such as 30%'],
    [{ margin: '30' }, '--margin|30|is not a share'],
    [{ margin: ' OFF ' }, 'is not a share'],
    [{ markup: 'off' }, '--markup|off|is not a share'],
    [{ markup: '5%%' }, '--markup|5%%|is not a share'],
    [{ markup: 'x' }, '--markup|x|is not a share'],
    [{ margin: '30%', markup: '30%' }, '--markup|30%|cannot be given together with --margin: a price comes from one of them'],
    [{ add: '5kr', recommended: true }, '--recommended|true|cannot be given together with --add'],
  ] as [RuleTexts, string][]) {
    it(`${JSON.stringify(flags)} are refused: ${fault}`, async () => {
      expect((await faultsOf(() => parseRule(flags))).join('\n')).to.include(fault)
    })
  }
})

describe('a rule in words', () => {
  for (const [flags, words] of [
    [{ add: '-10kr' }, '10 kr less each'],
    [{ add: '2,5pct', endWith: '9', floor: '1000' }, '2.5 % more each, ending with 9, at least 1 000 kr'],
    [{ set: '199', ceiling: '300' }, '199 kr each, at most 300 kr'],
    [{ margin: '30%' }, 'a margin of 30 %'],
    [{ markup: '12.5%' }, 'a markup of 12.5 %'],
    [{ recommended: true }, 'the recommended price'],
  ] as [RuleTexts, string][]) {
    it(`is "${words}"`, () => {
      expect(ruleWords(parseRule(flags), 'kr')).to.equal(words)
    })
  }
})

describe('the plan of a rule', () => {
  const planned = async (
    flags: RuleTexts,
    live: LiveItem[],
    { guards = NO_GUARDS, select = { all: true } as const, costs, lowers }: Partial<Parameters<typeof planRule>[0]> = {},
  ) => planRule({ live, select, rule: parseRule(flags), guards: guards as Guards, costs, lowers })
  const rows = async (...args: Parameters<typeof planned>) =>
    [...(await planned(...args)).entries()].map(({ NewPrice, State, Limit }) => [NewPrice, State, Limit])

  it('has rows of an id and a price, and nothing to say of costs where none is known', async () => {
    const plan = await planned({ add: '5kr' }, [shopItem(1, 100)])
    expect(plan.form).to.deep.equal({ kind: 'rule', columns: ['Id', 'Price'] })
    expect(plan.summary).to.include({ Rows: 1, WithoutCost: null })
    expect(plan.entry(0)).to.include({ Line: 0, Id: 1, NewPrice: 105 })
  })

  it('sets a price where there is none, and changes none there', async () => {
    expect(await rows({ set: '50' }, [shopItem(1, null)])).to.deep.equal([[50, 'change', null]])
    const held = await planned({ add: '50kr' }, [shopItem(1, null)])
    expect(held.entry(0)).to.include({ NewPrice: 0, State: 'held', Limit: 'rule' })
    expect(said(held.entry(0))).to.equal('the item has no price that the rule can change')
  })

  it('holds a price that is more than the service can hold', async () => {
    const live = [shopItem(1, MAX_INT - 1), shopItem(2, MAX_INT)]
    const plan = await planned({ add: '1kr' }, live)
    expect([...plan.entries()].map(({ NewPrice, State, Limit }) => [NewPrice, State, Limit])).to.deep.equal([
      [MAX_INT, 'change', null],
      [0, 'held', 'rule'],
    ])
    expect(said(plan.entry(1))).to.equal('the rule gives 2 147 483 648 kr, more than the service can hold (2147483647)')
  })

  it('leaves a price that a floor or a ceiling keeps, and turns from one that goes the wrong way', async () => {
    expect(await rows({ add: '-10%', floor: '100' }, [shopItem(1, 100)])).to.deep.equal([[100, 'unchanged', null]])
    expect(await rows({ add: '10kr', ceiling: '100' }, [shopItem(1, 100)])).to.deep.equal([[100, 'unchanged', null]])
    expect(await rows({ add: '-10%', floor: '101' }, [shopItem(1, 100)])).to.deep.equal([[100, 'unchanged', 'wrong_way']])
    expect(await rows({ add: '10kr', ceiling: '99' }, [shopItem(1, 100)])).to.deep.equal([[100, 'unchanged', 'wrong_way']])
    // A change of nothing has no direction: its ending may go either way.
    expect(await rows({ add: '0kr', endWith: '9' }, [shopItem(1, 105), shopItem(2, 102)])).to.deep.equal([
      [109, 'change', null],
      [99, 'change', null],
    ])
  })

  it('knows what each item costs, and counts those that it leaves out', async () => {
    const version = (ItemId: number, Cost: number) => ({
      ItemId,
      OwnReference: '',
      Since: 0,
      Cost,
      Lowest: null,
      Recommended: null,
    })
    const costs = new PlanCosts(new ItemCosts([version(3, 30_000), version(1, 10_000), version(2, 20_000)]), 0)
    const live = [1, 2, 3, 4].map((id) => shopItem(id, 1000))
    const added = await planned({ add: '5kr' }, live, { costs })
    expect([...added.entries()].map(({ Cost }) => Cost)).to.deep.equal([100, 200, 300, null])
    expect(added.summary.WithoutCost).to.equal(1)
    const marked = await planned({ markup: '100%' }, live, { costs })
    expect([...marked.entries()].map(({ Id, NewPrice, Cost }) => [Id, NewPrice, Cost])).to.deep.equal([
      [1, 200, 100],
      [2, 400, 200],
      [3, 600, 300],
    ])
    expect(marked.summary.WithoutCost).to.equal(1)
    expect((await planned({ markup: '100%' }, live.slice(0, 3), { costs })).summary.WithoutCost).to.equal(0)
  })

  it('is for items whose own reference is known', async () => {
    const live = [shopItem(1, 100, { OwnReferences: undefined }), shopItem(2, 100, { OwnReferences: ['X', 'EX-2'] })]
    const plan = await planned({ add: '5kr' }, live, { select: { reference: 'EX-*' } })
    expect([...plan.entries()].map(({ Id }) => Id)).to.deep.equal([2])
  })

  it('counts the whole list as the shop, also what is not selected', async () => {
    const live = Array.from({ length: 30 }, (_, at) =>
      shopItem(at + 1, 1000, { CategoryId: at < 10 ? 5 : 6, OwnReferences: [`R${at < 10 ? 1 : 2}`] }),
    )
    const guards = { ...NO_GUARDS, max_total_fall: 0.3 }
    expect((await planned({ add: '-40%' }, live, { guards, select: { reference: 'R1' } })).summary.Stopped).to.equal(null)
    expect(said((await planned({ add: '-40%' }, live, { guards })).summary.Stopped)).to.include(
      'in the shop would fall from 30 000 kr',
    )
    expect((await planned({ add: '-40%' }, live, { guards: DEFAULT_GUARDS })).summary.Change).to.equal(0)
  })
})
