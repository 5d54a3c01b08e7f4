/**
 * The shop as feeds of others: feeds.json has live items, and the rows that Google's product data specification and schema.org
 * want for them, written by hand from their published texts. A checker of the specification's limits knows nothing of the writer.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { isGtin } from '../../src/actions/shop/feeds.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { openHome } from '../e2e/harness.js'
import { stock } from '../e2e/shop.js'
import * as photos from '../images/photos.js'
import { closing, opened } from '../opened.js'

interface Long {
  readonly repeat: string
  readonly times: number
  readonly end?: string
}
interface Case {
  readonly what: string
  readonly item: Readonly<Record<string, unknown>>
  readonly images?: number
  readonly discount?: number
  readonly sold?: boolean
  readonly google: Readonly<Record<string, string | Long>>
  readonly schema: Readonly<Record<string, unknown>>
}
const { cases } = JSON.parse(readFileSync(new URL('feeds.json', import.meta.url), 'utf8')) as { cases: readonly Case[] }

const plain = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !('repeat' in value)) return value
  const { repeat, times, end = '' } = value as Long
  return `${repeat.repeat(times)}${end}`.trim()
}
const written = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, plain(value)]))

/** Limits of the product data specification, attribute by attribute. */
const GOOGLE: Readonly<Record<string, RegExp>> = {
  id: /^.{1,50}$/u,
  title: /^.{1,150}$/u,
  description: /^.{0,5000}$/u,
  link: /^https?:\/\/\S{1,1990}$/,
  image_link: /^(?:https?:\/\/[^\s,]{1,1990})?$/,
  additional_image_link: /^(?:https?:\/\/[^\s,]+(?:,https?:\/\/[^\s,]+){0,9})?$/,
  availability: /^(?:in_stock|out_of_stock|preorder|backorder)$/,
  price: /^\d+\.\d{2} [A-Z]{3}$/,
  sale_price: /^(?:\d+\.\d{2} [A-Z]{3})?$/,
  condition: /^(?:new|refurbished|used)?$/,
  brand: /^.{0,70}$/u,
  gtin: /^(?:\d{8}|\d{12,14})?$/,
  mpn: /^.{0,70}$/u,
  identifier_exists: /^(?:yes|no)?$/,
}

function rowsIn(feed: string): Record<string, string>[] {
  const [head = '', ...lines] = feed.replace(/\n$/, '').split('\n')
  const names = head.split('\t')
  return lines.map((line) => {
    const cells = line.split('\t')
    expect(cells, line).to.have.length(names.length)
    // A value that begins with a quote is read up to the next quote.
    for (const cell of cells) expect(cell).not.to.match(/^"/)
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
  })
}

describe('the shop as a feed of others', function () {
  this.timeout(60_000)
  const home = opened(() => openHome({ sandbox: { faults: { queueDelayMs: 0 } } }))
  let links = new Map<string, { ItemLink: string; ImageLinks: string[] }>()

  before(async () => {
    await home.file('1.png', photos.png())
    await home.file('2.png', photos.png())
    const rows = cases.map(({ item, images = 0 }) => ({
      ...written(item),
      ...(images > 0 ? { ItemImages: ['1.png', '2.png'].slice(0, images) } : {}),
      ShippingOptions: ['pickup'],
    }))
    const file = await home.file('items.json', JSON.stringify(rows))
    await home.done('shop:add', '--file', file, '--yes', '--wait')
    const store = openStore(join(home.dir, 'server.db'), 'process')
    const live = (await home.done('items:list', '--type', 'shop', '--state', 'active', '--json')).json() as {
      Id: number
      OwnReferences: string[]
      ItemLink: string
      ImageLinks: string[]
    }[]
    links = new Map(live.flatMap((item) => (item.OwnReferences ?? []).map((own) => [own, item] as const)))
    const idOf = (own: unknown) => live.find(({ OwnReferences }) => OwnReferences?.includes(String(own)))?.Id
    for (const { item, discount, sold } of cases) {
      const [own] = item.OwnReferences as string[]
      if (sold === true) store.exec(`UPDATE items SET remaining = 0 WHERE id = ${idOf(own)}`)
      if (discount === undefined) continue
      await home.done('shop:discount', own ?? '', `${own}=${discount}`, '--from', 'now', '--until', '+1h', '--yes')
      await home.done('jobs:due', '--wait')
    }
    store.close()
  })

  for (const { what, item, images = 0, google, schema } of cases) {
    const [own = ''] = item.OwnReferences as string[]
    it(`has for Google ${what}`, async () => {
      const run = await home.done('shop:export', '--form', 'google')
      const row = rowsIn(run.stdout).find(({ id }) => id === own)
      const { ItemLink, ImageLinks = [] } = links.get(own) ?? { ItemLink: '' }
      const [image = '', ...others] = ImageLinks
      expect(ImageLinks).to.have.length(images)
      const form = { link: ItemLink, image_link: image, additional_image_link: others.join(',') }
      expect(row).to.deep.equal({ ...written(google), ...form })
    })

    it(`has for schema.org ${what}`, async () => {
      const { stdout } = await home.done('shop:export', '--form', 'schema-org')
      // A page has it in a script element, which a text must not end (HTML, 4.12.1.3).
      expect(stdout).to.contain('\\u003cmaskindisk>').and.not.contain('<')
      const document = JSON.parse(stdout)
      expect(document['@context']).to.equal('https://schema.org')
      const product = document['@graph'].find(({ sku }: { sku: string }) => sku === own)
      const { ItemLink, ImageLinks = [] } = links.get(own) ?? { ItemLink: '' }
      const offers = { ...(schema.offers as object), url: ItemLink }
      const image = ImageLinks.length > 0 ? { image: ImageLinks } : {}
      expect(product).to.deep.equal({ ...written(schema), url: ItemLink, ...image, offers })
    })
  }

  it('keeps every row of a whole shop within the limits of the specification, and ids once', async () => {
    const run = await home.done('shop:export', '--form', 'google', '--no-identifiers')
    const rows = rowsIn(run.stdout)
    expect(rows.length).to.be.greaterThan(50)
    for (const row of rows)
      for (const [name, value] of Object.entries(row))
        if (name !== 'condition' || value !== '') expect(value, `${name} of ${row.id}`).to.match(GOOGLE[name] ?? /^never$/)
    expect(new Set(rows.map(({ id }) => id)).size).to.equal(rows.length)
    for (const { gtin, brand, mpn, identifier_exists: exists } of rows)
      expect(exists).to.equal(gtin !== '' || (brand !== '' && mpn !== '') ? '' : 'no')
  })

  it('is the same in a .txt file, which Google takes for tab-separated rows', async () => {
    await home.done('shop:export', '--form', 'google', '--out', 'feed.txt')
    const piped = await home.done('shop:export', '--form', 'google')
    expect(readFileSync(join(home.dir, 'feed.txt'), 'utf8')).to.equal(piped.stdout)
  })

  it('says what the shop does not say, and takes no other form of a flag', async () => {
    const run = await home.done('shop:export', '--form', 'google', '--out', 'feed.tsv')
    expect(run.stderr).to.match(
      /Left out, as the shop does not say it: .*image of \d+ items.*brand of \d+ items, gtin of \d+ items\./,
    )
    expect((await home.run(['shop:export', '--no-identifiers'])).code).to.equal(2)
    const lines = (await home.done('shop:export', '--form', 'schema-org', '-o', 'ndjson')).lines()
    for (const line of lines) expect(JSON.parse(line)).to.include({ '@context': 'https://schema.org', '@type': 'Product' })
  })

  it('gives two items with one reference ids of their own', async () => {
    await using own = closing(await openHome({ sandbox: { faults: { queueDelayMs: 0 } } }))
    const ids = await stock(own, [100, 200, 300], { reference: (at) => (at < 2 ? 'TWIN' : 'x'.repeat(51)) })
    const run = await own.done('shop:export', '--form', 'google')
    const found = rowsIn(run.stdout).filter(({ price }) => /^[123]00\.00 SEK$/.test(price ?? ''))
    const named = found.map(({ id }) => id)
    expect(named.filter((id) => id === 'TWIN')).to.have.length(1)
    expect(named).to.include(String(ids[2]))
    expect(run.stderr).to.include('2 items have their number as id')
  })

  // GS1 general specifications, 7.9 (6291041500213), and the examples of Google's page on GTINs; in-store and coupon numbers
  // (1.4.3) are none.
  for (const [gtin, valid] of [
    ['6291041500213', true],
    ['3234567890126', true],
    ['9780306406157', true],
    ['036000291452', true],
    ['96385074', true],
    ['10614141000415', true],
    ['6291041500214', false],
    ['2000000000107', false],
    ['9900000000004', false],
    ['123', false],
    ['20000004', false],
  ] as const)
    it(`knows that ${gtin} is ${valid ? 'a' : 'no'} GTIN`, () => expect(isGtin(gtin)).to.equal(valid))
})
