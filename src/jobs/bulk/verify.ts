/** Compares a job with the live list: whether what the job set is there, and what happened to rows of unknown outcome. */
import type { BulkKind } from '../../contract/jobs.js'
import type { Hold } from '../../holds/index.js'
import type { LiveItem, LiveItems } from '../../pricing/index.js'
import type { Ledger } from '../ledger/ledger.js'
import { readLiveFields, shownValue } from './live-fields.js'
import { comparedOf, noneOf, readLiveValues } from './live-values.js'
import { readPayload } from './payloads.js'
import { bulkJob, bulkRows } from './show.js'
import type { BulkRow, BulkRowState } from './types.js'

/** An item that is not as the job should have left it. */
export interface Difference {
  readonly Row: number
  readonly Id: number
  /** Which of the item's values, by its name in the live list; `Item` for the item itself. */
  readonly Field: string
  /** Kronor or a number, null for none; or whether the item should be there. */
  readonly Expected: number | string | null
  /** The same; null also for a number that the list leaves out. */
  readonly Live: number | string | null
  /** The state of the row. A queued one may still change. */
  readonly State: BulkRowState
}

export interface Verification {
  /** Number of rows that were compared: those that the service has or had. */
  readonly Checked: number
  readonly Differences: readonly Difference[]
}

const CHECKED: readonly BulkRowState[] = ['ok', 'queued']
const THERE = 'there'
const GONE = 'gone'

/**
 * Compares every row that was carried out or is queued with the live list. Memory grows with the differences, not with the rows.
 */
export async function verifyBulkJob(ledger: Ledger, jobId: number, live: LiveItems): Promise<Verification> {
  const { Kind } = bulkJob(ledger, jobId)
  if (Kind === 'update') return verifyUpdates(ledger, jobId, live)
  const values = await readLiveValues(Kind, bulkRows(ledger, jobId, CHECKED), live)
  const differences: Difference[] = []
  for (const row of bulkRows(ledger, jobId, CHECKED)) {
    if (row.Id === null) continue
    for (const [Field, Expected, Live] of comparisons(Kind, row, values.of(row.Id))) {
      if (Expected !== Live) differences.push({ Row: row.Row, Id: row.Id, Field, Expected, Live, State: row.State })
    }
  }
  return { Checked: values.items, Differences: differences }
}

/**
 * The same for rows that change fields. A field that the list leaves out is not known, so it counts as different from what was
 * set.
 */
async function verifyUpdates(ledger: Ledger, jobId: number, live: LiveItems): Promise<Verification> {
  const fieldsByRow = await readLiveFields(bulkRows(ledger, jobId, CHECKED), live)
  const differences: Difference[] = []
  let checkedCount = 0
  for (const row of bulkRows(ledger, jobId, CHECKED)) {
    if (row.Id === null) continue
    checkedCount++
    const of = { Row: row.Row, Id: row.Id, State: row.State }
    const fields = fieldsByRow.get(row.Row)
    if (fields === undefined) differences.push({ ...of, Field: 'Item', Expected: THERE, Live: GONE })
    const payload = readPayload('update', row.Payload, row)
    for (const { field, state, live } of fields ?? [])
      if (state !== 'wanted') differences.push({ ...of, Field: field, Expected: shownValue(payload[field]), Live: live })
  }
  return { Checked: checkedCount, Differences: differences }
}

type Comparison = [Difference['Field'], Difference['Expected'], Difference['Live']]

/** @param values the live values of the row's item; undefined if it is not in the list */
function comparisons(kind: BulkKind, row: BulkRow, values: readonly number[] | undefined): Comparison[] {
  // An item is not listed before its start.
  if (kind === 'activate') return []
  if (kind === 'remove') return [['Item', GONE, values === undefined ? GONE : THERE]]
  if (values === undefined) return [['Item', THERE, GONE]]
  const { fields, set } = comparedOf(kind)
  const expected = set(row)
  const none = noneOf(kind)
  const numberShown = (value = none): number | null => (value === none ? null : value)
  return expected === undefined ? [] : fields.map((field, at) => [field, numberShown(expected[at]), numberShown(values[at])])
}

/** A row of unknown outcome, with the live items that it may have become. */
export interface UnknownRow {
  readonly Row: number
  readonly Line: number
  readonly Title: string | null
  readonly OwnReferences: readonly string[]
  readonly Hold: Hold | null
  /**
   * Ids of live items with the row's own reference or, if it has none, with its title. Without any, the item was probably not
   * added.
   */
  readonly Candidates: readonly number[]
}

/** Checks to make before rows of unknown outcome may be sent again. */
export async function checkUnknownRows(ledger: Ledger, jobId: number, live: LiveItems): Promise<UnknownRow[]> {
  const knownIds = new Set<number>()
  for (const row of bulkRows(ledger, jobId, ['ok', 'queued'])) if (row.Id !== null) knownIds.add(row.Id)
  const unknown = [...bulkRows(ledger, jobId, ['unknown'])].map((row) => ({ row, candidates: [] as number[], ...namesOf(row) }))
  for await (const item of live) {
    // An item that another row of the job has added cannot be this one.
    if (knownIds.has(item.Id)) continue
    for (const entry of unknown) if (isCandidate(item, entry)) entry.candidates.push(item.Id)
  }
  return unknown.map(({ row, title, references, candidates }) => ({
    Row: row.Row,
    Line: row.Line,
    Title: title ?? null,
    OwnReferences: references,
    Hold: row.Hold,
    Candidates: candidates,
  }))
}

interface Names {
  readonly title: string | undefined
  readonly references: readonly string[]
}

function namesOf(row: BulkRow): Names {
  const payload = (row.Payload ?? {}) as { Title?: string; OwnReferences?: readonly string[] }
  return { title: payload.Title, references: payload.OwnReferences ?? [] }
}

function isCandidate(item: LiveItem, { title, references }: Names): boolean {
  if (references.length > 0) return references.some((reference) => item.OwnReferences?.includes(reference) ?? false)
  return title !== undefined && item.ShortDescription === title
}
