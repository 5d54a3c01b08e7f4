/** Matches price rows with the live list, which is read once as a stream. */

import { FaultList } from '../../rows/faults.js'
import type { PriceRows } from '../../rows/price-rows.js'
import type { PlanCosts } from '../costs.js'
import type { Guards } from '../guards/index.js'
import type { Known } from '../known.js'
import { NumberedRows } from '../numbered.js'
import type { HoldLimit, LiveItem, LiveItems } from '../types.js'
import { RowPlan } from './plan.js'

export interface PlanOptions {
  readonly rows: PriceRows
  /** The live list. Without it the plan is blind: no old prices, no guard that compares, and own references are refused. */
  readonly live?: LiveItems
  readonly guards: Guards
  /** What the ledger knows; nothing by default. */
  readonly known?: Known
  /** Rows per call, to count calls. */
  readonly perCall?: number
  /** What the items cost; nothing by default. */
  readonly costs?: PlanCosts
  /** Whether the prices are those of a discount: a row that would raise its price is held. */
  readonly lowers?: boolean
}

/**
 * Plans the prices of shop items.
 * @throws InputRefused if an own reference belongs to several items, or two rows to the same one
 */
export async function planPrices(options: PlanOptions): Promise<RowPlan> {
  const { rows, live, ...more } = options
  const faults = new FaultList()
  if (live === undefined) {
    for (let at = 0; at < rows.length; at++) {
      if (rows.id(at) > 0) continue
      faults.add(
        rows.line(at),
        'OwnReference',
        rows.reference(at),
        'needs the live list to be looked up in; give the id, or plan without --blind',
      )
    }
    if (rows.oldColumn !== undefined)
      faults.add(
        0,
        null,
        undefined,
        `The column ${rows.oldColumn} is compared with the live list; plan without --blind, or leave it out.`,
      )
    faults.refuse()
    return new RowPlan(rows, { ...more, blind: true }).judge()
  }
  const plan = new RowPlan(rows, more)
  const owners = new Map<number, number>()
  const numbered = rows.numbered ? new NumberedRows<LiveItem>((id) => rows.find(id)) : undefined
  const ids = new Set<number>()
  for await (const item of live) {
    numbered?.see(item)
    const at = match(plan, rows, item, owners, faults)
    if (numbered !== undefined && at >= 0) ids.add(at)
  }
  for (const [at, items] of [...(numbered?.references((row) => ids.has(row)) ?? [])]) {
    for (const item of items) resolve(rows, at, item.Id, owners, faults)
    const [item] = items
    if (item !== undefined) found(plan, rows, at, item)
  }
  faults.refuse()
  return plan.judge()
}

/** @returns the row that names the item; -1 if none does */
function match(plan: RowPlan, rows: PriceRows, item: LiveItem, owners: Map<number, number>, faults: FaultList): number {
  if (item.ItemType === 'ShopItem') plan.shopItem(item.BuyItNowPrice ?? 0)
  if (rows.hasReferences) {
    for (const reference of new Set(item.OwnReferences)) {
      const at = rows.findReference(reference.trim())
      if (at >= 0) resolve(rows, at, item.Id, owners, faults)
    }
  }
  const at = rows.find(item.Id)
  if (at >= 0) found(plan, rows, at, item)
  return at
}

function found(plan: RowPlan, rows: PriceRows, at: number, item: LiveItem): void {
  const old = item.BuyItNowPrice ?? 0
  plan.live(at, old, misfit(rows, at, item), plan.findCost(item))
  if (old !== rows.price(at)) plan.titles.set(at, item.ShortDescription)
  compareShown(plan, rows, at, item)
}

/** Gives an item to a row found by its own reference. A second item with that reference makes it ambiguous. */
function resolve(rows: PriceRows, at: number, id: number, owners: Map<number, number>, faults: FaultList): void {
  const reference = rows.reference(at) ?? rows.id(at)
  const owner = owners.get(at)
  if (owner !== undefined) {
    if (owner !== id)
      faults.add(rows.line(at), 'OwnReference', reference, `belongs to several items, ${owner} and ${id}; give the id`)
    return
  }
  owners.set(at, id)
  const twin = rows.resolve(at, id)
  if (twin >= 0)
    faults.add(
      rows.line(at),
      'OwnReference',
      reference,
      `is item ${id}, which line ${rows.line(twin)} names too; remove one of the two`,
    )
}

/** Compares values of the row that are only there to be read, so that whoever edited them learns that they are not sent. */
function compareShown(plan: RowPlan, rows: PriceRows, at: number, item: LiveItem): void {
  const title = rows.title(at)
  if (title !== undefined && item.ShortDescription !== undefined && !sameTitle(title, item.ShortDescription, rows.lossyTitles))
    plan.noteEdited({ Line: rows.line(at), Id: item.Id, Field: 'ShortDescription', Value: title, Live: item.ShortDescription })
  const remaining = rows.remaining(at)
  if (remaining >= 0 && item.RemainingQuantity !== undefined && remaining !== item.RemainingQuantity)
    plan.noteEdited({
      Line: rows.line(at),
      Id: item.Id,
      Field: 'RemainingQuantity',
      Value: String(remaining),
      Live: String(item.RemainingQuantity),
    })
  const category = rows.category(at)
  if (category >= 0 && item.CategoryId !== undefined && category !== item.CategoryId)
    plan.noteEdited({
      Line: rows.line(at),
      Id: item.Id,
      Field: 'CategoryId',
      Value: String(category),
      Live: String(item.CategoryId),
    })
}

/** Spaces do not count: a tab-separated table has one for each line break and tab. */
function sameTitle(shown: string, live: string, lossy: boolean): boolean {
  const [one, other] = [shown, live].map((text) => text.replace(/\s+/g, ' ').trim()) as [string, string]
  if (one === other) return true
  if (!lossy || !one.includes('?')) return false
  return new RegExp(`^${one.replace(/[.*+^${}()|[\]\\]/g, '\\$&').replaceAll('?', '.')}$`, 'su').test(other)
}

function misfit(rows: PriceRows, at: number, item: LiveItem): HoldLimit | undefined {
  if (item.ItemType !== 'ShopItem') return 'not_shop_item'
  const reference = rows.reference(at)
  if (reference === undefined || item.OwnReferences?.some((own) => own.trim() === reference)) return undefined
  return 'other_reference'
}
