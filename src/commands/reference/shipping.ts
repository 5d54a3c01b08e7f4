import { knownShipping } from '../../actions/reference/shipping.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { shippingView } from '../../format/views/reference.js'
import { run, say } from '../../messages/index.js'

export default class ReferenceShipping extends SellerCommand<typeof ReferenceShipping> {
  static override summary = 'List the ways to send an item.'
  static override description =
    'Shows what --shipping of items:add and shop:add takes. Providers and their products come from GetShippingOptions, where the ' +
    'service has it. Elsewhere they come from your own items, with what most of them ask; options have the names of GetShippingTypes.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --json | jq '.[] | select(.ShippingProviderId)'",
  ]
  static operations = ['GetSellerItems', 'GetShippingOptions', 'GetShippingTypes']
  static override flags = callTimeoutFlag
  static columns = columnKeys(shippingView)

  async work(): Promise<void> {
    const { ctx } = this
    const user = ctx.profile.settings.user_id !== undefined
    const client = await ctx.client({ user })
    const { records, listed } = await knownShipping(ctx, client, true)
    await ctx.output.list(shippingView, records)
    if (listed) return
    ctx.output.note(
      user
        ? 'The service lists no providers: these are the ones that your items use.'
        : say`The service lists no providers. Log in to see those that your items use: ${run('auth:login')}`,
    )
  }
}
