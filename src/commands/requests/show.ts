import { unknownWords } from '../../actions/requests/waiting.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, idArg } from '../../cli/flags.js'
import { SellerError } from '../../errors/index.js'
import { requestView } from '../../format/views/requests.js'

export default class RequestsShow extends SellerCommand<typeof RequestsShow> {
  static override summary = 'Show one queued request.'
  static override description = 'Asks the service if the ledger has no final result yet.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 4711',
    '<%= config.bin %> <%= command.id %> 4711 --json | jq -r .ResultCode',
  ]
  static override args = { id: idArg({ required: true, description: 'Request id.' }) }
  static operations = ['GetRequestResults']
  static override flags = callTimeoutFlag

  async work(): Promise<void> {
    const { ctx } = this
    const { id } = this.args
    const { requests } = await ctx.ledger()
    const profile = ctx.profile.name
    let row = requests.byRequestId(id, profile)
    if (row === undefined || row.State === 'queued') {
      const client = await ctx.client()
      const results = await client.call('GetRequestResults', { requestIds: [id] })
      // The user did not ask about other requests.
      const own = results.filter(({ RequestId }) => RequestId === id)
      requests.results(own, { profile })
      row = requests.byRequestId(id, profile)
    }
    if (row === undefined) {
      throw new SellerError('request_not_found', ...unknownWords([id]))
    }
    await ctx.output.record(requestView, row)
  }
}
