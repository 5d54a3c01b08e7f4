/** Rules for a list of a seller's items or orders: every one once, and every one the seller's own. */
import type { Output, User } from '../contract/index.js'
import { IntMap } from '../rows/index.js'
import { SoapError } from '../soap/client/index.js'

/** Fields of an item, or of an order, that are checked. */
export interface ListedItem {
  readonly Id: number
  readonly Seller?: Pick<Output<typeof User>, 'Id'> | undefined
}

/** Name of a list's entries in messages, and their place in the reply. */
interface Entry {
  readonly noun: string
  readonly element: string
  readonly id: string
  readonly seller: string
}

const ITEMS: Entry = { noun: 'item', element: 'GetSellerItemsResult.Item', id: 'Id', seller: 'Seller.Id' }
export const ORDERS: Entry = {
  noun: 'order',
  element: 'GetSellerOrdersResult.SellerOrders.SellerOrder',
  id: 'OrderId',
  seller: 'Seller.UserId',
}

/** Looks at each entry of a list while it streams. */
export class ListProof {
  readonly #operation: string
  readonly #seller: number | undefined
  readonly #entry: Entry
  readonly #ids = new IntMap()

  /** @param seller whose entries are asked for; undefined where that is not known */
  constructor(operation: string, seller: number | undefined, entry: Entry = ITEMS) {
    this.#operation = operation
    this.#seller = seller
    this.#entry = entry
  }

  /** @throws {SoapError} kind `broken` for an entry that came before, or is another seller's */
  see({ Id, Seller }: ListedItem): void {
    const seller = Seller?.Id ?? 0
    if (this.#seller !== undefined && seller > 0 && seller !== this.#seller) {
      throw this.#contractError(
        `${this.#entry.noun} ${Id} is one of seller ${seller}, and the ${this.#entry.noun}s of seller ${this.#seller} were asked for`,
        this.#entry.seller,
      )
    }
    if (this.#ids.has(Id)) throw this.#contractError(`${this.#entry.noun} ${Id} comes twice`, this.#entry.id)
    this.#ids.set(Id, 0)
  }

  #contractError(what: string, field: string): SoapError {
    const element = `${this.#entry.element}.${field}`
    const message = `${this.#operation}: the reply breaks the contract: ${what} (${element}).`
    return new SoapError('broken', message, { operation: this.#operation, sent: true, element })
  }
}
