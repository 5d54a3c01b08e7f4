/** Finds what a seller names by words among named things. Case is ignored, accents where nothing has them: "kok" finds "Kök". */

import { nearest } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { ValueError } from '../../errors/index.js'
import { say, type Words } from '../../messages/index.js'
import type { Leaf } from './names.js'

/** Matches that an error lists. */
const LISTED = 20

/** A text as it is compared. */
export type Fold = (text: string) => string

const lower: Fold = (text) => text.normalize('NFC').toLowerCase().trim()

/** Lower case, without accents. */
export const folded: Fold = (text) => lower(text.normalize('NFD').replace(/\p{M}/gu, ''))

/**
 * Comparisons of a text, from strict to loose: in Swedish å, ä and ö are letters of their own, and "vas" is not the beginning of
 * "väska". Whoever types accents means them.
 */
function foldsFor(text: string): readonly Fold[] {
  return folded(text) === lower(text) ? [lower, folded] : [lower]
}

/** Matches of the strictest comparison that has any. */
function firstFound<T>(text: string, find: (fold: Fold) => T[]): T[] {
  for (const fold of foldsFor(text)) {
    const matches = find(fold)
    if (matches.length > 0) return matches
  }
  return []
}

/** The words of a text; `>` between the names of a path is none. */
export function foldedWords(text: string, fold: Fold = folded): string[] {
  return fold(text)
    .split(/[\s>]+/)
    .filter((word) => word !== '')
}

/** @param words as `fold` makes them */
export function holdsAll(text: string, words: readonly string[], fold: Fold = folded): boolean {
  const whole = fold(text)
  return words.every((word) => whole.includes(word))
}

/** True if all words are whole words of a text: "koppar" is none of "Kopparmynt". @param words as `fold` makes them */
function hasWords(text: string, words: readonly string[], fold: Fold): boolean {
  const whole = new Set(fold(text).split(/[^\p{L}\p{N}]+/u))
  return words.every((word) => word.split(/[^\p{L}\p{N}]+/u).every((part) => part === '' || whole.has(part)))
}

/** Leaves that words may mean: the one whose path they are, else those with all words in the name, else in the path. */
export function leavesFor(leaves: readonly Leaf[], text: string): Leaf[] {
  return leavesWith(leaves, text, holdsAll)
}

/** The same with whole words only, for a cell of a file: nobody looks at it again. */
export function leavesByWords(leaves: readonly Leaf[], text: string): Leaf[] {
  return leavesWith(leaves, text, hasWords)
}

function leavesWith(leaves: readonly Leaf[], text: string, has: typeof hasWords): Leaf[] {
  return firstFound(text, (fold) => {
    const words = foldedWords(text, fold)
    const exact = leaves.filter(({ path }) => foldedWords(path, fold).join(' ') === words.join(' '))
    if (exact.length > 0) return exact
    const namedLeaves = leaves.filter(({ name }) => has(name, words, fold))
    return namedLeaves.length > 0 ? namedLeaves : leaves.filter(({ path }) => has(path, words, fold))
  })
}

/**
 * Leaves for words that are being typed: those whose name begins with them first, then those with the words in the name, then in
 * the path.
 */
export function rankedLeaves(leaves: readonly Leaf[], text: string): Leaf[] {
  const folds = foldsFor(text)
  const rankOf = ({ name, path }: Leaf): number => {
    for (const [at, fold] of folds.entries()) {
      const words = foldedWords(text, fold)
      if (fold(name).startsWith(words.join(' '))) return at
      if (holdsAll(name, words, fold)) return 2 + at
      if (holdsAll(path, words, fold)) return 4 + at
    }
    return Number.POSITIVE_INFINITY
  }
  const leavesByRank = leaves.map((leaf) => ({ leaf, rank: rankOf(leaf) })).filter(({ rank }) => Number.isFinite(rank))
  return leavesByRank.sort((one, other) => one.rank - other.rank).map(({ leaf }) => leaf)
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
    const words = foldedWords(text, fold)
    return all.filter((one) => namesOf(one).some((name) => holdsAll(name, words, fold)))
  })
}

export interface Search<T> {
  /** The flag, or the field of a file, e.g. `--category`. */
  readonly where: string
  readonly text: string
  /** Noun for the entries, e.g. `leaf category`. */
  readonly noun: string
  readonly all: readonly T[]
  /** Those that the text names; by default by their names. */
  readonly matches?: readonly T[]
  /** Those that are listed where the text names none. */
  readonly near?: readonly T[]
  /** Text for a match in a list, next to its id; its name by default. */
  readonly shown?: (one: T) => string
  /** Where to look, one sentence. */
  readonly look: Words
}

/** @throws {SellerError} unknown_name, ambiguous_name: they list what could be meant */
export function theOne<T extends Named>(search: Search<T>): T {
  const { where, text, noun, all, look, shown = ({ name }) => name } = search
  const matches = search.matches ?? namedBy(all, text, ({ name }) => [name])
  const [one, ...more] = matches
  if (one !== undefined && more.length === 0) return one
  const { near: parts = [] } = search
  if (one === undefined && parts.length === 0) {
    const names = all.map(({ name }) => name)
    const near = nearest(text, names)
    const hint = near === undefined ? look : say`Did you mean ${near}? ${look}`
    throw new ValueError('unknown_name', { name: where, why: `no ${noun} matches "${text}"` }, hint, { matches: [] })
  }
  const candidates = one === undefined ? parts : matches
  const listedItems = candidates.slice(0, LISTED)
  const width = Math.max(...listedItems.map(({ id }) => String(id).length))
  throw new ValueError(
    'ambiguous_name',
    {
      name: where,
      value: text,
      why: `${one === undefined ? 'is only a part of words of' : 'matches'} ${countOf(candidates.length, noun).replace(/ys$/, 'ies')}`,
    },
    [
      'Give one of these ids, or more words:',
      ...listedItems.map((match) => `${String(match.id).padStart(width)}  ${shown(match)}`),
      ...(candidates.length > LISTED ? [`… and ${candidates.length - LISTED} more`] : []),
    ].join('\n'),
    { matches: listedItems.map((match) => ({ id: match.id, name: shown(match) })) },
  )
}
