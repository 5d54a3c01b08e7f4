/** The numbers in stock of a shop's items at some time, as far as the ledger's jobs show. */
import { valueSetOf } from '../../contract/jobs.js'
import type { ExpectedValue } from '../../pricing/index.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { batchesInOrder } from './prices-at.js'
import { rowsOfBatch } from './show.js'
import { valueSent } from './types.js'

export interface NumbersAtTime {
  /** By item. */
  readonly numbers: ReadonlyMap<number, number>
  /** As the newest job set them. A number that is another one by now has been sold from, or was set elsewhere. */
  readonly expected: ReadonlyMap<number, ExpectedValue>
}

/**
 * Finds the number of each item that jobs have set after a time, as the first of them found it. An item whose number no job has set since then is
 * left out: sales alone have changed it.
 * @param at ms since 1970
 */
export function stockAt(ledger: Pick<Ledger, 'store'>, shop: ShopKey, at: number): NumbersAtTime {
  const set = valueSetOf('stock')
  const numbers = new Map<number, number>()
  const expected = new Map<number, ExpectedValue>()
  for (const { jobId, batch, before } of batchesInOrder(ledger, 'stock', shop, at)) {
    for (const { Id, Payload, OldPayload } of before ? [] : rowsOfBatch(ledger, { jobId, batch }, ['ok'])) {
      const [old, value] = [valueSent(OldPayload, set), valueSent(Payload, set)]
      if (Id === null || value === undefined) continue
      if (!expected.has(Id) && old !== undefined) numbers.set(Id, old)
      expected.set(Id, { value })
    }
  }
  return { numbers, expected }
}
