/** Summary of a guided listing, with the known fees, before the last question. */

import { basename } from 'node:path'
import { ACCEPTED_BIDDERS, ITEM_ATTRIBUTES, ITEM_TYPE_IDS, SHIPPING_OPTIONS, sentence } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { kronor, safeLine, swedishTime, wrap } from '../../format/output/index.js'
import { type Names, NO_NAMES, readable } from '../../format/views/items.js'
import { campaignFaults } from '../../format/views/sending.js'
import type { ItemRequestInput, ShopItemInput } from '../input/kinds.js'
import type { ReadRequest } from '../input/read.js'
import { listingPeriod, periodPhrase, reserveFees, unknownFees } from '../listing/terms.js'
import { openNames } from '../reference/names.js'
import type { Session } from './session.js'

/** An item as it was read, of either kind. */
export type AnyItem = ReadRequest<Partial<ItemRequestInput> & Partial<ShopItemInput>>

/** Characters of a description that are shown. */
const DESCRIPTION_SHOWN = 240

/** The whole summary, as lines of a label and a value, wrapped for the terminal. */
export async function buildSummary(session: Session, item: AnyItem, campaignCode: string | undefined): Promise<string> {
  const names = await knownNames(session)
  const lines = [
    ...summaryFacts(session, item, names),
    ...(campaignCode === undefined ? [] : [['Campaign code', campaignCode] as const]),
    ['Fees', (await readFees(session, item, campaignCode)).join('\n')] as const,
  ].filter(([, value]) => value !== '')
  const { output } = session.ctx
  if (output.plain) return ['', ...lines.map(([label, value]) => `${label}: ${value.replaceAll('\n', '\n  ')}`), ''].join('\n')
  const width = Math.max(...lines.map(([label]) => label.length)) + 4
  const summaryLines = lines.flatMap(([label, value]) =>
    wrap(value, Math.max(20, output.width - width)).map((line, at) => `  ${(at === 0 ? label : '').padEnd(width - 2)}${line}`),
  )
  return ['', ...summaryLines.map((line) => line.trimEnd()), ''].join('\n')
}

type Line = readonly [label: string, value: string]

function summaryFacts(session: Session, { request, images }: AnyItem, names: Names): Line[] {
  const { Title = '', CategoryId, StartPrice, ReservePrice, BuyItNowPrice, Price, AbsoluteQuantity, Quantity } = request
  const category = typeof CategoryId === 'number' ? names.category(CategoryId) : undefined
  const references = (request.OwnReferences ?? []).join(', ')
  const { unit } = session.ctx.output
  /** 0 is none. */
  const price = (amount: number | null | undefined): string => (amount ? kronor(amount, unit) : '')
  const from = (flag: string, value: string) => (session.byDefault(flag) && value !== '' ? `${value} (from the profile)` : value)
  const [none, lost] = request.ItemType === ITEM_TYPE_IDS.ContactOnly ? ['', ''] : ['none', 'none: no buyer can get it']
  return [
    ['Title', safeLine(Title)],
    ['Category', category === undefined ? String(CategoryId ?? '') : `${category.path} (${CategoryId})`],
    ['Sale', saleOf(session, request)],
    ['Opening price', price(StartPrice)],
    ['Reserve price', price(ReservePrice)],
    ['Buy now', price(BuyItNowPrice)],
    ['Price', price(Price)],
    ['Quantity', session.kind.operation === 'AddShopItem' ? quantityOf(AbsoluteQuantity ?? Quantity) : ''],
    ['Restarts', request.Restarts === 0 || request.Restarts === undefined ? '' : String(request.Restarts)],
    ['Condition', from('condition', wordFor(ITEM_ATTRIBUTES, request.ItemAttributes?.[0]))],
    ['Attributes', safeLine(session.list('attribute').join(', '))],
    ['Description', descriptionOf(request.Description)],
    [
      'Payment',
      from('payment', (request.PaymentOptionIds ?? []).map((id) => names.payment(id) ?? `type ${id}`).join(', ')) || none,
    ],
    ['Shipping', from('shipping', (request.ShippingOptions ?? []).map((way) => shippingOf(way, names, unit)).join('\n')) || lost],
    ['Images', images.map(imageOf).join(', ')],
    ['Sold to', wordFor(ACCEPTED_BIDDERS, request.AcceptedBidderId ?? request.AcceptedBuyerId)],
    ['VAT', from('vat', typeof request.VAT === 'number' ? `${request.VAT} %` : '')],
    ['Own references', safeLine(references)],
    ['On sale', periodPhrase(listingPeriod(request, session.ctx.clock.now()))],
  ]
}

function imageOf({ path, mega, removed }: AnyItem['images'][number]): string {
  const marks = [...(mega ? ['extra large'] : []), ...(removed.length > 0 ? ['without its metadata'] : [])]
  return `${basename(path)}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`
}

function saleOf({ kind }: Session, { ItemType, Duration, CustomEndDate }: AnyItem['request']): string {
  if (kind.operation === 'AddShopItem') return 'in the shop'
  const words = { [ITEM_TYPE_IDS.PureBuyItNow]: 'buy now', [ITEM_TYPE_IDS.ContactOnly]: 'contact' }[ItemType ?? 0] ?? 'auction'
  return `${words}, ${typeof CustomEndDate === 'string' ? `until ${swedishTime(CustomEndDate)}` : countOf(Duration ?? 0, 'day')}`
}

function quantityOf(quantity: number | null | undefined): string {
  return quantity === 0 ? '0: no buyer sees it' : String(quantity ?? '')
}

function descriptionOf(description: string | undefined): string {
  const text = readable(description ?? '').replace(/\s*\n\s*/g, ' / ')
  return text.length > DESCRIPTION_SHOWN ? `${text.slice(0, DESCRIPTION_SHOWN)}… (${description?.length} characters)` : text
}

function shippingOf(option: NonNullable<ItemRequestInput['ShippingOptions']>[number], names: Names, unit: string): string {
  const { Cost, ShippingOptionId: id, ShippingProviderId: provider, ShippingProductId: product } = option
  const cost = Cost === 0 ? '' : `: ${kronor(Cost, unit)}`
  if (typeof provider === 'number') return `${names.shipping(provider, product) ?? `provider ${provider}`}${cost}`
  return `${wordFor(SHIPPING_OPTIONS, id).replaceAll('-', ' ') || (names.option(id ?? 0) ?? `option ${id}`)}${cost}`
}

function wordFor(words: Readonly<Record<string, number>>, id: number | null | undefined): string {
  return Object.keys(words).find((word) => words[word] === id) ?? ''
}

/** Names that are kept already: the questions have read them. */
async function knownNames({ ctx, start: { dryRun } }: Session): Promise<Names> {
  try {
    const client = await ctx.client({ user: !dryRun })
    const names = openNames(ctx, client, ['categories', 'payments', 'shipping', 'shippingTypes'])
    await names.load()
    return names
  } catch {
    ctx.signal.throwIfAborted()
    return NO_NAMES
  }
}

/** Known fees. */
async function readFees(session: Session, { request }: AnyItem, campaignCode: string | undefined): Promise<string[]> {
  const fees = reserveFees([request])
  return [
    ...(fees > 0 ? [`Reserve price: ${kronor(fees, session.ctx.output.unit)}, as for adding one to an auction.`] : []),
    ...(campaignCode === undefined ? [] : [await campaignWords(session, campaignCode, request.CategoryId ?? 0)]),
    ...unknownFees([request]),
  ]
}

async function campaignWords({ ctx }: Session, campaignCode: string, categoryId: number): Promise<string> {
  try {
    const client = await ctx.client()
    const result = await client.call('ValidateCampaignCode', { campaignCode, categoryId })
    if (result === null) return ''
    if (!result.IsValid)
      return `Campaign code ${campaignCode} is not valid: ${campaignFaults(result).join(', ') || 'no reason given'}.`
    return `Campaign code ${campaignCode}: ${sentence(result.Description || 'valid')}`
  } catch {
    ctx.signal.throwIfAborted()
    return `Campaign code ${campaignCode} could not be checked.`
  }
}
