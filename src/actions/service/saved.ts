import type { Context } from '../../cli/context.js'
import type { Source } from '../../cli/descriptions/read.js'
import { offeredIn } from '../../cli/descriptions/save.js'
import type { ResolvedProfile } from '../../cli/profiles.js'
import {
  type DescriptionFile,
  descriptionDamaged,
  descriptionPath,
  hashOf,
  namesOf,
  readDescriptionFile,
} from '../../cli/saved-description.js'
import { type NameMap, otherFormsIn, type ServiceName } from '../../contract/index.js'
import { type Description, inDocumentNames, readDescription } from '../../soap/description/index.js'
import { DAY_MS, parseDuration } from '../../system/durations.js'

/** A saved description. */
export interface Saved extends Source {
  /** The description as the service published it; `description` is in the document's names. */
  readonly published: Description
  /** ISO 8601, UTC. */
  readonly savedAt: string
  /** SHA-256 of the text, in hexadecimal. */
  readonly sha256: string
  readonly path: string
}

/** Where descriptions are kept, and for which profile. */
export interface Place extends Pick<Context, 'dataDir' | 'clock'> {
  readonly profile: Pick<ResolvedProfile, 'name' | 'settings'>
}

/** How many days until a saved description should be checked again, by default. */
const DEFAULT_MAX_AGE_DAYS = 30

/**
 * Reads the saved description of a service of the profile, in the document's names.
 * @returns undefined if none was saved
 * @throws {SellerError} description_damaged, which names the file
 */
export async function readSaved(ctx: Place, service: ServiceName): Promise<Saved | undefined> {
  const file = await readDescriptionFile(ctx, service)
  if (file === undefined) return undefined
  const path = descriptionPath(ctx, service)
  const { From: from, SavedAt: savedAt, Sha256: sha256, Text: text } = file
  if (hashOf(text, file.Parts) !== sha256) throw descriptionDamaged(path, 'was changed after it was saved')
  const own = describedIn(path, file, service)
  if (JSON.stringify(file.Operations) !== JSON.stringify(offeredIn(own))) {
    throw descriptionDamaged(path, 'was changed after it was saved')
  }
  return { published: own, description: inDocumentNames(own, namesOf(ctx.profile, file)), text, from, savedAt, sha256, path }
}

function describedIn(
  path: string,
  { Text: text, At: at, Parts: parts = {} }: DescriptionFile,
  service: ServiceName,
): Description {
  try {
    return readDescription(text, { service, at, parts: new Map(Object.entries(parts)) })
  } catch {
    throw descriptionDamaged(path, 'holds no description')
  }
}

/** The operations that descriptions have in their other form. That form is sent once they are saved. */
export function formsIn(descriptions: readonly Description[], names: NameMap): string[] {
  return descriptions.flatMap((description) => otherFormsIn(description.service, offeredIn(description), names))
}

/** Whole days since a description was saved, and whether that is longer than the profile's description_max_age. */
export function ageOf(ctx: Place, { savedAt }: Pick<Saved, 'savedAt'>): { readonly days: number; readonly old: boolean } {
  const limit = parseDuration(ctx.profile.settings.description_max_age ?? '') ?? DEFAULT_MAX_AGE_DAYS * DAY_MS
  const age = ctx.clock.now() - Date.parse(savedAt)
  return { days: Math.floor(age / DAY_MS), old: age > limit }
}
