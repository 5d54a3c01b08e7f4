/** The file that holds the sandbox's state. */
import { dirname, resolve } from 'node:path'
import { SellerError } from '../errors/index.js'
import { errnoOf } from '../system/errno.js'
import type { SqliteFault } from '../system/sqlite.js'
import { makeDirectory } from './directories.js'
import { isDriverMissing } from './translate.js'

/**
 * @param db `--db`; by default the file of the profile "sandbox"
 * @returns an absolute path, whose directory exists
 */
export function sandboxFile(ctx: { readonly sandboxPath: string; path(given: string): string }, db: string | undefined): string {
  const path = resolve(db === undefined ? ctx.sandboxPath : ctx.path(db))
  makeDirectory(dirname(path), db === undefined ? 'SELLER_DATA_DIR' : '--db')
  return path
}

/**
 * For `catch`: the sandbox's messages are written for the user. A port in use or a file that is not a sandbox is the caller's to
 * change (exit 2); a full disk or a read-only file is not (exit 1).
 */
export function sandboxRefused(error: unknown): never {
  if (error instanceof SellerError || !(error instanceof Error) || isDriverMissing(error)) throw error
  const { cause } = error
  const reason = errnoOf(error) ?? errnoOf((cause as Error | undefined)?.cause)
  // Nothing is wrong with the file then.
  if (reason === 'EMFILE' || reason === 'ENFILE') {
    throw Object.assign(new Error(error.message), { code: reason, path: "The sandbox's file" })
  }
  const kind = (cause as Partial<SqliteFault> | undefined)?.kind
  throw kind === 'full' || kind === 'unusable'
    ? new SellerError(
        'sandbox_unusable',
        error.message,
        'Free some space, check the owner and permissions, or name another file with --db.',
      )
    : new SellerError(
        'sandbox_refused',
        error.message,
        errnoOf(cause) === 'EADDRINUSE' ? 'Name another port with --port.' : 'Name another file with --db.',
      )
}
