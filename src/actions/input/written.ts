/** Ids of payment and shipping in words that are read as the same ids again, for cells that a person copies and edits. */
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { SHIPPING_OPTIONS } from '../../contract/index.js'
import type { CatalogueCells } from '../../format/views/index.js'
import type { LoadedNames } from '../reference/names.js'
import { foundIds, idsOf } from './ids.js'
import { writeShipping } from './shipping.js'

/** The words of cells. `learn` is called with each item before its cells are written. */
export interface CellWords extends CatalogueCells {
  learn(item: {
    readonly PaymentOptionIds: readonly number[] | null
    readonly ShippingOptions: readonly object[] | null
  }): Promise<void>
}

/** @param names loaded already; an id without a name, or whose name means something else when it is read, has no words */
export function cellWords(ctx: Context, names: LoadedNames): CellWords {
  const ids = idsOf(ctx)
  const known = new Map<string, string | undefined>()
  const proven = async (field: string, text: string | undefined, value: unknown): Promise<string | undefined> => {
    if (text === undefined || !/\p{L}/u.test(text) || /[|\n"]/.test(text)) return undefined
    try {
      const [read] = (await foundIds(ids, new Map([[field, new Set([text])]]))).values()
      return read !== undefined && 'value' in read && isDeepStrictEqual(read.value, value) ? text : undefined
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (error instanceof SellerError) return undefined
      throw error
    }
  }
  const providers = new Map(names.shippingProducts().map(({ providerId, provider }) => [providerId, provider]))
  const options = new Map([
    ...names.shippingOptions().map(({ id, name }) => [id, name] as const),
    ...Object.entries(SHIPPING_OPTIONS).map(([word, id]) => [id as number, word] as const),
  ])
  const nameOf = (field: string, id: number) => (field === 'ShippingProviderId' ? providers : options).get(id)
  return {
    async learn({ PaymentOptionIds, ShippingOptions }) {
      for (const id of PaymentOptionIds ?? []) {
        const key = String(id)
        if (!known.has(key)) known.set(key, await proven('PaymentOptionIds', names.payment(id), id))
      }
      for (const way of ShippingOptions ?? []) {
        const key = JSON.stringify(way)
        if (known.has(key)) continue
        const named = await proven('ShippingOptions', writeShipping(way, nameOf), way)
        known.set(
          key,
          named ??
            (await proven(
              'ShippingOptions',
              writeShipping(way, () => undefined),
              way,
            )),
        )
      }
    },
    payment: (id) => known.get(String(id)) ?? String(id),
    shipping: (way) => known.get(JSON.stringify(way)),
  }
}
