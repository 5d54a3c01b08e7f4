/** shop:activate, shop:update and shop:costs: what they refuse, send and store. */
import { expect } from 'chai'
import { activateShopItems } from '../../../src/actions/shop/activate.js'
import { listCosts, storeCosts, storesCosts } from '../../../src/actions/shop/costs.js'
import { dryRunOfChange, readChange, updateShopItem } from '../../../src/actions/shop/update.js'
import type { SellerError } from '../../../src/cli/errors.js'
import { dateTimeOf } from '../../../src/contract/index.js'
import { SoapError } from '../../../src/soap/client/index.js'
import { cleanUp, GIF, thrown } from '../../jobs/harness.js'
import { type FakeShopOptions, fakeShop } from '../fake-shop.js'

const WAIT = { wait: false, timeout: 1000 }

describe('the date on which shop items become active', () => {
  afterEach(cleanUp)

  interface Request {
    readonly request: { readonly ShopItems: readonly { readonly Id: number }[] }
  }
  const shopWith = (refused: readonly number[] = [], forgotten: readonly number[] = []) =>
    fakeShop({
      answers: {
        SetActivateDateOnShopItems: ({ request: { ShopItems } }: Request) => ({
          QueuedRequestResponses: ShopItems.filter(({ Id }) => !refused.includes(Id) && !forgotten.includes(Id)).map(
            ({ Id }) => ({
              ItemId: Id,
              RequestId: 10_000 + Id,
            }),
          ),
          ValidationErrors: ShopItems.filter(({ Id }) => refused.includes(Id)).map(({ Id }) => ({
            Item: { Id },
            ErrorMessage: Id === 2 ? undefined : 'It is active.',
          })),
        }),
      },
    })
  const later = (shop: ReturnType<typeof shopWith>, ms: number) => dateTimeOf(shop.clock.time + ms)

  it('must lie in the future', async () => {
    const shop = shopWith()
    for (const ms of [0, -1000]) {
      const error = (await thrown(() => activateShopItems(shop.ctx, [1], later(shop, ms), WAIT))) as SellerError
      expect(error.exitCode).to.equal(3)
      expect(error.message).to.match(/--at.*must lie in the future/)
    }
    expect(shop.client.calls).to.deep.equal([])
    expect((await activateShopItems(shop.ctx, [1], later(shop, 1000), WAIT)).rows).to.have.lengthOf(1)
  })

  it('is sent for 500 items in a call, and Ctrl-C says how many were sent', async () => {
    const shop = shopWith()
    const at = later(shop, 60_000)
    const ids = Array.from({ length: 1001 }, (_, index) => index + 1)
    const { rows, code } = await activateShopItems(shop.ctx, ids, at, WAIT)
    const sent = shop.client.calls.map(({ params }) => (params as unknown as Request).request.ShopItems)
    expect(sent.map(({ length }) => length)).to.deep.equal([500, 500, 1])
    expect(sent[1]?.[0]).to.deep.equal({ Id: 501, ActivateDate: at })
    expect(rows.map(({ State }) => State)).to.deep.equal(Array(1001).fill('queued'))
    expect(code).to.equal(0)
    expect(shop.interruptions).to.deep.equal(
      [0, 500, 1000].map((done) => ({ sent: `${done} of 1001 were sent.`, next: 'seller requests:list -p q' })),
    )
    expect((await activateShopItems(shop.ctx, ids.slice(0, 500), at, WAIT)).rows).to.have.lengthOf(500)
    expect(shop.client.calls).to.have.lengthOf(4)
  })

  it('is refused for single items, and unknown for one that the answer forgets', async () => {
    const shop = shopWith([2, 3])
    const { rows, code } = await activateShopItems(shop.ctx, [1, 2, 3], later(shop, 1000), WAIT)
    expect(rows.map(({ State, Subject }) => [State, Subject])).to.deep.equal([
      ['queued', 'item 1'],
      ['refused', 'item 2'],
      ['refused', 'item 3'],
    ])
    expect(code).to.equal(3)
    expect(shop.said.filter((text) => text.startsWith('warn'))).to.deep.equal([
      'warn: Shop item 2: The service refused it without a reason.',
      'warn: Shop item 3: It is active.',
    ])
    const lost = shopWith([3], [2])
    const forgotten = await activateShopItems(lost.ctx, [1, 2, 3], later(lost, 1000), WAIT)
    expect(forgotten.rows.map(({ State }) => State)).to.deep.equal(['queued', 'unknown', 'refused'])
    expect(forgotten.code).to.equal(9)
    expect(lost.said[0]).to.equal('warn: Shop item 2: The service answered without a request id for it.')
  })

  it('leaves every item on record when the call fails: refused, or unknown where its reply was lost', async () => {
    for (const [error, state] of [
      [new SoapError('fault', 'no', { operation: 'X', sent: true, faultString: 'no', faultCode: 'Client' } as never), 'refused'],
      [new SoapError('unknown-outcome', 'lost', { operation: 'X', sent: true } as never), 'unknown'],
    ] as const) {
      const shop = fakeShop({
        answers: {
          SetActivateDateOnShopItems: () => {
            throw error
          },
        },
      })
      const at = dateTimeOf(shop.clock.time + 1000)
      expect(await thrown(() => activateShopItems(shop.ctx, [1, 2], at, WAIT))).to.equal(error)
      const rows = (await shop.ctx.ledger()).requests.list()
      expect(rows.map(({ State }) => State)).to.deep.equal([state, state])
      cleanUp()
    }
  })
})

describe('a change of a shop item', () => {
  afterEach(cleanUp)

  const read = (flags: object, shop = fakeShop()) => readChange(shop.ctx, 5, flags as never)
  const refused = async (flags: object, shop = fakeShop()): Promise<SellerError> =>
    (await thrown(() => read(flags, shop))) as SellerError

  it('has only the fields that are given, flags before those of a file', async () => {
    expect(await read({ title: 'Vas' })).to.deep.equal({ Title: 'Vas' })
    expect(await read({ payment: ['1', '2'], reference: ['A'], quantity: '0' })).to.deep.equal({
      PaymentOptionIds: [1, 2],
      OwnReferences: ['A'],
      AbsoluteQuantity: 0,
    })
    const shop = fakeShop()
    const file = shop.file('change.yaml', 'Title: From file\nDescription: Long\nVAT: null\n')
    expect(await read({ file, title: 'Typed' }, shop)).to.deep.equal({ Title: 'Typed', Description: 'Long' })
  })

  it('is refused with every flag that cannot be read', async () => {
    const error = await refused({ category: 'x', vat: 'y' })
    expect(error.exitCode).to.equal(2)
    expect(error.message).to.include('--category').and.include('--vat')
  })

  it('is refused by the rules of the service with the flag, or the field of a file', async () => {
    const title = 't'.repeat(500)
    const typed = await refused({ title })
    expect(typed.exitCode).to.equal(3)
    expect(typed.message).to.include('--title').and.not.include('updateData')
    const shop = fakeShop()
    const written = await refused({ file: shop.file('a.yaml', `Title: ${title}\n`) }, shop)
    expect(written.message).to.include('Title').and.not.include('--title').and.not.include('ItemData')
  })

  it('is refused for a price, which another command sets', async () => {
    const shop = fakeShop()
    const error = await refused({ file: shop.file('a.yaml', 'Price: 5\n') }, shop)
    expect(error.message).to.include('is set by shop:price')
    expect(await read({ file: shop.file('b.yaml', 'Price: null\nTitle: A\n') }, shop)).to.deep.equal({ Title: 'A' })
    expect((await refused({ price: '5' })).message).to.include('is set by shop:price')
  })

  it('is refused for a file that is a list, a text or empty of fields', async () => {
    for (const text of ['- Title: A\n', 'Title\n', '5\n']) {
      const shop = fakeShop()
      const error = await refused({ file: shop.file('a.yaml', text) }, shop)
      expect(error).to.include({ code: 'unreadable_input', message: 'a.yaml: the fields of one item are expected.' })
    }
    expect((await refused({})).exitCode).to.equal(3)
  })

  it('has images, large ones marked, and no more than the service takes', async () => {
    const shop = fakeShop()
    for (const name of ['a.gif', 'b.gif']) shop.file(name, GIF as unknown as string)
    const change = await read({ image: ['a.gif'], 'mega-image': ['b.gif'] }, shop)
    expect(change.ItemImages?.map(({ HasMega, Format, Name, Data }) => [HasMega, Format, Name, Data?.length])).to.deep.equal([
      [false, 'Gif', 'a.gif', GIF.length],
      [true, 'Gif', 'b.gif', GIF.length],
    ])
    const many = await refused({ image: Array(41).fill('a.gif') }, shop)
    expect(many.message).to.match(/--image.*must be at most 40 images/)
    const missing = await refused({ image: ['none.gif'], title: 'x' }, shop)
    expect(missing.message).to.include('--image')
    expect(missing.message).to.include('none.gif')
  })

  it('is shown as it would be sent, with the size of its images', () => {
    const image = { Name: 'a.gif', Format: 'Gif', Data: GIF, HasMega: true }
    expect(dryRunOfChange(5, { Title: 'Vas', ItemImages: [image, { Format: 'Gif', HasMega: false }] } as never)).to.deep.equal({
      Operation: 'UpdateShopItem',
      Request: { ItemId: 5, Title: 'Vas' },
      Images: [
        { File: 'a.gif', Format: 'Gif', Bytes: GIF.length, HasMega: true },
        { File: '', Format: 'Gif', Bytes: 0, HasMega: false },
      ],
      CampaignCode: null,
      Calls: ['UpdateShopItem'],
    })
    expect(dryRunOfChange(5, { Title: 'Vas' }).Images).to.deep.equal([])
    expect(dryRunOfChange(5, { ItemImages: null } as never).Images).to.deep.equal([])
  })

  it('is one queued request on record', async () => {
    const shop = fakeShop({ answers: { UpdateShopItem: () => ({ RequestId: 77, ItemId: 5 }) } })
    const { row, code } = await updateShopItem(shop.ctx, 5, { Title: 'Vas' }, WAIT)
    expect([row.RequestId, row.State, row.Subject, code]).to.deep.equal([77, 'queued', 'item 5', 0])
    expect(shop.client.calls[0]?.params).to.deep.equal({ updateData: { ItemId: 5, ItemData: { Title: 'Vas' } } })
    expect(shop.interruptions).to.deep.equal([{ next: 'seller requests:list -p q' }])
    expect(shop.said).to.deep.equal(['hint: Queued. Wait for the outcome with: seller requests:wait 77 -p q'])
    expect((await shop.ctx.ledger()).requests.list()[0]).to.include({ Profile: 'shop', RequestId: 77 })
  })
})

describe('costs of shop items', () => {
  afterEach(cleanUp)

  it('are stored where any are given, and listed otherwise', () => {
    expect(storesCosts([], {})).to.equal(false)
    expect(storesCosts([], { sheet: 'x' })).to.equal(false)
    expect(storesCosts(['1=5'], {})).to.equal(true)
    expect(storesCosts([], { file: 'a.csv' })).to.equal(true)
    expect(storesCosts([], { file: 'a.csv', remove: true, since: 'x' })).to.equal(true)
    const refusal = (args: readonly string[], flags: object) => {
      try {
        return String(storesCosts(args, flags))
      } catch (error) {
        return `${(error as SellerError).code} ${(error as SellerError).message}`
      }
    }
    expect(refusal(['1=5'], { file: 'a.csv' })).to.match(/^several_inputs /)
    expect(refusal([], { remove: true })).to.equal('nothing_to_do --remove names no item.')
    expect(refusal([], { remove: true, since: '2026-01-01' })).to.equal('nothing_to_do --remove names no item.')
    expect(refusal([], { since: '2026-01-01' })).to.equal('nothing_to_do --since names no item.')
    expect(refusal([], { remove: false })).to.equal('false')
  })

  const shopWith = (options: FakeShopOptions = {}) => fakeShop(options)

  it('say what became of each row, and hold from the date that is given', async () => {
    const shop = shopWith()
    const now = new Date(shop.clock.time).toISOString()
    expect(await storeCosts(shop.ctx, ['1=50', 'A=20'], {})).to.deep.equal({
      Rows: 2,
      Added: 2,
      Changed: 0,
      Unchanged: 0,
      Removed: 0,
      Empty: 0,
      Since: now,
    })
    expect(await storeCosts(shop.ctx, ['1=50', 'A=21'], {})).to.include({ Added: 0, Changed: 1, Unchanged: 1 })
    expect(await listCosts(shop.ctx)).to.deep.equal([
      { Id: 1, OwnReference: null, Cost: 50, LowestPrice: null, RecommendedPrice: null, Since: now },
      { Id: null, OwnReference: 'A', Cost: 21, LowestPrice: null, RecommendedPrice: null, Since: now },
    ])
    expect(await storeCosts(shop.ctx, ['1'], { remove: true })).to.include({ Rows: 1, Removed: 1 })
    expect((await listCosts(shop.ctx)).map(({ OwnReference }) => OwnReference)).to.deep.equal(['A'])
    const dated = await storeCosts(shop.ctx, ['9=1.5'], { since: '2026-01-01T00:00:00+01:00' })
    expect(dated.Since).to.equal('2025-12-31T23:00:00.000Z')
    expect((await listCosts(shop.ctx))[0]).to.include({ Id: 9, Cost: 1.5, Since: '2025-12-31T23:00:00.000Z' })
  })

  it('come from a file too, whose empty rows count, and whose faults store nothing', async () => {
    const shop = shopWith()
    const file = shop.file('costs.csv', 'Id,Cost,LowestPrice,RecommendedPrice\n1,50,60,99\n2,,,\n')
    expect(await storeCosts(shop.ctx, [], { file })).to.include({ Rows: 2, Added: 1, Empty: 1 })
    expect((await listCosts(shop.ctx))[0]).to.include({ Cost: 50, LowestPrice: 60, RecommendedPrice: 99 })
    const bad = shop.file('bad.csv', 'Id,Cost\n1,60\n2,x\n')
    const error = (await thrown(() => storeCosts(shop.ctx, [], { file: bad }))) as SellerError
    expect(error.hint).to.match(/^Nothing was stored\./)
    expect(((await thrown(() => storeCosts(shop.ctx, ['1=x'], {}))) as SellerError).hint).to.match(/^Nothing was stored\./)
    expect((await listCosts(shop.ctx))[0]).to.include({ Cost: 50 })
  })

  it('are of one shop: a profile must say whose it is', async () => {
    const shop = shopWith({ settings: { user_id: undefined } })
    expect(await thrown(() => storeCosts(shop.ctx, ['1=5'], {}))).to.include({ category: 'auth' })
    expect(await thrown(() => listCosts(shop.ctx))).to.include({ category: 'auth' })
  })
})
