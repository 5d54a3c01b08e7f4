/** Undoes jobs: plans the old prices for items whose live price is still the one that the jobs set. */

import { SHOP_ITEMS_PER_CALL } from '../../contract/index.js'
import { BULK_KINDS, type BulkKind, type JobKind, valueSetOf } from '../../contract/jobs.js'
import { type Hold, held } from '../../holds/index.js'
import { blank, run, say, type Words } from '../../messages/index.js'
import {
  AUCTION_FIELDS,
  type AuctionPlan,
  type AuctionPlanEntry,
  buildAuctionPlan,
  type ExpectedValue,
  type LiveItem,
  type LiveItems,
  NO_GUARDS,
  planAuctionRow,
  planPrices,
  planValues,
  type RowPlan,
  unknownAuction,
  type ValuePlan,
} from '../../pricing/index.js'
import { PriceRows, RULE_FORM, type Spill } from '../../rows/index.js'
import { JobsError } from '../ledger/errors.js'
import type { Ledger } from '../ledger/ledger.js'
import { normalChangesReader } from './discount-jobs.js'
import { readPayload } from './payloads.js'
import { bulkJob, bulkRows, isBulkKind } from './show.js'
import { type BulkRow, type BulkRowState, valueSent } from './types.js'
import { ItemChanges } from './undo-updates.js'

/** States of rows whose price the job set, or may have set. */
const TOUCHED: readonly BulkRowState[] = ['ok', 'queued', 'sending', 'failed', 'retryable', 'unknown']

/**
 * Plans the undo of price jobs, several as if they were one: each item that they sent goes back to its price before the oldest of
 * them, and is expected to have the price that the newest of them set. Rows with another live price are held; rows that have the
 * old price already are unchanged. For an item that was in a discount, the undo restores the normal price.
 * @param jobIds one or more, each once
 * @throws JobsError code `undo_impossible` for a job that read no old prices, or one of another kind
 */
export async function planUndo(ledger: Ledger, jobIds: readonly number[], live: LiveItems): Promise<RowPlan> {
  return planPrices({ rows: rowsBack(ledger, jobIds), live, guards: NO_GUARDS })
}

/** The rows that set the prices before some jobs, each of which expects the price that the newest has set. */
function rowsBack(ledger: Ledger, jobIds: readonly number[]): PriceRows {
  const rows = new PriceRows(RULE_FORM)
  /** Items of which no job has set a price so far: a failed row shows neither the price before nor the price now. */
  const unset = new Set<number>()
  const normalsOf = normalChangesReader(ledger)
  for (const { JobId, Id: id, Line: line, Price, OldPrice, State } of rowsToUndo(ledger, 'price', jobIds, TOUCHED)) {
    if (id === null || Price === null || OldPrice === null) continue
    const normal = normalsOf(JobId).get(id)
    const [old, expected] = normal === undefined ? [OldPrice, Price] : [normal.from, normal.to]
    const hold = whyNotYet({ State, JobId })
    const set = State !== 'failed' && State !== 'retryable'
    const at = rows.find(id)
    if (at < 0) {
      rows.add({ line, id, price: old, expected, hold })
      if (!set) unset.add(id)
    } else {
      const row = rows.at(at)
      const both = hold === undefined ? row : { ...row, hold }
      rows.replace(at, set ? { ...both, line, expected, price: unset.has(id) ? old : row.price } : both)
      if (set) unset.delete(id)
    }
  }
  return rows
}

/** The rows of jobs in some states, those of the oldest first. @throws JobsError as planUndo */
function* rowsToUndo(
  ledger: Ledger,
  kind: BulkKind,
  jobIds: readonly number[],
  states: readonly BulkRowState[],
): Generator<BulkRow> {
  for (const jobId of jobIds) checkUndo(ledger, jobId, kind)
  for (const jobId of [...jobIds].sort((one, other) => one - other)) yield* bulkRows(ledger, jobId, states)
}

/** The same for jobs of auction prices. A reserve price that a job added stays, because the service cannot remove one. */
export async function planAuctionUndo(ledger: Ledger, jobIds: readonly number[], live: LiveItems): Promise<AuctionPlan> {
  const rows = new Map<number, BulkRow>()
  for (const row of rowsToUndo(ledger, 'auction-price', jobIds, ['ok', 'sending'])) {
    if (row.Id === null || row.OldPayload === null) continue
    const older = rows.get(row.Id)
    const { State, JobId } = older?.State === 'sending' ? older : row
    rows.set(row.Id, { ...row, OldPayload: older?.OldPayload ?? row.OldPayload, State, JobId })
  }
  const entriesById = new Map<number, AuctionPlanEntry>()
  for await (const item of live) {
    const row = rows.get(item.Id)
    if (row !== undefined) entriesById.set(item.Id, undoEntry(row, item))
  }
  const entries = [...rows].map(([id, row]) => entriesById.get(id) ?? { ...unknownAuction(undoRow(id, row)), Title: row.Title })
  const form = { kind: 'rule', columns: ['Id', 'OpeningPrice', 'ReservedPrice', 'BinPrice'] } as const
  return buildAuctionPlan(
    form,
    entries,
    entries.map(() => []),
    null,
  )
}

/** The same for jobs that set a number. A row is held if the number has changed since, by a sale or otherwise. */
export async function planValueUndo(
  ledger: Ledger,
  kind: BulkKind,
  jobIds: readonly number[],
  live: LiveItems,
): Promise<ValuePlan> {
  const set = valueSetOf(kind)
  const olds = new Map<number, number>()
  const expected = new Map<number, ExpectedValue>()
  const touchedRows = rowsToUndo(ledger, kind, jobIds, ['ok', 'queued', 'sending', 'retryable'])
  for (const { JobId, Id, Payload, OldPayload, State } of touchedRows) {
    const [old, value] = [valueSent(OldPayload, set), valueSent(Payload, set)]
    if (Id === null || old === undefined || value === undefined) continue
    if (!olds.has(Id)) olds.set(Id, old)
    expected.set(Id, { value, hold: whyNotYet({ State, JobId }) ?? expected.get(Id)?.hold })
  }
  const rows = [...olds].map(([id, value]) => ({ line: 0, id, reference: undefined, value, extra: [] }))
  const input = { form: { kind: 'rule', columns: ['Id', set.name] } as const, rows, notes: [] }
  return planValues(set, input, live, { perCall: SHOP_ITEMS_PER_CALL, expected })
}

/** Gathers what jobs changed in the fields of items, for planUpdateUndo. @throws JobsError as planUndo */
export function itemChanges(ledger: Ledger, jobIds: readonly number[], spill?: Spill): ItemChanges {
  const changes = new ItemChanges(spill)
  for (const row of rowsToUndo(ledger, 'update', jobIds, ['ok', 'queued', 'sending'])) changes.add(row, whyNotYet(row))
  return changes
}

/** A row that sets back the prices which a job found. */
function undoRow(id: number, row: BulkRow): Parameters<typeof unknownAuction>[0] {
  const { OpeningPrice, ReservedPrice, BinPrice } = readPayload('auction-price', row.OldPayload, row)
  return { line: row.Line, id, opening: OpeningPrice, reserve: ReservedPrice ?? undefined, buyNow: BinPrice }
}

function undoEntry(row: BulkRow, item: LiveItem): AuctionPlanEntry {
  const set = readPayload('auction-price', row.Payload, row)
  const entry = planAuctionRow(undoRow(item.Id, row), item)
  if (entry.State !== 'change') return entry
  const hasMoved = AUCTION_FIELDS.some((field) => (entry[`Old${field}`] ?? 0) !== (set[field] ?? 0))
  const why = hasMoved ? held('auction_moved') : whyNotYet(row)
  return why === undefined ? entry : { ...entry, State: 'held', Hold: why, Send: null, Fee: 0 }
}

function whyNotYet({ State, JobId: Job }: Pick<BulkRow, 'JobId' | 'State'>): Hold | undefined {
  if (State === 'queued') return held('still_queued', { Job })
  return State === 'sending' ? held('still_sending', { Job }) : undefined
}

/** True if the service can set back what jobs of a kind have set. */
export function isUndoable(kind: JobKind): kind is BulkKind {
  return (
    kind === 'price' || kind === 'auction-price' || kind === 'update' || (isBulkKind(kind) && BULK_KINDS[kind].sets !== undefined)
  )
}

function checkUndo(ledger: Ledger, jobId: number, kind: BulkKind): void {
  const job = bulkJob(ledger, jobId)
  const refuse = (message: string, hint: Words) => new JobsError('undo_impossible', message, hint, { jobId })
  if (!isUndoable(job.Kind)) {
    throw refuse(
      `Job ${jobId} cannot be undone: it set no prices, numbers in stock or fields.`,
      job.Kind === 'activate'
        ? say`Set another date with ${run('shop:activate', { '--at': blank('DATE') })}: a date that has passed cannot be set.`
        : 'The service cannot take back an addition, a removal or a mark.',
    )
  }
  if (job.Kind !== kind) throw refuse(`Job ${jobId} is of kind ${job.Kind}, not ${kind}.`, 'Undo the jobs of one kind at a time.')
  if (job.Blind) {
    throw refuse(
      `Job ${jobId} was sent with --blind, so the old prices were not read and it cannot be undone.`,
      say`Set the prices you want with ${run('shop:price')}. Next time leave out --blind, so that the job can be undone.`,
    )
  }
}
