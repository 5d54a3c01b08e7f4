import { expect } from 'chai'
import { completeEid, resetSandbox, seedSandbox } from '../../../src/sandbox/index.js'
import { closing, opened } from '../../opened.js'
import { CREDENTIALS, openSandbox, order, post, removeOne, type Sent, send } from '../support.js'
import { at, bodyOf } from '../tree.js'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' }

describe('the control plane', () => {
  const sandbox = opened(openSandbox)

  const tell = async (action: string, body: unknown, sent: Sent = {}) => {
    const got = await send(`${sandbox.url}/_sandbox/${action}`, {
      method: 'POST',
      headers: { ...JSON_TYPE, ...sent.headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { ...got, json: () => JSON.parse(got.text) as Record<string, unknown> }
  }
  const begin = async (on = sandbox) =>
    at(bodyOf((await post(on, '1.2', 'BeginEidVerification', '')).text), 'BeginEidVerificationResult', 'EidOrderRef')?.text
  const progress = async (on = sandbox) =>
    at(bodyOf((await post(on, '1.2', 'GetEidVerificationProgress', '')).text), 'GetEidVerificationProgressResult')

  it('shows the fault injection, and changes what is named', async () => {
    const before = (await tell('faults', {})).json().faults
    expect(before).to.include({ latency: '0ms', quota: 'none', 'max-items': '500' })
    const changed = await tell('faults', { 'max-items': 2, 'queue-delay': '3s' })
    expect(changed.json().faults).to.deep.equal({ ...(before as object), 'max-items': '2', 'queue-delay': '3s' })
    const prices = [1, 2, 3].map((id) => `<SetPriceShopItem><Id>${id}</Id><Price>9</Price></SetPriceShopItem>`).join('')
    const tooMany = await post(sandbox, '1.2', 'SetPriceOnShopItems', `<request><ShopItems>${prices}</ShopItems></request>`)
    expect(tooMany.status).to.equal(500)
    await tell('faults', { 'max-items': '500', 'queue-delay': '500ms' })
  })

  it('takes the old name of the order, weather, and replies under it', async () => {
    const { weather } = (await tell('weather', { 'max-items': 3 })).json()
    expect(weather).to.include({ 'max-items': '3', 'queue-delay': '500ms' })
    expect((await tell('faults', { 'max-items': '500' })).json()).to.deep.equal({
      faults: { ...(weather as object), 'max-items': '500' },
    })
  })

  it('moves the clock, and what is queued comes due', async () => {
    await tell('faults', { 'queue-delay': '30m' })
    const { requestId: request } = await removeOne(sandbox)
    const result = async () =>
      at(
        bodyOf((await post(sandbox, '1.2', 'GetRequestResults', `<requestIds><int>${request}</int></requestIds>`)).text),
        'GetRequestResultsResult',
        'RequestResult',
        'ResultCode',
      )?.text
    expect(await result()).to.equal(undefined)
    const before = sandbox.clock.at
    const moved = await tell('clock', { advance: '31m' })
    expect(Date.parse(String(moved.json().now)) - before).to.equal(31 * 60_000)
    expect(await result()).to.equal('Ok')
    await tell('faults', { 'queue-delay': '500ms' })
  })

  it('answers for the phone of an eID session', async () => {
    const orderRef = await begin()
    expect((await tell('eid', { outcome: 'approve' })).json()).to.deep.equal({ EidOrderRef: orderRef })
    expect(at(await progress(), 'IsCompleted')?.text).to.equal('true')
    const again = await begin()
    expect((await tell('eid', { outcome: 'fail', orderRef: again })).json()).to.deep.equal({ EidOrderRef: again })
    expect(at(await progress(), 'Error')?.text).to.not.equal(undefined)
    const none = await tell('eid', { outcome: 'approve' })
    expect(none.status).to.equal(409)
    expect(none.json().error).to.match(/No electronic-ID session is open/)
  })

  it('buys, bids and seeds', async () => {
    const csv = 'Title;Price;Type\n"Kruka; blå";120;ShopItem\nLampa;80;Auction\n'
    const seeded = (await tell('seed', { csv })).json()
    expect(seeded.items).to.equal(2)
    const [pot, lamp] = seeded.ids as [number, number]
    const refused = await tell('buy', { itemId: pot, quantity: 3, buyerId: '1003' })
    expect([refused.status, refused.json().error]).to.deep.equal([409, `Item ${pot} has 1 left, not 3.`])
    expect((await tell('buy', { itemId: pot })).json().TransactionId).to.be.a('number')
    expect((await tell('bid', { itemId: String(lamp), amount: 85 })).json()).to.deep.equal({ TotalBids: 1 })
    const asFile = await tell('seed', 'Title,Price\nVas,50\n', { headers: { 'Content-Type': 'text/csv' } })
    expect(asFile.json().items).to.equal(1)
    const broken = await tell('seed', { csv: 'Title,Price\nVas,femtio\n' })
    expect(broken.status).to.equal(409)
    expect(broken.json().error).to.match(/2/)
  })

  it('resets, also without a body', async () => {
    expect((await tell('reset', ' ')).json()).to.deep.equal({ reset: true })
    const list = await post(
      sandbox,
      '1.2',
      'GetSellerItems',
      '<filterActive>All</filterActive><filterItemType>All</filterItemType>',
    )
    expect(list.text).to.not.include('Kruka; blå')
  })

  it('takes JSON that curl calls a form', async () => {
    const asForm = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
    const moved = await tell('clock', ' {"advance":"1m"}', asForm)
    expect(moved.status).to.equal(200)
    expect(moved.json().now).to.be.a('string')
    const broken = await tell('clock', '{"advance":"soon"}', asForm)
    expect(broken.status).to.equal(400)
    expect(broken.json().error).to.include('soon')
  })

  it('counts nothing as a call', async () => {
    await using busy = closing(await openSandbox({ faults: { quota: { calls: 1, windowMs: 1000 }, unavailable: 1 } }))
    for (let i = 0; i < 3; i++) expect(await order(busy, 'faults', {})).to.have.property('faults')
    await order(busy, 'faults', { unavailable: '0%' })
    expect((await post(busy, '1.2', 'GetUserInfo', '')).status).to.equal(200)
  })

  const bad: [string, unknown, number, RegExp, Record<string, string>?][] = [
    ['wether', {}, 404, /no "wether"\. Did you mean weather\?/],
    ['constructor', {}, 404, /no "constructor"/],
    ['%E0%A4%A', {}, 404, /no "%E0%A4%A"\. There are faults, /],
    ['faults', { latency: 'fast' }, 400, /latency: "fast" is not a duration/],
    ['faults', { latancy: '1s' }, 400, /Did you mean latency\?/],
    ['faults', { latency: [1] }, 400, /latency is \[1\]; a text is expected/],
    ['faults', '[]', 400, /not a JSON object/],
    ['faults', '{', 400, /not JSON\./],
    ['faults', 'latency=1s', 400, /"text\/plain" is not understood/, { 'Content-Type': 'text/plain' }],
    ['clock', {}, 400, /advance is missing/],
    ['clock', { advance: 'soon' }, 400, /advance: "soon" is not a duration/],
    ['clock', { advance: '1h', back: true }, 400, /"back" is not a field of this order; it takes advance/],
    ['reset', { really: 'yes' }, 400, /it takes none/],
    ['eid', { outcome: 'maybe' }, 400, /"maybe"; one of approve, fail, cancel/],
    ['buy', {}, 400, /itemId is missing/],
    ['buy', { itemId: 'one' }, 400, /itemId is "one"; a whole number/],
    ['buy', { itemId: 1.5 }, 400, /a whole number/],
    ['buy', { itemId: 1 }, 409, /1/],
    ['buy', { itemId: -1 }, 400, /itemId is "-1"; a whole number/],
    ['buy', { itemId: 600_000_001, quantity: 0 }, 409, /The quantity 0 is not a whole number of at least 1|has ended/],
    ['bid', { itemId: 1 }, 400, /amount is missing/],
    ['seed', {}, 400, /csv is missing/],
  ]
  for (const [action, body, status, message, headers] of bad) {
    it(`refuses ${action} ${JSON.stringify(body)}`, async () => {
      const got = await tell(action, body, { headers })
      expect(got.status, got.text).to.equal(status)
      expect(got.headers['content-type']).to.equal('application/json; charset=utf-8')
      expect(got.json().error).to.match(message)
    })
  }

  it('takes the forms of the console and leads back to it', async () => {
    await begin()
    const form = (action: string, body: string) =>
      send(`${sandbox.url}/_sandbox/${action}`, { method: 'POST', headers: FORM_TYPE, body })
    const approved = await form('eid', 'outcome=approve&orderRef=')
    expect([approved.status, approved.headers.location, approved.text]).to.deep.equal([303, '/#eid', ''])
    const reset = await form('reset', '')
    expect([reset.status, reset.headers.location], 'a form without a place of its own').to.deep.equal([303, '/'])
    const refused = await form('eid', 'outcome=approve')
    expect(refused.status).to.equal(409)
    expect(refused.headers['content-type']).to.equal('text/html; charset=utf-8')
    expect(refused.text).to.include('No electronic-ID session is open')
  })

  describe('is for this machine only', () => {
    const attempts: [string, Record<string, string>][] = [
      ['a name that was made to point here', { Host: 'evil.example:80' }],
      ['a name that only begins so', { Host: '127.0.0.1.evil.example' }],
      ['a page of another site', { Origin: 'https://evil.example' }],
      ['a page without an origin', { Origin: 'null' }],
      ['another server on this machine', { Origin: 'http://127.0.0.1:1' }],
      ['a form of another site', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }],
      ['another port of this machine', { 'Sec-Fetch-Site': 'same-site' }],
    ]
    for (const [what, headers] of attempts) {
      it(`refuses ${what}`, async () => {
        const got = await tell('reset', {}, { headers })
        expect(got.status).to.equal(403)
        const asForm = await send(`${sandbox.url}/_sandbox/reset`, {
          method: 'POST',
          headers: { ...FORM_TYPE, ...headers },
          body: '',
        })
        expect(asForm.status).to.equal(403)
        const asCall = await send(`${sandbox.url}/v3/RestrictedService.asmx/CancelEidVerification?${CREDENTIALS}`, { headers })
        expect(asCall.status).to.equal(403)
        expect((await send(`${sandbox.url}/_sandbox/state`, { headers })).status).to.equal(403)
      })
    }

    const browsers: [string, Record<string, string>, number][] = [
      ['an older browser, which does not say where it comes from', { 'User-Agent': 'Mozilla/5.0 (X11; Linux)' }, 403],
      ['a page that a program shows', { Referer: 'https://evil.example/' }, 403],
      ['an address typed in a browser', { 'User-Agent': 'Mozilla/5.0', 'Sec-Fetch-Site': 'none' }, 200],
      ['a page of its own', { 'User-Agent': 'Mozilla/5.0', 'Sec-Fetch-Site': 'same-origin' }, 200],
      ['a program', { 'User-Agent': 'curl/8.0' }, 200],
    ]
    for (const [what, headers, status] of browsers) {
      it(`${status === 200 ? 'takes' : 'refuses'} a GET that writes from ${what}`, async () => {
        const get = (operation: string) =>
          send(`${sandbox.url}/v3/RestrictedService.asmx/${operation}?${CREDENTIALS}`, { headers })
        expect((await get('CancelEidVerification')).status).to.equal(status)
        expect((await get('GetUserInfo')).status, 'a GET that reads').to.equal(200)
      })
    }

    it('takes its own pages, however they name it', async () => {
      const { port } = sandbox
      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
        const headers = { Host: host, Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' }
        expect((await tell('faults', {}, { headers })).status, host).to.equal(200)
      }
    })

    it('lets a link from elsewhere open a page, and nothing more', async () => {
      const headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }
      expect((await send(`${sandbox.url}/`, { headers })).status).to.equal(200)
      expect((await send(`${sandbox.url}/v3/PublicService.asmx?WSDL`, { headers })).status).to.equal(200)
      expect((await send(`${sandbox.url}/`, { headers: { ...headers, 'Sec-Fetch-Mode': 'no-cors' } })).status).to.equal(403)
      expect((await send(`${sandbox.url}/`, { headers: { Host: 'evil.example' } })).status).to.equal(403)
    })

    it('listens on loopback only', async () => {
      const { networkInterfaces } = await import('node:os')
      const others = Object.values(networkInterfaces()).flatMap((list) =>
        (list ?? []).filter(({ internal, family }) => !internal && family === 'IPv4'),
      )
      for (const { address } of others) {
        const refused = await send(`http://${address}:${sandbox.port}/`).catch((error: NodeJS.ErrnoException) => error.code)
        expect(refused).to.equal('ECONNREFUSED')
      }
      expect(sandbox.url).to.equal(`http://127.0.0.1:${sandbox.port}`)
    })
  })

  describe('from another process', () => {
    it('works on the file, while a server runs on it', async () => {
      await using live = closing(await openSandbox({ clock: { now: Date.now } }))
      const orderRef = await begin(live)
      expect(await completeEid(live.path, 'approve')).to.deep.equal({ EidOrderRef: orderRef })
      expect(at(await progress(live), 'IsCompleted')?.text).to.equal('true')
      const seeded = await seedSandbox(live.path, 'Title,Price\nFrån en annan process,50\n')
      expect(seeded.items).to.equal(1)
      const found = async () =>
        (
          await post(live, '1.2', 'GetSellerItems', '<filterActive>All</filterActive><filterItemType>All</filterItemType>')
        ).text.includes('Från en annan process')
      expect(await found()).to.equal(true)
      await resetSandbox(live.path)
      expect(await found()).to.equal(false)
    })
  })
})
