/** Looks up the names that sellers give in place of ids, in what the service lists. */

import type { Context } from '../../cli/context.js'
import { nearest, PICKUP_SHIPPING_OPTION_ID, SHIPPING_OPTIONS } from '../../contract/index.js'
import { ValueError } from '../../errors/index.js'
import { blank, run, say } from '../../messages/index.js'
import { loadAttributes } from '../reference/attributes.js'
import type { ShippingProduct } from '../reference/extended.js'
import { leavesByWords, leavesFor, type Named, namedBy, theOne } from '../reference/match.js'
import { type LoadedNames, type NameKind, openNames } from '../reference/names.js'
import { knownShipping } from '../reference/shipping.js'
import { joinAttributes, readAttribute } from './attributes.js'
import { type Ids, isName } from './named.js'

export function openIds(ctx: Context): Ids {
  const loads = new Map<NameKind, Promise<LoadedNames>>()
  const names = (kind: NameKind): Promise<LoadedNames> => {
    const loadedNames = loads.get(kind) ?? load(ctx, kind)
    loads.set(kind, loadedNames)
    return loadedNames
  }
  let ways: Promise<Ways> | undefined
  const waysKnown = (): Promise<Ways> => {
    ways ??= loadWays(ctx, names)
    return ways
  }
  return {
    currency: ctx.currency,
    async category(text, where) {
      const leaves = (await names('categories')).leaves()
      const isTyped = where.startsWith('--')
      const near = leavesFor(leaves, text)
      const matches = isTyped ? near : leavesByWords(leaves, text)
      const look = say`Find one with: ${run('reference:categories', { '--search': blank('TEXT') })}`
      const { id, path } = theOne({
        where,
        text,
        noun: 'leaf category',
        all: leaves,
        matches,
        near,
        shown: (leaf) => leaf.path,
        look,
      })
      ctx.output.note(`Category: ${path} (${id}).`)
      return id
    },
    async payment(text, where) {
      const all = (await names('payments')).payments()
      const matches = namedBy(all, text, ({ name, value }) => [name, value])
      const look = `They are ${all.map(({ name }) => name).join('; ')}.`
      return theOne({ where, text, noun: 'payment type', all, matches, look })
    },
    shipping: (text, where) => shippingWithIds(text, where, waysKnown),
    async attributes(category, texts, where) {
      const definitions = await loadAttributes(ctx, () => sellerClient(ctx), category)
      const values = texts.map((text) => readAttribute(text, definitions, where))
      return joinAttributes(values, where)
    },
  }
}

async function load(ctx: Context, kind: NameKind): Promise<LoadedNames> {
  const names = openNames(ctx, await sellerClient(ctx), [kind])
  await names.load('strict')
  return names
}

/** The seller's client where somebody is logged in: a command has one client, and it may have to add the item with it. */
async function sellerClient(ctx: Context) {
  return ctx.client({ user: ctx.profile.settings.user_id !== undefined })
}

/** The service's lists of shipping. */
interface Ways {
  readonly products: readonly ShippingProduct[]
  readonly options: readonly Named[]
}

/** Those kept; else the service is asked whether it has a list. */
async function loadWays(ctx: Context, names: (kind: NameKind) => Promise<LoadedNames>): Promise<Ways> {
  const products = (await names('shipping')).shippingProducts()
  if (products.length === 0) await knownShipping(ctx, await sellerClient(ctx))
  const fresh = openNames(ctx, await sellerClient(ctx), ['shipping', 'shippingTypes'])
  await fresh.load()
  return { products: fresh.shippingProducts(), options: fresh.shippingOptions() }
}

/** `Carrier,cost=59` -> `provider=2,cost=59`; words such as pickup and own-cost -> options. */
async function shippingWithIds(text: string, where: string, ways: () => Promise<Ways>): Promise<string> {
  const parts = text.split(',').map((part) => part.trim())
  const [first = ''] = parts
  const keyedParts = first.includes('=') ? parts : [`provider=${first}`, ...parts.slice(1)]
  let provider: number | undefined
  const optionParts: string[] = []
  for (const part of keyedParts) {
    const [name = '', value = ''] = part.split(/=(.*)/s).map((side) => side.trim())
    const key = name.toLowerCase()
    const option = key === 'provider' || key === 'option' ? optionByWord(value) : undefined
    if (option !== undefined) {
      optionParts.push(`option=${option}`)
    } else if (key === 'provider' && isName(value)) {
      refuseMisspelt(value, where)
      const { products, options } = await ways()
      if (products.length === 0 && options.length > 0) optionParts.push(`option=${optionNamed(options, value, where)}`)
      else {
        provider = providerNamed(products, value, where)
        optionParts.push(`provider=${provider}`)
      }
    } else if (key === 'option' && isName(value)) {
      optionParts.push(`option=${optionNamed((await ways()).options, value, where)}`)
    } else if (key === 'product' && isName(value)) {
      optionParts.push(`product=${productNamed((await ways()).products, provider, value, where)}`)
    } else optionParts.push(part)
  }
  return optionParts.join(',') === `option=${PICKUP_SHIPPING_OPTION_ID}` ? 'pickup' : optionParts.join(',')
}

/** Words for pickup in sheets of sellers. */
const PICKUP_WORDS: ReadonlySet<string> = new Set(['avhämtning', 'avhämtas', 'hämtas', 'hämtning', 'upphämtning', 'upphämtas'])

/** The id of a way that every service has: `pickup`, `own cost`; undefined for another word. */
function optionByWord(text: string): number | undefined {
  const word = text.normalize('NFC').toLowerCase().replaceAll(' ', '-')
  if (PICKUP_WORDS.has(word)) return PICKUP_SHIPPING_OPTION_ID
  return Object.hasOwn(SHIPPING_OPTIONS, word) ? SHIPPING_OPTIONS[word as keyof typeof SHIPPING_OPTIONS] : undefined
}

/** A slip in a word that every service has needs no look-up. */
function refuseMisspelt(text: string, where: string): void {
  const near = nearest(text, Object.keys(SHIPPING_OPTIONS))
  if (near === undefined) return
  throw new ValueError(
    'unknown_name',
    { name: where, why: `no shipping is called "${text}"` },
    say`Did you mean ${near}? ${LOOK}`,
    {
      matches: [],
    },
  )
}

const LOOK = say`See what is known with: ${run('reference:shipping')}`

function providerNamed(products: readonly ShippingProduct[], text: string, where: string): number {
  const all: Named[] = [
    ...new Map(products.map(({ providerId, provider }) => [providerId, { id: providerId, name: provider }])).values(),
  ]
  const look =
    all.length === 0
      ? say`The service lists no providers by name. Give provider=ID; see what is known with: ${run('reference:shipping')}`
      : say`They are pickup; ${all.map(({ name }) => name).join('; ')}. ${LOOK}`
  return theOne({ where, text, noun: 'shipping provider', all, look }).id
}

function optionNamed(all: readonly Named[], text: string, where: string): number {
  return theOne({ where, text, noun: 'shipping option', all, look: LOOK }).id
}

function productNamed(products: readonly ShippingProduct[], provider: number | undefined, text: string, where: string): number {
  const own = products.filter(({ providerId }) => provider === undefined || providerId === provider)
  const all = own.map(({ productId, provider: carrier, product }) => ({ id: productId, name: product, carrier }))
  const label = ({ carrier, name }: (typeof all)[number]) => `${carrier}, ${name}`
  return theOne({ where, text, noun: 'shipping product', all, shown: label, look: LOOK }).id
}
