/**
 * Reads the name of a column: what it calls, and what it says of VAT, currency, place and language. Brackets are a part of the
 * meaning.
 */

/** A name of a column, apart from what does not matter: case, spaces, underscores, dashes, signs of required columns. */
export interface ColumnName {
  /** `Nytt pris (kr)` is `nyttpris`. A leading underscore stays, because it marks the seller's own columns. */
  readonly plain: string
  /** True if the name says that VAT is in the amount, false if it says that it is not. */
  readonly vat?: boolean
  /** ISO 4217, where the name says it. */
  readonly currency?: string
  /** Place or price list among several: `In stock [Butiken]`. */
  readonly place?: string
  /** Remark in brackets that changes the meaning in a way that is not known, as it is written. */
  readonly remark?: string
}

const SEPARATORS = /[\s\u00a0_.,:/*#%-]+/
const KRONOR: ReadonlySet<string> = new Set(['kr', 'sek', 'kronor', 'i'])
const CURRENCY = /^(?:usd|eur|gbp|nok|dkk|isk|chf|pln|jpy|cny|[$€£¥])$/
const SIGNS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY' }
const VAT = '(?:moms|mva|vat|tax|mwst|ust|skatt)'
const WITH_VAT = new RegExp(
  `(?:^| )(?:(?:inkl|incl|inklusive|including|med) ${VAT}|inkl${VAT}|${VAT} (?:incl|included|inkl)|brutto|gross)$`,
)
const WITHOUT_VAT = new RegExp(
  `(?:^| )(?:(?:exkl|excl|ex|exklusive|excluding|utan|zzgl) ${VAT}|ex(?:kl)?${VAT}|${VAT} (?:excl|excluded|exkl)|netto|net)$`,
)
/** Remarks on how a cell is written, or on who fills it in. */
const HINTS =
  /^(?:html|text|string|number|integer|0\/1|x,y,z\.*|y{2,4}-mm-dd|mpn|not editable|non editable|read.only|st|pcs|styck|antal|obligatorisk\w*|required|optional|valfri\w*|sv|se|svenska|swedish|product\.metafields.*)$/
/** Brackets that are the name itself. */
const NAMED = /^(?:sku|current|new)$/

/** @param name as the file has it */
export function readColumnName(name: string): ColumnName {
  const trimmed = name
    .replace(/^\ufeff/, '')
    .trim()
    .normalize('NFC')
    .toLowerCase()
  const details: { vat?: boolean; currency?: string; place?: string; remark?: string; named: string } = { named: '' }
  const currency = (word: string) => SIGNS[word] ?? word.toUpperCase()
  const bare = trimmed.replace(/([([])([^()[\]]*)[)\]]/g, (_, opens: string, inside: string) => {
    const remark = inside.trim()
    const words = remark.split(SEPARATORS).filter((word) => word !== '' && !KRONOR.has(word))
    const text = words.join(' ')
    if (/\bsek\b/.test(remark)) details.currency = 'SEK'
    const code = /currency=([a-z]{3})/.exec(remark)?.[1]
    if (code !== undefined) details.currency = code.toUpperCase()
    else if (words.length === 0 || HINTS.test(remark)) return ' '
    else if (WITH_VAT.test(text)) details.vat = true
    else if (WITHOUT_VAT.test(text)) details.vat = false
    else if (CURRENCY.test(text)) details.currency = currency(text)
    else if (NAMED.test(text)) details.named = text
    else if (opens === '[') details.place = inside.trim()
    else details.remark = inside.trim()
    return ' '
  })
  const words = bare.split(SEPARATORS).filter((word) => word !== '')
  while (words.length > 1 && KRONOR.has(words.at(-1) ?? '')) words.pop()
  const text = words.join(' ')
  const vatWords = WITH_VAT.test(text) ? WITH_VAT : WITHOUT_VAT.test(text) ? WITHOUT_VAT : undefined
  const rest = vatWords === undefined ? '' : text.replace(vatWords, '')
  // `Brutto` alone says nothing of a price.
  if (vatWords !== undefined && rest !== '') details.vat = vatWords === WITH_VAT
  const { named, ...facts } = details
  const plain = `${(rest === '' ? text : rest).replaceAll(' ', '')}${named}`
  return { plain: trimmed.startsWith('_') ? `_${plain}` : plain, ...facts }
}
