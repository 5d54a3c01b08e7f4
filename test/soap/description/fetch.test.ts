/**
 * Fetching a description: limited in time, and stopped on request. The e2e test test/e2e/service.test.ts shows what a user sees
 * of it.
 */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { FetchError, fetchFile } from '../../../src/soap/client/index.js'

describe('fetching a description', () => {
  let server: Server
  let url: string
  let answer: (response: ServerResponse) => void
  const drips = new Set<NodeJS.Timeout>()
  before(async () => {
    server = createServer((_request, response) => answer(response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3/PublicService.asmx?WSDL`
  })
  after(() => {
    for (const timer of drips) clearInterval(timer)
    server.closeAllConnections()
    server.close()
  })

  const options = { signal: new AbortController().signal, userAgent: 'seller/test', maxBytes: 1000 }
  const failure = async (more: Partial<Parameters<typeof fetchFile>[2]> = {}): Promise<FetchError> => {
    const error = await fetchFile('description', url, { ...options, ...more }).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).to.be.instanceOf(FetchError)
    return error as FetchError
  }

  /** Never silent, and never done. */
  const drip = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/xml' })
    drips.add(setInterval(() => response.write(' '), 5))
  }

  it('ends at its deadline, however much still comes', async () => {
    answer = drip
    expect(await failure({ deadlineMs: 100, maxBytes: 1_000_000 })).to.include({ fault: 'too-slow' })
  })

  it('ends at its deadline when nothing comes', async () => {
    answer = () => {}
    expect(await failure({ deadlineMs: 100 })).to.include({ fault: 'too-slow' })
  })

  it('ends when it is stopped', async () => {
    const controller = new AbortController()
    answer = (response) => {
      drip(response)
      controller.abort()
    }
    expect(await failure({ signal: controller.signal })).to.include({ fault: 'aborted' })
  })

  it('counts bytes as they are unpacked', async () => {
    answer = (response) =>
      response.writeHead(200, { 'content-type': 'text/xml', 'content-encoding': 'gzip' }).end(gzipSync(' '.repeat(1001)))
    expect(await failure()).to.include({ fault: 'too-large', httpStatus: 200 })
    answer = (response) =>
      response.writeHead(200, { 'content-type': 'text/xml', 'content-encoding': 'gzip' }).end(gzipSync(' '.repeat(1000)))
    expect((await fetchFile('description', url, options)).bytes).to.have.length(1000)
  })

  it('takes as many bytes as are allowed, and not one more', async () => {
    answer = (response) => response.writeHead(200, { 'content-type': 'text/xml' }).end(' '.repeat(1000))
    expect((await fetchFile('description', url, options)).bytes).to.have.length(1000)
    answer = (response) => response.writeHead(200, { 'content-type': 'text/xml' }).end(' '.repeat(1001))
    expect(await failure()).to.include({ fault: 'too-large', httpStatus: 200 })
  })

  it('says why there was no connection, and that one was lost, with the code of the system if there is one', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const error = await fetchFile('description', `http://127.0.0.1:${port}/x`, options).catch((reason: unknown) => reason)
    expect(error).to.include({ fault: 'unreachable', message: `No connection to 127.0.0.1:${port} (ECONNREFUSED).` })
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/xml', 'content-length': '100' }).write('<a>')
      setTimeout(() => response.destroy(), 5)
    }
    const lost = await failure()
    expect(lost.fault).to.equal('interrupted')
    expect(lost.message).to.match(/^The connection to 127\.0\.0\.1:\d+ was lost( \([A-Z_]+\))?\.$/)
  })

  it('shows what it sends and gets when it is traced', async () => {
    const lines: string[] = []
    answer = (response) => response.writeHead(200, { 'content-type': 'text/xml; charset=utf-8' }).end('<a/>')
    const { bytes, contentType } = await fetchFile('description', url, { ...options, trace: (text) => void lines.push(text) })
    expect([bytes.toString(), contentType]).to.deep.equal(['<a/>', 'text/xml; charset=utf-8'])
    expect(lines).to.deep.equal([`--> GET ${url}`, '<-- HTTP 200 text/xml; charset=utf-8'])
  })
})
