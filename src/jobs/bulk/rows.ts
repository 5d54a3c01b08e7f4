/** Turns plans and input files into the rows of a job, one at a time. */
import type { ValueSet } from '../../contract/jobs.js'
import type { AuctionPlan, AuctionPricesSent, PlanEntry, RowPlan, ValuePlan } from '../../pricing/index.js'
import type { ItemRecords } from '../../rows/index.js'
import type { NewBulkRow } from './types.js'

/**
 * Rows of a price plan: those to send, and with their reason those that are held or whose item is not live. A job leaves out
 * unchanged ones.
 */
export function* priceJobRows(plan: RowPlan): Generator<NewBulkRow> {
  yield* plan.toSend()
  for (const index of plan.indexes('held', 'unknown')) {
    const entry = plan.entry(index)
    const { Id, Line, NewPrice, OldPrice, OwnReference, Title } = entry
    const why = entry.State === 'unknown' ? { skipped: heldReason(entry) } : { held: heldReason(entry) }
    yield {
      line: Line,
      id: Id,
      ownReference: OwnReference,
      title: Title,
      price: NewPrice,
      oldPrice: OldPrice,
      ...why,
      extra: plan.extra(index),
    }
  }
}

function heldReason(entry: Pick<PlanEntry, 'Reason'>): string {
  return entry.Reason ?? 'held'
}

/** Rows of an auction price plan, with the prices that an undo restores. */
export function* auctionJobRows(plan: AuctionPlan): Generator<NewBulkRow> {
  for (const [index, entry] of plan.entries.entries()) {
    if (entry.State === 'unchanged') continue
    const { OpeningPrice, ReservedPrice, BinPrice } = entry
    const wanted: AuctionPricesSent = entry.Send ?? { OpeningPrice, ReservedPrice, BinPrice }
    const old = entry.OldOpeningPrice
    yield {
      line: entry.Line,
      id: entry.Id,
      title: entry.Title,
      payload: wanted,
      oldPayload:
        old === null ? undefined : { OpeningPrice: old, ReservedPrice: entry.OldReservedPrice, BinPrice: entry.OldBinPrice },
      held: entry.State === 'held' ? heldReason(entry) : undefined,
      skipped: entry.State === 'unknown' ? heldReason(entry) : undefined,
      extra: plan.extras[index] ?? [],
    }
  }
}

/** Rows that set a number, with the numbers that an undo restores. */
export function* valueJobRows({ name }: ValueSet, plan: ValuePlan): Generator<NewBulkRow> {
  for (const [at, entry] of plan.entries.entries()) {
    const { State, Id, Line, OwnReference, Title, Value, Old } = entry
    if (State === 'unchanged') continue
    yield {
      line: Line,
      id: Id,
      ownReference: OwnReference,
      title: Title,
      payload: { [name]: Value },
      oldPayload: Old === null ? undefined : { [name]: Old },
      held: State === 'held' ? heldReason(entry) : undefined,
      skipped: State === 'unknown' ? heldReason(entry) : undefined,
      extra: plan.extras[at] ?? [],
    }
  }
}

/** Rows that add items. @param held why each row is not sent, in the order of the rows; undefined for one that is sent */
export function* addJobRows(records: ItemRecords, held: readonly (string | undefined)[] = []): Generator<NewBulkRow> {
  for (const [at, { line, value, extra }] of records.records.entries())
    yield { line, id: 0, payload: value, held: held[at], extra }
}
