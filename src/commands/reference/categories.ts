import * as Flags from '@oclif/core/flags'
import { keepNames } from '../../actions/reference/names.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, idFlag, intFlag } from '../../cli/flags.js'
import type { CategoryValue } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { columnKeys, pruneTree } from '../../format/output/index.js'
import { categoriesView } from '../../format/views/reference.js'
import { blank, run, say } from '../../messages/index.js'

const shape = {
  children: (category: CategoryValue) => category.Category,
  withChildren: (category: CategoryValue, children: CategoryValue[]) => ({ ...category, Category: children }),
}

export default class ReferenceCategories extends SellerCommand<typeof ReferenceCategories> {
  static override summary = 'Show the category tree.'
  static override description =
    'Prints a tree on a terminal and in JSON, and rows with their path elsewhere. Items can be listed in leaf categories ' +
    'only.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --depth 1',
    '<%= config.bin %> <%= command.id %> --search glas',
    '<%= config.bin %> <%= command.id %> --category 1612 --columns Id,Path',
    "<%= config.bin %> <%= command.id %> --json | jq '.. | objects | select(.Category == []) | .Id'",
  ]
  static operations = ['GetCategories']
  static override flags = {
    ...callTimeoutFlag,
    depth: intFlag({ min: 1, summary: 'Number of levels to show.' }),
    // Its name in versions before 0.4.
    category: idFlag({ aliases: ['under'], summary: 'Only this category and those below it.' }),
    search: Flags.string({
      helpValue: 'TEXT',
      summary: 'Only categories with this in their name, or this id. With their path. Ignores case.',
    }),
  }
  static columns = columnKeys(categoriesView.flat)

  async work(): Promise<void> {
    const { depth, category, search } = this.flags
    const client = await this.ctx.client({ user: false })
    const all = await client.call('GetCategories', {})
    await keepNames(this.ctx, { categories: all })
    const roots = category === undefined ? all : [findCategory(all, category)]
    const text = search?.toLowerCase()
    const matches =
      text === undefined
        ? undefined
        : ({ Id, Name: name = '' }: CategoryValue) => String(Id) === text || name.toLowerCase().includes(text)
    await this.ctx.output.tree(categoriesView, pruneTree(roots, { ...shape, depth, matches }))
  }
}

function findCategory(categories: readonly CategoryValue[], id: number): CategoryValue {
  const queue = [...categories]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (next.Id === id) return next
    queue.push(...next.Category)
  }
  throw new SellerError(
    'category_not_found',
    `There is no category ${id}.`,
    say`Find one with: ${run('reference:categories', { '--search': blank('TEXT') })}`,
  )
}
