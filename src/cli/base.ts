/** The way of every command: parse, build the context, work, and turn any error into one note or one JSON document and an exit code. */
import { Command, type Interfaces } from '@oclif/core'
import { unknownFlags } from './argv.js'
import { type Context, openContext } from './context.js'
import { EXIT, type ExitCode, weightier } from './errors.js'
import { globalFlags } from './flags.js'
import type { Host } from './host.js'
import { interruptible } from './interrupt.js'
import { parseWhole } from './readable.js'

export type FlagsOf<T extends typeof Command> = Interfaces.InferredFlags<typeof globalFlags & T['flags']>
export type ArgsOf<T extends typeof Command> = Interfaces.InferredArgs<T['args']>

/**
 * A command of ours. A subclass declares its flags and does its work; it never exits, prints to stdout or catches
 * errors by itself: results go to `ctx.output`, everything else to `ctx.output.note`, `warn` and `hint`.
 */
export abstract class SellerCommand<T extends typeof Command> extends Command {
  static override baseFlags = globalFlags

  declare protected flags: FlagsOf<T>
  declare protected args: ArgsOf<T>
  declare protected ctx: Context
  /** Given by the dispatcher, before the run. */
  declare protected readonly host: Host
  /** What the run came to; the dispatcher takes it from here. */
  exitCode: ExitCode = EXIT.ok
  /** The work goes on until it is stopped (a server): Ctrl-C is its proper end, exit 0. */
  protected readonly endless: boolean = false

  /** The work of the command, once flags are parsed and the context stands. */
  abstract work(): Promise<void>

  /** Ends the command with this code although it does not throw; of several the weightiest stands (9, 7, 5, 6, 8). */
  protected endWith(code: ExitCode): void {
    this.exitCode = weightier(this.exitCode, code)
  }

  override async run(): Promise<void> {
    const unknown = unknownFlags(this.argv, { ...globalFlags, ...this.ctor.flags })
    if (unknown !== undefined) throw unknown
    const { args, flags } = await parseWhole(
      { args: this.ctor.args, flags: this.ctor.flags, baseFlags: globalFlags, strict: this.ctor.strict },
      (input) => this.parse(input),
    )
    this.flags = flags as unknown as FlagsOf<T>
    this.args = args as ArgsOf<T>
    const { host, config } = this
    await interruptible(
      host,
      async (signal) => {
        this.ctx = await openContext({ flags, host, config, signal })
        try {
          await this.work()
        } finally {
          await this.ctx.close()
        }
      },
      this.endless,
    )
  }

  /** Never rethrows: what oclif does with an error differs with --json, and it prints what nobody should see (argv, options, stacks). */
  override async catch(error: unknown): Promise<void> {
    const [{ reportError }, { toSellerError }] = await Promise.all([import('./report.js'), import('./translate.js')])
    const { argv, host, ctx, exitCode } = this
    this.exitCode = await reportError(toSellerError(error), { argv, host, ctx, earlier: exitCode })
  }
}
