/** Saved descriptions: reading them, and saving checked ones. Another description is never replaced without a yes. */

import type { Context } from '../../cli/context.js'
import { serviceAddress } from '../../cli/descriptions/addresses.js'
import { describedIn, offeredIn } from '../../cli/descriptions/breaks.js'
import type { Source } from '../../cli/descriptions/read.js'
import { type WritingPlace, writeSaved } from '../../cli/descriptions/save.js'
import {
  descriptionDamaged,
  descriptionPath,
  hashDescription,
  readDescriptionFile,
  serviceNames,
} from '../../cli/saved-description.js'
import { type NameMap, otherFormsIn, type ServiceName } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import { run, say } from '../../messages/index.js'
import {
  compareService,
  type Description,
  type Difference,
  inDocumentNames,
  knownDescription,
  otherAddress,
} from '../../soap/description/index.js'
import { DAY_MS, parseDuration } from '../../system/durations.js'

/** A saved description. */
interface Saved extends Source {
  /** The description as the service published it; `description` is in the document's names. */
  readonly published: Description
  /** ISO 8601, UTC. */
  readonly savedAt: string
  /** SHA-256 of the text, in hexadecimal. */
  readonly sha256: string
  readonly path: string
}

/** Days after which a saved description should be checked again, by default. */
const DEFAULT_MAX_AGE_DAYS = 30

/**
 * Reads the saved description of a service of the profile, in the document's names.
 * @returns undefined if none was saved
 * @throws {SellerError} description_damaged, which names the file
 */
export async function readSaved(ctx: WritingPlace, service: ServiceName): Promise<Saved | undefined> {
  const file = await readDescriptionFile(ctx, service)
  if (file === undefined) return undefined
  const path = descriptionPath(ctx, service)
  const { From: from, SavedAt: savedAt, Sha256: sha256, Text: text } = file
  if (hashDescription(text, file.Parts) !== sha256) throw descriptionDamaged(path, 'was changed after it was saved')
  let own: Description
  try {
    own = describedIn(service, file)
  } catch {
    throw descriptionDamaged(path, 'holds no description')
  }
  if (JSON.stringify(file.Operations) !== JSON.stringify(offeredIn(own))) {
    throw descriptionDamaged(path, 'was changed after it was saved')
  }
  return { published: own, description: inDocumentNames(own, serviceNames(ctx.profile, file)), text, from, savedAt, sha256, path }
}

/** The operations that descriptions have in their other form. That form is sent once they are saved. */
export function formsIn(descriptions: readonly Description[], names: NameMap): string[] {
  return descriptions.flatMap((description) => otherFormsIn(description.service, offeredIn(description), names))
}

/** The most changes that are listed; more would fill the screen and add nothing. */
const MAX_CHANGES = 20

interface SaveChoice {
  /** True if another description is replaced. */
  readonly yes: boolean | undefined
  /** Operations that are sent although the description breaks them. */
  readonly accept: readonly string[] | undefined
  /** The names that the profile uses from now on. */
  readonly names: NameMap
}

/**
 * Saves descriptions for the profile. If the operations or types differ from those of the saved one, it shows the differences and
 * asks before it replaces it.
 * @throws {SellerError} guard, without a yes: nothing was saved
 */
export async function saveDescriptions(
  ctx: Context,
  sources: readonly Source[],
  { yes, accept = [], names }: SaveChoice,
): Promise<void> {
  const agreements: { source: Source; since: string }[] = []
  for (const source of sources) {
    const { service } = source.description
    const savedSource = await readSaved(ctx, service)
    const changes = savedSource === undefined ? [] : changesIn(savedSource, source)
    if (savedSource !== undefined && changes.length > 0) {
      warnChanges(ctx, savedSource, changes)
      const changeCount = countOf(changes.length, 'change')
      const message = `${changeCount}. Replace the description of ${service} that was saved on ${dayOf(savedSource)}?`
      await ctx.prompts.confirm({ message, flag: '--yes', given: yes })
    }
    agreements.push({
      source,
      since: savedSource === undefined || changes.length > 0 ? '' : `, unchanged since ${dayOf(savedSource)}`,
    })
  }
  for (const { source, since } of agreements) {
    const path = await writeSaved(ctx, source, { accepted: accept, names })
    ctx.output.note(
      `Saved the description of ${source.description.service} for the profile "${ctx.profile.name}"${since}: ${path}`,
    )
  }
}

/**
 * Saves the descriptions that a login has read. If the operations or types of a saved one differ, it stays: replacing it needs a
 * yes, which service:check asks for.
 */
export async function saveAtLogin(ctx: Context, profile: WritingPlace['profile'], sources: readonly Source[]): Promise<void> {
  const place: WritingPlace = { dataDir: ctx.dataDir, clock: ctx.clock, profile }
  for (const source of sources) {
    const { service } = source.description
    const savedSource = await readSaved(place, service).catch((error: unknown) => replaceDamaged(ctx, error))
    const changes = savedSource === undefined || savedSource.from !== source.from ? [] : changesIn(savedSource, source)
    if (savedSource !== undefined && changes.length > 0) {
      warnChanges(ctx, savedSource, changes)
      ctx.output.hint(
        say`The saved one is kept. See what changed, and save the new one, with: ${run('service:check', { '--save': true, '--profile': profile.name })}`,
      )
      continue
    }
    await writeSaved(place, source)
    if (savedSource === undefined) ctx.output.note(`Saved the description of ${service} (${source.from}).`)
    else if (savedSource.from !== source.from)
      ctx.output.note(`Saved the description of ${service} (${source.from}), in place of that of ${savedSource.from}.`)
  }
}

/** The login has just read a complete one. */
function replaceDamaged(ctx: Context, error: unknown): undefined {
  if (!(error instanceof SellerError) || error.code !== 'description_damaged') throw error
  ctx.output.warn(`${error.message} It is replaced.`)
}

/** Says if the saved description is old, or differs from the one just read. Says nothing if none is saved. */
export async function compareWithSaved(ctx: Context, sources: readonly Source[]): Promise<void> {
  for (const source of sources) {
    const savedSource = await readSaved(ctx, source.description.service)
    if (savedSource === undefined) continue
    warnAddress(ctx, savedSource, source)
    const changes = changesIn(savedSource, source)
    if (changes.length === 0) noteAge(ctx, savedSource)
    else {
      warnChanges(ctx, savedSource, changes)
      ctx.output.hint('Save it with --save.')
    }
  }
}

/**
 * A description that was saved before the profile was set to another address: it decides what is sent, and may be that of another
 * service.
 */
function warnAddress(ctx: Context, savedSource: Saved, fresh: Source): void {
  const { service } = savedSource.description
  const address = serviceAddress(ctx.profile.settings.base_url, service)
  const other = address === undefined ? undefined : otherAddress(savedSource.published, address)
  // The current page of the service names it too: saving it again would change nothing, and the check has reported it.
  if (address === undefined || other === undefined || otherAddress(fresh.description, address) !== undefined) return
  ctx.output.warn(`The saved description of ${service} names the address ${other}; calls are sent to ${address}.`)
  ctx.output.hint(say`Save the present one: ${run('service:check', { '--save': true })}`)
}

/** Says how old a saved description is, if that is more than the profile's description_max_age. */
export function noteAge(ctx: Context, { description: { service }, savedAt }: Saved): void {
  const limit = parseDuration(ctx.profile.settings.description_max_age ?? '') ?? DEFAULT_MAX_AGE_DAYS * DAY_MS
  const age = ctx.clock.now() - Date.parse(savedAt)
  if (age <= limit) return
  ctx.output.warn(
    say`The saved description of ${service} is ${Math.floor(age / DAY_MS)} days old. Check it again: ${run('service:check', { '--save': true })}`,
  )
}

export function dayOf({ savedAt }: Pick<Saved, 'savedAt'>): string {
  return savedAt.slice(0, 10)
}

/** A line for each change of operations and types; none if only texts or addresses differ. */
function changesIn(savedSource: Saved, { description, text, parts }: Source): string[] {
  if (savedSource.sha256 === hashDescription(text, parts && Object.fromEntries(parts))) return []
  const differences = compareService(knownDescription(savedSource.published), description)
  return [...new Set(differences.filter(({ effect }) => effect !== 'unread').map(changeLine))]
}

function warnChanges(ctx: Pick<Context, 'output'>, savedSource: Saved, changes: readonly string[]): void {
  const more = changes.length > MAX_CHANGES ? [`  and ${changes.length - MAX_CHANGES} more`] : []
  const head = `The description of ${savedSource.description.service} has changed since ${dayOf(savedSource)} (${savedSource.from}):`
  ctx.output.warn([head, ...changes.slice(0, MAX_CHANGES), ...more].join('\n'))
}

/** `  field renamed: ItemRequest.Title, "Title" is now "Heading"` */
function changeLine({ kind, subject, service, expected, found }: Difference): string {
  const words = kind.replaceAll('_', ' ')
  const was = expected === undefined ? undefined : `was "${expected}"`
  // The new name of a missing operation is a guess.
  const is = found === undefined || kind.startsWith('operation') ? undefined : `is now "${found}"`
  return `  ${words}: ${[subject ?? service, was, is].filter((part) => part !== undefined).join(', ')}`
}
