/** Matches price rows with the live list, which is read once as a stream. */

import { unreadFields } from '../../contract/index.js'
import { FaultList } from '../../rows/faults.js'
import type { PriceRow, PriceRows } from '../../rows/price-rows.js'
import { matchRows } from '../match.js'
import { heldAsMistyped } from '../references.js'
import type { HoldLimit, LiveItem, LiveItems, PlanTerms } from '../types.js'
import { RowPlan } from './plan.js'

export interface PlanOptions extends PlanTerms {
  readonly rows: PriceRows
  /** The live list. Without it the plan is blind: no old prices, no guard that compares, and own references are refused. */
  readonly live?: LiveItems | undefined
  /** Further rows, which have their live price: they are counted, and are not among the rows. */
  readonly same?: number | undefined
}

/**
 * Plans the prices of shop items.
 * @throws InputRefused if an own reference belongs to several items, or two rows to the same one
 */
export async function planPrices(options: PlanOptions): Promise<RowPlan> {
  const { rows, live, ...more } = options
  if (live === undefined) {
    const faults = new FaultList()
    const why = 'needs the live list to be looked up in; give the id, or plan without --blind'
    for (const { id, line, reference } of rows) if (id === 0) faults.add(line, 'OwnReference', reference, why)
    if (rows.oldColumn !== undefined)
      faults.add(
        0,
        null,
        undefined,
        `The column ${rows.oldColumn} is compared with the live list; plan without --blind, or leave it out.`,
      )
    faults.refuse()
    for (const row of rows) withVat(row, undefined, more.costs)
    return new RowPlan(rows, { ...more, blind: true }).judge()
  }
  const plan = new RowPlan(rows, more)
  await matchRows(rows, live, {
    each: ({ ItemType, BuyItNowPrice }) => {
      if (ItemType === 'ShopItem') plan.shopItem(BuyItNowPrice ?? 0)
    },
    found: (at, item) => {
      const row = rows.at(at)
      withVat(row, item.VAT, more.costs)
      const old = item.BuyItNowPrice ?? 0
      const title = old === row.price ? undefined : item.ShortDescription
      plan.live(at, { old, limit: misfit(row, item), cost: more.costs?.of(item), title })
      compareShown(plan, row, item, rows.lossyTitles)
    },
    near: (at, reference, item) => {
      const hold = heldAsMistyped(reference, item)
      if (hold !== undefined) plan.mistyped(at, hold)
    },
  })
  return plan.judge()
}

/** Adds the VAT of its item to a price without. */
function withVat(row: PriceRow, rate: number | null | undefined, costs: PlanOptions['costs']): void {
  if (row.net !== undefined && costs !== undefined) row.price = costs.withVat(row.net, rate)
}

/** Compares values of the row that are only there to be read, so that whoever edited them learns that they are not sent. */
function compareShown(plan: RowPlan, row: PriceRow, item: LiveItem, lossy: boolean): void {
  const { line: Line, title, remaining, category } = row
  const { Id, ShortDescription, RemainingQuantity, CategoryId } = item
  const compare = (
    Field: string,
    value: string | number | undefined,
    live: string | number | undefined,
    same = value === live,
  ) => {
    if (value === undefined || live === undefined || same) return
    plan.noteEdited({ Line, Id, Field, Value: String(value), Live: String(live) })
  }
  const same = title === undefined || title === ShortDescription || sameTitle(title, ShortDescription ?? '', lossy)
  compare('ShortDescription', title, ShortDescription, same)
  compare('RemainingQuantity', remaining, RemainingQuantity)
  compare('CategoryId', category, CategoryId)
}

/** Spaces do not count: a tab-separated table has one for each line break and tab. */
function sameTitle(planTitle: string, live: string, lossy: boolean): boolean {
  const [one, other] = [planTitle, live].map((text) => text.replace(/\s+/g, ' ').trim()) as [string, string]
  if (one === other) return true
  if (!lossy || !one.includes('?')) return false
  return new RegExp(`^${one.replace(/[.*+^${}()|[\]\\]/g, '\\$&').replaceAll('?', '.')}$`, 'su').test(other)
}

function misfit({ reference }: PriceRow, item: LiveItem): HoldLimit | undefined {
  if (item.ItemType !== 'ShopItem') return 'not_shop_item'
  if (unreadFields(item).length > 0) return 'unreadable'
  if (reference === undefined || item.OwnReferences?.some((own) => own.trim() === reference)) return undefined
  return 'other_reference'
}
