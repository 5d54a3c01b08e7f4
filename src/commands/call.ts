import * as Flags from '@oclif/core/flags'
import { callParams, untypedParams } from '../actions/call/arguments.js'
import { callOperation, callRaw, confirmEnd, type NamedOperation, namedOperation } from '../actions/call/call.js'
import { readInputFile } from '../actions/input/file.js'
import { photosOf } from '../actions/input/photos.js'
import { SERVICE_WORDS } from '../actions/service/operations.js'
import { SellerCommand } from '../cli/base.js'
import { callTimeoutFlag, textArg } from '../cli/flags.js'
import type { Kind } from '../contract/index.js'
import { readsByName } from '../contract/kinds.js'
import { wholeRecord } from '../format/output/index.js'
import { describedView, type RequestShape, valueView } from '../format/views/calls.js'

export default class Call extends SellerCommand<typeof Call> {
  static override summary = 'Call any operation of the service.'
  static override description =
    'The contract gives each parameter its type. a.b=1 sets a value inside another; repeating a name makes a list ' +
    '(requestIds=1 requestIds=2); a number selects an entry of a list (request.ShopItems.0.Id=1); imageData=@photo.jpg ' +
    'reads a file. Prints JSON by default.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> GetItem itemId=1001',
    '<%= config.bin %> <%= command.id %> GetRequestResults requestIds=4711 requestIds=4712',
    '<%= config.bin %> <%= command.id %> SetPriceOnShopItems request.ShopItems.0.Id=2001 request.ShopItems.0.Price=149',
    '<%= config.bin %> <%= command.id %> PublicService.GetItem itemId=1001 --raw',
    '<%= config.bin %> <%= command.id %> AddItem --input request.json --dry-run',
    '<%= config.bin %> <%= command.id %> GetShippingOptions --service public',
    '<%= config.bin %> <%= command.id %> GetOrders --service order request.OrderIds=4711',
  ]
  static override args = {
    operation: textArg({ required: true, description: 'Operation, e.g. GetItem or PublicService.GetItem.' }),
    parameter: textArg({ multiple: true, description: 'name=value.' }),
  }
  static override flags = {
    ...callTimeoutFlag,
    input: Flags.string({
      char: 'i',
      helpValue: 'FILE',
      summary: 'Read parameters from a YAML or JSON file; - is stdin. Arguments override it.',
    }),
    service: Flags.option({
      options: SERVICE_WORDS,
      summary:
        'Service to call. Its description is read if none is saved; needed where neither this tool nor a saved one has the operation.',
    })(),
    kind: Flags.option({
      options: ['read', 'write'] as const,
      summary:
        'A read changes nothing and may be sent again; a write must not be sent twice. By default as its name says: Get…, Validate… and Fetch… read.',
    })(),
    'dry-run': Flags.boolean({
      char: 'n',
      // Its name in versions before 0.4.
      aliases: ['print-request'],
      exclusive: ['raw'],
      summary: 'Print the request with secrets masked, and do not send it.',
    }),
    raw: Flags.boolean({ summary: 'Print the reply unchanged.' }),
    yes: Flags.boolean({ char: 'y', summary: 'Answer yes to the confirmation, which EndItem has.' }),
  }

  /** Takes the caller's word for a read, except where a person must send. The client refuses what is known as a write. */
  protected override sends(): boolean {
    return this.flags.kind === 'read' && !readsByName(this.args.operation.replace(/^.*\./, ''))
  }

  async work(): Promise<void> {
    const { ctx, flags } = this
    const operation = await namedOperation(ctx, this.args.operation, { service: flags.service, kind: this.#kind() })
    const params = await this.#params(operation)
    if (!flags['dry-run']) await confirmEnd(ctx, operation, params, flags.yes)
    const client = await ctx.client({ user: operation.user, describe: flags['dry-run'] })
    if (flags['dry-run']) await this.#show(await client.describe(operation.ref, params))
    else if (flags.raw) ctx.output.text(await callRaw(ctx, client, operation, params))
    else await this.#print(operation, await callOperation(ctx, client, operation, params))
  }

  #kind(): Kind | undefined {
    const { kind } = this.flags
    return kind === 'write' ? 'single write' : kind
  }

  async #params({ known }: NamedOperation): Promise<Record<string, unknown>> {
    const { input: path } = this.flags
    const note = (text: string) => this.ctx.output.note(text)
    const input = path === undefined ? undefined : { path, bytes: await readInputFile(this.ctx, path), note }
    const args = this.args.parameter ?? []
    if (known === undefined) return untypedParams(args, input)
    const photos = photosOf(this.ctx)
    const params = await callParams(known, args, input, this.ctx.path, photos)
    for (const cleaned of photos.notes()) this.ctx.output.note(cleaned)
    return params
  }

  async #show(request: RequestShape): Promise<void> {
    const { output } = this.ctx
    if (output.form !== 'table') return output.record(describedView, request)
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
    output.text([`${request.method} ${request.url}`, ...headers, '', request.body ?? ''].join('\n'))
  }

  async #print({ known }: NamedOperation, value: unknown): Promise<void> {
    const { ctx, flags } = this
    const view = valueView(known?.result?.type, value)
    if (flags.output === undefined && !flags.json && flags.columns === undefined && flags.sort === undefined) {
      const whole = wholeRecord(view) ?? ((row: unknown) => row)
      return ctx.output.json(Array.isArray(value) ? value.map(whole) : whole(value))
    }
    if (Array.isArray(value)) await ctx.output.list(view, value)
    else await ctx.output.record(view, value)
  }
}
