/** What the ledger knows about the prices of items, read from the batches of price jobs. A plan uses it. */
import { AUCTION_FIELDS, KnownAuctionPrices, KnownPrices } from '../../pricing/index.js'
import type { Ledger } from '../ledger/ledger.js'
import { type NormalChange, normalChangesOf } from './discount-jobs.js'
import { unpackBytes, unpackInts } from './pack.js'
import { bulkRows } from './show.js'
import { type AuctionPricesToSend, type BulkRowState, ROW_STATES } from './types.js'

export interface KnownScope {
  readonly profile: string
  readonly userId: number | null
  /** ms since 1970: jobs created then or later. */
  readonly since: number
  /** The largest step that is not let through on purpose, as a share; null if no limit is set (KnownPrices). */
  readonly jump: number | null
}

interface StoredPrices {
  job_id: number
  batch: number
  cancelled: number
  /** It starts or ends a discount. */
  of_discount: number
  ids: ArrayBuffer
  prices: ArrayBuffer
  old_prices: ArrayBuffer
  states: ArrayBuffer
}

/** Batches read at once: 8 kB each, so that a long history is never in memory as a whole. */
const BATCHES_AT_ONCE = 200

const PRICES = `SELECT b.job_id, b.batch, j.state = 'cancelled' AS cancelled,
    j.id IN (SELECT job_id FROM discount_jobs WHERE part <> 'change') AS of_discount, b.ids, b.prices, b.old_prices, s.states
  FROM jobs j JOIN bulk_states s ON s.job_id = j.id JOIN bulk_batches b ON b.job_id = s.job_id AND b.batch = s.batch
  WHERE j.kind = 'price' AND j.profile = ? AND (j.user_id IS NULL OR ? IS NULL OR j.user_id = ?) AND j.created_at >= ?
    AND s.ok + s.queued + s.sending > 0 AND (b.job_id, b.batch) > (?, ?)
  ORDER BY b.job_id, b.batch LIMIT ${BATCHES_AT_ONCE}`

const byteOf = (state: BulkRowState): number => ROW_STATES.indexOf(state)
const [OK, QUEUED, SENDING] = [byteOf('ok'), byteOf('queued'), byteOf('sending')]

/**
 * Reads which prices the jobs of a profile have set, queued or were sending since a time, oldest first. Rows that were held,
 * refused or not sent changed nothing, and dropped rows are not waited for. The start and end of a discount move no price, because the
 * end raises what the start lowers; of an item in a discount the normal price counts.
 */
export function knownPrices(ledger: Pick<Ledger, 'store'>, { profile, userId, since, jump }: KnownScope): KnownPrices {
  const known = new KnownPrices(jump)
  const changesOf = normalChangesOf(ledger)
  let after: readonly [job: number, batch: number] = [0, 0]
  for (;;) {
    const batches = ledger.store.all<StoredPrices>(PRICES, profile, userId, userId, since, ...after)
    for (const batch of batches) gather(known, batch, changesOf(batch.job_id))
    const last = batches.at(-1)
    if (last === undefined || batches.length < BATCHES_AT_ONCE) return known
    after = [last.job_id, last.batch]
  }
}

function gather(
  known: KnownPrices,
  { job_id: jobId, cancelled, of_discount: ofDiscount, ...blobs }: StoredPrices,
  changes: ReadonlyMap<number, NormalChange>,
): void {
  const [ids, prices, olds] = [unpackInts(blobs.ids), unpackInts(blobs.prices), unpackInts(blobs.old_prices)]
  const states = unpackBytes(blobs.states)
  for (let at = 0; at < states.length; at++) {
    const state = states[at]
    if (state !== OK && state !== QUEUED && state !== SENDING) continue
    const id = ids[at] ?? 0
    const price = prices[at] ?? 0
    const { from, to } = changes.get(id) ?? { from: olds[at] ?? 0, to: price }
    if (ofDiscount === 0) known.noteMove(id, from, to)
    if (state === OK || cancelled === 1) known.noteSettled(id)
    else known.notePending(id, { price, jobId, state: state === QUEUED ? 'queued' : 'sending' })
  }
}

/**
 * Reads the same of auctions, from the jobs of items:price --file. Their calls are not queued: a row is done, or its job was stopped while it
 * was sent. Auctions are few, since each takes a call of its own.
 */
export function knownAuctionPrices(ledger: Ledger, { profile, userId, since, jump }: KnownScope): KnownAuctionPrices {
  const known = new KnownAuctionPrices(jump)
  const jobs = ledger.jobs.list({ profile, kind: 'auction-price', since })
  for (const { JobId, UserId, State } of jobs.reverse()) {
    if (UserId !== null && userId !== null && UserId !== userId) continue
    for (const { Id, Payload, OldPayload, State: row } of bulkRows(ledger, JobId, ['ok', 'sending'])) {
      if (Id === null) continue
      for (const field of AUCTION_FIELDS) {
        const price = (Payload as AuctionPricesToSend)[field] ?? 0
        const prices = known.field(field)
        // A price that stays none was not moved.
        const old = (OldPayload as AuctionPricesToSend | null)?.[field] ?? 0
        if (old > 0 || price > 0) prices.noteMove(Id, old, price)
        if (row === 'ok' || State === 'cancelled') prices.noteSettled(Id)
        else prices.notePending(Id, { price, jobId: JobId, state: 'sending' })
      }
    }
  }
  return known
}
