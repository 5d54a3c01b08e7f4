/** Looks names up in place of ids, by what is loaded for the first one. */
import type { Context } from '../../cli/context.js'
import type { Ids } from './named.js'

/** Loads what looks names up when there is one to look up. */
export function lazyIds(ctx: Context): Ids {
  let idsPromise: Promise<Ids> | undefined
  const ids = (): Promise<Ids> => {
    idsPromise ??= import('./lookup.js').then(({ openIds }) => openIds(ctx))
    return idsPromise
  }
  return {
    get currency() {
      return ctx.currency
    },
    category: async (text, where) => (await ids()).category(text, where),
    payment: async (text, where) => (await ids()).payment(text, where),
    shipping: async (text, where) => (await ids()).shipping(text, where),
    attributes: async (category, texts, where) => (await ids()).attributes(category, texts, where),
  }
}

/**
 * The id of a category that a flag or an argument names.
 * @throws {SellerError} unknown_name, ambiguous_name; what a call throws
 */
export async function categoryId(ctx: Context, category: number | string, where = '--category'): Promise<number> {
  return typeof category === 'number' ? category : lazyIds(ctx).category(category, where)
}
