/** oclif's help, with what a script must know at its foot: exit codes and environment. Named in package.json (oclif.helpClass). */
import { Help } from '@oclif/core/help'
import { EXIT_MEANINGS } from './errors.js'
import { SETTINGS } from './settings.js'

/** Every variable the tool reads, with what it is for. */
export const ENVIRONMENT: ReadonlyArray<readonly [string, string]> = [
  ['SELLER_PROFILE', 'profile to work as, where --profile is not given'],
  ...Object.values(SETTINGS).flatMap(({ env, label }) => (env === undefined ? [] : [[env, label] as const])),
  ['SELLER_CONFIG_DIR', 'where profiles are kept'],
  ['SELLER_DATA_DIR', 'where the ledger and the sandbox are kept'],
  ['NO_COLOR, FORCE_COLOR', 'no colour, or colour in a pipe too'],
  ['HTTPS_PROXY, NO_PROXY', 'proxy for calls, and hosts it is not used for'],
  ['CI', 'never ask, as --no-input'],
]

export default class SellerHelp extends Help {
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
