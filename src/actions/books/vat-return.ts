/** Calculates the VAT return of a period, and the OSS return, from events of the books. Pure; amounts of results are kronor. */
import { countryName } from '../../contract/countries.js'
import type { MarginShown, VatReturnOf } from '../../format/views/books.js'
import { marginVat } from './sale.js'
import type { BookEvent, BookRow } from './types.js'

/** Boxes of the Swedish return, by the roles whose rows they get. Debit boxes are those of input VAT and of services bought. */
const BOXES: readonly (readonly [box: string, sign: 1 | -1, roles: RegExp])[] = [
  ['05', -1, /^(?:sales(?!0$)[\d.]+|freight|reduction)$/],
  ['10', -1, /^(?:vat25|marginVat)$/],
  ['11', -1, /^vat12$/],
  ['12', -1, /^vat6$/],
  ['21', 1, /^servicesEu$/],
  ['30', -1, /^reverseVatOut$/],
  ['35', -1, /^(?:euCompany|freightEu)$/],
  ['36', -1, /^(?:export|freightExport)$/],
  ['42', -1, /^sales0$/],
  ['48', 1, /^(?:inputVat|reverseVatIn)$/],
]

const kronor = (ore: number): number => ore / 100 || 0

export function vatReturn(events: readonly BookEvent[]): VatReturnOf {
  const rows = events.flatMap((event) => event.rows)
  const boxes = new Map(BOXES.map(([box]) => [box, 0]))
  boxes.set('07', 0)
  for (const row of rows) {
    for (const [box, sign, roles] of BOXES) if (roles.test(row.role)) boxes.set(box, (boxes.get(box) ?? 0) + sign * row.ore)
    boxes.set('07', (boxes.get('07') ?? 0) - (row.base ?? 0))
  }
  const due = ['10', '11', '12', '30'].reduce((sum, box) => sum + (boxes.get(box) ?? 0), 0) - (boxes.get('48') ?? 0)
  boxes.set('49', due)
  const sortedBoxes = [...boxes].sort(([one], [other]) => (one < other ? -1 : 1))
  const whole = new Map(sortedBoxes.map(([box, ore]) => [box, Math.trunc(ore / 100) || 0]))
  whole.set('49', ['10', '11', '12', '30'].reduce((sum, box) => sum + (whole.get(box) ?? 0), 0) - (whole.get('48') ?? 0))
  return {
    Boxes: Object.fromEntries(sortedBoxes.map(([box, ore]) => [box, kronor(ore)])),
    ReturnBoxes: Object.fromEntries(whole),
    Rates: sumRates(rows),
    ...sumOss(events),
    Margin: events.flatMap(listMargins),
  }
}

function sumRates(rows: readonly BookRow[]): VatReturnOf['Rates'] {
  const sumsByRate = new Map<string, { base: number; vat: number }>()
  for (const { role, rate, ore } of rows) {
    const isBase = /^sales(?!0$)/.test(role) || role === 'freight' || role === 'reduction'
    if (rate === undefined || (!isBase && !/^vat\d/.test(role))) continue
    const sums = sumsByRate.get(rate) ?? { base: 0, vat: 0 }
    sumsByRate.set(rate, isBase ? { ...sums, base: sums.base - ore } : { ...sums, vat: sums.vat - ore })
  }
  return [...sumsByRate]
    .sort(([one], [other]) => Number(other) - Number(one))
    .map(([Rate, { base, vat }]) => ({ Rate, Base: kronor(base), Vat: kronor(vat) }))
}

function quarterOf(day: string): string {
  return `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`
}

function sumOss(events: readonly BookEvent[]): Pick<VatReturnOf, 'Oss' | 'OssCorrections'> {
  const [now, before] = [new Map<string, { base: number; vat: number }>(), new Map<string, { base: number; vat: number }>()]
  for (const { rows, date, of } of events) {
    const earlier = of !== undefined && quarterOf(of) !== quarterOf(date) ? `${quarterOf(date)}|${quarterOf(of)}|` : undefined
    for (const { role, rate = '', country = '', ore } of rows) {
      if (role !== 'ossVat' && role !== 'ossSales') continue
      const [sums, key] =
        earlier === undefined ? [now, `${countryName(country)}|${rate}`] : [before, `${earlier}${countryName(country)}|${rate}`]
      const { base, vat } = sums.get(key) ?? { base: 0, vat: 0 }
      sums.set(key, role === 'ossVat' ? { base, vat: vat - ore } : { base: base - ore, vat })
    }
  }
  return {
    Oss: [...now].map(([key, { base, vat }]) => {
      const [Country = '', Rate = ''] = key.split('|')
      return { Country, Rate, Base: kronor(base), Vat: kronor(vat) }
    }),
    OssCorrections: [...before].map(([key, { base, vat }]) => {
      const [Quarter = '', Of = '', Country = '', Rate = ''] = key.split('|')
      return { Quarter, Of, Country, Rate, Base: kronor(base), Vat: kronor(vat) }
    }),
  }
}

function listMargins({ orderId, sale, margin, rows }: BookEvent): MarginShown[] {
  const vatOf = (of: readonly BookRow[]) => of.reduce((sum, { role, ore }) => (role === 'marginVat' ? sum - ore : sum), 0)
  if (margin !== undefined) {
    const { period, sales, purchases, carried } = margin
    const vat = vatOf(rows)
    const gain = Math.max(0, sales - purchases)
    return [marginRow({ OrderId: null, Period: period, Item: null }, { sales, purchases, base: gain - vat, vat, carried })]
  }
  return (sale?.groups ?? []).flatMap((group) => {
    if (group.kind !== 'margin') return []
    const sales = group.goods + group.freight
    const purchases = group.cost ?? 0
    const vat = marginVat(group)
    const base = Math.max(0, sales - purchases) - vat
    return [
      marginRow({ OrderId: orderId, Period: null, Item: group.names[0] ?? null }, { sales, purchases, base, vat, carried: 0 }),
    ]
  })
}

function marginRow(
  which: Pick<MarginShown, 'OrderId' | 'Period' | 'Item'>,
  { sales, purchases, base, vat, carried }: Readonly<Record<'sales' | 'purchases' | 'base' | 'vat' | 'carried', number>>,
): MarginShown {
  return {
    ...which,
    ...{ Sales: kronor(sales), Purchases: kronor(purchases), Margin: kronor(sales - purchases) },
    ...{ Base: kronor(base), Vat: kronor(vat), Carried: kronor(carried) },
  }
}
