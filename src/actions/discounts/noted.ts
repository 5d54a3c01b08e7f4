/** Says what new prices mean to the discounts that their items are in, or will be in. */
import type { Context } from '../../cli/context.js'
import { minuteOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { DiscountMembers, discountName } from '../../jobs/discounts/index.js'
import type { Ledger } from '../../jobs/index.js'
import { run, say } from '../../messages/index.js'
import type { RowPlan } from '../../pricing/index.js'
import { shopOf } from '../own.js'

/** Warns of each discount that runs, or is planned, and has items whose price a plan changes. */
export function noteDiscounts(ctx: Context, ledger: Ledger, plan: RowPlan): void {
  // One after another: the items of one discount may be a whole shop.
  for (const discount of ledger.discounts.inStates(shopOf(ctx), ['planned', 'running', 'ending'])) {
    const { items, noCheaper } = membersIn(plan, new DiscountMembers(ledger, discount, ['planned', 'on']))
    if (items === 0) continue
    const [from, until] = [minuteOf(discount.starts_at), minuteOf(discount.ends_at)]
    const isPlanned = discount.state === 'planned'
    const period = isPlanned ? `, planned from ${from} until ${until}` : `, which runs until ${until}`
    const meaning = isPlanned
      ? 'Its start takes the prices of that moment as the normal prices, and its end restores them.'
      : 'The new price is the normal price, which its end restores; until then the discount price that follows from it is live.'
    const noUse =
      noCheaper === 0 ? '' : ` ${countOf(noCheaper, 'item')} ${noCheaper === 1 ? 'is' : 'are'} not cheaper in it then.`
    const whose = `${items} of these items ${items === 1 ? 'is' : 'are'} in ${discountName(discount)}${period}`
    ctx.output.warn(say`${whose}. ${meaning}${noUse} See its items with: ${run('discounts:show', { id: discount.id })}`)
  }
}

/** Items of a discount whose price a plan changes, and of them those whose fixed price is not below the new one. */
function membersIn(plan: RowPlan, members: DiscountMembers): { items: number; noCheaper: number } {
  const isFixed = members.discount.rule === null
  let [items, noCheaper] = [0, 0]
  for (const at of plan.indexes('change')) {
    const { Id, NewPrice } = plan.entry(at)
    if (!members.has(Id)) continue
    items++
    const terms = isFixed ? members.terms(Id) : undefined
    if (terms !== undefined && 'kronor' in terms && terms.kronor >= NewPrice) noCheaper++
  }
  return { items, noCheaper }
}
