/** Result of a run: of rows of one kind, or of several kinds that were compared with the shop. */
import type { ShownJob } from '../../contract/index.js'
import type { ExitCode } from '../../errors/index.js'
import { type JobRunRecord, jobRunView } from '../../format/views/jobs.js'
import { type SyncRunRecord, syncRunView } from '../../format/views/sync.js'
import { type BulkJob, hasParts } from '../../jobs/bulk/index.js'
import { type JobKind, noCounts } from '../../jobs/index.js'
import type { PeriodShown } from '../listing/terms.js'
import { type Result, recordResult } from '../result.js'
import type { JobRunEnd } from './run.js'

/** A run of a job; where nothing was to be sent, none was made, and its id is null. */
interface EndedRun extends Omit<JobRunEnd, 'job' | 'code'> {
  readonly job: Pick<ShownJob, 'State' | 'Message' | 'Counts' | 'UndoOf'> & {
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

/** The result of a run. */
export function resultOfRun(end: EndedRun, code: ExitCode, beside: BesideRun = {}): Result {
  const { job, parts, calls, heldFile, failedFile, differences } = end
  const { unchanged, fees = 0, compared = NOT_COMPARED, period = NO_PERIOD, unknown = null } = beside
  const { JobId, Title, State, Message, Counts } = job
  if (job.Kind !== null && hasParts(job.Kind)) {
    const record: SyncRunRecord = {
      ...{ JobId, Kind: 'sync', Title, State, Message },
      ...{ Added: taken(parts, 'add-shop'), Repriced: taken(parts, 'price') },
      ...{ Restocked: taken(parts, 'stock'), Updated: taken(parts, 'update'), Removed: taken(parts, 'remove') },
      Counts,
      Unchanged: unchanged ?? null,
      ...compared,
      Calls: calls,
      HeldFile: heldFile,
      FailedFile: failedFile,
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
    HeldFile: heldFile,
    FailedFile: failedFile,
    Differences: differences,
    Unknown: unknown,
  }
  return { ...recordResult(jobRunView, record, code), jobs: [record] }
}

/** Rows of a kind that the service has taken. */
function taken(parts: readonly BulkJob[], kind: BulkJob['Kind']): number {
  return parts.reduce((sum, { Kind, Counts }) => (Kind === kind ? sum + Counts.ok + Counts.queued : sum), 0)
}
