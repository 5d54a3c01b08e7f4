import { expect } from 'chai'
import { readInHalves, spansToRead } from '../../../src/actions/reports/kept.js'
import { SoapError } from '../../../src/soap/client/index.js'
import { FakeClock } from '../../jobs/harness.js'

const DAY = 86_400_000

describe('what of a period is read for a report', () => {
  it('is what is missing on both sides of what is kept', () => {
    const known = [{ from: 100, to: 200 }]
    const at = { now: 1000 * DAY }
    expect(spansToRead({ from: 50, to: 300 }, known, at)).to.deep.equal([
      { from: 50, to: 99 },
      { from: 201, to: 300 },
    ])
    expect(spansToRead({ from: 120, to: 180 }, known, at)).to.deep.equal([])
    expect(spansToRead({ from: 120, to: 180 }, known, { ...at, refresh: true })).to.deep.equal([{ from: 120, to: 180 }])
  })

  it('is again what may change, for 90 days', () => {
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

  it('is a half where a reply is too large, and every row once', async () => {
    const read = async ({ from, to }: { from: number; to: number | null }) => {
      const rows = Array.from({ length: 300 }, (_, at) => at * DAY).filter((at) => at >= from && at <= (to ?? 300 * DAY))
      if (rows.length > 120) throw new SoapError('too-large', 'It is.', { operation: 'GetSellerTransactions', sent: true })
      return rows
    }
    const notes: string[] = []
    const ctx = { clock: new FakeClock(), output: { note: (text: string) => void notes.push(text) } as never }
    const rows = await readInHalves(ctx, { from: 0, to: 300 * DAY }, read, (at) => at)
    expect([rows.length, notes.length]).to.deep.equal([300, 3])
    expect(notes[0]).to.include('was too large')
  })
})
