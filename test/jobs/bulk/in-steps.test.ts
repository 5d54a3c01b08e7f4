/** Auctions that are sent in several calls: whatever breaks off, each is put up once, with each image once. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { bulkJob, type NewBulkRow, type RunBulkOptions } from '../../../src/jobs/bulk/index.js'
import { SoapError } from '../../../src/soap/client/index.js'
import { Bench, type CallOutcome, FakeService, failure } from './support.js'

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const image = (Name: string, more: object = {}) => ({
  ...{ Name, Format: 'Gif', HasMega: false, Bytes: GIF.length, Base64: GIF.toString('base64') },
  ...more,
})

/** The service where auctions wait for their commit. */
class Listing {
  readonly calls: string[] = []
  /** Params of each operation's calls. */
  readonly params: Readonly<Record<string, unknown>>[] = []
  /** Committed requests: the auctions that there are. */
  readonly committed: number[] = []
  /** Code of every request that is asked for. */
  code: string | undefined
  /** End of a call, by its name and its number among the calls of that name. */
  end: (operation: string, call: number) => CallOutcome | SoapError = () => 'answered'
  #requests = 0

  readonly client = {
    call: async (operation: string, params: Readonly<Record<string, unknown>>): Promise<unknown> => {
      this.calls.push(operation)
      this.params.push({ operation, ...params })
      const end = this.end(operation, this.calls.filter((name) => name === operation).length)
      if (end instanceof Error) throw end
      if (typeof end === 'object') throw failure(operation, end)
      const answer = this.#answer(operation, params)
      if (end === 'lost') throw failure(operation, { kind: 'interrupted', sent: true })
      return answer
    },
  } as unknown as RunBulkOptions['client']

  #answer(operation: string, { requestId, requestIds }: Readonly<Record<string, unknown>>): unknown {
    if (operation === 'AddItem') return { RequestId: 100 + ++this.#requests, ItemId: 900 + this.#requests }
    if (operation === 'AddItemCommit') this.committed.push(requestId as number)
    if (operation !== 'GetRequestResults') return {}
    const [RequestId = 0] = requestIds as number[]
    return this.code === undefined ? [] : [{ RequestId, ResultCode: this.code, Message: '' }]
  }
}

describe('a row that is sent in several calls', () => {
  let bench: Bench
  let service: Listing
  let jobId: number
  beforeEach(() => {
    bench = new Bench(new FakeService())
    service = new Listing()
  })
  afterEach(() => bench.close())
  const create = (...images: object[]) => {
    const rows: NewBulkRow[] = [{ line: 2, id: 0, payload: { Title: 'Lamp', ItemImages: images } }]
    jobId = bench.job('add-item', rows)
  }
  const run = async (options: Partial<RunBulkOptions> = {}) => {
    service.calls.length = 0
    service.params.length = 0
    await bench.run(jobId, { client: service.client, ...options })
    return bench.reasons(jobId)
  }

  it('is put up with its images, and on sale by the last call', async () => {
    create(image('a.gif'), image('b.gif', { HasMega: true }))
    expect(await run()).to.deep.equal([['queued', null]])
    expect(service.params).to.deep.equal([
      { operation: 'AddItem', itemRequest: { Title: 'Lamp', AutoCommit: false } },
      { operation: 'AddItemImage', requestId: 101, imageData: GIF, imageFormat: 'Gif', hasMega: false },
      { operation: 'AddItemImage', requestId: 101, imageData: GIF, imageFormat: 'Gif', hasMega: true },
      { operation: 'AddItemCommit', requestId: 101 },
    ])
  })

  it('reads an image of a file when it is sent, and sends nothing if one has changed', async () => {
    const Path = join(bench.directory, 'a.gif')
    const Sha256 = createHash('sha256').update(GIF).digest('hex')
    const { Base64: _, ...stored } = image('a.gif', { Path, Sha256 })
    writeFileSync(Path, GIF)
    create(stored)
    await run()
    expect(service.params[1]).to.deep.include({ operation: 'AddItemImage', imageData: GIF })
    create(stored)
    writeFileSync(Path, Buffer.from(GIF.map((byte, at) => (at === 13 ? byte + 1 : byte))))
    const [[state, why] = []] = await run()
    expect([state, service.calls]).to.deep.equal(['failed', []])
    expect(why).to.include('a.gif')
  })

  it('begins again with a new request where it broke off before the commit', async () => {
    create(image('a.gif'), image('b.gif'))
    service.end = (operation, call) => (operation === 'AddItemImage' && call === 2 ? 'lost' : 'answered')
    // Nobody has refused the image.
    expect(await run()).to.deep.equal([['sending', null]])
    expect(service.committed).to.deep.equal([])
    service.end = () => 'answered'
    expect(await run()).to.deep.equal([['queued', null]])
    expect(service.calls).to.deep.equal(['AddItem', 'AddItemImage', 'AddItemImage', 'AddItemCommit'])
    expect(service.committed).to.deep.equal([102])
  })

  it('fails where the service refuses an image, and names it', async () => {
    create(image('a.gif'), image('b.gif'))
    service.end = (operation, call) =>
      operation === 'AddItemImage' && call === 2 ? { kind: 'fault', sent: true, faultString: 'too large' } : 'answered'
    const [[state, why] = []] = await run()
    expect(state).to.equal('failed')
    expect(why).to.include('b.gif').and.include('too large').and.not.include('a.gif')
    expect(service.calls).to.not.include('AddItemCommit')
    // The service has not refused what this program refuses.
    create(image('a.gif'))
    service.end = (operation) => (operation === 'AddItemImage' ? { kind: 'input', faultString: 'no such format' } : 'answered')
    expect(await run()).to.deep.equal([['failed', 'no such format']])
  })

  describe('and whose commit had no answer', () => {
    beforeEach(async () => {
      create(image('a.gif'))
      service.end = (operation) => (operation === 'AddItemCommit' ? 'lost' : 'answered')
      await run()
      expect(service.committed).to.deep.equal([101])
      service.end = () => 'answered'
    })

    for (const [what, code, calls] of [
      ['is not sent again where the service works on it', 'WaitingToBeProcessed', ['GetRequestResults']],
      ['nor where it is up', 'Ok', ['GetRequestResults']],
      ['nor where the service answers what nobody knows', 'SomethingNew', ['GetRequestResults']],
      ['is committed again, alone, where it waits for that', 'Uncommited', ['GetRequestResults', 'AddItemCommit']],
      ['and where the service does not know it', undefined, ['GetRequestResults', 'AddItemCommit']],
      [
        'begins again where the service failed it',
        'ImageProcessingError',
        ['GetRequestResults', 'AddItem', 'AddItemImage', 'AddItemCommit'],
      ],
      ['and where it was not carried out', 'TryAgain', ['GetRequestResults', 'AddItem', 'AddItemImage', 'AddItemCommit']],
    ] as const)
      it(what, async () => {
        service.code = code
        expect((await run())[0]?.[0]).to.equal('queued')
        expect(service.calls).to.deep.equal(calls)
        const began = calls.length === 4
        expect(service.committed).to.deep.equal(calls.length === 1 ? [101] : [101, began ? 102 : 101])
      })
  })

  it('is unknown where the service failed within the commit, and failed where it refused it', async () => {
    create(image('a.gif'))
    service.end = (operation) =>
      operation === 'AddItemCommit'
        ? { kind: 'fault', sent: true, faultCode: 'Server', faultString: 'internal error' }
        : 'answered'
    expect(await run()).to.deep.equal([['unknown', 'whether it was committed is not known: internal error']])
    const faultString = 'the server is busy'
    service.end = () => 'answered'
    // It is not sent again by itself.
    expect((await run())[0]?.[0]).to.equal('unknown')
    expect(service.calls).to.deep.equal([])
    create(image('a.gif'))
    const more = { operation: 'AddItemCommit', sent: true, faultCode: 'Server', faultString } as const
    service.end = (operation) =>
      operation === 'AddItemCommit' ? new SoapError('fault', `AddItemCommit failed: ${faultString}`, more) : 'answered'
    expect(await run()).to.deep.equal([['unknown', `whether it was committed is not known: ${faultString}`]])
    create(image('a.gif'))
    service.end = (operation) =>
      operation === 'AddItemCommit' ? { kind: 'fault', sent: true, faultString: 'Invalid request ---> no.' } : 'answered'
    expect((await run())[0]?.[0]).to.equal('failed')
  })

  describe('of an auction that ended', () => {
    const relist = (Images: readonly string[], more: object = {}) => {
      const Request = { Title: 'Lamp', RestartedFromItemId: 5 }
      const payload = { OpeningPrice: 10, Request, Images, StartsAt: null, Restarts: false, ...more }
      jobId = bench.job('relist', [{ line: 2, id: 5, payload }])
    }

    it('is not put up where an image of it has no web address', async () => {
      for (const address of ['a.gif', 'ftp://images.example/a.gif', 'httpx://images.example/a.gif']) {
        relist([address])
        expect(await run()).to.deep.equal([['failed', `nothing was sent: its image has no web address: ${address}`]])
        expect(service.calls).to.deep.equal([])
      }
    })

    it('is put up with the images of before, from the web', async () => {
      const server = createServer((_, response) => response.setHeader('Content-Type', 'image/gif').end(GIF))
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const { port } = server.address() as AddressInfo
      relist([`http://127.0.0.1:${port}/a.gif`])
      expect(await run()).to.deep.equal([['queued', null]])
      expect(service.params[1]).to.deep.include({ operation: 'AddItemImage', requestId: 101, imageData: GIF, hasMega: false })
      server.closeAllConnections()
      await once(server.close(), 'close')
      relist([`http://127.0.0.1:${port}/a.gif`])
      const [[state, why] = []] = await run()
      expect([state, service.calls]).to.deep.equal(['retryable', []])
      expect(why).to.include('its image could not be fetched')
    })

    it('waits for its time, and the job says until when', async () => {
      relist([], { StartsAt: new Date(bench.clock.time + 3_600_000).toISOString() })
      expect(await run()).to.deep.equal([['unsent', null]])
      expect(service.calls).to.deep.equal([])
      expect(bulkJob(bench.ledger, jobId).Message).to.match(/^1 to start later, the next at 2026-11-02 /)
      bench.clock.time += 3_600_000
      expect(await run()).to.deep.equal([['queued', null]])
      expect(bulkJob(bench.ledger, jobId).Message).to.equal(null)
    })
  })
})
