import { expect } from 'chai'
import { knownShipping } from '../../../src/actions/reference/shipping.js'
import type { Context } from '../../../src/cli/context.js'
import { SHIPPING_OPTIONS } from '../../../src/contract/index.js'
import type { SoapClient } from '../../../src/soap/client/index.js'
import { cleanUp, FakeClock, temporaryDirectory } from '../../jobs/harness.js'

describe('the known ways of sending', () => {
  afterEach(cleanUp)

  const way = (ShippingOptionId: number | null, Cost: number, ShippingProviderId: number | null = null) => ({
    ShippingOptionId,
    ShippingProviderId,
    Cost,
  })
  const known = async (items: readonly (readonly object[])[], products: readonly object[] = [], user: number | undefined = 7) => {
    let streamed = 0
    const client = {
      callAny: async () => ({ ProductsPerWeightSpan: [{ Products: products }] }),
      async *stream() {
        streamed++
        for (const [at, ShippingOptions] of items.entries()) yield { Id: at + 1, ShippingOptions }
      },
    } as unknown as SoapClient
    const ctx = {
      clock: new FakeClock(),
      dataDir: temporaryDirectory(),
      signal: new AbortController().signal,
      profile: { name: 'shop', embedded: true, settings: { user_id: user ?? undefined } },
      output: { progress: () => ({ update: () => undefined, stop: () => undefined }) },
    } as unknown as Context
    return { ...(await knownShipping(ctx, client, true)), streamed: () => streamed, ctx, client }
  }
  const { pickup } = SHIPPING_OPTIONS
  const named = Object.entries(SHIPPING_OPTIONS)

  it('are pickup, what own items use by provider, and the options by name, with what most items ask', async () => {
    const own = SHIPPING_OPTIONS['own-cost']
    const { records, listed } = await known([
      [way(own, 49), way(null, 62, 2)],
      [way(own, 59), way(pickup, 0)],
      [way(own, 59), way(null, 62, 2)],
      [way(null, 80, 3), way(own, 10)],
    ])
    expect(listed).to.equal(false)
    expect(
      records.map(({ Name, ShippingProviderId, ShippingOptionId, Cost, Items, From }) => [
        Name,
        ShippingProviderId,
        ShippingOptionId,
        Cost,
        Items,
        From,
      ]),
    ).to.deep.equal([
      ['pickup', null, pickup, 0, 1, 'known'],
      [null, 2, null, 62, 2, 'items'],
      [null, 3, null, 80, 1, 'items'],
      ...named
        .filter(([name]) => name !== 'pickup')
        .map(([name, id]) => [name, null, id, id === own ? 59 : null, id === own ? 4 : 0, 'known']),
    ])
  })

  it('cost what pickup costs on the items that have a price for it', async () => {
    expect((await known([[way(pickup, 25)]])).records[0]).to.include({ Name: 'pickup', Cost: 25, Items: 1 })
    expect((await known([])).records[0]).to.include({ Name: 'pickup', Cost: 0, Items: 0 })
  })

  it('are the products of the service where it lists them, and then no item is read', async () => {
    const product = { Id: 21, ShippingProvider: 'Posten', ShippingProviderId: 2, Name: 'Paket', Weight: 1.5, Price: 62 }
    const { records, listed, streamed } = await known(
      [[way(null, 9, 5)]],
      [product, { ...product, Id: 22, ShippingProvider: null, Name: null }],
    )
    expect([listed, streamed()]).to.deep.equal([true, 0])
    expect(records.filter(({ From }) => From === 'service')).to.deep.equal([
      {
        Name: 'Posten, Paket',
        ShippingProviderId: 2,
        ShippingOptionId: null,
        ShippingProductId: 21,
        Weight: 1.5,
        Cost: 62,
        Items: 0,
        From: 'service',
      },
      {
        Name: 'Provider 2, Product 22',
        ShippingProviderId: 2,
        ShippingOptionId: null,
        ShippingProductId: 22,
        Weight: 1.5,
        Cost: 62,
        Items: 0,
        From: 'service',
      },
    ])
    expect(records).to.have.lengthOf(named.length + 2)
  })

  it('of own items are not read where the profile does not say whose they are', async () => {
    const { records, streamed } = await known([[way(null, 9, 5)]], [], null as never)
    expect([streamed(), records.filter(({ From }) => From === 'items')]).to.deep.equal([0, []])
  })

  it('are asked for again where the list is to be fresh', async () => {
    const product = { Id: 21, ShippingProvider: 'Posten', ShippingProviderId: 2, Name: 'Paket', Weight: 1.5, Price: 62 }
    const { ctx } = await known([], [product])
    const other = {
      callAny: async () => ({ ProductsPerWeightSpan: [{ Products: [{ ...product, Price: 70 }] }] }),
    } as unknown as SoapClient
    const cost = async (fresh: boolean) =>
      (await knownShipping(ctx, other, fresh)).records.find(({ From }) => From === 'service')?.Cost
    expect([await cost(false), await cost(true), await cost(false)]).to.deep.equal([62, 70, 70])
  })

  it('are kept for a week, and read again when they are older', async () => {
    const { ctx, client, streamed } = await known([[way(null, 9, 5)]])
    const clock = ctx.clock as FakeClock
    const again = async () => (await knownShipping(ctx, client)).records.filter(({ From }) => From === 'items').length
    expect([await again(), streamed()]).to.deep.equal([1, 1])
    clock.time += 8 * 86_400_000
    expect([await again(), streamed()]).to.deep.equal([1, 2])
  })
})
