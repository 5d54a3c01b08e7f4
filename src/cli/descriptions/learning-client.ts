/** A client of a service of which no description is saved: it reads it where the contract alone does not tell how to call. */
import { type Kind, operations } from '../../contract/index.js'
import { isNotRecognized, type OperationRef, type SoapClient } from '../../soap/client/index.js'

/**
 * @param first knows the contract alone
 * @param learn reads the description; undefined where that gives nothing new
 */
export function learningClient(first: SoapClient, learn: () => Promise<SoapClient | undefined>): SoapClient {
  let client = first
  let learning: Promise<boolean> | undefined
  const learnOnce = () => {
    learning ??= learn().then((other) => {
      client = other ?? client
      return other !== undefined
    })
    return learning
  }
  // A service ignores what goes by another name, so nothing is written before its names and forms are known.
  const ready = async (name: OperationRef) => {
    const { kind = 'single write' }: { kind?: Kind } = typeof name === 'string' ? operations[name] : name
    if (kind !== 'read') await learnOnce()
  }
  /** The service did not carry out what it does not know, so it may be sent again under another name. */
  const again = async (error: unknown, oldClient: SoapClient) =>
    isNotRecognized(error) && (await learnOnce()) && client !== oldClient
  const withLearning = async <T>(name: OperationRef, send: () => Promise<T>): Promise<T> => {
    await ready(name)
    const firstClient = client
    return send().catch(async (error: unknown) => {
      if (await again(error, firstClient)) return send()
      throw error
    })
  }
  return {
    call: (name, params, options) => withLearning(name, () => client.call(name, params, options)),
    callAny: (name, params, options) => withLearning(name, () => client.callAny(name, params, options)),
    callRaw: (name, params, options) => withLearning(name, () => client.callRaw(name, params, options)),
    describe: (name, params) => client.describe(name, params),
    async *stream(name, params, options) {
      await ready(name)
      const firstClient = client
      try {
        yield* client.stream(name, params, options)
      } catch (error) {
        // A fault comes before any entry.
        if (!(await again(error, firstClient))) throw error
        yield* client.stream(name, params, options)
      }
    },
    close() {
      first.close()
      if (client !== first) client.close()
    },
  }
}
