/** What a sync says: rows, sums, notes and the question, of plans made by hand. */
import { expect } from 'chai'
import type { PlannedSync } from '../../../src/actions/shop/sync/plan.js'
import { byHandRows, partRows, summaryOf, syncRows } from '../../../src/actions/shop/sync/rows.js'
import { questionOf, showSync, tellByHand, tellRest } from '../../../src/actions/shop/sync/words.js'
import { cleanUp } from '../../jobs/harness.js'
import { fakeShop } from '../fake-shop.js'

type Row = Readonly<Record<string, unknown>>

const row = (line: number, references: readonly string[] = [`R${line}`], given: Row = {}): Row => ({
  line,
  references,
  given,
  extra: [`x${line}`],
})
const item = (Id: number, more: Row = {}): Row => ({ Id, ...more })

interface Made {
  readonly rows?: readonly Row[]
  readonly plan?: Row
  readonly prices?: readonly Row[]
  readonly priceSummary?: Row
  readonly stock?: readonly Row[]
  readonly stockSummary?: Row
  readonly match?: Row
  readonly removeMissing?: boolean
  readonly canUpdate?: boolean
  readonly during?: unknown
  readonly stopped?: unknown
}

const made = ({ rows = [], plan, prices = [], priceSummary, stock = [], stockSummary, match, ...more }: Made): PlannedSync => {
  const none = { additions: [], matched: [], removals: [], heldRemovals: [], held: [], pending: [], byHand: [] }
  const entries = (...outcomes: string[]) =>
    prices.filter(({ Outcome }) => outcomes.length === 0 || outcomes.includes(String(Outcome)))
  return {
    catalogue: { rows },
    plan: { ...none, leaving: 0, soldOut: 0, ...plan },
    prices: { entries, summary: { Change: 0, Held: 0, Unknown: 0, Calls: 0, Stopped: null, ...priceSummary } },
    stock: { entries: stock, summary: { Change: 0, Held: 0, Unknown: 0, Calls: 0, ...stockSummary } },
    match: { shop: [], missing: [], withoutReference: 0, ...match },
    removeMissing: false,
    stopped: null,
    canUpdate: false,
    calls: 1,
    ...more,
  } as unknown as PlannedSync
}

const TOO_MANY = { Limit: 'max_removed', Reason: 'too many' } as const

const price = (Line: number, Outcome: string, more: Row = {}): Row => ({
  Line,
  Id: Line * 10,
  Title: `T${Line}`,
  OldPrice: 100,
  NewPrice: 110,
  Outcome,
  Limit: null,
  Reason: null,
  ...more,
})
const stocked = (Line: number, Outcome: string, Reason: string | null = null): Row => ({
  Line,
  Id: Line * 10,
  Title: null,
  OldQuantity: 1,
  Quantity: 5,
  Outcome,
  Limit: null,
  Reason,
})

describe('the rows of a sync', () => {
  const all = made({
    rows: [row(1), row(2, ['A', 'B']), row(3), row(4), row(5, []), row(6), row(7), row(8)],
    prices: [price(1, 'change'), price(2, 'held', { Limit: 'max_change', Reason: 'too much' }), price(3, 'unchanged')],
    priceSummary: { Change: 1, Held: 1, Unknown: 2, Calls: 3 },
    stock: [stocked(3, 'change'), stocked(2, 'unchanged'), stocked(4, 'unknown', 'not there')],
    stockSummary: { Change: 1, Held: 4, Unknown: 1, Calls: 2 },
    plan: {
      additions: [
        { row: row(5, []), value: { Title: 'New', Price: 50 } },
        { row: row(6), value: { Title: 7 } },
      ],
      removals: [item(90, { OwnReferences: ['X', 'Y'], ShortDescription: 'Gone', BuyItNowPrice: 30 }), item(91)],
      heldRemovals: [{ item: item(92, { OwnReferences: [] }), reason: 'not certain' }],
      held: [
        { row: row(7, ['R7'], { Title: 'Typed' }), item: null, reason: 'two items' },
        { row: row(7, ['R7'], { Title: 'Typed' }), item: item(70, { ShortDescription: 'Live' }), reason: 'why' },
      ],
      pending: [{ row: row(8), item: item(80), reason: 'on its way' }],
      byHand: [
        {
          row: row(4),
          item: item(40, { ShortDescription: 'Bowl' }),
          differences: [
            { field: 'Title', live: 'Bowl', wanted: 'Cup' },
            { field: 'VAT', live: undefined, wanted: 25 },
          ],
        },
      ],
    },
    match: { shop: [1, 2, 3], missing: [1, 2], withoutReference: 4 },
  })

  it('are in the order of sending, then what is not sent', () => {
    const shown = [...syncRows(all)]
    expect(shown.map(({ Line, Action, Id, OwnReference, Title }) => [Line, Action, Id, OwnReference, Title])).to.deep.equal([
      [1, 'reprice', 10, 'R1', 'T1'],
      [2, 'reprice', 20, 'A|B', 'T2'],
      [3, 'restock', 30, 'R3', null],
      [4, 'restock', 40, 'R4', null],
      [5, 'add', null, null, 'New'],
      [6, 'add', null, 'R6', null],
      [0, 'remove', 90, 'X|Y', 'Gone'],
      [0, 'remove', 91, null, null],
      [0, 'remove', 92, null, null],
      [4, 'by-hand', 40, 'R4', 'Bowl'],
      [4, 'by-hand', 40, 'R4', 'Bowl'],
      [7, null, null, 'R7', 'Typed'],
      [7, null, 70, 'R7', 'Live'],
      [8, null, 80, 'R8', null],
    ])
    expect(
      shown.map(({ Field, Live, Wanted, State, Limit, Reason }) => [Field, Live, Wanted, State, Limit, Reason]),
    ).to.deep.equal([
      ['Price', 100, 110, 'change', null, null],
      ['Price', 100, 110, 'held', 'max_change', 'too much'],
      ['AbsoluteQuantity', 1, 5, 'change', null, null],
      ['AbsoluteQuantity', 1, 5, 'held', null, 'not there'],
      ['Price', null, 50, 'change', null, null],
      ['Price', null, null, 'change', null, null],
      ['Price', 30, null, 'change', null, null],
      ['Price', null, null, 'change', null, null],
      ['Price', null, null, 'held', null, 'not certain'],
      ['Title', 'Bowl', 'Cup', 'by-hand', null, null],
      ['VAT', null, 25, 'by-hand', null, null],
      [null, null, null, 'held', null, 'two items'],
      [null, null, null, 'held', null, 'why'],
      [null, null, null, 'pending', null, 'on its way'],
    ])
  })

  it('add up to the summary, in which a row with several differences counts once', () => {
    expect(summaryOf(all)).to.deep.equal({
      Rows: 8,
      Items: 3,
      Add: 2,
      Reprice: 1,
      Restock: 1,
      Remove: 2,
      Held: 2 + 1 + 1 + 2 + 4 + 1,
      Pending: 1,
      ByHand: 2,
      Unchanged: 0,
      Missing: 2,
      WithoutReference: 4,
      Calls: 3 + 2 + 2 + 2,
      Stopped: null,
    })
    const quiet = made({ rows: [row(1), row(2), row(3)], prices: [price(2, 'change')] })
    expect(summaryOf(quiet)).to.include({ Rows: 3, Unchanged: 2 })
    const pending = made({ rows: [row(1), row(2)], plan: { pending: [{ row: row(2), item: null, reason: 'r' }] } })
    expect(summaryOf(pending)).to.include({ Pending: 1, Unchanged: 1 })
  })

  it('are stopped by a guard over all prices before those over what is added, removed or restocked', () => {
    expect(summaryOf(made({ stopped: TOO_MANY })).Stopped).to.equal(TOO_MANY)
    const Stopped = { Limit: 'max_same', Reason: 'all alike' }
    expect(summaryOf(made({ priceSummary: { Stopped }, stopped: TOO_MANY })).Stopped).to.equal(Stopped)
  })

  it('that are added and removed go with what they need to be written back', () => {
    const parts = partRows(all)
    expect([...parts['add-shop']]).to.deep.equal([
      { line: 5, id: 0, ownReference: null, payload: { Title: 'New', Price: 50 }, extra: ['x5'] },
      { line: 6, id: 0, ownReference: 'R6', payload: { Title: 7 }, extra: ['x6'] },
      { line: 7, id: 0, ownReference: 'R7', title: null, payload: { Title: 'Typed' }, held: 'two items', extra: ['x7'] },
      { line: 7, id: 0, ownReference: 'R7', title: 'Live', payload: { Title: 'Typed' }, held: 'why', extra: ['x7'] },
    ])
    expect([...parts.remove]).to.deep.equal([
      { line: 0, id: 90, ownReference: 'X|Y', title: 'Gone' },
      { line: 0, id: 91, ownReference: null, title: null },
      { line: 0, id: 92, ownReference: null, title: null, held: 'not certain' },
    ])
  })
})

describe('the question of a sync', () => {
  for (const [counts, words] of [
    [[1, 0, 0, 0], 'Send 1 new price?'],
    [[0, 2, 0, 0], 'Send 2 new stock levels?'],
    [[3, 1, 0, 0], 'Send 3 new prices and 1 new stock level?'],
    [[3, 1, 1, 1], 'Send 3 new prices, 1 new stock level, 1 new item and 1 removal?'],
    [[0, 0, 0, 2], 'Send 2 removals?'],
  ] as const) {
    const [Reprice, Restock, Add, Remove] = counts
    it(words, () => expect(questionOf({ Reprice, Restock, Add, Remove } as never)).to.equal(words))
  }
})

describe('what a sync says beside its rows', () => {
  afterEach(cleanUp)

  const rest = (planned: PlannedSync, counts: { Missing?: number; WithoutReference?: number } = {}) => {
    const { ctx, said } = fakeShop()
    tellRest(ctx, planned, { Missing: 0, WithoutReference: 0, ...counts } as never)
    return said
  }

  it('is nothing where there is nothing to say', () => expect(rest(made({}))).to.deep.equal([]))

  it('names items that are not in the catalogue, unless they are removed', () => {
    expect(rest(made({}), { Missing: 1 })).to.deep.equal([
      'note: 1 live item is not in the catalogue and stays; --remove-missing removes it.',
    ])
    expect(rest(made({}), { Missing: 2 })).to.deep.equal([
      'note: 2 live items are not in the catalogue and stay; --remove-missing removes them.',
    ])
    expect(rest(made({ removeMissing: true }), { Missing: 2 })).to.deep.equal([])
  })

  it('tells those that are being removed already from those that stay', () => {
    expect(rest(made({ plan: { leaving: 1 } }), { Missing: 1 })).to.deep.equal([
      'note: 1 live item not in the catalogue is being removed already.',
    ])
    expect(rest(made({ plan: { leaving: 2 } }), { Missing: 3 })).to.deep.equal([
      'note: 1 live item is not in the catalogue and stays; --remove-missing removes it.',
      'note: 2 live items not in the catalogue are being removed already.',
    ])
  })

  it('counts what has no own reference, and rows of items that are sold out', () => {
    expect(rest(made({ plan: { soldOut: 1 } }), { WithoutReference: 1 })).to.deep.equal([
      'note: 1 live item has no own reference and is left alone.',
      'note: 1 row with a stock of 0 names an item that is not live, so it is not added.',
    ])
    expect(rest(made({ plan: { soldOut: 2 } }), { WithoutReference: 2 })).to.deep.equal([
      'note: 2 live items have no own reference and are left alone.',
      'note: 2 rows with a stock of 0 name items that are not live, so they are not added.',
    ])
  })

  const pending = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ row: row(at + 1), item: at === 0 ? item(5) : null, reason: 'queued' }))

  it('names five rows that are on the way already', () => {
    expect(rest(made({ plan: { pending: pending(2) } }))).to.deep.equal([
      'note: 2 rows on the way already, not sent again:\n  line 1, item 5: queued\n  line 2, R2: queued',
    ])
    expect(rest(made({ plan: { pending: pending(5) } }))[0]?.split('\n')).to.have.lengthOf(6)
    const six = rest(made({ plan: { pending: pending(6) } }))[0]?.split('\n')
    expect(six).to.have.lengthOf(7)
    expect(six?.at(-1)).to.equal('  … and 1 more')
    const nameless = { row: row(9, []), item: null, reason: 'queued' }
    expect(rest(made({ plan: { pending: [nameless] } }))).to.deep.equal([
      'note: 1 row on the way already, not sent again:\n  line 9, row: queued',
    ])
  })

  it('wraps reasons to a terminal that shows errors, and not elsewhere', () => {
    const long = { plan: { pending: [{ row: row(1), item: null, reason: 'word '.repeat(12).trim() }] } }
    const lines = (errorTerminal: boolean) => {
      const { ctx, said } = fakeShop({ errorTerminal, width: 40 })
      tellRest(ctx, made(long), { Missing: 0, WithoutReference: 0 } as never)
      return said[0]?.split('\n').length
    }
    expect([lines(false), lines(true)]).to.deep.equal([2, 3])
  })

  const differing = (...values: readonly (readonly [unknown, unknown])[]) =>
    made({
      plan: {
        byHand: [{ row: row(1), item: item(5), differences: values.map(([live, wanted]) => ({ field: 'F', live, wanted })) }],
      },
    })

  it('shows both values of a field that it cannot change, cut to forty characters', () => {
    const { ctx, said } = fakeShop()
    const text = 'a'.repeat(38)
    tellByHand(ctx, differing([null, ''], ['a\n b', 5], [text, `${text}a`], [[1, 2], true]))
    expect(said).to.deep.equal([
      [
        'warn: 4 fields differ that a sync cannot change:',
        '  line 1, item 5: F is empty, not empty',
        '  line 1, item 5: F is "a b", not 5',
        `  line 1, item 5: F is "${text}", not "${text}…`,
        '  line 1, item 5: F is [1,2], not true',
      ].join('\n'),
      'hint: Change them on the website, or remove the item and add it again. All of them: --dry-run or --json.',
    ])
  })

  it('names the command that changes them where the service has one, and says nothing of none', () => {
    const { ctx, said } = fakeShop()
    tellByHand(ctx, made({}))
    expect(said).to.deep.equal([])
    tellByHand(ctx, { ...differing([1, 2]), canUpdate: true })
    expect(said).to.deep.equal([
      'warn: 1 field differs that a sync cannot change:\n  line 1, item 5: F is 1, not 2',
      'hint: Change them with: seller shop:update ID -p q. All of them: --dry-run or --json.',
    ])
    expect([...byHandRows(differing([undefined, 2]))].map(({ Live }) => Live)).to.deep.equal([null])
  })
})

describe('a sync that is shown', () => {
  afterEach(cleanUp)

  const planned = made({
    rows: [row(1), row(2)],
    prices: [price(1, 'change'), price(2, 'held', { Reason: 'too much' })],
    priceSummary: { Change: 1, Held: 1, Calls: 1 },
  })

  it('is one document for a script, with the sums on stderr', async () => {
    const { ctx, said, lists } = fakeShop()
    await showSync(ctx, planned, summaryOf(planned))
    expect(lists[0]?.rows).to.have.lengthOf(2)
    expect(lists[0]?.view.within).to.deep.include({ key: 'Rows' })
    expect(lists[0]?.view.within?.record).to.have.all.keys('Summary', 'ByHand')
    expect(said).to.have.lengthOf(1)
    expect(said[0]).to.match(/^note: 2 rows, .*\nNothing was sent\. Sending takes 1 call\.$/)
  })

  it('has for a person the held rows with their reasons below', async () => {
    const { ctx, said } = fakeShop({ human: true })
    await showSync(ctx, planned, summaryOf(planned))
    expect(said).to.have.lengthOf(1)
    expect(said[0]?.split('\n').slice(-3)).to.deep.equal(['', 'Not to be sent', '  line 2, item 20 "T2": too much'])
    const none = made({ rows: [row(1)], prices: [price(1, 'change')] })
    const quiet = fakeShop({ human: true })
    await showSync(quiet.ctx, none, summaryOf(none))
    expect(quiet.said[0]).to.match(/Sending takes 0 calls\.$/)
  })

  it('says what it leaves alone, what is to be changed by hand, and what stops it', async () => {
    const { ctx, said } = fakeShop()
    const stopped = made({
      stopped: TOO_MANY,
      plan: { byHand: [{ row: row(1), item: item(5), differences: [{ field: 'F', live: 1, wanted: 2 }] }] },
      match: { missing: [1] },
    })
    await showSync(ctx, stopped, summaryOf(stopped))
    expect(said.map((text) => text.split(':')[0])).to.deep.equal(['note', 'note', 'warn', 'hint', 'warn', 'hint'])
    expect(said[4]).to.match(/too many/i)
  })
})
