/** Countries as orders name them, by their place in the VAT area of the EU (directive 2006/112, articles 5 to 7). */

/** Member states by their code, with the Swedish and the English name. Monaco is treated as France (article 7). */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  BE: ['Belgien', 'Belgium'],
  BG: ['Bulgarien', 'Bulgaria'],
  CY: ['Cypern', 'Cyprus'],
  DK: ['Danmark', 'Denmark'],
  EE: ['Estland', 'Estonia'],
  FI: ['Finland'],
  FR: ['Frankrike', 'France', 'Monaco'],
  EL: ['Grekland', 'Greece', 'GR'],
  IE: ['Irland', 'Ireland'],
  IT: ['Italien', 'Italy'],
  HR: ['Kroatien', 'Croatia'],
  LV: ['Lettland', 'Latvia'],
  LT: ['Litauen', 'Lithuania'],
  LU: ['Luxemburg', 'Luxembourg'],
  MT: ['Malta'],
  NL: ['Nederländerna', 'Netherlands', 'Holland'],
  PL: ['Polen', 'Poland'],
  PT: ['Portugal'],
  RO: ['Rumänien', 'Romania'],
  SK: ['Slovakien', 'Slovakia'],
  SI: ['Slovenien', 'Slovenia'],
  ES: ['Spanien', 'Spain'],
  SE: ['Sverige', 'Sweden'],
  CZ: ['Tjeckien', 'Czechia', 'Czech Republic', 'Tjeckiska republiken'],
  DE: ['Tyskland', 'Germany'],
  HU: ['Ungern', 'Hungary'],
  AT: ['Österrike', 'Austria'],
}

/** Parts of member states outside the VAT area, by their postcodes. */
const TERRITORIES: readonly { readonly of: string; readonly zip: RegExp; readonly name: string }[] = [
  { of: 'FI', zip: /^22\d{3}$/, name: 'Åland' },
  { of: 'ES', zip: /^(?:35|38)\d{3}$/, name: 'Kanarieöarna' },
  { of: 'ES', zip: /^51\d{3}$/, name: 'Ceuta' },
  { of: 'ES', zip: /^52\d{3}$/, name: 'Melilla' },
  { of: 'IT', zip: /^23041$/, name: 'Livigno' },
  { of: 'DE', zip: /^78266$/, name: 'Büsingen' },
  { of: 'DE', zip: /^27498$/, name: 'Helgoland' },
  { of: 'EL', zip: /^63086$/, name: 'Athos' },
  { of: 'FR', zip: /^97\d{3}$/, name: 'Franska utomeuropeiska departement' },
]

const CODES = new Map(
  Object.entries(MEMBERS).flatMap(([code, names]) => [code, ...names].map((name) => [name.toLowerCase(), code] as const)),
)

/** The code of a member state; undefined for another country. */
export function memberState(country: string): string | undefined {
  return CODES.get(country.trim().toLowerCase())
}

export function isSweden(country: string): boolean {
  return memberState(country) === 'SE'
}

/** The name under which settings and reports have a country: the Swedish one of a member state, else as it is written. */
export function countryName(country: string): string {
  const code = memberState(country)
  // Monaco has no returns of its own.
  return code === undefined ? country.trim() : (MEMBERS[code]?.[0] ?? country)
}

/** The part of a member state outside the VAT area that a postcode lies in; undefined for none. */
export function taxTerritory(country: string, zip: string | undefined): string | undefined {
  const code = memberState(country)
  const digits = zip?.replace(/^[A-Z]{1,2}-|\s/gi, '')
  if (code === undefined || digits === undefined) return undefined
  return TERRITORIES.find((one) => one.of === code && one.zip.test(digits))?.name
}

/** A postcode that says no more than that it is outside the VAT area; undefined for others. */
export function territoryZip(country: string, zip: string | undefined): string | undefined {
  const territory = taxTerritory(country, zip)
  if (territory === undefined) return undefined
  const coarse = `${zip?.replace(/^[A-Z]{1,2}-|\s/gi, '').slice(0, 2)}000`
  return taxTerritory(country, coarse) === territory ? coarse : zip
}

/** True if the name is that of a part of a member state outside the VAT area. */
export function isTerritory(name: string): boolean {
  return TERRITORIES.some((one) => one.name.toLowerCase() === name.trim().toLowerCase())
}

/** True if a VAT number has the code of a member state other than Sweden: of the given one. */
export function isVatNumberOf(country: string, number: string): boolean {
  const code = memberState(country)
  return (
    code !== undefined &&
    code !== 'SE' &&
    new RegExp(`^${code}[0-9A-Z+*]{2,13}$`).test(number.replace(/[\s.-]/g, '').toUpperCase())
  )
}

interface Address {
  readonly CountryName?: string
  readonly ZipCode?: string
}

/** Destination of an order, by the name that settings and reports use; a part outside the VAT area by its own name. */
export function placeOf(order: {
  readonly ShipTo?: Address
  readonly Buyer?: Address
}): { readonly name: string; readonly zip?: string | undefined } | undefined {
  const to = order.ShipTo?.CountryName === undefined ? order.Buyer : order.ShipTo
  const country = to?.CountryName?.trim()
  if (country === undefined || country === '') return undefined
  const territory = taxTerritory(country, to?.ZipCode)
  return { name: territory ?? countryName(country), zip: territory === undefined ? undefined : `${to?.ZipCode}` }
}
