/** Rules that check whether a reply answers the request: they compare a whole result with the parameters. */
import type { ReplyRule } from './operation.js'

/** The result is about the item that the parameter names. */
export function answersFor(operation: string, field: string, param: string): ReplyRule {
  return (result, params) => {
    const value = result[field]
    if (value === params[param]) return undefined
    return { element: `${operation}Result.${field}`, value, message: `is not the item asked for, ${String(params[param])}` }
  }
}

/** docs/service.md, Electronic-ID verification: either a reference, on success, or a reason, on failure. */
export function refOrError(operation: string): ReplyRule {
  return ({ EidOrderRef, Error: error }) => {
    const [begun, failed] = [EidOrderRef, error].map((text) => typeof text === 'string' && text.trim() !== '')
    if (begun !== failed) return undefined
    const element = `${operation}Result.EidOrderRef`
    if (begun) return { element, value: EidOrderRef, message: 'comes with an Error: the session began or it did not' }
    return { element, value: EidOrderRef, message: 'is missing, and there is no Error that says why' }
  }
}

/** Every queued entry is for an item in the request, and each of those items has one. */
export function itemsOfRequest(operation: string): ReplyRule {
  return (result, params) => {
    const { ShopItems = [] } = (params.request ?? {}) as { ShopItems?: readonly { readonly Id: number }[] }
    const queued = result.QueuedRequestResponses as readonly { readonly ItemId: number }[]
    // Nearly always each is in its place; counting them takes a map of all.
    if (queued.every(({ ItemId }, at) => ItemId === ShopItems[at]?.Id)) return undefined
    const asked = new Map<number, number>()
    for (const { Id } of ShopItems) asked.set(Id, (asked.get(Id) ?? 0) + 1)
    for (const [at, { ItemId }] of queued.entries()) {
      const left = asked.get(ItemId)
      if (left !== undefined && left > 0) {
        asked.set(ItemId, left - 1)
        continue
      }
      const element = `${operation}Result.QueuedRequestResponses.QueuedRequestResponse[${at}].ItemId`
      return { element, value: ItemId, message: left === undefined ? 'is not an item of the request' : 'comes twice' }
    }
    return undefined
  }
}
