/** items:end, and the reading of items: which calls are made, what is refused, and what is told. */
import { expect } from 'chai'
import { endItems } from '../../../src/actions/items/end.js'
import { type ItemFilter, itemQuery } from '../../../src/actions/items/filter.js'
import { listItems } from '../../../src/actions/items/list.js'
import { browseItems, readItems, showItems } from '../../../src/actions/items/show.js'
import { openAddresses, pagesOf, tellOfLinks } from '../../../src/actions/items/web.js'
import type { Context } from '../../../src/cli/context.js'
import { EXIT } from '../../../src/cli/errors.js'
import type { ItemRecord } from '../../../src/format/views/index.js'
import { FakeService } from '../../jobs/bulk/support.js'
import { FakeContext, thrownBy } from '../support.js'

const PAST = '2026-01-01T00:00:00Z'
const FUTURE = '2026-02-01T00:00:00Z'

describe('items one by one', () => {
  let fake: FakeContext
  let items: Record<number, Partial<ItemRecord> | null>
  let calls: string[]
  /** What EndItem does and answers. */
  let ending: (id: number) => boolean
  let clients: object[]
  let shows: string[]
  let streamed: unknown[]
  beforeEach(() => {
    fake = new FakeContext(new FakeService())
    fake.profile.settings = { user_id: 7, token: 't' }
    items = {
      1: { Id: 1, ShortDescription: 'Vas', ItemType: 'Auction', TotalBids: 0, EndDate: FUTURE },
      2: { Id: 2, ShortDescription: 'Fat', ItemType: 'Auction', TotalBids: 0, EndDate: FUTURE },
    }
    calls = []
    clients = []
    shows = []
    streamed = []
    ending = () => true
  })
  afterEach(() => fake.close())
  const ctx = (): Context => {
    const client = {
      call: async (operation: string, { itemId }: { itemId: number }) => {
        calls.push(`${operation} ${itemId}`)
        return operation === 'EndItem' ? ending(itemId) : (items[itemId] ?? null)
      },
      stream: (...given: unknown[]) => {
        streamed = given
        return Object.values(items)
      },
    }
    const { output } = fake.ctx
    return {
      ...fake.ctx,
      output: {
        ...output,
        shows: (_: unknown, column: string) => shows.includes(column),
        text: (text: string) => void fake.beside.push(text),
      },
      client: async (needs: object) => {
        clients.push(needs)
        return client
      },
    } as unknown as Context
  }

  describe('that are ended', () => {
    it('are read, asked about together, and ended one by one', async () => {
      const { records, code } = await endItems(ctx(), [1, 2], {})
      expect(code).to.equal(EXIT.ok)
      expect(records).to.deep.equal([
        { ItemId: 1, Title: 'Vas', Ended: true, Reason: null },
        { ItemId: 2, Title: 'Fat', Ended: true, Reason: null },
      ])
      expect(calls).to.deep.equal(['GetItem 1', 'GetItem 2', 'EndItem 1', 'EndItem 2'])
      expect(fake.questions).to.deep.equal([
        { message: 'End 2 items now? It cannot be undone.', flag: '--yes', given: undefined },
      ])
      expect(fake.interruptions.map(({ sent }) => sent)).to.deep.equal([
        '0 of 2 were looked at or ended.',
        '1 of 2 were looked at or ended.',
      ])
    })

    it('are named in the question where there is one', async () => {
      await endItems(ctx(), [1], { yes: true })
      items[2] = { ...items[2], ShortDescription: undefined }
      await endItems(ctx(), [2], {})
      expect(fake.questions.map(({ message, given }) => [message, given])).to.deep.equal([
        ['End item 1 "Vas" now? It cannot be undone.', true],
        ['End item 2 "" now? It cannot be undone.', undefined],
      ])
    })

    it('are not ended without a yes, nor with --dry-run', async () => {
      fake.yes = false
      await thrownBy(() => endItems(ctx(), [1], {}))
      items[2] = { ...items[2], EndDate: PAST, ShortDescription: undefined }
      const { records, code } = await endItems(ctx(), [1, 2], { 'dry-run': true })
      expect(calls.some((call) => call.startsWith('EndItem'))).to.equal(false)
      expect(code).to.equal(EXIT.ok)
      expect(records).to.deep.equal([
        { ItemId: 1, Title: 'Vas', Ended: false, Reason: null },
        { ItemId: 2, Title: null, Ended: true, Reason: null },
      ])
      expect(fake.said).to.deep.equal(['Nothing was sent. 1 of 2 would be ended, one call each:'])
      expect(fake.questions).to.have.length(1)
    })

    it('count as ended where they had ended before, and nothing is asked or sent', async () => {
      items[1] = { ...items[1], EndDate: new Date(fake.bench.clock.now()).toISOString(), TotalBids: 3 }
      const { records, code } = await endItems(ctx(), [1], {})
      expect(records).to.deep.equal([{ ItemId: 1, Title: 'Vas', Ended: true, Reason: 'it had ended before' }])
      expect(code).to.equal(EXIT.ok)
      expect(calls).to.deep.equal(['GetItem 1'])
      expect(fake.questions).to.deep.equal([])
    })

    it('are refused together, with a reason for each, before anything is sent', async () => {
      items[2] = { ...items[2], TotalBids: 4 }
      items[3] = { Id: 3, ItemType: 'ShopItem', TotalBids: 0, EndDate: FUTURE }
      const error = await thrownBy(() => endItems(ctx(), [1, 2, 3, 9], { yes: true }))
      expect(error).to.include({ code: 'cannot_be_ended', exitCode: EXIT.validation })
      expect(error.message.split('\n')).to.deep.equal([
        'Item 2 has bids (4): it runs to its end.',
        'Item 3 is a shop item: take it out of the shop with seller shop:remove 3.',
        'There is no item 9.',
      ])
      expect(calls).to.have.length(4)
    })

    for (const [name, now, ended, reason] of [
      ['it has ended meanwhile', { EndDate: PAST }, true, null],
      ['it has a bid by now', { TotalBids: 1 }, false, 'it has bids (1)'],
      ['nobody says why', {}, false, 'the service did not end it, and did not say why'],
      ['it is gone', null, false, 'the service did not end it, and did not say why'],
    ] as const) {
      it(`are looked at again after a no: ${name}`, async () => {
        ending = () => {
          items[1] = now === null ? null : { ...items[1], ...now }
          return false
        }
        const { records, code } = await endItems(ctx(), [1], { yes: true })
        expect(records).to.deep.equal([{ ItemId: 1, Title: 'Vas', Ended: ended, Reason: reason }])
        expect(code).to.equal(ended ? EXIT.ok : EXIT.validation)
        expect(calls).to.deep.equal(['GetItem 1', 'EndItem 1', 'GetItem 1'])
      })
    }
  })

  describe('that are read', () => {
    const read = async (ids: readonly number[], everyone = false) => {
      const all: unknown[] = []
      for await (const item of readItems(ctx(), { ids, public: everyone, timeoutMs: 5 })) all.push(item)
      return all
    }

    it('come as the seller sees them, in their order', async () => {
      expect(await read([2, 1])).to.deep.equal([items[2], items[1]])
      expect(calls).to.deep.equal(['GetItem 2', 'GetItem 1'])
      expect(clients).to.deep.equal([{ timeoutMs: 5, user: true }])
    })

    it('come as everyone sees them, where that is wanted or nobody is logged in', async () => {
      for (const [settings, everyone, own] of [
        [{ user_id: 7, token: 't' }, true, false],
        [{ user_id: 7, token_command: 'pass' }, false, true],
        [{ user_id: 7 }, false, false],
        [{ token: 't' }, false, false],
      ] as const) {
        fake.profile.settings = settings
        calls = []
        clients = []
        await read([1], everyone)
        expect(calls, JSON.stringify(settings)).to.deep.equal([own ? 'GetItem 1' : 'PublicService.GetItem 1'])
        expect(clients).to.deep.equal([{ timeoutMs: 5, user: own }])
      }
    })

    it('name those that are missing after the others', async () => {
      const error = await thrownBy(() => read([8, 1, 9]))
      expect(error).to.include({ code: 'item_not_found', message: 'There are no items 8, 9.' })
      expect((await thrownBy(() => read([9]))).message).to.equal('There is no item 9.')
      expect(calls).to.have.length(4)
    })

    it('are one record, or several in full', async () => {
      const whole = {
        OwnReferences: [],
        Buyers: [],
        PaymentOptions: [],
        ShippingOptions: [],
        Seller: undefined,
        MaxBidder: undefined,
      }
      for (const id of [1, 2]) items[id] = { ...items[id], ...whole } as never
      await showItems(ctx(), { ids: [1], public: false })
      expect(fake.written.map(({ record, rows }) => [record?.Id, rows])).to.deep.equal([[1, undefined]])
      await showItems(ctx(), { ids: [1, 2], public: false })
      expect(fake.written[1]?.rows).to.have.length(2)
      expect(fake.said).to.deep.equal([])
      expect(calls.every((call) => call.startsWith('GetItem'))).to.equal(true)
    })

    for (const [column, human, operation] of [
      ['CategoryName', false, 'GetCategories'],
      ['CategoryPath', false, 'GetCategories'],
      ['CategoryId', true, 'GetCategories'],
      ['CategoryId', false, undefined],
      ['PaymentNames', false, 'GetPaymentTypes'],
      ['PaymentOptions', true, 'GetPaymentTypes'],
      ['PaymentOptions', false, undefined],
      ['Title', true, undefined],
    ] as const) {
      it(`have names ${operation === undefined ? 'not ' : ''}read for ${column}${human ? ' of a person' : ''}`, async () => {
        fake.human = human
        shows = [column]
        await showItems(ctx(), { ids: [], public: false })
        expect(calls).to.deep.equal([])
        const whole = { OwnReferences: [], Buyers: [], PaymentOptions: [], ShippingOptions: [] }
        items[1] = { ...items[1], ...whole } as never
        await showItems(ctx(), { ids: [1], public: false })
        expect(calls.filter((call) => !call.startsWith('GetItem ')).map((call) => call.split(' ')[0])).to.deep.equal(
          operation === undefined ? [] : [operation],
        )
      })
    }
  })

  describe('that are listed', () => {
    const listed = async (more: object = {}) => {
      fake.written = []
      await listItems(ctx(), { type: 'all', state: 'active', ...more })
      return (fake.written[0]?.rows ?? []).map(({ Id }) => Id)
    }

    it('are all, or those whose title or own reference has the word', async () => {
      items[1] = { ...items[1], OwnReferences: ['Hylla 3'] }
      items[3] = { Id: 3, OwnReferences: undefined, ShortDescription: undefined }
      expect(await listed()).to.deep.equal([1, 2, 3])
      expect(await listed({ search: 'VAS' })).to.deep.equal([1])
      expect(await listed({ search: 'hylla' })).to.deep.equal([1])
      expect(await listed({ search: 'krus' })).to.deep.equal([])
      expect(streamed.slice(0, 2)).to.deep.equal(['GetSellerItems', itemQuery({ type: 'all', state: 'active' }).params])
      expect(clients[0]).to.deep.equal({ timeoutMs: undefined, user: true })
    })

    it('are those of another seller from the public service, without a login', async () => {
      for (const item of Object.values(items)) Object.assign(item as object, { Seller: { Id: 9, Alias: 'x' } })
      expect(await listed({ seller: 9, timeoutMs: 5 })).to.deep.equal([1, 2])
      expect(streamed[0]).to.equal('PublicService.GetSellerItems')
      expect(clients[0]).to.deep.equal({ timeoutMs: 5, user: false })
    })

    it('have names read where a column shows them, and else not', async () => {
      await listed()
      expect(calls).to.deep.equal([])
      for (const [column, operation] of [
        ['CategoryName', 'GetCategories'],
        ['CategoryPath', 'GetCategories'],
        ['PaymentNames', 'GetPaymentTypes'],
      ] as const) {
        shows = [column]
        calls = []
        await listed()
        expect(calls.map((call) => call.split(' ')[0])).to.deep.equal([operation])
        expect(fake.written[0]?.rows).to.have.length(2)
      }
    })
  })

  describe('in a browser', () => {
    it('are printed off a terminal, web addresses alone', async () => {
      await openAddresses(ctx(), ['https://example.com/1', 'file:///etc', 'http://example.com/2'], 'Item 1')
      expect(fake.beside).to.deep.equal(['https://example.com/1', 'http://example.com/2'])
      expect(await thrownBy(() => openAddresses(ctx(), ['file:///etc'], 'Item 1'))).to.include({
        code: 'no_page',
        message: 'Item 1: the service gave no address to open.',
      })
    })

    it('have the page that the service gave, if any', async () => {
      expect(pagesOf({} as ItemRecord)).to.deep.equal([])
      expect(pagesOf({ ItemLink: 'https://example.com' } as ItemRecord)).to.deep.equal(['https://example.com'])
      items[1] = { ...items[1], ItemLink: 'https://example.com/1' }
      await browseItems(ctx(), { ids: [1], public: false })
      expect(fake.beside).to.deep.equal(['https://example.com/1'])
    })

    it('need the sandbox to run where they are its own, which a person is told', () => {
      for (const [human, embedded, told] of [
        [true, true, 1],
        [true, false, 0],
        [false, true, 0],
      ] as const) {
        fake.said = []
        fake.human = human
        tellOfLinks({ ...ctx(), profile: { ...fake.profile, embedded } } as never)
        expect(fake.said).to.have.length(told)
      }
    })
  })
})

describe('the query of items:list', () => {
  const query = (filter: Partial<ItemFilter>) => itemQuery({ type: 'all', state: 'active', ...filter })

  it('has what was asked for, and nothing else', () => {
    expect(query({})).to.deep.equal({
      name: 'GetSellerItems',
      params: {
        categoryId: 0,
        filterActive: 'Active',
        minEndDate: null,
        maxEndDate: null,
        filterItemType: 'All',
        maxStartDate: null,
      },
    })
    expect(query({ category: 5, startedBefore: '2026-01-01', type: 'shop' }).params).to.include({
      categoryId: 5,
      maxStartDate: '2026-01-01',
      filterItemType: 'ShopItem',
    })
  })

  it('takes words for states, and all of them where there are dates, since the service does', () => {
    for (const [state, name] of [
      ['all', 'All'],
      ['active', 'Active'],
      ['inactive', 'Inactive'],
      ['ended', 'Inactive'],
    ] as const) {
      expect(query({ state }).params.filterActive).to.equal(name)
      expect(query({ state, endsAfter: '2026-01-01' }).params.filterActive).to.equal('All')
      expect(query({ state, endsBefore: '2026-01-01' }).params.filterActive).to.equal('All')
      expect(query({ state, startedBefore: '2026-01-01' }).params.filterActive).to.equal(name)
    }
  })

  it('refuses a period without time in it', () => {
    const [one, two] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']
    expect(query({ endsAfter: one, endsBefore: two }).params).to.include({ minEndDate: one, maxEndDate: two })
    for (const [endsAfter, endsBefore] of [
      [two, one],
      [one, one],
    ] as const) {
      expect(() => query({ endsAfter, endsBefore })).to.throw(
        `--ends-after ${endsAfter} is not before --ends-before ${endsBefore}.`,
      )
    }
  })

  it('is for another seller one of the public service, which has no filter for the start', () => {
    expect(query({ seller: 9 })).to.deep.equal({
      name: 'PublicService.GetSellerItems',
      params: {
        userId: 9,
        categoryId: 0,
        filterActive: 'Active',
        minEndDate: null,
        maxEndDate: null,
        filterItemType: 'All',
      },
    })
    try {
      query({ seller: 9, startedBefore: '2026-01-05T00:00:00Z' })
      throw new Error('It was accepted.')
    } catch (error) {
      expect(error).to.have.property('code', 'not_at_public_service')
      expect(error).to.have.property('hint').that.contains('.StartDate < "2026-01-05")')
    }
  })
})
