import { noteOrder } from '../../actions/books/note.js'
import { SellerCommand } from '../../cli/base.js'
import { byName, choicesFlag, idArg } from '../../cli/flags.js'

export default class OrdersNote extends SellerCommand<typeof OrdersNote> {
  static override summary = 'Note what you know of an order for the books.'
  static override description =
    'Some facts decide how an order is booked, and the service does not give them: the VAT number of a company, the goods that a refund is for, that a debt is given up. ' +
    'The notes are kept in the ledger; orders:export uses them. The value none takes a note back. Without a flag, it shows what is noted.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 70110 --set vat-number=DE123456789',
    '<%= config.bin %> <%= command.id %> 70048 --set refund-for=Lamp',
    '<%= config.bin %> <%= command.id %> 70051 --set written-off=2027-02-15',
  ]
  static override args = { order: idArg({ required: true, description: 'Id of the order.' }) }
  static override flags = {
    set: choicesFlag(
      {
        'vat-number': { value: 'NUMBER', summary: 'VAT number of a company in another EU country.' },
        'refund-for': {
          value: 'ITEM',
          summary: 'The goods that a refund is for: a title, own reference or id, or "proportion" for all in proportion.',
        },
        'written-off': { value: 'DATE', summary: 'The day on which the rest was given up. The buyer will certainly not pay it.' },
        cancelled: { value: 'DATE', summary: 'The day on which it was cancelled. By default the day on which that was seen.' },
        'by-hand': {
          value: 'none',
          optional: true,
          summary: 'You entered its payments by hand, in the books, up to now.',
        },
      },
      { summary: 'Note a fact, e.g. refund-for=Lamp; none takes it back. May be repeated.' },
    ),
  }

  async work() {
    return noteOrder(this.ctx, this.args.order, byName('--set', this.flags.set ?? []))
  }
}
