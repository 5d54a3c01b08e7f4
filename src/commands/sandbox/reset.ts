import { Flags } from '@oclif/core'
import { SellerCommand } from '../../cli/base.js'
import { sandboxFile, sandboxRefused } from '../../cli/sandbox-file.js'
import { resetSandbox } from '../../sandbox/index.js'

export default class SandboxReset extends SellerCommand<typeof SandboxReset> {
  static override summary = "Throw the sandbox's state away and seed it anew."
  static override description =
    'A server that runs on the same file goes on with the new state. Nothing outside this machine is touched.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --db ./shop.db']
  static override flags = {
    db: Flags.string({ helpValue: 'FILE', summary: "SQLite file of its state; the profile sandbox's own unless told." }),
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
