/** Turns an input that pricing refuses into an error for the seller: every fault with its line, and the exit code. */

import { SellerError } from '../../cli/errors.js'
import { faultDetail } from '../../cli/translate.js'
import { capital } from '../../contract/check.js'
import { countOf } from '../../contract/numbers.js'
import { faultLines, InputRefused } from '../../rows/index.js'

/** Where an input came from, which decides how its faults are named. */
export type InputOrigin = (
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'arguments' }
  /** The flags of a rule. */
  | { readonly kind: 'rule' }
) & {
  /** What was not done; `Nothing was sent.` by default. */
  readonly nothing?: string
}

/**
 * Does work that may refuse the input.
 * @throws {SellerError} for an InputRefused: usage (2) if arguments or flags are wrong or the file cannot be read, validation (3)
 * if its rows are wrong. Other errors are passed on.
 */
export async function refusing<T>(origin: InputOrigin, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof InputRefused ? refusalOf(error, origin) : error
  }
}

function refusalOf({ faults, count, kinds, sheet }: InputRefused, origin: InputOrigin): SellerError {
  // A fault without a line concerns the whole file: empty, not UTF-8, a missing column.
  const ofWhole = faults.every(({ Line, Field }) => Line === 0 && Field === null)
  const code = ofWhole ? 'unreadable_input' : origin.kind === 'file' ? 'invalid_input' : 'invalid_values'
  const lines = faultLines(kinds, count, origin.kind === 'arguments' ? 'argument' : sheet ? 'row' : 'line')
  const message = messageOf(lines, { origin, count, ofWhole })
  return new SellerError(code, message, `${origin.nothing ?? 'Nothing was sent.'} Correct the input and run the command again.`, {
    count,
    faults: faults.map(({ Line, Field, Value, Message }) =>
      faultDetail({ line: Line > 0 ? Line : null, field: Field, value: Value, message: Message }),
    ),
  })
}

function messageOf(
  lines: readonly string[],
  { origin, count, ofWhole }: { readonly origin: InputOrigin; readonly count: number; readonly ofWhole: boolean },
): string {
  const [first = ''] = lines
  if (count === 1 && ofWhole) return origin.kind === 'rule' ? first : `${nameOf(origin)}: ${first}`
  if (origin.kind !== 'arguments') return [`${nameOf(origin)} has ${countOf(count, 'fault')}:`, ...lines].join('\n')
  return count === 1 ? capital(first) : [`${countOf(count, 'fault')} in the arguments:`, ...lines].join('\n')
}

function nameOf(origin: InputOrigin): string {
  if (origin.kind === 'file') return origin.path === '-' ? 'Stdin' : origin.path
  return origin.kind === 'rule' ? 'The rule' : 'The arguments'
}
