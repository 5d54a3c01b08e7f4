/** oclif's help of topics and commands, on the host's streams. The help of the whole program is ours (root-help.ts). */
import type { Config } from '@oclif/core'
import { Help } from '@oclif/core/help'
import { colourLevel } from '../format/output/colour.js'
import { wrapNote } from '../format/output/notes.js'
import type { Host } from './host.js'
import { helpWidth, showRootHelp } from './root-help.js'

/** The fewest columns that oclif can lay help out in. For a narrower terminal it breaks no line, and we do. */
const NARROWEST = 40
const UNBROKEN = 100_000

/** An example to be copied, which the terminal breaks without a line break; the usage line has brackets. */
const EXAMPLE = /^\s*\$ (?!.*\[-)/

export class SellerHelp extends Help {
  readonly #host: Host

  constructor(config: Config, host: Host) {
    const { stdout, env } = host
    const width = helpWidth(stdout)
    super(config, {
      ...config.pjson.oclif.helpOptions,
      maxWidth: width < NARROWEST ? UNBROKEN : width,
      // Lines with colours cannot be broken here.
      stripAnsi: width < NARROWEST || colourLevel(env, stdout) === 0,
    })
    this.#host = host
  }

  /** oclif's own `log` loads its spinner first. */
  protected override log(...texts: string[]): void {
    const width = helpWidth(this.#host.stdout)
    const text = texts.join(' ')
    this.#host.stdout.write(`${width < NARROWEST ? narrowed(text, width) : text}\n`)
  }

  override async showRootHelp(): Promise<void> {
    await showRootHelp(this.config.root, this.config.commands, this.#host)
  }
}

function narrowed(text: string, width: number): string {
  const lines = text.split('\n').map((line) => {
    if (EXAMPLE.test(line)) return line
    // Columns have no place beside each other.
    return wrapNote(line.replace(/^ {7,}/, '      ').replace(/(\S) {2,}/g, '$1 '), width)
  })
  return lines.join('\n')
}
