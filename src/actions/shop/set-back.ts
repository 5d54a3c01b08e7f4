/**
 * Plans that set a shop back, to a date or to before some jobs: prices, numbers in stock, fields and additions as parts of one
 * job.
 */

import type { Context } from '../../cli/context.js'
import { valueSetOf } from '../../contract/jobs.js'
import { countOf } from '../../contract/numbers.js'
import { type SyncRowShown, syncPlanView } from '../../format/views/sync.js'
import type { Hold } from '../../holds/index.js'
import { type NewBulkRow, priceJobRows, type UpdateUndoPlan, updateJobRows, valueJobRows } from '../../jobs/bulk/index.js'
import type { LiveItem, RowPlan, UpdatePlan, ValuePlan } from '../../pricing/index.js'
import { explained, explainedStop } from '../rows/explained.js'
import { type FieldRow, fieldRows, heldByLimit, noteLeft, unknownJobRows } from '../rows/fields.js'
import type { RowsPlan } from '../rows/run-rows.js'
import { countsText, priceRowsShown, removal, removalRows, stockRowsShown, sumFacts } from './sync/rows.js'

/** Changes that set a shop back, by their kind; undefined where there is none. */
export interface SetBack {
  readonly prices?: RowPlan | undefined
  readonly numbers?: ValuePlan | undefined
  readonly updates?: (UpdatePlan & Partial<Pick<UpdateUndoPlan, 'left' | 'unknown' | 'unchanged'>>) | undefined
  /** Items that are removed, because jobs had added them, and those that stay. */
  readonly removals?: readonly LiveItem[]
  readonly heldRemovals?: readonly { readonly item: LiveItem; readonly hold: Hold }[]
  /** Text for when nothing differs. */
  readonly nothing: string
  /** Says what cannot be set back. */
  readonly also?: () => void
}

const NO_ROWS = { Rows: 0, Change: 0, Unchanged: 0, Unknown: 0, Held: 0, Calls: 0, HeldBy: {}, Stopped: null }
/** Nouns for what an undo sets back. */
const BACK = { Reprice: 'price', Restock: 'stock level', Remove: 'added item' }
const NONE = { Reprice: 0, Restock: 0, Update: 0, Remove: 0 }

/** The plan, with a part for each kind of change. */
export function setBackParts(
  ctx: Context,
  { prices, numbers, updates, removals = [], heldRemovals = [], nothing, also }: SetBack,
): Pick<RowsPlan<SyncRowShown>, 'parts' | 'form' | 'summary' | 'noun' | 'shown' | 'sync'> {
  const priceSummary = prices?.summary ?? NO_ROWS
  const numberSummary = numbers?.summary ?? NO_ROWS
  const { change = 0, held: heldFields = 0, unknown = [], unchanged = 0 } = updates ?? {}
  const entries = updates?.entries.length ?? 0
  const Stopped = explainedStop(ctx, priceSummary.Stopped)
  const all = { Reprice: priceSummary.Change, Restock: numberSummary.Change, Update: change, Remove: removals.length }
  const sentCounts = Stopped === null ? all : NONE
  const sum = (counts: typeof all): number => counts.Reprice + counts.Restock + counts.Update + counts.Remove
  const summary = {
    Rows: priceSummary.Rows + numberSummary.Rows + entries + unknown.length + unchanged + removals.length + heldRemovals.length,
    Change: sum(sentCounts),
    Unchanged: priceSummary.Unchanged + numberSummary.Unchanged + unchanged,
    Unknown: priceSummary.Unknown + numberSummary.Unknown + unknown.length,
    Held: priceSummary.Held + numberSummary.Held + heldFields + heldRemovals.length + (sum(all) - sum(sentCounts)),
    Calls: Stopped === null ? priceSummary.Calls + numberSummary.Calls + change + removals.length : 0,
    HeldBy: { ...priceSummary.HeldBy, ...(updates === undefined ? {} : heldByLimit(updates)) },
    Stopped,
  }
  const parts = [
    {
      kind: 'price' as const,
      rows: prices === undefined ? [] : priceJobRows(prices),
      count: priceSummary.Rows - priceSummary.Unchanged,
    },
    {
      kind: 'stock' as const,
      rows: numbers === undefined ? [] : valueJobRows(valueSetOf('stock'), numbers),
      count: numberSummary.Rows - numberSummary.Unchanged,
    },
    { kind: 'update' as const, rows: updates === undefined ? [] : fieldJobRows(), count: entries + unknown.length },
    {
      kind: 'remove' as const,
      rows: removalRows({ removals, heldRemovals }),
      count: removals.length + heldRemovals.length,
    },
  ]
  return {
    parts: parts.flatMap(({ count, ...part }) => (count === 0 ? [] : [part])),
    form: { kind: 'rule', columns: ['Id', 'Price', 'Quantity'] },
    summary,
    noun: 'change',
    sync: {
      counted: countsText({ ...sentCounts, Add: 0 }, BACK),
      nothing,
      compared: { Pending: null, Missing: null, WithoutReference: null, ByHand: null },
      before: () => {},
    },
    shown: {
      view: syncPlanView,
      facts: (unit) => {
        const { Update, Remove } = sentCounts
        return [
          ...sumFacts({ prices, stock: numbers }, sentCounts, unit),
          ...(Update > 0 ? [`Fields of ${countOf(Update, 'item')}.`] : []),
          ...(Remove > 0 ? [`Removed, because it was added: ${countOf(Remove, 'item')}.`] : []),
        ]
      },
      also: () => {
        noteLeft(ctx, updates?.left)
        also?.()
      },
      *rows() {
        const nameless = () => null
        for (const row of prices === undefined ? [] : priceRowsShown(prices, nameless)) yield explained(ctx, row)
        for (const row of numbers === undefined ? [] : stockRowsShown(numbers, nameless)) yield explained(ctx, row)
        for (const row of updates === undefined ? [] : fieldRows(updates)) yield explained(ctx, row)
        for (const item of removals) yield explained(ctx, { ...removal(item), State: 'change' } as FieldRow)
        for (const { item, hold } of heldRemovals)
          yield explained(ctx, { ...removal(item), State: 'held', Hold: hold } as FieldRow)
      },
    },
  }

  function* fieldJobRows(): Generator<NewBulkRow> {
    if (updates === undefined) return
    yield* updateJobRows(updates)
    yield* unknownJobRows(unknown)
  }
}
