/** The listing service, of which commands use one operation. docs/service.md, Relisting. */
import { ID_RULE } from './limit-rules.js'
import { inService } from './operation.js'
import { arrayOf, int, required, wholeList } from './vocabulary.js'

export const listingOperations = inService(
  { service: 'ListingService', user: false, extended: true },
  {
    GetItemRestarts: {
      kind: 'read',
      summary: 'Lists the items that followed when an auction was restarted.',
      params: { itemId: required(int, ID_RULE) },
      result: wholeList(arrayOf('int', int)),
    },
  },
)
