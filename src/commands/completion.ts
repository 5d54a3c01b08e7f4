import { SellerCommand } from '../cli/base.js'
import { SCRIPTS, SETUP, SHELLS, type Shell } from '../cli/complete/scripts.js'
import { textArg } from '../cli/flags.js'

export default class Completion extends SellerCommand<typeof Completion> {
  static override summary = 'Print the completion script of a shell.'
  static override description =
    'Completes commands in both spellings, flags, values, columns, profiles, and ids of jobs and requests. ' +
    Object.values(SETUP).join('. ')
  static override examples = [
    'source <(<%= config.bin %> <%= command.id %> bash)',
    '<%= config.bin %> <%= command.id %> fish > ~/.config/fish/completions/seller.fish',
  ]
  static override hiddenAliases = ['autocomplete']
  static override args = { shell: textArg({ required: true, options: SHELLS, description: 'bash, zsh, fish or powershell.' }) }

  async work(): Promise<void> {
    const shell = this.args.shell as Shell
    if (this.ctx.output.human) this.ctx.output.hint(`${SETUP[shell]}.`)
    this.ctx.output.text(SCRIPTS[shell])
  }
}
