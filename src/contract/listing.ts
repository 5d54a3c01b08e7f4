/** The listing service, of which commands use one operation. docs/service.md, Relisting. */
import { ID_RULE } from './limit-rules.js'
import { inService, type ReplyRule } from './operation.js'
import { arrayOf, dateTime, id, int, optional, reliedOnWhenThere, required, struct } from './vocabulary.js'

const RestartedItem = struct('RestartedItem', {
  RestartedItemId: id(required(int)),
  RestartedAsItemId: id(required(int)),
  RestartedDate: required(dateTime),
})

const ItemRestarts = struct('ItemRestarts', {
  LastRestartedItemId: reliedOnWhenThere(required(int)),
  AncestorItemId: reliedOnWhenThere(required(int)),
  RestartedItems: reliedOnWhenThere(optional(arrayOf('RestartedItem', RestartedItem))),
})

/** GetItemRestarts, as far as the ids of a chain are taken from it. */
export interface RestartsAnswer {
  readonly LastRestartedItemId?: number
  readonly AncestorItemId?: number
  readonly RestartedItems?: readonly { readonly RestartedItemId: number; readonly RestartedAsItemId: number }[]
}

/** The listings of one auction, in the order in which they follow each other. */
export interface RestartChain {
  /** Ids that the item was restarted from, the first one first. */
  readonly before: readonly number[]
  /** Ids that it was restarted as. */
  readonly after: readonly number[]
}

/**
 * Orders the ids of an answer around an item. An answer without a result means that the item was not restarted.
 * The first and the last id count even where the list between them is missing.
 */
export function restartChain(answer: RestartsAnswer | null, itemId: number): RestartChain {
  const { LastRestartedItemId: last = 0, AncestorItemId: first = 0, RestartedItems: steps = [] } = answer ?? {}
  const next = steps.map(({ RestartedItemId, RestartedAsItemId }) => [RestartedItemId, RestartedAsItemId] as const)
  const before = reachableIds(
    itemId,
    next.map(([from, to]) => [to, from] as const),
  ).reverse()
  const after = reachableIds(itemId, next)
  const isKnown = (id: number): boolean => id === itemId || before.includes(id) || after.includes(id)
  // One id that is both comes from the first listing, which nothing follows that this answer names.
  if (first > 0 && !isKnown(first)) before.unshift(first)
  if (last > 0 && !isKnown(last)) after.push(last)
  return { before, after }
}

/** Ids that are reached from one by any number of steps, the nearest first. */
function reachableIds(from: number, steps: readonly (readonly [number, number])[]): number[] {
  const found = new Set([from])
  for (const id of found) for (const [here, there] of steps) if (here === id) found.add(there)
  found.delete(from)
  return [...found]
}

/** The object is one of this tool's, and about the item that was asked for. */
const aboutItem: ReplyRule = (result, { itemId }) => {
  const { LastRestartedItemId: last = 0, AncestorItemId: first = 0, RestartedItems: steps = [] } = result as RestartsAnswer
  const element = 'GetItemRestartsResult'
  const [strange] = Object.keys(result).filter((name) => !Object.hasOwn(ItemRestarts.fields, name))
  if (strange !== undefined && !Object.hasOwn(result, 'LastRestartedItemId'))
    return {
      element: `${element}.${strange}`,
      value: undefined,
      message: 'stands where LastRestartedItemId, AncestorItemId and RestartedItems are expected',
    }
  const ids = [last, first, ...steps.flatMap(({ RestartedItemId, RestartedAsItemId }) => [RestartedItemId, RestartedAsItemId])]
  if (steps.length === 0 || ids.includes(itemId as number)) return undefined
  return { element, value: undefined, message: `does not name the item asked for, ${String(itemId)}` }
}

export const listingOperations = inService(
  { service: 'ListingService', user: false, extended: true },
  {
    GetItemRestarts: {
      kind: 'read',
      summary: 'Tells which items followed when an auction was restarted; nothing for one that was not.',
      params: { itemId: required(int, ID_RULE) },
      result: optional(ItemRestarts),
      replyRule: aboutItem,
      mayBeNothing: true,
    },
  },
)
