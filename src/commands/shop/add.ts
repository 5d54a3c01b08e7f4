import { SellerCommand } from '../../cli/base.js'
import { dryRunFlag, waitFlags } from '../../cli/flags.js'
import { followRequests } from '../../cli/follow.js'
import { readRequest, SHOP_INPUT, shopInputFlags, skeletonOf } from '../../cli/input/index.js'
import { dryRunOfShopItem, imagesWithin } from '../../cli/listing.js'
import { ShopItemData } from '../../contract/index.js'
import { dryRunView, requestView } from '../../format/index.js'
import { sendQueued } from '../../jobs/index.js'

export default class ShopAdd extends SellerCommand<typeof ShopAdd> {
  static override summary = 'Add a shop item.'
  static override description =
    'AddShopItem, images within the one call. Everything is checked before it. The item is queued by the service; --wait waits for its outcome.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --title "Mugg" --category 344481 --price 149 --quantity 12 --image mugg.jpg --wait',
    '<%= config.bin %> <%= command.id %> --skeleton > mugg.yaml',
    '<%= config.bin %> <%= command.id %> --file mugg.yaml --json | jq .RequestId',
  ]
  static override flags = { ...shopInputFlags, ...waitFlags, ...dryRunFlag }
  static operations = ['AddShopItem']

  async work(): Promise<void> {
    const { ctx, flags } = this
    if (flags.skeleton) {
      ctx.output.text(skeletonOf(SHOP_INPUT, ctx.clock.now()))
      return
    }
    const item = await readRequest(SHOP_INPUT, ctx, flags)
    if (flags['dry-run']) {
      await ctx.output.record(dryRunView(ShopItemData), dryRunOfShopItem(item))
      return
    }
    const { request, images } = item
    const ItemImages = [...(request.ItemImages ?? []), ...(await imagesWithin(images))]
    const client = await ctx.client()
    const ledger = await ctx.ledger()
    ctx.ifInterrupted({ next: `seller requests:list${ctx.profileFlag()}` })
    const sent = await sendQueued({
      client,
      ledger,
      name: 'AddShopItem',
      params: { shopItemData: { ...request, ...(ItemImages.length > 0 ? { ItemImages } : {}) } },
      subject: request.Title ?? '',
      profile: ctx.profile.name,
      userId: ctx.profile.settings.user_id,
      signal: ctx.signal,
    })
    const { rows, code } = await followRequests(ctx, client, [sent], flags)
    await ctx.output.record(requestView, rows[0] ?? sent)
    this.settle(code)
  }
}
