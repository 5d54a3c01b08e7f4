/** Cells that say nothing: empty ones, and words in place of a number. */

/** True if a cell has nothing in it. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

/** Words in place of a number, which say nothing of it: never 0. */
const NO_NUMBER = /^(?:[-–—]+|n\/?a|inf(?:inity)?|unlimited|obegränsat|unbegrenzt|not stocked|in ?stock|variable|null)$/i

/** True if a cell has no number, and no other value either. */
export function saysNothing(value: unknown): boolean {
  return isBlank(value) || (typeof value === 'string' && NO_NUMBER.test(value.trim()))
}
