/** Types of a guided listing that commands see. */
import type { RequestRow } from '../../jobs/index.js'
import type { FlagTexts } from '../input/flag-fields.js'
import type { Asking, ReadRequest } from '../input/read.js'

/** An item that was read, and how it goes on sale. */
export interface Listing<T> {
  readonly item: ReadRequest<T>
  /** Asks whether to put it on sale: `plain` where nothing else was asked. @throws {SellerError} guard (6): declined */
  confirm(plain: (item: ReadRequest<T>) => Promise<void>): Promise<void>
  /** Sends it. A draft is removed once the item is on sale, or its outcome is in the ledger. @throws what `call` throws */
  send<R extends { readonly row: RequestRow }>(call: (item: ReadRequest<T>) => Promise<R>): Promise<R>
}

export interface GuideFlags extends FlagTexts {
  readonly file?: string | undefined
  /** true: go on with the draft; false: delete it. */
  readonly draft?: boolean | undefined
  readonly yes?: boolean | undefined
  readonly campaign?: string | undefined
  readonly 'dry-run'?: boolean | undefined
  readonly fit?: boolean | undefined
}

export interface Guide {
  readonly command: 'items:add' | 'shop:add'
  readonly asking: Asking
  readonly flags: GuideFlags
}
