/** The progress of a job: a bar while it sends, a spinner while it waits, and the text for Ctrl-C at any moment. */

import type { Context } from '../../cli/context.js'
import { countOf } from '../../contract/numbers.js'
import { type Progress, thousands } from '../../format/output/index.js'
import type { BulkJob, BulkProgress } from '../../jobs/bulk/index.js'
import type { Command } from '../../messages/index.js'
import { durationText } from '../../system/durations.js'

export class RunProgress {
  readonly #ctx: Context
  /** Name of the rows being sent, for Ctrl-C. */
  readonly #name: string
  /** The command that continues after Ctrl-C. */
  readonly #next: Command
  /** Rows that this run will send. */
  readonly #toSend: number
  #progress: Progress | undefined
  #phase: BulkProgress['phase'] | undefined

  constructor(
    ctx: Context,
    job: BulkJob,
    run: { retryFailed?: boolean | undefined; unknown?: string | undefined; next: Command; name?: string | undefined },
  ) {
    const { unsent, sending, failed, retryable, unknown, held, skipped } = job.Counts
    const rows = job.Rows - held - skipped
    this.#ctx = ctx
    this.#name = run.name ?? `Job ${job.JobId}`
    this.#next = run.next
    this.#toSend =
      unsent + sending + (run.retryFailed === true ? failed + retryable : 0) + (run.unknown === 'send-again' ? unknown : 0)
    this.#say(rows - this.#toSend, rows)
    if (this.#toSend > 0) this.#begin('sending')
  }

  update(step: BulkProgress): void {
    const { phase, rows, sent, pending, failed, calls, nextLookMs, problem } = step
    this.#say(sent, rows)
    if (phase !== this.#phase) this.#begin(phase)
    if (phase === 'sending') {
      const text = failed === 0 ? 'Sending' : `Sending (${thousands(failed)} failed)`
      this.#progress?.update({ done: Math.max(0, this.#toSend - (rows - sent)), calls, text })
      return
    }
    const nextLook = nextLookMs === null || pending === 0 ? '' : `, next look in ${durationText(nextLookMs)}`
    const bad = failed === 0 ? '' : `, ${thousands(failed)} failed`
    this.#progress?.update({
      text: `Waiting for ${countOf(pending, 'result')}${bad}${nextLook}${problem === null ? '' : ` (${problem})`}`,
    })
  }

  stop(): void {
    this.#progress?.stop()
  }

  #begin(phase: BulkProgress['phase']): void {
    this.#phase = phase
    const { output } = this.#ctx
    this.#progress =
      phase === 'sending'
        ? output.progress({ kind: 'bar', text: 'Sending', total: this.#toSend, unit: 'rows' })
        : output.progress({ kind: 'spinner', text: 'Waiting for results' })
  }

  #say(sentCount: number, rows: number): void {
    const words = `${this.#name}: ${thousands(sentCount)} of ${countOf(rows, 'row')} were sent. The ledger has recorded them.`
    this.#ctx.ifInterrupted({ sent: words, next: this.#next })
  }
}
