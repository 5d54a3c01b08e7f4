/** Matches price rows with the live list, which is read once as a stream. */

import { FaultList } from '../../rows/faults.js'
import type { PriceRows } from '../../rows/price-rows.js'
import { matchRows } from '../match.js'
import type { HoldLimit, LiveItem, LiveItems, PlanTerms } from '../types.js'
import { RowPlan } from './plan.js'

export interface PlanOptions extends PlanTerms {
  readonly rows: PriceRows
  /** The live list. Without it the plan is blind: no old prices, no guard that compares, and own references are refused. */
  readonly live?: LiveItems
}

/**
 * Plans the prices of shop items.
 * @throws InputRefused if an own reference belongs to several items, or two rows to the same one
 */
export async function planPrices(options: PlanOptions): Promise<RowPlan> {
  const { rows, live, ...more } = options
  if (live === undefined) {
    const faults = new FaultList()
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
  await matchRows(rows, live, {
    each: ({ ItemType, BuyItNowPrice }) => {
      if (ItemType === 'ShopItem') plan.shopItem(BuyItNowPrice ?? 0)
    },
    found: (at, item) => {
      const old = item.BuyItNowPrice ?? 0
      plan.live(at, old, misfit(rows, at, item), plan.findCost(item))
      if (old !== rows.price(at)) plan.titles.set(at, item.ShortDescription)
      compareShown(plan, rows, at, item)
    },
  })
  return plan.judge()
}

/** Compares values of the row that are only there to be read, so that whoever edited them learns that they are not sent. */
function compareShown(plan: RowPlan, rows: PriceRows, at: number, item: LiveItem): void {
  const compare = (
    Field: string,
    value: string | number | undefined,
    live: string | number | undefined,
    same = value === live,
  ) => {
    if (value === undefined || live === undefined || same) return
    plan.noteEdited({ Line: rows.line(at), Id: item.Id, Field, Value: String(value), Live: String(live) })
  }
  const title = rows.title(at)
  const { ShortDescription: live } = item
  compare('ShortDescription', title, live, title === live || sameTitle(title ?? '', live ?? '', rows.lossyTitles))
  compare('RemainingQuantity', known(rows.remaining(at)), item.RemainingQuantity)
  compare('CategoryId', known(rows.category(at)), item.CategoryId)
}

function known(number: number): number | undefined {
  return number < 0 ? undefined : number
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
