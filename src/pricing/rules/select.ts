/** Selects the live items that a rule is for, and plans it. The live list is read once for both the rows and the old prices. */

import { globPattern } from '../../contract/glob.js'
import { MAX_INT, unreadFields } from '../../contract/index.js'
import { wordSearch } from '../../contract/search.js'
import { type Hold, held } from '../../holds/index.js'
import { type PriceRow, PriceRows, RULE_FORM } from '../../rows/price-rows.js'
import { RowPlan } from '../plan/plan.js'
import type { LiveItem, LiveItems, PlanTerms } from '../types.js'
import { applyRule, type PriceRule, priceByCost } from './rule.js'

/**
 * One of four: every item, those of a category, those whose own reference matches a pattern with `*` and `?`, or those whose
 * title has each word of a text.
 */
export type Selection =
  | { readonly all: true }
  /** `within` has the ids of the categories below it. */
  | { readonly category: number; readonly within?: readonly number[] }
  | { readonly reference: string }
  | { readonly search: string }

export interface RulePlanOptions extends PlanTerms {
  /** The whole shop, or at least the selected category and those below it. */
  readonly live: LiveItems
  readonly select: Selection
  readonly rule: PriceRule
}

/** Plans a rule over the live list. Other items than shop items are skipped. */
export async function planRule(options: RulePlanOptions): Promise<RowPlan> {
  const { live, select, rule, ...terms } = options
  const { costs } = terms
  const totalOf = 'category' in select ? 'category' : 'shop'
  const plan = new RowPlan(new PriceRows(RULE_FORM), { ...terms, totalOf })
  const matches = selector(select)
  const setting = rule.set !== undefined || rule.byCost !== undefined
  const ids = new Set<number>()
  let withoutCost = 0
  for await (const item of live) {
    if (item.ItemType !== 'ShopItem') continue
    const { Id: id, BuyItNowPrice, ShortDescription } = item
    const old = BuyItNowPrice ?? 0
    const isWanted = matches(item)
    if (isWanted || totalOf === 'shop') plan.shopItem(old)
    if (!isWanted) continue
    const cost = costs?.of(item)
    if (rule.byCost !== undefined && priceByCost(rule.byCost, cost) === undefined) {
      withoutCost++
      continue
    }
    if (ids.has(id)) continue
    ids.add(id)
    const price = old > 0 || setting ? applyRule(rule, old, cost) : 0
    const unread = unreadFields(item)
    const hold = unread.length > 0 ? held('unreadable', { Fields: unread }) : ruleHold(old, price, setting)
    const title = old === price ? undefined : ShortDescription
    plan.add(ruleRow(rule, { id, old, price, hold }), { old, cost, title })
  }
  if (rule.byCost !== undefined) plan.withoutCost = withoutCost
  return plan.judge()
}

/** A row by a rule. Of a million rows nearly all have no more than an id and a price, and are made so. */
function ruleRow(
  rule: PriceRule,
  {
    id,
    old,
    price,
    hold,
  }: { readonly id: number; readonly old: number; readonly price: number; readonly hold: Hold | undefined },
): PriceRow {
  if (hold !== undefined) return { line: 0, id, price: 0, hold }
  return isWrongWay(rule, old, price) ? { line: 0, id, price: old, refused: price } : { line: 0, id, price }
}

/** True if an item is selected. A pattern without `*` and `?` must equal the whole reference; case matters. */
export function selector(select: Selection): (item: LiveItem) => boolean {
  if ('all' in select) return () => true
  if ('category' in select) {
    const ids = new Set<number | undefined>([select.category, ...(select.within ?? [])])
    return (item) => ids.has(item.CategoryId)
  }
  if ('search' in select) {
    const has = wordSearch(select.search)
    return (item) => has(item.ShortDescription ?? '')
  }
  const pattern = globPattern(select.reference)
  return (item) => item.OwnReferences?.some((reference) => pattern.test(reference)) ?? false
}

/** A rule that lowers prices must not raise one by its floor or ending, and the other way round. */
export function isWrongWay({ add }: PriceRule, old: number, price: number): boolean {
  if (add === undefined || old <= 0) return false
  return add.amount < 0 ? price > old : add.amount > 0 && price < old
}

/** Why a rule makes no price that can be sent; undefined if it does. @param setting true if it needs no price of before */
export function ruleHold(old: number, price: number, setting: boolean): Hold | undefined {
  if (old === 0 && !setting) return held('rule', { Case: 'no_price', Price: null, Most: null })
  return price > MAX_INT ? held('rule', { Case: 'too_large', Price: price, Most: MAX_INT }) : undefined
}
