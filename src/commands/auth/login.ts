import { Flags } from '@oclif/core'
import { login } from '../../actions/auth/login.js'
import { readStdin } from '../../actions/input/file.js'
import { readWholeText } from '../../actions/input/text.js'
import { guardSettingFlags } from '../../actions/prices/guards.js'
import { SellerCommand } from '../../cli/base.js'
import { callBudget } from '../../cli/call-limits.js'
import { acceptPortFlag } from '../../cli/flags.js'
import { shellWord } from '../../cli/profiles.js'
import { maskSetting, SETTING_NAMES, type SettingName } from '../../cli/settings.js'
import { type SettingShown, settingsView } from '../../format/views/index.js'

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
    '<%= config.bin %> <%= command.id %> --profile shop --call-budget 100 --max-change 30%',
  ]
  static override hiddenAliases = ['login']
  static operations = ['GetUserInfo', 'GetOfficalTime', 'FetchToken', 'GetUserByAlias']
  static override flags = {
    'base-url': Flags.string({ helpValue: 'URL', summary: 'Any address of the service: https, or http on this machine.' }),
    namespace: Flags.string({ helpValue: 'URI', summary: 'XML namespace of the service (default: read from its description).' }),
    'app-id': Flags.string({ helpValue: 'ID', summary: 'Application id.' }),
    'user-id': Flags.string({ helpValue: 'ID', summary: 'User id of the seller.' }),
    'app-key-command': Flags.string({
      helpValue: 'COMMAND',
      summary: 'Command that prints the application key: a JSON array of words, or a line for the shell.',
    }),
    'token-command': Flags.string({ helpValue: 'COMMAND', summary: 'Command that prints the token.' }),
    sandbox: Flags.string({ helpValue: '0|1', summary: "The service's own test mode (ConfigurationHeader)." }),
    'max-result-age': Flags.string({
      helpValue: 'SECONDS',
      summary: 'Accept an answer that the service cached up to this many seconds ago.',
    }),
    binding: Flags.string({ helpValue: 'soap12|soap11|get|post', summary: 'How calls are sent (default soap12).' }),
    'call-budget': Flags.string({
      helpValue: 'N|none',
      summary: 'Calls allowed to the application in 24 hours (default 100, as at the service; none at a sandbox).',
    }),
    'call-share': Flags.string({
      helpValue: 'PERCENT|none',
      summary: 'Share of the call budget that this profile may use, and that others leave to it.',
    }),
    'quota-url': Flags.string({
      helpValue: 'URL|none',
      summary: 'Redis or Valkey server that counts the calls of several machines: redis://HOST:PORT, or rediss:// for TLS.',
    }),
    'quota-url-command': Flags.string({
      helpValue: 'COMMAND',
      summary: 'Command that prints that address, if it holds a password.',
    }),
    'quota-away': Flags.string({
      helpValue: 'refuse|local',
      summary: 'If the quota server does not answer: refuse calls (default), or count them on this machine.',
    }),
    'quota-patience': Flags.string({
      helpValue: 'DURATION',
      summary: 'How long a quota server that is away is tried again before calls are refused (default 30s).',
    }),
    'description-max-age': Flags.string({
      helpValue: 'DURATION',
      summary: 'Age at which the saved description of the service should be checked again (default 30d).',
    }),
    'keep-personal': Flags.string({
      helpValue: 'DURATION|none',
      summary: 'Time after the last change of an order until the names and addresses of its buyer are removed (default 90d).',
    }),
    accounts: Flags.string({
      helpValue: 'PAIRS|none',
      summary: 'Accounts for orders:export --form sie, e.g. sales25=3001,fees=6570 (default: the Swedish standard plan).',
    }),
    fee: Flags.string({
      helpValue: 'FEE|none',
      summary: 'What the marketplace takes of a sale, without VAT, for sales:report, e.g. "10%+3kr max 400kr".',
    }),
    names: Flags.string({
      helpValue: 'MAP|none',
      summary: "The service's own names for names of the document, e.g. Eid=Zed (service:check proposes them).",
    }),
    'call-timeout': Flags.string({
      helpValue: 'DURATION',
      summary: 'Time a call may take with its retries (default 5m; a list that is streamed gets six times as long).',
    }),
    ...guardSettingFlags,
    'missed-start': Flags.string({
      helpValue: 'late|skip',
      summary: 'What becomes of a discount whose start was missed by 15 minutes: it begins late (default), or is skipped.',
    }),
    vat: Flags.string({
      helpValue: 'PERCENT',
      summary: 'VAT that the prices include and the costs of shop:costs do not (default 25%).',
    }),
    'default-shipping': Flags.string({
      helpValue: 'PARTS|none',
      summary: 'Shipping of new items where none is given, as --shipping of items:add takes it; several with | between.',
    }),
    'default-payment': Flags.string({
      helpValue: 'ID|NAME|none',
      summary: 'Payment types of new items where none is given; several with | between.',
    }),
    'default-condition': Flags.string({ helpValue: 'new|used|none', summary: 'Condition of new items where none is given.' }),
    'default-vat': Flags.string({ helpValue: 'PERCENT|none', summary: 'VAT of new items where none is given, e.g. 25.' }),
    'update-url': Flags.string({
      helpValue: 'URL|none',
      summary: 'Release file that tells of newer versions (update:check); none for never looking by itself.',
    }),
    'accept-port': acceptPortFlag,
    stdin: Flags.boolean({ summary: 'Read settings from stdin: a JSON object, or lines of KEY=VALUE.' }),
    verify: Flags.boolean({
      default: true,
      allowNo: true,
      summary: 'Read the description and make a call before anything is stored.',
    }),
    use: Flags.boolean({ summary: 'Make this the default profile. The first profile becomes the default anyway.' }),
  }

  async work(): Promise<void> {
    const { flags, ctx } = this
    const given: Partial<Record<SettingName, string>> = {}
    for (const name of SETTING_NAMES) {
      const text = (flags as Record<string, unknown>)[name.replaceAll('_', '-')]
      if (typeof text === 'string') given[name] = text
    }
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
    const as = profile === 'default' ? '' : ` --profile ${shellWord(profile)}`
    if (seller !== undefined) ctx.output.note(`Logged in as ${seller.Name} (${seller.Id}) at ${settings.base_url}.`)
    else if (proven)
      ctx.output.note(`The public service at ${settings.base_url} answers this application. No seller is logged in.`)
    if (proven && settings.call_budget === undefined && callBudget(settings) !== undefined) {
      const more = `If yours may make more: seller auth:login${as} --call-budget N`
      ctx.output.note(
        `An application may make ${callBudget(settings)} calls in 24 hours by default, and no more are made. ${more}`,
      )
    }
    const next = seller === undefined ? `seller auth:status${as}` : `seller items:list${as}`
    ctx.output.hint(
      `Profile "${profile}" is stored in ${path}${flags.verify ? '' : ', and was not tried'}. Continue with: ${next}`,
    )
  }
}
