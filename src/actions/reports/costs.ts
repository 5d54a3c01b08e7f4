/** What the item of a sale cost, from the versions in the ledger. */
import type { CostRow } from '../../jobs/ledger/index.js'
import type { KeptSale } from '../../jobs/ledger/transactions.js'

const ORE = 100

interface Version {
  readonly since: number
  /** Kronor; null where it was removed. */
  readonly cost: number | null
}

/**
 * A function from a sale to the cost of its item, kronor: that of its id, else that of one of its own references. It is the cost that held at the
 * sale; of a sale before the first version the first one, because costs are often stored when the first sales are made already.
 * @param history every version, oldest first
 */
export function costsAtSales(history: readonly CostRow[]): (sale: KeptSale) => number | undefined {
  const byId = new Map<number, Version[]>()
  const byReference = new Map<string, Version[]>()
  for (const { ItemId, OwnReference, Since, Cost } of history) {
    const version = { since: Since, cost: Cost === null ? null : Cost / ORE }
    if (ItemId > 0) append(byId, ItemId, version)
    else append(byReference, OwnReference, version)
  }
  return ({ At, ItemId, OwnReferences }) => {
    const lists = [byId.get(ItemId ?? 0), ...OwnReferences.map((reference) => byReference.get(reference))]
    for (const versions of lists) {
      const cost = costAt(versions ?? [], At)
      if (cost !== undefined) return cost
    }
    return undefined
  }
}

function append<K>(lists: Map<K, Version[]>, key: K, version: Version): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [version])
  else list.push(version)
}

function costAt(versions: readonly Version[], at: number): number | undefined {
  const held = versions.findLast(({ since }) => since <= at) ?? versions.find(({ cost }) => cost !== null)
  return held?.cost ?? undefined
}
