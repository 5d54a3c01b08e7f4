/** What a stored discount asks of an item. */
import type { DiscountTerms, Guards, PriceRule } from '../../pricing/index.js'
import type { StoredDiscount } from '../ledger/discounts.js'

/** Rules that were read before are not read again: a discount has one, and thousands of items. */
const rules = new Map<string, PriceRule>()

/** @param rule as stored, JSON; null where the item has a price of its own @param kronor that price */
export function termsOf(rule: string | null, kronor: number): DiscountTerms {
  if (rule === null) return { kronor }
  let read = rules.get(rule)
  if (read === undefined) {
    read = JSON.parse(rule) as PriceRule
    rules.set(rule, read)
  }
  return { rule: read }
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

/** How a discount is called in titles and reasons: `discount 3 "Black week"`. */
export function discountName({ id, name }: Pick<StoredDiscount, 'id' | 'name'>): string {
  return `discount ${id} "${name}"`
}
