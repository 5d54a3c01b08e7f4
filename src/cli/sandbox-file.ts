/** Which file holds the sandbox's state. */
import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Context } from './context.js'

/**
 * @param db `--db`; the profile sandbox's own file unless given
 * @returns an absolute path, whose directory exists
 */
export function sandboxFile(ctx: Pick<Context, 'sandboxPath'>, db: string | undefined): string {
  const path = resolve(db ?? ctx.sandboxPath)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return path
}
