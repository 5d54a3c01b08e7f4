import { watchFlags } from '../../actions/transactions/flags.js'
import { SALES } from '../../actions/transactions/subject.js'
import { watch } from '../../actions/transactions/watch.js'
import { SellerCommand } from '../../cli/base.js'
import { columnKeys } from '../../format/output/index.js'
import { transactionsView } from '../../format/views/transactions.js'

export default class TransactionsWatch extends SellerCommand<typeof TransactionsWatch> {
  static override summary = 'Print each new sale once, or run a command for it.'
  static override description =
    'Checks for new sales at an interval until Ctrl-C (exit 0), or with --once a single time, for a timer. On a terminal a sale is a line, in a ' +
    'pipe an NDJSON record. --exec runs a command for each sale, with the record as JSON on its stdin and no key of the service in its environment; exit 0 means that it took ' +
    'the sale, another code is tried again at the next check, --attempts times; exit 126 or 127 (it cannot be run, or was not found) ends the watch with ' +
    'exit 2. Without a command a sale is delivered when stdout has taken it. The ledger notes a sale before it is delivered and afterwards, so none ' +
    'is delivered twice, also after a restart or by two watches of one name at once. If a watch, or its command, is killed while it delivers a sale, the outcome is not known: the ' +
    'sale is reported as unknown (exit 9 with --once) and delivered again only with --again. The first run begins now, or at --since. Calls ' +
    'stay within the call budget, and the last ones are kept for other commands.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --interval 15m >> sales.ndjson',
    '<%= config.bin %> <%= command.id %> --once --since 2026-11-01 --exec ./print-label.sh',
    `<%= config.bin %> <%= command.id %> --name mail --exec 'jq -r .Item.Title | mail -s "Sold" me@example.com'`,
  ]
  static operations = ['GetSellerTransactions']
  static override flags = watchFlags('sale')
  static columns = columnKeys(transactionsView)

  /** Only Ctrl-C ends it, unless it looks once. */
  protected override readonly takesOut = false
  protected override readonly endless = !this.argv.includes('--once')

  async work(): Promise<void> {
    const code = await watch(this.ctx, SALES, this.flags)
    if (this.flags.once) this.endWith(code)
  }
}
