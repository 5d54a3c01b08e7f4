/** Jobs, their rows and steps, and the result of a run. */

import { JOB_KEYS, ROW_STATES, type ShownJob } from '../../contract/index.js'
import { BULK_KINDS, type BulkKind } from '../../contract/jobs.js'
import { countOf } from '../../contract/numbers.js'
import type { Column, ColumnKind, View } from '../output/types.js'
import { thousands } from '../output/values.js'
import { columnsOf, countColumns, countsColumn, keyColumns, stateColumn } from './columns.js'
import { valueHeader } from './plans.js'

export const jobsView: View<ShownJob> = {
  keys: JOB_KEYS,
  plain: [...keyColumns('JobId', 'State', 'Kind', 'Title', 'CreatedAt'), ...countColumns<ShownJob>(ROW_STATES)],
  empty: 'No jobs.',
  columns: [
    { key: 'JobId', header: 'Job', kind: 'int' },
    { ...stateColumn(), shown: (job) => (job.Running ? 'running' : job.State) },
    { key: 'Kind' },
    { key: 'Title', maxWidth: 50 },
    countsColumn(),
    { key: 'CreatedAt', header: 'Begun', kind: 'date' },
  ],
}

/** Jobs of several shops. */
export const shopJobsView: View<ShownJob> = {
  ...jobsView,
  plain: [{ key: 'Profile' }, ...(jobsView.plain ?? [])],
  columns: [{ key: 'Profile', maxWidth: 30 }, ...jobsView.columns],
}

/** A job as a card, above its rows. */
export const jobView: View<ShownJob> = {
  keys: JOB_KEYS,
  card: true,
  columns: [
    ...columnsOf('JobId', 'Title'),
    { ...stateColumn(), shown: (job) => (job.Running ? `${job.State}, at work now` : job.State) },
    ...columnsOf('Message', 'Kind'),
    countsColumn(),
    ...columnsOf({ CreatedAt: 'Begun' }, 'FinishedAt'),
    { key: 'UndoOf', header: 'Takes back', shown: undoneWords },
    { key: 'DiscountId', header: 'Discount', kind: 'int', shown: (job) => (job.DiscountId === null ? '' : undefined) },
    { key: 'PartOf', header: 'Part of', kind: 'int', shown: (job) => (job.PartOf === null ? '' : `job ${job.PartOf}`) },
    ...columnsOf('Profile', 'UserId'),
  ],
}

/** `job 17`, `jobs 17, 18, 19`. */
function undoneWords({ UndoOf, UndoneJobs = [] }: Pick<ShownJob, 'UndoOf' | 'UndoneJobs'>): string {
  if (UndoneJobs.length > 1) return `jobs ${UndoneJobs.join(', ')}`
  return UndoOf === null ? '' : `job ${UndoOf}`
}

/** Row of a bulk job, for a view. */
interface JobRowShown {
  readonly Id: number | null
  readonly OwnReference: string | null
  readonly Price: number | null
  readonly Payload: unknown
  readonly State: string
}

/** The part of what is sent that a person wants to see, for the kinds that add items or set prices of auctions. */
interface PayloadShown {
  readonly Price?: number | null
  readonly StartPrice?: number
  readonly BuyItNowPrice?: number
  readonly OpeningPrice?: number
  readonly ReservedPrice?: number | null
  readonly BinPrice?: number | null
  readonly ActivateDate?: string
}

function sentColumn(key: string, header: string, kind: ColumnKind, value: (sent: PayloadShown) => unknown): Column<JobRowShown> {
  return { key, header, kind, value: ({ Payload }) => value((Payload ?? {}) as PayloadShown) }
}

const TITLE: Column<JobRowShown> = { key: 'Title', maxWidth: 40 }
/** Columns between an item and its state, by kind of job. */
const SENT: Readonly<Record<string, readonly Column<JobRowShown>[]>> = {
  'add-shop': [sentColumn('Payload.Price', 'Price', 'kronor', ({ Price }) => Price)],
  'add-item': [
    sentColumn('Payload.StartPrice', 'Price', 'kronor', ({ StartPrice, BuyItNowPrice }) => StartPrice || BuyItNowPrice || null),
  ],
  relist: [sentColumn('Payload.OpeningPrice', 'Start', 'kronor', ({ OpeningPrice }) => OpeningPrice)],
  'auction-price': [
    sentColumn('Payload.OpeningPrice', 'Opening', 'kronor', ({ OpeningPrice }) => OpeningPrice),
    sentColumn('Payload.ReservedPrice', 'Reserve', 'kronor', ({ ReservedPrice }) => ReservedPrice),
    sentColumn('Payload.BinPrice', 'Buy now', 'kronor', ({ BinPrice }) => BinPrice),
  ],
  activate: [sentColumn('Payload.ActivateDate', 'Start', 'date', ({ ActivateDate }) => ActivateDate)],
  remove: [],
}

/**
 * The rows of a job of one kind. A person sees titles and what the rows send; scripts get the same columns for every kind, with
 * the title last, because columns of a pipe are known by their places.
 */
export function jobRowsView(kind: string): View<JobRowShown> {
  const { columns } = anyRowsView
  const [before, prices, after] = [columns.slice(0, 3), columns.slice(3, 5), columns.slice(5)]
  return {
    ...anyRowsView,
    plain: [...columns, TITLE],
    columns: [...before, TITLE, ...(SENT[kind] ?? setColumn(kind) ?? prices), ...after],
  }
}

/** The number that rows of a kind set. */
function setColumn(kind: string): Column<JobRowShown>[] | undefined {
  const sets = Object.hasOwn(BULK_KINDS, kind) ? BULK_KINDS[kind as BulkKind].sets : undefined
  if (sets === undefined) return undefined
  const { name } = sets
  const value = ({ Payload }: JobRowShown) => (Payload as Readonly<Record<string, unknown>> | null)?.[name]
  return [{ key: `Payload.${name}`, header: valueHeader(name), kind: 'int', value }]
}

const anyRowsView: View<JobRowShown> = {
  keys: ['OwnReference', 'Title', 'Payload', 'Extra', 'Code', 'Values'],
  empty: 'No rows.',
  footer: (rows) => countOf(rows, 'row'),
  columns: [
    ...columnsOf('Row', 'Line'),
    { key: 'Id', kind: 'int', vital: true },
    { key: 'OldPrice', header: 'Old', kind: 'kronor', vital: true },
    { key: 'Price', kind: 'kronor', vital: true },
    { ...stateColumn(), vital: true },
    { key: 'RequestId', header: 'Request', kind: 'int' },
    { key: 'Reason', maxWidth: 60, unlessEmpty: true },
  ],
}

/** Verbs of a job's parts. */
const PART_WORDS: Readonly<Record<string, string>> = {
  price: 'reprice',
  stock: 'restock',
  update: 'update',
  'add-shop': 'add',
  remove: 'remove',
}

/** The rows of all parts of a job. */
export const partRowsView: View<JobRowShown & { readonly Kind: string }> = {
  ...anyRowsView,
  plain: [{ key: 'JobId', kind: 'int' }, { key: 'Kind' }, ...anyRowsView.columns, TITLE],
  columns: [
    { key: 'Kind', header: 'Do', shown: ({ Kind }) => PART_WORDS[Kind] ?? Kind },
    { key: 'Row', kind: 'int' },
    {
      key: 'Id',
      header: 'Item',
      shown: ({ Id, OwnReference }) => OwnReference ?? (Id === null ? '' : String(Id)),
      maxWidth: 24,
    },
    TITLE,
    { key: 'OldPrice', header: 'Old', kind: 'kronor' },
    { key: 'Price', kind: 'kronor', value: ({ Price, Payload }) => Price ?? (Payload as PayloadShown | null)?.Price ?? null },
    stateColumn(),
    { key: 'Reason', maxWidth: 60, unlessEmpty: true },
  ],
}

/** The steps of a listing. */
export const listingStepsView: View<{ readonly State: string }> = {
  keys: ['Bytes', 'Format', 'Mega', 'Sha256', 'StartedAt', 'FinishedAt'],
  empty: 'No steps.',
  columns: [
    ...columnsOf('Step', 'Operation'),
    { key: 'Subject', maxWidth: 50 },
    stateColumn({ done: 'green' }),
    { key: 'Message', maxWidth: 60 },
  ],
}

/** A new item of a job. */
export interface NewItemShown {
  readonly Line: number
  readonly Id: number
  /** The first of its own references. */
  readonly OwnReference: string | null
  readonly Title: string | null
}

/** The result of a run of a job. A dry run has none. */
export interface JobRunRecord {
  /** null if there was nothing to send, so that no job was created. */
  readonly JobId: number | null
  readonly Kind: string | null
  readonly Title: string | null
  readonly State: string
  readonly Message: string | null
  readonly Counts: Readonly<Record<string, number>>
  /** Rows that needed no change. They are not part of the job. */
  readonly Unchanged: number
  /** Calls of this run, including those that read the list, without the client's retries. */
  readonly Calls: number
  /** Kronor that the service charges for new reserve prices. */
  readonly Fees: number
  /**
   * When the first thing begins that the job puts on sale, ISO 8601; null for at once, and for a job that puts nothing on sale.
   */
  readonly StartsAt: string | null
  /** When the last of them ends, ISO 8601; null for a job that puts nothing on sale, or nothing that ends. */
  readonly EndsAt: string | null
  readonly UndoOf: number | null
  /** All jobs that it undoes, the oldest first: `UndoOf` is the newest. */
  readonly UndoneJobs: readonly number[]
  readonly HeldFile: string | null
  readonly FailedFile: string | null
  /**
   * The items that were added, at most 1,000; null for a job that adds none. Rows whose id the service has not given yet are not
   * in it.
   */
  readonly NewItems: readonly NewItemShown[] | null
  /** null if the list was not read again. */
  readonly Differences: readonly object[] | null
  /** Rows of unknown outcome, with the live items that they may have become; null if this was not checked. */
  readonly Unknown: readonly object[] | null
}

export const jobRunView: View<JobRunRecord> = {
  keys: ['Kind', 'UndoOf', 'UndoneJobs', 'NewItems', 'Unknown'],
  card: true,
  plain: [
    ...keyColumns('JobId', 'Title', 'State'),
    ...countColumns<JobRunRecord>(ROW_STATES),
    ...keyColumns('Unchanged', 'Message', 'Fees', 'HeldFile', 'FailedFile'),
    { key: 'Differences', value: ({ Differences: found }) => found?.length },
    { key: 'Calls' },
  ],
  columns: [
    ...columnsOf('JobId', 'Title'),
    stateColumn(),
    countsColumn(),
    { key: 'Unchanged', kind: 'int', shown: (run) => (run.Unchanged === 0 ? '' : thousands(run.Unchanged)) },
    { key: 'Message' },
    { key: 'Fees', kind: 'kronor', shown: (run) => (run.Fees === 0 ? '' : undefined) },
    ...columnsOf({ StartsAt: 'Begins', EndsAt: 'Ends' }),
    ...columnsOf('HeldFile', 'FailedFile'),
    {
      key: 'Differences',
      shown: ({ Differences: found }) => (found === null ? '' : found.length === 0 ? 'none' : thousands(found.length)),
    },
    { key: 'Calls', kind: 'int' },
  ],
}
