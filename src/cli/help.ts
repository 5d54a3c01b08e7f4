/** oclif's help of topics and commands, on the host's streams. The help of the whole program is ours (root-help.ts). */
import type { Config } from '@oclif/core'
import { Help } from '@oclif/core/help'
import { colourLevel } from '../format/output/colour.js'
import type { Host } from './host.js'
import { helpWidth, showRootHelp } from './root-help.js'

export class SellerHelp extends Help {
  readonly #host: Host

  constructor(config: Config, host: Host) {
    const { stdout, env } = host
    super(config, {
      ...config.pjson.oclif.helpOptions,
      maxWidth: helpWidth(stdout),
      stripAnsi: colourLevel(env, stdout) === 0,
    })
    this.#host = host
  }

  /** oclif's own `log` loads its spinner first. */
  protected override log(...texts: string[]): void {
    this.#host.stdout.write(`${texts.join(' ')}\n`)
  }

  override async showRootHelp(): Promise<void> {
    await showRootHelp(this.config.root, this.config.commands, this.#host)
  }
}
