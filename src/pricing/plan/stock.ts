/**
 * Plans numbers in stock against the live list: an item that has its number already is not sent, and one that is not live is
 * skipped.
 */
import { MAX_INT } from '../../contract/index.js'
import type { StockRow, StockRows } from '../../rows/stock.js'
import type { InputForm } from '../../rows/types.js'
import { type Guards, NO_GUARDS } from '../guards/index.js'
import { NumberedRows } from '../numbered.js'
import { type Selection, selector } from '../rules/select.js'
import type { HoldLimit, LiveItem, LiveItems, PlanState, Stopped } from '../types.js'
import { judgeStock } from './stock-guards.js'

export interface StockPlanEntry {
  readonly Line: number
  /** 0 if an own reference belongs to no live item. */
  readonly Id: number
  readonly OwnReference: string | null
  readonly Title: string | null
  /** null if the item is not live. */
  readonly OldQuantity: number | null
  readonly Quantity: number
  readonly State: PlanState
  /** The guard that holds it. */
  readonly Limit: HoldLimit | null
  readonly Reason: string | null
}

export interface StockPlan {
  readonly form: InputForm
  readonly entries: readonly StockPlanEntry[]
  /** Values of the `_` columns of each entry. */
  readonly extras: readonly (readonly unknown[])[]
  readonly summary: {
    readonly Rows: number
    readonly Change: number
    readonly Unchanged: number
    readonly Unknown: number
    readonly Held: number
    readonly Calls: number
    /** The guard over all rows that is broken, and why. Nothing at all is sent. */
    readonly Stopped: Stopped | null
  }
}

/** Sets the number, or adds to it, but never goes below 0. */
export type StockRule = { readonly set: number } | { readonly add: number }

/** A number that must be live; a row whose item has another one is held. */
export interface ExpectedStock {
  readonly quantity: number
  /** Why the row is held whatever is live. */
  readonly hold?: string
}

/**
 * Plans rows.
 * @param expected by item id, the numbers that undo expects
 */
export async function planStock(
  input: StockRows,
  live: LiveItems,
  {
    perCall,
    guards = NO_GUARDS,
    expected = new Map(),
  }: { readonly perCall: number; readonly guards?: Guards; readonly expected?: ReadonlyMap<number, ExpectedStock> },
): Promise<StockPlan> {
  const prices = new Map<number, number | null | undefined>()
  const wanted = new Map(input.rows.map((row) => [row.id > 0 ? row.id : row.reference, row]))
  const entries = new Map<StockRow, StockPlanEntry>()
  const places = new Map(input.numbered === true ? input.rows.map(({ id }, at) => [id, at]) : [])
  const numbered = new NumberedRows<LiveItem>((id) => places.get(id) ?? -1)
  for await (const item of live) {
    if (item.ItemType !== 'ShopItem') continue
    numbered.see(item)
    for (const name of [item.Id, ...(item.OwnReferences ?? [])]) {
      const row = wanted.get(name)
      if (row === undefined) continue
      prices.set(item.Id, item.BuyItNowPrice)
      const before = entries.get(row)
      entries.set(row, before === undefined ? planRow(row, item, expected.get(item.Id)) : ambiguous(before, item))
    }
  }
  const isId = (at: number) => entries.has(input.rows[at] as StockRow)
  for (const [at, [item, another]] of [...numbered.references(isId)]) {
    const row = input.rows[at]
    if (row === undefined || item === undefined) continue
    prices.set(item.Id, item.BuyItNowPrice)
    const entry = planRow({ ...row, reference: String(row.id) }, item, expected.get(item.Id))
    entries.set(row, another === undefined ? entry : ambiguous(entry, another))
  }
  const all = withoutTwins(input.rows.map((row) => entries.get(row) ?? unknown(row)))
  const stopped = judgeStock(all, (id) => prices.get(id) ?? undefined, guards)
  return planOf(
    input.form,
    stopped === null ? all : all.map((entry) => (entry.State === 'change' ? held(entry, stopped.Reason, stopped.Limit) : entry)),
    input.rows.map(({ extra }) => extra),
    { perCall, stopped },
  )
}

/** Plans a rule over the selected items of the live list. */
export async function planStockRule(
  rule: StockRule,
  { live, select, perCall }: { readonly live: LiveItems; readonly select: Selection; readonly perCall: number },
): Promise<StockPlan> {
  const entries: StockPlanEntry[] = []
  const isSelected = selector(select)
  for await (const item of live) {
    if (item.ItemType !== 'ShopItem' || !isSelected(item)) continue
    // Without the number there is nothing to add to; the row is held.
    const old = item.RemainingQuantity ?? 0
    const quantity = 'set' in rule ? rule.set : Math.min(MAX_INT, Math.max(0, old + rule.add))
    entries.push(planRow({ line: 0, id: item.Id, reference: undefined, quantity, extra: [] }, item, undefined))
  }
  return planOf(
    { kind: 'rule', columns: ['Id', 'Quantity'] },
    entries,
    entries.map(() => []),
    { perCall, stopped: null },
  )
}

function planRow(row: StockRow, item: LiveItem, expected: ExpectedStock | undefined): StockPlanEntry {
  const old = item.RemainingQuantity
  const entry = {
    Line: row.line,
    Id: item.Id,
    OwnReference: row.reference ?? null,
    Title: item.ShortDescription ?? null,
    OldQuantity: old ?? null,
    Quantity: row.quantity,
  }
  // A reply may leave it out. If it were read as 0, the change could not be undone, or would be missed.
  if (old === undefined || old === null) {
    return { ...entry, State: 'held', Limit: null, Reason: 'the live list does not say how many are in stock' }
  }
  if (old === row.quantity) return { ...entry, State: 'unchanged', Limit: null, Reason: null }
  const moved =
    expected === undefined || expected.quantity === old
      ? undefined
      : `${old} are in stock and not the ${expected.quantity} that the job set: sold or changed since`
  const why = expected?.hold ?? moved
  return { ...entry, State: why === undefined ? 'change' : 'held', Limit: null, Reason: why ?? null }
}

function ambiguous(before: StockPlanEntry, { Id }: LiveItem): StockPlanEntry {
  if (before.Id === Id) return before
  return held(before, `its own reference belongs to several items, ${before.Id} and ${Id}`)
}

function held(entry: StockPlanEntry, Reason: string, Limit: HoldLimit | null = null): StockPlanEntry {
  return { ...entry, State: 'held', Limit, Reason }
}

/** Two rows for one item, one by its id and one by its own reference, would race each other. */
function withoutTwins(entries: readonly StockPlanEntry[]): StockPlanEntry[] {
  const lines = new Map<number, number>()
  return entries.map((entry) => {
    const twin = lines.get(entry.Id)
    if (entry.Id > 0 && twin === undefined) lines.set(entry.Id, entry.Line)
    return twin === undefined ? entry : held({ ...entry, Id: 0 }, `item ${entry.Id} is in line ${twin} too`)
  })
}

function unknown({ line, id, reference, quantity }: StockRow): StockPlanEntry {
  const what = id > 0 ? `id ${id}` : `the own reference "${reference ?? ''}"`
  return {
    Line: line,
    Id: id,
    OwnReference: reference ?? null,
    Title: null,
    OldQuantity: null,
    Quantity: quantity,
    State: 'unknown',
    Limit: null,
    Reason: `no shop item with ${what} is in the shop now`,
  }
}

function planOf(
  form: InputForm,
  entries: readonly StockPlanEntry[],
  extras: readonly (readonly unknown[])[],
  { perCall, stopped }: { readonly perCall: number; readonly stopped: Stopped | null },
): StockPlan {
  const count = (outcome: PlanState) => entries.filter(({ State }) => State === outcome).length
  const Change = count('change')
  const summary = {
    Rows: entries.length,
    Change,
    Unchanged: count('unchanged'),
    Unknown: count('unknown'),
    Held: count('held'),
    Calls: Math.ceil(Change / perCall),
    Stopped: stopped,
  }
  return { form, entries, extras, summary }
}
