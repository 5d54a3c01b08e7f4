/** Finds the likely new name for a name that is gone. */
import { nearest } from '../../../contract/index.js'

/** GetEidVerificationProgress -> Get, Eid, Verification, Progress. */
export function wordsOf(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[^A-Z]+/g) ?? []
}

const lowerWords = (name: string): string[] => wordsOf(name).map((word) => word.toLowerCase())

/** How many words two names have in common. */
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
