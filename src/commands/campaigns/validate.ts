import { categoryFlag } from '../../actions/input/flags.js'
import { categoryId } from '../../actions/input/lazy-ids.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, textArg } from '../../cli/flags.js'
import { EXIT, SellerError } from '../../errors/index.js'
import { campaignFaults, campaignView } from '../../format/views/sending.js'

export default class CampaignsValidate extends SellerCommand<typeof CampaignsValidate> {
  static override summary = 'Check a campaign code.'
  static override description =
    'Says whether the code is valid, and if not, why (exit 3). The operation is internal to the service and may change ' +
    'without notice.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> VAR10 --category 344481',
    '<%= config.bin %> <%= command.id %> VAR10 --json | jq .IsValid',
  ]
  static override args = { code: textArg({ required: true, description: 'The campaign code.' }) }
  static override flags = {
    ...callTimeoutFlag,
    category: categoryFlag({ summary: 'Category of the item (default: any).' }),
  }
  static operations = ['ValidateCampaignCode']

  async work(): Promise<void> {
    const { ctx } = this
    const client = await ctx.client()
    const params = { campaignCode: this.args.code, categoryId: await categoryId(ctx, this.flags.category ?? 0) }
    const result = await client.call('ValidateCampaignCode', params)
    if (result === null)
      throw new SellerError(
        'no_result',
        'The service answered nothing about the code.',
        'Try again later, or see the reply with --trace.',
      )
    await ctx.output.record(campaignView, result)
    if (result.IsValid) return
    const reasons = campaignFaults(result)
    ctx.output.warn(
      `"${this.args.code}" is not valid: ${reasons.length === 0 ? 'the service gives no reason' : reasons.join('; ')}.`,
    )
    this.endWith(EXIT.validation)
  }
}
