/**
 * Accounts of the books by what is posted to them (their role), as the setting `accounts` has them:
 * `sales25=3001,export.Norge=3105,fee=6570`. Numbers and Swedish names are those of the Swedish standard chart (BAS 2024);
 * docs/books.md says what goes where.
 */

/** By role: the account, its name in the chart, and the same in the chart of 2026 where that differs. */
const CHART = {
  payments: ['1580', 'Fordringar för kontokort och kuponger', '1686'],
  receivable: ['1510', 'Kundfordringar'],
  bank: ['1930', 'Företagskonto/checkkonto/affärskonto'],
  liability: ['2420', 'Förskott från kunder'],
  vat25: ['2611', 'Utgående moms på försäljning inom Sverige, 25 %'],
  vat12: ['2621', 'Utgående moms på försäljning inom Sverige, 12 %'],
  vat6: ['2631', 'Utgående moms på försäljning inom Sverige, 6 %'],
  marginVat: ['2616', 'Utgående moms VMB 25 %'],
  ossVat: ['2670', 'Utgående moms på försäljning inom EU, OSS'],
  reverseVatOut: ['2614', 'Utgående moms omvänd skattskyldighet, 25 %'],
  reverseVatIn: ['2645', 'Beräknad ingående moms på förvärv från utlandet'],
  inputVat: ['2641', 'Debiterad ingående moms'],
  sales25: ['3001', 'Försäljning inom Sverige, 25 % moms'],
  sales12: ['3002', 'Försäljning inom Sverige, 12 % moms'],
  sales6: ['3003', 'Försäljning inom Sverige, 6 % moms'],
  sales0: ['3004', 'Försäljning inom Sverige, momsfri'],
  unregistered: ['3004', 'Försäljning inom Sverige, momsfri'],
  export: ['3105', 'Försäljning varor till land utanför EU'],
  ossSales: ['3106', 'Försäljning varor till annat EU-land, momspliktig'],
  euCompany: ['3108', 'Försäljning varor till annat EU-land, momsfri'],
  marginSales: ['3211', 'Försäljning positiv VMB 25 %'],
  marginSalesNegative: ['3212', 'Försäljning negativ VMB 25 %'],
  marginSalesSimplified: ['3220', 'Försäljning VMB förenklad 25 %'],
  marginTransfer: ['3223', 'Positiv VM omföringskonto'],
  freight: ['3520', 'Fakturerade frakter'],
  freightEu: ['3521', 'Fakturerade frakter, EU-land'],
  freightExport: ['3522', 'Fakturerade frakter, export'],
  reduction: ['3730', 'Lämnade rabatter'],
  rounding: ['3740', 'Öres- och kronutjämning'],
  marginCost: ['4211', 'Sålda varor positiv VMB 25 %'],
  marginCostNegative: ['4212', 'Sålda varor negativ VMB 25 %'],
  marginStock: ['1465', 'Lager av varor VMB'],
  servicesEu: ['4535', 'Inköp av tjänster från annat EU-land, 25 %'],
  fee: ['6040', 'Kontokortsavgifter'],
  commission: ['6050', 'Försäljningsprovisioner'],
  badDebt: ['6351', 'Konstaterade förluster på kundfordringar'],
} as const satisfies Record<string, readonly [account: string, name: string, account2026?: string]>

/** A role of the chart, or `sales`/`vat` with another rate. */
export type Role = keyof typeof CHART | `sales${string}` | `vat${string}`

/** Names of accounts that a seller may choose instead (BAS 2024). */
const OTHERS: Readonly<Record<string, string>> = {
  '2490': 'Övriga kortfristiga skulder till kreditinstitut, kunder och leverantörer',
  '1467': 'Lager av varor VMB förenklad',
  '6570': 'Bankkostnader',
}

/** Names that version 0.3 had for roles. */
const OLDER: Readonly<Record<string, string>> = {
  fees: 'fee',
  shipping: 'freight',
  margin: 'marginSales',
  marginvat: 'marginVat',
}

export const CHARTS = ['2024', '2026'] as const
export type Chart = (typeof CHARTS)[number]

/** Accounts by role, or by role and rate and country (`ossSales19.Tyskland`), in lower case. */
export type Accounts = ReadonlyMap<string, string>

/** A text that cannot be read; the message says what is wrong with it. */
export class AccountsError extends Error {}

/** @throws {AccountsError} */
export function readAccounts(text: string): Accounts {
  const accounts = new Map<string, string>()
  const roles = new Map(Object.keys(CHART).map((role) => [role.toLowerCase(), role]))
  for (const pair of text.split(',').map((each) => each.trim())) {
    if (pair === '') continue
    const [, given = '', country = '', account = ''] = /^([^=.]+)(\.[^=]+)?=(\d{3,8})$/.exec(pair) ?? []
    if (account === '') throw new AccountsError(`"${pair}" is no NAME=ACCOUNT`)
    const name = (OLDER[given.toLowerCase()] ?? given).toLowerCase()
    const [, base = '', rate = ''] = /^([a-z]+?)(\d{1,2}(?:\.\d+)?)?$/.exec(name) ?? []
    const known = roles.has(name) || (rate !== '' && (roles.has(base) || base === 'sales' || base === 'vat'))
    if (!known) throw new AccountsError(`"${given}" is none of ${Object.keys(CHART).join(', ')}`)
    accounts.set(`${name}${country.toLowerCase()}`, account)
  }
  return accounts
}

/** The account for a role, of a rate and a country where these have their own; undefined for a rate of VAT without one. */
export function accountFor(
  accounts: Accounts,
  role: Role,
  {
    rate = '',
    country,
    chart = '2024',
  }: { readonly rate?: string | undefined; readonly country?: string; readonly chart?: Chart } = {},
): string | undefined {
  const name = role.toLowerCase()
  const names = [`${name}${rate}.${country?.toLowerCase()}`, `${name}.${country?.toLowerCase()}`, `${name}${rate}`, name]
  const chosen = names.map((each) => accounts.get(each)).find((account) => account !== undefined)
  if (chosen !== undefined) return chosen
  if (!Object.hasOwn(CHART, role)) return undefined
  const [account, , later]: readonly [string, string, string?] = CHART[role as keyof typeof CHART]
  return chart === '2026' ? (later ?? account) : account
}

/** The name of an account in the chart; of one that the seller chose, what is posted to it. */
export function accountName(account: string, role: Role): string {
  const named: readonly (readonly [string, string, string?])[] = Object.values(CHART)
  const found = named.find(([number, , later]) => number === account || later === account)
  if (found !== undefined) return found[1]
  if (OTHERS[account] !== undefined) return OTHERS[account]
  if (Object.hasOwn(CHART, role)) return CHART[role as keyof typeof CHART][1]
  const rate = role.replace(/^\D+/, '')
  return role.startsWith('vat') ? `Utgående moms, ${rate} %` : `Försäljning, ${rate} % moms`
}
