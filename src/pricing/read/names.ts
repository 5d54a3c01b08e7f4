/** The names that sellers give to columns, read generously: any case, spaces or underscores, a unit beside the name. */

/** What a column of prices of shop items may be for. `Listed`: the price as a list of items has it. `Number`: an id or a reference. */
export type PriceField = 'Id' | 'Number' | 'OwnReference' | 'Price' | 'Listed' | '_Allow' | '_Old' | 'Title' | 'Category' | 'Type'

/** By their plain names (plainName). Those of our own outputs stand among them, so that a list or a plan can be fed back. */
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
  ...named('Type', 'itemtype'),
}

function named<F extends string>(field: F, ...names: string[]): Record<string, F> {
  return Object.fromEntries(names.map((name) => [name, field]))
}

/**
 * A column's name without what does not matter: `Pris (kr)`, `pris_sek`, ` PRIS ` are `pris`; `Nytt pris` is `nyttpris`. A leading
 * underscore stays: it marks a column of the seller's own.
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
