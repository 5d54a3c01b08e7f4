/** An order as a sale: its goods by VAT and country, its shipping in proportion, and the rows of its income. Pure. */

import { accountFor, type Role } from '../../contract/accounts.js'
import { isSweden, isTerritory, isVatNumberOf, memberState, placeOf } from '../../contract/countries.js'
import type { ImpersonalOrder } from '../../jobs/ledger/orders.js'
import { blank, run, say } from '../../messages/index.js'
import { oreText, roundedQuotient, shares, vatIn } from './amounts.js'
import type { BookRow, BookSettings, CostOf, Hold, OrderFacts, Sale, SaleGroup } from './types.js'

/**
 * Sales to consumers in other EU countries in a year, öre without VAT, above which VAT of those countries is due: 10,000 EUR
 * (directive, article 59c).
 */
export const THRESHOLD = 9_968_000
/** VAT as a part of a margin that includes it (directive, article 315): 25 of 125. */
const MARGIN_PART = [1, 5] as const

export interface SaleInput {
  readonly order: ImpersonalOrder
  readonly settings: BookSettings
  readonly facts: OrderFacts
  readonly costOf: CostOf
  /** Sales to consumers in other EU countries, öre without VAT: of the year so far, and of the year before. */
  readonly euSold: { readonly now: number; readonly before: number }
}

/** A sale, or why it is not understood. */
export type SaleResult = { readonly sale: Sale } | { readonly hold: Omit<Hold, 'orderId'>; readonly eu?: number }

type Lines = ImpersonalOrder['Items']

/** Total of an order, öre. */
export function totalOf({ Items, ShippingCost }: Pick<ImpersonalOrder, 'Items' | 'ShippingCost'>): number {
  return 100 * (Items.reduce((sum, { Quantity, UnitPrice }) => sum + Quantity * UnitPrice, 0) + ShippingCost)
}

export function buildSale(input: SaleInput): SaleResult {
  const { order, settings } = input
  const fault = faultIn(order)
  if (fault !== undefined) return { hold: fault }
  const where = findDestination(input)
  if (!('kind' in where)) return where
  const result = groupLines(input, where)
  if ('hold' in result) return result
  const { groups, eu } = result
  const rows = groups.flatMap((group) => saleRows(group, settings))
  const missing = [...new Set(rows.flatMap(({ account, role }) => (account === '' ? [role] : [])))]
  if (missing.length > 0) {
    return {
      hold: {
        code: 'no_account',
        reason: `no account for ${missing.join(', ')}`,
        todo: say`Name them with: ${run('auth:login', { '--setting': blank(`accounts=${missing.map((name) => `${name}=ACCOUNT`).join(',')}`) })}`,
        accounts: missing,
      },
    }
  }
  return { sale: { method: settings.terms.method, total: totalOf(order), groups, rows: merged(rows), eu } }
}

/** Fault that makes an order unusable, whatever the settings are. */
function faultIn(order: ImpersonalOrder): Omit<Hold, 'orderId'> | undefined {
  const { Items, ShippingCost, SubTotal } = order
  const paidSum = order.SellerOrderPayments.reduce((sum, { Amount }) => sum + Amount, 0)
  const todo = say`See it with: ${run('orders:show', { order: order.OrderId })}`
  if (Items.length === 0) return { code: 'no_lines', reason: `no lines, ${paidSum.toFixed(2)} paid`, todo }
  for (const { Quantity, UnitPrice } of Items) {
    if (Quantity < 0) return { code: 'negative_line', reason: `quantity ${Quantity}`, todo }
    if (UnitPrice < 0) return { code: 'negative_line', reason: `price ${UnitPrice}`, todo }
  }
  if (ShippingCost < 0) return { code: 'negative_line', reason: `shipping ${ShippingCost}`, todo }
  const sum = Items.reduce((so, { Quantity, UnitPrice }) => so + Quantity * UnitPrice, 0)
  if (sum !== SubTotal) return { code: 'sum_differs', reason: `lines come to ${sum}, the order to ${SubTotal}`, todo }
  return undefined
}

interface Destination {
  readonly kind: 'sweden' | 'oss' | 'export' | 'eu-company' | 'new'
  /** Sweden under the common threshold, which the sale counts towards. */
  readonly counts: boolean
  readonly country?: string
  readonly hold?: Omit<Hold, 'orderId'>
}

/** Treatment of sales to the order's country. */
function findDestination({ order, settings, facts }: SaleInput): Destination | { readonly hold: Omit<Hold, 'orderId'> } {
  const { terms, countries } = settings
  if (terms.zero === 'unregistered') return { kind: 'sweden', counts: false }
  const place = placeOf(order)
  const isExport = (name: string) => say`Say it once with: ${run('auth:login', { '--setting': `countries=${name}=export` })}`
  if (place === undefined) {
    if (countries.get('unknown') === 'sweden') return { kind: 'sweden', counts: false }
    const sweden = run('auth:login', { '--setting': 'countries=unknown=sweden' })
    const todo = say`Say it once with: ${sweden}, if such orders stay in Sweden`
    return { hold: { code: 'no_country', reason: 'the order names no country', todo } }
  }
  const country = place.name
  if (isSweden(country)) return { kind: 'sweden', counts: false }
  const destination = countries.get(country.toLowerCase())
  const { VatNumber } = facts
  const member = memberState(country) !== undefined
  if (VatNumber !== undefined && member) {
    if (isVatNumberOf(country, VatNumber)) return { kind: 'eu-company', counts: false, country }
    const todo = say`Correct it with: ${run('orders:note', { order: order.OrderId, '--set': blank('vat-number=NUMBER') })}`
    return { hold: { code: 'vat_number', reason: `${VatNumber} is no VAT number of ${country}`, todo } }
  }
  if (destination === 'export') return { kind: 'export', counts: false, country }
  if (destination === 'oss' || (member && destination === undefined && terms.oss === 'registered'))
    return { kind: 'oss', counts: false, country }
  if (destination === 'sweden' || (member && terms.oss === 'below')) return { kind: 'sweden', counts: member, country }
  const outside = place.zip !== undefined || isTerritory(country)
  const hold: Omit<Hold, 'orderId'> = outside
    ? {
        code: 'outside_vat_area',
        reason: `postcode ${place.zip ?? ''}: ${country} is outside the VAT area of the EU; is it an export?`.replace(
          'postcode : ',
          '',
        ),
        todo: isExport(country),
      }
    : {
        code: 'new_country',
        reason: `first sale to ${country}: ${member ? 'OSS, below the threshold, or another treatment' : 'is it an export'}?`,
        todo: member
          ? say`Say it once with: ${run('auth:login', { '--setting': 'books=oss=below' })} (or oss=registered)`
          : isExport(country),
      }
  return { kind: 'new', counts: false, country, hold }
}

interface Draft {
  readonly kind: SaleGroup['kind']
  readonly rate: string
  readonly country?: string
  goods: number
  readonly names: string[]
  readonly cost?: number
}

function groupLines(
  input: SaleInput,
  where: Destination,
): { readonly groups: SaleGroup[]; readonly eu: number } | { readonly hold: Omit<Hold, 'orderId'>; readonly eu?: number } {
  const { order, settings, costOf } = input
  const drafts = new Map<string, Draft>()
  const unknown: string[] = []
  for (const [at, line] of order.Items.entries()) {
    const kind = groupKind(line, where, input)
    if (typeof kind !== 'string') return kind
    const rate = groupRate(line, kind, where, settings)
    if (typeof rate !== 'string') return rate
    const goods = line.Quantity * line.UnitPrice * 100
    const names = [line.Title, ...line.OwnReferences, String(line.ItemId)].flatMap((name) => (name === undefined ? [] : [name]))
    const cost = kind === 'margin' ? costOf(line) : undefined
    if (kind === 'margin' && cost === undefined) unknown.push(line.Title ?? String(line.ItemId))
    // Margins are reckoned piece by piece; pieces of a line are alike.
    // biome-ignore lint/nursery/noBaseToString: the rate is a text.
    const key = kind === 'margin' ? `margin ${at}` : `${kind} ${rate}`
    const draft = drafts.get(key)
    if (draft === undefined) {
      const whole = cost === undefined ? {} : { cost: Math.round(cost * 100) * line.Quantity }
      const country = kind === 'exempt' || where.country === undefined ? {} : { country: where.country }
      drafts.set(key, { kind, rate, ...country, goods, names, ...whole })
    } else {
      draft.goods += goods
      draft.names.push(...names)
    }
  }
  if (unknown.length > 0) {
    const reason = `margin goods without a known cost: ${unknown.join(', ')}`
    return {
      hold: {
        code: 'unknown_cost',
        reason,
        todo: say`Store what they cost with: ${run('shop:costs', { cost: blank('ITEM=COST') })}`,
      },
    }
  }
  const freight = shareFreight(order, [...drafts.values()])
  if (freight === undefined) {
    const reason = `shipping of ${order.ShippingCost.toFixed(2)} for goods of several rates that cost nothing`
    return { hold: { code: 'freight_rates', reason, todo: say`See it with: ${run('orders:show', { order: order.OrderId })}` } }
  }
  const groups = [...drafts.values()].map((draft, at): SaleGroup => ({ ...draft, freight: freight[at] ?? 0 }))
  const eu = where.counts
    ? groups
        .filter(({ kind }) => kind === 'sweden')
        .reduce((sum, { goods, freight: with_, rate }) => sum + goods + with_ - vatIn(goods + with_, rate), 0)
    : 0
  const { now, before } = input.euSold
  if (eu > 0 && (now + eu > THRESHOLD || before > THRESHOLD)) {
    const [sum, year] = now + eu > THRESHOLD ? [now + eu, 'this year'] : [before, 'last year']
    const reason = `sales to consumers in other EU countries pass ${oreText(THRESHOLD)} with this order (${oreText(sum)} ${year}): VAT of ${where.country} is due`
    return {
      hold: {
        code: 'threshold',
        reason,
        todo: say`Register for OSS, then: ${run('auth:login', { '--setting': 'books=oss=registered' })}`,
      },
      eu,
    }
  }
  return { groups, eu }
}

type Held = { readonly hold: Omit<Hold, 'orderId'> }

function groupKind({ VatRate }: Lines[number], where: Destination, { settings }: SaleInput): SaleGroup['kind'] | Held {
  const { zero } = settings.terms
  if (zero === 'unregistered') return 'unregistered'
  if (where.kind === 'export') return 'export'
  const scheme = VatRate === 0 && (zero === 'margin' || zero === 'simplified') ? zero : undefined
  // Margin goods to the rest of the EU stay taxed here (directive, articles 35 and 139(3)).
  const inEu = where.kind !== 'new' || (where.country !== undefined && memberState(where.country) !== undefined)
  if (scheme !== undefined && inEu) return scheme
  if (where.hold !== undefined) return { hold: where.hold }
  if (where.kind === 'eu-company' || where.kind === 'oss') return where.kind
  if (VatRate > 0) return 'sweden'
  if (zero === 'exempt') return 'exempt'
  return {
    hold: {
      code: 'zero_rate',
      reason: 'VAT 0 %, and nothing says whether the goods are exempt or under the margin scheme',
      todo: say`Say it once with: ${run('auth:login', { '--setting': 'books=zero=exempt' })} (or zero=margin, zero=simplified, zero=unregistered)`,
    },
  }
}

/** The rate of VAT in a line's price. */
function groupRate(
  { VatRate }: Lines[number],
  kind: SaleGroup['kind'],
  { country }: Destination,
  { ratesAbroad }: BookSettings,
): string | Held {
  if (kind === 'sweden') return String(VatRate)
  if (kind !== 'oss') return '0'
  const rate = ratesAbroad.get(country?.toLowerCase() ?? '')?.get(String(VatRate))
  if (rate !== undefined) return rate
  return {
    hold: {
      code: 'no_rate_abroad',
      reason: `no rate given for goods of ${VatRate} % in ${country}`,
      todo: say`Give it with: ${run('auth:login', { '--setting': blank(`vat_abroad=${`${country}=${VatRate}:RATE`}`) })}`,
    },
  }
}

/** The shipping of each group, in proportion to what its goods cost; lines of margin goods share what is theirs together. */
function shareFreight({ ShippingCost }: ImpersonalOrder, drafts: readonly Draft[]): number[] | undefined {
  const freight = ShippingCost * 100
  if (freight === 0) return drafts.map(() => 0)
  const treatments = [...new Set(drafts.map(({ kind, rate }) => `${kind} ${rate}`))]
  const of = (treatment: string) => drafts.filter(({ kind, rate }) => `${kind} ${rate}` === treatment)
  const goods = treatments.map((treatment) => of(treatment).reduce((sum, draft) => sum + draft.goods, 0))
  const nothing = goods.every((sum) => sum === 0)
  if (nothing && treatments.length > 1) return undefined
  const parts = nothing ? [freight] : shares(freight, goods)
  const shareByDraft = new Map<Draft, number>()
  for (const [at, treatment] of treatments.entries()) {
    const its = of(treatment)
    const weights = its.map((draft) => draft.goods)
    const inner = weights.every((weight) => weight === 0) ? weights.map(() => 1) : weights
    for (const [index, share] of shares(parts[at] ?? 0, inner).entries()) {
      const draft = its[index]
      if (draft !== undefined) shareByDraft.set(draft, share)
    }
  }
  return drafts.map((draft) => shareByDraft.get(draft) ?? 0)
}

/** The rows of a group: credit. */
export function saleRows(group: SaleGroup, settings: BookSettings): BookRow[] {
  const { kind, rate, country, goods, freight } = group
  const row = (role: Role, ore: number, base?: number): BookRow => ({
    ...{ account: bookAccount(settings, role, rate, country), role, ore },
    ...(rate === '0' ? {} : { rate }),
    ...(country === undefined ? {} : { country }),
    ...(base === undefined ? {} : { base }),
  })
  const all = goods + freight
  switch (kind) {
    case 'sweden': {
      const vat = vatIn(all, rate)
      const apart = settings.terms.freight === 'own' ? freight - vatIn(freight, rate) : 0
      return [row(`vat${rate}`, -vat), row(`sales${rate}`, vat + apart - all), row('freight', -apart)]
    }
    case 'oss': {
      const vat = vatIn(all, rate)
      return [row('ossVat', -vat), row('ossSales', vat - all)]
    }
    case 'export':
      return [row('export', -goods), row('freightExport', -freight)]
    case 'eu-company':
      return [row('euCompany', -goods), row('freightEu', -freight)]
    case 'exempt':
      return [row('sales0', -all)]
    case 'unregistered':
      return [row('unregistered', -all)]
    case 'simplified':
      return [row('marginSalesSimplified', -all)]
    case 'margin':
      return marginRows(group, settings, row)
  }
}

/** VAT on the margin of a line: nothing on a loss. @returns öre */
export function marginVat({ goods, freight, cost = 0 }: Pick<SaleGroup, 'goods' | 'freight' | 'cost'>): number {
  return roundedQuotient(Math.max(0, goods + freight - cost) * MARGIN_PART[0], MARGIN_PART[1])
}

function marginRows(
  group: SaleGroup,
  { terms }: BookSettings,
  row: (role: Role, ore: number, base?: number) => BookRow,
): BookRow[] {
  const { goods, freight, cost = 0 } = group
  const price = goods + freight
  const margin = price - cost
  const vat = marginVat(group)
  const loss = margin < 0
  const [costRole, salesRole] = loss
    ? (['marginCostNegative', 'marginSalesNegative'] as const)
    : (['marginCost', 'marginSales'] as const)
  const stock = terms['margin-cost'] === 'stock' ? [row(costRole, cost), row('marginStock', -cost)] : []
  if (terms['margin-accounts'] === 'price')
    return [row('marginVat', -vat, loss ? 0 : vat - margin), row(salesRole, vat - price), ...stock]
  // A loss is no base: its whole price goes over the transfer account.
  const base = loss ? 0 : margin - vat
  return [row('marginVat', -vat, -base), row('marginSales', -base), row('marginTransfer', vat + base - price), ...stock]
}

/** The account of a role; empty where there is none. */
export function bookAccount({ accounts, terms }: BookSettings, role: Role, rate?: string, country?: string): string {
  return accountFor(accounts, role, { rate, country: country ?? 'Sverige', chart: terms.chart }) ?? ''
}

/** Rows of one account, role, rate and country together; none of 0. */
export function merged(rows: readonly BookRow[]): BookRow[] {
  const rowsByKey = new Map<string, BookRow>()
  for (const row of rows) {
    const key = [row.account, row.role, row.rate, row.country].join('|')
    const earlier = rowsByKey.get(key)
    const base = row.base === undefined && earlier?.base === undefined ? {} : { base: (earlier?.base ?? 0) + (row.base ?? 0) }
    rowsByKey.set(key, { ...row, ore: row.ore + (earlier?.ore ?? 0), ...base })
  }
  return [...rowsByKey.values()].filter(({ ore, base = 0 }) => ore !== 0 || base !== 0)
}
