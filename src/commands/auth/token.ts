import * as Flags from '@oclif/core/flags'
import { fetchToken } from '../../actions/auth/token.js'
import { readStdin } from '../../actions/input/file.js'
import { SellerCommand } from '../../cli/base.js'
import { acceptPortFlag, callTimeoutFlag, idFlag } from '../../cli/flags.js'
import { tokenView } from '../../format/views/auth.js'
import { run, say } from '../../messages/index.js'

export default class AuthToken extends SellerCommand<typeof AuthToken> {
  static override summary = 'Fetch the token of a seller who has allowed the application, and store it.'
  static override description =
    'For services whose description has FetchToken. Where the profile has the public key of the application, a person logs in by the browser, ' +
    'as with auth:login. Otherwise the seller has allowed the application already, and the secret key of that login ' +
    'is asked for, or piped in with --stdin, and is never a flag. The token is stored in the profile with the time it ends, which ' +
    'auth:status shows.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile shop --user-id 1001 --stdin < secret-key.txt',
  ]
  static override flags = {
    'user-id': idFlag({ summary: 'User id of the seller, by default that of the profile.' }),
    'accept-port': acceptPortFlag,
    ...callTimeoutFlag,
    stdin: Flags.boolean({ summary: 'Read the secret key from stdin.' }),
  }

  async work(): Promise<void> {
    const { ctx, flags } = this
    const piped = flags.stdin ? (await readStdin(ctx)).toString('utf8') : undefined
    await ctx.output.record(tokenView, await fetchToken(ctx, { userId: flags['user-id'], piped, port: flags['accept-port'] }))
    ctx.output.hint(say`Stored. See whose it is: ${run('account:show')}`)
  }
}
