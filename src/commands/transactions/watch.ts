import { Flags } from '@oclif/core'
import { commandFlag, DEFAULT_WATCH, watchIntervalFlag, watchNameFlag } from '../../actions/transactions/flags.js'
import { watchSales } from '../../actions/transactions/watch.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, dateTimeFlag, durationFlag, idFlag, intFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { transactionsView } from '../../format/views/index.js'

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
  static override flags = {
    ...callTimeoutFlag,
    interval: watchIntervalFlag({ summary: 'Time between two checks (default 5m, at least 1s). Each check is one call.' }),
    once: Flags.boolean({ summary: 'Check once and end.' }),
    since: dateTimeFlag({ summary: 'Where the first run of this watch begins (default: now).' }),
    name: watchNameFlag({ default: DEFAULT_WATCH, summary: 'Name of the watch. Each name delivers each sale once.' }),
    exec: commandFlag({ summary: 'Command to run for each sale: a line for the shell, or a JSON array of words.' }),
    'exec-timeout': durationFlag({
      dependsOn: ['exec'],
      summary: 'Stop a command that takes longer; its sale is unknown then (default 10m).',
    }),
    attempts: intFlag({ min: 1, max: 100, default: 3, summary: 'How often a failing command is run for one sale.' }),
    'keep-calls': intFlag({
      min: 0,
      summary: 'Calls to leave to other commands (default: 10, at most half the call budget).',
    }),
    again: idFlag({ multiple: true, summary: 'Deliver this sale again, which is unknown or was given up. May be repeated.' }),
  }
  static columns = columnKeys(transactionsView)

  /** Only Ctrl-C ends it, unless it looks once. */
  protected override readonly endless = !this.argv.includes('--once')

  async work(): Promise<void> {
    const code = await watchSales(this.ctx, this.flags)
    if (this.flags.once) this.endWith(code)
  }
}
