/** The progress of a job: a bar while it sends, a spinner while it waits, and the words for Ctrl-C at any moment. */
import { expect } from 'chai'
import { RunProgress } from '../../../src/actions/jobs/progress.js'
import type { Context } from '../../../src/cli/context.js'
import type { BulkJob, BulkProgress } from '../../../src/jobs/bulk/index.js'
import { noCounts } from '../../../src/jobs/ledger/counts.js'

const COUNTS = { unsent: 10, sending: 1, queued: 2, ok: 3, failed: 4, retryable: 5, unknown: 6, held: 7, skipped: 8 }

describe('the progress of a job', () => {
  const begin = (counts: Partial<BulkJob['Counts']>, run: { retryFailed?: boolean; unknown?: string; name?: string } = {}) => {
    const shown: unknown[] = []
    const said: unknown[] = []
    const ctx = {
      output: {
        progress: (options: unknown) => {
          shown.push(options)
          return { update: (state: unknown) => shown.push(state), stop: () => shown.push('stop') }
        },
      },
      ifInterrupted: (words: unknown) => said.push(words),
    } as unknown as Context
    const Counts = { ...noCounts(), ...counts }
    const Rows = Object.values(Counts).reduce((sum, count) => sum + count, 0)
    const progress = new RunProgress(ctx, { JobId: 7, Counts, Rows } as BulkJob, { next: 'seller go', ...run })
    return { progress, shown, said }
  }
  const step = (more: Partial<BulkProgress>): BulkProgress => ({
    phase: 'sending',
    rows: 31,
    sent: 20,
    pending: 0,
    failed: 0,
    calls: 1,
    rowsPerSecond: 0,
    leftMs: null,
    nextLookMs: null,
    problem: null,
    ...more,
  })

  for (const [name, run, total, sent] of [
    ['what is unsent', {}, 11, 20],
    ['failed rows too, where they are sent again', { retryFailed: true }, 20, 11],
    ['rows of unknown outcome too, where they are sent again', { unknown: 'send-again' }, 17, 14],
    ['no rows that are taken as sent', { unknown: 'assume-sent' }, 11, 20],
    ['all of these', { retryFailed: true, unknown: 'send-again' }, 26, 5],
  ] as const) {
    it(`is a bar of ${name}`, () => {
      const { shown, said } = begin(COUNTS, run)
      expect(shown).to.deep.equal([{ kind: 'bar', text: 'Sending', total, unit: 'rows' }])
      const words = `Job 7: ${sent} of 31 rows were sent. The ledger has recorded them.`
      expect(said).to.deep.equal([{ sent: words, next: 'seller go' }])
    })
  }

  it('has no bar where nothing is to be sent, and no words before', () => {
    expect(begin({ queued: 2, held: 4 }).shown).to.deep.equal([])
    expect(begin({ unsent: 1 }).shown).to.have.length(1)
  })

  it('goes by the name of what is sent', () => {
    expect(begin({ unsent: 1 }, { name: 'Job 3, prices' }).said[0]).to.have.property(
      'sent',
      'Job 3, prices: 0 of 1 row were sent. The ledger has recorded them.',
    )
  })

  it('moves by the rows that this run has sent, never below none', () => {
    const { progress, shown, said } = begin(COUNTS)
    progress.update(step({ sent: 20 }))
    progress.update(step({ sent: 25, calls: 3, failed: 2 }))
    progress.update(step({ sent: 10 }))
    expect(shown.slice(1)).to.deep.equal([
      { done: 0, calls: 1, text: 'Sending' },
      { done: 5, calls: 3, text: 'Sending (2 failed)' },
      { done: 0, calls: 1, text: 'Sending' },
    ])
    expect(said.at(-2)).to.have.property('sent', 'Job 7: 25 of 31 rows were sent. The ledger has recorded them.')
  })

  it('becomes a spinner once it waits, with what is known of the wait', () => {
    const { progress, shown } = begin({ unsent: 1 })
    const waiting = (more: Partial<BulkProgress>) => progress.update(step({ phase: 'waiting', rows: 1, sent: 1, ...more }))
    waiting({ pending: 1 })
    waiting({ pending: 2, nextLookMs: 5000 })
    waiting({ pending: 0, nextLookMs: 5000 })
    waiting({ pending: 2, failed: 3, nextLookMs: null, problem: 'nobody answers' })
    expect(shown.slice(1)).to.deep.equal([
      { kind: 'spinner', text: 'Waiting for results' },
      { text: 'Waiting for 1 result' },
      { text: 'Waiting for 2 results, next look in 5 s' },
      { text: 'Waiting for 0 results' },
      { text: 'Waiting for 2 results, 3 failed (nobody answers)' },
    ])
  })

  it('begins with what comes first, and may be put away before it begins', () => {
    const { progress, shown } = begin({ queued: 2 })
    progress.stop()
    progress.update(step({ phase: 'waiting', pending: 2 }))
    progress.stop()
    expect(shown).to.deep.equal([{ kind: 'spinner', text: 'Waiting for results' }, { text: 'Waiting for 2 results' }, 'stop'])
  })
})
