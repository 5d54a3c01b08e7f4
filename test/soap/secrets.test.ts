import { inspect } from 'node:util'
import { expect } from 'chai'
import { operations } from '../../src/contract/index.js'
import { type Binding, type ClientOptions, createClient, SoapError } from '../../src/soap/client/index.js'
import { createHider, maskEnvelope } from '../../src/soap/wire/mask.js'
import { replyOf } from './damage.js'
import { type Answer, envelope, NS, response, type Service, SOAP_TYPE, startService, stillClock } from './service.js'

const KEY = 'planted<key>&4711'
const TOKEN = 'planted token/å=0815'
/** Every way in which a secret might be written. */
const FORMS = [KEY, TOKEN].flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ '': secret }).toString().slice(1),
  secret.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'),
  secret.replace(/&/g, '&amp;').replace(/</g, '&lt;'),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64'),
])

function expectNoSecret(text: string): void {
  for (const form of FORMS) expect(text).to.not.include(form)
  expect(text).to.not.include('planted')
}

describe('secrets', () => {
  let service: Service | undefined
  afterEach(() => service?.close())

  const options = (baseUrl: string, more: Partial<ClientOptions> = {}): ClientOptions => ({
    baseUrl,
    namespace: NS,
    credentials: { appId: 1, appKey: KEY, userId: 2, token: TOKEN },
    clock: stillClock(),
    ...more,
  })

  const echo = `Invalid token ${TOKEN} or key ${KEY}`.replace(/&/g, '&amp;').replace(/</g, '&lt;')
  const answers: Record<string, Answer> = {
    'a fault that echoes them': (_asked, reply) => {
      reply.writeHead(500, SOAP_TYPE)
      reply.end(
        envelope(
          `<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value></soap:Code><soap:Reason><soap:Text>${echo}</soap:Text></soap:Reason></soap:Fault>`,
        ),
      )
    },
    'a page that echoes the request': (asked, reply) =>
      reply.writeHead(500, { 'content-type': 'text/html' }).end(asked.body + asked.url),
    'plain text that echoes them': (asked, reply) =>
      reply.writeHead(500, { 'content-type': 'text/plain' }).end(`${asked.url} ${TOKEN} ${KEY}`),
    'a redirect that carries them on': (asked, reply) =>
      reply.writeHead(302, { location: `${asked.url}?token=${encodeURIComponent(TOKEN)}` }).end(),
    'no XML at all': (asked, reply) => reply.writeHead(200, SOAP_TYPE).end(`${KEY}${asked.body}`),
    'a value that is not of its type': (_asked, reply) =>
      reply.writeHead(200, SOAP_TYPE).end(response('GetItem', `<GetItemResult><Id>${echo}</Id></GetItemResult>`)),
    'a lost connection': (_asked, reply) => reply.destroy(),
    silence: () => undefined,
    '403': (asked, reply) => reply.writeHead(403).end(asked.body),
  }

  for (const binding of ['soap12', 'soap11', 'get', 'post'] as Binding[]) {
    for (const [name, answer] of Object.entries(answers)) {
      it(`are in no error and no trace: ${name}, by ${binding}`, async () => {
        service = await startService(answer)
        const traced: string[] = []
        const trace = (text: string) => void traced.push(text)
        const client = createClient(options(service.url, { binding, trace, retries: 0, silenceTimeoutMs: 30 }))
        const error = await client.call('GetItem', { itemId: 7 }).then(
          () => undefined,
          (reason: unknown) => reason,
        )
        client.close()
        expect(error).to.be.instanceOf(SoapError)
        expectNoSecret(JSON.stringify(error))
        expectNoSecret(inspect(error, { depth: 20, showHidden: true }))
        expectNoSecret(String((error as Error).stack))
        expect((error as Error).cause).to.equal(undefined)
        expect(traced).to.have.length.greaterThan(0)
        expectNoSecret(traced.join('\n'))
      })
    }
  }

  it('are in no error where nobody listens, nor what is in the address', async () => {
    service = await startService(() => undefined)
    const url = service.url.replace('http://', 'http://planted-name:planted-word@')
    await service.close()
    const client = createClient(options(url, { retries: 0, binding: 'get' }))
    const error = await client.call('GetItem', { itemId: 7 }).catch((reason: unknown) => reason)
    expect(error).to.include({ kind: 'unreachable' })
    expectNoSecret(inspect(error, { depth: 20, showHidden: true }))
    expectNoSecret(inspect(await client.describe('GetItem', { itemId: 7 })))
  })

  it('are not described, whatever the binding', async () => {
    for (const binding of ['soap12', 'soap11', 'get', 'post'] as Binding[]) {
      const described = await createClient(options('https://service.example', { binding })).describe('GetItem', { itemId: 7 })
      expectNoSecret(inspect(described))
      expect(inspect(described)).to.include('***')
    }
  })

  it('that are not set are said to be so', async () => {
    const client = createClient({ baseUrl: 'https://service.example', namespace: NS, credentials: { appId: 0 } })
    const { body } = await client.describe('GetItem', { itemId: 7 })
    for (const name of ['AppId', 'AppKey', 'UserId', 'Token']) expect(body).to.include(`<${name}>(not set)</${name}>`)
  })

  it('of others, and files, are not shown either', async () => {
    const client = createClient(options('https://service.example'))
    const image = { requestId: 1, imageData: Buffer.alloc(3000, 1), imageFormat: 'Png', hasMega: false }
    expect((await client.describe('AddItemImage', image)).body).to.include('<imageData>(4000 characters, not shown)</imageData>')
    const unknown = await client.describe(
      { service: 'PublicService', operation: 'FetchToken' },
      { userId: 1, secretKey: 'planted', deep: { Token: 'planted' } },
    )
    expectNoSecret(inspect(unknown))
    service = await startService((_asked, reply) =>
      reply
        .writeHead(200, SOAP_TYPE)
        .end(
          replyOf(operations.GetSellerTransactions).replace(
            '</Transaction>',
            '<Buyer><Id>1</Id><PersonalNumber>19planted</PersonalNumber></Buyer></Transaction>',
          ),
        ),
    )
    const traced: string[] = []
    const tracing = createClient(options(service.url, { trace: (text) => void traced.push(text) }))
    const [transaction] = await tracing.call('GetSellerTransactions', {})
    tracing.close()
    expect(transaction?.Buyer?.PersonalNumber).to.equal('19planted')
    expect(traced).to.have.length(2)
    expectNoSecret(traced.join('\n'))
  })

  it('are masked in any envelope, cut off anywhere', () => {
    for (const [xml, masked] of [
      ['<AppKey>k</AppKey>', '<AppKey>***</AppKey>'],
      ['<n:Token x="y">k</n:Token>', '<n:Token x="y">***</n:Token>'],
      ['<Token><![CDATA[k<>k]]>k</Token>', '<Token>***</Token>'],
      ['<Token><![CDATA[k]]', '<Token>***'],
      ['<Token>k', '<Token>***'],
      ['<Token />', '<Token />'],
      ['<imageData>abcd</imageData>', '<imageData>(4 characters, not shown)</imageData>'],
      ['<Tokens>k</Tokens>', '<Tokens>k</Tokens>'],
    ] as const) {
      expect(maskEnvelope(xml)).to.equal(masked)
    }
  })

  it('of a few characters do not blot out a whole text', () => {
    expect(createHider(['abc', undefined, ''])('abc abcd')).to.equal('abc abcd')
    expect(createHider(['abcd'])('abc abcd')).to.equal('abc ***')
  })

  it('a trace shows both ways, and of a long reply its beginning', async () => {
    const many = '<Item><Id>1</Id></Item>'.repeat(5000)
    service = await startService((_asked, reply) =>
      reply.writeHead(200, SOAP_TYPE).end(response('GetSellerItems', `<GetSellerItemsResult>${many}</GetSellerItemsResult>`)),
    )
    const traced: string[] = []
    const client = createClient(options(service.url, { trace: (text) => void traced.push(text) }))
    await client.call('GetSellerItems', { categoryId: 0, filterActive: 'All', filterItemType: 'All' })
    client.close()
    expect(traced[0])
      .to.match(/^--> POST .*RestrictedService\.asmx\n/)
      .and.include('<AppKey>***</AppKey>')
    expect(traced[1])
      .to.match(/^<-- HTTP 200 application\/soap\+xml/)
      .and.match(/\n\(\d+ more characters\)$/)
    expect(traced[1]?.length).to.be.lessThan(66_000)
  })
})
