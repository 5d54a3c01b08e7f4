import * as Flags from '@oclif/core/flags'
import { readInputFile } from '../../actions/input/file.js'
import { SellerCommand } from '../../cli/base.js'
import { textArg } from '../../cli/flags.js'
import { sandboxFile } from '../../cli/sandbox-file.js'
import { SellerError } from '../../errors/index.js'
import { seedSandbox } from '../../sandbox/index.js'

export default class SandboxSeed extends SellerCommand<typeof SandboxSeed> {
  static override summary = 'Add items to the sandbox from a CSV file.'
  static override description =
    'Adds all rows or none. If a line cannot be read, the message names it. docs/sandbox.md lists the columns.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> items.csv',
    'generate-items | <%= config.bin %> <%= command.id %> -',
  ]
  static override args = { file: textArg({ required: true, description: 'CSV file; - is stdin.' }) }
  static override flags = {
    db: Flags.string({ helpValue: 'FILE', summary: 'SQLite file that holds the state (default: that of --profile sandbox).' }),
  }

  async work(): Promise<void> {
    const path = sandboxFile(this.ctx, this.flags.db)
    const csv = (await readInputFile(this.ctx, this.args.file)).toString('utf8')
    const { items } = await seedSandbox(path, csv).catch((error: Error) => {
      throw new SellerError('invalid_seed', error.message, 'Nothing was added. Correct the file and try again.')
    })
    await this.ctx.output.record(
      { card: true, columns: [{ key: 'Database' }, { key: 'Items', kind: 'int' }] },
      { Database: path, Items: items },
    )
  }
}
