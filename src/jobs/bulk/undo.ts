/** Undoes jobs: plans the old prices for items whose live price is still the one that the jobs set. */

import { SHOP_ITEMS_PER_CALL } from '../../contract/index.js'
import { BULK_KINDS, type BulkKind, type JobKind, valueSetOf } from '../../contract/jobs.js'
import {
  AUCTION_FIELDS,
  type AuctionPlan,
  type AuctionPlanEntry,
  type AuctionPricesSent,
  auctionPlanOf,
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
import { type PriceRow, PriceRows, RULE_FORM } from '../../rows/index.js'
import { IdColumn } from '../../rows/indexes.js'
import { IntColumn } from '../../rows/packed.js'
import { JobsError } from '../ledger/errors.js'
import type { Ledger } from '../ledger/ledger.js'
import { normalChangesOf } from './discount-jobs.js'
import { bulkJob, bulkRows, isBulkKind } from './show.js'
import { type BulkRow, type BulkRowState, valueSent } from './types.js'

/** States of rows whose price the job set, or may have set. */
const TOUCHED: readonly BulkRowState[] = ['ok', 'queued', 'sending', 'failed', 'retryable', 'unknown']
const STILL_QUEUED =
  'its change is still queued at the service and would come after this; wait for it first (jobs:resume with --wait)'
const STILL_SENDING = 'it was being sent when the program ended; finish the job first (jobs:resume)'

/**
 * Plans the undo of price jobs, several as if they were one: each item that they sent goes back to its price before the oldest of
 * them, and is expected to have the price that the newest of them set. Rows with another live price are held; rows that have the
 * old price already are unchanged. For an item that was in a discount, the undo restores the normal price.
 * @param jobIds one or more, each once
 * @throws JobsError code `undo_impossible` for a job that read no old prices, or one of another kind
 */
export async function planUndo(ledger: Ledger, jobIds: readonly number[], live: LiveItems): Promise<RowPlan> {
  const changes = new PriceChanges()
  const normalsOf = normalChangesOf(ledger)
  for (const [row, jobId] of rowsToUndo(ledger, 'price', jobIds, TOUCHED)) {
    const normal = normalsOf(jobId).get(row.Id ?? 0)
    changes.add(normal === undefined ? row : { ...row, OldPrice: normal.from, Price: normal.to })
  }
  const rows = new PriceRows(RULE_FORM)
  for (const row of changes.backwards()) rows.add(row)
  return planPrices({ rows, live, guards: NO_GUARDS })
}

/** The rows of jobs in some states, those of the oldest first. @throws JobsError as planUndo */
function* rowsToUndo(
  ledger: Ledger,
  kind: BulkKind,
  jobIds: readonly number[],
  states: readonly BulkRowState[],
): Generator<readonly [row: BulkRow, jobId: number]> {
  for (const jobId of jobIds) checkUndo(ledger, jobId, kind)
  for (const jobId of [...jobIds].sort((one, other) => one - other))
    for (const row of bulkRows(ledger, jobId, states)) yield [row, jobId]
}

/** What several jobs did to each item, from the oldest on. Stored in columns, because jobs may have a million rows each. */
class PriceChanges {
  readonly #ids = new IdColumn()
  readonly #lines = new IntColumn()
  /** Kronor, before the oldest job. */
  readonly #olds = new IntColumn()
  /** Kronor, set by the newest job. */
  readonly #prices = new IntColumn()
  /** 1 if some job has set the price, or may have; 0 if all of them failed. */
  readonly #set = new IntColumn()
  readonly #holds = new Map<number, string>()

  add({ Id, Line, Price, OldPrice, State }: BulkRow): void {
    if (Id === null || Price === null || OldPrice === null) return
    const failed = State === 'failed' || State === 'retryable'
    const known = this.#ids.add(Id)
    const at = known < 0 ? this.#ids.length - 1 : known
    if (known < 0) {
      this.#lines.push(Line)
      this.#olds.push(OldPrice)
      this.#prices.push(Price)
      this.#set.push(failed ? 0 : 1)
    } else if (!failed) {
      // A failed row has set nothing. It shows neither the price before nor the price now.
      if (this.#set.get(at) === 0) this.#olds.set(at, OldPrice)
      this.#prices.set(at, Price)
      this.#lines.set(at, Line)
      this.#set.set(at, 1)
    }
    const hold = whyNotYet(State)
    if (hold !== undefined) this.#holds.set(at, hold)
  }

  *backwards(): Generator<PriceRow> {
    for (let at = 0; at < this.#ids.length; at++) {
      yield {
        line: this.#lines.get(at),
        id: this.#ids.get(at),
        price: this.#olds.get(at),
        expected: this.#prices.get(at),
        hold: this.#holds.get(at),
      }
    }
  }
}

/** The same for jobs of auction prices. A reserve price that a job added stays, because the service cannot remove one. */
export async function planAuctionUndo(ledger: Ledger, jobIds: readonly number[], live: LiveItems): Promise<AuctionPlan> {
  const rows = new Map<number, BulkRow>()
  for (const [row] of rowsToUndo(ledger, 'auction-price', jobIds, ['ok', 'sending'])) {
    if (row.Id === null || row.OldPayload === null) continue
    const older = rows.get(row.Id)
    const State = older?.State === 'sending' ? older.State : row.State
    rows.set(row.Id, older === undefined ? row : { ...row, OldPayload: older.OldPayload, State })
  }
  const found = new Map<number, AuctionPlanEntry>()
  for await (const item of live) {
    const row = rows.get(item.Id)
    if (row !== undefined) found.set(item.Id, undoEntry(row, item))
  }
  const entries = [...rows.values()].map((row) => found.get(row.Id ?? 0) ?? { ...unknownAuction(undoRow(row)), Title: row.Title })
  const form = { kind: 'rule', columns: ['Id', 'OpeningPrice', 'ReservedPrice', 'BinPrice'] } as const
  return auctionPlanOf(
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
  const touched = rowsToUndo(ledger, kind, jobIds, ['ok', 'queued', 'sending', 'retryable'])
  for (const [{ Id, Payload, OldPayload, State }] of touched) {
    const [old, value] = [valueSent(OldPayload, set), valueSent(Payload, set)]
    if (Id === null || old === undefined || value === undefined) continue
    if (!olds.has(Id)) olds.set(Id, old)
    expected.set(Id, { value, hold: whyNotYet(State) ?? expected.get(Id)?.hold })
  }
  const rows = [...olds].map(([id, value]) => ({ line: 0, id, reference: undefined, value, extra: [] }))
  const input = { form: { kind: 'rule', columns: ['Id', set.name] } as const, rows, notes: [] }
  const perCall = BULK_KINDS[kind].many === true ? SHOP_ITEMS_PER_CALL : 1
  return planValues(set, input, live, { perCall, expected })
}

/** A row that sets back the prices which a job found. */
function undoRow({ Line, Id, OldPayload }: BulkRow): Parameters<typeof unknownAuction>[0] {
  const { OpeningPrice, ReservedPrice, BinPrice } = OldPayload as AuctionPricesSent
  return { line: Line, id: Id ?? 0, opening: OpeningPrice, reserve: ReservedPrice ?? undefined, buyNow: BinPrice }
}

function undoEntry(row: BulkRow, item: LiveItem): AuctionPlanEntry {
  const set = row.Payload as AuctionPricesSent
  const entry = planAuctionRow(undoRow(row), item)
  if (entry.State !== 'change') return entry
  const moved = AUCTION_FIELDS.some((field) => (entry[`Old${field}`] ?? 0) !== (set[field] ?? 0))
  const why = moved ? 'the live prices are not those the job set: they were changed since' : whyNotYet(row.State)
  return why === undefined ? entry : { ...entry, State: 'held', Reason: why, Send: null, Fee: 0 }
}

function whyNotYet(state: BulkRowState): string | undefined {
  if (state === 'queued') return STILL_QUEUED
  return state === 'sending' ? STILL_SENDING : undefined
}

/** Whether the service can set back what jobs of a kind have set. */
export function isUndoable(kind: JobKind): kind is BulkKind {
  return kind === 'price' || kind === 'auction-price' || (isBulkKind(kind) && BULK_KINDS[kind].sets !== undefined)
}

function checkUndo(ledger: Ledger, jobId: number, kind: BulkKind): void {
  const job = bulkJob(ledger, jobId)
  const refuse = (message: string, hint: string) => new JobsError('undo_impossible', message, hint, { jobId })
  if (!isUndoable(job.Kind)) {
    throw refuse(
      `Job ${jobId} set neither prices nor numbers in stock (${job.Kind}): it cannot be undone.`,
      'The service cannot take back an addition, a removal or a mark.',
    )
  }
  if (job.Kind !== kind) throw refuse(`Job ${jobId} is of kind ${job.Kind}, not ${kind}.`, 'Undo the jobs of one kind at a time.')
  if (job.Blind) {
    throw refuse(
      `Job ${jobId} was sent with --blind, so the old prices were not read and it cannot be undone.`,
      'Set the prices you want with seller shop:price. Next time leave out --blind, so that the job can be undone.',
    )
  }
}
