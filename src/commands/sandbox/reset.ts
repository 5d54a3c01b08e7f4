import * as Flags from '@oclif/core/flags'
import { confirmOnTerminal } from '../../actions/jobs/confirm.js'
import { SellerCommand } from '../../cli/base.js'
import { yesFlag } from '../../cli/flags.js'
import { sandboxFile, sandboxRefused } from '../../cli/sandbox-file.js'
import { SellerError } from '../../errors/index.js'
import { resetSandbox, SandboxBusy } from '../../sandbox/index.js'

export default class SandboxReset extends SellerCommand<typeof SandboxReset> {
  static override summary = "Delete the sandbox's state and seed it again."
  static override description =
    'Refuses while sandbox:start serves the same file; its console can reset it. Nothing outside this machine changes. On a terminal, it asks first.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --db ./shop.db']
  static override flags = {
    ...yesFlag,
    db: Flags.string({ helpValue: 'FILE', summary: 'SQLite file that holds the state (default: that of --profile sandbox).' }),
  }

  async work(): Promise<void> {
    const path = sandboxFile(this.ctx, this.flags.db)
    // Off a terminal nothing asks: test scripts reset the sandbox before each run.
    const which = this.flags.db === undefined ? 'the sandbox of this machine' : path
    await confirmOnTerminal(this.ctx, `Delete all items, requests and sales of ${which}, and seed it again?`, this.flags)
    await resetSandbox(path).catch((error: unknown) => {
      if (!(error instanceof SandboxBusy)) return sandboxRefused(error)
      throw new SellerError('sandbox_refused', error.message, `End it with Ctrl-C, or reset it in its console: ${error.url}/`)
    })
    await this.ctx.output.record(
      { card: true, columns: [{ key: 'Database' }, { key: 'Reset', kind: 'boolean' }] },
      { Database: path, Reset: true },
    )
  }
}
