import { checkLedger } from '../../actions/ledger/upkeep.js'
import { SellerCommand } from '../../cli/base.js'
import { choicesFlag, chosen } from '../../cli/flags.js'
import { acceptEmptyLedger } from '../../cli/ledger-mark.js'
import { EXIT } from '../../errors/index.js'
import { findingsView } from '../../format/views/ledger.js'
import { blank, run, say } from '../../messages/index.js'

export default class LedgerCheck extends SellerCommand<typeof LedgerCheck> {
  static override summary = 'Check the ledger, and list everything that is wrong.'
  static override description =
    "Runs SQLite's own checks of the file and of references, then those of this tool: states and counts of jobs, their rows, " +
    'their steps and requests. Exit 0 if nothing is wrong, else 1 with a list. Changes nothing in the ledger, and makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --json | jq '.[].Problem'",
  ]

  static override flags = {
    accept: choicesFlag(
      { loss: { summary: 'The ledger is a new one. What an earlier one recorded is lost for good.' } },
      { summary: 'End the warning that the ledger is a new one.' },
    ),
  }

  async work(): Promise<void> {
    const { ctx } = this
    const findings = await checkLedger(ctx)
    if (chosen(this.flags.accept, 'loss')) await this.#acceptLoss()
    await ctx.output.list({ ...findingsView, empty: `Nothing is wrong with ${ctx.ledgerPath}.` }, findings)
    if (findings.length === 0) return
    ctx.output.hint(
      say`Keep a copy of the file as it is now. Then restore a backup with: ${run('ledger:restore', { file: blank('FILE') })}, or ask for help with this list.`,
    )
    this.endWith(EXIT.failure)
  }

  async #acceptLoss(): Promise<void> {
    const { configDir, ledgerPath: path, profile, output } = this.ctx
    const accepted = await acceptEmptyLedger({ configDir, profile: profile.name, path })
    output.note(
      accepted
        ? `The loss is accepted: nothing more is said of it for "${profile.name}".`
        : 'No ledger was found empty: there is nothing to accept.',
    )
  }
}
