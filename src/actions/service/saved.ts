/** Saved descriptions: one file for each profile and service in the data directory, written whole, readable only by the user. */
import { join } from 'node:path'
import type { Context } from '../../cli/context.js'
import { makeDirectory } from '../../cli/directory.js'
import type { ResolvedProfile } from '../../cli/profiles.js'
import {
  type Break,
  DESCRIPTION_VERSION,
  type DescriptionFile,
  descriptionDamaged,
  descriptionPath,
  hashOf,
  namesOf,
  readDescriptionFile,
} from '../../cli/saved-description.js'
import {
  type NameMap,
  type OfferedOperations,
  operationsOf,
  otherFormsIn,
  parameterPaths,
  type ServiceName,
  writeNameMap,
} from '../../contract/index.js'
import { compareService, type Description, inDocumentNames, knownService, readDescription } from '../../soap/description/index.js'
import { DAY_MS, parseDuration } from '../../system/durations.js'
import { isoOf } from '../../system/time.js'
import { writeWholeFile } from '../../system/whole-file.js'
import type { Source } from './sources.js'

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
  if (hashOf(text) !== sha256) throw descriptionDamaged(path, 'was changed after it was saved')
  const own = describedIn(path, text, service)
  if (JSON.stringify(file.Operations) !== JSON.stringify(offeredIn(own))) {
    throw descriptionDamaged(path, 'was changed after it was saved')
  }
  return { published: own, description: inDocumentNames(own, namesOf(ctx.profile)), text, from, savedAt, sha256, path }
}

function describedIn(path: string, text: string, service: ServiceName): Description {
  try {
    return readDescription(text, { service })
  } catch {
    throw descriptionDamaged(path, 'holds no description')
  }
}

/**
 * Saves a description, and replaces an existing one.
 * @param accepted operations that are sent although the description breaks them. What was accepted before stays so while it breaks by the same.
 * @returns the path
 */
export async function writeSaved(
  ctx: Place,
  { description, text, from }: Source,
  accepted: readonly string[] = [],
): Promise<string> {
  const { service } = description
  const path = descriptionPath(ctx, service)
  makeDirectory(join(ctx.dataDir, 'descriptions'), 'SELLER_DATA_DIR')
  const own = readDescription(text, { service })
  const breaks = breaksIn(namesOf(ctx.profile), own)
  const known = await readDescriptionFile(ctx, service).catch(() => undefined)
  const kept = [...new Set(breaks.map(({ Operation }) => Operation))].filter(
    (operation) =>
      accepted.includes(operation) ||
      breaks.every((each) => each.Operation !== operation || (known !== undefined && isAccepted(known, operation, each.Message))),
  )
  const file: DescriptionFile = {
    From: from,
    SavedAt: isoOf(ctx.clock.now()),
    Sha256: hashOf(text),
    Operations: offeredIn(own),
    Breaks: breaks,
    Accepted: kept,
    Names: writeNameMap(namesOf(ctx.profile)),
    Text: text,
  }
  const data = { Version: DESCRIPTION_VERSION, Profile: ctx.profile.name, Service: service, ...file }
  await writeWholeFile(path, `${JSON.stringify(data)}\n`, { force: true, mode: 0o600 })
  return path
}

/** What of a description breaks the contract's operations. A form that is not the document's does not: it is sent once it is saved. */
export function breaksIn(names: NameMap, description: Description): Break[] {
  const { service } = description
  const known = knownService(service, operationsOf(service, 'all'))
  return compareService(known, inDocumentNames(description, names)).flatMap((difference) => {
    const { effect, kind, operation, direction, subject, relied = false, message } = difference
    if (effect !== 'breaks' || kind === 'form' || operation === undefined) return []
    const inRequest = direction === 'request'
    // A field that is only missed by the service matters to those who give it.
    const field = kind === 'field_required' || !inRequest ? null : (subject?.split('.').at(-1) ?? null)
    return [{ Operation: operation, Stops: inRequest || relied, Field: field, Message: message }]
  })
}

/** Whether the seller accepted what breaks an operation, in these words. */
export function isAccepted({ Breaks = [], Accepted = [] }: DescriptionFile, operation: string, message: string): boolean {
  return Accepted.includes(operation) && Breaks.some((each) => each.Operation === operation && each.Message === message)
}

/** The operations that descriptions have in their other form. That form is sent once they are saved. */
export function formsIn(descriptions: readonly Description[], names: NameMap): string[] {
  return descriptions.flatMap((description) => otherFormsIn(description.service, offeredIn(description), names))
}

/** The operations of a description with the names of their parameters. */
function offeredIn({ operations }: Description): OfferedOperations {
  return Object.fromEntries([...operations].map(([name, { operation }]) => [name, parameterPaths(operation.params)]))
}

/** Whole days since a description was saved, and whether that is longer than the profile's description_max_age. */
export function ageOf(ctx: Place, { savedAt }: Pick<Saved, 'savedAt'>): { readonly days: number; readonly old: boolean } {
  const limit = parseDuration(ctx.profile.settings.description_max_age ?? '') ?? DEFAULT_MAX_AGE_DAYS * DAY_MS
  const age = ctx.clock.now() - Date.parse(savedAt)
  return { days: Math.floor(age / DAY_MS), old: age > limit }
}
