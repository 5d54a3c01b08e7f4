/** The causes of calls that do not reach the service: each by a real proxy, TLS server or web server, and the words for it. */
import { readFileSync } from 'node:fs'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { closing } from '../opened.js'
import { NS } from '../soap/service.js'
import { type Home, openHome, root } from './harness.js'

describe('what stands between this tool and the service', () => {
  let home: Home
  const servers: Server[] = []
  const listen = async (server: Server): Promise<number> => {
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  /** @param name of a certificate with its key, in this folder */
  const tls = (name: string, options: https.ServerOptions = {}) => {
    const pem = readFileSync(pemOf(name))
    return https.createServer({ key: pem, cert: pem, ...options }, (_from, to) => to.end('<a/>'))
  }
  const pemOf = (name: string) => join(root, 'test', 'e2e', `${name}.pem`)
  const web = (answer: (from: IncomingMessage, to: ServerResponse) => void) => http.createServer(answer)
  /** A proxy that answers CONNECT, and any request, by itself. */
  const proxy = (status: number) => {
    const server = web((_from, to) => void to.writeHead(status).end())
    server.on('connect', (_from, socket) => void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`))
    return server
  }
  const closedPort = async (): Promise<number> => {
    const port = await listen(net.createServer())
    await new Promise((resolve) => servers.pop()?.close(resolve))
    return port
  }
  const call = (base: string, env: Record<string, string> = {}, ...args: string[]) =>
    home.spawn([...(args.length > 0 ? args : ['account:show']), '--json'], {
      env: {
        ...{ SELLER_BASE_URL: base, SELLER_NAMESPACE: NS, SELLER_APP_ID: '1', SELLER_APP_KEY: 'k', SELLER_USER_ID: '7' },
        ...{ SELLER_TOKEN: 't', NO_PROXY: '', ...env },
      },
    }).done

  interface Case {
    readonly what: string
    /** Starts what stands in the way. @returns the address of the service, and the environment */
    readonly at: () => Promise<readonly [base: string, env?: Record<string, string>]>
    readonly code: string
    readonly exit?: number
    readonly message: RegExp
    readonly hint: RegExp
    readonly not?: RegExp
  }
  const trusted = (name: string) => ({ NODE_EXTRA_CA_CERTS: pemOf(name) })
  const FAULT = (text: string) =>
    `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text xml:lang="en">${text}</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>`
  const answering =
    (status: number, body: string, type = 'text/html') =>
    async () =>
      [
        `http://127.0.0.1:${await listen(web((_from, to) => void to.writeHead(status, { 'content-type': type }).end(body)))}`,
      ] as const

  const CASES: readonly Case[] = [
    {
      what: 'a proxy that is down',
      at: async () => ['https://service.example', { HTTPS_PROXY: `http://127.0.0.1:${await closedPort()}` }],
      code: 'unreachable',
      message: /no connection to the proxy 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Nothing was sent/,
      hint: /Start the proxy, or correct its address in HTTPS_PROXY/,
    },
    {
      what: 'a proxy that is named without http://, and forbids the host',
      at: async () => ['https://service.example', { HTTPS_PROXY: `127.0.0.1:${await listen(proxy(403))}` }],
      code: 'proxy_refused',
      message: /the proxy 127\.0\.0\.1:\d+ does not let calls to service\.example pass \(HTTP 403\)\. Nothing was sent/,
      hint: /allow the host/,
    },
    {
      what: 'a proxy that wants a password',
      at: async () => ['https://service.example', { HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy(407))}` }],
      code: 'proxy_refused',
      message: /asks for credentials \(HTTP 407\)/,
      hint: /http:\/\/USER:PASSWORD@HOST:PORT/,
    },
    {
      what: 'a proxy with a wrong password',
      at: async () => ['https://service.example', { HTTPS_PROXY: `http://me:secret@127.0.0.1:${await listen(proxy(407))}` }],
      code: 'proxy_refused',
      message: /did not accept its user name and password \(HTTP 407\)/,
      hint: /Correct them in HTTPS_PROXY/,
      not: /secret/,
    },
    {
      what: 'a proxy that does not reach the host',
      at: async () => ['https://service.example', { HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy(502))}` }],
      code: 'unreachable',
      message: /the proxy 127\.0\.0\.1:\d+ did not reach service\.example \(HTTP 502\)/,
      hint: /ask who runs the proxy/,
    },
    {
      what: 'no TLS',
      at: async () => [`https://127.0.0.1:${await listen(web((_from, to) => void to.end()))}`],
      code: 'unreachable',
      message: /it may not speak https/,
      hint: /another port/,
    },
    {
      what: 'a self-signed certificate',
      at: async () => [`https://localhost:${await listen(tls('localhost'))}`],
      code: 'unreachable',
      message: /its certificate is not trusted/,
      hint: /NODE_EXTRA_CA_CERTS/,
    },
    {
      what: 'an expired certificate',
      at: async () => [`https://localhost:${await listen(tls('expired'))}`, trusted('expired')],
      code: 'unreachable',
      message: /its certificate has expired/,
      hint: /has to renew it\. If the clock of this machine is wrong/,
      not: /NODE_EXTRA_CA_CERTS/,
    },
    {
      what: 'a certificate for another name',
      at: async () => [`https://localhost:${await listen(tls('other-host'))}`, trusted('other-host')],
      code: 'unreachable',
      message: /its certificate is for another name/,
      hint: /must be a name of the certificate/,
      not: /NODE_EXTRA_CA_CERTS/,
    },
    ...(['TLSv1.2', 'TLSv1.3'] as const).map((maxVersion) => ({
      what: `a server that wants a certificate of the caller, by ${maxVersion}`,
      at: async () =>
        [
          `https://localhost:${await listen(tls('localhost', { requestCert: true, rejectUnauthorized: true, maxVersion }))}`,
          trusted('localhost'),
        ] as const,
      code: 'unreachable',
      message: /asks? for a certificate of the caller/,
      hint: /Ask who runs the service/,
      not: /safe to run/,
    })),
    {
      what: 'a web server that takes no such size',
      at: answering(413, '<html>Request Entity Too Large</html>'),
      code: 'request_too_large',
      exit: EXIT.validation,
      message: /takes no request of this size \(HTTP 413\)/,
      hint: /smaller image/,
      not: /address/,
    },
    {
      what: "a web server's own page of an error",
      at: answering(500, '<html><h1>Server Error in Application</h1></html>'),
      code: 'server_failed',
      message: /failed with a page of its own \(HTTP 500\)/,
      hint: /The fault is at the service/,
      not: /address/,
    },
    {
      what: 'maintenance',
      at: answering(503, '<html>Down for maintenance</html>'),
      code: 'unavailable',
      message: /not available \(HTTP 503\)/,
      hint: /Try again later/,
      not: /address/,
    },
    {
      what: 'HTTP 500 with a reply that is not a fault',
      at: answering(500, FAULT('x').replace(/<s:Fault>.*<\/s:Fault>/, '<GetUserInfoResponse/>'), 'application/soap+xml'),
      code: 'server_failed',
      message: /HTTP 500 with a reply that is not a fault/,
      hint: /The fault is at the service/,
      not: /address/,
    },
    {
      what: 'nothing at the address',
      at: answering(404, '<html>Not found</html>'),
      code: 'wrong_address',
      message: /no such service at this address \(HTTP 404\)/,
      hint: /service:check/,
    },
    {
      what: 'a web page',
      at: answering(200, '<html>Log in to the network</html>'),
      code: 'not_soap',
      message: /the reply is a web page/,
      hint: /service:check/,
    },
    {
      what: 'a version of SOAP that the service does not take',
      at: answering(415, ''),
      code: 'binding_refused',
      message: /does not take this version of SOAP \(HTTP 415\)/,
      hint: /auth:login --setting binding=soap11/,
    },
    {
      what: 'a token that has expired',
      at: answering(500, FAULT('Server was unable to process request. ---&gt; Token has expired'), 'application/soap+xml'),
      code: 'refused',
      exit: EXIT.auth,
      message: /Token has expired/,
      hint: /auth:login/,
    },
  ]

  before(async () => {
    home = await openHome()
  })
  after(async () => {
    for (const server of servers) server.close()
    await home.close()
  })

  for (const { what, at, code, exit = EXIT.failure, message, hint, not } of CASES) {
    it(`${what}: ${code}`, async () => {
      const run = await call(...(await at()))
      const { error } = JSON.parse(run.stdout)
      expect([error.code, run.code], run.stdout).to.deep.equal([code, exit])
      expect(error.message).to.match(message)
      expect(error.hint).to.match(hint)
      if (not !== undefined) expect(run.stdout + run.stderr).not.to.match(not)
    })
  }

  it('a service that takes SOAP 1.1 only is logged in to, and the profile keeps it', async () => {
    await using shop = closing(await openHome({ sandbox: { extended: true } }))
    const front = web((from, to) => {
      if (/soap\+xml/.test(from.headers['content-type'] ?? '')) return void to.writeHead(415).end()
      const behind = http.request(new URL(from.url ?? '/', shop.sandbox.url), { method: from.method, headers: from.headers })
      behind.on('response', (reply) => {
        to.writeHead(reply.statusCode ?? 500, reply.headers)
        reply.pipe(to)
      })
      from.pipe(behind)
    })
    const { SELLER_APP_ID: app_id, SELLER_APP_KEY: app_key, SELLER_USER_ID: user_id, SELLER_TOKEN: token } = shop.env
    const base_url = `http://127.0.0.1:${await listen(front)}`
    const bare = Object.keys(shop.env).filter((name) => /^SELLER_(?:BASE_URL|NAMESPACE|APP|USER|TOKEN)/.test(name))
    const env = Object.fromEntries(bare.map((name) => [name, undefined]))
    const stdin = JSON.stringify({ base_url, app_id, app_key, user_id, token })
    const login = await shop.run(['auth:login', '--stdin'], { stdin, env })
    expect(login.code, login.stderr).to.equal(0)
    expect(login.stderr).to.include('takes SOAP 1.1 only, so the profile has binding soap11')
    const list = await shop.run(['items:list', '--limit', '1', '--json'], { env })
    expect([list.code, list.json().length], list.stderr).to.deep.equal([0, 1])
  })
})
