/** Which live items a rule is for, and the plan it makes: the live list is read once, rows and old prices both come from it. */
import { MAX_INT } from '../../contract/index.js'
import type { Guards } from '../guards/index.js'
import { RowPlan } from '../plan/plan.js'
import { PriceRows } from '../read/price-rows.js'
import type { LiveItem, LiveItems } from '../types.js'
import { applyRule, type PriceRule } from './rule.js'

/** One of three: every shop item, those of a category, or those with an own reference that fits a pattern of `*` and `?`. */
export type Selection = { readonly all: true } | { readonly category: number } | { readonly reference: string }

export interface RulePlanOptions {
  readonly live: LiveItems
  readonly select: Selection
  readonly rule: PriceRule
  readonly guards: Guards
  /** Rows a call, for counting calls. */
  readonly perCall?: number
}

/** Plans a rule over the live list. Items that are no shop items are passed over. */
export async function planRule(options: RulePlanOptions): Promise<RowPlan> {
  const rows = new PriceRows({ kind: 'rule', columns: ['Id', 'Price'] })
  const olds: number[] = []
  const wanted = selector(options.select)
  const setting = options.rule.set !== undefined
  for await (const item of options.live) {
    if (item.ItemType !== 'ShopItem' || !wanted(item)) continue
    const old = item.BuyItNowPrice ?? 0
    const price = old > 0 || setting ? applyRule(options.rule, old) : 0
    const hold = whyNot(old, price, setting)
    const at = rows.add({ line: 0, id: item.Id, price: hold === undefined ? price : 0, hold })
    if (at < 0) olds.push(old)
  }
  const plan = new RowPlan(rows, options.guards, false, options.perCall)
  olds.forEach((old, at) => {
    plan.live(at, old, undefined)
  })
  return plan.judge()
}

/** Whether an item is selected. A pattern without `*` and `?` must equal the whole reference; case counts. */
export function selector(select: Selection): (item: LiveItem) => boolean {
  if ('all' in select) return () => true
  if ('category' in select) return (item) => item.CategoryId === select.category
  const pattern = globPattern(select.reference)
  return (item) => item.OwnReferences?.some((reference) => pattern.test(reference)) ?? false
}

function globPattern(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.')
  return new RegExp(`^${source}$`, 'su')
}

function whyNot(old: number, price: number, setting: boolean): string | undefined {
  if (old === 0 && !setting) return 'the item has no price for the rule to change'
  return price > MAX_INT ? `the rule gives ${price} kr, more than the service can hold (${MAX_INT})` : undefined
}
