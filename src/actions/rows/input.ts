/** The rows of a command: those of a file, those that were typed, or what its flags say. */

import type { Context } from '../../cli/context.js'
import { type ErrorCode, SellerError } from '../../cli/errors.js'
import { capital } from '../../contract/index.js'
import { drawn } from '../drawn.js'
import { openInputFile } from '../input/file.js'
import { type InputOrigin, refusing } from '../prices/refusal.js'

/** The one input of a command. */
export interface RowsInput {
  readonly origin: InputOrigin
  /** As it was given, for the title of the job. */
  readonly words: string
  /** Of a workbook. */
  readonly sheet?: string
}

/** What a command says of its inputs. */
interface InputWords {
  /** What comes in, in a sentence: "numbers in stock". */
  readonly what: string
  /** Where it may come from besides arguments and --file, as far as that is given. */
  readonly others?: readonly string[]
  /** The error where nothing is given. */
  readonly nothing: { readonly code: ErrorCode; readonly message: string; readonly hint: string }
}

/** @throws {SellerError} usage where nothing is given, or more than one input */
export function inputOf(
  args: readonly (string | number)[],
  { file, sheet }: { readonly file?: string; readonly sheet?: string },
  { what, others = [], nothing }: InputWords,
): RowsInput {
  const given = [...(args.length > 0 ? ['arguments'] : []), ...(file === undefined ? [] : ['--file']), ...others]
  if (given.length > 1) {
    const message = `${capital(what)} come from ${given.join(' and from ')} at once.`
    throw new SellerError('several_inputs', message, 'Give one of them.')
  }
  if (given.length === 0) throw new SellerError(nothing.code, nothing.message, nothing.hint)
  if (file !== undefined) return inputFile(file, sheet)
  return args.length > 0 ? { origin: { kind: 'arguments' }, words: args.join(' ') } : { origin: { kind: 'rule' }, words: '' }
}

/** A file as the input. */
export function inputFile(path: string, sheet?: string): RowsInput {
  return { origin: { kind: 'file', path }, words: `--file ${path}`, sheet }
}

/** What every kind of rows says of its input. */
interface Noted {
  readonly notes: readonly string[]
}

/** Reads rows of one kind from pieces of a file. @param sheet of a workbook */
type Reader<R> = (pieces: AsyncIterable<Uint8Array | string>, sheet?: string) => Promise<R>

/**
 * Reads the rows of an input, and prints the notes on it.
 * @param typed reads the arguments
 * @throws {SellerError} usage for a file that cannot be read, or an argument; validation with every fault of the rows
 */
export function rowsOf<R extends Noted>(
  ctx: Context,
  { origin, sheet }: RowsInput,
  read: Reader<R>,
  typed: () => R | Promise<R>,
): Promise<R> {
  return origin.kind === 'file' ? rowsOfFile(ctx, { file: origin.path, sheet }, read) : noted(ctx, () => refusing(origin, typed))
}

/** Reads the rows of a file. @throws {SellerError} as rowsOf */
export function rowsOfFile<R extends Noted>(
  ctx: Context,
  { file, sheet }: { readonly file: string; readonly sheet?: string },
  read: Reader<R>,
): Promise<R> {
  const reading = async () => drawn(ctx, `Reading ${file}`, read(await openInputFile(ctx, file), sheet))
  return noted(ctx, () => refusing({ kind: 'file', path: file }, reading))
}

async function noted<R extends Noted>({ output }: Context, read: () => Promise<R>): Promise<R> {
  const rows = await read()
  for (const note of rows.notes) output.note(note)
  return rows
}
