/**
 * Where profiles and the ledger are, by the XDG Base Directory Specification, and how these directories are made: readable by the
 * user only, because they hold titles, buyers' names and credentials. oclif's own directories are not used: it accepts relative
 * XDG paths, which the specification says to ignore, and must load its whole configuration first.
 */

import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { SellerError } from '../errors/index.js'
import { makeDirectories } from '../system/directory.js'
import { errnoOf, errnoWords } from '../system/errno.js'
import type { Environment } from './host.js'

const NAME = 'seller'

export interface Directories {
  /** Profiles and credentials: SELLER_CONFIG_DIR, else XDG_CONFIG_HOME/seller, else ~/.config/seller. */
  readonly configDir: string
  /** The ledger and the sandbox: SELLER_DATA_DIR, else XDG_DATA_HOME/seller, else ~/.local/share/seller. */
  readonly dataDir: string
}

/** On Windows LOCALAPPDATA replaces both XDG defaults. */
export function resolveDirectories(env: Environment, platform: NodeJS.Platform = process.platform): Directories {
  const home = env.HOME || (platform === 'win32' ? env.USERPROFILE : undefined) || knownHome() || tmpdir()
  const local = platform === 'win32' ? absolute(env.LOCALAPPDATA) : undefined
  return {
    configDir: env.SELLER_CONFIG_DIR || join(absolute(env.XDG_CONFIG_HOME) ?? local ?? join(home, '.config'), NAME),
    dataDir: env.SELLER_DATA_DIR || join(absolute(env.XDG_DATA_HOME) ?? local ?? join(home, '.local', 'share'), NAME),
  }
}

/** @returns '' where the system knows none: a container may run as a user that it has no entry for */
function knownHome(): string {
  try {
    return homedir()
  } catch {
    return ''
  }
}

/**
 * "All paths set in these environment variables must be absolute. If an implementation encounters a relative path [...] ignore
 * it."
 */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined
}

/**
 * Makes a directory and its parents, for the user alone.
 * @param use the variable or flag that names another directory, e.g. `SELLER_DATA_DIR`; used in the hint
 * @throws {SellerError} internal, naming the path and the reason
 */
export function makeDirectory(path: string, use: string): void {
  const whole = resolve(path)
  try {
    makeDirectories(whole, 0o700)
  } catch (error) {
    const code = errnoOf(error)
    if (code === undefined) throw error
    const why = code === 'ENOENT' ? 'no directory can be created there' : errnoWords(code)
    throw new SellerError(
      'directory_unusable',
      `The directory "${whole}" cannot be used: ${why}.`,
      `Set ${use} to a directory that you can write to.`,
      { path: whole },
    )
  }
}
