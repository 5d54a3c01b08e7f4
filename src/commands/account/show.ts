import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag } from '../../cli/flags.js'
import { SellerError } from '../../errors/index.js'
import { accountView } from '../../format/views/shop.js'
import { run, say } from '../../messages/index.js'

export default class AccountShow extends SellerCommand<typeof AccountShow> {
  static override summary = 'Show the account that calls are made for.'
  static override description = 'Also the quickest way to check that your credentials work.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json | jq .Alias']
  static operations = ['GetUserInfo']
  static override flags = callTimeoutFlag

  async work(): Promise<void> {
    const client = await this.ctx.client()
    const user = await client.call('GetUserInfo', {})
    if (user === null)
      throw new SellerError(
        'no_user',
        'The service returned no user for these credentials.',
        say`Check the credentials with: ${run('auth:status')}`,
      )
    await this.ctx.output.record(accountView, user)
  }
}
