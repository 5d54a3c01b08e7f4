/**
 * Saved descriptions: one file for each profile and service in the data directory. This file reads what every command needs of
 * one: the operations that the service offers and their parameters, without reading the WSDL.
 */

import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Dialect,
  type NameMap,
  otherFormsIn,
  readNameMap,
  renaming,
  type ServiceName,
  writeNameMap,
} from '../contract/index.js'
import { SellerError } from '../errors/index.js'
import { run, say } from '../messages/index.js'
import { errnoOf, errnoWords } from '../system/errno.js'
import type { Break, DescriptionFile } from './descriptions/file.js'
import type { ResolvedProfile } from './profiles.js'

export interface DescriptionPlace {
  readonly dataDir: string
  readonly profile: Pick<ResolvedProfile, 'name' | 'settings'>
}

const DIRECTORY = 'descriptions'

/** Version of the file's format; another format gets another number. */
export const DESCRIPTION_VERSION = 2

/** The hash of a text, or of a description with its other files. */
export function hashDescription(text: string, parts?: Readonly<Record<string, string>>): string {
  const whole = parts === undefined ? text : JSON.stringify([text, parts])
  return createHash('sha256').update(whole).digest('hex')
}

/**
 * A profile's name may contain any letters, and file systems differ in which they tell apart. The hash makes the file name
 * unique.
 */
export function descriptionPath({ dataDir, profile }: DescriptionPlace, service: ServiceName): string {
  const readable = profile.name.toLowerCase().replace(/[^a-z0-9-]+/g, '-')
  return join(dataDir, DIRECTORY, `${readable}-${hashDescription(profile.name).slice(0, 8)}.${service}.json`)
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
    // Read at once: the pool of threads that reads while others go on costs a start more than the file.
    content = readFileSync(path, 'utf8')
  } catch (error) {
    const code = errnoOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw code === undefined
      ? error
      : descriptionDamaged(path, `cannot be read: ${errnoWords(code)}`, 'Make it readable, or delete it')
  }
  let data: unknown
  try {
    data = JSON.parse(content)
  } catch {
    throw descriptionDamaged(path, 'is not JSON')
  }
  if (!isDescriptionFile(data)) throw descriptionDamaged(path, 'lacks what a saved description has')
  if (data.Base !== undefined && data.Base !== place.profile.settings.base_url) return undefined
  return data.Lacks === undefined ? upgradedFile(path, service, data, serviceNames(place.profile, data)) : data
}

/** A file of version 0.3, with what such a file does not have. It is not written: the next login or check saves it. */
async function upgradedFile(path: string, service: ServiceName, file: DescriptionFile, names: NameMap): Promise<DescriptionFile> {
  const { upgraded } = await import('./descriptions/breaks.js')
  try {
    return upgraded(service, file, names)
  } catch {
    throw descriptionDamaged(path, 'holds no description')
  }
}

/** True if a file has the shape of DescriptionFile: its hash is of the text alone. */
function isDescriptionFile(data: unknown): data is DescriptionFile {
  const { Version, From, SavedAt, Sha256, Operations, Breaks, Accepted, Lacks, Names, Base, Text, At, Parts } = (data ??
    {}) as Partial<Record<string, unknown>>
  return (
    Version === DESCRIPTION_VERSION &&
    [From, SavedAt, Sha256, Text].every(isText) &&
    !Number.isNaN(Date.parse(String(SavedAt))) &&
    [Base, At].every((value) => value === undefined || isText(value)) &&
    (Names === undefined || isNames(Names)) &&
    (Parts === undefined || isEach(Parts, isText)) &&
    isEach(Operations, (paths) => Array.isArray(paths) && paths.every(isText)) &&
    [Accepted, Lacks].every((list) => list === undefined || (Array.isArray(list) && list.every(isText))) &&
    (Breaks === undefined || (Array.isArray(Breaks) && Breaks.every(isBreak)))
  )
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isNames(value: unknown): boolean {
  try {
    return isText(value) && readNameMap(value as string) !== undefined
  } catch {
    return false
  }
}

function isEach(value: unknown, judge: (part: unknown) => boolean): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every(judge)
}

function isBreak(value: Partial<Break> | null): boolean {
  return isText(value?.Operation) && isText(value?.Message) && (value?.Field === null || isText(value?.Field))
}

export function descriptionDamaged(path: string, why: string, remedy = 'Delete it'): SellerError {
  const hint = say`The file was not changed. ${remedy} and save the description again with: ${run('service:check', { '--save': true })}`
  return new SellerError('description_damaged', `The saved description ${path} ${why}.`, hint, { path })
}

/** The service's own names: those of the settings, else those that the saved description was read with. */
export function serviceNames({ settings }: DescriptionPlace['profile'], description?: Pick<DescriptionFile, 'Names'>): NameMap {
  return readNameMap(settings.names ?? description?.Names ?? '')
}

/** The same, where the saved description is not at hand. */
export async function agreedNames(place: DescriptionPlace): Promise<NameMap> {
  return serviceNames(place.profile, await readDescriptionFile(place, 'RestrictedService').catch(() => undefined))
}

/** The names and forms that the profile's service uses for the contract, as far as its saved description shows them. */
export async function readDialect(place: DescriptionPlace): Promise<Required<Dialect>> {
  return dialectIn(place, await readDescriptionFile(place, 'RestrictedService'))
}

function dialectIn({ profile }: DescriptionPlace, description: DescriptionFile | undefined): Required<Dialect> {
  const names = serviceNames(profile, description)
  if (description === undefined) return { names, otherForms: [], lacks: [] }
  return { names, otherForms: otherFormsIn('RestrictedService', description.Operations, names), lacks: description.Lacks ?? [] }
}

/** Facts about the saved description that a client needs. */
export interface SavedForClient {
  /** True if a description of the restricted service is saved. */
  readonly known: boolean
  readonly dialect: Required<Dialect>
  /** Says why an operation must not be sent with these parameters: the service takes another request, or gives another reply. */
  readonly changed: (
    service: ServiceName,
    operation: string,
    params: Readonly<Record<string, unknown>>,
  ) => Promise<(Break & { readonly remedy?: string }) | undefined>
  /** Fields that have a value in these parameters and are not sent, because the service does not have them. */
  readonly unsent: (params: Readonly<Record<string, unknown>>) => readonly string[]
}

/** Reads what a client has to know. Each file is read once, that of another service when it is first called. */
export async function savedForClient(place: DescriptionPlace): Promise<SavedForClient> {
  const { binding = 'soap12' } = place.profile.settings
  const descriptions = new Map<ServiceName, Promise<DescriptionFile | undefined>>()
  const loadDescription = (service: ServiceName) => {
    const description = descriptions.get(service) ?? readDescriptionFile(place, service)
    descriptions.set(service, description)
    return description
  }
  const restrictedService = await loadDescription('RestrictedService')
  const dialect = dialectIn(place, restrictedService)
  const lackingFields = [...new Set(dialect.lacks.map((subject) => subject.slice(subject.indexOf('.') + 1)))]
  return {
    known: restrictedService !== undefined,
    dialect,
    async changed(service, operation, params) {
      const description = await loadDescription(service)
      const why = (
        description === undefined ? [] : refusedBreaks(description, writeNameMap(serviceNames(place.profile, description)))
      ).find(
        ({ Operation, Field, Binding = binding }) =>
          Operation === operation && Binding === binding && (Field === null || givenFor(params, Field) !== undefined),
      )
      const remedy = why?.Field == null ? undefined : REMEDIES[why.Field]?.(givenFor(params, why.Field))
      return why === undefined || remedy === undefined ? why : { ...why, remedy }
    },
    unsent: (params) => lackingFields.filter((field) => givenFor(params, field) !== undefined),
  }
}

/** Other names may be the answer to what broke: then the breaks that were found without them say nothing. */
function refusedBreaks({ Breaks = [], Accepted = [], Names = '' }: DescriptionFile, names: string): readonly Break[] {
  return Names === names ? Breaks.filter(({ Stops, Operation }) => Stops && !Accepted.includes(Operation)) : []
}

const PROVIDER = 'ShippingProviderId'

/** Advice for a field that an older edition ignores, where it is given. @param given its value */
const REMEDIES: Readonly<Record<string, (given: unknown) => string>> = {
  [PROVIDER]: (id) => `This service knows shipping by option: option=${id} is meant, and not provider=${id}.`,
  maxStartDate: (date) =>
    `Leave --started-before out and choose by StartDate yourself, e.g. --json | jq '[.[] | select(.StartDate < "${String(date).slice(0, 10)}")]'.`,
  DescriptionLanguageCodeIso2: () => 'Leave DescriptionLanguageCodeIso2 out: this service knows no language of a description.',
}

/** True if the service is not known to lack providers of shipping, as older editions do. */
export async function takesProviders(place: DescriptionPlace): Promise<boolean> {
  const description = await readDescriptionFile(place, 'RestrictedService').catch(() => undefined)
  return description?.Breaks?.some(({ Operation, Field }) => Operation === 'AddItem' && Field === PROVIDER) !== true
}

/** The value that is given for a field, at any depth; undefined for none, and for null, which says nothing. */
function givenFor(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return value.map((each) => givenFor(each, field)).find((result) => result !== undefined)
  const own = (value as Readonly<Record<string, unknown>>)[field] ?? undefined
  return own ?? givenFor(Object.values(value), field)
}

/** Where an operation that not every service has is looked for. */
export interface OfferPlace extends DescriptionPlace {
  readonly profile: Pick<ResolvedProfile, 'name' | 'settings' | 'embedded'>
  /** Reads and saves the description where none is saved. */
  learnDescriptions(service?: ServiceName): Promise<boolean>
}

/** True if the service is known to offer an operation that not every service has. The sandbox inside the process offers all. */
export async function isKnownToOffer(place: OfferPlace, operation: string, service?: ServiceName): Promise<boolean> {
  if (!place.profile.embedded) {
    await place.learnDescriptions()
    if (service !== undefined) await place.learnDescriptions(service)
  }
  return (await offers(place, operation, service)) === true
}

/** True if a service offers an operation, by what is saved; undefined where nothing is. */
export async function offers(
  place: Omit<OfferPlace, 'learnDescriptions'>,
  operation: string,
  service: ServiceName = 'RestrictedService',
): Promise<boolean | undefined> {
  if (place.profile.embedded) return true
  const description = await readDescriptionFile(place, service)
  return description && Object.hasOwn(description.Operations, renaming(serviceNames(place.profile, description))(operation))
}

/**
 * Refuses a command whose operation the service is known not to offer. The sandbox inside the process offers all.
 * @throws {SellerError} usage: operation_not_offered; not_logged_in where nothing is saved and nobody could ask the service
 */
export async function requireOffered(
  place: OfferPlace & { requireLogin(user: boolean): void },
  operation: string,
  service?: ServiceName,
): Promise<void> {
  if (await isKnownToOffer(place, operation, service)) return
  const description = await readDescriptionFile(place, service ?? 'RestrictedService')
  if (description === undefined) place.requireLogin(service !== 'PublicService')
  const why =
    description === undefined
      ? `no description of the service is saved for the profile "${place.profile.name}"`
      : `the description that was saved on ${description.SavedAt.slice(0, 10)} does not have it`
  throw new SellerError(
    'operation_not_offered',
    `This command needs ${operation}, which not every service offers: ${why}.`,
    say`Save what the service offers now: ${run('service:check', { '--save': true })}`,
    { operation },
  )
}
