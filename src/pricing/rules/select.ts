/** Selects the live items that a rule is for, and plans it. The live list is read once for both the rows and the old prices. */

import { globPattern } from '../../contract/glob.js'
import { MAX_INT } from '../../contract/index.js'
import { kronorText } from '../../contract/numbers.js'
import { PriceRows, RULE_FORM } from '../../rows/price-rows.js'
import { RowPlan } from '../plan/plan.js'
import { Titles } from '../plan/titles.js'
import type { LiveItem, LiveItems, PlanTerms } from '../types.js'
import { applyRule, type PriceRule, priceByCost } from './rule.js'

/** One of three: every shop item, those of a category, or those whose own reference matches a pattern with `*` and `?`. */
export type Selection = { readonly all: true } | { readonly category: number } | { readonly reference: string }

export interface RulePlanOptions extends PlanTerms {
  /** The whole shop, or the selected category and those below it. */
  readonly live: LiveItems
  readonly select: Selection
  readonly rule: PriceRule
}

/** Plans a rule over the live list. Other items than shop items are skipped. */
export async function planRule(options: RulePlanOptions): Promise<RowPlan> {
  const rows = new PriceRows(RULE_FORM)
  const olds: number[] = []
  const titles = new Titles()
  const wanted = selector(options.select)
  let total = 0
  const { rule, costs } = options
  const setting = rule.set !== undefined || rule.byCost !== undefined
  const versions: number[] = []
  let withoutCost = 0
  for await (const item of options.live) {
    if (item.ItemType !== 'ShopItem') continue
    const old = item.BuyItNowPrice ?? 0
    total += old
    if (!wanted(item)) continue
    const version = costs?.find(item) ?? -1
    const cost = costs?.of(version)
    if (rule.byCost !== undefined && priceByCost(rule.byCost, cost) === undefined) {
      withoutCost++
      continue
    }
    const price = old > 0 || setting ? applyRule(rule, old, cost) : 0
    const hold = whyNot(old, price, setting)
    const wrong = hold === undefined && wrongWay(rule, old, price)
    const planned = wrong ? { price: old, refused: price } : { price: hold === undefined ? price : 0, hold }
    const at = rows.add({ line: 0, id: item.Id, ...planned })
    if (at >= 0) continue
    if (old !== price) titles.set(olds.length, item.ShortDescription)
    olds.push(old)
    versions.push(version)
  }
  const { live: _live, select, rule: _rule, ...terms } = options
  const totalOf = 'category' in select ? 'category' : 'shop'
  const left = rule.byCost === undefined ? undefined : withoutCost
  const plan = new RowPlan(rows, { ...terms, totalOf, titles, withoutCost: left })
  plan.shopItem(total)
  olds.forEach((old, at) => {
    plan.live(at, old, undefined, versions[at])
  })
  return plan.judge()
}

/** Whether an item is selected. A pattern without `*` and `?` must equal the whole reference; case matters. */
export function selector(select: Selection): (item: LiveItem) => boolean {
  if ('all' in select) return () => true
  if ('category' in select) return (item) => item.CategoryId === select.category
  const pattern = globPattern(select.reference)
  return (item) => item.OwnReferences?.some((reference) => pattern.test(reference)) ?? false
}

/** A rule that lowers prices must not raise one by its floor or ending, and the other way round. */
function wrongWay({ add }: PriceRule, old: number, price: number): boolean {
  if (add === undefined || old <= 0) return false
  return add.amount < 0 ? price > old : add.amount > 0 && price < old
}

function whyNot(old: number, price: number, setting: boolean): string | undefined {
  if (old === 0 && !setting) return 'the item has no price for the rule to change'
  return price > MAX_INT ? `the rule gives ${kronorText(price)}, more than the service can hold (${MAX_INT})` : undefined
}
