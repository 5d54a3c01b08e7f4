/** Names of ids: what is asked for, what is kept and for how long. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { isCurrent, keepNames, MAX_AGE_MS, type NameKind, namesOf, withNames } from '../../../src/actions/reference/names.js'
import { addressOf, keep, readKept } from '../../../src/actions/reference/store.js'
import { cleanUp, thrown } from '../../jobs/harness.js'
import { type FakeShopOptions, fakeShop } from '../fake-shop.js'

const CATEGORIES = [
  {
    Id: 1,
    Name: 'Glas',
    Category: [
      { Id: 2, Name: 'Vaser', Category: [] },
      { Id: 3, Category: [] },
    ],
  },
  { Id: 4, Name: 'Böcker', Category: [] },
]
const PAYMENTS = [{ Id: 8, Description: 'Swish', Value: 'sw' }, { Id: 9 }]
const COUNTIES = [{ Id: 1, Description: 'Gotland' }]
const PRODUCTS = {
  ProductsPerWeightSpan: [
    { Products: [{ Id: 21, ShippingProvider: 'Posten', ShippingProviderId: 2, Name: 'Paket', Weight: 1, Price: 62 }] },
    {},
    { Products: [{ Id: 22, ShippingProviderId: 3, Weight: 1, Price: 70 }] },
  ],
}

describe('the names of ids', () => {
  afterEach(cleanUp)

  const answers = {
    GetCategories: () => CATEGORIES,
    GetPaymentTypes: () => PAYMENTS,
    GetCounties: () => COUNTIES,
    GetShippingOptions: () => PRODUCTS,
  }
  const shopWith = (options: FakeShopOptions = {}) => {
    const shop = fakeShop({ answers, ...options })
    const names = (...kinds: NameKind[]) => namesOf(shop.ctx, shop.client, kinds)
    return { ...shop, names }
  }

  it('are those of the service, with the path of a category and the leaves that hold items', async () => {
    const { names } = shopWith()
    const all = names('categories', 'payments', 'counties')
    await all.load()
    expect(all.category(2)).to.deep.equal({ name: 'Vaser', path: 'Glas > Vaser' })
    expect(all.category(1)).to.deep.equal({ name: 'Glas', path: 'Glas' })
    expect(all.category(99)).to.equal(undefined)
    expect(all.leaves()).to.deep.equal([
      { id: 2, name: 'Vaser', path: 'Glas > Vaser' },
      { id: 3, name: '', path: 'Glas > ' },
      { id: 4, name: 'Böcker', path: 'Böcker' },
    ])
    expect(all.payments()).to.deep.equal([
      { id: 8, name: 'Swish', value: 'sw' },
      { id: 9, name: '', value: '' },
    ])
    expect([all.payment(8), all.payment(7), all.county(1), all.county(2)]).to.deep.equal([
      'Swish',
      undefined,
      'Gotland',
      undefined,
    ])
  })

  it('are asked for once in a week: one call for each kind that is wanted', async () => {
    const { names, client, clock } = shopWith()
    await names('categories').load()
    await names('categories').load()
    expect(client.names).to.deep.equal(['GetCategories'])
    await names('categories', 'payments').load()
    expect(client.names).to.deep.equal(['GetCategories', 'GetPaymentTypes'])
    clock.time += MAX_AGE_MS
    await names('categories').load()
    expect(client.names).to.deep.equal(['GetCategories', 'GetPaymentTypes', 'GetCategories'])
    await names().load()
    expect(client.names).to.have.lengthOf(3)
  })

  it('are current for less than a week, and not from a clock that was ahead', () => {
    const kept = (age: number) => isCurrent({ at: 1000 - age, list: [] }, 1000)
    expect([kept(0), kept(MAX_AGE_MS - 1), kept(MAX_AGE_MS), kept(-1), isCurrent(undefined, 1000)]).to.deep.equal([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('that cannot be asked for stay unknown or old, and are an error only where they are needed', async () => {
    let away = true
    const failing = shopWith({
      answers: {
        ...answers,
        GetPaymentTypes: () => {
          if (away) throw new Error('away')
          return PAYMENTS
        },
      },
    })
    const unknown = failing.names('payments', 'counties')
    await unknown.load()
    expect([unknown.payment(8), unknown.county(1)]).to.deep.equal([undefined, 'Gotland'])
    expect(await thrown(() => failing.names('payments').load('strict'))).to.include({ message: 'away' })
    away = false
    await failing.names('payments').load('strict')
    away = true
    failing.clock.time += 2 * MAX_AGE_MS
    const old = failing.names('payments')
    await old.load('strict')
    expect(old.payment(8)).to.equal('Swish')
  })

  it('are not put off by Ctrl-C', async () => {
    const shop = shopWith({
      answers: {
        GetCounties: () => {
          shop.leaving.abort(new Error('left'))
          throw new Error('away')
        },
      },
    })
    expect(await thrown(() => shop.names('counties').load())).to.include({ message: 'left' })
  })

  it('name a way of sending by its provider and product, or by its provider', async () => {
    const { names } = shopWith({ embedded: true })
    const all = names('shipping')
    await all.load()
    expect(all.shipping(2, 21)).to.equal('Posten, Paket')
    expect(all.shipping(2, 99)).to.equal('Posten')
    expect(all.shipping(2)).to.equal('Posten')
    expect(all.shipping(3, 22)).to.equal('Provider 3, Product 22')
    expect(all.shipping(2, 22)).to.equal('Posten')
    expect(all.shipping(9, 21)).to.equal(undefined)
    expect(all.shippingProducts()).to.have.lengthOf(2)
  })

  it('of sending are not asked for where no description is saved', async () => {
    const { names, client } = shopWith()
    const all = names('shipping')
    await all.load()
    expect([client.names, all.shippingProducts()]).to.deep.equal([[], []])
  })

  it('that a command has read are kept, beside those that it has not', async () => {
    const { ctx, names, client, clock } = shopWith()
    await names('counties').load()
    await keepNames(ctx, { payments: [{ Id: 5, Description: 'Kort' }] as never })
    const both = names('counties', 'payments')
    await both.load()
    expect([both.county(1), both.payment(5), both.payment(8)]).to.deep.equal(['Gotland', 'Kort', undefined])
    await keepNames(ctx, { categories: CATEGORIES as never, counties: [], shipping: [] })
    const all = names('counties', 'payments', 'categories', 'shipping')
    await all.load()
    expect([all.county(1), all.payment(5), all.category(2)?.name]).to.deep.equal([undefined, 'Kort', 'Vaser'])
    expect(client.names).to.deep.equal(['GetCounties'])
    clock.time += MAX_AGE_MS - 1
    await names('payments', 'categories').load()
    expect(client.names).to.have.lengthOf(1)
  })

  it('of sending are kept where a command has read them, and asked for where it has not', async () => {
    const { ctx, names, client } = shopWith({ embedded: true })
    await keepNames(ctx, { counties: [] })
    await names('shipping').load()
    expect(client.names).to.deep.equal(['GetShippingOptions'])
    const product = { providerId: 5, provider: 'Bud', productId: 1, product: 'Brev', weight: 1, price: 20 }
    await keepNames(ctx, { shipping: [product] })
    const all = names('shipping')
    await all.load()
    expect([client.names.length, all.shippingProducts()]).to.deep.equal([1, [product]])
  })

  it('in a circle have an end', async () => {
    const { ctx, names, clock } = shopWith()
    const circle = [
      [1, 'A', 2],
      [2, 'B', 1],
    ]
    await keep(ctx, 'names', { categories: { at: clock.time, list: circle } })
    const all = names('categories')
    await all.load()
    expect(all.category(1)?.path).to.equal('A > B > A')
    expect(all.leaves()).to.deep.equal([])
  })

  it('of a list are loaded before its first row, once, and not for an empty one', async () => {
    let loads = 0
    const names = { load: async () => void loads++ } as never
    const read = async (rows: readonly number[]) => {
      const seen: unknown[] = []
      const source = (async function* () {
        yield* rows
      })()
      for await (const row of withNames(source, names)) seen.push([row, loads])
      return seen
    }
    expect(await read([])).to.deep.equal([])
    expect(loads).to.equal(0)
    expect(await read([5, 6])).to.deep.equal([
      [5, 1],
      [6, 1],
    ])
  })
})

describe('what was read and is kept', () => {
  afterEach(cleanUp)

  it('belongs to a profile and the address of its service, and a file that is damaged counts as none', async () => {
    const { ctx, dataDir } = fakeShop({ settings: { base_url: 'https://a.example.com' } })
    expect(await readKept(ctx, 'members')).to.equal(undefined)
    await keep(ctx, 'members', [[1, 'a']])
    expect(await readKept(ctx, 'members')).to.deep.equal([[1, 'a']])
    expect(await readKept(ctx, 'names')).to.equal(undefined)
    const other = { ...ctx, profile: { ...ctx.profile, settings: { base_url: 'https://b.example.com' } } }
    expect(await readKept(other, 'members')).to.equal(undefined)
    expect(await readKept({ ...ctx, profile: { ...ctx.profile, name: 'b' } }, 'members')).to.equal(undefined)
    const path = join(dataDir, 'reference', 'shop.members.json')
    expect(JSON.parse(readFileSync(path, 'utf8'))).to.deep.equal({ address: 'https://a.example.com', value: [[1, 'a']] })
    await keep(ctx, 'members', [])
    expect(await readKept(ctx, 'members')).to.deep.equal([])
    writeFileSync(path, '{')
    expect(await readKept(ctx, 'members')).to.equal(undefined)
  })

  it('is a file within the directory whatever the profile is called, and one that cannot be written is no error', async () => {
    const { ctx, dataDir } = fakeShop({ profile: '../x/y' })
    await keep(ctx, 'names', 5)
    expect(readFileSync(join(dataDir, 'reference', '..%2Fx%2Fy.names.json'), 'utf8')).to.equal('{"address":"","value":5}')
    writeFileSync(join(dataDir, 'file'), '')
    await keep({ ...ctx, dataDir: join(dataDir, 'file') }, 'names', 5)
    expect(await readKept({ ...ctx, dataDir: join(dataDir, 'file') }, 'names')).to.equal(undefined)
  })

  it('has the address of the profile, or of the sandbox in this process', () => {
    expect(addressOf(fakeShop({ settings: { base_url: 'https://a.example.com' } }).ctx)).to.equal('https://a.example.com')
    expect(addressOf(fakeShop({ embedded: true, settings: { base_url: 'https://a.example.com' } }).ctx)).to.equal('sandbox')
    expect(addressOf(fakeShop().ctx)).to.equal('')
  })
})
