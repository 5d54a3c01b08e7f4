/** Turns plans and input files into the rows of a job, one at a time. */
import type { ValueSet } from '../../contract/jobs.js'
import { type Hold, held } from '../../holds/index.js'
import type { AuctionPlan, AuctionPricesSent, RowPlan, UpdatePlan, ValuePlan } from '../../pricing/index.js'
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
    const why = entry.State === 'unknown' ? { skipped: holdOf(entry) } : { held: holdOf(entry) }
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

/** Rows of an auction price plan, with the prices that an undo restores. */
export function* auctionJobRows(plan: AuctionPlan): Generator<NewBulkRow> {
  for (const [index, entry] of plan.entries.entries()) {
    if (entry.State === 'unchanged') continue
    const { OpeningPrice, ReservedPrice, BinPrice } = entry
    const prices: AuctionPricesSent = entry.Send ?? { OpeningPrice, ReservedPrice, BinPrice }
    const old = entry.OldOpeningPrice
    yield {
      line: entry.Line,
      id: entry.Id,
      title: entry.Title,
      payload: prices,
      oldPayload:
        old === null ? undefined : { OpeningPrice: old, ReservedPrice: entry.OldReservedPrice, BinPrice: entry.OldBinPrice },
      held: entry.State === 'held' ? holdOf(entry) : undefined,
      skipped: entry.State === 'unknown' ? holdOf(entry) : undefined,
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
      held: State === 'held' ? holdOf(entry) : undefined,
      skipped: State === 'unknown' ? holdOf(entry) : undefined,
      extra: plan.extras[at] ?? [],
    }
  }
}

/** Rows that change fields of items, with the fields that an undo restores. What an undo cannot know is left out. */
export function* updateJobRows({ entries }: UpdatePlan): Generator<NewBulkRow> {
  for (const { row, item, differences, state, hold } of entries) {
    if (state === 'pending') continue
    const fields = Object.fromEntries(differences.map(({ field, wanted }) => [field, wanted]))
    const old = differences.flatMap(({ field, live, unread }) => (unread === true ? [] : [[field, live] as const]))
    yield {
      line: row.line,
      id: item.Id,
      ownReference: row.references.length === 0 ? null : row.references.join('|'),
      title: item.ShortDescription ?? null,
      payload: state === 'held' ? row.given : fields,
      oldPayload: Object.fromEntries(old),
      held: state === 'held' ? holdOf({ Hold: hold }) : undefined,
      extra: row.extra,
    }
  }
}

/** The hold of a row that must not be sent: without one it would be. */
export function holdOf({ Hold: hold }: { readonly Hold: Hold | null }): Hold {
  return hold ?? held('text', { Said: 'held' })
}
