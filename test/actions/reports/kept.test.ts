import { expect } from 'chai'
import { readSpan, spansToRead } from '../../../src/actions/reports/kept.js'
import type { Context } from '../../../src/cli/context.js'
import { dateTimeOf, instantOf } from '../../../src/contract/index.js'
import { openSales } from '../../../src/jobs/ledger/transactions.js'
import { SoapError } from '../../../src/soap/client/index.js'
import { cleanUp, FakeClock, temporaryLedger, thrown } from '../../jobs/harness.js'

const DAY = 86_400_000
const clock = new FakeClock()
const now = clock.time
const OWNER = { profile: 'shop', address: 'https://api.example.com', userId: 7 }

/** A service with a sale at each of some times, that answers by `answer` what lies in a span. */
function serviceWith(times: readonly number[], answer: (found: readonly number[]) => readonly number[] = (found) => found) {
  const spans: { from: number; to: number }[] = []
  const stream = async function* (_name: string, { request }: { request: Record<string, string> }) {
    const [from, to] = [instantOf(request.MinTransactionDate ?? ''), instantOf(request.MaxTransactionDate ?? '')]
    spans.push({ from, to })
    for (const at of answer(times.filter((time) => time >= from && time <= to))) {
      const date = dateTimeOf(at)
      const marks = { IsMarkedAsPaidConfirmed: true, IsMarkedAsShipped: true, IsFeedbackLeftBySeller: true }
      yield { Id: times.indexOf(at) + 1, Date: date, LastUpdatedDate: date, Amount: 10, ...marks }
    }
  }
  const ledger = temporaryLedger(clock)
  const ctx = {
    clock,
    signal: new AbortController().signal,
    output: { note: () => undefined, progress: () => ({ update: () => undefined, stop: () => undefined }) },
    client: async () => ({ stream }),
  } as unknown as Context
  return { ctx, spans, kept: openSales(ledger, OWNER) }
}

describe('reading transactions for a report', () => {
  afterEach(cleanUp)
  const year = { from: now - 500 * DAY, to: now - 135 * DAY }
  const spread = (count: number): number[] =>
    Array.from({ length: count }, (_, at) => year.from + at * Math.floor((365 * DAY) / count))

  it('takes one call for a year, and none when it was read', async () => {
    const { ctx, spans, kept } = serviceWith(spread(751))
    await readSpan(ctx, kept, year, {})
    expect(kept.list(year)).to.have.lengthOf(751)
    await readSpan(ctx, kept, year, {})
    expect(spans).to.have.lengthOf(1)
  })

  it('finds all sales of a service that cuts its replies without a word', async () => {
    for (const most of [250, 1000]) {
      const times = spread(2600)
      const { ctx, spans, kept } = serviceWith(times, (found) => found.slice(0, most))
      await readSpan(ctx, kept, year, {})
      expect(kept.list(year), `cut at ${most}`).to.have.lengthOf(2600)
      expect(spans.length).to.be.lessThan(40)
      cleanUp()
    }
  })

  it('takes two calls more for a round number of sales that is chance', async () => {
    const { ctx, spans, kept } = serviceWith(spread(650))
    await readSpan(ctx, kept, year, {})
    expect([kept.list(year).length, spans.length]).to.deep.equal([650, 3])
  })

  it('halves a span whose reply is too large or too slow', async () => {
    for (const kind of ['too-large', 'interrupted'] as const) {
      const { ctx, kept } = serviceWith(spread(777), (found) => {
        if (found.length > 200) throw new SoapError(kind, 'It is.', { operation: 'GetSellerTransactions', sent: true })
        return found
      })
      await readSpan(ctx, kept, year, {})
      expect(kept.list(year), kind).to.have.lengthOf(777)
      cleanUp()
    }
  })

  it('gives up where its halves fail too, and keeps what was read before', async () => {
    const times = spread(50)
    let calls = 0
    const { ctx, kept } = serviceWith(times, (found) => {
      calls++
      if (calls > 1) throw new SoapError('interrupted', 'It was lost.', { operation: 'GetSellerTransactions', sent: true })
      return found
    })
    const first = { from: year.from, to: year.from + 100 * DAY }
    await readSpan(ctx, kept, first, {})
    expect(await thrown(() => readSpan(ctx, kept, year, {}))).to.be.instanceOf(SoapError)
    expect(calls, 'a dead network is not asked for each hour').to.be.lessThan(9)
    expect(kept.spans()).to.deep.equal([first])
    expect(kept.list(year).length).to.be.greaterThan(10)
  })

  it('reads again what may have changed, and never takes the last day as read', async () => {
    const { ctx, spans, kept } = serviceWith([now - 100 * DAY, now - 50 * DAY, now - 1000])
    const span = { from: now - 200 * DAY, to: now }
    await readSpan(ctx, kept, span, {})
    expect(kept.spans()).to.deep.equal([{ from: span.from, to: now - DAY }])
    await readSpan(ctx, kept, span, {})
    expect(spans[1]).to.deep.equal({ from: now - 90 * DAY, to: now })
    await readSpan(ctx, kept, span, { refresh: true })
    expect(spans[2]).to.deep.equal(span)
    expect(spans).to.have.lengthOf(3)
  })

  it('makes no call offline, and names what is missing', async () => {
    const { ctx, spans, kept } = serviceWith([])
    expect(await readSpan(ctx, kept, year, { offline: true })).to.deep.equal([year])
    expect(spans).to.deep.equal([])
  })

  it('reads what is missing on both sides of what is kept', () => {
    const known = [{ from: 100, to: 200 }]
    const at = { now: 1000 * DAY }
    expect(spansToRead({ from: 50, to: 300 }, known, at)).to.deep.equal([
      { from: 50, to: 99 },
      { from: 201, to: 300 },
    ])
    expect(spansToRead({ from: 120, to: 180 }, known, at)).to.deep.equal([])
    expect(spansToRead({ from: 120, to: 180 }, known, { ...at, refresh: true })).to.deep.equal([{ from: 120, to: 180 }])
  })

  it('reads again what may change, for 90 days', () => {
    const at = 1000 * DAY
    const spans = (from: number, to: number, known: readonly { from: number; to: number }[], refresh = false) =>
      spansToRead(
        { from: from * DAY, to: to * DAY },
        known.map((span) => ({ from: span.from * DAY, to: span.to * DAY })),
        { now: at, refresh },
      ).map((span) => [span.from / DAY, span.to / DAY])
    expect(spans(100, 200, [{ from: 100, to: 200 }])).to.deep.equal([])
    expect(spans(100, 200, [{ from: 100, to: 200 }], true)).to.deep.equal([[100, 200]])
    expect(spans(800, 1000, [{ from: 800, to: 1000 }])).to.deep.equal([[910, 1000]])
    expect(spans(950, 1000, [{ from: 950, to: 1000 }])).to.deep.equal([[950, 1000]])
    expect(spans(800, 910, [{ from: 800, to: 910 }])).to.deep.equal([[910, 910]])
    expect(spans(800, 909, [{ from: 800, to: 909 }])).to.deep.equal([])
  })
})
