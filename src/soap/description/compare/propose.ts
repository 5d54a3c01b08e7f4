/** Finds which of a service's own names replace names of the document. A pair is proposed only if the types agree with it. */
import {
  type NameMap,
  type NamePair,
  namesIn,
  operationsOf,
  readNameMap,
  renaming,
  renamingBack,
  writeNameMap,
} from '../../../contract/index.js'
import { inDocumentNames } from '../names.js'
import type { Description } from '../read.js'
import { compareContract } from './compare.js'
import type { Difference, DifferenceKind } from './difference.js'
import { sharedWords, wordsOf } from './located.js'

/** The most pairs that are proposed, and that are tried: a description may have been made to have any number of names. */
const MAX_PAIRS = 20
const MAX_TRIED = 80

/**
 * Looks for pairs of names that make fewer commands break, and none that worked before.
 * @param names the map that the profile already has
 * @returns the pairs to add to it
 */
export function proposeNames(descriptions: readonly Description[], names: NameMap): NamePair[] {
  const pairs: NamePair[] = []
  let breaks: readonly Difference[] = findBreaks(descriptions, names)
  const triedKeys = new Set<string>()
  while (pairs.length < MAX_PAIRS && breaks.length > 0) {
    let best: { pair: NamePair; breaks: readonly Difference[] } | undefined
    for (const pair of candidates(descriptions, [...names, ...pairs], breaks)) {
      const key = pair.join('=')
      if (triedKeys.size >= MAX_TRIED && !triedKeys.has(key)) break
      triedKeys.add(key)
      const after = breaksWith(descriptions, [...names, ...pairs], pair, breaks)
      if (after !== undefined && after.length < (best?.breaks.length ?? breaks.length)) best = { pair, breaks: after }
    }
    if (best === undefined) break
    pairs.push(best.pair)
    breaks = best.breaks
  }
  return pairs.sort(([one], [other]) => (one < other ? -1 : 1))
}

function findBreaks(descriptions: readonly Description[], names: NameMap): Difference[] {
  return descriptions.flatMap((description) => compareContract(description, names).filter(({ effect }) => effect === 'breaks'))
}

/**
 * Differences that may appear once an operation is recognised: a field of it that another pair explains, or parameters in a form
 * that this tool sends too.
 */
const BY_THE_WAY: readonly DifferenceKind[] = ['field_renamed', 'form']

const keyOf = ({ kind, operation, subject }: Difference): string => `${kind} ${operation} ${subject}`

/**
 * Remaining breaks with one more pair; undefined if the pair is wrong, because something else breaks or a name does not come
 * back as it was.
 */
function breaksWith(
  descriptions: readonly Description[],
  names: NameMap,
  pair: NamePair,
  before: readonly Difference[],
): readonly Difference[] | undefined {
  const map = withPair(names, pair)
  if (map === undefined || !isReversible(descriptions, map)) return undefined
  const after = findBreaks(descriptions, map)
  const knownBreaks = new Set(before.map(keyOf))
  const breaksMore = after.some((difference) => !BY_THE_WAY.includes(difference.kind) && !knownBreaks.has(keyOf(difference)))
  return breaksMore ? undefined : after
}

function withPair(names: NameMap, pair: NamePair): NameMap | undefined {
  try {
    return readNameMap(writeNameMap([...names, pair]))
  } catch {
    return undefined
  }
}

/** True if each name of the descriptions comes back as it was when it is turned into the document's and back. */
function isReversible(descriptions: readonly Description[], map: NameMap): boolean {
  const [there, back] = [renaming(map), renamingBack(map)]
  return descriptions.every((description) => {
    const names = namesIn([...description.operations.values()].map(({ operation }) => operation))
    return [...names].every((name) => there(back(name)) === name)
  })
}

/** Pairs that would turn a missing name into one that only the description has. Those that explain the most names come first. */
function candidates(descriptions: readonly Description[], names: NameMap, breaks: readonly Difference[]): NamePair[] {
  const pairs = new Map<string, { readonly pair: NamePair; votes: number }>()
  const add = (ours: string, theirs: string): void => {
    for (const pair of pairsBetween(ours, theirs)) {
      const key = pair.join('=')
      const candidate = pairs.get(key)
      if (candidate === undefined) pairs.set(key, { pair, votes: 1 })
      else candidate.votes++
    }
  }
  for (const description of descriptions) {
    const contractOperations = operationsOf(description.service, 'all')
    const describedOperations = inDocumentNames(description, names).operations
    const extra = [...describedOperations.keys()].filter((name) => !Object.hasOwn(contractOperations, name))
    for (const { kind, service, operation = '' } of breaks) {
      if (kind !== 'operation_missing' || service !== description.service) continue
      const shared = extra.map((other) => sharedWords(operation, other))
      const most = Math.max(1, ...shared)
      extra.forEach((other, at) => {
        if (shared[at] === most) add(operation, other)
      })
    }
  }
  for (const { kind, expected = '', found = '' } of breaks) if (kind === 'field_renamed') add(expected, found)
  return [...pairs.values()].sort((one, other) => other.votes - one.votes).map(({ pair }) => pair)
}

/**
 * `GetEidProgress`, `GetZedProgress` -> Eid=Zed, GetEid=GetZed, EidProgress=ZedProgress, the whole name. The shortest come first.
 */
function pairsBetween(ours: string, theirs: string): NamePair[] {
  const [a, b] = [wordsOf(ours), wordsOf(theirs)]
  let start = 0
  while (start < Math.min(a.length, b.length) - 1 && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start - 1 && a.at(-1 - end) === b.at(-1 - end)) end++
  const pair = (from: number, to: number): NamePair => [
    a.slice(from, a.length - to).join(''),
    b.slice(from, b.length - to).join(''),
  ]
  const pairs = [pair(start, end)]
  if (end > 0) pairs.push(pair(start, end - 1))
  if (start > 0) pairs.push(pair(start - 1, end))
  pairs.push([ours, theirs])
  return pairs.filter(([one, other]) => one !== other && /^[A-Z]/.test(one) && /^[A-Z]/.test(other))
}
