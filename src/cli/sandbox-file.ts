/** Which file holds the sandbox's state. */
import { dirname, resolve } from 'node:path'
import type { Context } from './context.js'
import { makeDirectory } from './directory.js'
import { SellerError } from './errors.js'

/**
 * @param db `--db`; the profile sandbox's own file unless given
 * @returns an absolute path, whose directory exists
 */
export function sandboxFile(ctx: Pick<Context, 'sandboxPath'>, db: string | undefined): string {
  const path = resolve(db ?? ctx.sandboxPath)
  makeDirectory(dirname(path), db === undefined ? 'SELLER_DATA_DIR' : '--db')
  return path
}

/** For `catch`: the sandbox's errors are written for the reader (a port that is taken, a file that is no sandbox). */
export function sandboxRefused(error: unknown): never {
  if (error instanceof SellerError || !(error instanceof Error)) throw error
  throw new SellerError('usage', 'sandbox_refused', error.message)
}
