import { expect } from 'chai'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { opened } from '../opened.js'
import { openHome, words } from './harness.js'
import { CATEGORY, openObserved, PIXEL } from './observed.js'

describe('call', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 } }))
  let items: { Id: number; ItemType: string }[]
  before(async () => {
    items = (await home.seller('call', 'GetSellerItems', 'categoryId=0', 'filterActive=Active', 'filterItemType=All')).json()
  })
  beforeEach(() => void home.calls())

  const shopIds = (): number[] => items.filter(({ ItemType }) => ItemType === 'ShopItem').map(({ Id }) => Id)

  it('reads --input, which arguments override, and records a queued write in the ledger', async () => {
    const file = await home.file(
      'request.yaml',
      `itemRequest:\n  Title: Från call\n  CategoryId: ${CATEGORY}\n  Duration: 7\n  Restarts: 0\n  StartPrice: 10\n  ReservePrice: 0\n  BuyItNowPrice: 0\n  AcceptedBidderId: 1\n  ItemType: 1\n  AutoCommit: false\n  ShippingOptions: [{ShippingOptionId: 8, Cost: 0}]\n`,
    )
    const run = await home.done('call', 'AddItem', '--input', file)
    const { RequestId } = run.json()
    expect(run.stderr).to.include(`requests:wait ${RequestId}`)
    const photo = await home.file('photo.png', PIXEL.png)
    const sent = await home.seller(
      ...words`call AddItemImage requestId=${RequestId} imageData=@${photo} imageFormat=Png hasMega=false`,
    )
    expect(sent.json()).to.deep.equal({ AddItemImageResponse: null })
    expect((await home.seller('call', 'AddItemCommit', `requestId=${RequestId}`)).code).to.equal(0)
    const waited = await home.seller('requests:wait', String(RequestId), '--json')
    expect(waited.json()[0]).to.include({ Operation: 'AddItem', Subject: 'Från call', ResultCode: 'Ok' })
  })

  it('prints what would be sent, secrets masked, without credentials or a call', async () => {
    const bare = await openHome()
    try {
      const run = await bare.done('call', 'GetItem', 'itemId=1', '--dry-run')
      expect(run.stdout)
        .to.match(/^POST .*RestrictedService\.asmx/)
        .and.include('<itemId>1</itemId>')
    } finally {
      await bare.close()
    }
    const run = await home.seller('call', 'GetItem', 'itemId=1', '--dry-run', '--json')
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
    const known = await home.seller('call', 'GetItem', '--service', 'public', `itemId=${items[0]?.Id}`, '--dry-run')
    expect(known.stdout).to.include('PublicService.asmx')
  })
})
