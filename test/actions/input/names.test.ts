/** Names in place of ids, in flags, in files and in sheets: which are looked up, and what they become. */
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { fieldsWithIds, foundIds, idsOf, withIds } from '../../../src/actions/input/ids.js'
import { openIds } from '../../../src/actions/input/lookup.js'
import { type Ids, isName } from '../../../src/actions/input/named.js'
import type { Context } from '../../../src/cli/context.js'
import { SellerError } from '../../../src/cli/errors.js'
import { SHIPPING_OPTIONS } from '../../../src/contract/index.js'
import { keyOf } from '../../../src/rows/named.js'
import { cleanUp, FakeClock, temporaryDirectory } from '../../jobs/harness.js'
import { thrownBy } from '../support.js'

const OWN_COST = SHIPPING_OPTIONS['own-cost']

describe('names in place of ids', () => {
  afterEach(cleanUp)

  const service = (
    products: readonly object[] = [
      { Id: 6, ShippingProviderId: 4, ShippingProvider: 'Bud', Name: 'Box', Weight: 2, Price: 80 },
      { Id: 7, ShippingProviderId: 4, ShippingProvider: 'Bud', Name: 'Brev', Weight: 1, Price: 40 },
      { Id: 8, ShippingProviderId: 5, ShippingProvider: 'Postbolaget', Name: 'Brev', Weight: 1, Price: 30 },
    ],
    user: number | undefined = 7,
  ) => {
    const calls: string[] = []
    const clients: unknown[] = []
    const notes: string[] = []
    const client = {
      call: async (operation: string) => {
        calls.push(operation)
        if (operation === 'GetCategories') {
          return [
            { Id: 1, Name: 'Hem', Category: [{ Id: 101, Name: 'Vaser', Category: [] }] },
            { Id: 2, Name: 'Glas', Category: [{ Id: 102, Name: 'Vaser', Category: [] }] },
          ]
        }
        return [
          { Id: 8, Description: 'Swish', Value: 'SWISH' },
          { Id: 16, Description: 'Kontant', Value: 'CASH' },
        ]
      },
      callAny: async () => {
        calls.push('products')
        return { ProductsPerWeightSpan: [{ Products: products }] }
      },
      stream: () => Readable.from([]),
    }
    const ctx = {
      clock: new FakeClock(),
      dataDir: temporaryDirectory(),
      signal: new AbortController().signal,
      profile: { name: 'shop', embedded: true, settings: { user_id: user } },
      output: {
        note: (text: string) => notes.push(text),
        progress: () => ({ update: () => undefined, stop: () => undefined }),
      },
      client: async (needs: unknown) => {
        clients.push(needs)
        return client
      },
    } as unknown as Context
    return { ctx, calls, clients, notes, ids: openIds(ctx) }
  }

  it('are texts with a letter in them', () => {
    for (const [text, is] of [
      ['keramik', true],
      ['å', true],
      ['12a', true],
      ['12', false],
      ['-', false],
      ['', false],
      ['1 2', false],
    ] as const) {
      expect(isName(text), text).to.equal(is)
    }
  })

  describe('in the lists of the service', () => {
    it('mean the one leaf that has the words, which is said', async () => {
      const { ids, notes, calls, clients } = service()
      expect(await ids.category('hem vaser', '--category')).to.equal(101)
      expect(notes).to.deep.equal(['Category: Hem > Vaser (101).'])
      expect(await thrownBy(() => ids.category('vaser', '--category'))).to.have.property('code', 'ambiguous_name')
      expect(await thrownBy(() => ids.category('krukor', '--category'))).to.have.property('code', 'unknown_name')
      expect(calls).to.deep.equal(['GetCategories'])
      expect(clients).to.deep.equal([{ user: true }])
    })

    it('are read without a login where nobody is logged in', async () => {
      const { ctx, clients } = service(undefined, undefined)
      const without = { ...ctx, profile: { ...ctx.profile, settings: {} } } as unknown as Context
      await openIds(without).payment('swish', '--payment')
      expect(clients).to.deep.equal([{ user: false }])
    })

    it('mean the payment type by its name or the short name', async () => {
      const { ids } = service()
      expect(await ids.payment('kontant', '--payment')).to.equal(16)
      expect(await ids.payment('CASH', '--payment')).to.equal(16)
      const error = await thrownBy(() => ids.payment('guld', '--payment'))
      expect(error.hint).to.contain('They are Swish; Kontant.')
      expect(error.message).to.contain('--payment')
    })

    for (const [given, read] of [
      ['bud', 'provider=4'],
      ['Bud,cost=59', 'provider=4,cost=59'],
      [' Bud , cost=59', 'provider=4,cost=59'],
      ['provider=Bud,product=Brev,cost=9', 'provider=4,product=7,cost=9'],
      ['provider=Postbolaget, product = Brev', 'provider=5,product=8'],
      ['provider=5,product=8,cost=1', 'provider=5,product=8,cost=1'],
      ['pickup', 'pickup'],
      ['option=pickup', 'pickup'],
      ['option=pickup,cost=5', `option=${SHIPPING_OPTIONS.pickup},cost=5`],
      ['own-cost,cost=9', `option=${OWN_COST},cost=9`],
      ['Own cost', `option=${OWN_COST}`],
      ['option=own-cost', `option=${OWN_COST}`],
      ['cost=own-cost', 'cost=own-cost'],
      ['bud,surcharge=5,discount=a=b', 'provider=4,surcharge=5,discount=a=b'],
      ['provider=12', 'provider=12'],
    ] as const) {
      it(`read the shipping ${given} as ${read}`, async () => {
        expect(await service().ids.shipping(given, '--shipping')).to.equal(read)
      })
    }

    it('need no list for what every service has, and one reading for all others', async () => {
      const { ids, calls } = service()
      await ids.shipping('own-cost', '--shipping')
      await ids.shipping('provider=12', '--shipping')
      expect(calls).to.deep.equal([])
      await ids.shipping('bud', '--shipping')
      await ids.shipping('postbolaget', '--shipping')
      expect(calls).to.deep.equal(['products'])
    })

    it('offer a slip in a word before the lists are read', async () => {
      const { ids, calls } = service()
      const error = await thrownBy(() => ids.shipping('pikup', '--shipping'))
      expect(error).to.include({ code: 'unknown_name', message: '--shipping: no shipping is called "pikup".' })
      expect(error.hint).to.equal('Did you mean pickup? See what is known with: seller reference:shipping')
      expect(error.details).to.deep.equal({ matches: [] })
      expect(calls).to.deep.equal([])
    })

    it('say what to do where the service lists no providers, or not this one', async () => {
      const none = await thrownBy(() => service([]).ids.shipping('Gubben', '--shipping'))
      expect(none.hint).to.contain(
        'The service lists no providers by name. Give provider=ID; see what is known with: seller reference:shipping',
      )
      const other = await thrownBy(() => service().ids.shipping('Gubben', '--shipping'))
      expect(other.hint).to.contain('See what is known with: seller reference:shipping')
      expect(other.hint).to.not.contain('provider=ID')
    })

    it('take a product of the provider that is named, by name or id, and of any where none is', async () => {
      const { ids } = service()
      expect(await thrownBy(() => ids.shipping('provider=Postbolaget,product=Box', '--shipping'))).to.have.property(
        'code',
        'unknown_name',
      )
      expect(await ids.shipping('product=Box', '--shipping')).to.equal('product=6')
      const several = await thrownBy(() => ids.shipping('product=Brev', '--shipping'))
      expect(several.code).to.equal('ambiguous_name')
      expect(`${several.message} ${several.hint}`).to.match(/Bud, Brev[\s\S]*Postbolaget, Brev/)
    })
  })

  /** A look-up that only says what it was asked. */
  const asking = () => {
    const asked: string[] = []
    const ids: Ids = {
      category: async (text, where) => asked.push(`category ${text} ${where}`),
      payment: async (text, where) => 100 + asked.push(`payment ${text} ${where}`),
      shipping: async (text, where) => {
        asked.push(`shipping ${text} ${where}`)
        return 'provider=4,product=6'
      },
    }
    return { asked, ids }
  }

  describe('in flags', () => {
    it('become ids, and everything else stays', async () => {
      const { ctx } = service()
      const flags = {
        title: 'Vas',
        category: 'hem vaser',
        payment: ['swish', '4096'],
        shipping: ['bud,cost=59', 'pickup', 'provider=12,cost=5'],
      }
      expect(await withIds(ctx, flags)).to.deep.equal({
        title: 'Vas',
        category: '101',
        payment: ['8', '4096'],
        shipping: ['provider=4,cost=59', 'pickup', 'provider=12,cost=5'],
      })
    })

    it('cost no call where all are ids, or nothing is given', async () => {
      const { ctx, calls, clients } = service()
      const flags = { category: '5', payment: ['8'], shipping: ['Pickup ', 'option=8', 'provider=12,cost=5'] }
      expect(await withIds(ctx, flags)).to.deep.equal(flags)
      expect(await withIds(ctx, { category: undefined, payment: undefined, shipping: undefined })).to.deep.equal({
        category: undefined,
        payment: undefined,
        shipping: undefined,
      })
      expect(await withIds(ctx, {})).to.deep.equal({})
      expect([calls, clients]).to.deep.equal([[], []])
    })

    for (const [text, named] of [
      ['bud', true],
      ['bud,cost=5', true],
      ['provider=bud', true],
      [' provider = bud', true],
      ['cost=5,product=brev', true],
      ['cost=5, option = pickup', true],
      ['12', false],
      ['provider=12', false],
      ['cost=x', false],
      ['cost=5,weight=a', false],
      ['PICKUP', false],
      ['', false],
      ['12,bud', false],
    ] as const) {
      it(`${named ? 'are' : 'are not'} in --shipping ${text}`, async () => {
        const { ctx } = service()
        const given = await withIds(ctx, { shipping: [text] }).then(
          ({ shipping }) => shipping[0],
          () => 'looked up',
        )
        expect(given === text).to.equal(!named)
      })
    }
  })

  describe('in a file', () => {
    it('become ids, each with its place', async () => {
      const { ids, asked } = asking()
      const fields = {
        Title: 'Vas',
        CategoryId: 'vaser',
        PaymentOptionIds: ['swish', 8, '16'],
        ShippingOptions: [
          'pickup',
          'bud,cost=9',
          { ShippingProviderId: 'Bud', Cost: 5 },
          { ShippingProviderId: 12, Cost: 5 },
          { ShippingProviderId: '12', Cost: 5 },
          { ShippingOptionId: 8, Cost: 0 },
          null,
          7,
        ],
      }
      expect(await fieldsWithIds(fields, ids, (field) => `${field} (line 3)`)).to.deep.equal({
        Title: 'Vas',
        CategoryId: 1,
        PaymentOptionIds: [102, 8, '16'],
        ShippingOptions: [
          { ShippingOptionId: 8, Cost: 0 },
          { Cost: 0, ShippingProviderId: 4, ShippingProductId: 6 },
          { ShippingProviderId: 4, ShippingProductId: 6, Cost: 5 },
          { ShippingProviderId: 12, Cost: 5 },
          { ShippingProviderId: '12', Cost: 5 },
          { ShippingOptionId: 8, Cost: 0 },
          null,
          7,
        ],
      })
      expect(asked).to.deep.equal([
        'category vaser CategoryId (line 3)',
        'payment swish PaymentOptionIds (line 3)',
        'shipping bud,cost=9 ShippingOptions (line 3)',
        'shipping provider=Bud ShippingOptions (line 3)',
      ])
    })

    it('leave ids and other values as they are, and the price out that a name has none of', async () => {
      const { ids, asked } = asking()
      for (const fields of [{}, { CategoryId: 5, PaymentOptionIds: 8, ShippingOptions: 'bud' }, { CategoryId: '5' }]) {
        expect(await fieldsWithIds(fields, ids, String)).to.deep.equal(fields)
      }
      expect(asked).to.deep.equal([])
      expect(await fieldsWithIds({ ShippingOptions: [{ ShippingProviderId: 'Bud' }] }, ids, String)).to.deep.equal({
        ShippingOptions: [{ ShippingProviderId: 4, ShippingProductId: 6 }],
      })
    })
  })

  describe('in a sheet', () => {
    const texts = new Map([
      ['CategoryId', new Set(['vaser'])],
      ['PaymentOptionIds', new Set(['swish'])],
      ['ShippingOptions', new Set(['bud'])],
    ])
    const refusing = (error: Error): Ids => {
      const refuse = async () => {
        throw error
      }
      return { category: refuse, payment: refuse, shipping: refuse }
    }

    it('are found by field', async () => {
      const { ids, asked } = asking()
      const found = await foundIds(ids, texts as never)
      expect([...found.keys()]).to.deep.equal([
        keyOf('CategoryId', 'vaser'),
        keyOf('PaymentOptionIds', 'swish'),
        keyOf('ShippingOptions', 'bud'),
      ])
      expect([...found.values()]).to.deep.equal([
        { value: 1 },
        { value: 102 },
        { value: { Cost: 0, ShippingProviderId: 4, ShippingProductId: 6 } },
      ])
      expect(asked).to.deep.equal(['category vaser CategoryId', 'payment swish PaymentOptionIds', 'shipping bud ShippingOptions'])
    })

    it('have a reason where they fit nothing, or several', async () => {
      const why = async (details: object) => {
        const error = new SellerError('unknown_name', 'no', 'Look there.', details as never)
        return [...(await foundIds(refusing(error), new Map([['CategoryId', new Set(['x'])]]) as never)).values()]
      }
      const none = [{ why: 'names nothing that the service has. Look there.' }]
      expect(await why({ matches: [] })).to.deep.equal(none)
      expect(await why({})).to.deep.equal(none)
      const matches = [
        { id: 1, name: 'A' },
        { id: 2, name: 'B' },
      ]
      expect(await why({ matches })).to.deep.equal([{ why: 'may mean 1 (A), 2 (B); give the id, or more words' }])
    })

    it('throw what a call throws', async () => {
      for (const error of [new Error('no'), new SellerError('unreachable', 'no', 'try again')]) {
        expect(await thrownBy(() => foundIds(refusing(error), texts as never))).to.equal(error)
      }
    })
  })

  it('are looked up once they are there, all by one reading', async () => {
    const { ctx, calls } = service()
    const ids = idsOf(ctx)
    expect(calls).to.deep.equal([])
    expect(
      await Promise.all([ids.payment('swish', 'a'), ids.payment('kontant', 'b'), ids.category('hem vaser', 'c')]),
    ).to.deep.equal([8, 16, 101])
    expect(await ids.shipping('bud', 'd')).to.equal('provider=4')
    expect(calls).to.deep.equal(['GetPaymentTypes', 'GetCategories', 'products'])
  })
})
