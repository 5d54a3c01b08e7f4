import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { expect } from 'chai'
import { closing, opened } from '../../opened.js'
import { expectFault } from '../expectations.js'
import { CREDENTIALS, envelope, type Got, NS, openSandbox, order, post, type Sent, SOAP_TYPES, send } from '../support.js'

describe('the front of the server', () => {
  const sandbox = opened(openSandbox)

  const restricted = () => `${sandbox.url}/v3/RestrictedService.asmx`
  const soap = (body: string, sent: Sent = {}, path = restricted()) =>
    send(path, { method: 'POST', body, headers: { 'Content-Type': SOAP_TYPES['1.1'], ...sent.headers } })

  it('paths in any letter case', async () => {
    for (const path of ['/v3/restrictedservice.asmx', '/V3/RESTRICTEDSERVICE.ASMX', '/v3/RestrictedService.asmx']) {
      const got = await soap(envelope('1.1', `<GetUserInfo xmlns="${NS}"/>`), {}, `${sandbox.url}${path}`)
      expect(got.status, path).to.equal(200)
      expect((await send(`${sandbox.url}${path}/GetUserInfo?${CREDENTIALS}`)).status, path).to.equal(200)
    }
  })

  it('other methods are not allowed', async () => {
    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH']) {
      const got = await send(restricted(), { method })
      expect(got.status, method).to.equal(405)
      expect(got.headers.allow).to.equal('GET, POST')
    }
    expect((await send(`${sandbox.url}/_sandbox/faults`)).status).to.equal(405)
    expect((await send(`${sandbox.url}/`, { method: 'POST' })).status).to.equal(405)
  })

  it('a path that leads nowhere says where one may go', async () => {
    const got = await send(`${sandbox.url}/v3/RestrictedServices.asmx`)
    expect(got.status).to.equal(404)
    expect(got.text).to.include('Did you mean /v3/RestrictedService.asmx?')
    expect((await send(`${sandbox.url}/%E0%A4%A`)).status).to.equal(404)
    expect((await send(`${sandbox.url}/images/thumb/999999.png`)).status).to.equal(404)
  })

  it('a request of HTTP/1.0, which names no host, gets its address', async () => {
    const socket = connect(sandbox.port, '127.0.0.1')
    socket.write('GET /v3/PublicService.asmx?WSDL HTTP/1.0\r\n\r\n')
    const reply = (await socket.toArray()).join('')
    expect(reply)
      .to.match(/^HTTP\/1\.\d 200 /)
      .and.include(`location="http://127.0.0.1:${sandbox.port}/v3/PublicService.asmx"`)
  })

  it('a form without a content type is refused', async () => {
    const got = await send(`${restricted()}/GetUserInfo`, { method: 'POST', body: CREDENTIALS })
    expect([got.status, got.text]).to.deep.equal([500, 'Request format is invalid: .\r\n'])
  })

  it('a body that is too large, or compressed, is not read', async () => {
    const large = await send(restricted(), {
      method: 'POST',
      headers: { 'Content-Type': SOAP_TYPES['1.1'], 'Content-Length': String(64 * 1024 * 1024 + 1), Expect: '100-continue' },
    }).catch((error: Error) => error)
    expect((large as Got).status).to.equal(413)
    const endless = await streamedWithoutEnd(restricted())
    expect(endless).to.equal('413')
    const zipped = await soap('x', { headers: { 'Content-Encoding': 'gzip' } })
    expect(zipped.status).to.equal(415)
    expect(zipped.text).to.include('Content-Encoding &quot;gzip&quot;')
  })

  it('an envelope in another charset is read', async () => {
    const body = Buffer.from(
      envelope('1.1', `<ValidateCampaignCode xmlns="${NS}"><campaignCode>åäö</campaignCode></ValidateCampaignCode>`).replace(
        'utf-8',
        'iso-8859-1',
      ),
      'latin1',
    )
    const got = await send(restricted(), { method: 'POST', body, headers: { 'Content-Type': 'text/xml; charset=iso-8859-1' } })
    expect(got.status).to.equal(200)
    const odd = await send(restricted(), { method: 'POST', body, headers: { 'Content-Type': 'text/xml; charset=klingon' } })
    expectFault(odd, 'Client', 'The charset "klingon" is not known. Send UTF-8.')
    const declared = await send(restricted(), { method: 'POST', body, headers: { 'Content-Type': 'text/xml' } })
    expect(declared.status, 'by what the XML says of itself').to.equal(200)
    const utf8 = (head: string) => {
      const text = envelope('1.1', `<GetUserInfo xmlns="${NS}"/>`).replace(/^<\?xml[^>]*>/, head)
      return send(restricted(), { method: 'POST', body: text, headers: { 'Content-Type': 'text/xml' } })
    }
    expect((await utf8('<?xml version="1.0"?>')).status, 'UTF-8 by default').to.equal(200)
    expect((await utf8('<?xml version="1.0" encoding="utf-16"?>')).status, 'what cannot be UTF-16').to.equal(200)
  })

  it('calls are logged without credentials', async () => {
    await send(`${restricted()}/GetUserInfo?${CREDENTIALS}`)
    await post(sandbox, '1.2', 'GetItem', '<itemId>1</itemId>')
    await send(`${restricted()}/A%0AB%1B%5B31m?${CREDENTIALS}`)
    expect(sandbox.lines.join(''))
      .to.match(/RestrictedService\.A_B__31m 500/)
      .and.not.include('\n')
      .and.not.include('\u001b')
    const log = sandbox.lines.join('\n')
    expect(log).to.match(/HTTP GET RestrictedService\.GetUserInfo 200 \d+ ms/)
    expect(log).to.match(/SOAP 1\.2 RestrictedService\.GetItem 200 \d+ ms/)
    expect(log).to.not.match(/token|appKey|5eed/i)
    expect(log).to.not.include('The sandbox itself failed')
  })

  it('puts characters that XML forbids into the first text of a reply, whatever its binding', async () => {
    await using spoilt = closing(await openSandbox({ faults: { badCharacters: '&#x2;' } }))
    const all = await post(
      spoilt,
      '1.2',
      'GetSellerItems',
      '<filterActive>All</filterActive><filterItemType>All</filterItemType>',
    )
    expect(all.text.length).to.be.above(100_000)
    expect(all.text.split('&#x2;')).to.have.length(2)
    expect(all.text).to.match(/^[^&]*?<ShortDescription>&#x2;/)
    const user = await send(`${spoilt.url}/v3/RestrictedService.asmx/GetUserInfo?${CREDENTIALS}`)
    expect(user.text).to.include('<Address>&#x2;')
    const time = await send(`${spoilt.url}/v3/PublicService.asmx/GetOfficalTime?${CREDENTIALS}`)
    expect([time.status, time.text.includes('&#x2;')]).to.deep.equal([200, false])
  })

  it('injects faults into every binding', async () => {
    await order(sandbox, 'faults', { unavailable: '100%' })
    expect((await post(sandbox, '1.1', 'GetUserInfo', '')).status).to.equal(503)
    expect((await send(`${restricted()}/GetUserInfo?${CREDENTIALS}`)).status).to.equal(503)
    expect((await send(restricted())).status, 'not the pages').to.equal(200)
    await order(sandbox, 'faults', { unavailable: '0%' })
  })
})

/** Streams a body for as long as the server takes it, and returns the status that came, or how the connection ended. */
function streamedWithoutEnd(url: string): Promise<string> {
  const agent = new Agent({ keepAlive: true })
  return new Promise((done) => {
    const sent = request(url, { method: 'POST', agent, headers: { 'Content-Type': SOAP_TYPES['1.1'] } }, (response) => {
      done(String(response.statusCode))
      sent.destroy()
      agent.destroy()
    })
    sent.on('error', ({ message }) => done(message))
    const piece = Buffer.alloc(4 * 1024 * 1024, 32)
    const more = () => {
      while (!sent.destroyed && sent.write(piece));
    }
    sent.on('drain', more)
    more()
  })
}
