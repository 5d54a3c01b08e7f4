/** oclif's help, with what a script must know at its foot: exit codes and environment. */
import { Help } from '@oclif/core/help'
import { ENVIRONMENT } from './environment.js'
import { EXIT_MEANINGS } from './errors.js'

export default class SellerHelp extends Help {
  /** oclif's own goes through its spinner, which must be loaded first. */
  protected override log(...texts: string[]): void {
    process.stdout.write(`${texts.join(' ')}\n`)
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
