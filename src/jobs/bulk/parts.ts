/**
 * Jobs of several kinds that are one for the seller. Each part is a job like any other, so that whatever reads jobs knows its
 * rows; the job that they are a part of has one number, one state, and no rows of its own.
 */
import { held } from '../../holds/index.js'
import type { JobRecord } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { createBulkJob, undoDetail } from './create.js'
import { BulkJournal, recoverSending } from './journal.js'
import { recordCounts, recordParts } from './outcome.js'
import { STRATEGIES } from './strategies.js'
import type { BulkDetail, NewBulkJob } from './types.js'
import { inOrder, listParts } from './whole.js'

export type NewPart = Pick<NewBulkJob, 'kind' | 'rows' | 'distinct' | 'recorded'>

export interface NewWhole extends Pick<NewBulkJob, 'profile' | 'userId' | 'title' | 'form' | 'undoOf' | 'recorded'> {
  /** Without those that have no rows. */
  readonly parts: readonly NewPart[]
}

/**
 * Writes a job with all its parts in one transaction, so that everything that it will send is in the ledger before the first
 * call.
 * @param before is done first, in the same transaction
 */
export function createWhole(ledger: Ledger, { parts, undoOf, recorded, ...common }: NewWhole, before: () => void): JobRecord {
  const jobId = ledger.store.transaction(() => {
    before()
    const { profile, userId, title, form } = common
    const undone = undoDetail(undoOf)
    const detail: BulkDetail = { form, blind: false, ...undone.detail }
    const { JobId } = ledger.jobs.create({ kind: 'sync', profile, userId, title, undoOf: undone.newest, detail })
    for (const part of inOrder(parts, ({ kind }) => kind)) createBulkJob(ledger, { ...common, ...part, partOf: JobId })
    recordParts(ledger, JobId, null)
    recorded?.(JobId)
    return JobId
  })
  return ledger.jobs.show(jobId)
}

/**
 * Makes sure of what a dead process left in the middle of a call, as a resume does first: repeatable rows are unsent again, rows
 * of single writes are unknown.
 * @throws JobsError code `job_locked` while a process works on it
 */
export function recoverParts(ledger: Ledger, jobId: number): void {
  changeParts(ledger, jobId, () => {})
}

/**
 * Holds what a job with parts has not sent, because another plan takes its place. Its queued rows still get their results, and
 * rows that a dead process left in the middle of a single write stay unknown.
 * @throws JobsError code `job_locked` while a process works on it
 */
export function supersede(ledger: Ledger, jobId: number): void {
  const why = held('superseded')
  changeParts(ledger, jobId, (journal) => journal.change('unsent', (batch, at) => batch.set(at, 'held', why)))
}

/** Changes rows that are not under way, in one transaction for each part, while nobody else works on the job. */
function changeParts(ledger: Ledger, jobId: number, change: (journal: BulkJournal) => void): void {
  ledger.jobs.whileLocked(jobId, () => {
    for (const { JobId, Kind } of listParts(ledger, jobId)) {
      ledger.jobs.whileLocked(JobId, () => {
        const journal = new BulkJournal(ledger, JobId)
        recoverSending(journal, STRATEGIES[Kind])
        change(journal)
        recordCounts(ledger, JobId, journal.tally, null)
      })
    }
  })
}
