import { SellerCommand } from '../cli/base.js'
import { showHelp } from '../cli/dispatch.js'
import { textArg } from '../cli/flags.js'

export default class Help extends SellerCommand<typeof Help> {
  static override summary = 'Show help for seller, a topic or a command.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> items list']
  static override args = {
    words: textArg({
      multiple: true,
      description: 'A topic or a command. In either spelling; also exit-codes, environment and agents.',
    }),
  }

  async work(): Promise<void> {
    const words = this.args.words ?? []
    await showHelp({ root: this.config.root }, this.host, { words: words.length === 0 ? [] : [words.join(':')] })
  }
}
