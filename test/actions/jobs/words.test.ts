/** What is printed about a job after it ran: why it stopped, how to continue, how to undo it. */
import { expect } from 'chai'
import { errorOfStop, hintUndo, printDifferences, resumeCommand, type Stopped } from '../../../src/actions/jobs/words.js'
import type { Context } from '../../../src/cli/context.js'
import { EXIT, SellerError } from '../../../src/cli/errors.js'
import { thousands } from '../../../src/format/output/index.js'
import type { BulkJob } from '../../../src/jobs/bulk/index.js'
import { noCounts } from '../../../src/jobs/ledger/counts.js'

describe('the words about a job', () => {
  const speaking = () => {
    const lines: string[] = []
    const output = {
      note: (text: string) => lines.push(text),
      warn: (text: string) => lines.push(`! ${text}`),
      hint: (text: string) => lines.push(`? ${text}`),
    }
    return { lines, ctx: { output, profileFlag: () => ' -p q' } as unknown as Context }
  }
  const job = (counts: Partial<BulkJob['Counts']>, more: Partial<BulkJob> = {}): BulkJob => {
    const Counts = { ...noCounts(), ...counts }
    const Rows = Object.values(Counts).reduce((sum, count) => sum + count, 0)
    return { JobId: 7, Kind: 'price', State: 'open', Blind: false, UndoOf: null, SaleId: null, Counts, Rows, ...more } as BulkJob
  }

  it('name the command that goes on, with --wait where it waited', () => {
    const { ctx } = speaking()
    expect(resumeCommand(ctx, 7, false)).to.equal('seller jobs:resume 7 -p q')
    expect(resumeCommand(ctx, 7, true)).to.equal('seller jobs:resume 7 --wait -p q')
  })

  for (const [name, counts, more, hints] of [
    ['carried out', { ok: 1 }, {}, 1],
    ['queued', { queued: 1 }, {}, 1],
    ['failed', { failed: 3 }, {}, 0],
    ['carried out blind', { ok: 1 }, { Blind: true }, 0],
    ['carried out as an undo', { ok: 1 }, { UndoOf: 3 }, 0],
    ['carried out on auctions', { ok: 1 }, { Kind: 'auction-price' }, 1],
    ['carried out for a sale', { ok: 1 }, { SaleId: 2 }, 0],
    ['removed', { ok: 1 }, { Kind: 'remove' }, 0],
    ['added', { ok: 1 }, { Kind: 'add-shop' }, 0],
  ] as const) {
    it(`${hints === 0 ? 'do not offer' : 'offer'} to take back what was ${name}`, () => {
      const { ctx, lines } = speaking()
      hintUndo(ctx, job(counts, more as Partial<BulkJob>))
      expect(lines).to.deep.equal(hints === 0 ? [] : ['? Restore the old prices with: seller jobs:undo 7 -p q'])
    })
  }

  describe('that stopped', () => {
    const cause = new SellerError('connection_lost', 'The service says no.', 'Mend it.')
    const stopped = (counts: Partial<BulkJob['Counts']>, more: Partial<Stopped> = {}) =>
      errorOfStop(speaking().ctx, job(counts), { stop: 'network', error: cause, verdict: EXIT.failure, wait: false, ...more })

    it('count the rows that were answered, without those that were never to be sent', () => {
      expect(stopped({ ok: 2, queued: 1, unsent: 4, held: 5, skipped: 6 }).message).to.equal(
        'The service says no.\nJob 7: the service has answered for 3 of 7 rows.',
      )
      expect(stopped({ ok: 1500, unsent: 1500 }).message).to.contain(`${thousands(1500)} of ${thousands(3000)} rows`)
    })

    it('never call rows unsent whose call left', () => {
      expect(stopped({ ok: 1, sending: 1 }).message).to.match(/1 of 2 rows; 1 row was sent without an answer, and may have been/)
      expect(stopped({ sending: 2, unsent: 1 }).message).to.match(/0 of 3 rows; 2 rows were sent without an answer/)
    })

    it('say that results are still to come where everything was sent', () => {
      expect(stopped({ queued: 2 }).message).to.contain('Job 7: everything was sent, and results are still to come.')
    })

    it('give the hint of the cause first where it must be followed first', () => {
      for (const stop of ['budget', 'refused'] as const) {
        expect(stopped({ unsent: 1 }, { stop }).hint).to.equal('Mend it. Then continue with: seller jobs:resume 7 -p q')
      }
      for (const stop of ['network', 'quota', 'fault'] as const) {
        const { hint } = stopped({ unsent: 1 }, { stop })
        expect(hint).to.not.contain('Mend it')
        expect(hint).to.match(/ontinue with: seller jobs:resume 7 -p q$/)
      }
    })

    it('end with the exit code of the rows where that says more than a failure', () => {
      expect(stopped({ unsent: 1 }).exitCode).to.equal(cause.exitCode)
      expect(stopped({ unsent: 1 }, { verdict: EXIT.unknownOutcome }).exitCode).to.equal(EXIT.unknownOutcome)
      expect(stopped({ unsent: 1 }).details).to.deep.include({ jobId: 7, state: 'open' })
    })

    it('are one word where it was interrupted', () => {
      const error = stopped({ unsent: 1 }, { stop: 'interrupted', wait: true })
      expect(error).to.include({ code: 'interrupted', message: 'Interrupted.', exitCode: 130 })
      expect(error.hint).to.equal('Continue with: seller jobs:resume 7 --wait -p q')
    })
  })

  it('name each difference from the live list, and which may still change', () => {
    const { ctx, lines } = speaking()
    printDifferences(ctx, { Checked: 3, Differences: [] })
    printDifferences(ctx, {
      Checked: 3,
      Differences: [
        { Row: 1, Id: 11, Field: 'BuyItNowPrice', Expected: null, Live: 5, State: 'ok' },
        { Row: 2, Id: 12, Field: 'BuyItNowPrice', Expected: 9, Live: null, State: 'queued' },
      ],
    })
    expect(lines).to.deep.equal([
      'Verified: all 3 rows are live as they should be.',
      '! 2 differences in 3 rows:\n  item 11: BuyItNowPrice is 5, not none\n  item 12: BuyItNowPrice is none, not 9 (still queued)',
    ])
  })
})
