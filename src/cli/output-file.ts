/** Writing what a command was told to save. */
import { stat, writeFile } from 'node:fs/promises'
import type { Context } from './context.js'
import { type SellerError, usageError } from './errors.js'

/**
 * Refuses a path that could not be written, before the call whose answer would be lost.
 * @throws {SellerError} usage: something is there already and `force` is not set, or it is a directory
 */
export async function checkOutputFile(ctx: Pick<Context, 'path'>, path: string, force: boolean): Promise<void> {
  const found = await stat(ctx.path(path)).catch(() => undefined)
  if (found?.isDirectory() === true) throw refused(path, 'is a directory', 'Name a file in it.')
  if (found !== undefined && !force) throw refused(path, 'exists already', 'Choose another name, or replace it with --force.')
}

/**
 * Writes a whole file; without `force` never over another.
 * @throws {SellerError} usage: it exists, its directory does not, it may not be written
 */
export async function writeOutputFile(
  ctx: Pick<Context, 'path'>,
  path: string,
  bytes: Uint8Array | string,
  force: boolean,
): Promise<void> {
  try {
    await writeFile(ctx.path(path), bytes, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw refused(path, 'exists already', 'Choose another name, or replace it with --force.')
    if (code === 'ENOENT' || code === 'ENOTDIR') throw refused(path, 'is in a directory that does not exist', 'Make it first.')
    if (code === 'EISDIR') throw refused(path, 'is a directory', 'Name a file in it.')
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      throw refused(path, 'may not be written', 'Check modes and owner.')
    throw error
  }
}

function refused(path: string, why: string, hint: string): SellerError {
  return usageError('unwritable_file', `The file "${path}" ${why}.`, hint)
}
