/** Result of a run: of rows of one kind, or of several kinds that were compared with the shop. */
import type { ShownJob } from '../../contract/index.js'
import type { ExitCode } from '../../errors/index.js'
import { type JobRunRecord, jobRunView, type NewItemShown } from '../../format/views/jobs.js'
import { type SyncRunRecord, syncRunView } from '../../format/views/sync.js'
import { adds, type BulkJob, bulkRows, hasParts } from '../../jobs/bulk/index.js'
import { type JobKind, type Ledger, noCounts } from '../../jobs/index.js'
import type { PeriodShown } from '../listing/terms.js'
import { type Result, recordResult } from '../result.js'
import type { JobRunEnd } from './run.js'

/** A run of a job; where nothing was to be sent, none was made, and its id is null. */
interface EndedRun extends Omit<JobRunEnd, 'job' | 'code'> {
  readonly job: Pick<ShownJob, 'State' | 'Message' | 'Counts' | 'UndoOf' | 'UndoneJobs'> & {
    readonly JobId: number | null
    readonly Kind: JobKind | null
    readonly Title: string | null
  }
}

/** Numbers that only the comparison of a catalogue with the shop has. */
export type Compared = Pick<SyncRunRecord, 'Pending' | 'Missing' | 'WithoutReference' | 'ByHand'>

interface BesideRun {
  /** Rows that needed no change, where that is known. */
  readonly unchanged?: number
  /** Kronor. */
  readonly fees?: number | undefined
  readonly compared?: Compared | undefined
  /** When what it puts on sale begins and ends. */
  readonly period?: PeriodShown | undefined
  /** Items that it has added, where it adds. */
  readonly newItems?: JobRunRecord['NewItems']
  /** Rows of unknown outcome, where they were looked up. */
  readonly unknown?: JobRunRecord['Unknown']
}

const NO_PERIOD: PeriodShown = { StartsAt: null, EndsAt: null }
const NOT_COMPARED: Compared = { Pending: null, Missing: null, WithoutReference: null, ByHand: null }

/** A run with nothing to send. */
export function notRun(kind: JobKind | null, title: string | null, calls: number): EndedRun {
  const job = { JobId: null, Kind: kind, Title: title, State: 'ok', Message: null, Counts: noCounts(), UndoOf: null } as const
  return { job, parts: [], calls, heldFile: null, failedFile: null, differences: null }
}

/** Most new items of a result; jobs:show has all. */
const MOST_NEW = 1_000

/** The items that a job has added, whose ids the service has given. @param parts the jobs of its rows */
export function listNewItems(ledger: Ledger, parts: readonly BulkJob[]): JobRunRecord['NewItems'] {
  const addJobs = parts.filter(({ Kind }) => adds(Kind))
  if (addJobs.length === 0) return null
  const newItems: NewItemShown[] = []
  for (const { JobId } of addJobs) {
    for (const { Line, Id, OwnReference, Title, Payload } of bulkRows(ledger, JobId, ['ok', 'queued'])) {
      if (Id === null) continue
      const { OwnReferences: [own = null] = [] } = (Payload ?? {}) as { readonly OwnReferences?: readonly string[] }
      newItems.push({ Line, Id, OwnReference: OwnReference ?? own, Title })
      if (newItems.length === MOST_NEW) return newItems
    }
  }
  return newItems
}

/** The result of a run. */
export function resultOfRun(end: EndedRun, code: ExitCode, beside: BesideRun = {}): Result {
  const { job, parts, calls, heldFile, failedFile, differences } = end
  const { unchanged, fees = 0, compared = NOT_COMPARED, period = NO_PERIOD, newItems = null, unknown = null } = beside
  const { JobId, Title, State, Message, Counts } = job
  if (job.Kind !== null && hasParts(job.Kind)) {
    const record: SyncRunRecord = {
      ...{ JobId, Kind: 'sync', Title, State, Message },
      ...{ Added: acceptedRows(parts, 'add-shop'), Repriced: acceptedRows(parts, 'price') },
      ...{
        Restocked: acceptedRows(parts, 'stock'),
        Updated: acceptedRows(parts, 'update'),
        Removed: acceptedRows(parts, 'remove'),
      },
      Counts,
      Unchanged: unchanged ?? null,
      ...compared,
      Calls: calls,
      HeldFile: heldFile,
      FailedFile: failedFile,
      NewItems: newItems,
      Parts: parts.map((part) => ({ JobId: part.JobId, Kind: part.Kind, State: part.State, Counts: part.Counts })),
      Unknown: unknown,
    }
    return { ...recordResult(syncRunView, record, code), jobs: [record] }
  }
  const record: JobRunRecord = {
    ...{ JobId, Kind: job.Kind, Title, State, Message, Counts },
    Unchanged: unchanged ?? 0,
    Calls: calls,
    Fees: fees,
    ...period,
    UndoOf: job.UndoOf,
    UndoneJobs: job.UndoneJobs ?? [],
    HeldFile: heldFile,
    FailedFile: failedFile,
    NewItems: newItems,
    Differences: differences,
    Unknown: unknown,
  }
  return { ...recordResult(jobRunView, record, code), jobs: [record] }
}

/** Rows of a kind that the service has taken. */
function acceptedRows(parts: readonly BulkJob[], kind: BulkJob['Kind']): number {
  return parts.reduce((sum, { Kind, Counts }) => (Kind === kind ? sum + Counts.ok + Counts.queued : sum), 0)
}
