/**
 * Reads a command line as a whole. oclif stops at the first value that a parser refuses; here every parser runs, so that a seller
 * who mistyped three flags sees all three.
 */

import type * as Interfaces from '@oclif/core/interfaces'
import { nearest } from '../contract/nearest.js'
import { ValueError } from '../errors/index.js'
import type { Refused } from './refused-line.js'

interface Readable {
  readonly flags?: Interfaces.FlagInput
  readonly baseFlags?: Interfaces.FlagInput
  readonly args?: Interfaces.ArgInput
}

type Parse = (text: unknown, context: unknown, itself: { readonly name: string }) => Promise<unknown>
type Described = Readonly<Record<string, { readonly parse?: unknown; readonly options?: readonly string[] }>>

/**
 * Parses a command line with `parse`, and collects what each parser refuses.
 * @param input flags and arguments as the command declares them
 * @param parse oclif's parse; it gets the same input with parsers that never throw
 * @throws {SellerError} usage, with every value that cannot be read; the parser's own error if there is only one
 */
export async function parseWhole<I extends Readable, O>(input: I, parse: (input: I) => Promise<O>): Promise<O> {
  let refusals: Refused[] = []
  const inputWith = (options: boolean): I => ({
    ...input,
    flags: withCollectingParsers(input.flags, '--', refusals, options),
    baseFlags: withCollectingParsers(input.baseFlags, '--', refusals, options),
    args: withCollectingParsers(input.args, '', refusals, options),
  })
  let output: O | undefined
  let wrong: unknown
  try {
    output = await parse(inputWith(false))
  } catch (error) {
    wrong = error
    // A value outside a flag's options stops oclif before the parsers run. Parse again, and let the parsers check the options.
    if (isChoice(error)) {
      refusals = []
      wrong = undefined
      await parse(inputWith(true)).catch((other: unknown) => {
        wrong = other
      })
    }
  }
  // Loaded here: nearly no command line is refused.
  if (refusals.length > 0 || wrong !== undefined) throw (await import('./refused-line.js')).refusedLine(refusals, wrong)
  return output as O
}

/**
 * Copies flags or arguments, with parsers that collect what they refuse. They return the text, which is never used: the line is
 * refused.
 */
function withCollectingParsers<T>(descriptors: T, dashes: string, refusals: Refused[], options: boolean): T {
  if (descriptors === undefined) return descriptors
  const copies = Object.entries(descriptors as Described).map(([key, one]) => {
    const parse: Parse = async (text, context, itself) => {
      const name = dashes === '' ? itself.name.toUpperCase() : `${dashes}${itself.name}`
      try {
        if (options && one.options !== undefined && !one.options.includes(String(text))) throw noneOf(name, text, one.options)
        return typeof one.parse === 'function' ? await (one.parse as Parse)(text, context, itself) : text
      } catch (error) {
        if (!(error instanceof ValueError)) throw error
        // The parser refuses one part of NAME=VALUE: `--setting fee`, with its own value, or none where it must not be shown.
        const part = error.fault.name.startsWith(`${name} `)
        refusals.push(part ? { name: error.fault.name, text: error.fault.value, error } : { name, text, error })
        return text
      }
    }
    const { options: choice, ...rest } = one
    return [key, { ...rest, ...(options || choice === undefined ? {} : { options: choice }), parse }]
  })
  return Object.fromEntries(copies) as T
}

function noneOf(name: string, text: unknown, choice: readonly string[]): ValueError {
  const near = nearest(String(text), choice)
  const hint = near === undefined ? 'Give one of these.' : `Did you mean ${near}?`
  return new ValueError('wrong_usage', { name, value: String(text), why: `is not one of ${choice.join(', ')}` }, hint)
}

/** True if it is oclif's error for a value outside the options, which it throws before there is a parse. */
function isChoice(error: unknown): boolean {
  return error instanceof Error && 'parse' in error && !('input' in (error.parse as object))
}
