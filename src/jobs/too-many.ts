/** Whether a failed call would have done with fewer entries. */
import { SoapError } from '../soap/client/index.js'

/** The service's own words for it are not known (docs/service.md, Not known). */
const WORDS = /too (many|large|long)|at most|maximum|exceed/i
/** A fault that does not speak of a number is taken for "too many" only above this many entries: below, it is about something else. */
const FEWEST = 50

/**
 * Judges a failed call. sure: the service spoke of a number, or of the size of the request; maybe: a fault that does not say what it is
 * about; no: fewer entries would not help.
 * @param entries how many rows or ids were in the call
 * @param taken the most that were taken by one call before; with as many, a fault is about something else
 */
export function judgeTooMany(error: unknown, entries: number, taken = 0): 'sure' | 'maybe' | 'no' {
  if (!(error instanceof SoapError) || entries <= 1) return 'no'
  if (error.kind === 'too-large' || error.httpStatus === 413) return 'sure'
  if (error.kind !== 'fault') return 'no'
  if (WORDS.test(error.faultString ?? '')) return 'sure'
  return entries > Math.max(FEWEST, taken) ? 'maybe' : 'no'
}
