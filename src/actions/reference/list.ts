/** Commands for the lists of the public service that have the same form: id, description, value. */
import type { Command } from '@oclif/core/command'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { pairsView } from '../../format/views/reference.js'
import { keepNames } from './names.js'

type ReferenceOperation = 'GetPaymentTypes' | 'GetAcceptedBidderTypes' | 'GetExpoItemTypes' | 'GetItemTypes' | 'GetCounties'

type Listing = typeof Command & { readonly operations: readonly [ReferenceOperation] }

/** A command that lists one of them. It needs no login. */
export abstract class ReferenceListCommand<T extends Listing> extends SellerCommand<T> {
  static override flags = callTimeoutFlag
  static columns = columnKeys(pairsView)

  async work(): Promise<void> {
    const [operation] = (this.ctor as Listing).operations
    const client = await this.ctx.client({ user: false })
    const pairs = await client.call(operation, {})
    if (operation === 'GetPaymentTypes') await keepNames(this.ctx, { payments: pairs })
    if (operation === 'GetCounties') await keepNames(this.ctx, { counties: pairs })
    await this.ctx.output.list(pairsView, pairs)
  }
}
