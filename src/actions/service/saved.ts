/** Descriptions that were saved: one file for each profile and service in the data directory, written whole, for the user alone. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../cli/context.js'
import { makeDirectory } from '../../cli/directory.js'
import { SellerError } from '../../cli/errors.js'
import type { ResolvedProfile } from '../../cli/profiles.js'
import type { ServiceName } from '../../contract/index.js'
import { type Description, readDescription } from '../../soap/description/index.js'
import { DAY_MS, parseDuration } from '../../system/durations.js'
import { errnoOf, errnoWords } from '../../system/errno.js'
import { isoOf } from '../../system/time.js'
import { writeWholeFile } from '../../system/whole-file.js'
import type { Source } from './sources.js'

/** A description as it was saved. */
export interface Saved extends Source {
  /** ISO 8601, UTC. */
  readonly savedAt: string
  /** SHA-256 of the text, in hexadecimal. */
  readonly sha256: string
  readonly path: string
}

/** Where descriptions are kept, and whose. */
export interface Place extends Pick<Context, 'dataDir' | 'clock'> {
  readonly profile: Pick<ResolvedProfile, 'name' | 'settings'>
}

/** Days after which a saved description should be checked again, where the profile does not say. */
const DEFAULT_MAX_AGE_DAYS = 30

/** The file's own shape; another one comes with another number. */
const VERSION = 1

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Letters of a profile's name may be any, and file systems differ in which they tell apart: the hash makes the name its own. */
function pathOf({ dataDir, profile }: Pick<Place, 'dataDir' | 'profile'>, service: ServiceName): string {
  const readable = profile.name.toLowerCase().replace(/[^a-z0-9-]+/g, '-')
  return join(dataDir, 'descriptions', `${readable}-${hashOf(profile.name).slice(0, 8)}.${service}.json`)
}

/**
 * The saved description of a service of the profile.
 * @returns undefined where none was saved
 * @throws {SellerError} description_damaged, which names the file
 */
export async function readSaved(ctx: Place, service: ServiceName): Promise<Saved | undefined> {
  const path = pathOf(ctx, service)
  let content: string
  try {
    content = await readFile(path, 'utf8')
  } catch (error) {
    const code = errnoOf(error)
    if (code === 'ENOENT') return undefined
    throw code === undefined ? error : damaged(path, `cannot be read: ${errnoWords(code)}`)
  }
  let data: Record<string, unknown>
  try {
    data = JSON.parse(content)
  } catch {
    throw damaged(path, 'is not JSON')
  }
  const { Version: version, From: from, SavedAt: savedAt, Sha256: sha256, Text: text } = data ?? {}
  if (version !== VERSION || typeof from !== 'string' || typeof savedAt !== 'string' || typeof text !== 'string') {
    throw damaged(path, 'lacks what a saved description has')
  }
  if (typeof sha256 !== 'string' || hashOf(text) !== sha256) throw damaged(path, 'was changed after it was saved')
  return { description: describedIn(path, text, service), text, from, savedAt, sha256, path }
}

function describedIn(path: string, text: string, service: ServiceName): Description {
  try {
    return readDescription(text, { service })
  } catch {
    throw damaged(path, 'holds no description')
  }
}

/** Saves a description, in place of the one that is there. @returns the path */
export async function writeSaved(ctx: Place, { description, text, from }: Source): Promise<string> {
  const path = pathOf(ctx, description.service)
  makeDirectory(join(ctx.dataDir, 'descriptions'), 'SELLER_DATA_DIR')
  const data = {
    Version: VERSION,
    Profile: ctx.profile.name,
    Service: description.service,
    From: from,
    SavedAt: isoOf(ctx.clock.now()),
    Sha256: hashOf(text),
    Text: text,
  }
  await writeWholeFile(path, `${JSON.stringify(data)}\n`, { force: true, mode: 0o600 })
  return path
}

/** Whole days since a description was saved, and whether that is longer than the profile's description_max_age. */
export function ageOf(ctx: Place, { savedAt }: Pick<Saved, 'savedAt'>): { readonly days: number; readonly old: boolean } {
  const limit = parseDuration(ctx.profile.settings.description_max_age ?? '') ?? DEFAULT_MAX_AGE_DAYS * DAY_MS
  const age = ctx.clock.now() - Date.parse(savedAt)
  return { days: Math.floor(age / DAY_MS), old: age > limit }
}

function damaged(path: string, why: string): SellerError {
  const hint = 'It was left as it is. Remove it, and save the description again: seller service:check --save.'
  return new SellerError('description_damaged', `The saved description ${path} ${why}.`, hint, { path })
}
