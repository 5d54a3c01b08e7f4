/** Reading what `--file` names: a file, or stdin for `-`. */
import { readFile, stat } from 'node:fs/promises'
import type { Context } from './context.js'
import { type SellerError, usageError } from './errors.js'

// More than any list of items as CSV or YAML; a guard against naming a disk image, not a limit anyone should meet.
const MAX_BYTES = 512 * 1024 * 1024

/**
 * Reads a whole file, or stdin.
 * @param path a path, or `-`
 * @returns its bytes
 * @throws {SellerError} usage: it is not there, is a directory, cannot be read, is empty or too large, or stdin is a terminal
 */
export async function readInputFile(ctx: Pick<Context, 'stdin'>, path: string): Promise<Buffer> {
  const bytes = path === '-' ? await readStdin(ctx) : await readPath(path)
  if (bytes.length === 0) throw unreadable(path, 'is empty', 'Give a file with something in it.')
  return bytes
}

async function readPath(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES) throw unreadable(path, `is larger than ${MAX_BYTES / 1024 / 1024} MB`, 'Split it.')
    return await readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw unreadable(path, 'is not there', 'Check the path; - reads stdin.')
    if (code === 'EISDIR') throw unreadable(path, 'is a directory', 'Name a file in it.')
    if (code === 'EACCES' || code === 'EPERM') throw unreadable(path, 'may not be read', 'Check its mode and owner.')
    throw error
  }
}

/** @throws {SellerError} usage, when nobody pipes anything */
export async function readStdin({ stdin }: Pick<Context, 'stdin'>): Promise<Buffer> {
  if (stdin.isTTY === true)
    throw usageError('stdin_is_terminal', 'Stdin is a terminal: nothing is piped in.', 'Pipe a file in, or name one with --file.')
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

function unreadable(path: string, why: string, hint: string): SellerError {
  return usageError('unreadable_file', `${path === '-' ? 'Stdin' : `The file «${path}»`} ${why}.`, hint)
}
