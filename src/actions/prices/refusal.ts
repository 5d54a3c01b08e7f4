/** Turns an input that pricing refuses into an error for the seller: every fault with its line, and the exit code. */

import { SellerError } from '../../cli/errors.js'
import { faultDetail } from '../../cli/translate.js'
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
  const only = count === 1 && ofWhole
  const message = only
    ? `${origin.kind === 'rule' ? '' : `${nameOf(origin)}: `}${lines[0]}`
    : count === 1 && origin.kind === 'arguments'
      ? `A${lines[0]?.slice(1)}`
      : [
          origin.kind === 'arguments'
            ? `${countOf(count, 'fault')} in the arguments:`
            : `${nameOf(origin)} has ${countOf(count, 'fault')}:`,
          ...lines,
        ].join('\n')
  return new SellerError(code, message, `${origin.nothing ?? 'Nothing was sent.'} Correct the input and run the command again.`, {
    count,
    faults: faults.map(({ Line, Field, Value, Message }) =>
      faultDetail({ line: Line > 0 ? Line : null, field: Field, value: Value, message: Message }),
    ),
  })
}

function nameOf(origin: InputOrigin): string {
  if (origin.kind === 'file') return origin.path === '-' ? 'Stdin' : origin.path
  return origin.kind === 'rule' ? 'The rule' : 'The arguments'
}
