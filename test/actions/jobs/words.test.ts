/** What is printed about a job after it ran: why it stopped, how to continue, how to undo it. */
import { expect } from 'chai'
import {
  errorOfStop,
  hintUndo,
  printDifferences,
  resumeCommand,
  type Stopped,
  warnHeldRows,
  warnSkippedRows,
  warnUnfinishedRows,
} from '../../../src/actions/jobs/words.js'
import type { Context } from '../../../src/cli/context.js'
import { EXIT, SellerError } from '../../../src/cli/errors.js'
import { thousands } from '../../../src/format/output/index.js'
import type { BulkJob } from '../../../src/jobs/bulk/index.js'
import type { Ledger } from '../../../src/jobs/index.js'
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
    return {
      JobId: 7,
      Kind: 'price',
      State: 'open',
      Blind: false,
      UndoOf: null,
      DiscountId: null,
      Counts,
      Rows,
      ...more,
    } as BulkJob
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
    ['carried out for a sale', { ok: 1 }, { DiscountId: 2 }, 0],
    ['removed', { ok: 1 }, { Kind: 'remove' }, 0],
    ['added', { ok: 1 }, { Kind: 'add-shop' }, 0],
  ] as const) {
    it(`${hints === 0 ? 'do not offer' : 'offer'} to take back what was ${name}`, () => {
      const { ctx, lines } = speaking()
      hintUndo(ctx, job(counts, more as Partial<BulkJob>))
      expect(lines).to.deep.equal(hints === 0 ? [] : ['? Restore the old prices with: seller jobs:undo 7 -p q'])
    })
  }

  /** A ledger that has no rows of the job: the counts alone are what these words go by. */
  const ledger = { jobs: { detail: () => ({ form: { kind: 'csv' } }) }, store: { all: () => [] } } as unknown as Ledger

  const STOPPED = { Limit: 'max_held', Reason: 'Too many rows are held' } as never
  for (const [name, counts, more, stopped, offered] of [
    ['a price job', { held: 2 }, {}, null, true],
    ['a job of auctions', { held: 2 }, { Kind: 'auction-price' }, null, true],
    ['a job of numbers', { held: 2 }, { Kind: 'stock' }, null, false],
    ['an undo', { held: 2 }, { UndoOf: 3 }, null, false],
    ['a sale', { held: 2 }, { DiscountId: 2 }, null, false],
    ['a plan that is stopped as a whole', { held: 2 }, {}, STOPPED, false],
  ] as const) {
    it(`${offered ? 'offer' : 'do not offer'} to let held rows of ${name} through`, () => {
      const { ctx, lines } = speaking()
      warnHeldRows(ctx, ledger, job(counts, more as Partial<BulkJob>), {
        heldFile: 'held.csv',
        stopped,
        heldBy: { min_margin: 1, moved: 1 },
      })
      expect(lines).to.deep.equal([
        '! 2 rows held, not sent. See held.csv, with the reason beside each.\n  … and 2 more',
        ...(offered
          ? [
              '? Held rows are not sent. Correct them and send that file, widen what holds them (--min-margin PERCENT|off), or let an exact price through by a column _Allow.',
            ]
          : []),
      ])
    })
  }

  it('are none of held rows where none are, and go by the parts that hold them', () => {
    const { ctx, lines } = speaking()
    warnHeldRows(ctx, ledger, job({ ok: 1 }), { heldFile: null, stopped: null })
    expect(lines).to.deep.equal([])
    const parts = [job({ ok: 3 }), job({ held: 1 }, { Kind: 'stock' })]
    warnHeldRows(ctx, ledger, job({ held: 1 }), { heldFile: null, stopped: null, parts })
    expect(lines).to.deep.equal(['! 1 row held, not sent.\n  … and 1 more'])
  })

  it('say what was not sent because it is not live, in the right number', () => {
    const { ctx, lines } = speaking()
    warnSkippedRows(ctx, ledger, job({ ok: 3 }))
    expect(lines).to.deep.equal([])
    warnSkippedRows(ctx, ledger, job({ skipped: 1 }))
    warnSkippedRows(ctx, ledger, job({ skipped: 2 }))
    expect(lines.filter((line) => line.startsWith('!'))).to.deep.equal([
      '! 1 row names an item that is not live; nothing was sent for it.\n  … and 1 more',
      '! 2 rows name items that are not live; nothing was sent for them.\n  … and 2 more',
    ])
  })

  for (const [name, counts, timedOut, failedFile, said] of [
    ['nothing', { ok: 3 }, false, null, []],
    [
      'failed rows',
      { failed: 1 },
      false,
      null,
      ['! 1 row failed.\n  … and 1 more', '? All of them: seller jobs:show 7 --failed -p q'],
    ],
    [
      'a file of them',
      { failed: 1 },
      false,
      'f.csv',
      ['! 1 row failed.\n  … and 1 more', '? They are in f.csv, with the reason.'],
    ],
    [
      'those that can be sent again',
      { failed: 1, retryable: 1 },
      false,
      'f.csv',
      [
        '! 2 rows failed.\n  … and 2 more',
        '? They are in f.csv, with the reason.',
        '? Send them again with: seller jobs:resume 7 --retry-failed -p q',
      ],
    ],
    ['queued rows', { queued: 2 }, false, null, ['? Queued. Wait for the outcome with: seller jobs:resume 7 --wait -p q']],
    [
      'queued rows when the time is up',
      { queued: 2 },
      true,
      null,
      ['! Still waiting for 2 results when the time was up.', '? Continue with: seller jobs:resume 7 --wait -p q'],
    ],
    ['no wait where rows are still to be sent', { queued: 2, unsent: 1 }, true, null, []],
    ['no wait where a row is on the way', { queued: 2, sending: 1 }, false, null, []],
  ] as const) {
    it(`say of what is unfinished: ${name}`, () => {
      const { ctx, lines } = speaking()
      warnUnfinishedRows(ctx, job(counts), { ledger, timedOut, failedFile })
      expect(lines).to.deep.equal(said)
    })
  }

  it('never say that rows whose reply was lost were not sent', () => {
    const { ctx, lines } = speaking()
    warnUnfinishedRows(ctx, job({ unknown: 1 }), { ledger, timedOut: false, failedFile: null })
    expect(lines[0]).to.include('1 row sent, but the reply was lost.').and.include('Nothing is sent again automatically.')
    expect(lines.slice(1)).to.deep.equal(['? What to check: seller jobs:resume 7 -p q'])
  })

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
