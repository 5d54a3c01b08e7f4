import * as Flags from '@oclif/core/flags'
import { SellerCommand } from '../../cli/base.js'
import { readUpdate, releaseAddress } from '../../cli/update.js'
import { SellerError, ValueError } from '../../errors/index.js'
import { columnKeys } from '../../format/output/index.js'
import { updateView } from '../../format/views/tool.js'

export default class UpdateCheck extends SellerCommand<typeof UpdateCheck> {
  static override summary = 'Check for a newer version. Downloads nothing.'
  static override description =
    'Reads one file, the release file (release.json), at --url, or the address of the setting update_url (SELLER_UPDATE_URL), or the one that the package was made with. ' +
    'Where an address is known, a command on a terminal that makes calls does so once a week; a script never does, and update_url=none ends it. The exit code is 0 either way: see Newer.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --json | jq -e '.Newer'",
  ]
  static override flags = { url: Flags.string({ helpValue: 'URL', summary: 'Address of the release file.' }) }
  static columns = columnKeys(updateView)

  async work(): Promise<void> {
    const { ctx, config } = this
    const { url: given } = this.flags
    if (given !== undefined && !URL.canParse(given))
      throw new ValueError(
        'invalid_setting',
        { name: '--url', value: given, why: 'is not a URL' },
        'Give the address of the release file, e.g. https://example.com/release.json',
      )
    const url = given ?? releaseAddress(ctx.profile.settings, config.root)
    if (url === undefined)
      throw new SellerError(
        'missing_flags',
        'No address of a release file is known.',
        'Give it with --url, or set SELLER_UPDATE_URL.',
        { missing: ['url'] },
      )
    const found = await readUpdate(url, config.version, ctx)
    await ctx.output.record(updateView, found)
    if (found.Newer) ctx.output.hint('How to upgrade: docs/install.md. The ledger and the settings are kept.')
  }
}
