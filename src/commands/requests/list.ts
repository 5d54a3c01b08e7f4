import * as Flags from '@oclif/core/flags'
import { readLimit, rowsWithin } from '../../actions/whole.js'
import { SellerCommand } from '../../cli/base.js'
import { dateTimeFlag, intFlag, wholeFlag } from '../../cli/flags.js'
import { periodFlags } from '../../cli/period-flags.js'
import { instantOf } from '../../contract/index.js'
import { columnKeys } from '../../format/output/index.js'
import { requestsView } from '../../format/views/requests.js'

const STATES = ['sending', 'queued', 'ok', 'retryable', 'failed', 'refused', 'unknown'] as const

/** As many as jobs:list lists: a ledger may have a million. */
const MOST = 50

export default class RequestsList extends SellerCommand<typeof RequestsList> {
  static override summary = 'List queued requests from the ledger, newest first.'
  static override description = 'Makes no call. To fetch results from the service, use requests:wait.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --state queued --state unknown',
    '<%= config.bin %> <%= command.id %> --json | jq \'.[] | select(.State == "failed") | .Message\'',
  ]
  static override flags = {
    state: Flags.option({ options: STATES, multiple: true, multipleNonGreedy: true, summary: 'Only requests in this state.' })(),
    operation: Flags.string({ helpValue: 'NAME', summary: 'Only requests of this operation, e.g. AddItem.' }),
    since: dateTimeFlag({ summary: 'Only requests sent at or after this time, e.g. yesterday or 12h.' }),
    until: dateTimeFlag({ summary: 'Only requests sent before this time.' }),
    ...periodFlags,
    limit: intFlag({ min: 1, summary: `Maximum number of requests to list (default ${MOST}).` }),
    ...wholeFlag,
    all: Flags.boolean({ summary: 'List the requests of all profiles.' }),
  }
  static columns = columnKeys(requestsView)

  async work(): Promise<void> {
    const { ctx, flags } = this
    const limit = flags.limit ?? MOST
    const { requests } = await ctx.ledger({ reading: true })
    const rows = requests.list({
      profile: flags.all ? undefined : ctx.profile.name,
      state: flags.state,
      operation: flags.operation,
      since: flags.since === undefined ? undefined : instantOf(flags.since),
      until: flags.until === undefined ? undefined : instantOf(flags.until),
      limit: readLimit(limit, flags),
    })
    await ctx.output.list(requestsView, rowsWithin(rows, limit, flags))
  }
}
