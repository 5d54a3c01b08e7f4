/**
 * What was read before and is worth keeping: names of categories and payment types, and the ids of members whose alias was shown. A
 * file for each profile in the data directory. Nothing depends on it: one that cannot be read or written is as one that is not there.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../cli/context.js'
import { makeDirectory } from '../../cli/directory.js'
import { writeWholeFile } from '../../system/whole-file.js'

type Place = Pick<Context, 'dataDir' | 'profile'>

/** What the file holds. It is another service's if `address` is not the profile's. */
interface Kept<T> {
  readonly address: string
  readonly value: T
}

function pathOf({ dataDir, profile }: Place, kind: string): string {
  return join(dataDir, 'reference', `${encodeURIComponent(profile.name)}.${kind}.json`)
}

function addressOf({ profile }: Place): string {
  return profile.embedded ? 'sandbox' : (profile.settings.base_url ?? '')
}

/** @param kind `names` or `members` @returns undefined where there is nothing for the profile's service */
export async function readKept<T>(ctx: Place, kind: string): Promise<T | undefined> {
  try {
    const kept = JSON.parse(await readFile(pathOf(ctx, kind), 'utf8')) as Kept<T>
    return kept.address === addressOf(ctx) ? kept.value : undefined
  } catch {
    return undefined
  }
}

/** Keeps a value that JSON carries, readable by the user alone. */
export async function keep<T>(ctx: Place, kind: string, value: T): Promise<void> {
  try {
    makeDirectory(join(ctx.dataDir, 'reference'), 'SELLER_DATA_DIR')
    const kept: Kept<T> = { address: addressOf(ctx), value }
    await writeWholeFile(pathOf(ctx, kind), JSON.stringify(kept), { force: true, mode: 0o600 })
  } catch {
    // A result that was asked for does not fail because it could not be remembered.
  }
}
