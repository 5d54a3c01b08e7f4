/**
 * Names in place of ids: a category by words, payment types, shipping providers and attributes by name, in flags and in files.
 */
import type { Context } from '../../cli/context.js'
import { reasonText, ValueError } from '../../errors/index.js'
import { attributeTexts, type FoundNames, keyOf, type NamedTexts } from '../../rows/named.js'
import type { FlagTexts } from './flag-fields.js'
import { lazyIds } from './lazy-ids.js'
import { type Ids, isName } from './named.js'
import { readShipping } from './shipping.js'

/**
 * Flags with ids where names were given, which are said.
 * @param settingOf the settings that the texts come from, of which other words tell
 * @throws {SellerError} unknown_name, ambiguous_name; what a call throws
 */
export async function withIds<F extends FlagTexts>(ctx: Context, flags: F, settingOf?: (flag: string) => string): Promise<F> {
  const where = settingOf ?? ((flag: string) => `--${flag}`)
  const { category, payment, shipping } = flags
  const ids = lazyIds(ctx)
  const changes: Record<string, unknown> = {}
  if (typeof category === 'string' && isName(category)) changes.category = String(await ids.category(category, where('category')))
  if (Array.isArray(payment)) {
    changes.payment = await inTurn(payment.map(String), async (text) => {
      if (!isName(text)) return text
      const { id, name } = await ids.payment(text, where('payment'))
      if (settingOf === undefined) ctx.output.note(`Payment: ${name} (${id}).`)
      return String(id)
    })
  }
  if (Array.isArray(shipping)) {
    changes.shipping = await inTurn(shipping.map(String), (text) =>
      isNamed(text) ? ids.shipping(text, where('shipping')) : Promise.resolve(text),
    )
  }
  return { ...flags, ...changes }
}

/** A value of a field with its id, where it is a name. */
const WITH_ID: Readonly<Record<string, (ids: Ids, value: unknown, where: string) => Promise<unknown>>> = {
  CategoryId: async (ids, value, where) => (typeof value === 'string' && isName(value) ? ids.category(value, where) : value),
  PaymentOptionIds: async (ids, value, where) => {
    if (typeof value !== 'string') return value
    return isName(value) ? (await ids.payment(value, where)).id : /^\d{1,9}$/.test(value) ? Number(value) : value
  },
  ShippingOptions: (ids, value, where) => shippingField(value, ids, where),
}

/**
 * The same for the fields of one item from a file, as they were read.
 * @param flag an id that overrides the category
 * @throws as withIds
 */
export async function fieldsWithIds(
  fields: Readonly<Record<string, unknown>>,
  ids: Ids,
  where: (field: string) => string,
  flag: unknown,
): Promise<Record<string, unknown>> {
  const result: Record<string, unknown> = { ...fields }
  for (const [field, withId] of Object.entries(WITH_ID)) {
    const value = fields[field]
    const read = (one: unknown) => withId(ids, one, where(field))
    if (Array.isArray(value)) result[field] = await inTurn(value, read)
    else if (field === 'CategoryId') result[field] = await read(value)
  }
  const texts = attributeTexts(fields.AttributeValues)
  const category = Number(flag ?? result.CategoryId)
  // Without a category, which is asked for or reported, nothing tells what they are.
  if (texts !== undefined && Number.isInteger(category))
    result.AttributeValues = await ids.attributes(category, texts, where('AttributeValues'))
  return result
}

/** A text as --shipping takes it, or a provider by its name. */
async function shippingField(option: unknown, ids: Ids, where: string): Promise<unknown> {
  if (typeof option === 'string')
    return readShipping(isNamed(option) ? await ids.shipping(option, where) : option, where, ids.currency)
  if (typeof option !== 'object' || option === null || !('ShippingProviderId' in option)) return option
  const { ShippingProviderId: provider, ...rest } = option
  if (typeof provider !== 'string' || !isName(provider)) return option
  const { Cost: _, ...found } = readShipping(await ids.shipping(`provider=${provider}`, where), where, ids.currency)
  return { ...found, ...rest }
}

/**
 * Looks up the names in the cells of a sheet, each once.
 * @throws what a call throws; a name that fits nothing, or several, is a reason in the result
 */
export async function foundIds(ids: Ids, texts: NamedTexts): Promise<FoundNames> {
  const idsByKey = new Map<string, { readonly value: unknown } | { readonly why: string }>()
  for (const [field, names] of texts) {
    for (const text of names) idsByKey.set(keyOf(field, text), await foundId(ids, field, text))
  }
  return idsByKey
}

async function foundId(ids: Ids, field: string, text: string): Promise<{ readonly value: unknown } | { readonly why: string }> {
  try {
    if (field === 'AttributeValues') return await foundAttributes(ids, text)
    return { value: await WITH_ID[field]?.(ids, text, field) }
  } catch (error) {
    if (!(error instanceof ValueError) || error.category !== 'usage') throw error
    const { matches } = error.details as { readonly matches?: readonly { readonly id: number; readonly name: string }[] }
    if (field === 'AttributeValues') return { why: `will not do: ${reasonText(error.fault)}. ${error.hint}` }
    if (matches === undefined || matches.length === 0) return { why: `is not a name that the service knows. ${error.hint}` }
    return { why: `may mean ${matches.map(({ id, name }) => `${id} (${name})`).join(', ')}; give the id, or more words` }
  }
}

/** Attributes below the category of their row. */
async function foundAttributes(ids: Ids, text: string): Promise<{ readonly value: unknown } | { readonly why: string }> {
  const [category = '', ...texts] = text.split('\n')
  if (category === '') return { why: 'needs a category in its row, or --category' }
  const id = isName(category) ? await ids.category(category, 'CategoryId') : Number(category)
  return { value: await ids.attributes(id, texts, 'AttributeValues') }
}

/** True if a text of --shipping may hold a name: pickup and parts with numbers need no look-up. */
export function isNamed(text: string): boolean {
  if (text.trim().toLowerCase() === 'pickup') return false
  const [first = '', ...rest] = text.split(',')
  return (
    (!first.includes('=') && isName(first)) ||
    [first, ...rest].some((part) => /^\s*(provider|product|option)\s*=.*\p{L}/iu.test(part))
  )
}

async function inTurn<V, T>(values: readonly V[], read: (value: V) => Promise<T>): Promise<T[]> {
  const all: T[] = []
  for (const value of values) all.push(await read(value))
  return all
}
