/** What a name that is gone may be called now. */
import { nearest } from '../../../contract/index.js'

/** GetEidVerificationProgress -> get, eid, verification, progress. */
function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[^A-Z]+/g) ?? []).map((word) => word.toLowerCase())
}

/** The share of words that two names have in common, 0 to 1. */
function likeness(one: string, other: string): number {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  const shared = a.filter((word) => b.includes(word)).length
  return shared / Math.max(a.length, b.length)
}

/** The name among others that has the most words in common, at least half of them, else one that is a slip of the pen away. */
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
