/** Writes saved descriptions, with what they say of the contract's operations. */
import { dirname } from 'node:path'
import {
  isOnlyAsked,
  type NameMap,
  type OfferedOperations,
  operationsOf,
  parameterPaths,
  writeNameMap,
} from '../../contract/index.js'
import { compareService, type Description, inDocumentNames, knownService } from '../../soap/description/index.js'
import type { Clock } from '../../system/clock.js'
import { isoOf } from '../../system/time.js'
import { writeWholeFile } from '../../system/whole-file.js'
import { makeDirectory } from '../directories.js'
import {
  type Break,
  DESCRIPTION_VERSION,
  type DescriptionFile,
  type DescriptionPlace,
  descriptionPath,
  hashOf,
  namesOf,
  readDescriptionFile,
} from '../saved-description.js'
import type { Source } from './read.js'

/** Where descriptions are written. */
export interface WritingPlace extends DescriptionPlace {
  readonly clock: Pick<Clock, 'now'>
}

export interface Writing {
  /** Operations that are sent although the description breaks them. What was accepted before stays so while it breaks by the same. */
  readonly accepted?: readonly string[]
  /** The service's own names that the profile uses; those of its settings by default. */
  readonly names?: NameMap
  /** The base address for which it was read without being asked for. */
  readonly learned?: string
}

/**
 * Saves a description, and replaces an existing one.
 * @returns the path
 */
export async function writeSaved(
  ctx: WritingPlace,
  { description, text, from, at, parts }: Source,
  { accepted = [], names = namesOf(ctx.profile), learned }: Writing = {},
): Promise<string> {
  const { service } = description
  const path = descriptionPath(ctx, service)
  makeDirectory(dirname(path), 'SELLER_DATA_DIR')
  const several = parts === undefined ? {} : { At: at, Parts: Object.fromEntries(parts) }
  const breaks = breaksIn(names, description)
  const known = await readDescriptionFile(ctx, service).catch(() => undefined)
  const kept = [...new Set(breaks.map(({ Operation }) => Operation))].filter(
    (operation) =>
      accepted.includes(operation) ||
      breaks.every((each) => each.Operation !== operation || (known !== undefined && isAccepted(known, operation, each.Message))),
  )
  const file: DescriptionFile = {
    From: from,
    SavedAt: isoOf(ctx.clock.now()),
    Sha256: hashOf(text, several.Parts),
    Operations: offeredIn(description),
    Breaks: breaks,
    Accepted: kept,
    Names: writeNameMap(names),
    ...(learned === undefined ? {} : { Base: learned }),
    Text: text,
    ...several,
  }
  const data = { Version: DESCRIPTION_VERSION, Profile: ctx.profile.name, Service: service, ...file }
  await writeWholeFile(path, `${JSON.stringify(data)}\n`, { force: true, mode: 0o600 })
  return path
}

/** The bindings that do not carry every operation. */
const FORMS = ['get', 'post'] as const

/** What of a description breaks the contract's operations. A form that is not the document's does not: it is sent once it is saved. */
export function breaksIn(names: NameMap, description: Description): Break[] {
  const { service } = description
  const there = inDocumentNames(description, names)
  const operations = operationsOf(service, 'all')
  const known = knownService(service, operations)
  const unbound = FORMS.flatMap((binding) =>
    Object.values(operations).flatMap((operation) => {
      const described = there.operations.get(operation.name)
      if (described === undefined || described.bindings.includes(binding)) return []
      const message = `The service does not offer ${operation.name} by HTTP ${binding.toUpperCase()}.`
      return [{ Operation: operation.name, Stops: true, Field: null, Message: message, Binding: binding }]
    }),
  )
  const breaks = compareService(known, there).flatMap((difference): Break[] => {
    const { effect, kind, operation, direction, subject, relied = false, message } = difference
    const inRequest = direction === 'request'
    const [owner = '', name = ''] = subject?.split('.') ?? []
    const ignored = kind === 'field_missing' && inRequest && isOnlyAsked(owner, name)
    if ((effect !== 'breaks' && !ignored) || kind === 'form' || operation === undefined) return []
    // A field that is only missed by the service matters to those who give it.
    const field = kind === 'field_required' || !inRequest ? null : (subject?.split('.').at(-1) ?? null)
    return [{ Operation: operation, Stops: inRequest || relied, Field: field, Message: message }]
  })
  return [...breaks, ...unbound]
}

/** Whether the seller accepted what breaks an operation, in these words. */
export function isAccepted({ Breaks = [], Accepted = [] }: DescriptionFile, operation: string, message: string): boolean {
  return Accepted.includes(operation) && Breaks.some((each) => each.Operation === operation && each.Message === message)
}

/** The operations of a description with the names of their parameters. */
export function offeredIn({ operations }: Description): OfferedOperations {
  return Object.fromEntries([...operations].map(([name, { operation }]) => [name, parameterPaths(operation.params)]))
}
