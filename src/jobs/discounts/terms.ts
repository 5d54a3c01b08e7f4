/** Price rule and guards of a stored discount: another version may have written them, or somebody with another program. */
import { capital } from '../../contract/index.js'
import { run, say } from '../../messages/index.js'
import { GUARD_NAMES, PRICE_GUARDS } from '../../pricing/guards/index.js'
import type { CostRule, DiscountTerms, Guards, PriceRule } from '../../pricing/index.js'
import type { StoredDiscount } from '../ledger/discounts.js'
import { JobsError } from '../ledger/errors.js'
import {
  type AnyShape,
  type Check,
  isBoolean,
  isInt,
  isNumber,
  isText,
  oneOf,
  orMissing,
  orNull,
  type Shape,
  shaped,
  shapeFault,
} from '../ledger/stored.js'

const BY_COST: Shape<Extract<CostRule, { share: number }>> = {
  kind: oneOf(['margin', 'markup']),
  share: isNumber,
  rounding: orMissing(oneOf(['up', 'nearest', 'below'])),
}
const isByCost: Check = (value) => shaped(BY_COST)(value) || shaped({ kind: oneOf(['recommended']) })(value)

const RULE: Shape<PriceRule> = {
  set: orMissing(isInt),
  add: orMissing(shaped({ kind: oneOf(['kronor', 'percent']), amount: isNumber } satisfies Shape<PriceRule['add'] & {}>)),
  byCost: orMissing(isByCost),
  endWith: orMissing(isText),
  floor: orMissing(isInt),
  ceiling: orMissing(isInt),
}

/** Limits of the guards, and the VAT that was typed. A guard that came later is missing. */
const LIMITS: AnyShape = {
  vat: orMissing(isText),
  ...Object.fromEntries(
    GUARD_NAMES.map((name) => [name, orMissing(PRICE_GUARDS[name].kind.off === false ? isBoolean : orNull(isNumber))]),
  ),
}

/**
 * The terms of a discount. Its rule is read once, for any number of items.
 * @returns what it asks of an item. @param kronor the item's own price
 * @throws JobsError code `discount_unreadable`
 */
export function readTerms(discount: Pick<StoredDiscount, 'id' | 'name' | 'rule'>): (kronor: number) => DiscountTerms {
  if (discount.rule === null) return (kronor) => ({ kronor })
  const terms = { rule: checked<PriceRule>(discount, discount.rule, RULE) }
  return () => terms
}

/**
 * The guards that a discount was made with.
 * @param otherwise for guards that this version has and the one that made the discount had not
 * @throws JobsError code `discount_unreadable`
 */
export function guardsOfDiscount(discount: Pick<StoredDiscount, 'id' | 'name' | 'guards'>, otherwise: Guards): Guards {
  const { vat: _, ...limits } = checked<StoredGuards>(discount, discount.guards, LIMITS)
  return { ...otherwise, ...limits }
}

/**
 * The VAT that was typed for a discount, as it was typed; stored beside its guards.
 * @throws JobsError code `discount_unreadable`
 */
export function vatOfDiscount(discount: Pick<StoredDiscount, 'id' | 'name' | 'guards'>): string | undefined {
  return checked<StoredGuards>(discount, discount.guards, LIMITS).vat
}

type StoredGuards = Partial<Guards> & { readonly vat?: string }

function checked<T extends object>({ id, name }: Pick<StoredDiscount, 'id' | 'name'>, text: string, shape: AnyShape): T {
  const value: unknown = JSON.parse(text)
  const fault = shapeFault(value, shape)
  if (fault === undefined) return value as T
  throw new JobsError(
    'discount_unreadable',
    `${capital(discountName({ id, name }))} cannot be read: ${fault.words}. Another version of seller wrote it.`,
    say`No price of it was changed. Continue with the version that made it, or see its items with: ${run('discounts:show', { id })}`,
    { discountId: id, ...(fault.field === undefined ? {} : { field: fault.field }) },
  )
}

/** Name of a discount in titles and reasons: `discount 3 "Black week"`. */
export function discountName({ id, name }: Pick<StoredDiscount, 'id' | 'name'>): string {
  return `discount ${id} "${name}"`
}
