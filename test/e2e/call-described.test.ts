/** `call` of operations that only the saved description of the service has. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect } from 'chai'
import type { Fields, Operation } from '../../src/contract/index.js'
import { arrayOf, boolean, decimal, int, long, optional, required, string, struct } from '../../src/contract/vocabulary.js'
import { systemClock } from '../../src/system/clock.js'
import { closing } from '../opened.js'
import { operationsIn } from '../soap/description/support.js'
import { type DescribedService, NS, openDescribed } from './described.js'
import { environmentOf, type Home, openHome } from './harness.js'

const restricted = { service: 'RestrictedService', user: true, queued: false, summary: '' } as const

const CloseItem: Operation = {
  ...restricted,
  name: 'CloseItem',
  kind: 'single write',
  params: { itemId: required(int), serial: optional(long) },
  result: required(boolean),
}
const GetStock: Operation = {
  ...restricted,
  name: 'GetStock',
  kind: 'read',
  params: { itemIds: optional(arrayOf('int', int)) },
  result: optional(
    arrayOf(
      'Stock',
      struct('Stock', { Id: required(int), Weight: optional(decimal), Note: optional(string), Serial: optional(long) }),
    ),
  ),
}
const AddVariant: Operation = {
  ...restricted,
  name: 'AddVariant',
  kind: 'single write',
  queued: true,
  params: { shopItemData: optional(struct('VariantData', { Title: optional(string) })) },
  result: optional(struct('QueuedRequestResponse', { RequestId: required(int), ItemId: required(int) })),
}

const STOCK =
  '<Stock><Id>7</Id><Weight>0.5</Weight></Stock><Stock><Id>8</Id><Note>7</Note><Serial>9007199254740993</Serial></Stock>'
const REPLIES: Record<string, string> = {
  CloseItem: '<CloseItemResult>true</CloseItemResult>',
  GetStock: `<GetStockResult>${STOCK}</GetStockResult>`,
  AddVariant: '<AddVariantResult><RequestId>4711</RequestId><ItemId>2001</ItemId></AddVariantResult>',
}

describe('call of an operation that only the description has', function () {
  this.timeout(60_000)
  let home: Home
  let service: DescribedService
  let bodies: string[]
  let status: number

  const reply = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.method !== 'POST') return false
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece
    })
    request.on('end', () => {
      bodies.push(body)
      const name = /<soap:Body>\s*<(\w+)/.exec(body)?.[1] ?? ''
      const text = `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><${name}Response xmlns="${NS}">${REPLIES[name] ?? ''}</${name}Response></s:Body></s:Envelope>`
      if (status === 200) response.writeHead(200, { 'content-type': 'application/soap+xml; charset=utf-8' }).end(text)
      else response.writeHead(status).end()
    })
    return true
  }

  before(async () => {
    service = await openDescribed()
    service.answer = reply
    service.show('RestrictedService', [...operationsIn('RestrictedService'), CloseItem, GetStock, AddVariant])
    home = await openHome()
    Object.assign(home.env, environmentOf({ url: service.url, namespace: NS }))
    await home.done('service:check', '--save')
  })
  after(async () => {
    await home.close()
    await service.close()
  })
  beforeEach(() => {
    bodies = []
    status = 200
  })

  /** Pauses between attempts take no time; the tests of the client check how long they are. */
  const clock = { ...systemClock, sleep: async () => {} }
  const call = (...args: string[]) => home.run(['call', ...args], { clock })
  const error = async (code: number, ...args: string[]) => {
    const ended = await call(...args, '--json')
    expect(ended.code, ended.stdout + ended.stderr).to.equal(code)
    return ended.json().error
  }

  it('sends and reads typed values', async () => {
    const ended = await call('CloseItem', 'itemId=1001')
    expect(ended.code, ended.stderr).to.equal(0)
    expect(ended.json()).to.deep.equal({ CloseItemResult: true })
    expect(bodies[0]).to.include('<itemId>1001</itemId>')
    await call('CloseItem', 'itemId=1', 'serial=9007199254740993')
    expect(bodies.pop(), 'no digit is lost').to.include('<serial>9007199254740993</serial>')
    const stock = await call('GetStock', 'itemIds=7', 'itemIds=8')
    expect(stock.json()).to.deep.equal([
      { Id: 7, Weight: 0.5 },
      { Id: 8, Note: '7', Serial: '9007199254740993' },
    ])
    expect(bodies[1]).to.match(/<itemIds>\s*<int>7<\/int>\s*<int>8<\/int>\s*<\/itemIds>/)
    expect((await call('GetStock', 'itemIds=7', '-o', 'csv')).lines().map((line) => line.trim())).to.deep.equal([
      'Id,Weight,Note,Serial',
      '7,0.5,,',
      '8,,7,9007199254740993',
    ])
  })

  it('refuses a wrong name, a wrong type and a missing value before anything is sent', async () => {
    const wrong = await error(3, 'CloseItem', 'itemid=1001')
    expect(wrong.code).to.equal('invalid_input')
    expect(wrong.message).to.include('itemid').and.include('Did you mean itemId?').and.include('itemId: is missing')
    expect((await error(2, 'CloseItem', 'itemId=one')).message).to.include('is not a whole number')
    const unknown = await error(2, 'CloseItm', 'itemId=1')
    expect(unknown).to.include({ code: 'unknown_operation' })
    expect(unknown.hint).to.match(/^Did you mean CloseItem\? .*service:check --save$/)
    // A saved description lists all operations, so --service cannot add any.
    expect((await error(2, 'CloseItm', 'itemId=1', '--service', 'restricted')).code).to.equal('unknown_operation')
    expect(bodies).to.deep.equal([])
  })

  it('shows the request', async () => {
    const run = await call('AddVariant', 'shopItemData.Title=Mugg', '--dry-run')
    expect(run.code, run.stderr).to.equal(0)
    expect(run.stdout).to.match(/<AddVariant xmlns="[^"]+">\s*<shopItemData>\s*<Title>Mugg<\/Title>/)
    expect(bodies).to.deep.equal([])
  })

  it('repeats a read, and not a write', async () => {
    status = 503
    expect(await error(1, 'GetStock', 'itemIds=7')).to.include({ code: 'unavailable' })
    expect(bodies.length).to.be.greaterThan(1)
    bodies = []
    expect(await error(9, 'CloseItem', 'itemId=1')).to.include({ category: 'unknown_outcome' })
    expect(bodies).to.have.length(1)
  })

  it('takes --kind read and --kind write at their word, for operations that it does not know itself', async () => {
    status = 503
    expect(await error(1, 'CloseItem', 'itemId=1', '--kind', 'read')).to.include({ code: 'unavailable' })
    expect(bodies.length).to.be.greaterThan(1)
    bodies = []
    expect(await error(9, 'GetStock', 'itemIds=7', '--kind', 'write')).to.include({ category: 'unknown_outcome' })
    expect(bodies).to.have.length(1)
    expect(await error(2, 'AddItem', '--kind', 'read')).to.include({
      code: 'stray_flag',
      message: '--kind read does not apply to AddItem, which is known as a single write.',
    })
  })

  it('keeps what the service queues in the ledger', async () => {
    const run = await call('AddVariant', 'shopItemData.Title=Mugg')
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json()).to.deep.equal({ RequestId: 4711, ItemId: 2001 })
    expect(run.stderr).to.include('seller requests:wait 4711')
    status = 503
    expect((await call('AddVariant', 'shopItemData.Title=Vas', '--raw')).code).to.equal(9)
    const rows = (await home.seller('requests:list', '--all', '--json')).json()
    const shown = rows.map(({ Operation, Subject, State, RequestId }: Record<string, unknown>) => [
      Operation,
      Subject,
      State,
      RequestId,
    ])
    expect(shown).to.have.deep.members([
      ['AddVariant', 'Mugg', 'queued', 4711],
      ['AddVariant', 'Vas', 'unknown', null],
    ])
  })

  it('takes an answer without ids for an unknown outcome', async () => {
    const whole = REPLIES.AddVariant ?? ''
    try {
      for (const reply of ['', '<AddVariantResult/>', whole.replace('4711', '0')]) {
        REPLIES.AddVariant = reply
        expect(await error(9, 'AddVariant', 'shopItemData.Title=Skål')).to.include({
          code: 'unknown_outcome',
          operation: 'AddVariant',
        })
        const [row] = (await home.seller('requests:list', '--all', '--limit', '1', '--json')).json()
        expect(row).to.include({ Subject: 'Skål', State: 'unknown' })
      }
    } finally {
      REPLIES.AddVariant = whole
    }
  })

  it('reads the description of another service when it is first called, and keeps it under the name of that service', async () => {
    const purchases = { service: 'BuyerService', user: true, queued: false, summary: '' } as const
    const request = (fields: Fields) => ({ request: optional(struct('Request', fields)) })
    const GetPurchases: Operation = {
      ...purchases,
      name: 'GetPurchases',
      kind: 'read',
      params: request({ PurchaseIds: optional(arrayOf('int', int)) }),
      result: optional(struct('PurchasesResult', { Note: optional(string) })),
    }
    service.show('BuyerService', [GetPurchases])
    REPLIES.GetPurchases = '<GetPurchasesResult><Note>none</Note></GetPurchasesResult>'
    service.seen.splice(0)
    const args = ['GetPurchases', '--service', 'buyer', 'request.PurchaseIds=4711', 'request.PurchaseIds=4712']
    const first = await call(...args)
    expect([first.code, first.json()], first.stderr).to.deep.equal([0, { Note: 'none' }])
    expect(first.stderr).to.include('Read the description of BuyerService and kept it')
    expect(bodies.pop()).to.match(/<AuthorizationHeader[\s\S]*<PurchaseIds>\s*<int>4711<\/int>\s*<int>4712<\/int>/)
    expect((await call('BuyerService.GetPurchases', 'request.PurchaseIds=1')).stderr).to.equal('')
    expect((await call('GetPurchases', 'request.PurchaseIds=1')).code).to.equal(0)
    expect(service.seen.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      'GET /v3/BuyerService.asmx?WSDL',
      ...Array(3).fill('POST /v3/BuyerService.asmx'),
    ])
    expect((await error(2, 'GetPurchasse', '--service', 'buyer')).hint).to.include('Did you mean GetPurchases?')
    const listed = (await home.seller('service:operations', '--service', 'buyer', '--json')).json()
    expect(listed.map(({ Service, Operation }: Record<string, string>) => [Service, Operation])).to.deep.equal([
      ['BuyerService', 'GetPurchases'],
    ])
    const byGet = await home.run(['call', ...args, '--json'], { env: { SELLER_BINDING: 'get' } })
    expect([byGet.code, byGet.json().error.code]).to.deep.equal([2, 'binding_too_narrow'])
    expect(byGet.json().error).to.include({ message: 'The service does not offer GetPurchases by HTTP GET.' })
  })

  it('says what is not offered by HTTP GET or POST, before anything is sent', async () => {
    const run = await home.run(['items:list', '--json'], { env: { SELLER_BINDING: 'get' } })
    expect(run.json().error?.code, 'it is offered there').to.not.equal('binding_too_narrow')
    const text = (await (await fetch(`${service.url}/v3/RestrictedService.asmx?WSDL`)).text()).replace(
      /<wsdl:operation name="GetSellerItems">\s*<http:[\s\S]*?<\/wsdl:operation>/g,
      '',
    )
    await using other = closing(await openHome())
    const file = await other.file('a.wsdl', text)
    Object.assign(other.env, environmentOf({ url: service.url, namespace: NS }))
    expect((await other.seller('service:check', '--file', file, '--save')).code).to.equal(0)
    bodies = []
    const refused = await other.run(['items:list', '--json'], { env: { SELLER_BINDING: 'post' } })
    expect([refused.code, refused.json().error.code]).to.deep.equal([2, 'binding_too_narrow'])
    expect(refused.json().error.message).to.include('does not offer GetSellerItems by HTTP POST')
    expect(bodies).to.deep.equal([])
  })

  it('goes by the name where nothing is saved', async () => {
    await using other = closing(await openHome())
    Object.assign(other.env, environmentOf({ url: service.url, namespace: NS }))
    expect((await other.seller('call', 'CloseItem', 'itemId=1')).code).to.equal(2)
    status = 503
    expect((await other.run(['call', 'GetStock', '--service', 'restricted'], { clock })).code).to.equal(1)
    expect((await other.seller('call', 'CloseItem', 'itemId=1', '--service', 'restricted')).code).to.equal(9)
  })
})
