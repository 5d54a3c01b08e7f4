/**
 * Plans a number that each item gets, such as its number in stock, against the live list: an item that has it already is not
 * sent, and one that is not live is skipped.
 */
import { MAX_INT } from '../../contract/index.js'
import type { ValueSet } from '../../contract/jobs.js'
import { type Hold, held as heldFor } from '../../holds/index.js'
import type { InputForm } from '../../rows/types.js'
import type { ValueRow, ValueRows } from '../../rows/values.js'
import { NumberedRows } from '../numbered.js'
import { heldAsMistyped, heldAsSeveral, LiveReferences } from '../references.js'
import { type Selection, selector } from '../rules/select.js'
import type { EntriesSummary, HoldLimit, LiveItem, LiveItems, PlanEntry, Stopped } from '../types.js'
import { countRows } from './summary.js'

export interface ValuePlanEntry extends Pick<PlanEntry, 'Line' | 'Id' | 'OwnReference' | 'Title' | 'State' | 'Limit' | 'Hold'> {
  /** null if the item is not live. */
  readonly Old: number | null
  readonly Value: number
}

export interface ValuePlan {
  readonly form: InputForm
  readonly entries: readonly ValuePlanEntry[]
  /** Values of the `_` columns of each entry. */
  readonly extras: readonly (readonly unknown[])[]
  readonly summary: EntriesSummary
}

/** Sets the number, or adds to it, but never goes below 0. */
export type ValueRule = { readonly set: number } | { readonly add: number }

/** A number that must be live; a row whose item has another one is held. */
export interface ExpectedValue {
  readonly value: number
  /** Why the row is held whatever is live. */
  readonly hold?: Hold | undefined
}

/** A number in stock that fell by no job. */
export interface SoldNumber {
  readonly before: number
  readonly after: number
  /** When it was seen, ms since 1970. */
  readonly at: number
}

interface SoldNumbers {
  of(id: number): SoldNumber | undefined
}

export interface ValuePlanOptions {
  /** Rows per call, to count calls. */
  readonly perCall: number
  /** Why none of the rows is sent, by a look at all of them and the prices of their items, kronor. */
  readonly judge?:
    | ((entries: readonly ValuePlanEntry[], priceOf: (id: number) => number | undefined) => Stopped | null)
    | undefined
  /** Numbers from before sales, by item id. Called once the live items were read; undefined where nothing is known. */
  readonly sold?: (() => SoldNumbers | undefined) | undefined
  /** By item id, the numbers that undo expects. */
  readonly expected?: ReadonlyMap<number, ExpectedValue> | undefined
}

/** The number that a live item has; undefined where the list does not say it. */
function liveValue(item: LiveItem, { live }: ValueSet): number | undefined {
  return ((item as Partial<Record<ValueSet['live'], unknown>>)[live] as number | undefined) ?? undefined
}

/** Plans rows. */
export async function planValues(
  set: ValueSet,
  input: ValueRows,
  live: LiveItems,
  { perCall, judge, sold, expected = new Map() }: ValuePlanOptions,
): Promise<ValuePlan> {
  const prices = new Map<number, number | null | undefined>()
  const rowByKey = new Map<number | string | undefined, ValueRow>()
  const beside = new Map<string, number>()
  for (const [at, row] of input.rows.entries()) {
    const { id, reference } = row
    const key = id > 0 ? id : reference
    if (!rowByKey.has(key)) rowByKey.set(key, row)
    if (id > 0 && reference !== undefined && !beside.has(reference)) beside.set(reference, at)
  }
  const entries = new Map<ValueRow, ValuePlanEntry>()
  const places = new Map(input.numbered === true || beside.size > 0 ? input.rows.map(({ id }, at) => [id, at]) : [])
  const byId = (id: number) => places.get(id) ?? -1
  const asId = NumberedRows.asId(byId)
  const numberedRows = new NumberedRows<LiveItem>(
    input.numbered === true ? asId : (reference) => beside.get(reference) ?? -1,
    byId,
  )
  const referenceOf = ({ id, reference }: ValueRow) => reference ?? (input.numbered === true ? String(id) : undefined)
  const references = input.rows.some((row) => referenceOf(row) !== undefined) ? new LiveReferences() : undefined
  for await (const item of live) {
    if (item.ItemType !== 'ShopItem') continue
    numberedRows.see(item)
    references?.see(item)
    for (const name of [item.Id, ...(item.OwnReferences ?? [])]) {
      const row = rowByKey.get(name)
      if (row === undefined) continue
      prices.set(item.Id, item.BuyItNowPrice)
      const before = entries.get(row)
      entries.set(row, before === undefined ? planRow(set, row, item, expected.get(item.Id)) : ambiguous(before, item))
    }
  }
  const isId = (at: number) => entries.has(input.rows[at] as ValueRow)
  for (const [at, [item, another]] of [...numberedRows.references(isId)]) {
    const row = input.rows[at]
    if (row === undefined || item === undefined) continue
    prices.set(item.Id, item.BuyItNowPrice)
    const entry = planRow(set, { ...row, reference: row.reference ?? String(row.id) }, item, expected.get(item.Id))
    entries.set(row, another === undefined ? entry : ambiguous(entry, another))
  }
  const near = references?.near(input.rows.flatMap((row) => (entries.has(row) ? [] : (referenceOf(row) ?? []))))
  const alike = (row: ValueRow) => {
    const reference = referenceOf(row) ?? ''
    const item = near?.get(reference)
    return item && heldAsMistyped(reference, item)
  }
  const soldNumbers = sold?.()
  const all = withoutTwins(input.rows.map((row) => notSold(entries.get(row) ?? unknown(row, alike(row)), soldNumbers)))
  const stop = judge?.(all, (id) => prices.get(id) ?? undefined) ?? null
  return buildPlan(
    input.form,
    stop === null ? all : all.map((entry) => (entry.State === 'change' ? holdRow(entry, stop.Hold, stop.Limit) : entry)),
    input.rows.map(({ extra }) => extra),
    { perCall, stopped: stop },
  )
}

/** Plans a rule over the selected items of the live list. */
export async function planValueRule(
  set: ValueSet,
  rule: ValueRule,
  { live, select, perCall }: { readonly live: LiveItems; readonly select: Selection; readonly perCall: number },
): Promise<ValuePlan> {
  const entries: ValuePlanEntry[] = []
  const isSelected = selector(select)
  for await (const item of live) {
    if (item.ItemType !== 'ShopItem' || !isSelected(item)) continue
    // Without the number there is nothing to add to; the row is held.
    const old = liveValue(item, set) ?? 0
    const value = 'set' in rule ? rule.set : Math.min(MAX_INT, Math.max(0, old + rule.add))
    entries.push(planRow(set, { line: 0, id: item.Id, reference: undefined, value, extra: [] }, item, undefined))
  }
  return buildPlan(
    { kind: 'rule', columns: ['Id', set.name] },
    entries,
    entries.map(() => []),
    { perCall, stopped: null },
  )
}

function planRow(set: ValueSet, row: ValueRow, item: LiveItem, expected: ExpectedValue | undefined): ValuePlanEntry {
  const old = liveValue(item, set)
  const { noun } = set
  const entry = {
    Line: row.line,
    Id: item.Id,
    OwnReference: row.reference ?? null,
    Title: item.ShortDescription ?? null,
    Old: old ?? null,
    Value: row.value,
  }
  // A reply may leave it out. If it were read as 0, the change could not be undone, or would be missed.
  if (old === undefined) return holdRow(entry, heldFor('level_unknown', { Noun: noun }))
  if (old === row.value) return { ...entry, State: 'unchanged', Limit: null, Hold: null }
  const movedHold =
    expected === undefined || expected.value === old
      ? undefined
      : heldFor('level_moved', { Noun: noun, Live: old, Expected: expected.value })
  const other =
    row.id > 0 && row.reference !== undefined && row.reference !== String(row.id) && !hasReference(item, row.reference)
      ? heldFor('other_reference')
      : undefined
  const why = other ?? expected?.hold ?? movedHold
  return why === undefined ? { ...entry, State: 'change', Limit: null, Hold: null } : holdRow(entry, why)
}

/** Holds a number that was live before goods were sold: the file is older than the sale. */
function notSold(entry: ValuePlanEntry, soldNumbers: SoldNumbers | undefined): ValuePlanEntry {
  const fall = soldNumbers?.of(entry.Id)
  const { State, Old, Value } = entry
  if (fall === undefined || State !== 'change' || Old === null || Value !== fall.before || Old > fall.after) return entry
  return holdRow(entry, heldFor('sold_since_file', { Quantity: Value, Live: Old, At: new Date(fall.at).toISOString() }))
}

/** True if one of the own references of an item is this one. */
export function hasReference({ OwnReferences }: Pick<LiveItem, 'OwnReferences'>, reference: string): boolean {
  return (OwnReferences ?? []).some((own) => own.trim() === reference)
}

function ambiguous(before: ValuePlanEntry, { Id }: LiveItem): ValuePlanEntry {
  if (before.Id === Id) return before
  return holdRow(before, heldFor('ambiguous_reference', { OwnReference: before.OwnReference, Items: [before.Id, Id] }))
}

function holdRow(
  entry: Omit<ValuePlanEntry, 'State' | 'Limit' | 'Hold'>,
  Hold: Hold,
  Limit: HoldLimit | null = null,
): ValuePlanEntry {
  return { ...entry, State: 'held', Limit, Hold }
}

/** Two rows for one item, one by its id and one by its own reference, would race each other. */
function withoutTwins(entries: readonly ValuePlanEntry[]): ValuePlanEntry[] {
  const lines = new Map<number, number>()
  return entries.map((entry) => {
    const twin = lines.get(entry.Id)
    if (entry.Id > 0 && twin === undefined) lines.set(entry.Id, entry.Line)
    return twin === undefined ? entry : holdRow({ ...entry, Id: 0 }, heldFor('same_item', { Item: entry.Id, Line: twin }))
  })
}

/** @param near why another item may be meant */
function unknown({ line, id, reference, value }: ValueRow, near: Hold | undefined): ValuePlanEntry {
  const why = near ?? (reference === undefined ? undefined : heldAsSeveral(reference))
  return {
    Line: line,
    Id: id,
    OwnReference: reference ?? null,
    Title: null,
    Old: null,
    Value: value,
    State: why === undefined ? 'unknown' : 'held',
    Limit: null,
    Hold:
      why ?? heldFor('not_live', { Id: reference === undefined ? id : null, OwnReference: reference ?? null, Type: 'ShopItem' }),
  }
}

function buildPlan(
  form: InputForm,
  entries: readonly ValuePlanEntry[],
  extras: readonly (readonly unknown[])[],
  { perCall, stopped }: { readonly perCall: number; readonly stopped: Stopped | null },
): ValuePlan {
  const counts = countRows(entries)
  return { form, entries, extras, summary: { ...counts, Calls: Math.ceil(counts.Change / perCall), Stopped: stopped } }
}
