/** Price history of items from the batches of price jobs, for a plan. */
import { entryAt } from '../../contract/entry-at.js'
import { AUCTION_FIELDS, KnownAuctionPrices, KnownPrices } from '../../pricing/index.js'
import { DAY_MS } from '../../system/durations.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { NO_DISCOUNT_JOB, type NormalChange, normalChangesReader } from './discount-jobs.js'
import { priceBatches } from './pack.js'
import { readPayload } from './payloads.js'
import { DayFold, type PriceMoves, readFold } from './price-folds.js'
import { bulkRows } from './show.js'
import { type BulkRowState, ROW_STATES } from './types.js'

export interface KnownScope extends ShopKey {
  /** ms since 1970: jobs created then or later. */
  readonly since: number
  /** The largest step that is not let through on purpose, as a share; null if no limit is set (KnownPrices). */
  readonly jump: number | null
}

/** A job as far as it tells whether it may still change. */
interface PriceJob {
  readonly id: number
  readonly state: string
  readonly counts: string
  readonly created_at: number
  readonly finished_at: number | null
  readonly lock_owner: string | null
  /** 0 if it starts or ends a discount. */
  readonly moves: number
}

const JOBS = `SELECT id, state, counts, created_at, finished_at, lock_owner, id ${NO_DISCOUNT_JOB} AS moves FROM jobs
  WHERE kind = 'price' AND profile = ? AND (user_id IS NULL OR ? IS NULL OR user_id = ?) AND created_at >= ? ORDER BY id`

const byteOf = (state: BulkRowState): number => ROW_STATES.indexOf(state)
const [OK, QUEUED, SENDING] = [byteOf('ok'), byteOf('queued'), byteOf('sending')]

/**
 * Reads which prices the jobs of a profile have set, queued or were sending since a time, oldest first. Rows that were held,
 * refused or not sent changed nothing, and dropped rows are not waited for. The start and end of a discount move no price,
 * because the end raises what the start lowers; of an item in a discount the normal price counts. A past day whose jobs have
 * ended is folded.
 */
export function knownPrices(
  ledger: Pick<Ledger, 'store' | 'clock' | 'state'>,
  { profile, userId, since, jump }: KnownScope,
): KnownPrices {
  const prices = new KnownPrices(jump)
  const changesOf = normalChangesReader(ledger)
  const [first, today] = [Math.ceil(since / DAY_MS), Math.floor(ledger.clock.now() / DAY_MS)]
  const jobs = ledger.store.all<PriceJob>(JOBS, profile, userId, userId, since)
  for (const [day, its] of byDay(jobs)) {
    const mark = JSON.stringify(its.map(({ id, state, counts, finished_at: at }) => [id, state, counts, at]))
    const key = { profile, userId: userId ?? 0, day, mark }
    const hasClosed = day >= first && day < today && its.every(hasEnded)
    if (hasClosed && readFold(ledger, key, jump, prices)) continue
    const fold = hasClosed && ledger.state !== 'copy' ? new DayFold() : undefined
    for (const job of its) readJob(ledger, job, fold === undefined ? [prices] : [prices, fold], prices, changesOf(job.id))
    fold?.write(ledger, key, first)
  }
  return prices
}

/** In the order of the jobs: a clock that was set back has a day twice, and neither is folded as the other. */
function byDay(jobs: readonly PriceJob[]): (readonly [day: number, jobs: PriceJob[]])[] {
  const days: (readonly [number, PriceJob[]])[] = []
  for (const job of jobs) {
    const day = Math.floor(job.created_at / DAY_MS)
    const last = days.at(-1)
    if (last?.[0] === day) last[1].push(job)
    else days.push([day, [job]])
  }
  return days
}

/** True if no row of the job is under way. What is run again has a lock, and other counts afterwards. */
function hasEnded({ finished_at, lock_owner, counts }: PriceJob): boolean {
  const { queued = 0, sending = 0, unknown = 0 } = JSON.parse(counts) as Partial<Record<BulkRowState, number>>
  return finished_at !== null && lock_owner === null && queued + sending + unknown === 0
}

function readJob(
  { store }: Pick<Ledger, 'store'>,
  { id: jobId, state: jobState, moves: movesPrices }: PriceJob,
  moves: readonly PriceMoves[],
  known: KnownPrices,
  changes: ReadonlyMap<number, NormalChange>,
): void {
  for (const { ids, prices, olds, states } of priceBatches(store, jobId, ['ok', 'queued', 'sending'])) {
    for (let at = 0; at < states.length; at++) {
      const state = states[at]
      if (state !== OK && state !== QUEUED && state !== SENDING) continue
      const id = entryAt(ids, at)
      const price = entryAt(prices, at)
      const { from, to } = changes.get(id) ?? { from: entryAt(olds, at), to: price }
      const over = state === OK || jobState === 'cancelled'
      for (const each of moves) {
        if (movesPrices === 1) each.noteMove(id, from, to)
        if (over) each.noteEnded(id)
      }
      if (!over) known.notePending(id, { price, jobId, state: state === QUEUED ? 'queued' : 'sending' })
    }
  }
}

/**
 * Reads the same of auctions, from the jobs of items:price --file. Their calls are not queued: a row is done, or its job was
 * stopped while it was sent. Auctions are few, since each takes a call of its own.
 */
export function knownAuctionPrices(ledger: Ledger, { profile, userId, since, jump }: KnownScope): KnownAuctionPrices {
  const auctionPrices = new KnownAuctionPrices(jump)
  const jobs = ledger.jobs.list({ profile, userId, kind: 'auction-price', since })
  for (const { JobId, State } of jobs.reverse()) {
    for (const { Row, Id, Payload, OldPayload, State: row } of bulkRows(ledger, JobId, ['ok', 'sending'])) {
      if (Id === null) continue
      const sentPrices = readPayload('auction-price', Payload, { JobId, Row })
      const oldPrices = OldPayload === null ? null : readPayload('auction-price', OldPayload, { JobId, Row })
      for (const field of AUCTION_FIELDS) {
        const price = sentPrices[field] ?? 0
        const prices = auctionPrices.field(field)
        // A price that stays none was not moved.
        const old = oldPrices?.[field] ?? 0
        if (old > 0 || price > 0) prices.noteMove(Id, old, price)
        if (row === 'ok' || State === 'cancelled') prices.noteEnded(Id)
        else prices.notePending(Id, { price, jobId: JobId, state: 'sending' })
      }
    }
  }
  return auctionPrices
}
