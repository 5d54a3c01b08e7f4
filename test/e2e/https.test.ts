/**
 * The built product at a service by https, which packs its replies: the protocol and the module of Node are loaded only where
 * they are used. In processes of their own, because Node reads the certificates that it trusts when it starts. localhost.pem is a
 * certificate of these tests, for the name localhost, with its key.
 */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createBrotliCompress, createGzip } from 'node:zlib'
import { expect } from 'chai'
import { type Home, openHome, root } from './harness.js'

const PEM = join(root, 'test', 'e2e', 'localhost.pem')

describe('a service by https', () => {
  let home: Home
  let front: Server
  let packing: string | undefined
  let asked: string[]

  before(async () => {
    home = await openHome({ sandbox: true })
    const pem = readFileSync(PEM)
    front = createServer({ key: pem, cert: pem }, (from, to) => {
      asked.push(`${from.headers['accept-encoding']}`)
      const path = new URL(from.url ?? '/', home.sandbox.url)
      const behind = request(
        path,
        { method: from.method, headers: { ...from.headers, 'accept-encoding': 'identity' } },
        (reply) => {
          const { 'content-length': _, ...headers } = reply.headers
          to.writeHead(
            reply.statusCode ?? 500,
            packing === undefined ? reply.headers : { ...headers, 'content-encoding': packing },
          )
          if (packing === undefined) reply.pipe(to)
          else reply.pipe(packing === 'br' ? createBrotliCompress() : createGzip()).pipe(to)
        },
      )
      from.pipe(behind)
    })
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  })
  after(async () => {
    front?.close()
    await home?.close()
  })
  beforeEach(() => {
    asked = []
    packing = undefined
  })

  const list = (env: Record<string, string> = {}, host = 'localhost') => {
    const address = `https://${host}:${(front.address() as AddressInfo).port}`
    return home.spawn(['items:list', '--limit', '3', '--json'], { env: { SELLER_BASE_URL: address, ...env } }).done
  }

  for (const way of [undefined, 'gzip', 'br'] as const) {
    it(`answers ${way === undefined ? 'plainly' : `packed by ${way}`}, and the items are read`, async () => {
      packing = way
      const { code, stdout, stderr } = await list({ NODE_EXTRA_CA_CERTS: PEM })
      expect(code, stderr).to.equal(0)
      const plain = await home.seller('items:list', '--limit', '3', '--json')
      expect(JSON.parse(stdout)).to.deep.equal(JSON.parse(plain.stdout)).and.to.have.lengthOf(3)
      expect(asked).to.deep.equal(['gzip, br'])
    })
  }

  it('is not asked with credentials by a name that its certificate does not have', async () => {
    const { code, stdout } = await list({ NODE_EXTRA_CA_CERTS: PEM }, '127.0.0.1')
    expect(code).to.equal(1)
    expect(JSON.parse(stdout).error).to.include({ code: 'unreachable', sent: false, reason: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    expect(asked).to.deep.equal([])
  })

  it('is not asked with credentials while its certificate is not trusted', async () => {
    const { code, stdout } = await list()
    expect(code).to.equal(1)
    const { error } = JSON.parse(stdout)
    expect(error).to.include({ code: 'unreachable', sent: false })
    expect(error.hint).to.include('NODE_EXTRA_CA_CERTS')
    expect(asked).to.deep.equal([])
  })

  it('is asked through a proxy whose password is not logged, whatever DEBUG asks for', async () => {
    const { code, stdout, stderr } = await list(
      { HTTPS_PROXY: 'http://someone:very-secret@127.0.0.1:1', DEBUG: '*' },
      'service.example',
    )
    expect(code).to.equal(1)
    expect(JSON.parse(stdout).error).to.include({ code: 'unreachable', sent: false })
    expect(stderr).not.to.match(/very-secret|proxy-agent|oclif/)
  })
})
