import * as Flags from '@oclif/core/flags'
import { givenTexts, settingFlags } from '../../actions/auth/given.js'
import { login } from '../../actions/auth/login.js'
import { readStdin, readWholeText } from '../../actions/input/file.js'
import { SellerCommand } from '../../cli/base.js'
import { callBudget } from '../../cli/call-limits.js'
import { acceptPortFlag } from '../../cli/flags.js'
import { maskSetting, SETTING_NAMES } from '../../cli/settings.js'
import { type SettingShown, settingsView } from '../../format/views/auth.js'
import { blank, run, say } from '../../messages/index.js'

export default class AuthLogin extends SellerCommand<typeof AuthLogin> {
  static override summary = 'Log in: store the address and credentials of a profile, or change some of them.'
  static override description =
    'Takes any address of the service (base, /v3, ….asmx, ?WSDL), reads its description for the rest of the address and the ' +
    'namespace, makes one call that changes nothing, and says whose shop it is. If that fails, nothing is stored. On a terminal, asks ' +
    'for every value that flags, stdin and the environment do not give: with the public key of the application, the seller allows it in ' +
    'a browser, and the token is fetched. The application key, the public key and the token are never flags: type them ' +
    'at the prompt, pipe them in with --stdin, set SELLER_APP_KEY and SELLER_TOKEN, or name commands that print them.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile shop --base-url https://api.example.com --app-id 42 --user-id 1001 --stdin < credentials.json',
    `<%= config.bin %> <%= command.id %> --profile shop --app-key-command 'pass show shop/key' --token-command '["op", "read", "op://shop/token"]'`,
    '<%= config.bin %> <%= command.id %> --profile shop --setting call_budget=100 --setting max_change=30%',
  ]
  static override hiddenAliases = ['login']
  static operations = ['GetUserInfo', 'GetOfficalTime', 'FetchToken', 'GetUserByAlias']
  static override flags = {
    ...settingFlags,
    'accept-port': acceptPortFlag,
    stdin: Flags.boolean({ summary: 'Read settings from stdin. A JSON object, or lines of KEY=VALUE.' }),
    verify: Flags.boolean({
      default: true,
      allowNo: true,
      summary: 'Read the description and make a call before anything is stored.',
    }),
    use: Flags.boolean({ summary: 'Make this the default profile. The first profile becomes the default anyway.' }),
  }

  async work(): Promise<void> {
    const { flags, ctx } = this
    const given = givenTexts(flags)
    const profile = flags.profile ?? (ctx.env.SELLER_PROFILE || 'default')
    const piped = flags.stdin ? (await readWholeText(await readStdin(ctx), 'stdin')).text : undefined
    const { settings, path, proven, seller } = await login(ctx, {
      name: profile,
      given,
      piped,
      use: flags.use,
      verify: flags.verify,
      port: flags['accept-port'],
    })
    const rows: SettingShown[] = SETTING_NAMES.flatMap((name) => {
      const value = settings[name]
      return value === undefined ? [] : [{ Setting: name, Value: maskSetting(name, value), Source: 'profile', From: path }]
    })
    await ctx.output.list(settingsView, rows)
    const own = profile === 'default' ? undefined : profile
    if (seller !== undefined) ctx.output.note(`Logged in as ${seller.Name} (${seller.Id}) at ${settings.base_url}.`)
    else if (proven)
      ctx.output.note(`The public service at ${settings.base_url} answers this application. No seller is logged in.`)
    if (proven && settings.call_budget === undefined && callBudget(settings) !== undefined) {
      const more = run('auth:login', { '--profile': own, '--setting': blank('call_budget=N') })
      ctx.output.note(
        say`An application may make ${callBudget(settings) ?? 0} calls in 24 hours by default, and no more are made. If yours may make more: ${more}`,
      )
    }
    const next = seller === undefined ? run('auth:status', { '--profile': own }) : run('items:list', { '--profile': own })
    ctx.output.hint(
      say`Profile "${profile}" is stored in ${path}${flags.verify ? '' : ', and was not tried'}. Continue with: ${next}`,
    )
  }
}
