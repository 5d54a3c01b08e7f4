/** Follows an auction that was restarted, here or on another machine, by the service. */
import { type RestartChain, restartChain } from '../../contract/index.js'
import { type SoapClient, SoapError } from '../../soap/client/index.js'

/** The listings before and after an item; null where the service does not tell. @throws what the client throws */
export async function followRestarts(client: Pick<SoapClient, 'call'>, itemId: number): Promise<RestartChain | null> {
  try {
    return restartChain(await client.call('GetItemRestarts', { itemId }), itemId)
  } catch (error) {
    if (error instanceof SoapError && [403, 404, 405].includes(error.httpStatus ?? 0)) return null
    throw error
  }
}
