/** call: which operation a name means, what is recorded before it is sent, and what its answer becomes. */
import { expect } from 'chai'
import { callOperation, callRaw, type Naming, namedOperation } from '../../../src/actions/call/call.js'
import { sendDescribed } from '../../../src/actions/call/described.js'
import { apart, givenTree, isTree, numbered, untyped } from '../../../src/actions/call/tree.js'
import { InputFaults } from '../../../src/actions/input/index.js'
import { EXIT } from '../../../src/cli/errors.js'
import { operations } from '../../../src/contract/index.js'
import { type SoapClient, SoapError } from '../../../src/soap/client/index.js'
import { FakeService } from '../../jobs/bulk/support.js'
import { FakeContext, thrownBy } from '../support.js'

describe('call', () => {
  let fake: FakeContext
  beforeEach(() => {
    fake = new FakeContext(new FakeService())
  })
  afterEach(() => fake.close())

  describe('by the name of an operation', () => {
    const named = (text: string, naming: Naming = {}) => namedOperation(fake.ctx, text, naming)

    it('means that of the contract, of either service', async () => {
      const item = await named('GetItem')
      expect(item).to.deep.equal({
        ref: 'GetItem',
        name: 'GetItem',
        known: operations.GetItem,
        knownName: 'GetItem',
        user: true,
      })
      for (const [text, naming] of [
        ['PublicService.GetItem', {}],
        ['GetItem', { service: 'public' }],
        ['PublicService.GetItem', { service: 'public' }],
      ] as const) {
        const found = await named(text, naming)
        expect(found, text).to.include({ ref: 'PublicService.GetItem', name: 'GetItem', user: false })
      }
      expect(await named('RestrictedService.GetItem')).to.include({ ref: 'GetItem' })
      expect(await named('GetItem', { service: 'restricted' })).to.include({ ref: 'GetItem' })
      expect(await named('GetCategories')).to.include({ ref: 'GetCategories', user: false })
    })

    it('is refused where the service contradicts it', async () => {
      expect(await thrownBy(() => named('PublicService.GetItem', { service: 'restricted' }))).to.include({
        code: 'service_contradicts',
        message: '"PublicService.GetItem" belongs to PublicService, but --service is restricted.',
      })
    })

    it('needs no kind where it is known', async () => {
      for (const [kind, flag] of [
        ['read', '--read'],
        ['single write', '--write'],
      ] as const) {
        const error = await thrownBy(() => named('GetItem', { kind }))
        expect(error).to.include({
          code: 'stray_flag',
          message: `${flag} does not apply to GetItem, which is known as a ${operations.GetItem.kind}.`,
        })
      }
    })

    it('names the nearest where it is unknown', async () => {
      const error = await thrownBy(() => named('GetItm'))
      expect(error).to.include({ code: 'unknown_operation', message: 'There is no operation "GetItm" in the contract.' })
      expect(error.hint).to.match(/^Did you mean GetItem\? See all with: /)
      expect((await thrownBy(() => named('RestrictedService.GetItm'))).hint).to.match(/^Did you mean GetItem\? /)
      expect((await thrownBy(() => named('Xyzzyqwert'))).hint).to.match(/^See all with: /)
      expect(await thrownBy(() => named('PublicService.Unheard'))).to.have.property('code', 'unknown_operation')
    })

    it('may be unknown where the service is named, and is then a read by its name or the flag', async () => {
      for (const [text, naming, ref, user] of [
        ['GetNews', { service: 'public' }, { service: 'PublicService', operation: 'GetNews', kind: 'read' }, false],
        [
          'SetNews',
          { service: 'restricted' },
          { service: 'RestrictedService', operation: 'SetNews', kind: 'single write' },
          true,
        ],
        ['SetNews', { service: 'public', kind: 'read' }, { service: 'PublicService', operation: 'SetNews', kind: 'read' }, false],
        [
          '_a.b-c',
          { service: 'public', kind: 'single write' },
          { service: 'PublicService', operation: '_a.b-c', kind: 'single write' },
          false,
        ],
      ] as const) {
        expect(await named(text, naming)).to.deep.equal({ ref, name: text, user })
      }
      for (const text of ['1x', 'a b', 'a<', '-a', '.a']) {
        const error = await thrownBy(() => named(text, { service: 'public', kind: 'read' }))
        expect(error, text).to.have.property('code', 'invalid_operation')
      }
    })
  })

  describe('with an answer', () => {
    const answering = (answer: unknown) => {
      const sent: unknown[] = []
      const client = {
        callAny: async (...given: unknown[]) => {
          sent.push(given)
          if (answer instanceof Error) throw answer
          return answer
        },
        callRaw: async (...given: unknown[]) => {
          sent.push(given)
          if (answer instanceof Error) throw answer
          return { text: '<reply/>', value: answer }
        },
      } as unknown as SoapClient
      return { sent, client }
    }
    const call = async (name: string, answer: unknown, params: Record<string, unknown> = {}, naming: Naming = {}) =>
      callOperation(fake.ctx, answering(answer).client, await namedOperation(fake.ctx, name, naming), params)
    const rows = () =>
      fake.bench.ledger.requests.list().map(({ Operation, Subject, State, RequestId }) => [Operation, Subject, State, RequestId])
    const news = { service: 'public' }

    it('is a document: what it is, or under the name of its element', async () => {
      expect(await call('GetItem', { Id: 1 })).to.deep.equal({ Id: 1 })
      expect(await call('GetCategories', [1])).to.deep.equal([1])
      expect(await call('GetOfficalTime', '2026-11-22')).to.deep.equal({ GetOfficalTimeResult: '2026-11-22' })
      const bytes = new Uint8Array([1])
      expect(await call('GetNews', bytes, {}, news)).to.deep.equal({ GetNewsResult: bytes })
      expect(await call('GetNews', false, {}, news)).to.deep.equal({ GetNewsResult: false })
      for (const none of [null, undefined]) expect(await call('GetNews', none, {}, news)).to.deep.equal({ GetNewsResponse: null })
      expect(rows()).to.deep.equal([])
    })

    it('is an error where a read that has a result was answered without one', async () => {
      for (const none of [null, undefined]) {
        const error = await thrownBy(() => call('GetItem', none))
        expect(error).to.include({
          code: 'no_result',
          message: 'GetItem returned no result: what you asked for does not exist.',
        })
      }
      expect(await call('AddItemImage', null)).to.deep.equal({ AddItemImageResponse: null })
    })

    it('is sent once, with what Ctrl-C ends it by', async () => {
      const { client, sent } = answering({ Id: 1 })
      const operation = await namedOperation(fake.ctx, 'GetItem', {})
      await callOperation(fake.ctx, client, operation, { itemId: 1 })
      expect(sent).to.deep.equal([['GetItem', { itemId: 1 }, { signal: fake.signal }]])
    })

    it('is the text of the reply where that is wanted, with the same record', async () => {
      const { client, sent } = answering({ RequestId: 17, ItemId: 5 })
      const operation = await namedOperation(fake.ctx, 'AddItem', {})
      expect(await callRaw(fake.ctx, client, operation, { itemRequest: { Title: 'Vas' } })).to.equal('<reply/>')
      expect(sent).to.have.length(1)
      expect(rows()).to.deep.equal([['AddItem', 'Vas', 'queued', 17]])
      expect(fake.said).to.deep.equal(['? Queued. Wait for the outcome with: seller requests:wait 17 -p shop'])
    })

    for (const [name, params, subject] of [
      ['AddItem', { itemRequest: { Title: 'Vas' } }, 'Vas'],
      ['AddShopItem', { shopItemData: { Title: 'Fat' } }, 'Fat'],
      ['RemoveShopItem', { shopItemId: 5 }, 'item 5'],
      ['UpdateShopItem', { updateData: { ItemId: 6 } }, 'item 6'],
      ['RemoveShopItem', {}, ''],
    ] as const) {
      if (!Object.hasOwn(operations, name)) continue
      it(`is recorded by what ${name} is about: ${subject || 'nothing'}`, async () => {
        await call(name, { RequestId: 17, ItemId: 5 }, params)
        expect(rows()).to.deep.equal([[name, subject, 'queued', 17]])
      })
    }

    it('is recorded for each item of a call with many, with all that are queued to wait for', async () => {
      const answer = {
        QueuedRequestResponses: [
          { RequestId: 21, ItemId: 1 },
          { RequestId: 22, ItemId: 2 },
        ],
        ValidationErrors: [{ Item: { Id: 3 }, ErrorMessage: 'no' }],
      }
      const params = { request: { ShopItems: [1, 2, 3].map((Id) => ({ Id, Price: 5 })) } }
      expect(await call('SetPriceOnShopItems', answer, params)).to.equal(answer)
      expect(rows()).to.have.length(3)
      expect(rows().filter(([, , state]) => state === 'queued')).to.have.length(2)
      expect(fake.said.at(-1)).to.equal('? Queued. Wait for the outcome with: seller requests:wait 21 22 -p shop')
      fake.said = []
      await call('SetPriceOnShopItems', { QueuedRequestResponses: [], ValidationErrors: [] })
      expect(fake.said).to.deep.equal([])
    })

    it('names 20 requests to wait for at most, and beyond that all', async () => {
      const many = async (count: number): Promise<string | undefined> => {
        const ids = Array.from({ length: count }, (_, at) => at + 1)
        fake.said = []
        await call(
          'SetPriceOnShopItems',
          { QueuedRequestResponses: ids.map((id) => ({ RequestId: 1000 * count + id, ItemId: id })), ValidationErrors: [] },
          { request: { ShopItems: ids.map((Id) => ({ Id, Price: 5 })) } },
        )
        return fake.said.at(-1)?.replace('? Queued. Wait for the outcome with: seller requests:wait ', '')
      }
      expect((await many(20))?.split(' ')).to.have.length(22)
      expect(await many(21)).to.equal(' -p shop')
    })
  })

  describe('of an operation that only the description has', () => {
    const send = (answer: unknown) =>
      sendDescribed(fake.ctx, 'QueueIt', 'a subject', async () => {
        expect(fake.bench.ledger.requests.list().map(({ State }) => State)).to.deep.equal(['sending'])
        if (answer instanceof Error) throw answer
        return answer
      })
    const states = () => fake.bench.ledger.requests.list().map(({ State }) => State)

    it('is in the ledger before it is sent, and queued with its id', async () => {
      const { answer, row } = await send({ RequestId: 17, ItemId: 5 })
      expect(answer).to.deep.equal({ RequestId: 17, ItemId: 5 })
      expect(row).to.include({ RequestId: 17, State: 'queued', Operation: 'QueueIt', Subject: 'a subject' })
      expect(fake.bench.ledger.requests.list()[0]).to.include({ Profile: 'shop', UserId: 7 })
    })

    for (const answer of [
      null,
      {},
      { RequestId: 17 },
      { ItemId: 5 },
      { RequestId: 0, ItemId: 5 },
      { RequestId: '17', ItemId: 5 },
    ]) {
      it(`is of unknown outcome where the answer has no ids: ${JSON.stringify(answer)}`, async () => {
        const error = await thrownBy(() => send(answer))
        expect(error).to.include({ code: 'unknown_outcome', exitCode: EXIT.unknownOutcome })
        expect(error.details).to.deep.equal({ operation: 'QueueIt', sent: true })
        expect(states()).to.deep.equal(['unknown'])
      })
    }

    it('may have the least id', async () => {
      expect((await send({ RequestId: 1, ItemId: 1 })).row.State).to.equal('queued')
    })

    it('is refused, or of unknown outcome, as the error says', async () => {
      const refused = new SoapError('fault', 'no', { operation: 'QueueIt', sent: true, faultCode: 'Client', faultString: 'no' })
      expect(await thrownBy(() => send(refused))).to.equal(refused)
      expect(states()).to.deep.equal(['refused'])
    })

    it('is of unknown outcome where the answer was lost', async () => {
      const lost = new SoapError('unknown-outcome', 'lost', { operation: 'QueueIt', sent: true })
      expect(await thrownBy(() => send(lost))).to.equal(lost)
      expect(states()).to.deep.equal(['unknown'])
    })
  })
})

describe('the arguments of call as a tree', () => {
  const tree = (...args: string[]) => {
    const faults = new InputFaults()
    return { tree: givenTree(args, faults), faults: faults.all.map(({ field, value, message }) => [field, value, message]) }
  }

  it('has names, parts and repeats', () => {
    expect(tree('a=1', 'b.c=2', 'b.d.e=3', 'a=4', 'a=5', 'f==x', 'g=').tree).to.deep.equal({
      a: ['1', '4', '5'],
      b: { c: '2', d: { e: '3' } },
      f: '=x',
      g: '',
    })
  })

  it('has a fault for each argument without a name or a part', () => {
    const none = 'is not name=value'
    for (const arg of ['a', '=1', '.a=1', 'a.=1', 'a..b=1', '']) {
      expect(tree(arg).faults, arg).to.deep.equal([['argument', arg, none]])
    }
    const both = 'is given both as a value and by its parts'
    expect(tree('a=1', 'a.b=2').faults).to.deep.equal([['a.b', 'a.b=2', both]])
    expect(tree('a.b=2', 'a=1').faults).to.deep.equal([['a', 'a=1', both]])
    expect(tree('a=1', 'a=2', 'a.b=3').faults).to.deep.equal([['a.b', 'a.b=3', both]])
  })

  it('has lists by number, in the order of the numbers', () => {
    expect(numbered({ 10: 'c', 2: 'b', 0: 'a' })).to.deep.equal(['a', 'b', 'c'])
    for (const names of [[], ['a'], ['0', 'b'], ['0x'], ['x0']])
      expect(numbered(Object.fromEntries(names.map((name) => [name, '1'])))).to.equal(undefined)
    expect(untyped({ rows: { 1: { Id: '2' }, 0: { Id: '1' } }, a: ['1', '2'], b: 'x' })).to.deep.equal({
      rows: [{ Id: '1' }, { Id: '2' }],
      a: ['1', '2'],
      b: 'x',
    })
  })

  it('comes apart where names are repeated', () => {
    expect(apart({ Id: ['1', '2'], Price: ['5'] })).to.deep.equal([{ Id: '1', Price: '5' }, { Id: '2' }])
    expect(apart({ Id: '1' })).to.deep.equal([{ Id: '1' }])
    expect(apart({})).to.deep.equal([])
    for (const [given, is] of [
      [{}, true],
      [{ a: '1' }, true],
      [['a'], false],
      ['a', false],
      [undefined, false],
    ] as const) {
      expect(isTree(given as never)).to.equal(is)
    }
  })
})
