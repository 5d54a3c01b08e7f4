/**
 * The settings file. Every command reads it, as plain JSON: conf costs 30 to 70 ms (its schema checker). Writing uses conf: atomic, mode
 * 0600. Changes happen under a lock, because conf alone loses updates of concurrent writers.
 */

import { chmodSync, closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../system/clock.js'
import { errnoOf, errnoWords } from '../system/errno.js'
import { makeDirectory } from './directory.js'
import { SellerError } from './errors.js'
import { readSetting, SETTING_NAMES, SETTINGS, type Settings } from './settings.js'

export interface Stored {
  /** The default profile, set by auth:use. */
  current?: string
  profiles: Record<string, Settings>
  /** Warnings for the user: what was found and repaired. */
  warnings: string[]
}

const NAME = 'profiles'

export function settingsPath(configDir: string): string {
  return join(configDir, `${NAME}.json`)
}

/**
 * @returns no profiles if the file does not exist
 * @throws {SellerError} usage, if the file is not a settings file; the error names it and quotes nothing of it
 */
export function readStored(configDir: string): Stored {
  const path = settingsPath(configDir)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {}, warnings: [] }
    throw unreadable(path, error)
  }
  const warnings = tighten(path)
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    // The message of JSON.parse quotes the text around the fault, which may be a key.
    throw damaged(path, text.trim() === '' ? 'it is empty' : 'it is not JSON')
  }
  if (!isRecord(data)) throw damaged(path, 'it does not hold an object')
  const profiles = data.profiles ?? {}
  if (!isRecord(profiles)) throw damaged(path, '"profiles" is not an object')
  const current = data.current
  if (current !== undefined && typeof current !== 'string') throw damaged(path, '"current" is not a text')
  return {
    current,
    profiles: Object.fromEntries(Object.entries(profiles).map(([name, value]) => [name, readProfile(path, name, value)])),
    warnings,
  }
}

function readProfile(path: string, name: string, value: unknown): Settings {
  if (!isRecord(value)) throw damaged(path, `the profile "${name}" is not an object`)
  const read: Record<string, unknown> = {}
  for (const setting of SETTING_NAMES) {
    const given = value[setting]
    // A command may be written as an array.
    const found = setting.endsWith('_command') && Array.isArray(given) ? JSON.stringify(given) : given
    if (found === undefined || found === null) continue
    if (typeof found !== 'string' && typeof found !== 'number')
      throw damaged(path, `"${setting}" of the profile "${name}" is not a text or a number`)
    const text = typeof found === 'number' ? (SETTINGS[setting].write?.(found) ?? String(found)) : found
    try {
      read[setting] = readSetting(setting, text, `${setting} of the profile "${name}"`)
    } catch (error) {
      throw damaged(path, error instanceof SellerError ? error.message.replace(/\.$/, '') : `"${setting}" cannot be read`)
    }
  }
  return read as Settings
}

/**
 * Changes the file: reads it again under the lock, applies the change, writes it whole.
 * @throws {SellerError} if it is damaged (nothing is written), or another process holds the lock for ten seconds
 */
export async function changeStored(
  { configDir, clock }: { readonly configDir: string; readonly clock: Clock },
  change: (stored: Stored) => void,
): Promise<void> {
  makeDirectory(configDir, 'SELLER_CONFIG_DIR')
  const release = await lock(configDir, clock)
  try {
    const next = readStored(configDir)
    change(next)
    const { default: Conf } = await import('conf')
    const conf = new Conf<Record<string, unknown>>({
      cwd: configDir,
      configName: NAME,
      // Names of profiles may contain dots.
      accessPropertiesByDotNotation: false,
      configFileMode: 0o600,
    })
    conf.store = { current: next.current, profiles: next.profiles }
  } finally {
    release()
  }
}

const LOCK_STEP_MS = 20
const LOCK_PATIENCE_MS = 10_000
// No change takes this long: an older lock was left by a killed process.
const LOCK_STALE_MS = 30_000

async function lock(configDir: string, clock: Clock): Promise<() => void> {
  const path = join(configDir, `${NAME}.lock`)
  for (let waited = 0; waited < LOCK_PATIENCE_MS; waited += LOCK_STEP_MS) {
    try {
      closeSync(openSync(path, 'wx', 0o600))
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unreadable(path, error)
    }
    if (isStale(path, clock)) rmSync(path, { force: true })
    else await clock.sleep(LOCK_STEP_MS)
  }
  throw new SellerError(
    'settings_locked',
    `Another process is changing the settings (${path}).`,
    'Try again when it is done. If no other seller command is running, delete that file.',
  )
}

function isStale(path: string, clock: Clock): boolean {
  const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return made !== undefined && clock.now() - made > LOCK_STALE_MS
}

/** Makes the file readable by the user only, because it holds credentials. */
function tighten(path: string): string[] {
  if (process.platform === 'win32') return []
  const mode = statSync(path).mode & 0o777
  if ((mode & 0o077) === 0) return []
  try {
    chmodSync(path, 0o600)
    return [`${path} was readable by others (mode ${mode.toString(8)}). Its mode is 600 now.`]
  } catch {
    return [`${path} is readable by others (mode ${mode.toString(8)}), and its mode cannot be changed.`]
  }
}

function damaged(path: string, why: string): SellerError {
  return new SellerError(
    'settings_damaged',
    `The settings file ${path} cannot be used: ${why}.`,
    'The file was not changed. Repair it, or move it away and log in again with: seller auth:login',
  )
}

function unreadable(path: string, error: unknown): unknown {
  const code = errnoOf(error)
  if (code === undefined) return error
  return new SellerError(
    'settings_unreadable',
    `${path} cannot be read or written: ${errnoWords(code)}.`,
    'Check its owner and permissions, or set SELLER_CONFIG_DIR to another directory.',
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
