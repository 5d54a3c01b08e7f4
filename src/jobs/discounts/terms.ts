/** Price rule of a stored discount for an item. */
import type { DiscountTerms, Guards, PriceRule } from '../../pricing/index.js'
import type { StoredDiscount } from '../ledger/discounts.js'

/**
 * The terms of a discount. Its rule is read once, for any number of items.
 * @param rule as stored, JSON; null where each item has a price of its own
 * @returns what it asks of an item. @param kronor the item's own price
 */
export function termsOf(rule: string | null): (kronor: number) => DiscountTerms {
  if (rule === null) return (kronor) => ({ kronor })
  const read = { rule: JSON.parse(rule) as PriceRule }
  return () => read
}

/**
 * The guards that a discount was made with.
 * @param otherwise for guards that this version has and the one that made the discount had not
 */
export function guardsOfDiscount({ guards }: Pick<StoredDiscount, 'guards'>, otherwise: Guards): Guards {
  const { vat: _, ...limits } = JSON.parse(guards) as Partial<Guards> & { readonly vat?: string }
  return { ...otherwise, ...limits }
}

/** The VAT that was typed for a discount, as it was typed; stored beside its guards. */
export function vatOfDiscount({ guards }: Pick<StoredDiscount, 'guards'>): string | undefined {
  return (JSON.parse(guards) as { readonly vat?: string }).vat
}

/** Name of a discount in titles and reasons: `discount 3 "Black week"`. */
export function discountName({ id, name }: Pick<StoredDiscount, 'id' | 'name'>): string {
  return `discount ${id} "${name}"`
}
