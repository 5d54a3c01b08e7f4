import { Flags } from '@oclif/core'
import { SellerCommand } from '../../cli/base.js'
import { sandboxFile, sandboxRefused } from '../../cli/sandbox-file.js'
import { resetSandbox } from '../../sandbox/index.js'

export default class SandboxReset extends SellerCommand<typeof SandboxReset> {
  static override summary = "Delete the sandbox's state and seed it again."
  static override description =
    'A server that runs on the same file continues with the new state. Nothing outside this machine changes.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --db ./shop.db']
  static override flags = {
    db: Flags.string({ helpValue: 'FILE', summary: 'SQLite file that holds the state (default: that of --profile sandbox).' }),
  }

  async work(): Promise<void> {
    const path = sandboxFile(this.ctx, this.flags.db)
    await resetSandbox(path).catch(sandboxRefused)
    await this.ctx.output.record(
      { card: true, columns: [{ key: 'Database' }, { key: 'Reset', kind: 'boolean' }] },
      { Database: path, Reset: true },
    )
  }
}
