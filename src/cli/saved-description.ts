/**
 * Descriptions that were saved: one file for each profile and service in the data directory. Here is what every command needs of one: the
 * operations that the service offers and their parameters, without reading the WSDL.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Dialect,
  type NameMap,
  type OfferedOperations,
  otherFormsIn,
  readNameMap,
  renaming,
  type ServiceName,
} from '../contract/index.js'
import { errnoOf, errnoWords } from '../system/errno.js'
import { SellerError } from './errors.js'
import type { ResolvedProfile } from './profiles.js'

export interface DescriptionPlace {
  readonly dataDir: string
  readonly profile: Pick<ResolvedProfile, 'name' | 'settings'>
}

/** What the file holds. */
export interface DescriptionFile {
  /** The address or path it came from. */
  readonly From: string
  /** ISO 8601, UTC. */
  readonly SavedAt: string
  /** SHA-256 of the text, in hexadecimal. */
  readonly Sha256: string
  /** The operations with the paths of their parameters, in the service's own names. */
  readonly Operations: OfferedOperations
  readonly Text: string
}

/** The file's own shape; another one comes with another number. */
export const DESCRIPTION_VERSION = 2

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Letters of a profile's name may be any, and file systems differ in which they tell apart: the hash makes the name its own. */
export function descriptionPath({ dataDir, profile }: DescriptionPlace, service: ServiceName): string {
  const readable = profile.name.toLowerCase().replace(/[^a-z0-9-]+/g, '-')
  return join(dataDir, 'descriptions', `${readable}-${hashOf(profile.name).slice(0, 8)}.${service}.json`)
}

/**
 * The saved description of a service of the profile, its text unchanged.
 * @returns undefined where none was saved
 * @throws {SellerError} description_damaged, which names the file
 */
export async function readDescriptionFile(place: DescriptionPlace, service: ServiceName): Promise<DescriptionFile | undefined> {
  const path = descriptionPath(place, service)
  let content: string
  try {
    content = await readFile(path, 'utf8')
  } catch (error) {
    const code = errnoOf(error)
    if (code === 'ENOENT') return undefined
    throw code === undefined ? error : descriptionDamaged(path, `cannot be read: ${errnoWords(code)}`)
  }
  let data: Partial<Record<string, unknown>> | null
  try {
    data = JSON.parse(content)
  } catch {
    throw descriptionDamaged(path, 'is not JSON')
  }
  if (typeof data !== 'object' || data === null || data.Version !== DESCRIPTION_VERSION) {
    throw descriptionDamaged(path, 'lacks what a saved description has')
  }
  const { From, SavedAt, Sha256, Operations, Text } = data
  const texts = [From, SavedAt, Sha256, Text].every((value) => typeof value === 'string')
  if (!texts || !isOffered(Operations)) throw descriptionDamaged(path, 'lacks what a saved description has')
  return data as unknown as DescriptionFile
}

function isOffered(value: unknown): value is OfferedOperations {
  return typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray)
}

export function descriptionDamaged(path: string, why: string): SellerError {
  const hint = 'The file was not changed. Delete it and save the description again with: seller service:check --save'
  return new SellerError('description_damaged', `The saved description ${path} ${why}.`, hint, { path })
}

/** The names of the profile's service; none where the profile has no map. */
export function namesOf({ settings }: DescriptionPlace['profile']): NameMap {
  return settings.names === undefined ? [] : readNameMap(settings.names)
}

/** How the service of the profile says what the contract describes, as far as its saved description tells. */
export async function dialectOf(place: DescriptionPlace): Promise<Required<Dialect>> {
  const names = namesOf(place.profile)
  const saved = await readDescriptionFile(place, 'RestrictedService')
  return { names, otherForms: saved === undefined ? [] : otherFormsIn('RestrictedService', saved.Operations, names) }
}

/**
 * Refuses a command whose operation the service does not offer, as far as is known. The sandbox inside the process offers all.
 * @throws {SellerError} usage: operation_not_offered
 */
export async function requireOffered(
  place: DescriptionPlace & { readonly profile: Pick<ResolvedProfile, 'embedded'> },
  operation: string,
  profileFlag: string,
): Promise<void> {
  if (place.profile.embedded) return
  const saved = await readDescriptionFile(place, 'RestrictedService')
  const name = renaming(namesOf(place.profile))(operation)
  if (saved !== undefined && Object.hasOwn(saved.Operations, name)) return
  const why =
    saved === undefined
      ? `no description of the service is saved for the profile "${place.profile.name}"`
      : `the description that was saved on ${saved.SavedAt.slice(0, 10)} does not have it`
  throw new SellerError(
    'operation_not_offered',
    `This command needs ${operation}, which not every service offers: ${why}.`,
    `Save what the service offers now: seller service:check --save${profileFlag}`,
    { operation },
  )
}
