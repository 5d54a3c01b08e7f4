/** Errors where a description or a picture cannot be fetched, and what is sent for one. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { FetchError, fetchFile } from '../../../src/soap/client/index.js'

describe('a file that is fetched', () => {
  let server: Server
  let url: string
  let host: string
  let answer: (response: ServerResponse) => void
  const asked: IncomingMessage[] = []
  before(async () => {
    server = createServer((request, response) => {
      asked.push(request)
      answer(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    url = `http://${host}/a/b?WSDL`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const options = { signal: new AbortController().signal, userAgent: 'seller/test', maxBytes: 10 }
  const failure = async (more: Partial<Parameters<typeof fetchFile>[2]> = {}) => {
    const error = await fetchFile('description', url, { ...options, ...more }).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(FetchError)
    const { fault, httpStatus, message } = error as FetchError
    return [fault, httpStatus, message.replaceAll(url, 'URL').replaceAll(host, 'HOST')]
  }

  it('is asked for as what it is, and by whom', async () => {
    answer = (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x')
    expect(await fetchFile('picture', url, options)).to.deep.equal({ bytes: Buffer.from('x'), contentType: 'image/png' })
    answer = (response) => response.writeHead(299).end()
    expect(await fetchFile('description', url, options)).to.deep.equal({ bytes: Buffer.alloc(0), contentType: undefined })
    expect(asked.map(({ method, url: path, headers }) => [method, path, headers.accept, headers['user-agent']])).to.deep.equal([
      ['GET', '/a/b?WSDL', 'image/*', 'seller/test'],
      ['GET', '/a/b?WSDL', 'text/xml, application/wsdl+xml, application/xml', 'seller/test'],
    ])
  })

  it('is refused by its status', async () => {
    for (const [status, fault, message] of [
      [300, 'redirect', 'URL answers with a redirect (HTTP 300), which is not followed.'],
      [399, 'redirect', 'URL answers with a redirect (HTTP 399), which is not followed.'],
      [400, 'status', 'URL answers HTTP 400, not a description.'],
      [401, 'refused', 'URL refuses to show its description (HTTP 401).'],
      [402, 'status', 'URL answers HTTP 402, not a description.'],
      [403, 'refused', 'URL refuses to show its description (HTTP 403).'],
      [404, 'status', 'URL answers HTTP 404, not a description.'],
      [500, 'status', 'URL answers HTTP 500, not a description.'],
    ] as const) {
      answer = (response) => response.writeHead(status).end()
      expect(await failure()).to.deep.equal([fault, status, message])
    }
    for (const [location, to] of [
      ['../c?x', ` to http://HOST/c?x`],
      ['https://other.example/', ' to https://other.example/'],
      ['http://[', ''],
    ]) {
      answer = (response) => response.writeHead(302, { location }).end()
      expect(await failure()).to.deep.equal([
        'redirect',
        302,
        `URL answers with a redirect (HTTP 302)${to}, which is not followed.`,
      ])
    }
  })

  it('is refused where it is too large, too slow or lost', async () => {
    answer = (response) => response.writeHead(200).end('x'.repeat(11))
    expect(await failure()).to.deep.equal(['too-large', 200, 'URL answers with more than 10 bytes, which is the limit.'])
    answer = (response) => response.writeHead(200).write('x')
    expect(await failure({ deadlineMs: 50 })).to.deep.equal([
      'too-slow',
      undefined,
      'HOST did not answer completely within 0.05 s.',
    ])
    answer = (response) => response.destroy()
    const [fault, , message] = await failure()
    expect(fault).to.equal('interrupted')
    expect(message).to.match(/^The connection to HOST was lost( \([A-Z_]+\))?\.$/)
  })

  it('is not fetched where it was stopped before', async () => {
    const before = asked.length
    expect(await failure({ signal: AbortSignal.abort() })).to.deep.equal(['aborted', undefined, 'The fetch was stopped.'])
    expect(asked.length - before).to.be.at.most(1)
  })

  it('shows an answer without a type as it is', async () => {
    const lines: string[] = []
    answer = (response) => response.writeHead(404).end()
    await failure({ trace: (text) => void lines.push(text) })
    expect(lines).to.deep.equal([`--> GET ${url}`, '<-- HTTP 404 '])
  })
})
