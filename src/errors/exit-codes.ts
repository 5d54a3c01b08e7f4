/** Exit codes and categories of errors, as promised to scripts (docs/scripting.md). */

export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  validation: 3,
  auth: 4,
  someRowsFailed: 5,
  held: 6,
  quota: 7,
  pending: 8,
  unknownOutcome: 9,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Meanings of the exit codes, in the words of help and docs. */
export const EXIT_MEANINGS: ReadonlyArray<readonly [ExitCode, string]> = [
  [EXIT.ok, 'done, or queued if --wait was not given; also when nothing was found'],
  [EXIT.failure, 'unexpected failure, or the service failed the request'],
  [EXIT.usage, 'wrong usage: flag, argument, file format'],
  [EXIT.validation, 'refused by validation, here or by the service; nothing changed'],
  [EXIT.auth, 'not logged in, refused or expired'],
  [EXIT.someRowsFailed, 'some rows of a bulk run failed'],
  [EXIT.held, 'held by a price guard or a missing confirmation; those rows were not sent'],
  [EXIT.quota, "quota: HTTP 429, or the profile's own budget"],
  [EXIT.pending, 'time is up, still pending'],
  [EXIT.unknownOutcome, 'the outcome of a write is unknown; the ledger has recorded it'],
  [EXIT.interrupted, 'interrupted; the ledger has recorded what was sent'],
]

/** Which code wins if several apply: the first in this list. */
const PRECEDENCE: readonly ExitCode[] = [
  EXIT.interrupted,
  EXIT.unknownOutcome,
  EXIT.quota,
  EXIT.someRowsFailed,
  EXIT.held,
  EXIT.pending,
]

/** Chooses the code if both apply: 9, 7, 5, 6, 8 in this order, then any other, then success. */
export function worseExitCode(one: ExitCode, other: ExitCode): ExitCode {
  if (one === EXIT.ok) return other
  const rank = (code: ExitCode): number => (PRECEDENCE.includes(code) ? PRECEDENCE.indexOf(code) : PRECEDENCE.length)
  return rank(other) < rank(one) ? other : one
}

/**
 * Which code wins over several shops. A shop that was not served at all wins over one with some rows that failed or were held.
 */
const OVER_SHOPS: readonly ExitCode[] = [
  EXIT.interrupted,
  EXIT.unknownOutcome,
  EXIT.quota,
  EXIT.auth,
  EXIT.failure,
  EXIT.validation,
  EXIT.usage,
  EXIT.someRowsFailed,
  EXIT.held,
  EXIT.pending,
]

/** Chooses the code of a run over several shops from theirs: 130, 9, 7, 4, 1, 3, 2, 5, 6, 8 in this order, then success. */
export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  return OVER_SHOPS.find((code) => codes.includes(code)) ?? EXIT.ok
}

/** The exit code of each category. */
export const EXIT_OF = {
  usage: EXIT.usage,
  auth: EXIT.auth,
  validation: EXIT.validation,
  guard: EXIT.held,
  quota: EXIT.quota,
  pending: EXIT.pending,
  not_found: EXIT.failure,
  service: EXIT.failure,
  network: EXIT.failure,
  unknown_outcome: EXIT.unknownOutcome,
  internal: EXIT.failure,
} as const satisfies Record<string, ExitCode>

export type Category = keyof typeof EXIT_OF
