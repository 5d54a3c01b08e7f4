import * as Flags from '@oclif/core/flags'
import { listOrders } from '../../actions/orders/list.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, dateTimeFlag, intFlag, wholeFlag } from '../../cli/flags.js'
import { periodFlags } from '../../cli/period-flags.js'
import { columnKeys } from '../../format/output/index.js'
import { ORDER_STATES, type OrderState, ordersView } from '../../format/views/orders.js'

export default class OrdersList extends SellerCommand<typeof OrdersList> {
  static override summary = 'List orders: one for each parcel, with items, shipping, payments and buyer.'
  static override description =
    'Orders are kept in the ledger, so that only what has changed is read: one call, and one or two for the sales while an order is open, because the order service ' +
    'does not say what was sent. An order is unpaid (Missing is what the buyer owes), to-send (paid), sent, refunded, or cancelled (the service no longer has it). Names and addresses are kept for 90 days after ' +
    'the last change of an order, or as the setting keep_personal says.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --to-send',
    '<%= config.bin %> <%= command.id %> --day yesterday --json',
    '<%= config.bin %> <%= command.id %> --unpaid --since 30d --sort CreatedDate',
    "<%= config.bin %> <%= command.id %> --to-send --json | jq '[.[] | {OrderId}]' | <%= config.bin %> orders:mark --file - --sent",
  ]
  static override flags = {
    ...callTimeoutFlag,
    since: dateTimeFlag({ exclusive: ['day'], summary: 'Changed at or after this time (default 90d).' }),
    until: dateTimeFlag({ exclusive: ['day'], summary: 'Changed before this time.' }),
    ...periodFlags,
    day: dateTimeFlag({ summary: 'Created on this day, e.g. 2026-11-30 or yesterday.' }),
    unpaid: Flags.boolean({ summary: 'Orders that are not paid, or paid in part.' }),
    'to-send': Flags.boolean({ summary: 'Orders that are paid and not sent.' }),
    state: Flags.option({
      options: ORDER_STATES,
      multiple: true,
      multipleNonGreedy: true,
      summary:
        'Orders of this state; may be repeated. Refunded: payments went back before it was sent. Cancelled: the service no longer has it.',
    })(),
    buyer: Flags.string({ helpValue: 'MEMBER', summary: 'Orders of this buyer: a user id or an alias.' }),
    reference: Flags.string({
      helpValue: 'GLOB',
      summary: 'Orders with such an own reference; * and ? stand for any characters.',
    }),
    limit: intFlag({ min: 1, summary: 'Show at most N, after sorting.' }),
    refresh: Flags.boolean({ exclusive: ['offline'], summary: 'Read everything again.' }),
    offline: Flags.boolean({ summary: 'Make no call: show what is kept.' }),
    ...wholeFlag,
  }
  static operations = ['GetSellerOrders', 'GetOrders', 'GetSellerTransactions']
  static columns = columnKeys(ordersView)

  async work() {
    const { flags } = this
    const given: readonly OrderState[] = [
      ...(flags.state ?? []),
      ...(['unpaid', 'to-send'] as const).filter((state) => flags[state]),
    ]
    const states = ORDER_STATES.filter((state) => given.includes(state))
    const query = { ...flags, states: states.length === 0 ? undefined : states }
    return listOrders(this.ctx, query, flags.limit)
  }
}
