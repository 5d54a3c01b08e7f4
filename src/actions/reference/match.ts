/** Finds what a seller names by words among named things. Case is ignored, accents where nothing has them: "kok" finds "Kök". */

import { nearest } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import type { Leaf } from './names.js'

/** Matches that an error lists. */
const LISTED = 20

/** A text as it is compared. */
export type Fold = (text: string) => string

const lower: Fold = (text) => text.normalize('NFC').toLowerCase().trim()

/** Lower case, without accents. */
export const folded: Fold = (text) => lower(text.normalize('NFD').replace(/\p{M}/gu, ''))

/**
 * How a text is compared, from strict to loose: in Swedish å, ä and ö are letters of their own, and "vas" is not the beginning of "väska".
 * Whoever types accents means them.
 */
function foldsFor(text: string): readonly Fold[] {
  return folded(text) === lower(text) ? [lower, folded] : [lower]
}

/** What the strictest comparison finds that finds anything. */
function firstFound<T>(text: string, find: (fold: Fold) => T[]): T[] {
  for (const fold of foldsFor(text)) {
    const found = find(fold)
    if (found.length > 0) return found
  }
  return []
}

/** The words of a text; `>` between the names of a path is none. */
export function wordsOf(text: string, fold: Fold = folded): string[] {
  return fold(text)
    .split(/[\s>]+/)
    .filter((word) => word !== '')
}

/** @param words as `fold` makes them */
export function holdsAll(text: string, words: readonly string[], fold: Fold = folded): boolean {
  const whole = fold(text)
  return words.every((word) => whole.includes(word))
}

/** Leaves that words may mean: the one whose path they are, else those with all words in the name, else in the path. */
export function leavesFor(leaves: readonly Leaf[], text: string): Leaf[] {
  return firstFound(text, (fold) => {
    const words = wordsOf(text, fold)
    const exact = leaves.filter(({ path }) => wordsOf(path, fold).join(' ') === words.join(' '))
    if (exact.length > 0) return exact
    const named = leaves.filter(({ name }) => holdsAll(name, words, fold))
    return named.length > 0 ? named : leaves.filter(({ path }) => holdsAll(path, words, fold))
  })
}

/** Leaves for words that are being typed: those whose name begins with them first, then those with the words in the name, then in the path. */
export function rankedLeaves(leaves: readonly Leaf[], text: string): Leaf[] {
  const folds = foldsFor(text)
  const rankOf = ({ name, path }: Leaf): number => {
    for (const [at, fold] of folds.entries()) {
      const words = wordsOf(text, fold)
      if (fold(name).startsWith(words.join(' '))) return at
      if (holdsAll(name, words, fold)) return 2 + at
      if (holdsAll(path, words, fold)) return 4 + at
    }
    return Number.POSITIVE_INFINITY
  }
  const ranked = leaves.map((leaf) => ({ leaf, rank: rankOf(leaf) })).filter(({ rank }) => Number.isFinite(rank))
  return ranked.sort((one, other) => one.rank - other.rank).map(({ leaf }) => leaf)
}

export interface Named {
  readonly id: number
  readonly name: string
}

/** The one that the text names: by its whole name, else by words that no other name has. */
export function namedBy<T extends Named>(all: readonly T[], text: string, namesOf: (one: T) => readonly string[]): T[] {
  return firstFound(text, (fold) => {
    const exact = all.filter((one) => namesOf(one).some((name) => fold(name) === fold(text)))
    if (exact.length > 0) return exact
    const words = wordsOf(text, fold)
    return all.filter((one) => namesOf(one).some((name) => holdsAll(name, words, fold)))
  })
}

export interface Search<T> {
  /** The flag, or the field of a file, e.g. `--category`. */
  readonly where: string
  readonly text: string
  /** What there is, e.g. `leaf category`. */
  readonly noun: string
  readonly all: readonly T[]
  /** Those that the text names; by default by their names. */
  readonly matches?: readonly T[]
  /** How a match is listed, beside its id; its name by default. */
  readonly shown?: (one: T) => string
  /** Where to look, one sentence. */
  readonly look: string
}

/** @throws {SellerError} unknown_name, ambiguous_name: they list what could be meant */
export function theOne<T extends Named>(search: Search<T>): T {
  const { where, text, noun, all, look, shown = ({ name }) => name } = search
  const matches = search.matches ?? namedBy(all, text, ({ name }) => [name])
  const [one, ...more] = matches
  if (one !== undefined && more.length === 0) return one
  if (one === undefined) {
    const known = all.map(({ name }) => name)
    const near = nearest(text, known)
    const hint = near === undefined ? look : `Did you mean ${near}? ${look}`
    throw new SellerError('unknown_name', `${where}: no ${noun} matches "${text}".`, hint, { matches: [] })
  }
  const listed = matches.slice(0, LISTED)
  const width = Math.max(...listed.map(({ id }) => String(id).length))
  throw new SellerError(
    'ambiguous_name',
    `${where}: "${text}" matches ${matches.length} ${noun.replace(/y$/, 'ie')}s.`,
    [
      'Give one of these ids, or more words:',
      ...listed.map((match) => `${String(match.id).padStart(width)}  ${shown(match)}`),
      ...(matches.length > LISTED ? [`… and ${matches.length - LISTED} more`] : []),
    ].join('\n'),
    { matches: listed.map((match) => ({ id: match.id, name: shown(match) })) },
  )
}
