import { expect } from 'chai'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { openHome } from './harness.js'
import { CATEGORY, type ObservedHome, openObserved, PIXEL } from './observed.js'

describe('call', () => {
  let home: ObservedHome
  let items: { Id: number; ItemType: string }[]
  before(async () => {
    home = await openObserved({ faults: { queueDelayMs: 0 } })
    items = (await home.seller('call', 'GetSellerItems', 'categoryId=0', 'filterActive=Active', 'filterItemType=All')).json()
  })
  beforeEach(() => void home.calls())
  after(() => home.close())

  const shopIds = (): number[] => items.filter(({ ItemType }) => ItemType === 'ShopItem').map(({ Id }) => Id)

  it('agrees with items:show', async () => {
    const id = String(items[0]?.Id)
    const called = await home.seller('call', 'GetItem', `itemId=${id}`)
    const shown = await home.seller('items:show', id, '--json')
    expect(called.json()).to.deep.equal(shown.json())
    expect((await home.seller('call', 'GetItem', `itemId=${id}`, '--json')).json()).to.deep.equal(shown.json())
  })

  it('takes values within others, entries by number, lists by repetition, and JSON', async () => {
    const [one = 0, two = 0] = shopIds()
    const numbered = await home.seller(
      'call',
      'SetPriceOnShopItems',
      ...[
        `request.ShopItems.0.Id=${one}`,
        'request.ShopItems.0.Price=101',
        `request.ShopItems.1.Id=${two}`,
        'request.ShopItems.1.Price=102',
      ],
    )
    const ids = numbered.json().QueuedRequestResponses.map(({ RequestId }: { RequestId: number }) => RequestId)
    expect(ids, numbered.stderr).to.have.lengthOf(2)
    const repeated = await home.seller(
      'call',
      'SetPriceOnShopItems',
      `request.ShopItems.Id=${one}`,
      'request.ShopItems.Price=5',
      'request.ShopItems.Id=7',
      'request.ShopItems.Price=6',
    )
    expect(repeated.json().ValidationErrors[0].Item).to.deep.equal({ Id: 7, Price: 6 })
    const results = await home.seller('call', 'GetRequestResults', ...ids.map((id: number) => `requestIds=${id}`))
    expect(results.json().map(({ ResultCode }: { ResultCode: string }) => ResultCode)).to.deep.equal(['Ok', 'Ok'])
    const json = await home.seller('call', 'GetSellerTransactions', 'request={"Filter":"New"}')
    expect(json.json()).to.be.an('array')
    const rows = (await home.seller('requests:list', '--json'))
      .json()
      .filter(({ Operation }: { Operation: string }) => Operation === 'SetPriceOnShopItems')
    expect(rows.map(({ State }: { State: string }) => State).sort()).to.deep.equal(['queued', 'queued', 'queued', 'refused'])
  })

  it('reads --input, which arguments override, and records a queued write in the ledger', async () => {
    const file = await home.file(
      'request.yaml',
      `itemRequest:\n  Title: Från call\n  CategoryId: ${CATEGORY}\n  Duration: 7\n  Restarts: 0\n  StartPrice: 10\n  ReservePrice: 0\n  BuyItNowPrice: 0\n  AcceptedBidderId: 1\n  ItemType: 1\n  AutoCommit: false\n  ShippingOptions: [{ShippingOptionId: 8, Cost: 0}]\n`,
    )
    const run = await home.seller('call', 'AddItem', '--input', file)
    expect(run.code, run.stderr).to.equal(0)
    const { RequestId } = run.json()
    expect(run.stderr).to.include(`requests:wait ${RequestId}`)
    const photo = await home.file('photo.png', PIXEL.png)
    const sent = await home.seller(
      'call',
      'AddItemImage',
      `requestId=${RequestId}`,
      `imageData=@${photo}`,
      'imageFormat=Png',
      'hasMega=false',
    )
    expect(sent.json()).to.deep.equal({ AddItemImageResponse: null })
    expect((await home.seller('call', 'AddItemCommit', `requestId=${RequestId}`)).code).to.equal(0)
    const waited = await home.seller('requests:wait', String(RequestId), '--json')
    expect(waited.json()[0]).to.include({ Operation: 'AddItem', Subject: 'Från call', ResultCode: 'Ok' })
  })

  it('prints what would be sent, secrets masked, without credentials or a call', async () => {
    const bare = await openHome()
    try {
      const run = await bare.seller('call', 'GetItem', 'itemId=1', '--print-request')
      expect(run.code, run.stderr).to.equal(0)
      expect(run.stdout)
        .to.match(/^POST .*RestrictedService\.asmx/)
        .and.include('<itemId>1</itemId>')
    } finally {
      await bare.close()
    }
    const run = await home.seller('call', 'GetItem', 'itemId=1', '--print-request', '--json')
    expect(run.json()).to.include({ method: 'POST' })
    for (const secret of [SANDBOX_PROFILE.appKey, SANDBOX_PROFILE.token]) expect(run.stdout).to.not.include(secret)
    expect(home.calls()).to.deep.equal([])
  })

  it('prints the reply as it came with --raw, and records a queued write all the same', async () => {
    const raw = await home.seller('call', 'PublicService.GetItem', `itemId=${items[0]?.Id}`, '--raw')
    expect(raw.stdout)
      .to.match(/^<\?xml/)
      .and.include('<GetItemResponse')
    const removed = await home.seller('call', 'RemoveShopItem', `shopItemId=${shopIds().at(-1)}`, '--raw')
    const request = /<RequestId>(\d+)</.exec(removed.stdout)?.[1]
    const [row] = (await home.seller('requests:list', '--json')).json()
    expect(row).to.include({ RequestId: Number(request), Operation: 'RemoveShopItem', State: 'queued' })
  })

  it('reads the description for an operation the contract does not know, and calls on the service told', async () => {
    const run = await home.seller('call', 'UpdateItemPrice', '--service', 'restricted', 'itemId=1', 'a.b=2', '--json')
    expect([run.code, run.json().error.code]).to.deep.equal([2, 'unknown_operation'])
    expect(run.json().error.message).to.include('neither in the contract nor in the saved description')
    const known = await home.seller('call', 'GetItem', '--service', 'public', `itemId=${items[0]?.Id}`, '--print-request')
    expect(known.stdout).to.include('PublicService.asmx')
  })

  it('shows a table where one is asked for', async () => {
    const run = await home.seller('call', 'GetItemTypes', '--output', 'csv')
    expect(run.stdout.split('\n')[0]?.trim()).to.equal('Id,Description,Value')
    const time = await home.seller('call', 'GetOfficalTime')
    expect(time.json().GetOfficalTimeResult).to.match(/^\d{4}-\d\d-\d\dT/)
  })

  it('exits 1 when a read brings nothing', async () => {
    const run = await home.seller('call', 'GetItem', 'itemId=1', '--json')
    expect([run.code, run.json().error.code]).to.deep.equal([1, 'no_result'])
  })

  for (const [what, code, word, args] of [
    ['an operation that is misspelt', 2, 'Did you mean GetItem?', ['GetItm', 'itemId=1']],
    ['an operation nobody knows', 2, 'There is no operation "Frobnicate"', ['Frobnicate']],
    ['a parameter that is misspelt', 3, 'Did you mean itemId?', ['GetItem', 'itmId=1']],
    ['a missing parameter', 3, 'itemId: is missing', ['GetItem']],
    ['a value that is no int', 2, '"1x"', ['GetItem', 'itemId=1x']],
    ['an int that is too large', 2, '32-bit', ['GetItem', 'itemId=2147483648']],
    ['an enumeration with another value', 2, '"Old"', ['GetSellerTransactions', 'request.Filter=Old']],
    ['an argument without =', 2, 'name=value', ['GetItem', '1']],
    ['a value both whole and by parts', 2, 'by its parts', ['GetSellerTransactions', 'request=1', 'request.Filter=New']],
    [
      'a file that is not there',
      2,
      'the file cannot be read: it does not exist',
      ['AddItemImage', 'requestId=1', 'imageData=@nowhere.png', 'imageFormat=Png', 'hasMega=false'],
    ],
    ['an invalid date', 2, '"gestern"', ['GetSellerTransactions', 'request.Filter=New', 'request.MinTransactionDate=gestern']],
    ['a service that contradicts', 2, 'PublicService', ['PublicService.GetItem', '--service', 'restricted', 'itemId=1']],
  ] as const) {
    it(`refuses ${what}, exit ${code}, before any call`, async () => {
      const run = await home.seller('call', ...args, '--json')
      expect(run.code, run.stdout).to.equal(code)
      expect(`${run.json().error.message} ${run.json().error.hint}`).to.include(word)
      expect(home.calls()).to.deep.equal([])
    })
  }

  it('says of a field that is not there what there is, and not its value', async () => {
    const { error } = (await home.seller('call', 'GetItem', 'foo=1', 'itemId=2', '--json')).json()
    expect(error.message).to.equal('foo: is not a field of the service. Known fields: itemId.')
  })

  for (const [what, args, code, words] of [
    [
      'a service that contradicts the name',
      ['PublicService.GetItem', '--service', 'restricted'],
      'service_contradicts',
      'belongs to PublicService, but --service is restricted',
    ],
    [
      '--read for what is known',
      ['GetItem', '--read'],
      'stray_flag',
      '--read does not apply to GetItem, which is known as a read',
    ],
    ['a slip in the name', ['GetItm'], 'unknown_operation', 'Did you mean GetItem?'],
    ['a slip after the service', ['RestrictedService.GetItm'], 'unknown_operation', 'Did you mean GetItem?'],
  ] as const) {
    it(`refuses ${what}, before any call`, async () => {
      const { error } = (await home.seller('call', ...args, '--json')).json()
      expect([error.code, home.calls()]).to.deep.equal([code, []])
      expect(`${error.message} ${error.hint}`).to.include(words)
    })
  }

  it('shows a result that is no document under the name of its element', async () => {
    expect(Object.keys((await home.seller('call', 'GetOfficalTime')).json())).to.deep.equal(['GetOfficalTimeResult'])
  })

  it('names the requests of a call with many to wait for', async () => {
    const ids = shopIds().slice(0, 2)
    const given = ids.flatMap((id, at) => [`request.ShopItems.${at}.Id=${id}`, `request.ShopItems.${at}.Price=${111 + at}`])
    const run = await home.seller('call', 'SetPriceOnShopItems', ...given)
    const queued = run.json().QueuedRequestResponses.map(({ RequestId }: { RequestId: number }) => RequestId)
    expect(run.stderr).to.include(`Queued. Wait for the outcome with: seller requests:wait ${queued.join(' ')}`)
  })
})
