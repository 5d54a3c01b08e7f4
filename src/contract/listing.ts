/** The listing service, of which commands use one operation. docs/service.md, Relisting. */
import { ID_RULE } from './limit-rules.js'
import type { Operation } from './operation.js'
import { arrayOf, int, required, wholeList } from './vocabulary.js'

const params = { itemId: required(int, ID_RULE) }
const result = wholeList(arrayOf('int', int))

export const listingOperations: { readonly GetItemRestarts: Operation<typeof params, typeof result> } = {
  GetItemRestarts: {
    name: 'GetItemRestarts',
    service: 'ListingService',
    user: false,
    extended: true,
    queued: false,
    kind: 'read',
    summary: 'Lists the items that followed when an auction was restarted.',
    params,
    result,
  },
}
