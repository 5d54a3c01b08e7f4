/** What a stored sale asks of an item. */
import type { Guards, PriceRule, SaleTerms } from '../../pricing/index.js'
import type { StoredSale } from '../ledger/sales.js'

/** Rules that were read before are not read again: a sale has one, and thousands of items. */
const rules = new Map<string, PriceRule>()

/** @param rule as stored, JSON; null where the item has a price of its own @param kronor that price */
export function termsOf(rule: string | null, kronor: number): SaleTerms {
  if (rule === null) return { kronor }
  let read = rules.get(rule)
  if (read === undefined) {
    read = JSON.parse(rule) as PriceRule
    rules.set(rule, read)
  }
  return { rule: read }
}

/**
 * The guards that a sale was made with.
 * @param otherwise for guards that this version has and the one that made the sale had not
 */
export function guardsOfSale({ guards }: Pick<StoredSale, 'guards'>, otherwise: Guards): Guards {
  const { vat: _, ...limits } = JSON.parse(guards) as Partial<Guards> & { readonly vat?: string }
  return { ...otherwise, ...limits }
}

/** The VAT that was typed for a sale, as it was typed; stored beside its guards. */
export function vatOfSale({ guards }: Pick<StoredSale, 'guards'>): string | undefined {
  return (JSON.parse(guards) as { readonly vat?: string }).vat
}

/** How a sale is called in titles and reasons: `sale 3 "Black week"`. */
export function saleName({ id, name }: Pick<StoredSale, 'id' | 'name'>): string {
  return `sale ${id} "${name}"`
}
