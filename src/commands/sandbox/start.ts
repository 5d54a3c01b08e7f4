import * as Flags from '@oclif/core/flags'
import { readServiceAddress } from '../../cli/address.js'
import { SellerCommand } from '../../cli/base.js'
import { choiceTable } from '../../cli/choices.js'
import { byName, giveOne, intFlag, namedFlag } from '../../cli/flags.js'
import { sandboxFile, sandboxRefused } from '../../cli/sandbox-file.js'
import { readSetting } from '../../cli/settings.js'
import { readNameMap, sentence } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { run, say } from '../../messages/index.js'
import {
  FAULT_FLAGS,
  type FaultInjection,
  FaultSettingsError,
  HOST_KINDS,
  parseFaults,
  SANDBOX_PROFILE,
  startSandbox,
} from '../../sandbox/index.js'

/** Services that the sandbox can be like: what each name takes, and its meaning. A name without values is a switch. */
const VARIANTS = {
  edition: { values: ['2022', '2026'], summary: 'Serve what the description of that year has.' },
  host: { values: HOST_KINDS, summary: 'Kind of server to act like (default asmx). core is one in the style of SoapCore.' },
  shape: {
    values: ['document', 'nested'],
    summary: 'Shape of parameters in its description. Those of SetPricesOnNonShopItems; it reads both.',
  },
  names: { values: 'MAP', summary: 'Other words in its names: Eid=Zed,ExternalPayment=OuterPayment.' },
  'accept-url': {
    values: 'URL',
    summary: 'Where a login in the browser leads. With the user id, once the application is allowed (default: a page).',
  },
  'show-token': { summary: 'Put the token and its end into that address too.' },
  'order-ids': { summary: 'Name the order in each transaction, which no published description has.' },
  extended: {
    summary:
      'Serve the operations beyond the document too. They are those of items:end, shop:stock, shop:update, shop:activate, transactions:mark, auth:token and the login in a browser.',
  },
} as const satisfies Record<string, { readonly values?: string | readonly string[]; readonly summary: string }>

type Variant = keyof typeof VARIANTS
type ValuesOf<V extends Variant> = (typeof VARIANTS)[V] extends { readonly values: readonly (infer T)[] } ? T : string

export default class SandboxStart extends SellerCommand<typeof SandboxStart> {
  static override summary = 'Serve the sandbox to other programs, until Ctrl-C.'
  static override description =
    'Serves the whole service on 127.0.0.1 with the state of --profile sandbox: SOAP 1.1 and 1.2, HTTP GET and POST, WSDL ' +
    'at ?WSDL, a console at /. --fault makes it slow, unreliable or strict, --variant like another service.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --port 8080',
    '<%= config.bin %> <%= command.id %> --port 8080 --namespace http://api.example.com',
    '<%= config.bin %> <%= command.id %> --port 8080 --variant extended --variant shape=nested --variant names=Eid=Zed',
    '<%= config.bin %> <%= command.id %> --port 8080 --variant edition=2022 --variant host=core',
    '<%= config.bin %> <%= command.id %> --fault latency=20ms..200ms --fault drop-after=2% --fault quota=100/24h',
  ]
  static override flags = {
    port: intFlag({ min: 0, max: 65_535, default: 0, summary: 'Port to listen on (0: any free port).' }),
    db: Flags.string({ helpValue: 'FILE', summary: 'SQLite file that holds the state (default: that of --profile sandbox).' }),
    namespace: Flags.string({
      helpValue: 'URI',
      summary: 'XML namespace to answer in. For clients that are built for another one.',
    }),
    variant: namedFlag({
      helpValue: 'NAME[=VALUE]',
      summary: 'Be like another service, e.g. edition=2022. May be repeated.',
      description: choiceTable(
        Object.entries(VARIANTS).map(([name, variant]) => {
          const values = 'values' in variant ? `=${[variant.values].flat().join('|')}` : ''
          return [`${name}${values}`, variant.summary]
        }),
      ),
    }),
    strict: Flags.boolean({ summary: 'Refuse new items as many categories do. Those without a condition, or without shipping.' }),
    log: Flags.boolean({ summary: 'Log one line per call to stderr.' }),
    fault: namedFlag({
      summary: 'Be slow, unreliable or strict, e.g. latency=200ms. May be repeated.',
      description: choiceTable(
        Object.entries(FAULT_FLAGS).map(([name, { example, summary }]) => [`${name}=${example}`, summary]),
      ),
    }),
  }
  protected override readonly endless = true
  protected override readonly takesOut = false

  async work(): Promise<void> {
    const { ctx, flags } = this
    const namespace = flags.namespace === undefined ? undefined : String(readSetting('namespace', flags.namespace, '--namespace'))
    const faults = this.#faults()
    const variant = this.#variant()
    const path = sandboxFile(ctx, flags.db)
    const server = await startSandbox({
      path,
      port: flags.port,
      faults,
      namespace,
      ...variant,
      strict: flags.strict,
      standing: true,
      log: flags.log ? (line) => ctx.output.warn(line) : undefined,
    }).catch(sandboxRefused)
    try {
      const { appId, appKey, publicKey, userId, token } = SANDBOX_PROFILE
      await ctx.output.record(
        {
          card: true,
          columns: [
            { key: 'Url' },
            { key: 'Namespace' },
            { key: 'AppId', kind: 'text' },
            { key: 'AppKey' },
            { key: 'PublicKey' },
            { key: 'UserId', kind: 'text' },
            { key: 'Token' },
            { key: 'Database' },
          ],
        },
        {
          ...{ Url: server.url, Namespace: server.namespace, AppId: appId, AppKey: appKey, PublicKey: publicKey },
          ...{ UserId: userId, Token: token, Database: path },
        },
      )
      ctx.output.note(`Open ${server.url}/ in a browser to see it. End it with Ctrl-C.`)
      if (!ctx.signal.aborted) await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }))
    } finally {
      await server.close()
    }
  }

  #variant() {
    const given = byName('--variant', this.flags.variant ?? [])
    for (const [name, text] of Object.entries(given)) {
      const values = Object.hasOwn(VARIANTS, name) ? valuesOf(name as Variant) : undefined
      if (values === undefined) throw wrongVariant(name, 'this variant does not exist', Object.keys(VARIANTS))
      if (values.length === 0 ? text !== undefined : text === undefined || !(isFree(values[0]) || values.includes(text)))
        throw wrongVariant(`${name}${text === undefined ? '' : `=${text}`}`, 'this is not a value of it', [
          ...(values.length === 0 ? [name] : values.map((value) => `${name}=${value}`)),
        ])
    }
    const { names, 'accept-url': acceptUrl } = given
    if ('show-token' in given && acceptUrl === undefined)
      throw new SellerError('wrong_usage', '--variant show-token needs --variant accept-url=URL.', 'Give both.')
    return {
      accept:
        acceptUrl === undefined
          ? undefined
          : { url: readServiceAddress(acceptUrl, '--variant accept-url').href, showToken: 'show-token' in given },
      names: names === undefined ? undefined : readNameMap(String(readSetting('names', names, '--variant names'))),
      shape: given.shape as ValuesOf<'shape'> | undefined,
      edition: given.edition as ValuesOf<'edition'> | undefined,
      host: (given.host ?? 'asmx') as ValuesOf<'host'>,
      orderIds: 'order-ids' in given,
      extended: 'extended' in given,
    }
  }

  #faults(): Partial<FaultInjection> {
    const given = byName('--fault', this.flags.fault ?? [])
    try {
      return parseFaults(Object.fromEntries(Object.entries(given).map(([name, text]) => [name, text ?? ''])))
    } catch (error) {
      if (!(error instanceof FaultSettingsError)) throw error
      throw new SellerError(
        'invalid_fault_injection',
        error.faults.map(({ flag, message }) => sentence(`--fault ${flag}: ${message}`)).join('\n'),
        say`See ${run('sandbox:start', { '--help': true })}.`,
      )
    }
  }
}

/** True for a word that stands for any value: `URL`. */
function isFree(word: string | undefined): boolean {
  return word !== undefined && /^[A-Z]+$/.test(word)
}

/** The values of a variant; none for a switch. */
function valuesOf(name: Variant): readonly string[] {
  const variant = VARIANTS[name]
  return 'values' in variant ? [variant.values].flat() : []
}

function wrongVariant(given: string, why: string, known: readonly string[]): SellerError {
  return new SellerError('wrong_usage', `--variant ${given}: ${why}.`, giveOne(known))
}
