import { SellerCommand } from '../../cli/base.js'
import { acceptedYesFlag, callTimeoutFlag, idArg, textArg } from '../../cli/flags.js'
import { attachedView } from '../../format/views/sending.js'
import { run, say } from '../../messages/index.js'

export default class CampaignsAttach extends SellerCommand<typeof CampaignsAttach> {
  static override summary = 'Attach a campaign code to an item that is not committed yet.'
  static override description =
    'The request is one that items:add made without committing it. Attaching the same code again changes nothing. ' +
    'items:add --campaign does it all in one step. The operation is internal to the service and may change without notice.'
  static override examples = ['<%= config.bin %> <%= command.id %> 4711 VAR10']
  static override args = {
    request: idArg({ required: true, description: 'Request id of the item, from items:add.' }),
    code: textArg({ required: true, description: 'The campaign code.' }),
  }
  static override flags = { ...acceptedYesFlag, ...callTimeoutFlag }
  static operations = ['AddItemCampaignCode']

  async work(): Promise<void> {
    const { ctx, args } = this
    const client = await ctx.client()
    const params = { requestId: args.request, campaignCode: args.code }
    await client.call('AddItemCampaignCode', params)
    ctx.output.hint(say`Commit the item with: ${run('images:upload', { request: args.request, '--commit': true })}`)
    await ctx.output.record(attachedView, { RequestId: args.request, CampaignCode: args.code, Attached: true })
  }
}
