import { categoryId } from '../../actions/input/lazy-ids.js'
import { readCategory } from '../../actions/input/named.js'
import { loadAttributes } from '../../actions/reference/attributes.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, textArg } from '../../cli/flags.js'
import { requireOffered } from '../../cli/saved-description.js'
import { columnKeys } from '../../format/output/index.js'
import { attributesView } from '../../format/views/reference.js'

export default class ReferenceAttributes extends SellerCommand<typeof ReferenceAttributes> {
  static override summary = 'List the attributes that a category wants.'
  static override description =
    'Shows what --attribute of items:add and shop:add takes: the names, whether one is required, and the values where these are fixed. ' +
    'Not every service has it: it needs a description that has GetAttributeDefinitions.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> keramik',
    "<%= config.bin %> <%= command.id %> 344481 --json | jq '.[] | select(.MinNumberOfValues > 0) | .Name'",
  ]
  static operations = ['GetAttributeDefinitions', 'GetCategories']
  static override args = {
    category: textArg({ required: true, description: 'Id of a leaf category, or words that only one leaf has.' }),
  }
  static override flags = callTimeoutFlag
  static columns = columnKeys(attributesView)

  async work(): Promise<void> {
    const { ctx } = this
    const { category } = this.args
    const id = await categoryId(ctx, readCategory(category, 'CATEGORY'), 'CATEGORY')
    await requireOffered(ctx, 'GetAttributeDefinitions', 'PublicService')
    const user = ctx.profile.settings.user_id !== undefined
    const list = await loadAttributes(ctx, () => ctx.client({ user }), id, true)
    await ctx.output.list(attributesView, list ?? [])
  }
}
