/**
 * Saved descriptions: one file for each profile and service in the data directory. This file reads what every command needs of
 * one: the operations that the service offers and their parameters, without reading the WSDL.
 */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
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
  writeNameMap,
} from '../contract/index.js'
import { SellerError } from '../errors/index.js'
import { errnoOf, errnoWords } from '../system/errno.js'
import type { ResolvedProfile } from './profiles.js'

export interface DescriptionPlace {
  readonly dataDir: string
  readonly profile: Pick<ResolvedProfile, 'name' | 'settings'>
}

/** The content of the file. */
export interface DescriptionFile {
  /** The address or path that it came from. */
  readonly From: string
  /** ISO 8601, UTC. */
  readonly SavedAt: string
  /** SHA-256 of the text, in hexadecimal. */
  readonly Sha256: string
  /** The operations with the paths of their parameters, in the service's own names. */
  readonly Operations: OfferedOperations
  /** What breaks an operation of the contract, as it was when the description was saved; undefined in files of version 0.2. */
  readonly Breaks?: readonly Break[]
  /** Operations whose breaks the seller accepted by name. */
  readonly Accepted?: readonly string[]
  /** The service's own names that it was read with. They hold unless the settings of the profile have others. */
  readonly Names?: string
  /** The base address for which it was read without being asked for; it says nothing of another. */
  readonly Base?: string
  readonly Text: string
  /** The whole address of a description in several files, and the texts of the others by theirs. */
  readonly At?: string
  readonly Parts?: Readonly<Record<string, string>>
}

/** A difference that breaks an operation. */
export interface Break {
  readonly Operation: string
  /** Whether the operation is not sent because of it: it is in the request, or in what decisions rest on in the reply. */
  readonly Stops: boolean
  /** The field that is sent in vain; null where it stops whatever is sent. */
  readonly Field: string | null
  /** A sentence. */
  readonly Message: string
  /** The binding for which it holds; absent where it holds for all. */
  readonly Binding?: string
}

const DIRECTORY = 'descriptions'

/** Version of the file's format; another format gets another number. */
export const DESCRIPTION_VERSION = 2

/** The hash of a text, or of a description with its other files. */
export function hashOf(text: string, parts?: Readonly<Record<string, string>>): string {
  const whole = parts === undefined ? text : JSON.stringify([text, parts])
  return createHash('sha256').update(whole).digest('hex')
}

/**
 * A profile's name may contain any letters, and file systems differ in which they tell apart. The hash makes the file name
 * unique.
 */
export function descriptionPath({ dataDir, profile }: DescriptionPlace, service: ServiceName): string {
  const readable = profile.name.toLowerCase().replace(/[^a-z0-9-]+/g, '-')
  return join(dataDir, DIRECTORY, `${readable}-${hashOf(profile.name).slice(0, 8)}.${service}.json`)
}

/**
 * Reads the saved description of a service of the profile, with its text unchanged.
 * @returns undefined if none was saved for its address
 * @throws {SellerError} description_damaged, which names the file
 */
export async function readDescriptionFile(place: DescriptionPlace, service: ServiceName): Promise<DescriptionFile | undefined> {
  let path = join(place.dataDir, DIRECTORY)
  let content: string
  try {
    // The hash in a file's name costs a start 11 ms, to load node:crypto: not where no description was ever saved.
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined
    path = descriptionPath(place, service)
    content = await readFile(path, 'utf8')
  } catch (error) {
    const code = errnoOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw code === undefined
      ? error
      : descriptionDamaged(path, `cannot be read: ${errnoWords(code)}`, 'Make it readable, or delete it')
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
  const { From, SavedAt, Sha256, Operations, Text, Base } = data
  const texts = [From, SavedAt, Sha256, Text].every((value) => typeof value === 'string')
  if (!texts || !isOffered(Operations)) throw descriptionDamaged(path, 'lacks what a saved description has')
  return Base === undefined || Base === place.profile.settings.base_url ? (data as unknown as DescriptionFile) : undefined
}

function isOffered(value: unknown): value is OfferedOperations {
  return typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray)
}

export function descriptionDamaged(path: string, why: string, remedy = 'Delete it'): SellerError {
  const hint = `The file was not changed. ${remedy} and save the description again with: seller service:check --save`
  return new SellerError('description_damaged', `The saved description ${path} ${why}.`, hint, { path })
}

/** The service's own names: those of the settings, else those that the saved description was read with. */
export function namesOf({ settings }: DescriptionPlace['profile'], saved?: Pick<DescriptionFile, 'Names'>): NameMap {
  return readNameMap(settings.names ?? saved?.Names ?? '')
}

/** The same, where the saved description is not at hand. */
export async function agreedNames(place: DescriptionPlace): Promise<NameMap> {
  return namesOf(place.profile, await readDescriptionFile(place, 'RestrictedService').catch(() => undefined))
}

/** The names and forms that the profile's service uses for the contract, as far as its saved description shows them. */
export async function dialectOf(place: DescriptionPlace): Promise<Required<Dialect>> {
  return dialectIn(place, await readDescriptionFile(place, 'RestrictedService'))
}

function dialectIn({ profile }: DescriptionPlace, saved: DescriptionFile | undefined): Required<Dialect> {
  const names = namesOf(profile, saved)
  return { names, otherForms: saved === undefined ? [] : otherFormsIn('RestrictedService', saved.Operations, names) }
}

/** What a client has to know of the saved description. */
export interface SavedForClient {
  /** Whether a description of the restricted service is saved. */
  readonly known: boolean
  readonly dialect: Required<Dialect>
  /** Says why an operation must not be sent with these parameters: the service takes another request, or gives another reply. */
  readonly changed: (
    service: ServiceName,
    operation: string,
    params: Readonly<Record<string, unknown>>,
  ) => Promise<(Break & { readonly remedy?: string }) | undefined>
}

/** Reads what a client has to know. Each file is read once, that of another service when it is first called. */
export async function savedForClient(place: DescriptionPlace): Promise<SavedForClient> {
  const { binding = 'soap12' } = place.profile.settings
  const read = new Map<ServiceName, Promise<DescriptionFile | undefined>>()
  const savedOf = (service: ServiceName) => {
    const known = read.get(service) ?? readDescriptionFile(place, service)
    read.set(service, known)
    return known
  }
  const restricted = await savedOf('RestrictedService')
  return {
    known: restricted !== undefined,
    dialect: dialectIn(place, restricted),
    async changed(service, operation, params) {
      const saved = await savedOf(service)
      const why = (saved === undefined ? [] : refusedBreaks(saved, writeNameMap(namesOf(place.profile, saved)))).find(
        ({ Operation, Field, Binding = binding }) =>
          Operation === operation && Binding === binding && (Field === null || givenFor(params, Field) !== undefined),
      )
      if (why?.Field !== PROVIDER) return why
      const id = givenFor(params, PROVIDER)
      return { ...why, remedy: `This service knows shipping by option: option=${id} is meant, and not provider=${id}.` }
    },
  }
}

/** Other names may be the answer to what broke: then the breaks that were found without them say nothing. */
function refusedBreaks({ Breaks = [], Accepted = [], Names = '' }: DescriptionFile, names: string): readonly Break[] {
  return Names === names ? Breaks.filter(({ Stops, Operation }) => Stops && !Accepted.includes(Operation)) : []
}

const PROVIDER = 'ShippingProviderId'

/** Whether the service is not known to lack providers of shipping, as older editions do. */
export async function takesProviders(place: DescriptionPlace): Promise<boolean> {
  const saved = await readDescriptionFile(place, 'RestrictedService').catch(() => undefined)
  return saved?.Breaks?.some(({ Operation, Field }) => Operation === 'AddItem' && Field === PROVIDER) !== true
}

/** The value that is given for a field, at any depth; undefined for none, and for null, which says nothing. */
function givenFor(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return value.map((each) => givenFor(each, field)).find((found) => found !== undefined)
  const own = (value as Readonly<Record<string, unknown>>)[field] ?? undefined
  return own ?? givenFor(Object.values(value), field)
}

/** Where an operation that not every service has is looked for. */
export interface OfferPlace extends DescriptionPlace {
  readonly profile: Pick<ResolvedProfile, 'name' | 'settings' | 'embedded'>
  /** Reads and saves the description where none is saved. */
  learnDescriptions(service?: ServiceName): Promise<boolean>
}

/** Whether the service is known to offer an operation that not every service has. The sandbox inside the process offers all. */
export async function isKnownToOffer(place: OfferPlace, operation: string, service?: ServiceName): Promise<boolean> {
  if (!place.profile.embedded) {
    await place.learnDescriptions()
    if (service !== undefined) await place.learnDescriptions(service)
  }
  return (await offers(place, operation, service)) === true
}

/** Whether a service offers an operation, by what is saved; undefined where nothing is. */
export async function offers(
  place: Omit<OfferPlace, 'learnDescriptions'>,
  operation: string,
  service: ServiceName = 'RestrictedService',
): Promise<boolean | undefined> {
  if (place.profile.embedded) return true
  const saved = await readDescriptionFile(place, service)
  return saved && Object.hasOwn(saved.Operations, renaming(namesOf(place.profile, saved))(operation))
}

/**
 * Refuses a command whose operation the service is known not to offer. The sandbox inside the process offers all.
 * @throws {SellerError} usage: operation_not_offered
 */
export async function requireOffered(place: OfferPlace, operation: string, service?: ServiceName): Promise<void> {
  if (await isKnownToOffer(place, operation, service)) return
  const saved = await readDescriptionFile(place, service ?? 'RestrictedService')
  const why =
    saved === undefined
      ? `no description of the service is saved for the profile "${place.profile.name}"`
      : `the description that was saved on ${saved.SavedAt.slice(0, 10)} does not have it`
  throw new SellerError(
    'operation_not_offered',
    `This command needs ${operation}, which not every service offers: ${why}.`,
    'Save what the service offers now: seller service:check --save',
    { operation },
  )
}
