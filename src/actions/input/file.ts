/** Reads what `--file` names: a file, or stdin for `-`. */
import { open, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../errors/index.js'
import { readText } from '../../rows/bytes.js'
import { InputRefused } from '../../rows/faults.js'
import { encodingNote } from '../../rows/notes.js'
import { errnoOf, errnoWords } from '../../system/errno.js'

// Larger than any list of items as CSV or YAML. It protects against naming a disk image.
const MAX_BYTES = 512 * 1024 * 1024

/** The parts of the context that reading needs. */
type Files = Pick<Context, 'stdin' | 'path'>

/**
 * Reads a whole file, or stdin.
 * @param path a path, or `-`
 * @returns its bytes
 * @throws {SellerError} usage: it does not exist, is a directory, cannot be read, is empty or too large, or stdin is a terminal
 */
export async function readInputFile(ctx: Files, path: string): Promise<Buffer> {
  const bytes = path === '-' ? await readStdin(ctx) : await readPath(ctx, path)
  if (bytes.length === 0) throw unreadable(path, 'is empty', 'Give a file with data in it.')
  return bytes
}

async function readPath(ctx: Files, path: string): Promise<Buffer> {
  const file = ctx.path(path)
  try {
    const { size } = await stat(file)
    if (size > MAX_BYTES) throw unreadable(path, `is larger than ${MAX_BYTES / 1024 / 1024} MB`, 'Split it.')
    return await readFile(file)
  } catch (error) {
    throw explain(error, path)
  }
}

/**
 * The same as a stream, for rows that need not be in memory together.
 * @throws {SellerError} usage, before the first byte: it does not exist, is a directory, may not be read, or stdin is a terminal
 */
export async function openInputFile(ctx: Files, path: string): Promise<AsyncIterable<Uint8Array | string>> {
  if (path === '-') {
    refuseTerminal(ctx)
    return ctx.stdin
  }
  try {
    const file = await open(ctx.path(path))
    if (!(await file.stat()).isDirectory()) return file.createReadStream()
    await file.close()
  } catch (error) {
    throw explain(error, path)
  }
  throw explain({ code: 'EISDIR' }, path)
}

/** The same for a reader that may read it twice: stdin is kept. @throws {SellerError} usage, when it is read */
export function fileToReread(ctx: Files, path: string): AsyncIterable<Uint8Array | string> {
  let stdinText: Promise<Buffer> | undefined
  return {
    async *[Symbol.asyncIterator]() {
      if (path !== '-') return yield* await openInputFile(ctx, path)
      stdinText ??= readStdin(ctx)
      const bytes = await stdinText
      for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
    },
  }
}

/** Bytes that are handed on at once: a reader of rows has all those of a piece in memory. */
const PIECE = 1 << 16

const HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'Check the path. Use - to read stdin.',
  EISDIR: 'Name a file in that directory.',
}

function explain(error: unknown, path: string): unknown {
  const code = errnoOf(error)
  if (code === undefined) return error
  return unreadable(path, `cannot be read: ${errnoWords(code)}`, HINTS[code] ?? 'Check its owner and permissions.')
}

/** @throws {SellerError} usage, if stdin is a terminal */
export async function readStdin({ stdin }: Pick<Context, 'stdin'>): Promise<Buffer> {
  refuseTerminal({ stdin })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    size += bytes.length
    if (size > MAX_BYTES) throw unreadable('-', `is larger than ${MAX_BYTES / 1024 / 1024} MB`, 'Split it.')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function refuseTerminal({ stdin }: Pick<Context, 'stdin'>): void {
  if (stdin.isTTY !== true) return
  throw new SellerError(
    'stdin_is_terminal',
    'Stdin is a terminal, so there is nothing to read.',
    'Pipe a file in, or name one with --file.',
  )
}

function unreadable(path: string, why: string, hint: string): SellerError {
  return new SellerError('unreadable_file', `${path === '-' ? 'Stdin' : `The file "${path}"`} ${why}.`, hint)
}

/**
 * The text of a file in any of the encodings that programs save: recognized as in sheets, and said.
 * @param name what to call the file in messages: its path, or "stdin"
 * @returns it without a byte order mark, and a sentence for each thing to say of it
 * @throws {SellerError} unreadable_input, for bytes that are text in none of the encodings
 */
export async function readWholeText(
  bytes: Uint8Array,
  name: string,
): Promise<{ readonly text: string; readonly notes: readonly string[] }> {
  try {
    const { text, encoding } = await readText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    return { text, notes: encodingNote(encoding).map((note) => note.replace(/^The input/, name)) }
  } catch (error) {
    if (!(error instanceof InputRefused)) throw error
    throw new SellerError(
      'unreadable_input',
      `${name}: it is not text in UTF-8, UTF-16 or Windows-1252.`,
      'Save it as UTF-8 and try again.',
    )
  }
}

/** The folder where the paths in an input file start: its own, or the working directory for stdin. */
export function folderOf(path: (given: string) => string, file: string): string {
  return file === '-' ? path('.') : dirname(path(file))
}
