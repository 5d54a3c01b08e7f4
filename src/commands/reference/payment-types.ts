import { ReferenceListCommand } from '../../actions/reference/list.js'

export default class ReferencePaymentTypes extends ReferenceListCommand<typeof ReferencePaymentTypes> {
  static override summary = 'List the payment types.'
  static override description = 'The ids are values of PaymentOptionIds in a new item.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --json | jq '.[] | {Id, Description}'",
  ]
  static operations = ['GetPaymentTypes'] as const
}
