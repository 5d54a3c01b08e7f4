import { ReferenceListCommand } from '../../actions/reference/list.js'

export default class ReferenceExpoItemTypes extends ReferenceListCommand<typeof ReferenceExpoItemTypes> {
  static override summary = 'List the kinds of extra exposure.'
  static override description = 'The ids are values of ExpoItemIds in a new item.'
  static override examples = ['<%= config.bin %> <%= command.id %>', "<%= config.bin %> <%= command.id %> --json | jq '.[].Id'"]
  static operations = ['GetExpoItemTypes'] as const
}
