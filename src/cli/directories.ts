/**
 * Where profiles and the ledger are, by the XDG Base Directory Specification. oclif's own directories are not used: it accepts relative
 * XDG paths, which the specification says to ignore, and must load its whole configuration first.
 */
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Environment } from './host.js'

const NAME = 'seller'

export interface Directories {
  /** Profiles and credentials: SELLER_CONFIG_DIR, else XDG_CONFIG_HOME/seller, else ~/.config/seller. */
  readonly configDir: string
  /** The ledger and the sandbox: SELLER_DATA_DIR, else XDG_DATA_HOME/seller, else ~/.local/share/seller. */
  readonly dataDir: string
}

/** On Windows LOCALAPPDATA replaces both XDG defaults. */
export function directoriesOf(env: Environment, platform: NodeJS.Platform = process.platform): Directories {
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

/** "All paths set in these environment variables must be absolute. If an implementation encounters a relative path [...] ignore it." */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined
}
