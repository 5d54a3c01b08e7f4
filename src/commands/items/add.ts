import { Flags } from '@oclif/core'
import { SellerCommand } from '../../cli/base.js'
import { dryRunFlag, waitFlags } from '../../cli/flags.js'
import { ITEM_INPUT, itemInputFlags, readRequest, skeletonOf } from '../../cli/input/index.js'
import { addItem, dryRunOfItem } from '../../cli/listing.js'
import { ItemRequest } from '../../contract/index.js'
import { dryRunView, requestView } from '../../format/index.js'

export default class ItemsAdd extends SellerCommand<typeof ItemsAdd> {
  static override summary = 'Add an auction, a buy-now or a contact-only item.'
  static override description =
    'AddItem; with images or a campaign code also AddItemImage, AddItemCampaignCode and AddItemCommit, as one job that jobs:resume ' +
    'goes on with should it break off. Everything is checked before the first call. The item is queued by the service; --wait waits for its outcome.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --title "Vas" --category 344481 --start-price 100 --shipping pickup --wait',
    '<%= config.bin %> <%= command.id %> --file item.yaml --image front.jpg --image back.jpg --campaign VAR10 --wait',
    '<%= config.bin %> <%= command.id %> --skeleton > item.yaml',
    '<%= config.bin %> <%= command.id %> --file item.yaml --dry-run --json | jq .Request',
  ]
  static override flags = {
    ...itemInputFlags,
    'commit-anyway': Flags.boolean({ summary: 'Put the item on sale although an image or the campaign code was refused.' }),
    ...waitFlags,
    ...dryRunFlag,
  }
  static operations = ['AddItem', 'AddItemImage', 'AddItemCampaignCode', 'AddItemCommit']

  async work(): Promise<void> {
    const { ctx, flags } = this
    if (flags.skeleton) {
      ctx.output.text(skeletonOf(ITEM_INPUT, ctx.clock.now()))
      return
    }
    const item = { ...(await readRequest(ITEM_INPUT, ctx, flags)), campaignCode: flags.campaign }
    if (flags['dry-run']) {
      await ctx.output.record(dryRunView(ItemRequest), dryRunOfItem(item))
      return
    }
    const { row, code } = await addItem(ctx, { ...item, commitAnyway: flags['commit-anyway'], flags })
    await ctx.output.record(requestView, row)
    this.settle(code)
  }
}
