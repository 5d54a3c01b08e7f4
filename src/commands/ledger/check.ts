import { checkLedger } from '../../actions/ledger/check.js'
import { SellerCommand } from '../../cli/base.js'
import { EXIT } from '../../cli/errors.js'
import { findingsView } from '../../format/views/index.js'

export default class LedgerCheck extends SellerCommand<typeof LedgerCheck> {
  static override summary = 'Check the ledger, and list everything that is wrong.'
  static override description =
    "Runs SQLite's own checks of the file and of references, then those of this tool: states and counts of jobs, their rows, " +
    'their steps and requests. Exit 0 if nothing is wrong, else 1 with a list. Changes nothing, and makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --json | jq '.[].Problem'",
  ]

  async work(): Promise<void> {
    const { ctx } = this
    const findings = await checkLedger(ctx)
    await ctx.output.list({ ...findingsView, empty: `Nothing is wrong with ${ctx.ledgerPath}.` }, findings)
    if (findings.length === 0) return
    ctx.output.hint('Keep a copy of the file as it is now. Then go back to a backup, or ask for help with this list.')
    this.endWith(EXIT.failure)
  }
}
