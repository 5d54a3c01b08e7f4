/** Plans of prices as a person reads them: rows, totals, the largest moves, reasons and the distribution. */
import { expect } from 'chai'
import type { Canvas, Paint } from '../../src/format/output/types.js'
import {
  type AuctionPlanRowShown,
  auctionPlanView,
  changeHistogram,
  largestMoves,
  type PlanSummaryShown,
  planSummary,
  type ReasonShown,
  reasonLines,
} from '../../src/format/views/plans.js'
import { type PriceEventShown, priceChart } from '../../src/format/views/price-history.js'
import { cellsOf, PLAIN, TAGS } from './cells.js'
import { PLAN_ROW } from './records.js'

const UNKNOWN = { OldPrice: null, Change: null, Percent: null }
const SUMMARY: PlanSummaryShown = { Rows: 5000, Change: 4812, Unchanged: 0, Unknown: 0, Held: 0, Calls: 10 }

describe('rows of a plan', () => {
  it('show each price of an auction, and the fee if there is one', () => {
    const row: AuctionPlanRowShown = {
      ...{ Line: 1, Id: 7, Title: 'Vas', OldOpeningPrice: 100, OpeningPrice: 80, OldReservedPrice: null, ReservedPrice: 900 },
      ...{ OldBinPrice: 1200, BinPrice: null, Fee: 40, State: 'change', Code: null, Values: null, Reason: null },
    }
    expect(cellsOf(auctionPlanView, row)).to.include({
      OpeningPrice: '100 kr > 80 kr',
      ReservedPrice: 'none > 900 kr',
      BinPrice: '1 200 kr > none',
      Fee: '40 kr',
    })
    const same = { ...row, OpeningPrice: 100, ReservedPrice: null, Fee: 0 }
    expect(cellsOf(auctionPlanView, same)).to.include({ OpeningPrice: '100 kr', ReservedPrice: 'none', Fee: '' })
  })
})

describe('the totals of a plan', () => {
  for (const [summary, text] of [
    [
      { Rows: 1, Change: 1, OldTotal: 0, NewTotal: 300 },
      '1 row: 1 to change.\nSum of what changes: 0 kr to 300 kr (no price before).',
    ],
    [{ Rows: 1, Change: 0, OldTotal: 400, NewTotal: 400 }, '1 row: 0 to change.'],
    [{ Rows: 1, Change: 1, OldTotal: null, NewTotal: 400 }, '1 row: 1 to change.'],
  ] as const) {
    it(`are ${JSON.stringify(text)}`, () => {
      expect(planSummary({ ...SUMMARY, ...summary }, 'kr')).to.equal(text)
    })
  }

  it('say what was done instead', () => {
    expect(planSummary({ ...SUMMARY, Held: 1 }, 'kr', 'changed')).to.equal('5 000 rows: 4 812 changed, 1 held.')
  })
})

const canvas = (paint: Paint): Canvas => ({ width: 60, paint, plain: false, unit: 'kr' })

describe('the largest moves', () => {
  it('are in columns, with the direction and the title', () => {
    const rows = [PLAN_ROW, { ...PLAN_ROW, Id: 7, Title: 'Vas\u001b[31m', OldPrice: 10_000, NewPrice: 9000, Percent: -10.5 }]
    expect(largestMoves(rows, canvas(PLAIN)).split('\n')).to.deep.equal([
      'Largest moves',
      '1001       400 kr to 500 kr    +25 %  Lamp',
      '   7  10 000 kr to 9 000 kr  -10.5 %  Vas␛[31m',
    ])
    const [title, up, down] = largestMoves(rows, canvas(TAGS)).split('\n')
    expect(title).to.equal('<bold>Largest moves')
    expect(up).to.include('<green>  +25 %')
    expect(down).to.include('<red>-10.5 %')
  })

  it('need no title, but an old price', () => {
    const lines = 'Largest moves\n1001  400 kr to 500 kr  +25 %'
    expect(
      largestMoves(
        [
          { ...PLAN_ROW, ...UNKNOWN },
          { ...PLAN_ROW, Title: null },
        ],
        canvas(PLAIN),
      ),
    ).to.equal(lines)
    expect(largestMoves([{ ...PLAN_ROW, ...UNKNOWN }], canvas(PLAIN))).to.equal('')
  })
})

describe('reasons', () => {
  const row: ReasonShown = { Line: 2, Id: 1001, Reason: 'too far' }
  for (const [what, given, line] of [
    ['only its line', { Id: null }, 'line 2, row: too far'],
    ['no reason', { Reason: null }, 'line 2, item 1001: '],
  ] as const) {
    it(`name a row by ${what}`, () => {
      expect(reasonLines([{ ...row, ...given }])).to.deep.equal([`  ${line}`])
    })
  }

  it('are broken between words in a terminal', () => {
    const long = { ...row, Reason: 'the new price is a tenth of the old one' }
    expect(reasonLines([long], 30)).to.deep.equal(['  line 2, item 1001: the new', '    price is a tenth of the', '    old one'])
    expect(reasonLines([long], 5), 'never into less than 20 columns').to.deep.equal(reasonLines([long], 24))
  })
})

describe('the distribution of changes', () => {
  const bars = [
    { From: null, To: -90, Rows: 1 },
    { From: -5, To: 0, Rows: 2 },
    { From: 0, To: 5, Rows: 4 },
    { From: 900, To: null, Rows: 1 },
  ]

  it('has a bar for each range, what falls in red and what rises in green', () => {
    const [title, ...lines] = changeHistogram(bars, canvas(PLAIN)).split('\n')
    expect(title).to.equal('Changes in per cent')
    expect(lines.map((line) => line.split('│')[0]?.trim())).to.deep.equal(['below -90', '-5 to 0', '0 to +5', '+900 and more'])
    const toned = changeHistogram(bars, canvas(TAGS)).split('\n').slice(1)
    expect(toned.map((line) => /<(\w+)>/.exec(line)?.[1])).to.deep.equal(['red', 'red', 'green', 'green'])
  })

  it('is empty where nothing changes', () => {
    expect(changeHistogram([], canvas(PLAIN))).to.equal('')
  })
})

describe('the history of a price', () => {
  const event = (At: string, NewPrice: number | null): PriceEventShown => ({
    ...{ At, ItemId: 1, OldPrice: null, NewPrice, Change: null, Source: 'first', JobId: null, Title: null },
  })
  const axis = (events: readonly PriceEventShown[], now: string) =>
    priceChart(events, { width: 80, unit: 'kr', now: Date.parse(now) })
      .split('\n')
      .at(-1)
      ?.trim()
      .split(/ {2,}/)

  it('has minutes on its axis for less than three days, else days', () => {
    const events = [event('2026-11-20T10:00:00Z', 100), event('2026-11-21T10:00:00Z', 120)]
    expect(axis(events, '2026-11-23T09:59:00Z')).to.deep.equal(['2026-11-20 11:00', '2026-11-23 10:59'])
    expect(axis(events, '2026-11-23T10:00:00Z')).to.deep.equal(['2026-11-20', '2026-11-23'])
  })

  it('ends with its last event where the clock is behind', () => {
    const events = [event('2026-11-20T10:00:00Z', 100), event('2026-11-21T10:00:00Z', 120)]
    expect(axis(events, '2026-11-20T12:00:00Z')).to.deep.equal(['2026-11-20 11:00', '2026-11-21 11:00'])
  })
})
