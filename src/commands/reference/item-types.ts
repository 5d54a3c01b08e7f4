import { ReferenceListCommand } from '../../actions/reference/list.js'

export default class ReferenceItemTypes extends ReferenceListCommand<typeof ReferenceItemTypes> {
  static override summary = 'List the item types.'
  static override description = 'The ids are values of ItemType in a new item.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --json | jq '.[] | {Id, Description}'",
  ]
  static operations = ['GetItemTypes'] as const
}
