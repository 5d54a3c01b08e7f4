/**
 * The rows of a command: those of a file, those that were typed, or what its flags say; and the error for an input that is
 * refused, with every fault, its line and the exit code.
 */

import type { Context } from '../../cli/context.js'
import { faultDetail } from '../../cli/translate.js'
import { capital, sentence } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { type ErrorCode, SellerError } from '../../errors/index.js'
import { again, say, type Words } from '../../messages/index.js'
import { faultLines, type InputOptions, InputRefused, TWICE } from '../../rows/index.js'
import { openInputFile } from '../input/file.js'
import { withProgress } from '../with-progress.js'
import { type ColumnFlags, readAnswers } from './layouts.js'

/** The one input of a command. */
export interface RowsInput {
  readonly origin: InputOrigin
  /** As it was given, for the title of the job. */
  readonly words: string
  /** Sheet of a workbook, and what the seller says of the columns. */
  readonly reading?: FileFlags | undefined
}

/** Flags about what is in a file. */
export interface FileFlags extends ColumnFlags {
  readonly sheet?: string | undefined
}

/** Words of a command for its inputs. */
interface InputWords {
  /** Noun for the rows that come in: "numbers in stock". */
  readonly what: string
  /** Where it may come from besides arguments and --file, as far as that is given. */
  readonly others?: readonly string[]
  /** The error where nothing is given. */
  readonly nothing: { readonly code: ErrorCode; readonly message: string; readonly hint: Words }
}

/** @throws {SellerError} usage where nothing is given, or more than one input */
export function chooseInput(
  args: readonly (string | number)[],
  { file, ...reading }: FileFlags & { readonly file?: string | undefined },
  { what, others = [], nothing }: InputWords,
): RowsInput {
  const sources = [...(args.length > 0 ? ['arguments'] : []), ...(file === undefined ? [] : ['--file']), ...others]
  if (sources.length > 1) {
    const message = `${capital(what)} come from ${sources.join(' and from ')} at once.`
    throw new SellerError('several_inputs', message, 'Give one of them.')
  }
  if (sources.length === 0) throw new SellerError(nothing.code, nothing.message, nothing.hint)
  if (file !== undefined) return inputFile(file, reading)
  return args.length > 0 ? { origin: { kind: 'arguments' }, words: args.join(' ') } : { origin: { kind: 'rule' }, words: '' }
}

/** A file as the input. */
export function inputFile(path: string, { sheet, column, prices }: FileFlags = {}): RowsInput {
  return { origin: { kind: 'file', path }, words: `--file ${path}`, reading: { sheet, column, prices } }
}

/** Notes that every kind of rows has on its input. */
interface Noted {
  readonly notes: readonly string[]
}

/** Reads rows of one kind from pieces of a file. */
type Reader<R> = (pieces: AsyncIterable<Uint8Array | string>, options: InputOptions) => Promise<R>

/**
 * Reads the rows of an input, and prints the notes on it.
 * @param typed reads the arguments, where a command takes any
 * @throws {SellerError} usage for a file that cannot be read, or an argument; validation with every fault of the rows
 */
export async function readRows<R extends Noted>(
  ctx: Context,
  { origin, reading = {} }: RowsInput,
  read: Reader<R>,
  fromArguments: () => R | Promise<R> = notTyped,
): Promise<R> {
  const answers = readAnswers(ctx, reading)
  const options = { sheet: reading.sheet, currency: ctx.currency, answers }
  const rows = await refusing(origin, async () =>
    origin.kind === 'file'
      ? withProgress(ctx, `Reading ${origin.path}`, read(await openInputFile(ctx, origin.path), options))
      : fromArguments(),
  )
  for (const note of rows.notes) ctx.output.note(note)
  await answers.keep()
  return rows
}

function notTyped(): never {
  throw new Error('This command takes no arguments for its rows.')
}

/** Where an input came from, which decides how its faults are named. */
type InputOrigin = (
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'arguments' }
  /** The flags of a rule. */
  | { readonly kind: 'rule' }
) & {
  /** Statement of what was not done; `Nothing was sent.` by default. */
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
    throw error instanceof InputRefused ? inputRefusal(error, origin) : error
  }
}

function inputRefusal({ faults, count, kinds, sheet }: InputRefused, origin: InputOrigin): SellerError {
  // A fault without a line concerns the whole file: empty, not UTF-8, a missing column.
  const ofWhole = faults.every(({ Line, Field }) => Line === 0 && Field === null)
  const code = ofWhole ? 'unreadable_input' : origin.kind === 'file' ? 'invalid_input' : 'invalid_values'
  const lines = faultLines(kinds, count, origin.kind === 'arguments' ? 'argument' : sheet ? 'row' : 'line')
  const text = refusalMessage(lines, { origin, count, ofWhole })
  // The lines of a file are a list, what was typed is a sentence.
  const message = code === 'invalid_input' ? text : sentence(text)
  // The help shows how values are written, which is not what is wrong with an item that is named twice.
  const isTwice = kinds.every(({ kind }) => kind === TWICE)
  const command = isTwice ? again(origin.kind !== 'file' || origin.path === '-') : 'the command'
  return new SellerError(
    code,
    message,
    say`${origin.nothing ?? 'Nothing was sent.'} Correct the input and run ${command} again.`,
    {
      count,
      faults: faults.map(({ Line, Field, Value, Message }) =>
        faultDetail({ line: Line > 0 ? Line : null, field: Field, value: Value, message: Message }),
      ),
    },
  )
}

function refusalMessage(
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
