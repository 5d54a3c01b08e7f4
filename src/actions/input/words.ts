/** The words of fields whose values the service knows by number: for flags, files, questions and skeletons alike. */
import { ACCEPTED_BIDDERS, ITEM_ATTRIBUTES, ITEM_TYPE_IDS, nearest } from '../../contract/index.js'
import { ValueError } from '../../errors/index.js'
import type { Words } from '../../messages/index.js'

/** A word for one id of the service. */
interface Word {
  readonly id: number
  /** In Swedish, as sellers write it. */
  readonly swedish: string
  /** Other spellings. */
  readonly also?: readonly string[]
  /** The text of the choice where somebody is asked. */
  readonly choice?: string
}

export type FieldWords = Readonly<Record<string, Word>>

/** `nyskick` is none of these: what is as good as new is used. */
export const CONDITION_WORDS = {
  used: { id: ITEM_ATTRIBUTES.used, swedish: 'begagnad', also: ['begagnat', 'begagnade', 'använd', 'använt'], choice: 'Used' },
  new: { id: ITEM_ATTRIBUTES.new, swedish: 'ny', also: ['nytt', 'nya', 'helt ny'], choice: 'New' },
} satisfies FieldWords

/** Names that replies of the service have are read too. */
export const TYPE_WORDS = {
  auction: { id: ITEM_TYPE_IDS.Auction, swedish: 'auktion', choice: 'Auction: the highest bid wins' },
  'buy-now': {
    id: ITEM_TYPE_IDS.PureBuyItNow,
    swedish: 'köp nu',
    also: ['PureBuyItNow', 'endast köp nu', 'fast pris', 'fixed price', 'buy it now'],
    choice: 'Buy now: one price, for 30 days',
  },
  contact: {
    id: ITEM_TYPE_IDS.ContactOnly,
    swedish: 'kontakt',
    also: ['ContactOnly', 'endast kontakt'],
    choice: 'Contact: buyers write to you',
  },
} satisfies FieldWords

export const ACCEPTED_WORDS = {
  sweden: { id: ACCEPTED_BIDDERS.Sweden, swedish: 'sverige', also: ['SE'] },
  eu: { id: ACCEPTED_BIDDERS.EU, swedish: 'EU-länder' },
  international: { id: ACCEPTED_BIDDERS.International, swedish: 'hela världen', also: ['internationellt', 'world', 'worldwide'] },
} satisfies FieldWords

/** The words as messages and skeletons list them. */
export function listed(words: FieldWords): string {
  return Object.entries(words)
    .map(([word, { swedish }]) => `${word} (${swedish})`)
    .join(', ')
}

function plain(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_-]+/g, '')
}

/**
 * Makes a reader of a word, in any case, with a blank or a dash between its parts.
 * @param elsewhere the message for a word that belongs to another command
 * @returns a reader that throws {SellerError} usage
 */
export function wordReader(words: FieldWords, elsewhere: Readonly<Record<string, Words>> = {}) {
  const spellings = Object.entries(words).flatMap(([word, { id, swedish, also = [] }]) =>
    [word, swedish, ...also].map((spelling) => [plain(spelling), id] as const),
  )
  const idByWord = new Map(spellings)
  return (word: string, name: string): number => {
    const id = idByWord.get(plain(word))
    if (id !== undefined) return id
    const other = Object.hasOwn(elsewhere, plain(word)) ? elsewhere[plain(word)] : undefined
    if (other !== undefined) throw new ValueError('invalid_values', { name, value: word, why: 'is not for this command' }, other)
    const near = nearest(word, [...Object.keys(words), ...Object.values(words).map(({ swedish }) => swedish)])
    const hint = near === undefined ? 'Give one of these words.' : `Did you mean ${near}?`
    throw new ValueError('invalid_values', { name, value: word, why: `is not one of ${listed(words)}` }, hint)
  }
}
