import * as Flags from '@oclif/core/flags'
import { SellerCommand } from '../../cli/base.js'
import { textArg } from '../../cli/flags.js'
import { sandboxFile } from '../../cli/sandbox-file.js'
import { SellerError } from '../../errors/index.js'
import { run, say } from '../../messages/index.js'
import { completeEid, type EidOutcome } from '../../sandbox/index.js'

const OUTCOMES: readonly EidOutcome[] = ['approve', 'fail', 'cancel']

export default class SandboxEid extends SellerCommand<typeof SandboxEid> {
  static override summary = 'Approve, fail or cancel an electronic-ID session of the sandbox, in place of the phone.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> approve',
    '<%= config.bin %> <%= command.id %> fail --order-ref 3f1c',
  ]
  static override args = { outcome: textArg({ required: true, options: OUTCOMES, description: 'approve, fail or cancel.' }) }
  static override flags = {
    'order-ref': Flags.string({ helpValue: 'REF', summary: 'Order reference of the session (default: the latest open one).' }),
    db: Flags.string({ helpValue: 'FILE', summary: 'SQLite file that holds the state (default: that of --profile sandbox).' }),
  }

  async work(): Promise<void> {
    const path = sandboxFile(this.ctx, this.flags.db)
    const outcome = this.args.outcome as EidOutcome
    const { EidOrderRef } = await completeEid(path, outcome, this.flags['order-ref']).catch((error: Error) => {
      throw new SellerError(
        'no_eid_session',
        error.message,
        say`Start one with: ${run('eid:verify', { '--profile': 'sandbox' })}`,
      )
    })
    await this.ctx.output.record(
      { card: true, columns: [{ key: 'EidOrderRef' }, { key: 'Outcome' }] },
      { EidOrderRef, Outcome: outcome },
    )
  }
}
