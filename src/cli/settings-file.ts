/**
 * The settings file. Every command reads it, as plain JSON: conf costs 30 to 70 ms (its schema checker). Writing uses conf:
 * atomic, mode
 * 0600. Changes happen under a lock, because conf alone loses updates of concurrent writers.
 */

import { chmodSync, closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultText, SellerError, ValueError } from '../errors/index.js'
import { run, say } from '../messages/index.js'
import type { Clock } from '../system/clock.js'
import { errnoOf, errnoWords, whenFree } from '../system/errno.js'
import { isAtWork, thisProcess } from '../system/process-owner.js'
import { removeLeftovers } from '../system/whole-file.js'
import { makeDirectory } from './directories.js'
import { readSetting, SETTING_NAMES, SETTINGS, type Settings } from './settings.js'

export interface Stored {
  /** The default profile, set by auth:use. */
  current?: string | undefined
  profiles: Record<string, Settings>
  /** Warnings for the user: what was found and repaired. */
  warnings: string[]
}

const NAME = 'profiles'

export function settingsPath(configDir: string): string {
  return join(configDir, `${NAME}.json`)
}

/** Who may read the file, in words. */
export function readableBy(platform = process.platform): string {
  return platform === 'win32'
    ? 'readable by whoever may read that folder (in your own profile: you and administrators)'
    : 'readable by you alone (mode 600)'
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
  const settings: Record<string, unknown> = {}
  for (const setting of SETTING_NAMES) {
    const fileValue = value[setting]
    // A command may be written as an array.
    const settingText = setting.endsWith('_command') && Array.isArray(fileValue) ? JSON.stringify(fileValue) : fileValue
    if (settingText === undefined || settingText === null) continue
    if (typeof settingText !== 'string' && typeof settingText !== 'number')
      throw damaged(path, `"${setting}" of the profile "${name}" is not a text or a number`)
    const text = typeof settingText === 'number' ? (SETTINGS[setting].write?.(settingText) ?? String(settingText)) : settingText
    try {
      settings[setting] = readSetting(setting, text, `${setting} of the profile "${name}"`)
    } catch (error) {
      throw damaged(path, error instanceof ValueError ? faultText(error.fault) : `"${setting}" cannot be read`)
    }
  }
  return settings as Settings
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
  const fileLock = await lock(configDir, clock)
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
    fileLock.check()
    await whenFree(async () => {
      conf.store = { current: next.current, profiles: next.profiles }
    })
  } finally {
    fileLock.release()
  }
  await removeLeftovers(settingsPath(configDir))
}

const LOCK_STEP_MS = 20
const LOCK_PATIENCE_MS = 10_000
// No change takes this long: an older lock of a process that cannot be judged was left by a killed one.
const LOCK_STALE_MS = 30_000

async function lock(configDir: string, clock: Clock) {
  const path = join(configDir, `${NAME}.lock`)
  for (let waitedMs = 0; waitedMs < LOCK_PATIENCE_MS; waitedMs += LOCK_STEP_MS) {
    try {
      writeFileSync(path, thisProcess(), { flag: 'wx', mode: 0o600 })
      return {
        /** @throws {SellerError} if another process has taken the lock: this one was stopped for long */
        check(): void {
          const owner = readOwner(path)
          if (owner !== undefined && owner !== thisProcess()) throw lockedError(path)
        },
        /** Never throws: an error before it is the one to report, and the lock of a process that has ended is taken over. */
        release(): void {
          try {
            if (readOwner(path) === thisProcess()) rmSync(path)
          } catch {
            // It is taken over once this process has ended.
          }
        },
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unreadable(path, error)
    }
    if (!removedStale(path, clock)) await clock.sleep(LOCK_STEP_MS)
  }
  throw lockedError(path)
}

function lockedError(path: string): SellerError {
  return new SellerError(
    'settings_locked',
    `Another process is changing the settings (${path}).`,
    'Try again when it is done. If no other seller command is running, delete that file.',
  )
}

/**
 * Removes a lock that a killed process left. Looking and removing is one step under a lock of its own: between the two, another
 * process may have removed the stale one and made its own, which would be removed in its place.
 */
function removedStale(path: string, clock: Clock): boolean {
  if (!isStale(path, clock)) return false
  const removalPath = `${path}.removing`
  try {
    closeSync(openSync(removalPath, 'wx', 0o600))
  } catch {
    return false
  }
  try {
    if (!isStale(path, clock)) return false
    rmSync(path, { force: true })
    return true
  } finally {
    rmSync(removalPath, { force: true })
  }
}

function isStale(path: string, clock: Clock): boolean {
  const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  const owner = readOwner(path)
  if (madeAt === undefined || owner === undefined) return false
  const silentMs = clock.now() - madeAt
  // An empty one is of a process that was killed as it made it, or is making it now.
  return owner === '' ? silentMs > LOCK_STALE_MS : !isAtWork(owner, { silentMs, patienceMs: LOCK_STALE_MS })
}

/** Owner of the lock as its process wrote it; undefined without a lock. */
function readOwner(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
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
    say`The file was not changed. Repair it, or move it away and log in again with: ${run('auth:login')}`,
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
