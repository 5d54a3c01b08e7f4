/**
 * A profile without a saved description (one of environment variables alone) reads that of its service once, when the contract
 * alone does not tell how to call it, and keeps it: its names, its forms, what it offers.
 */
import type { ServiceName } from '../../contract/index.js'
import { proposeNames } from '../../soap/description/index.js'
import type { ResolvedProfile } from '../profiles.js'
import { agreedNames, readDescriptionFile } from '../saved-description.js'
import { SERVICES } from './addresses.js'
import { type Fetching, readShown } from './read.js'
import { type WritingPlace, writeSaved } from './save.js'

export interface Learning extends WritingPlace, Fetching {
  readonly profile: Pick<ResolvedProfile, 'name' | 'settings' | 'embedded'>
  readonly output: { note(text: string): void }
}

/**
 * Reads the descriptions and saves them, where none is saved.
 * @param service one that no command uses; by default both that they use
 * @returns whether it did; false also where the service shows none, or cannot be reached
 */
export async function learnDescriptions(ctx: Learning, service?: ServiceName): Promise<boolean> {
  const { profile, signal, output } = ctx
  const { base_url: base, names: given } = profile.settings
  if (profile.embedded || base === undefined) return false
  if ((await readDescriptionFile(ctx, service ?? 'RestrictedService')) !== undefined) return false
  const { sources } = await readShown(ctx, base, service === undefined ? SERVICES : [service]).catch(() => {
    signal.throwIfAborted()
    return { sources: [] }
  })
  // Stored for another service, it would decide what is sent to that.
  const own = service === undefined ? sources : sources.filter(({ description }) => description.service === service)
  if (own.length === 0) return false
  const descriptions = own.map(({ description }) => description)
  const names = given === undefined && service === undefined ? proposeNames(descriptions, []) : await agreedNames(ctx)
  for (const source of own) {
    const existing = await readDescriptionFile(ctx, source.description.service)
    if (existing === undefined) await writeSaved(ctx, source, { names, learned: base })
  }
  const words = names.map(([ours, theirs]) => `${theirs} for ${ours}`).join(', ')
  const keptNote = `and kept it for the profile "${profile.name}"`
  if (service !== undefined) output.note(`Read the description of ${service} ${keptNote}.`)
  else if (words !== '') output.note(`Read the description of the service ${keptNote}, with names of its own: ${words}.`)
  return true
}
