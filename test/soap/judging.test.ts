import { expect } from 'chai'
import nock from 'nock'
import { type ClientOptions, createClient, SoapError } from '../../src/soap/client/index.js'
import { durationText } from '../../src/system/durations.js'
import { interceptNetwork } from './intercepted.js'
import { envelope, NS, refused, response, SOAP_TYPE, stillClock } from './service.js'

const HOST = 'https://service.example'
const PATH = '/base/v3/RestrictedService.asmx'
const CREDENTIALS = { appId: 1, appKey: 'a-planted-key', userId: 2, token: 'a-planted-token' }
const ITEM = response('GetItem', '<GetItemResult><Id>7</Id></GetItemResult>')
const FAULT = envelope(
  '<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">No.</soap:Text></soap:Reason><soap:Detail /></soap:Fault>',
)

function client(options: Partial<ClientOptions> = {}) {
  const clock = stillClock()
  return { clock, ...createClientOf({ clock, ...options }) }
}

function createClientOf(options: Partial<ClientOptions>) {
  return { soap: createClient({ baseUrl: `${HOST}/base/`, namespace: NS, credentials: CREDENTIALS, ...options }) }
}

const posted = () => nock(HOST).post(PATH)
const image = { requestId: 1, imageData: Buffer.from('abc'), imageFormat: 'Png', hasMega: false } as const

describe('judging a reply', () => {
  interceptNetwork()

  it('takes a refusal without SOAP by its status', async () => {
    for (const [status, kind] of [
      [401, 'refused'],
      [403, 'refused'],
      [407, 'refused'],
      [429, 'quota'],
      [404, 'not-soap'],
      [415, 'not-soap'],
      [500, 'not-soap'],
    ] as const) {
      posted().reply(status, '<html><body>Forbidden</body></html>', { 'content-type': 'text/html' })
      const { soap, clock } = client()
      const error = await refused(soap.call('GetItem', { itemId: 7 }))
      expect(error).to.include({ kind, httpStatus: status, operation: 'GetItem', sent: true })
      expect(clock.slept).to.deep.equal([])
    }
  })

  it('takes a fault for a fault whatever the status', async () => {
    for (const status of [200, 403, 429, 500, 503]) {
      posted().reply(status, FAULT, SOAP_TYPE)
      const { soap } = client()
      const error = await refused(soap.call('GetItem', { itemId: 7 }))
      expect(error).to.include({ kind: 'fault', httpStatus: status, faultCode: 'Client', faultString: 'No.' })
    }
  })

  it('says how long 429 asks to wait, in seconds or by a date', async () => {
    for (const [header, ms, said] of [
      ['120', 120_000, /The service says to wait 2 min, until \d{4}-\d\d-\d\d \d\d:\d\d(?: Swedish time)?, or ask/],
      ['Thu, 01 Jan 1970 00:00:05 GMT', 5_000, /The service says to wait 5 s, or ask/],
      ['soon', undefined, /Wait, or ask/],
    ] as const) {
      posted().reply(429, '', { 'retry-after': header })
      const error = await refused(client().soap.call('GetItem', { itemId: 7 }))
      expect(error.retryAfterMs).to.equal(ms)
      expect(error.message).to.match(said)
    }
  })

  it('shows a web page that came instead of SOAP to who traces the call', async () => {
    posted().reply(200, `<html><title>Hotel wifi ${CREDENTIALS.token}</title></html>`, { 'content-type': 'text/html' })
    const traced: string[] = []
    await refused(client({ trace: (text) => void traced.push(text) }).soap.call('GetItem', { itemId: 7 }))
    expect(traced.join('\n')).to.include('<title>Hotel wifi').and.not.include(CREDENTIALS.token)
  })

  it('says why a secure connection was not made', async () => {
    for (const [code, why] of [
      ['EPROTO', 'no secure connection to service.example: it may not speak https (EPROTO)'],
      ['CERT_HAS_EXPIRED', 'its certificate has expired (CERT_HAS_EXPIRED)'],
    ] as const) {
      posted().replyWithError(Object.assign(new Error('x'), { code }))
      const error = await refused(client({ retries: 0 }).soap.call('GetItem', { itemId: 7 }))
      expect(error.message).to.include(why)
    }
  })

  it('never follows a redirect, and names where it leads without its query', async () => {
    posted().reply(302, '', { location: `https://elsewhere.example/login?token=${CREDENTIALS.token}` })
    const error = await refused(client().soap.call('GetItem', { itemId: 7 }))
    expect(error).to.include({ kind: 'refused', httpStatus: 302 })
    expect(error.message).to.include('https://elsewhere.example/login').and.not.include('?')
  })

  it('tells a redirect that leads nowhere, or to what is no address, without naming a place', async () => {
    for (const headers of [{}, { location: 'http://[' }] as Record<string, string>[]) {
      posted().reply(302, '', headers)
      const error = await refused(client().soap.call('GetItem', { itemId: 7 }))
      expect(error).to.include({ kind: 'refused', httpStatus: 302 })
      expect(error.message).to.include('with a redirect (HTTP 302). Redirects are not followed')
    }
  })

  it('takes a redirect of a single write for an unknown outcome, but for one that sends the same request elsewhere', async () => {
    for (const [status, kind] of [
      [301, 'unknown-outcome'],
      [302, 'unknown-outcome'],
      [303, 'unknown-outcome'],
      [307, 'refused'],
      [308, 'refused'],
    ] as const) {
      posted().reply(status, '', { location: 'https://elsewhere.example/' })
      const error = await refused(client().soap.call('LeaveFeedback', { transactionId: 1, comment: 'x', type: 'Positive' }))
      expect(error, String(status)).to.include({ kind, httpStatus: status, sent: true })
    }
  })

  it('refuses what is no SOAP, with a word on what it is', async () => {
    for (const [body, type, word] of [
      ['<html><head/></html>', 'text/html; charset=utf-8', 'web page'],
      ['<html><head/></html>', 'application/xhtml+xml', 'web page'],
      ['Log in first.', 'Text/HTML', 'the reply is a web page'],
      [ITEM, 'text/html', 'the reply is a web page'],
      ['Log in first.', 'application/problem; of="text/html"', 'broken'],
      ['<!DOCTYPE html><html></html>', 'text/xml', 'DTD'],
      ['{"error": 1}', 'application/json', 'broken'],
      ['<a/>', 'text/xml', '"a"'],
      [envelope(''), 'text/xml', 'empty SOAP body'],
      [envelope('').replace(/<soap:Body>.*<\/soap:Body>/, ''), 'text/xml', 'no SOAP body'],
      [envelope(`<GetItemsResponse xmlns="${NS}"/>`), 'text/xml', '"GetItemsResponse"'],
      [Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0xfe]), 'text/xml', 'not UTF-8'],
      ['<a/>', 'text/xml; charset=klingon', '"klingon"'],
    ] as const) {
      posted().reply(200, body, { 'content-type': type })
      const error = await refused(client().soap.call('GetItem', { itemId: 7 }))
      expect(error).to.include({ kind: 'not-soap', httpStatus: 200 })
      expect(error.message).to.include(word)
    }
  })

  it('names a value that is not of its type, and the element that stands in its place', async () => {
    for (const [inner, word] of [
      ['<Id>seven</Id>', '"seven" is not a whole number'],
      ['<Id>99999999999</Id>', '32-bit'],
      ['<StartDate>2026-13-01T00:00:00</StartDate>', 'GetItemResponse.GetItemResult.StartDate'],
      ['<Id><b>7</b></Id>', 'GetItemResult.Id holds an element "b" where a plain value is expected'],
      [
        '<Id>7</Id><PaymentOptions><Int>1</Int></PaymentOptions>',
        'PaymentOptions holds an element "Int" where only "int" is expected',
      ],
    ] as const) {
      posted().reply(200, ITEM.replace('<Id>7</Id>', inner), SOAP_TYPE)
      const error = await refused(client().soap.call('GetItem', { itemId: 7 }))
      expect(error).to.include({ kind: 'broken', httpStatus: 200 })
      expect(error.message).to.include(word).and.not.include('address')
    }
  })

  it('refuses an answer in another namespace, for nothing it was sent was read', async () => {
    for (const [namespace, said] of [
      ['http://other.example', 'the reply is in the namespace "http://other.example"'],
      ['', 'the reply is in no namespace'],
    ] as const) {
      const body = envelope(`<GetItemResponse xmlns="${namespace}"><GetItemResult><Id>7</Id></GetItemResult></GetItemResponse>`)
      posted().reply(200, body, SOAP_TYPE)
      const error = await refused(client().soap.call('GetItem', { itemId: 7 }))
      expect(error).to.include({ kind: 'namespace', httpStatus: 200, sent: true })
      expect(error.message).to.include(said).and.include(`"${NS}"`)
    }
    posted().reply(200, envelope(`<AddItemImageResponse xmlns="http://other.example"/>`), SOAP_TYPE)
    const write = await refused(client().soap.call('AddItemImage', image))
    expect(write).to.include({ kind: 'unknown-outcome' })
  })

  it('takes an answer in its namespace with a slash at the end', async () => {
    posted().reply(200, ITEM.replace(NS, `${NS}/`), SOAP_TYPE)
    expect(await client().soap.call('GetItem', { itemId: 7 })).to.include({ Id: 7 })
  })

  it('refuses an answer that breaks the contract, naming operation, element and value', async () => {
    for (const [inner, said] of [
      ['<GetItemResult/>', 'GetItemResult.Id is missing'],
      ['<GetItemResult><Id>0</Id></GetItemResult>', 'GetItemResult.Id 0 is below 1'],
      ['<GetItemResult><Id>777</Id></GetItemResult>', 'GetItemResult.Id 777 is not the item asked for, 7'],
      ['<GetItemResult><Id>7</Id><Id>8</Id></GetItemResult>', 'GetItemResult.Id comes twice'],
    ] as const) {
      posted().reply(200, response('GetItem', inner), SOAP_TYPE)
      const error = await refused(client().soap.call('GetItem', { itemId: 7 }))
      expect(error).to.include({ kind: 'broken', httpStatus: 200, sent: true })
      expect(error.message).to.include('GetItem: the reply breaks the contract: ').and.include(said)
    }
  })

  it('takes such an answer to a single write for an unknown outcome', async () => {
    posted().reply(200, response('AddItemImage', ''), SOAP_TYPE)
    await client().soap.call('AddItemImage', image)
    for (const inner of ['', '<LeaveFeedbackResult xsi:nil="true"/>']) {
      posted().reply(200, response('LeaveFeedback', inner), SOAP_TYPE)
      const error = await refused(client().soap.call('LeaveFeedback', { transactionId: 1, comment: 'x', type: 'Positive' }))
      expect(error).to.include({ kind: 'unknown-outcome', sent: true })
    }
  })

  it('hands on what holds of a broken list beside the error, and shows it to nobody', async () => {
    const inner =
      '<GetRequestResultsResult><RequestResult><RequestId>1</RequestId><ResultCode>Ok</ResultCode></RequestResult>' +
      '<RequestResult><RequestId>2</RequestId></RequestResult></GetRequestResultsResult>'
    posted().reply(200, response('GetRequestResults', inner), SOAP_TYPE)
    const error = await refused(client().soap.call('GetRequestResults', { requestIds: [1, 2] }))
    expect(error.intact).to.deep.equal([{ RequestId: 1, ResultCode: 'Ok' }])
    expect(JSON.stringify(error)).not.to.include('"Ok"')
  })

  it('takes a failure inside the service for an unknown outcome of a single write, and its refusal for a refusal', async () => {
    const faulted = (code: string, text: string, detail = '<soap:Detail />') =>
      envelope(
        `<soap:Fault><soap:Code><soap:Value>soap:${code}</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">${text}</soap:Text></soap:Reason>${detail}</soap:Fault>`,
      )
    for (const [code, text, kind, detail] of [
      ['Sender', 'No.', 'fault'],
      // A host of another make blames the caller for whatever went wrong, and has no details.
      ['Sender', 'Object reference not set to an instance of an object.', 'unknown-outcome', ''],
      ['Sender', 'Request data is not valid: Title is too long.', 'fault', ''],
      ['Sender', 'No operation found for specified action: LeaveFeedback', 'fault', ''],
      ['Receiver', 'Server was unable to process request. ---&gt; Timeout expired.', 'unknown-outcome'],
      ['Receiver', 'Server was unable to process request. ---&gt; Invalid application id', 'fault'],
      ['Receiver', 'Server was unable to read request. ---&gt; There is an error', 'fault'],
    ] as const) {
      posted().reply(500, faulted(code, text, detail), SOAP_TYPE)
      const error = await refused(client().soap.call('LeaveFeedback', { transactionId: 1, comment: 'x', type: 'Positive' }))
      expect(error.kind, text).to.equal(kind)
    }
  })

  it('keeps 2,000 characters of a fault, on one line, without the secrets', async () => {
    const text = `first\nsecond ${CREDENTIALS.token} ${'x'.repeat(900_000)}`
    posted().reply(500, FAULT.replace('No.', text), SOAP_TYPE)
    const error = await refused(client().soap.call('GetItem', { itemId: 7 }))
    expect(error.faultString).to.match(/^first ⏎ second \*\*\* x+… \(898\d\d\d more characters\)$/)
    expect(error.message.length).to.be.below(2200)
  })

  it('reads other charsets by name', async () => {
    const latin = Buffer.from(
      response('GetItem', '<GetItemResult><Id>7</Id><ShortDescription>Röd</ShortDescription></GetItemResult>'),
      'latin1',
    )
    posted().reply(200, latin, { 'content-type': 'text/xml; charset=iso-8859-1' })
    const item = await client().soap.call('GetItem', { itemId: 7 })
    expect(item?.ShortDescription).to.equal('Röd')
  })

  it('names the limit that a reply breaks', async () => {
    posted().reply(200, ITEM, SOAP_TYPE)
    const error = await refused(client({ maxReplyBytes: 100 }).soap.call('GetItem', { itemId: 7 }))
    expect(error.kind).to.equal('too-large')
    expect(error.message).to.include('100 bytes')
  })

  it('misses a value that must be there', async () => {
    posted().reply(200, response('GetOfficalTime', ''), SOAP_TYPE)
    nock.cleanAll()
    nock(HOST).post('/base/v3/PublicService.asmx').reply(200, response('GetOfficalTime', ''), SOAP_TYPE)
    const error = await refused(client().soap.call('GetOfficalTime', {}))
    expect(error).to.include({ kind: 'not-soap' })
    expect(error.message).to.include('GetOfficalTimeResult')
  })

  it('sends nothing that the input checks refuse, and says everything that is wrong', async () => {
    const error = await refused(client().soap.callAny('LeaveFeedback', { transactionId: 0, type: 'positive', Comment: 'x' }))
    expect(error).to.include({ kind: 'input', sent: false })
    expect(error.faults?.map((fault) => fault.field)).to.include.members(['transactionId', 'type', 'Comment'])
  })

  it('refuses what is not an address', () => {
    expect(() => createClient({ baseUrl: 'service', namespace: NS, credentials: CREDENTIALS })).to.throw(SoapError, /baseUrl/)
  })
})

describe('trying again', () => {
  interceptNetwork()

  const unavailable = (times: number, status = 503) =>
    posted().times(times).reply(status, 'away', { 'content-type': 'text/html' })

  it('makes a read and a repeatable write again while the service is away, ever later', async () => {
    unavailable(3)
    posted().reply(200, ITEM, SOAP_TYPE)
    const { soap, clock } = client()
    expect(await soap.call('GetItem', { itemId: 7 })).to.include({ Id: 7 })
    expect(clock.slept).to.deep.equal([500, 1000, 2000])

    unavailable(1, 502)
    posted().reply(200, response('AddItemCommit', ''), SOAP_TYPE)
    expect(await client().soap.call('AddItemCommit', { requestId: 1 })).to.equal(null)
  })

  it('gives up after the retries it has', async () => {
    unavailable(3, 504)
    const error = await refused(client({ retries: 2 }).soap.call('GetItem', { itemId: 7 }))
    expect(error).to.include({ kind: 'unavailable', httpStatus: 504, sent: true })
  })

  it('waits as long as 503 asks, and says so', async () => {
    posted().reply(503, '', { 'retry-after': '3' })
    posted().reply(503, '', { 'retry-after': '120' })
    posted().reply(200, ITEM, SOAP_TYPE)
    const said: [number, string][] = []
    const { soap, clock } = client({ onPause: (ms, { kind }) => void said.push([ms, kind]) })
    await soap.call('GetItem', { itemId: 7 })
    expect(clock.slept).to.deep.equal([3000, 120_000])
    expect(said).to.deep.equal([
      [3000, 'unavailable'],
      [120_000, 'unavailable'],
    ])
  })

  it('does not wait where that would take longer than the call may', async () => {
    for (const [options, call, asked] of [
      [{}, {}, 301],
      [{ callTimeoutMs: 10_000 }, {}, 11],
      [{}, { endsWithinMs: 2000 }, 3],
    ] as const) {
      posted().reply(503, '', { 'retry-after': String(asked) })
      const { soap, clock } = client(options)
      const error = await refused(soap.call('GetItem', { itemId: 7 }, call))
      expect(error).to.include({ kind: 'unavailable', retryAfterMs: asked * 1000 })
      expect(error.message).to.include(`asks to come back in ${durationText(asked * 1000)}`)
      expect(clock.slept).to.deep.equal([])
    }
  })

  it('does not say that the service asked for a pause which it did not ask for', async () => {
    unavailable(1)
    const error = await refused(client({ callTimeoutMs: 400 }).soap.call('GetItem', { itemId: 7 }))
    expect(error.message).to.match(/The next attempt would come in .+, but only .+ are left for the call \(call_timeout\)\.$/)
  })

  it('counts the pauses too: two of 120 s leave no time for a third in five minutes', async () => {
    posted().times(3).reply(503, '', { 'retry-after': '120' })
    const { soap, clock } = client()
    await refused(soap.call('GetItem', { itemId: 7 }))
    expect(clock.slept).to.deep.equal([120_000, 120_000])
  })

  it('spreads its attempts', async () => {
    for (const [random, ms] of [
      [0, 250],
      [0.999, 750],
    ] as const) {
      unavailable(1)
      posted().reply(200, ITEM, SOAP_TYPE)
      const clock = stillClock(random)
      await client({ clock }).soap.call('GetItem', { itemId: 7 })
      expect(clock.slept[0]).to.be.closeTo(ms, 1)
    }
  })

  it('does not make a single write again that may have arrived, and says that its outcome is unknown', async () => {
    for (const [status, type, body] of [
      [502, 'text/html', 'away'],
      [503, 'text/html', 'away'],
      [504, 'text/html', 'away'],
      [500, 'text/html', '<html/>'],
      [200, 'text/html', '<html/>'],
      [200, 'text/xml', '<soap:Envelope xmlns:soap="x"><soap:Bo'],
      [200, 'text/xml', ''],
    ] as const) {
      posted().reply(status, body, { 'content-type': type })
      const { soap, clock } = client()
      const error = await refused(soap.call('AddItemImage', image))
      expect(error).to.include({ kind: 'unknown-outcome', sent: true, httpStatus: status })
      expect(error.message).to.include('may or may not')
      expect(clock.slept).to.deep.equal([])
    }
  })

  it('knows that a single write was not carried out when it was refused', async () => {
    for (const [status, kind] of [
      [400, 'not-soap'],
      [403, 'refused'],
      [429, 'quota'],
    ] as const) {
      posted().reply(status, '')
      expect(await refused(client().soap.call('AddItemImage', image))).to.include({ kind })
    }
    posted().reply(500, FAULT, SOAP_TYPE)
    expect(await refused(client().soap.call('AddItemImage', image))).to.include({ kind: 'fault' })
  })

  it('makes any call again whose connection was never made', async () => {
    for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']) {
      posted().replyWithError(Object.assign(new Error(`secret ${CREDENTIALS.token}`), { code }))
      posted().reply(200, response('AddItemImage', ''), SOAP_TYPE)
      const { soap, clock } = client()
      expect(await soap.call('AddItemImage', image)).to.equal(null)
      expect(clock.slept).to.have.length(1)
    }
  })

  it('says so when it never came to a connection', async () => {
    posted()
      .times(4)
      .replyWithError(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))
    const error = await refused(client().soap.call('AddItemImage', image))
    expect(error).to.include({ kind: 'unreachable', sent: false, reason: 'ECONNREFUSED' })
    expect(error.message).to.include('service.example').and.include('Nothing was sent')
  })

  it('does not call "unreachable" what an earlier attempt may have done', async () => {
    unavailable(1)
    posted()
      .times(3)
      .replyWithError(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))
    expect(await refused(client().soap.call('AddItemCommit', { requestId: 1 }))).to.include({ kind: 'unavailable', sent: true })
  })

  it('never makes a call again that met a fault, a refusal or the quota', async () => {
    for (const [status, body] of [
      [500, FAULT],
      [403, ''],
      [429, ''],
    ] as const) {
      posted().reply(status, body, SOAP_TYPE)
      const { soap, clock } = client()
      await refused(soap.call('GetItem', { itemId: 7 }))
      expect(clock.slept).to.deep.equal([])
    }
  })

  it('tells the observer of every attempt, and lets it stop one', async () => {
    unavailable(1)
    posted().reply(200, ITEM, SOAP_TYPE)
    const seen: unknown[] = []
    const observer: ClientOptions['observer'] = {
      begin(call) {
        seen.push(call)
        return (end) => seen.push(end)
      },
    }
    await client({ observer }).soap.call('GetItem', { itemId: 7 })
    const call = { operation: 'GetItem', service: 'RestrictedService', kind: 'read' }
    expect(seen).to.deep.equal([
      { ...call, attempt: 1 },
      { outcome: 'unavailable', httpStatus: 503, ms: 0 },
      { ...call, attempt: 2 },
      { outcome: 'ok', httpStatus: 200, ms: 0 },
    ])
    const spent = new Error('the budget is spent')
    const stopping: ClientOptions['observer'] = {
      begin() {
        throw spent
      },
    }
    const stopped = await client({ observer: stopping })
      .soap.call('GetItem', { itemId: 7 })
      .catch((error: unknown) => error)
    expect(stopped).to.equal(spent)
  })

  it('does not let the observer deny a write whose reply was lost before it stopped the retry', async () => {
    const spent = new Error('the budget is spent')
    const observer: ClientOptions['observer'] = {
      begin({ attempt }) {
        if (attempt > 1) throw spent
        return () => {}
      },
    }
    unavailable(2)
    const error = await refused(client({ observer }).soap.call('RemoveShopItem', { shopItemId: 7 }))
    expect(error).to.include({ kind: 'unavailable', sent: true })
    const read = await client({ observer })
      .soap.call('GetItem', { itemId: 7 })
      .catch((reason: unknown) => reason)
    expect(read).to.equal(spent)
  })
})
