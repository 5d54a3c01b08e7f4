/**
 * shop:export --form: the shop as a product feed for Google Merchant (product data specification,
 * support.google.com/merchants/answer/7052112), or as Products with Offers of schema.org. What the shop does not say is left out
 * and counted, never made up.
 */
import type { Context } from '../../cli/context.js'
import { ITEM_ATTRIBUTES, type Item, type Output } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import {
  type GoogleProductShown,
  googleView,
  SCHEMA_CONTEXT,
  type SchemaProductShown,
  schemaView,
} from '../../format/views/feeds.js'
import { PricesDuringDiscounts } from '../../jobs/discounts/index.js'
import type { LiveItem } from '../../pricing/index.js'
import { shopOf } from '../own.js'
import { liveItems, SHOP } from '../prices/live.js'
import { listResult, type Result } from '../result.js'

const ALSO = [
  ...(['RemainingQuantity', 'LongDescription', 'ItemAttributes', 'AttributeValues'] as const),
  ...(['ItemLink', 'ImageLinks', 'DetailedImageLinks'] as const),
] as const
type FeedItem = LiveItem & Partial<Pick<Output<typeof Item>, Exclude<(typeof ALSO)[number], keyof LiveItem>>>

/** The longest values that Google takes, characters (product data specification). */
const MAX = { id: 50, title: 150, description: 5000, link: 2000, brand: 70, mpn: 70 } as const
const MAX_MORE_IMAGES = 10

/** A product as both feeds have it. */
interface Product {
  readonly id: string
  readonly title: string | undefined
  readonly description: string | undefined
  readonly link: string | undefined
  readonly images: readonly string[]
  readonly inStock: boolean | undefined
  /** Kronor; the price without a discount, and the one in it. */
  readonly price: number | undefined
  readonly salePrice: number | undefined
  readonly condition: 'new' | 'used' | undefined
  readonly brand: string | undefined
  readonly gtin: string | undefined
  readonly mpn: string | undefined
}

interface FeedFlags {
  readonly form: 'google' | 'schema-org'
  /** True if no item has an identifier of a manufacturer. */
  readonly 'no-identifiers'?: boolean | undefined
}

/** Parts of a product that Google asks for, and that a shop may not say. */
const ASKED = ['link', 'description', 'images', 'inStock', 'condition', 'brand', 'gtin'] as const
const WORDS: Readonly<Partial<Record<(typeof ASKED)[number], string>>> = { images: 'image', inStock: 'availability' }

/**
 * A row for each shop item, written while the live list is read.
 * @throws what the client throws
 */
export async function exportFeed(ctx: Context, { form, 'no-identifiers': bare = false }: FeedFlags): Promise<Result> {
  const client = await ctx.client()
  const during = PricesDuringDiscounts.of(await ctx.ledger(), shopOf(ctx))
  const ids = new Set<string>()
  const missing = new Map<string, number>()
  let [shortened, shared] = [0, 0]
  const askedParts = bare ? ASKED.filter((part) => part !== 'brand' && part !== 'gtin') : ASKED
  const products = async function* (): AsyncGenerator<Product> {
    let live: number | undefined
    const listItems = async function* (): AsyncGenerator<LiveItem> {
      for await (const item of liveItems(ctx, client, { ...SHOP, also: ALSO })) {
        live = item.BuyItNowPrice ?? undefined
        yield item
      }
    }
    for await (const item of during === undefined ? listItems() : during.normal(listItems())) {
      const [own] = (item.OwnReferences ?? []).map((each) => each.trim()).filter((each) => each !== '')
      const isOwn = own !== undefined && own.length <= MAX.id && !ids.has(own)
      if (own !== undefined && !isOwn) shared++
      const id = isOwn ? own : String(item.Id)
      ids.add(id)
      const product = productOf(item, { id, live })
      for (const part of askedParts)
        if (product[part] === undefined || (part === 'images' && product.images.length === 0))
          missing.set(WORDS[part] ?? part, (missing.get(WORDS[part] ?? part) ?? 0) + 1)
      yield product
    }
  }
  const count = (text: string | undefined, most: number): string | undefined => {
    const shortText = text === undefined ? undefined : shortenedTo(text, most)
    if (shortText !== text) shortened++
    return shortText
  }
  const below = (output: Context['output']) => {
    if (missing.size > 0) {
      const parts = [...missing].map(([part, items]) => `${part} of ${countOf(items, 'item')}`)
      output.note(`Left out, as the shop does not say it: ${parts.join(', ')}.`)
    }
    if (shared > 0)
      output.note(
        `${countOf(shared, 'item')} ${shared === 1 ? 'has its' : 'have their'} number as id: the own reference is that of another one, or too long.`,
      )
    if (shortened > 0)
      output.note(`${countOf(shortened, 'text')} longer than Google takes ${shortened === 1 ? 'was' : 'were'} cut.`)
  }
  if (form === 'google') {
    const rows = async function* () {
      for await (const product of products()) yield googleRow(product, { currency: ctx.currency, bare, count })
    }
    return listResult({ view: googleView, rows, below, piped: 'tsv' })
  }
  const alone = ctx.output.form === 'ndjson'
  const rows = async function* () {
    for await (const product of products())
      yield { ...(alone ? { '@context': SCHEMA_CONTEXT } : {}), ...schemaProduct(product, ctx.currency) }
  }
  return listResult({ view: schemaView, rows, below, piped: 'json' })
}

function productOf(item: FeedItem, { id, live }: { readonly id: string; readonly live: number | undefined }): Product {
  const normal = item.BuyItNowPrice ?? undefined
  const description = item.LongDescription === undefined ? '' : textOfHtml(item.LongDescription)
  const title = item.ShortDescription?.trim().replace(/\s+/g, ' ')
  const attributes = item.ItemAttributes ?? []
  const conditions = (['new', 'used'] as const).filter((word) => attributes.includes(ITEM_ATTRIBUTES[word]))
  const gtin = findAttribute(item, GTIN)
  return {
    id,
    title: title === '' ? undefined : title,
    description: description === '' ? undefined : description,
    link: addressOf(item.ItemLink),
    images: imagesOf(item),
    inStock: item.RemainingQuantity === undefined ? undefined : item.RemainingQuantity > 0,
    price: normal,
    salePrice: live !== undefined && normal !== undefined && live < normal ? live : undefined,
    condition: conditions.length === 1 ? conditions[0] : undefined,
    brand: findAttribute(item, BRAND),
    gtin: gtin !== undefined && isGtin(gtin) ? gtin.replace(/[\s-]/g, '') : undefined,
    mpn: findAttribute(item, MPN),
  }
}

interface RowOptions {
  readonly currency: string
  /** True if no item has an identifier. */
  readonly bare: boolean
  /** Cuts a text, and counts it. */
  readonly count: (text: string | undefined, most: number) => string | undefined
}

function googleRow(product: Product, { currency, bare, count }: RowOptions): GoogleProductShown {
  const { id, images, inStock, price, salePrice } = product
  const [image, ...others] = images
  const money = (kronor: number | undefined) => (kronor === undefined ? null : `${kronor.toFixed(2)} ${currency}`)
  const isIdentified = product.gtin !== undefined || (product.brand !== undefined && product.mpn !== undefined)
  const more = others.slice(0, MAX_MORE_IMAGES).map((each) => each.replaceAll(',', '%2C'))
  const text = (value: string | undefined, most: number) => unquoted(count(value, most)) ?? null
  return {
    id: unquoted(id) ?? id,
    title: text(product.title, MAX.title),
    description: text(product.description, MAX.description),
    link: product.link ?? null,
    image_link: image ?? null,
    additional_image_link: more.length === 0 ? null : more.join(','),
    availability: inStock === undefined ? null : inStock ? 'in_stock' : 'out_of_stock',
    price: money(price),
    sale_price: money(salePrice),
    condition: product.condition ?? null,
    brand: text(product.brand, MAX.brand),
    gtin: product.gtin ?? null,
    mpn: text(product.mpn, MAX.mpn),
    identifier_exists: bare && !isIdentified ? 'no' : null,
  }
}

function schemaProduct(product: Product, currency: string): SchemaProductShown {
  const { id, title, description, link, images, inStock, condition, brand, gtin, mpn } = product
  const price = product.salePrice ?? product.price
  return {
    '@type': 'Product',
    sku: id,
    ...(title === undefined ? {} : { name: title }),
    ...(description === undefined ? {} : { description }),
    ...(link === undefined ? {} : { url: link }),
    ...(images.length === 0 ? {} : { image: images }),
    ...(brand === undefined ? {} : { brand: { '@type': 'Brand', name: brand } }),
    ...(gtin === undefined ? {} : { gtin }),
    ...(mpn === undefined ? {} : { mpn }),
    offers: {
      '@type': 'Offer',
      ...(link === undefined ? {} : { url: link }),
      ...(price === undefined ? {} : { price }),
      priceCurrency: currency,
      ...(inStock === undefined ? {} : { availability: `${SCHEMA_CONTEXT}/${inStock ? 'InStock' : 'OutOfStock'}` }),
      ...(condition === undefined
        ? {}
        : { itemCondition: `${SCHEMA_CONTEXT}/${condition === 'new' ? 'NewCondition' : 'UsedCondition'}` }),
    },
  }
}

/** A tab-separated value that begins with a quote would be read up to the next one. */
function unquoted(text: string | undefined): string | undefined {
  return text?.replace(/^"/, '”')
}

function addressOf(link: string | undefined): string | undefined {
  const address = link?.trim() ?? ''
  return /^https?:\/\/\S+$/i.test(address) && address.length <= MAX.link ? address : undefined
}

/** Addresses of the largest form that each image has (docs/service.md, Service pages). */
function imagesOf({ DetailedImageLinks: detailed = [], ImageLinks: links = [] }: FeedItem): readonly string[] {
  const of = (size: string) => detailed.flatMap(({ Format, Url }) => (Format?.toLowerCase() === size ? (Url ?? []) : []))
  const [large, normal] = [of('mega'), of('normal')]
  // Each image has a normal form; not each a large one.
  const chosenLinks = large.length > 0 && large.length >= normal.length ? large : normal.length > 0 ? normal : links
  return [...new Set(chosenLinks.flatMap((link) => addressOf(link) ?? []))]
}

/** Names of attributes, as categories have them. */
const BRAND = /^(?:märke|varumärke|brand)$/i
const GTIN = /^(?:gtin|ean|ean-?kod|streckkod|isbn)$/i
const MPN = /^(?:mpn|tillverkarens artikelnummer)$/i

/** The value of an attribute; undefined where it has none, or several. */
function findAttribute({ AttributeValues }: FeedItem, name: RegExp): string | undefined {
  const all = [...(AttributeValues?.TermAttributeValues ?? []), ...(AttributeValues?.NumberAttributeValues ?? [])]
  const values = new Set(
    all.flatMap(({ Name, Values }) => (Name !== undefined && name.test(Name.trim()) ? (Values ?? []).map(String) : [])),
  )
  const [value = '', another] = values
  return another !== undefined || value.trim() === '' ? undefined : value.trim()
}

/**
 * Prefixes of numbers that a shop or a company gives itself, and of coupons (GS1 general specifications, 1.4.3): Google refuses
 * them.
 */
const OWN_PREFIX = /^(?:0{6}|0?2|04|05|9[89])/

/** True for a GTIN of 8, 12, 13 or 14 digits with its check digit (GS1 general specifications, 7.9). */
export function isGtin(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '')
  if (!/^(?:\d{8}|\d{12,14})$/.test(digits)) return false
  const whole = digits.padStart(14, '0')
  const sum = [...whole].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0)
  const company = whole.slice(1)
  return sum % 10 === 0 && (digits.length === 8 ? !/^[02]/.test(digits) : !OWN_PREFIX.test(company))
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—', hellip: '…', bull: '•' },
  ...{ aring: 'å', auml: 'ä', ouml: 'ö', Aring: 'Å', Auml: 'Ä', Ouml: 'Ö', eacute: 'é', euro: '€', deg: '°', times: '×' },
}

/** The text of a description, whose ends of lines are HTML. Entities are decoded once. */
function textOfHtml(html: string): string {
  return html
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/<\/?(?:br|p|div|li|ul|ol|h[1-6]|tr|td|th|table)\b[^>]*>/gi, ' ')
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi, (whole, number, hexadecimal, name) => {
      if (name !== undefined) return ENTITIES[name] ?? whole
      const code = number === undefined ? Number.parseInt(hexadecimal, 16) : Number(number)
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : ' '
    })
    .replace(/\s+/g, ' ')
    .trim()
}

/** A text of so many characters at most, cut between words. */
function shortenedTo(text: string, most: number): string {
  if (text.length <= most) return text
  const characters = [...text]
  if (characters.length <= most) return text
  const prefix = characters.slice(0, most - 1).join('')
  const between = prefix.lastIndexOf(' ')
  return `${(between > most / 2 ? prefix.slice(0, between) : prefix).trimEnd()}…`
}
