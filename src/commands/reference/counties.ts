import { ReferenceListCommand } from '../../actions/reference/list.js'

export default class ReferenceCounties extends ReferenceListCommand<typeof ReferenceCounties> {
  static override summary = 'List the counties.'
  static override description = 'The counties that the public service knows.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --sort Description']
  static operations = ['GetCounties'] as const
}
