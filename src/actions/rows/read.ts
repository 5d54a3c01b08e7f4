/** Reads the rows of a command: those of a file, or those that were typed. */

import type { Context } from '../../cli/context.js'
import { drawn } from '../drawn.js'
import { openInputFile } from '../input/file.js'
import { refusing } from '../prices/refusal.js'

/** What every kind of rows says of its input. */
interface Noted {
  readonly notes: readonly string[]
}

/** Reads rows of one kind from pieces of a file. @param sheet of a workbook */
type Reader<R> = (pieces: AsyncIterable<Uint8Array | string>, sheet?: string) => Promise<R>

interface RowsFile {
  readonly file: string
  readonly sheet?: string
}

/**
 * Reads the rows of a file, and prints the notes on it.
 * @throws {SellerError} usage for a file that cannot be read; validation with every fault of its rows
 */
export function rowsOfFile<R extends Noted>(ctx: Context, { file, sheet }: RowsFile, read: Reader<R>): Promise<R> {
  const reading = async () => drawn(ctx, `Reading ${file}`, read(await openInputFile(ctx, file), sheet))
  return noted(ctx, () => refusing({ kind: 'file', path: file }, reading))
}

/** The same for a command that takes rows as arguments where no file is given. @throws {SellerError} usage for an argument */
export function rowsOfInput<R extends Noted>(
  ctx: Context,
  { file, sheet }: Partial<RowsFile>,
  read: Reader<R>,
  typed: () => R | Promise<R>,
): Promise<R> {
  return file === undefined ? noted(ctx, () => refusing({ kind: 'arguments' }, typed)) : rowsOfFile(ctx, { file, sheet }, read)
}

async function noted<R extends Noted>({ output }: Context, read: () => Promise<R>): Promise<R> {
  const rows = await read()
  for (const note of rows.notes) output.note(note)
  return rows
}
