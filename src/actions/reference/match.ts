/** Finds what a seller names by words among named things. Case and accents are ignored: "kok" finds "Kök". */
import { SellerError } from '../../cli/errors.js'
import { nearest } from '../../contract/index.js'
import type { Leaf } from './names.js'

/** Matches that an error lists. */
const LISTED = 20

/** Lower case, without accents. */
export function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

/** The words of a text; `>` between the names of a path is none. */
export function wordsOf(text: string): string[] {
  return folded(text)
    .split(/[\s>]+/)
    .filter((word) => word !== '')
}

/** @param words folded */
export function holdsAll(text: string, words: readonly string[]): boolean {
  const whole = folded(text)
  return words.every((word) => whole.includes(word))
}

/** Leaves that words may mean: the one whose path they are, else those with all words in the name, else in the path. */
export function leavesFor(leaves: readonly Leaf[], text: string): Leaf[] {
  const words = wordsOf(text)
  const exact = leaves.filter(({ path }) => wordsOf(path).join(' ') === words.join(' '))
  if (exact.length > 0) return exact
  const named = leaves.filter(({ name }) => holdsAll(name, words))
  return named.length > 0 ? named : leaves.filter(({ path }) => holdsAll(path, words))
}

export interface Named {
  readonly id: number
  readonly name: string
}

/** The one that the text names: by its whole name, else by words that no other name has. */
export function namedBy<T extends Named>(all: readonly T[], text: string, namesOf: (one: T) => readonly string[]): T[] {
  const exact = all.filter((one) => namesOf(one).some((name) => folded(name) === folded(text)))
  if (exact.length > 0) return exact
  const words = wordsOf(text)
  return all.filter((one) => namesOf(one).some((name) => holdsAll(name, words)))
}

export interface Search<T> {
  /** The flag, or the field of a file, e.g. `--category`. */
  readonly where: string
  readonly text: string
  /** What there is, e.g. `leaf category`, and several of it. */
  readonly noun: string
  readonly nouns: string
  readonly all: readonly T[]
  readonly matches: readonly T[]
  /** How a match is listed, beside its id. */
  readonly shown: (one: T) => string
  /** Where to look, one sentence. */
  readonly look: string
}

/** @throws {SellerError} unknown_name, ambiguous_name: they list what could be meant */
export function theOne<T extends Named>({ where, text, noun, nouns, all, matches, shown, look }: Search<T>): T {
  const [one, ...more] = matches
  if (one !== undefined && more.length === 0) return one
  if (one === undefined) {
    const near = nearest(
      text,
      all.map(({ name }) => name),
    )
    const hint = near === undefined ? look : `Did you mean ${near}? ${look}`
    throw new SellerError('unknown_name', `${where}: no ${noun} matches "${text}".`, hint, { matches: [] })
  }
  const listed = matches.slice(0, LISTED)
  const width = Math.max(...listed.map(({ id }) => String(id).length))
  throw new SellerError(
    'ambiguous_name',
    `${where}: "${text}" matches ${matches.length} ${nouns}.`,
    [
      'Give one of these ids, or more words:',
      ...listed.map((match) => `${String(match.id).padStart(width)}  ${shown(match)}`),
      ...(matches.length > LISTED ? [`… and ${matches.length - LISTED} more`] : []),
    ].join('\n'),
    { matches: listed.map((match) => ({ id: match.id, name: shown(match) })) },
  )
}
