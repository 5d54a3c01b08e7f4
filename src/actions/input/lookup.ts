/** Looks up the names that sellers give in place of ids, in what the service lists. */

import type { Context } from '../../cli/context.js'
import { nearest, PICKUP_SHIPPING_OPTION_ID, SHIPPING_OPTIONS } from '../../contract/index.js'
import { ValueError } from '../../errors/index.js'
import { blank, run, say } from '../../messages/index.js'
import { attributesOf } from '../reference/attributes.js'
import type { ShippingProduct } from '../reference/extended.js'
import { leavesByWords, leavesFor, type Named, namedBy, theOne } from '../reference/match.js'
import { type LoadedNames, type NameKind, namesOf } from '../reference/names.js'
import { knownShipping } from '../reference/shipping.js'
import { joinAttributes, readAttribute } from './attributes.js'
import { type Ids, isName } from './named.js'

export function openIds(ctx: Context): Ids {
  const loaded = new Map<NameKind, Promise<LoadedNames>>()
  const names = (kind: NameKind): Promise<LoadedNames> => {
    const known = loaded.get(kind) ?? load(ctx, kind)
    loaded.set(kind, known)
    return known
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
      const typed = where.startsWith('--')
      const near = leavesFor(leaves, text)
      const matches = typed ? near : leavesByWords(leaves, text)
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
      const known = await attributesOf(ctx, () => clientOf(ctx), category)
      const values = texts.map((text) => readAttribute(text, known, where))
      return joinAttributes(values, where)
    },
  }
}

async function load(ctx: Context, kind: NameKind): Promise<LoadedNames> {
  const names = namesOf(ctx, await clientOf(ctx), [kind])
  await names.load('strict')
  return names
}

/** The seller's client where somebody is logged in: a command has one client, and it may have to add the item with it. */
async function clientOf(ctx: Context) {
  return ctx.client({ user: ctx.profile.settings.user_id !== undefined })
}

/** The service's lists of shipping. */
interface Ways {
  readonly products: readonly ShippingProduct[]
  readonly options: readonly Named[]
}

/** Those kept; else the service is asked whether it has a list. */
async function loadWays(ctx: Context, names: (kind: NameKind) => Promise<LoadedNames>): Promise<Ways> {
  const kept = (await names('shipping')).shippingProducts()
  if (kept.length === 0) await knownShipping(ctx, await clientOf(ctx))
  const fresh = namesOf(ctx, await clientOf(ctx), ['shipping', 'shippingTypes'])
  await fresh.load()
  return { products: fresh.shippingProducts(), options: fresh.shippingOptions() }
}

/** `Carrier,cost=59` -> `provider=2,cost=59`; words such as pickup and own-cost -> options. */
async function shippingWithIds(text: string, where: string, ways: () => Promise<Ways>): Promise<string> {
  const parts = text.split(',').map((part) => part.trim())
  const [first = ''] = parts
  const keyed = first.includes('=') ? parts : [`provider=${first}`, ...parts.slice(1)]
  let provider: number | undefined
  const read: string[] = []
  for (const part of keyed) {
    const [name = '', value = ''] = part.split(/=(.*)/s).map((side) => side.trim())
    const [key, word] = [name.toLowerCase(), value.toLowerCase().replaceAll(' ', '-')]
    if ((key === 'provider' || key === 'option') && Object.hasOwn(SHIPPING_OPTIONS, word)) {
      read.push(`option=${SHIPPING_OPTIONS[word as keyof typeof SHIPPING_OPTIONS]}`)
    } else if (key === 'provider' && isName(value)) {
      refuseMisspelt(value, where)
      const { products, options } = await ways()
      if (products.length === 0 && options.length > 0) read.push(`option=${optionNamed(options, value, where)}`)
      else {
        provider = providerNamed(products, value, where)
        read.push(`provider=${provider}`)
      }
    } else if (key === 'option' && isName(value)) {
      read.push(`option=${optionNamed((await ways()).options, value, where)}`)
    } else if (key === 'product' && isName(value)) {
      read.push(`product=${productNamed((await ways()).products, provider, value, where)}`)
    } else read.push(part)
  }
  return read.join(',') === `option=${PICKUP_SHIPPING_OPTION_ID}` ? 'pickup' : read.join(',')
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
      : say`They are ${all.map(({ name }) => name).join('; ')}. ${LOOK}`
  return theOne({ where, text, noun: 'shipping provider', all, look }).id
}

function optionNamed(all: readonly Named[], text: string, where: string): number {
  return theOne({ where, text, noun: 'shipping option', all, look: LOOK }).id
}

function productNamed(products: readonly ShippingProduct[], provider: number | undefined, text: string, where: string): number {
  const own = products.filter(({ providerId }) => provider === undefined || providerId === provider)
  const all = own.map(({ productId, provider: carrier, product }) => ({ id: productId, name: product, carrier }))
  const shown = ({ carrier, name }: (typeof all)[number]) => `${carrier}, ${name}`
  return theOne({ where, text, noun: 'shipping product', all, shown, look: LOOK }).id
}
