import { ReferenceListCommand } from '../../actions/reference/list.js'

export default class ReferenceBidderTypes extends ReferenceListCommand<typeof ReferenceBidderTypes> {
  static override summary = 'List who can be accepted as a bidder or buyer.'
  static override description = 'The ids are values of AcceptedBidderId in a new item.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --output csv']
  static operations = ['GetAcceptedBidderTypes'] as const
}
