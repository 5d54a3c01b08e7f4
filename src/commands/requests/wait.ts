import { unknownRequests, waitFor } from '../../actions/requests/waiting.js'
import { listResult } from '../../actions/result.js'
import { SellerCommand } from '../../cli/base.js'
import { choicesFlag, chosen, idArg, timeoutFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { requestsView } from '../../format/views/requests.js'

export default class RequestsWait extends SellerCommand<typeof RequestsWait> {
  static override summary = 'Wait for queued requests: those named, or all that are pending.'
  static override description =
    'Polls for all of them together until each has a result or the time is up (exit 8). Exit 1 if one failed. An id that ' +
    'is not in this ledger, and that the service says nothing of at the first look, is not waited for (exit 1).'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> 4711 4712 --timeout 1h',
    '<%= config.bin %> <%= command.id %> --json | jq ".[].ResultCode"',
  ]
  static override args = { id: idArg({ multiple: true, description: 'Request ids (default: all that are pending).' }) }
  static override flags = {
    timeout: timeoutFlag('How long to wait, e.g. 90s or 1h30m (default 10m). Then exit 8 with the rest still pending.'),
    with: choicesFlag(
      { unknown: { summary: 'Ids that nobody knows yet. Another program may have queued them.' } },
      { summary: 'Wait for ids that nobody knows yet, too.' },
    ),
  }
  static operations = ['GetRequestResults']
  static columns = columnKeys(requestsView)

  async work() {
    const { ctx } = this
    const { requests } = await ctx.ledger()
    const named = this.args.id ?? []
    const pending = requests.pending(ctx.profile.name).flatMap(({ RequestId }) => (RequestId === null ? [] : [RequestId]))
    const ids = [...new Set(named.length > 0 ? named : pending)]
    if (ids.length === 0) return listResult({ view: { ...requestsView, empty: 'Nothing is pending.' }, rows: () => [] })
    const doubted = chosen(this.flags.with, 'unknown') ? undefined : await unknownRequests(ctx, named)
    const { rows, code } = await waitFor(ctx, await ctx.client(), ids, this.flags.timeout, doubted)
    // Pending requests were reported already. "No requests." would contradict that.
    return listResult({ view: { ...requestsView, empty: undefined }, rows: () => rows }, code)
  }
}
