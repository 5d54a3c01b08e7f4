import * as Flags from '@oclif/core/flags'
import { readServiceAddress } from '../../cli/address.js'
import { SellerCommand } from '../../cli/base.js'
import { intFlag } from '../../cli/flags.js'
import { sandboxFile, sandboxRefused } from '../../cli/sandbox-file.js'
import { readSetting } from '../../cli/settings.js'
import { readNameMap, sentence } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { run, say } from '../../messages/index.js'
import {
  FAULT_FLAGS,
  type FaultFlag,
  type FaultInjection,
  FaultSettingsError,
  HOST_KINDS,
  parseFaults,
  SANDBOX_PROFILE,
  startSandbox,
} from '../../sandbox/index.js'

const faultFlags = Object.fromEntries(
  Object.entries(FAULT_FLAGS).map(([name, { example, summary }]) => [
    name,
    Flags.string({ helpValue: example, helpGroup: 'FAULT INJECTION', summary }),
  ]),
)

export default class SandboxStart extends SellerCommand<typeof SandboxStart> {
  static override summary = 'Serve the sandbox to other programs, until Ctrl-C.'
  static override description =
    'Serves the whole service on 127.0.0.1 with the state of --profile sandbox: SOAP 1.1 and 1.2, HTTP GET and POST, WSDL ' +
    'at ?WSDL, a console at /. The fault-injection flags make it slow, unreliable or strict.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --port 8080',
    '<%= config.bin %> <%= command.id %> --port 8080 --namespace http://api.example.com',
    '<%= config.bin %> <%= command.id %> --port 8080 --extended --shape nested --names Eid=Zed',
    '<%= config.bin %> <%= command.id %> --port 8080 --edition 2022 --host core',
    '<%= config.bin %> <%= command.id %> --latency 20ms..200ms --drop-after 2% --quota 100/24h --seed 7',
  ]
  static override flags = {
    port: intFlag({ min: 0, max: 65_535, default: 0, summary: 'Port to listen on (0: any free port).' }),
    db: Flags.string({ helpValue: 'FILE', summary: 'SQLite file that holds the state (default: that of --profile sandbox).' }),
    namespace: Flags.string({
      helpValue: 'URI',
      summary: 'XML namespace to answer in. For clients that are built for another one.',
    }),
    names: Flags.string({
      helpValue: 'MAP',
      summary: 'Other words in its names. E.g. Eid=Zed,ExternalPayment=OuterPayment.',
    }),
    shape: Flags.option({
      options: ['document', 'nested'] as const,
      summary: 'Shape of parameters in its description. Those of SetPricesOnNonShopItems; it reads both.',
    })(),
    edition: Flags.option({
      options: ['2022', '2026'] as const,
      summary: 'Serve what the description of that year has.',
    })(),
    host: Flags.option({
      options: HOST_KINDS,
      default: 'asmx',
      summary: 'Kind of server to act like. core is one in the style of SoapCore.',
    })(),
    'order-ids': Flags.boolean({ summary: 'Name the order in each transaction, which no published description has.' }),
    extended: Flags.boolean({
      summary:
        'Serve the operations beyond the document too. They are those of items:end, shop:stock, shop:update, shop:activate, transactions:mark, auth:token and the login in a browser.',
    }),
    'accept-url': Flags.string({
      helpValue: 'URL',
      summary: 'Where a login in the browser leads once the application is allowed, with the user id (default: a page).',
    }),
    'show-token': Flags.boolean({ dependsOn: ['accept-url'], summary: 'Put the token and its end into that address too.' }),
    strict: Flags.boolean({ summary: 'Refuse a new item without a condition, or without shipping, as many categories do.' }),
    log: Flags.boolean({ summary: 'Log one line per call to stderr.' }),
    ...faultFlags,
  }
  protected override readonly endless = true
  protected override readonly takesOut = false

  async work(): Promise<void> {
    const { ctx, flags } = this
    const namespace = flags.namespace === undefined ? undefined : String(readSetting('namespace', flags.namespace, '--namespace'))
    const faults = this.#faults()
    const path = sandboxFile(ctx, flags.db)
    const server = await startSandbox({
      path,
      port: flags.port,
      faults,
      namespace,
      names: flags.names === undefined ? undefined : readNameMap(String(readSetting('names', flags.names, '--names'))),
      shape: flags.shape,
      edition: flags.edition,
      host: flags.host,
      orderIds: flags['order-ids'],
      extended: flags.extended,
      strict: flags.strict,
      standing: true,
      accept:
        flags['accept-url'] === undefined
          ? undefined
          : { url: readServiceAddress(flags['accept-url'], '--accept-url').href, showToken: flags['show-token'] },
      log: flags.log ? (line) => ctx.output.warn(line) : undefined,
    }).catch(sandboxRefused)
    try {
      const { appId, userId } = SANDBOX_PROFILE
      await ctx.output.record(
        {
          card: true,
          columns: [
            { key: 'Url' },
            { key: 'Namespace' },
            { key: 'AppId', kind: 'text' },
            { key: 'UserId', kind: 'text' },
            { key: 'Database' },
          ],
        },
        { Url: server.url, Namespace: server.namespace, AppId: appId, UserId: userId, Database: path },
      )
      ctx.output.note(
        `Console: ${server.url}/  Credentials: SELLER_APP_KEY=${SANDBOX_PROFILE.appKey} SELLER_PUBLIC_KEY=${SANDBOX_PROFILE.publicKey} SELLER_TOKEN=${SANDBOX_PROFILE.token}  End with Ctrl-C.`,
      )
      if (!ctx.signal.aborted) await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }))
    } finally {
      await server.close()
    }
  }

  #faults(): Partial<FaultInjection> {
    const given = this.flags as unknown as Record<FaultFlag, string | undefined>
    try {
      return parseFaults(Object.fromEntries(Object.keys(FAULT_FLAGS).map((name) => [name, given[name as FaultFlag]])))
    } catch (error) {
      if (!(error instanceof FaultSettingsError)) throw error
      throw new SellerError(
        'invalid_fault_injection',
        error.faults.map(({ flag, message }) => sentence(`--${flag}: ${message}`)).join('\n'),
        say`See ${run('sandbox:start', { '--help': true })}.`,
      )
    }
  }
}
