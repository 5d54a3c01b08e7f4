/**
 * The names that sellers use for columns, read generously: in any case, with spaces or underscores, with a unit after the name.
 */

/** What a column of prices of shop items can be. `Listed`: the price as in a list of items. `Number`: an id or a reference. */
export type PriceField =
  | 'Id'
  | 'Number'
  | 'OwnReference'
  | 'Price'
  | 'Listed'
  | '_Allow'
  | '_Old'
  | 'Title'
  | 'Category'
  | 'Remaining'
  | 'Type'

/**
 * By their plain names (plainName). The names in our own output are among them, so that a list or a plan can be used as input.
 */
export const PRICE_NAMES: Readonly<Record<string, PriceField>> = {
  ...named('Id', 'id', 'itemid', 'objektid', 'objektnr', 'objektnummer', 'annonsid', 'annonsnr', 'annonsnummer'),
  ...named('Number', 'artikelnr', 'artikelnummer', 'artikelid', 'artnr', 'artikel'),
  ...named('OwnReference', 'ownreference', 'ownref', 'egenreferens', 'egenref', 'egetartikelnr', 'egetartikelnummer', 'sku'),
  ...named('Price', 'price', 'pris', 'newprice', 'nyttpris', 'nypris', 'nyapriset', 'prisny', 'försäljningspris', 'salesprice'),
  ...named('Listed', 'buyitnowprice'),
  ...named('_Allow', '_allow'),
  ...named('_Old', '_old', 'oldprice'),
  ...named('Title', 'title', 'shortdescription', 'titel', 'rubrik'),
  ...named('Category', 'categoryid'),
  ...named('Remaining', 'remainingquantity'),
  ...named('Type', 'itemtype'),
}

function named<F extends string>(field: F, ...names: string[]): Record<string, F> {
  return Object.fromEntries(names.map((name) => [name, field]))
}

/**
 * A column's name without what does not matter: `Pris (kr)`, `pris_sek`, ` PRIS ` are `pris`; `Nytt pris` is `nyttpris`. A
 * leading underscore stays, because it marks the seller's own columns.
 */
export function plainName(name: string): string {
  const trimmed = name.trim().normalize('NFC').toLowerCase()
  const words = trimmed
    .replace(/[([].*?[)\]]/g, ' ')
    .split(/[\s\u00a0_.,:/-]+/)
    .filter((word) => word !== '')
  while (words.length > 1 && UNITS.has(words.at(-1) ?? '')) words.pop()
  return `${trimmed.startsWith('_') ? '_' : ''}${words.join('')}`
}

const UNITS: ReadonlySet<string> = new Set(['kr', 'sek', 'kronor', 'i'])
