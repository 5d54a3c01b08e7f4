/** Finds a field that a struct no longer has: under another name, or moved into or out of another struct. */
import { type Field, type Fields, nearest, resolved, type Struct, type Type } from '../../../contract/index.js'
import { alike } from './shapes.js'

export interface Located {
  readonly kind: 'renamed' | 'nested'
  /** Its name or dotted path from the struct where it was missing. */
  readonly path: string
  /** The fields of the struct that replace it or hold it. */
  readonly by: readonly string[]
}

/**
 * Limits on how deep structs are searched, how many of their fields, and how many fields are tried: a description may have been
 * made to have very many.
 */
const DEPTH = 3
const MAX_LEAVES = 500
const MAX_EXTRA = 200

/**
 * Looks for fields that only one side has among those that only the other side has.
 * @returns by the name of the missing field, without those that were not found
 */
export function locate(expected: Fields, actual: Fields): Map<string, Located> {
  const missing = Object.keys(expected)
    .filter((name) => !Object.hasOwn(actual, name))
    .slice(0, MAX_EXTRA)
  const others = Object.keys(actual).filter((name) => !Object.hasOwn(expected, name))
  const extra = new Set(others.slice(0, MAX_EXTRA))
  const locations = new Map<string, Located>()
  const container = nestInto(missing, actual, extra, locations)
  for (const name of missing) {
    if (locations.has(name)) continue
    const field = expected[name] as Field
    const flat = takenApart(field, extra)
    if (flat.length > 0) {
      locations.set(name, { kind: 'nested', path: flat.join(', '), by: flat })
      for (const each of flat) extra.delete(each)
      continue
    }
    const candidates = [...extra].filter((other) => other !== container && sameShape(field, actual[other] as Field))
    const other = likelyName(name, candidates) ?? findReplacement(name, expected, actual, candidates)
    if (other === undefined) continue
    locations.set(name, { kind: 'renamed', path: other, by: [other] })
    extra.delete(other)
  }
  return locations
}

function sameShape(one: Field, other: Field): boolean {
  return one.repeated === other.repeated && one.attribute === other.attribute && alike(one.type, other.type)
}

/** The candidate between the same neighbours. */
function findReplacement(name: string, expected: Fields, actual: Fields, candidates: readonly string[]): string | undefined {
  const around = (fields: Fields, field: string): string => {
    const names = Object.keys(fields)
    const at = names.indexOf(field)
    return JSON.stringify([names[at - 1], names[at + 1]])
  }
  const place = around(expected, name)
  return candidates.find((candidate) => around(actual, candidate) === place)
}

/** Finds the missing fields inside structs that only the description has. @returns the name of the field that holds them */
function nestInto(
  missing: readonly string[],
  actual: Fields,
  extra: ReadonlySet<string>,
  locations: Map<string, Located>,
): string | undefined {
  for (const name of extra) {
    const leaves = collectLeaves((actual[name] as Field).type, name, DEPTH)
    const exact = missing.filter((each) => leaves.some((leaf) => leaf.name.toLowerCase() === each.toLowerCase()))
    if (exact.length === 0) continue
    for (const each of missing) {
      // An itemId next to others that were found is the Id of the struct they are in.
      const leaf =
        leaves.find((one) => one.name.toLowerCase() === each.toLowerCase()) ??
        leaves.find((one) => one.name.length > 1 && each.toLowerCase().endsWith(one.name.toLowerCase()))
      if (leaf !== undefined) locations.set(each, { kind: 'nested', path: leaf.path, by: [name] })
    }
    return name
  }
  return undefined
}

/** The fields of a missing struct that now take its place; none if fewer than half do. */
function takenApart({ type }: Field, extra: ReadonlySet<string>): string[] {
  const inner = structOf(type)
  if (inner === undefined) return []
  const names = collectLeaves(inner, '', DEPTH).map((leaf) => leaf.name.toLowerCase())
  const there = [...extra].filter((name) => names.includes(name.toLowerCase()))
  return there.length * 2 >= Object.keys(inner.fields).length ? there : []
}

function structOf(type: Type): Struct | undefined {
  const plain = resolved(type)
  return plain.kind === 'struct' ? plain : undefined
}

interface Leaf {
  readonly name: string
  readonly path: string
}

function collectLeaves(type: Type, path: string, depth: number, leaves: Leaf[] = []): Leaf[] {
  const struct = structOf(type)
  if (struct === undefined || depth === 0) return leaves
  for (const [name, field] of Object.entries(struct.fields)) {
    if (leaves.length >= MAX_LEAVES) break
    const inner = path === '' ? name : `${path}.${name}`
    leaves.push({ name, path: inner })
    collectLeaves(field.type, inner, depth - 1, leaves)
  }
  return leaves
}

/** GetEidVerificationProgress -> Get, Eid, Verification, Progress. */
export function wordsOf(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[^A-Z]+/g) ?? []
}

const lowerWords = (name: string): string[] => wordsOf(name).map((word) => word.toLowerCase())

/** Number of words that two names have in common. */
export function sharedWords(one: string, other: string): number {
  const words = lowerWords(other)
  return lowerWords(one).filter((word) => words.includes(word)).length
}

/** The share of words that two names have in common, 0 to 1. */
function likeness(one: string, other: string): number {
  return sharedWords(one, other) / Math.max(wordsOf(one).length, wordsOf(other).length)
}

/** The name among others that has the most words in common, at least half of them; else one that differs by a typing mistake. */
export function likelyName(name: string, others: readonly string[]): string | undefined {
  let best: string | undefined
  let most = 0.5
  for (const other of others) {
    const share = likeness(name, other)
    if (share > most || (share === most && best === undefined)) {
      best = other
      most = share
    }
  }
  return best ?? nearest(name, others)
}
