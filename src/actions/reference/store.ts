/**
 * Stores what was read and will be useful again: names of categories and payment types, and the ids of members whose alias was
 * shown. One file for each profile in the data directory. Nothing depends on it: a file that cannot be read or written counts as
 * missing.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../cli/context.js'
import { makeDirectory } from '../../cli/directories.js'
import { writeWholeFile } from '../../system/whole-file.js'

type Place = Pick<Context, 'dataDir' | 'profile'>

/** The content of the file. If `address` is not the profile's, it belongs to another service. */
interface Kept<T> {
  readonly address: string
  readonly value: T
  /** Checksum of the value. A file that was damaged or edited counts as missing, whatever its shape. */
  readonly sum: number
}

/** FNV-1a: node:crypto would cost a start 11 ms, and nothing here is guarded against somebody who can write the file. */
function checksum(text: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum >>> 0
}

function pathOf({ dataDir, profile }: Place, kind: string): string {
  return join(dataDir, 'reference', `${encodeURIComponent(profile.name)}.${kind}.json`)
}

/** The address of the profile's service; `sandbox` for the one inside the process. */
export function addressOf({ profile }: Pick<Context, 'profile'>): string {
  return profile.embedded ? 'sandbox' : (profile.settings.base_url ?? '')
}

/** @param kind `names` or `members` @returns undefined if there is nothing for the profile's service */
export async function readKept<T>(ctx: Place, kind: string): Promise<T | undefined> {
  try {
    const stored = JSON.parse(await readFile(pathOf(ctx, kind), 'utf8')) as Kept<T>
    return stored.address === addressOf(ctx) && stored.sum === checksum(JSON.stringify(stored.value)) ? stored.value : undefined
  } catch {
    return undefined
  }
}

/** Stores a JSON value, readable only by the user. */
export async function keep<T>(ctx: Place, kind: string, value: T): Promise<void> {
  try {
    makeDirectory(join(ctx.dataDir, 'reference'), 'SELLER_DATA_DIR')
    // As it will be read: without keys that are undefined.
    const stored: Kept<T> = { address: addressOf(ctx), value, sum: checksum(JSON.stringify(value)) }
    await writeWholeFile(pathOf(ctx, kind), JSON.stringify(stored), { force: true, mode: 0o600, follow: true })
  } catch {
    // A result does not fail because it could not be stored.
  }
}
