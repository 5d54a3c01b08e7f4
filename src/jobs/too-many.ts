/** Judges whether a failed call had too many entries. */
import { SoapError } from '../soap/client/index.js'

/** The service's own words for it are not known (docs/service.md, Not known). */
const WORDS = /too (many|large|long)|at most|maximum|exceed/i
/** A fault that does not mention a number means "too many" only above this many entries. */
const FEWEST = 50

/**
 * Judges a failed call. sure: the service mentioned a number, or the size of the request; maybe: a fault that does not say what
 * it is about; no: fewer entries would not help.
 * @param entries how many rows or ids were in the call
 * @param taken the most that one call was accepted with before; a fault with no more than that is about something else
 */
export function judgeTooMany(error: unknown, entries: number, takenEntries = 0): 'sure' | 'maybe' | 'no' {
  if (!(error instanceof SoapError) || entries <= 1) return 'no'
  if (error.kind === 'too-large' || error.httpStatus === 413) return 'sure'
  if (error.kind !== 'fault') return 'no'
  if (WORDS.test(error.faultString ?? '')) return 'sure'
  return entries > Math.max(FEWEST, takenEntries) ? 'maybe' : 'no'
}
