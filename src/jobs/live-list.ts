/** What a list of a seller's items must be: every item once, and every item the seller's own. */
import type { Output, User } from '../contract/index.js'
import { IdColumn } from '../rows/indexes.js'
import { SoapError } from '../soap/client/index.js'

/** What is looked at of an item. */
export interface ListedItem {
  readonly Id: number
  readonly Seller?: Pick<Output<typeof User>, 'Id'>
}

/** Looks at each item of a list while it streams: 4 bytes per item if the ids ascend, 12 otherwise. */
export class ListProof {
  readonly #operation: string
  readonly #seller: number | undefined
  readonly #ids = new IdColumn()

  /** @param seller whose items are asked for; undefined where that is not known */
  constructor(operation: string, seller: number | undefined) {
    this.#operation = operation
    this.#seller = seller
  }

  /** @throws {SoapError} kind `broken` for an item that came before, or is another seller's */
  see({ Id, Seller }: ListedItem): void {
    const seller = Seller?.Id ?? 0
    if (this.#seller !== undefined && seller > 0 && seller !== this.#seller) {
      throw this.#broken(
        `item ${Id} is one of seller ${seller}, and the items of seller ${this.#seller} were asked for`,
        'Seller.Id',
      )
    }
    if (this.#ids.add(Id) >= 0) throw this.#broken(`item ${Id} comes twice`, 'Id')
  }

  #broken(what: string, field: string): SoapError {
    const element = `GetSellerItemsResult.Item.${field}`
    const message = `${this.#operation}: the reply breaks the contract: ${what} (${element}).`
    return new SoapError('broken', message, { operation: this.#operation, sent: true, element })
  }
}
