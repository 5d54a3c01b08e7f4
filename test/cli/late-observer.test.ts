import { expect } from 'chai'
import { lateObserver } from '../../src/cli/open-client.js'
import { type CallObserver, createClient } from '../../src/soap/client/index.js'
import { NS, response, type Service, SOAP_TYPE, startService, stillClock } from '../soap/service.js'

describe('the count of calls, while the ledger opens', () => {
  let service: Service | undefined
  const log: string[] = []

  /** A client whose observer records what happens, and which may fail to be made. */
  async function open(failure?: Error) {
    log.length = 0
    service = await startService((asked, reply) => {
      const name = asked.body.includes('<RemoveShopItem') ? 'RemoveShopItem' : 'GetItem'
      log.push(`${name} arrived`)
      const result = name === 'GetItem' ? '<Id>7</Id>' : '<RequestId>1</RequestId><ItemId>7</ItemId>'
      // Late enough that everything that does not wait for the reply comes first.
      setTimeout(() => reply.writeHead(200, SOAP_TYPE).end(response(name, `<${name}Result>${result}</${name}Result>`)), 30)
    })
    const made: CallObserver = {
      begin: ({ operation }) => {
        log.push(`${operation} recorded`)
        return ({ outcome }) => void log.push(`${operation} ${outcome}`)
      },
    }
    const observer = lateObserver(async () => {
      await new Promise((resolve) => setTimeout(resolve, 10))
      log.push('opened')
      if (failure !== undefined) throw failure
      return made
    })
    const credentials = { appId: 1, appKey: 'a-planted-key', userId: 2, token: 'a-planted-token' }
    return createClient({ baseUrl: service.url, namespace: NS, credentials, clock: stillClock(), observer })
  }

  afterEach(() => service?.close())

  it('a read leaves first, and is recorded before its reply is handed on', async () => {
    const client = await open()
    await client.call('GetItem', { itemId: 7 })
    expect([...log].sort()).to.deep.equal(['GetItem arrived', 'GetItem ok', 'GetItem recorded', 'opened'])
    expect(log.indexOf('GetItem recorded')).to.equal(log.indexOf('opened') + 1)
    expect(log.at(-1)).to.equal('GetItem ok')
    log.length = 0
    await client.call('GetItem', { itemId: 7 })
    expect(log, 'the second, once it is open').to.deep.equal(['GetItem recorded', 'GetItem arrived', 'GetItem ok'])
    client.close()
  })

  it('a write never leaves before it is recorded', async () => {
    const client = await open()
    await client.call('RemoveShopItem', { shopItemId: 7 })
    expect(log).to.deep.equal(['opened', 'RemoveShopItem recorded', 'RemoveShopItem arrived', 'RemoveShopItem ok'])
    client.close()
  })

  it('a ledger that cannot be opened stops a write, and hands on nothing of a read', async () => {
    const failure = new Error('no ledger')
    const client = await open(failure)
    for (const call of [client.call('RemoveShopItem', { shopItemId: 7 }), client.call('GetItem', { itemId: 7 })]) {
      const error = await call.then(
        () => undefined,
        (reason: unknown) => reason,
      )
      expect(error).to.equal(failure)
    }
    expect(log).to.not.include('RemoveShopItem arrived')
    client.close()
  })

  it('a read that never left is recorded too', async () => {
    const client = await open()
    await service?.close()
    await client.call('GetItem', { itemId: 7 }).catch(() => undefined)
    expect(log).to.include('GetItem recorded').and.include('GetItem unreachable')
    client.close()
  })
})
