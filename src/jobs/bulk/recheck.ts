/**
 * Checks a job that was planned a while ago before it sends more: rows whose live price has changed since the plan are held.
 * Otherwise a job that stopped on Monday and is resumed on Wednesday would overwrite Tuesday's prices.
 */
import { instantOf } from '../../contract/index.js'
import { BULK_KINDS } from '../../contract/jobs.js'
import { type Hold, held } from '../../holds/index.js'
import type { LiveItem, LiveItems } from '../../pricing/index.js'
import type { JobKind, JobRecord } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { readPace } from '../ledger/paced.js'
import type { BulkJournal } from './journal.js'
import { readLiveFields } from './live-fields.js'
import { comparedOf, type LiveValues, NOT_SAID, readLiveValues } from './live-values.js'
import { readPayload } from './payloads.js'
import { bulkRows } from './show.js'
import type { BulkJob, BulkKind, BulkRow } from './types.js'
import { whyUpAgain } from './up-again.js'

/** A plan older than this (ms) is compared with the live list before it is sent. */
export const PLAN_IS_FRESH_MS = 10 * 60 * 1000

const PRICE_KINDS: readonly BulkKind[] = ['price', 'auction-price']
/** Kinds whose rows depend on what was live when they were planned. */
const isPlanned = (kind: BulkKind): boolean =>
  PRICE_KINDS.includes(kind) || kind === 'relist' || kind === 'update' || BULK_KINDS[kind].sets !== undefined
/** Newer jobs of these kinds concern the rows of a kind, beside those of its own; the other kinds are concerned by prices. */
const CONCERNED: Readonly<Partial<Record<BulkKind, readonly JobKind[]>>> = {
  relist: ['relist', 'add-item', 'listing'],
  update: [],
}

/**
 * Why a job must read the live list before it sends more: its age, a newer job of the shop that set prices or removed items, or
 * that the ledger was restored. Undefined if it need not: it was planned just now, sets no prices, or was planned without old
 * prices (--blind).
 * @param now ms since 1970
 * @param retryFailed whether failed rows are sent again too
 */
export function whyRecheck(
  ledger: Ledger,
  job: BulkJob,
  { now, retryFailed }: { readonly now: number; readonly retryFailed: boolean },
): 'old' | 'newer job' | 'restored' | undefined {
  const { unsent, sending, failed, retryable } = job.Counts
  const toSend = unsent + sending + (retryFailed ? failed + retryable : 0)
  if (job.Blind || toSend === 0) return undefined
  // Rows that add or remove are planned too, but they are sent at once, unless the job is sent by the day.
  if (!isPlanned(job.Kind) && (!(job.Kind === 'add-shop' || job.Kind === 'remove') || readPace(ledger, job) === undefined))
    return undefined
  if (ledger.jobs.isRestored(job.JobId)) return 'restored'
  if (now - Date.parse(job.CreatedAt) > PLAN_IS_FRESH_MS) return 'old'
  const since = Date.parse(job.CreatedAt)
  const newer = ledger.jobs.list({
    profile: job.Profile,
    kind: [...(CONCERNED[job.Kind] ?? PRICE_KINDS), job.Kind, 'remove'],
    since,
  })
  return newer.some((other: JobRecord) => other.JobId > job.JobId && (other.PartOf === null || other.PartOf !== job.PartOf))
    ? 'newer job'
    : undefined
}

/**
 * Holds unsent rows whose live price changed since the plan, those of items that are gone, and auctions that are up again. The
 * job must be locked.
 * @returns how many rows it held
 */
export async function holdMovedRows(
  ledger: Ledger,
  journal: BulkJournal,
  job: Pick<BulkJob, 'JobId' | 'Kind' | 'CreatedAt'>,
  live: LiveItems,
): Promise<number> {
  const reasons = await (job.Kind === 'relist'
    ? whyUpAgain(ledger, job.JobId, live)
    : job.Kind === 'update'
      ? whyFieldsMoved(ledger, job.JobId, live)
      : job.Kind === 'add-shop'
        ? whyAdded(ledger, job, live)
        : whyMoved(ledger, job, live))
  if (reasons.size === 0) return 0
  journal.change('unsent', (batch, at) => {
    const reason = reasons.get(batch.firstRow + at)
    if (reason !== undefined) batch.set(at, 'held', reason)
  })
  return reasons.size
}

/** Rows whose own reference an item has that began since the plan, and that the job itself did not add. */
async function whyAdded(
  ledger: Ledger,
  { JobId, CreatedAt }: Pick<BulkJob, 'JobId' | 'CreatedAt'>,
  live: LiveItems,
): Promise<Map<number, Hold>> {
  const rows = new Map<string, number[]>()
  for (const row of bulkRows(ledger, JobId, ['unsent'])) {
    const { OwnReferences } = readPayload('add-shop', row.Payload, row) as { OwnReferences?: readonly string[] | null }
    for (const reference of OwnReferences ?? []) rows.set(reference.trim(), [...(rows.get(reference.trim()) ?? []), row.Row])
  }
  const own = new Set<number>()
  for (const { Id } of bulkRows(ledger, JobId, ['queued', 'ok'])) if (Id !== null) own.add(Id)
  const reasons = new Map<number, Hold>()
  for await (const { Id: Item, OwnReferences, StartDate } of live as AsyncIterable<StartedItem> | Iterable<StartedItem>) {
    if (own.has(Item) || (StartDate !== undefined && instantOf(StartDate) < Date.parse(CreatedAt))) continue
    for (const OwnReference of OwnReferences ?? [])
      for (const row of rows.get(OwnReference.trim()) ?? []) reasons.set(row, held('reference_live', { OwnReference, Item }))
  }
  return reasons
}

type StartedItem = LiveItem & { readonly StartDate?: string | undefined }

/** A field that the list leaves out is no proof that somebody has changed it. */
async function whyFieldsMoved(ledger: Ledger, jobId: number, live: LiveItems): Promise<Map<number, Hold>> {
  const fieldsByRow = await readLiveFields(bulkRows(ledger, jobId, ['unsent']), live)
  const reasons = new Map<number, Hold>()
  for (const { Row, Id } of bulkRows(ledger, jobId, ['unsent'])) {
    if (Id === null) continue
    const fields = fieldsByRow.get(Row)
    const movedFields = fields?.filter(({ state }) => state === 'other').map(({ field }) => field) ?? []
    if (fields === undefined) reasons.set(Row, held('gone'))
    else if (movedFields.length > 0) reasons.set(Row, held('fields_moved_since_plan', { Fields: movedFields }))
  }
  return reasons
}

async function whyMoved(ledger: Ledger, job: Pick<BulkJob, 'JobId' | 'Kind'>, live: LiveItems): Promise<Map<number, Hold>> {
  const values = await readLiveValues(job.Kind, bulkRows(ledger, job.JobId, ['unsent']), live)
  const reasons = new Map<number, Hold>()
  for (const row of bulkRows(ledger, job.JobId, ['unsent'])) {
    const reason = whyHeld(job.Kind, row, values)
    if (reason !== undefined) reasons.set(row.Row, reason)
  }
  return reasons
}

function whyHeld(kind: BulkKind, row: BulkRow, values: LiveValues): Hold | undefined {
  if (row.Id === null) return undefined
  const live = values.of(row.Id)
  if (live === undefined) return held('gone')
  const { set, old } = comparedOf(kind)
  const [then, wanted] = [old(row), set(row)]
  if (then === undefined || wanted === undefined) return undefined
  const { sets } = BULK_KINDS[kind]
  if (sets !== undefined && live[0] === NOT_SAID) return held('level_unknown', { Noun: sets.noun })
  const is = (values: readonly number[]): boolean => values.every((value, at) => value === live[at])
  if (is(then) || is(wanted)) return undefined
  const at = then.findIndex((value, place) => value !== live[place])
  const [Then = 0, Now = 0] = [then[at], live[at]]
  return sets === undefined
    ? held('moved_since_plan', { Then, Now })
    : held('level_moved_since_plan', { Noun: sets.noun, Then, Now })
}
