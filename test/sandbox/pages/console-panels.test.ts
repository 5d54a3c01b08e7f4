/** The panels of the console, from records of the marketplace. */
import { expect } from 'chai'
import type { ConsoleCalls, ConsoleEidSession, ConsoleItem, ConsoleRequest } from '../../../src/sandbox/marketplace/index.js'
import { callsPanel, itemsPanel, itemsRange, phonePanel, queuePanel } from '../../../src/sandbox/pages/console-panels.js'

const NOW = Date.parse('2026-03-02T10:00:00Z')
const ITEM: ConsoleItem = {
  ...{ id: 1001, title: 'Vas', type: 'Auction', sellerId: 7, sellerAlias: 'ann', categoryId: 16, price: 12_500, quantity: 1 },
  ...{ bids: 0, startDate: '2026-03-01T11:00:00+01:00', endDate: '2026-03-09T11:00:00+01:00', state: 'active' },
  ...{ imageId: undefined, imageLink: undefined },
}
const REQUEST: ConsoleRequest = {
  ...{ requestId: 5, count: 1, operation: 'AddItem', userId: 7, itemId: 1001, queuedAt: '2026-03-02T10:59:00+01:00' },
  ...{ dueAt: '2026-03-02T11:01:00+01:00', state: 'waiting', images: 0 },
  ...{ resultCode: undefined, message: undefined },
}
/** The text of a panel's cells. */
const cells = (html: string) =>
  [...html.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) =>
    cell
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )

describe('the items of the console', () => {
  const none = new URLSearchParams()
  const row = (item: Partial<ConsoleItem>) => cells(itemsPanel([{ ...ITEM, ...item }], 0, 1, none))
  const buys = (item: Partial<ConsoleItem>) => itemsPanel([{ ...ITEM, ...item }], 0, 1, none).includes('action="/_sandbox/buy"')

  for (const [what, item, price, stock, state] of [
    ['an auction without bids', {}, '12 500 kr', '0 bids', 'active to 2026-03-09 11:00'],
    ['an auction with a bid', { bids: 1 }, '12 500 kr', '1 bid', 'active to 2026-03-09 11:00'],
    ['an auction with bids', { bids: 2, state: 'ended' }, '12 500 kr', '2 bids', 'ended 2026-03-09 11:00'],
    ['a shop item', { type: 'ShopItem', quantity: 1200 }, '12 500 kr', '1 200 left', 'active to 2026-03-09 11:00'],
    [
      'a shop item without an end',
      { type: 'ShopItem', endDate: '2099-12-31T23:59:59+01:00' },
      ...['12 500 kr', '1 left', 'active until removed'],
    ],
    ['what begins later', { type: 'PureBuyItNow', state: 'future' }, '12 500 kr', '', 'future from 2026-03-01 11:00'],
    ['what has no price', { type: 'ContactOnly', price: null }, '', '', 'active to 2026-03-09 11:00'],
  ] as const) {
    it(`have price, stock and state of ${what}`, () => {
      expect(row(item as Partial<ConsoleItem>).slice(2, 5)).to.deep.equal([price, stock, state])
    })
  }

  for (const [what, item, can] of [
    ['a shop item in stock', { type: 'ShopItem' }, true],
    ['a shop item that is sold out', { type: 'ShopItem', quantity: 0 }, false],
    ['a buy-now item', { type: 'PureBuyItNow' }, true],
    ['one that has ended', { type: 'PureBuyItNow', state: 'ended' }, false],
    ['one without a price', { type: 'PureBuyItNow', price: null }, false],
    ['an auction', {}, false],
  ] as const) {
    it(`${can ? 'can be' : 'cannot be'} bought: ${what}`, () => {
      expect(buys(item)).to.equal(can)
    })
  }

  it('have a picture by its path, or the first letter of the title', () => {
    const picture = itemsPanel([{ ...ITEM, imageId: 3, imageLink: 'http://127.0.0.1:1/images/thumb/3.png' }], 0, 1, none)
    expect(picture).to.include('<img src="/images/thumb/3.png" alt=""')
    expect([row({ title: '«ål»' })[0], row({ title: '★★' })[0]]).to.deep.equal(['Å', '?'])
  })

  it('say that there are none, and how to see the others', () => {
    expect(itemsPanel([], 0, 0, none)).to.include('No items here. Add one by AddItem')
    expect(itemsPanel([], 0, 0, new URLSearchParams('q=x')))
      .to.include('No item matches.')
      .and.include('Show all items')
  })

  it('say where the page is among all', () => {
    expect(itemsRange(0, 0, 0)).to.equal('none')
    expect(itemsRange(25, 25, 1420)).to.equal('26 to 50 of 1\u00a0420')
  })

  it('lead to the pages before and after, with the filter', () => {
    const links = (offset: number, total: number) =>
      [...itemsPanel([ITEM], offset, total, new URLSearchParams('q=a')).matchAll(/<a href="([^"]+)" data-key="(\w+)"/g)].map(
        ([, to, name]) => `${name} ${to}`,
      )
    expect(links(0, 25)).to.deep.equal([])
    expect(links(0, 26)).to.deep.equal(['Older /?q=a&amp;offset=25#items'])
    expect(links(25, 26)).to.deep.equal(['Newer /?q=a&amp;offset=0#items'])
    expect(links(25, 51)).to.deep.equal(['Newer /?q=a&amp;offset=0#items', 'Older /?q=a&amp;offset=50#items'])
  })
})

describe('the queue of the console', () => {
  const row = (request: Partial<ConsoleRequest>) => cells(queuePanel([{ ...REQUEST, ...request }], NOW))

  it('says that nothing was queued', () => {
    expect(queuePanel([], NOW)).to.include('Nothing was queued yet.')
  })

  it('names the requests of a call by the first and the last, and their items or the one', () => {
    expect(row({}).slice(0, 2)).to.deep.equal(['5', 'AddItem item 1001'])
    expect(row({ images: 1 })[1]).to.equal('AddItem item 1001, 1 image')
    expect(row({ images: 2 })[1]).to.equal('AddItem item 1001, 2 images')
    expect(row({ count: 1500, itemId: null }).slice(0, 2)).to.deep.equal(['5 to 1504', 'AddItem 1 500 items'])
  })

  for (const [what, request, shown, mark] of [
    ['its commit', { state: 'uncommited', dueAt: null }, 'waits for its commit', 'state warn'],
    ['its turn', {}, 'due in 1 min', 'value="0.50"'],
    ['a turn that has come', { dueAt: '2026-03-02T10:59:30+01:00' }, 'due in 0 s', 'value="1.00"'],
    ['a turn that is not set', { dueAt: null }, 'due in 0 s', 'value="1.00"'],
    ['nothing: it is done', { state: 'finished', resultCode: 'Ok' }, 'Ok', 'state good'],
    [
      'nothing: it may be tried again',
      { state: 'finished', resultCode: 'Error TryAgain', message: 'busy & <slow>' },
      ...['Error TryAgain busy &amp; &lt;slow&gt;', 'state warn'],
    ],
    ['nothing: it failed', { state: 'finished', resultCode: 'Error', message: '' }, 'Error', 'state bad'],
  ] as const) {
    it(`shows a request that waits for ${what}`, () => {
      expect(row(request as Partial<ConsoleRequest>)[3]).to.equal(shown)
      expect(queuePanel([{ ...REQUEST, ...(request as Partial<ConsoleRequest>) }], NOW)).to.include(mark)
    })
  }
})

describe('the calls of the console', () => {
  const calls: ConsoleCalls = { appId: 1, used: 1250, quota: null, windowMs: 86_400_000 }

  it('are counted without a quota', () => {
    expect(callsPanel([calls]))
      .to.include('1\u00a0250 in 24 h, no quota')
      .and.not.include('<meter')
  })

  it('are measured against a quota, which may be 0', () => {
    const half = callsPanel([{ ...calls, quota: 2500 }])
    expect(half).to.include('1\u00a0250 of 2\u00a0500 in 24 h').and.include('<meter min="0" max="2500" high="2000"')
    expect(half).to.include('value="1250"')
    expect(callsPanel([{ ...calls, quota: 1000 }]), 'over it').to.include('value="1000"')
    expect(callsPanel([{ ...calls, quota: 0 }]))
      .to.include('max="1"')
      .and.include('value="0"')
  })
})

describe('the phone of the console', () => {
  const session = (orderRef: string, state: ConsoleEidSession['state'], onFile = false): ConsoleEidSession => ({
    ...{
      orderRef,
      userId: 7,
      userName: `Åsa & ${orderRef}`,
      state,
      startedAt: '2026-03-02T11:00:00+01:00',
      progress: 'Wait',
      onFile,
    },
  })

  it('is idle where no one is asked', () => {
    expect(phonePanel([])).to.include('No one is asked to verify.').and.not.include('<dl')
  })

  it('rings for three sessions at most, each with its buttons', () => {
    const html = phonePanel([
      session('a', 'pending'),
      session('b', 'pending', true),
      session('c', 'pending'),
      session('d', 'pending'),
    ])
    expect([...html.matchAll(/data-key="approve-(\w)"/g)].map(([, ref]) => ref)).to.deep.equal(['a', 'b', 'c'])
    expect(html.match(/Electronic ID(, on file)?</g)).to.deep.equal([
      'Electronic ID<',
      'Electronic ID, on file<',
      'Electronic ID<',
    ])
    expect(html).to.include('Åsa &amp; a')
  })

  it('says how the last five sessions ended', () => {
    const ended = (['approved', 'failed', 'cancelled', 'failed', 'failed', 'approved'] as const).map((state, at) =>
      session(`${at}`, state),
    )
    const html = phonePanel(ended)
    expect([...html.matchAll(/<span class="(\w+)">(\w+)<\/span>/g)].map(([, tone, state]) => `${tone} ${state}`)).to.deep.equal([
      'good approved',
      'bad failed',
      'bad cancelled',
      'bad failed',
      'bad failed',
    ])
  })
})
