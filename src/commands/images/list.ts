import * as Flags from '@oclif/core/flags'
import { openAddresses, readItems, requireLinks } from '../../actions/items/show.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, idArg } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { imageLinksOf, imageLinksView } from '../../format/views/items.js'

export default class ImagesList extends SellerCommand<typeof ImagesList> {
  static override summary = 'List the images of an item.'
  static override description = 'Prints their addresses. --web opens them in the browser, from a terminal.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1001',
    '<%= config.bin %> <%= command.id %> 1001 --web',
    "<%= config.bin %> <%= command.id %> 1001 --json | jq -r '.[].Url' | xargs -n 1 curl -O",
  ]
  static operations = ['GetItem', 'PublicService.GetItem']
  static override args = { id: idArg({ required: true, description: 'Id of the item.' }) }
  static columns = columnKeys(imageLinksView)
  static override flags = {
    ...callTimeoutFlag,
    web: Flags.boolean({ summary: 'Open the images in the browser. Off a terminal, print their addresses.' }),
  }

  async work(): Promise<void> {
    const { id } = this.args
    for await (const item of readItems(this.ctx, { ids: [id], public: false })) {
      const links = imageLinksOf(item)
      if (this.flags.web) {
        await openAddresses(
          this.ctx,
          links.map(({ Url }) => Url),
          id,
        )
        return
      }
      if (links.length > 0) await requireLinks(this.ctx, id)
      await this.ctx.output.list(imageLinksView, links)
    }
  }
}
