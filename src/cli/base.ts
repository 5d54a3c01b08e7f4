/**
 * Base of every command: parses, builds the context, works, and turns any error into one note or one JSON document and an exit
 * code.
 */
import { Command } from '@oclif/core/command'
import type * as Interfaces from '@oclif/core/interfaces'
import { readsByName } from '../contract/kinds.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../errors/index.js'
import type { Form } from '../format/output/types.js'
import { currentFlags, signSort, unknownFlags } from './argv.js'
import { type Context, openContext } from './context.js'
import { globalFlags } from './flags.js'
import type { Host } from './host.js'
import { interruptible } from './interrupt.js'
import { type ManifestCommand, readManifest } from './manifest.js'
import type { OutFile } from './out-file.js'
import { applyPeriod } from './period-flags.js'
import { parseWhole } from './readable.js'
import { readKronor } from './values.js'

export type FlagsOf<T extends typeof Command> = Interfaces.InferredFlags<typeof globalFlags & T['flags']>
export type ArgsOf<T extends typeof Command> = Interfaces.InferredArgs<T['args']>

/** Commands whose results may name persons. */
const NAMES_PERSONS = /^(?:account|call|feedback|members|orders|sales|transactions)\b/

/** Result of a command: its documents, which the base writes, and its exit code. */
export interface Ended {
  readonly shown: readonly { write(output: Context['output']): Promise<void> }[]
  readonly code: ExitCode
  /** Error that stopped it after the work that is shown. */
  readonly error?: SellerError | undefined
}

/**
 * A command of ours. A subclass declares its flags and does its work; it never exits, prints to stdout or catches
 * errors by itself: results are returned or go to `ctx.output`, everything else to `ctx.output.note`, `warn` and `hint`.
 */
export abstract class SellerCommand<T extends typeof Command> extends Command {
  static override baseFlags = globalFlags

  declare protected flags: FlagsOf<T>
  declare protected args: ArgsOf<T>
  declare protected ctx: Context
  /** Set by the dispatcher before the run. */
  declare protected readonly host: Host
  /** Amounts that flags gave with a unit. */
  readonly amountsTyped: (readonly [name: string, text: string])[] = []
  /** Exit code of the run; the dispatcher reads it. */
  exitCode: ExitCode = EXIT.ok
  /** The command runs until it is stopped (a server): Ctrl-C ends it with exit 0. */
  protected readonly endless: boolean = false
  /** True if --out takes its result. What is delivered row by row must not be lost with a file that only the end names. */
  protected readonly takesOut: boolean = true

  /** The form of a .txt file: a table, where the result is not one that others read as text. */
  protected get textForm(): Form {
    return 'table'
  }
  /** True if it writes a document of its own to --out. */
  protected hasOwnOut(): boolean {
    return 'out' in (this.ctor.flags ?? {})
  }

  /** True if long results are shown in a pager on a terminal: lists of commands that only read, and so ask no questions. */
  protected get paged(): boolean {
    return this.#declared.columns !== undefined && !this.#changes() && this.takesOut
  }

  /** Every command with its flags and arguments. oclif's configuration of a running command knows names and summaries only. */
  protected commandsInFull(): ManifestCommand[] {
    return readManifest(this.config.root)
  }

  /** Does the work of the command. Flags are parsed and the context is open. */
  abstract work(): Promise<Ended | undefined> | Promise<void>

  /**
   * Makes the command exit with this code although it does not throw. If several codes apply, the most serious wins (9, 7, 5, 6,
   * 8).
   */
  protected endWith(code: ExitCode): void {
    this.exitCode = worseExitCode(this.exitCode, code)
  }

  /** oclif would look for deprecated names in the arguments of the process; there are none. */
  protected override async init(): Promise<void> {}

  override async run(): Promise<void> {
    const allFlags = { ...globalFlags, ...this.ctor.flags }
    this.argv = await currentFlags(signSort(this.argv), allFlags)
    const unknown = unknownFlags(this.argv, allFlags)
    if (unknown !== undefined) throw unknown
    const { args, flags } = await parseWhole(
      { args: this.ctor.args, flags: this.ctor.flags, baseFlags: globalFlags, strict: this.ctor.strict },
      (input) => this.parse(input),
    )
    this.flags = flags as unknown as FlagsOf<T>
    this.args = args as ArgsOf<T>
    const { host, config } = this
    applyPeriod(flags as Record<string, unknown>, host.clock.now())
    const out = this.#outOf(flags)
    await interruptible(
      host,
      async (signal) => {
        const command = this.ctor.id
        const { 'call-timeout': limit } = flags as { 'call-timeout'?: unknown }
        const callTimeoutMs = typeof limit === 'number' ? limit : undefined
        const outputOptions = { paged: this.paged, named: !this.endless, out }
        this.ctx = await openContext({ flags, host, config, signal, command, callTimeoutMs, ...outputOptions })
        try {
          for (const [name, text] of this.amountsTyped) readKronor(text, name, this.ctx.currency)
          await this.#refuseUnapproved()
          const result = await this.work()
          for (const each of result?.shown ?? []) await each.write(this.ctx.output)
          if (result?.error !== undefined) throw result.error
          await this.ctx.output.settle()
          this.endWith(result?.code ?? EXIT.ok)
        } catch (error) {
          // The first of two errors counts: it may be that of an unknown outcome.
          await this.ctx.output.settle().catch(() => undefined)
          await this.ctx.close(true).catch(() => undefined)
          throw error
        }
        await this.ctx.close()
      },
      this.endless,
    )
  }

  /** True if this run may send something that changes the shop. */
  protected sends(): boolean {
    const { 'dry-run': dry, 'save-plan': plan } = this.flags as { 'dry-run'?: boolean; 'save-plan'?: string }
    return dry !== true && plan === undefined && this.#changes()
  }

  #changes(): boolean {
    return this.#declared.operations?.some((name) => !readsByName(name)) ?? false
  }

  get #declared(): { readonly operations?: readonly string[]; readonly columns?: readonly string[] } {
    return this.ctor as object
  }

  /** Before anything is planned or recorded; `openClient` refuses each call once more. */
  async #refuseUnapproved(): Promise<void> {
    const { env } = this.host
    if (env.SELLER_APPROVE === undefined || env.SELLER_APPROVE === '') return
    const { asksApproval, notApproved } = await import('./approval.js')
    if (!asksApproval(env) || !this.sends()) return
    const flags = this.flags as { plan?: string; yes?: boolean | undefined }
    if (flags.plan === undefined || !this.ctx.prompts.available) throw notApproved(this.ctor.id)
    flags.yes = undefined
  }

  /** @throws {SellerError} usage for a command whose result is not one */
  #outOf({ out, force = false }: { readonly out?: string | undefined; readonly force?: boolean }): OutFile | undefined {
    // A command that writes a document has an --out of its own.
    if (out === undefined || this.hasOwnOut()) return undefined
    if (this.takesOut) return { path: out, force, text: this.textForm, private: NAMES_PERSONS.test(this.ctor.id) }
    throw new SellerError(
      'wrong_usage',
      '--out: this command has no end at which the file would be whole.',
      'Redirect it: > FILE',
    )
  }

  /** Never rethrows: oclif treats errors differently under --json, and prints internals (argv, options, stacks). */
  override async catch(error: unknown): Promise<void> {
    const { reportError } = await import('./report.js')
    const { argv, host, ctx, exitCode } = this
    this.exitCode = await reportError(error, { argv, host, ctx, command: this.ctor.id, earlier: exitCode })
  }
}
