/** Which file holds the sandbox's state. */
import { dirname, resolve } from 'node:path'
import { makeDirectory } from './directory.js'
import { SellerError } from './errors.js'

/**
 * @param db `--db`; the profile sandbox's own file unless given
 * @returns an absolute path, whose directory exists
 */
export function sandboxFile(ctx: { readonly sandboxPath: string; path(given: string): string }, db: string | undefined): string {
  const path = resolve(db === undefined ? ctx.sandboxPath : ctx.path(db))
  makeDirectory(dirname(path), db === undefined ? 'SELLER_DATA_DIR' : '--db')
  return path
}

/** SQLite could not make, write or enlarge the file (https://www.sqlite.org/rescode.html), or the driver not open it at all. */
const NO_ROOM = /^(?:SQLITE_(?:FULL|CANTOPEN|READONLY|PERM|IOERR|AUTH)|ENOSPC|EDQUOT|EACCES|EPERM|EROFS)/

/**
 * For `catch`: the sandbox's errors are written for the reader. A port that is taken or a file that is no sandbox is for the caller to
 * change (2); a disk that is full or a file that cannot be written is not (1).
 */
export function sandboxRefused(error: unknown): never {
  if (error instanceof SellerError || !(error instanceof Error)) throw error
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const unusable = NO_ROOM.test(code) || (cause instanceof Error && /ConnectionFailed/.test(cause.message))
  throw unusable
    ? new SellerError('internal', 'sandbox_unusable', error.message)
    : new SellerError('usage', 'sandbox_refused', error.message)
}
