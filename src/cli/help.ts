/** oclif's help, followed by the exit codes and the environment variables. */
import type { Config } from '@oclif/core'
import { Help } from '@oclif/core/help'
import { colourLevel } from '../format/output/colour.js'
import { ENVIRONMENT } from './environment.js'
import { EXIT_MEANINGS } from './errors.js'
import type { Host } from './host.js'

/** Columns without a terminal, and the fewest on one. The same as oclif's. */
const WIDTH = 80
const NARROWEST = 40

export class SellerHelp extends Help {
  readonly #host: Host

  constructor(config: Config, host: Host) {
    const { stdout, env } = host
    super(config, {
      ...config.pjson.oclif.helpOptions,
      // By default oclif looks at the process, not at the host.
      maxWidth: stdout.isTTY === true ? Math.max(NARROWEST, stdout.columns ?? WIDTH) : WIDTH,
      stripAnsi: colourLevel(env, stdout) === 0,
    })
    this.#host = host
  }

  /** oclif's own `log` loads its spinner first. */
  protected override log(...texts: string[]): void {
    this.#host.stdout.write(`${texts.join(' ')}\n`)
  }

  override async showRootHelp(): Promise<void> {
    await super.showRootHelp()
    const rows = (pairs: ReadonlyArray<readonly [string | number, string]>) =>
      this.renderList(
        pairs.map(([name, meaning]) => [String(name), meaning]),
        { indentation: 2, spacer: '\n', stripAnsi: this.opts.stripAnsi },
      )
    this.log(this.section('EXIT CODES', rows(EXIT_MEANINGS)))
    this.log('')
    this.log(this.section('ENVIRONMENT', rows(ENVIRONMENT)))
    this.log('')
    this.log('Both spellings of a command work: seller items:list, seller items list. Try things out safely: --profile sandbox.')
  }
}
