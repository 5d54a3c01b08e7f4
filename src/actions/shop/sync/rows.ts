/** Rows of a planned sync: how they are shown, their requests, and the notes on stderr. */

import type { Context } from '../../../cli/context.js'
import { valueSetOf } from '../../../contract/jobs.js'
import { countOf } from '../../../contract/numbers.js'
import { kronor } from '../../../format/output/index.js'
import { fromTo } from '../../../format/views/plans.js'
import { type ByHandShown, comparedWords, type SyncRowShown, type SyncSummaryShown } from '../../../format/views/sync.js'
import { type Hold, wordsOf } from '../../../holds/index.js'
import { type NewBulkRow, priceJobRows, updateJobRows, valueJobRows } from '../../../jobs/bulk/index.js'
import type { LiveItem, RowPlan, Stopped, ValuePlan } from '../../../pricing/index.js'
import { isRateless, ratelessWords } from '../../input/advice.js'
import { isVatRegistered } from '../../prices/costs.js'
import { explained, explainedStop } from '../../rows/explained.js'
import { type FieldRow, fieldRows } from '../../rows/fields.js'
import { reasonsText } from '../../rows/show.js'
import { stockWords } from '../../rows/values.js'
import type { PlannedSync, SyncPlanFlags } from './plan.js'

const NOTHING = { Field: null, Live: null, Wanted: null, Limit: null, Hold: null } as const

/** Every difference, in the order in which it would be sent, then what is not sent. A guard over everything holds all of them. */
export function* syncRows(ctx: Context, sync: PlannedSync): Generator<SyncRowShown> {
  const stop = stoppedBy(sync)
  for (const row of comparedRows(sync))
    yield explained(ctx, row.State === 'change' && stop !== null ? ({ ...row, State: 'held', ...stop } as FieldRow) : row)
}

function stoppedBy({ prices, stopped }: PlannedSync): Stopped | null {
  return prices.summary.Stopped ?? stopped
}

function* comparedRows(sync: PlannedSync): Generator<FieldRow> {
  const { plan, prices, stock } = sync
  const references = (id: number) => joined(plan.rowOf(id)?.references)
  yield* priceRowsShown(prices, references)
  yield* stockRowsShown(stock, references)
  yield* fieldRows(sync.updates)
  for (const { row, value } of plan.additions) {
    const of = {
      Line: row.line,
      Action: 'add',
      Id: null,
      OwnReference: joined(row.references),
      Title: textOrNull(value.Title),
    } as const
    yield { ...of, ...NOTHING, Field: 'Price', Wanted: value.Price ?? null, State: 'change' }
  }
  for (const item of plan.removals) yield { ...removal(item), State: 'change' }
  for (const { item, hold } of plan.heldRemovals) yield { ...removal(item), State: 'held', Hold: hold }
  for (const row of byHandRows(sync)) yield { ...NOTHING, ...row, Action: 'by-hand', State: 'by-hand' }
  for (const [State, rows] of [['held', plan.held] as const, ['pending', plan.pending] as const]) {
    for (const { row, item, hold } of rows) {
      const Title = item?.ShortDescription ?? textOrNull(row.given.Title)
      const of = { Line: row.line, Action: null, Id: item?.Id ?? null, OwnReference: joined(row.references), Title }
      yield { ...NOTHING, ...of, State, Hold: hold }
    }
  }
}

/** New prices as rows beside those of other fields. @param references of an item, for those who read */
export function* priceRowsShown(prices: RowPlan, references: (id: number) => string | null): Generator<FieldRow> {
  for (const { Line, Id, Title, OldPrice, NewPrice, State, Limit, Hold } of prices.entries('change', 'held', 'unknown')) {
    if (State === 'unchanged') continue
    const of = { Line, Action: 'reprice' as const, Id, OwnReference: references(Id), Title, Field: 'Price' as const }
    yield Object.assign(of, { Live: OldPrice, Wanted: NewPrice, State, Limit, Hold })
  }
}

/** The same for numbers in stock. */
export function* stockRowsShown({ entries }: ValuePlan, references: (id: number) => string | null): Generator<FieldRow> {
  for (const { Line, Id, Title, Old, Value, State, Limit, Hold } of entries) {
    if (State === 'unchanged') continue
    const of = { Line, Action: 'restock', Id, OwnReference: references(Id), Title, Field: 'AbsoluteQuantity' } as const
    yield { ...of, Live: Old, Wanted: Value, State, Limit, Hold }
  }
}

/** The sums of the prices and of the numbers in stock that are sent, a sentence each. */
export function sumFacts(
  { prices, stock }: { readonly prices: RowPlan | undefined; readonly stock: ValuePlan | undefined },
  { Reprice, Restock }: Pick<SyncSummaryShown, 'Reprice' | 'Restock'>,
  unit: string,
): string[] {
  const { OldTotal = null, NewTotal = 0 } = prices?.summary ?? {}
  const sum = (old: number) => fromTo(old, NewTotal, (amount) => kronor(amount, unit))
  return [
    ...(Reprice > 0 && OldTotal !== null ? [`Sum of the prices that change: ${sum(OldTotal)}.`] : []),
    ...(Restock > 0 && stock !== undefined ? [`In stock: ${stockWords(stock.entries)}.`] : []),
  ]
}

interface Removals {
  readonly removals: Iterable<LiveItem>
  readonly heldRemovals: Iterable<{ readonly item: LiveItem; readonly hold: Hold }>
}

/** A removal as it is shown, without its state. */
export function removal({ Id, OwnReferences, ShortDescription, BuyItNowPrice }: LiveItem): Omit<FieldRow, 'State'> {
  const of = { Line: 0, Action: 'remove', Id, OwnReference: joined(OwnReferences), Title: ShortDescription ?? null } as const
  return { ...NOTHING, ...of, Field: 'Price', Live: BuyItNowPrice ?? null }
}

/** The differences that the service cannot change. */
export function* byHandRows({ plan: { byHand } }: Pick<PlannedSync, 'plan'>): Generator<ByHandShown> {
  for (const { row, item, differences } of byHand) {
    for (const { field, live, wanted } of differences) {
      const of = { Line: row.line, Id: item.Id, OwnReference: joined(row.references), Title: item.ShortDescription ?? null }
      yield { ...of, Field: field, Live: live ?? null, Wanted: wanted }
    }
  }
}

/** The same, made whenever they are asked for. */
export function byHandList(planned: Pick<PlannedSync, 'plan'>): Iterable<ByHandShown> {
  return { [Symbol.iterator]: () => byHandRows(planned) }
}

/** Numbers of a planned sync. */
export function summarizeSync(ctx: Context, sync: PlannedSync): SyncSummaryShown {
  const { plan, prices, stock, updates, match, catalogue } = sync
  const Stopped = explainedStop(ctx, stoppedBy(sync))
  const [Add, Reprice] = [plan.additions.length, prices.summary.Change]
  const [Restock, Remove] = [stock.summary.Change, plan.removals.length]
  const Update = updates.change
  const unchangedRows = plan.unchanged(touched(sync))
  const Calls = prices.summary.Calls + stock.summary.Calls + Update + Add + Remove
  const heldCount = [prices.summary, stock.summary].reduce((sum, { Held, Unknown }) => sum + Held + Unknown, 0)
  const counts =
    Stopped === null ? { Add, Reprice, Restock, Update, Remove } : { Add: 0, Reprice: 0, Restock: 0, Update: 0, Remove: 0 }
  return {
    Rows: catalogue.rows.length,
    Items: match.shop.length,
    ...counts,
    Held:
      plan.held.length +
      plan.heldRemovals.length +
      heldCount +
      updates.held +
      (Stopped === null ? 0 : Add + Reprice + Restock + Update + Remove),
    Pending: plan.pending.length + updates.pending,
    ByHand: count(byHandRows(sync)),
    Unchanged: unchangedRows.same + unchangedRows.notCompared,
    NotCompared: unchangedRows.notCompared,
    Compared: plan.compared,
    UnreadColumns: catalogue.suspect,
    Missing: match.missing.length,
    WithoutReference: match.withoutReference,
    Calls: Stopped === null ? Calls : 0,
    Stopped,
  }
}

/** The parts that have rows. Held rows have what the catalogue gave, so that they can be written back. */
export function partRows(sync: PlannedSync) {
  const { plan, prices, stock, updates } = sync
  const withGiven = function* (rows: Iterable<NewBulkRow>): Generator<NewBulkRow> {
    for (const row of rows) {
      const from = plan.rowOf(row.id)
      const payload = row.held == null && row.skipped == null ? row.payload : (row.payload ?? from?.given)
      yield { ...row, payload, ownReference: joined(from?.references) }
    }
  }
  const rowCount = ({ Change, Held, Unknown }: { Change: number; Held: number; Unknown: number }) => Change + Held + Unknown
  return [
    { kind: 'price' as const, rows: withGiven(priceJobRows(prices)), count: rowCount(prices.summary) },
    { kind: 'stock' as const, rows: withGiven(valueJobRows(valueSetOf('stock'), stock)), count: rowCount(stock.summary) },
    { kind: 'update' as const, rows: updateJobRows(updates), count: updates.change + updates.held },
    { kind: 'add-shop' as const, rows: additionRows(sync), count: plan.additions.length + plan.held.length },
    { kind: 'remove' as const, rows: removalRows(plan), count: plan.removals.length + plan.heldRemovals.length },
  ].flatMap(({ count, ...part }) => (count === 0 ? [] : [part]))
}

function* additionRows({ plan: { additions, held } }: PlannedSync): Generator<NewBulkRow> {
  for (const { row, value } of additions) {
    yield { line: row.line, id: 0, ownReference: joined(row.references), payload: value, extra: row.extra }
  }
  // Rows without an item of their own have no other place: they stay with those that would add one.
  for (const { row, item, hold } of held) {
    const of = { line: row.line, id: 0, ownReference: joined(row.references), title: item?.ShortDescription ?? null }
    yield { ...of, payload: row.given, held: hold, extra: row.extra }
  }
}

/** Removals as a job takes them. */
export function* removalRows({ removals, heldRemovals }: Removals): Generator<NewBulkRow> {
  const of = ({ Id, OwnReferences, ShortDescription }: LiveItem) => {
    return { line: 0, id: Id, ownReference: joined(OwnReferences), title: ShortDescription ?? null }
  }
  for (const item of removals) yield of(item)
  for (const { item, hold } of heldRemovals) yield { ...of(item), held: hold }
}

/** The items whose price or number in stock does not stay as it is. */
function* touched({ prices, stock }: PlannedSync): Generator<number> {
  for (const at of prices.indexes('change', 'held', 'unknown')) yield prices.entry(at).Id
  for (const { State, Id } of stock.entries) if (State !== 'unchanged') yield Id
}

function count(rows: Iterable<unknown>): number {
  let all = 0
  for (const _ of rows) all++
  return all
}

function joined(references: readonly string[] | undefined): string | null {
  return references === undefined || references.length === 0 ? null : references.join('|')
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Reasons and differences that are named; --dry-run and --json have all. */
const NAMED = 5

const NOUNS = {
  Reprice: 'new price',
  Restock: 'new stock level',
  Update: 'changed item',
  Add: 'new item',
  Remove: 'removal',
}

/** `30 new prices, 4 new stock levels, 5 changed items, 10 new items and 2 removals` */
export function countsText(counts: Pick<SyncSummaryShown, keyof typeof NOUNS>, nouns: Partial<typeof NOUNS> = {}): string {
  const countNouns = Object.entries({ ...NOUNS, ...nouns }) as readonly [keyof typeof NOUNS, string][]
  const parts = countNouns.flatMap(([key, noun]) => (counts[key] === 0 ? [] : [countOf(counts[key], noun)]))
  const last = parts.pop()
  return parts.length === 0 ? (last ?? '') : `${parts.join(', ')} and ${last}`
}

/** Says what is on its way already, and what the comparison leaves alone. */
export function tellRest(
  ctx: Context,
  { plan, updates, removeMissing }: PlannedSync,
  summary: SyncSummaryShown,
  { 'add-none': isUpdate }: Pick<SyncPlanFlags, 'add-none'>,
): void {
  const { Missing, WithoutReference } = summary
  const note = (text: string) => ctx.output.note(text)
  const comparison = comparedWords(summary)
  if (comparison !== undefined) note(comparison)
  const { leaving, soldOut } = plan
  const pending = [...plan.pending, ...waiting(updates)]
  if (pending.length > 0) {
    const rows = pending.map(({ row, item, hold }) => {
      const Reason = ctx.text(wordsOf(hold))
      return { Line: row.line, Id: item?.Id ?? null, OwnReference: row.references[0] ?? null, Reason }
    })
    note(reasonsText(rows, widthOf(ctx), (count) => `${countOf(count, 'row')} on the way already, not sent again:`, NAMED))
  }
  // The file of an update names a few items: all others stay.
  if (Missing - leaving > 0 && !removeMissing && isUpdate !== true) {
    const [are, stay, such] = Missing - leaving === 1 ? ['is', 'stays', 'it'] : ['are', 'stay', 'them']
    note(`${countOf(Missing - leaving, 'live item')} ${are} not in the catalogue and ${stay}; --remove-missing removes ${such}.`)
  }
  if (leaving > 0)
    note(`${countOf(leaving, 'live item')} not in the catalogue ${leaving === 1 ? 'is' : 'are'} being removed already.`)
  if (WithoutReference > 0) {
    const [have, are] = WithoutReference === 1 ? ['has', 'is'] : ['have', 'are']
    note(`${countOf(WithoutReference, 'live item')} ${have} no own reference and ${are} left alone.`)
  }
  if (soldOut > 0) {
    const [names, is] = soldOut === 1 ? ['names an item that is', 'it is'] : ['name items that are', 'they are']
    note(`${countOf(soldOut, 'row')} with a stock of 0 ${names} not live, so ${is} not added.`)
  }
}

/** Warns of new items without a rate of VAT, in a shop that is registered for it. */
export function tellRateless(ctx: Context, { plan }: Pick<PlannedSync, 'plan'>): void {
  if (!isVatRegistered(ctx)) return
  let rateless = 0
  for (const { value } of plan.additions) rateless += Number(isRateless(value))
  if (rateless === 0) return
  ctx.output.warn(ratelessWords(`${countOf(rateless, 'new item')} ${rateless === 1 ? 'has' : 'have'}`, 'Add a column VAT'))
}

function* waiting({ entries, pending }: PlannedSync['updates']) {
  if (pending === 0) return
  for (const { row, item, state, hold } of entries) if (state === 'pending' && hold !== null) yield { row, item, hold }
}

/** Names fields that the seller has to change. */
export function tellByHand(ctx: Context, sync: PlannedSync): void {
  const rows = function* () {
    for (const { Field, Live, Wanted, ...row } of byHandRows(sync))
      yield { ...row, Reason: `${Field} is ${short(Live)}, not ${short(Wanted)}` }
  }
  const title = (count: number) => `${countOf(count, 'field')} ${count === 1 ? 'differs' : 'differ'} that a sync cannot change:`
  const words = reasonsText(rows(), widthOf(ctx), title, NAMED)
  if (words === '') return
  ctx.output.warn(words)
  ctx.output.hint(
    'This service offers no operation for them. Change them on the website, or remove the item and add it again. All of them: --dry-run or --json.',
  )
}

/** Longest text of a value that is named. */
const SHORT = 40

function short(value: unknown): string {
  if (value === null || value === '') return 'empty'
  const text = typeof value === 'string' ? `"${value.replace(/\s+/g, ' ')}"` : JSON.stringify(value)
  return text.length > SHORT ? `${text.slice(0, SHORT - 1)}…` : text
}

function widthOf(ctx: Context): number | undefined {
  return ctx.errorTerminal ? ctx.output.width : undefined
}
