/**
 * A profile without a saved description (one of environment variables alone) reads that of its service once, when the contract alone does not
 * tell how to call it, and keeps it: its names, its forms, what it offers.
 */
import { proposeNames } from '../../soap/description/index.js'
import type { ResolvedProfile } from '../profiles.js'
import { namesOf, readDescriptionFile } from '../saved-description.js'
import { type Fetching, readShown } from './read.js'
import { type WritingPlace, writeSaved } from './save.js'

export interface Learning extends WritingPlace, Fetching {
  readonly profile: Pick<ResolvedProfile, 'name' | 'settings' | 'embedded'>
  readonly output: { note(text: string): void }
}

/**
 * Reads the descriptions and saves them, where none is saved.
 * @returns whether it did; false also where the service shows none, or cannot be reached
 */
export async function learnDescriptions(ctx: Learning): Promise<boolean> {
  const { profile, signal, output } = ctx
  const { base_url: base, names: given } = profile.settings
  if (profile.embedded || base === undefined) return false
  if ((await readDescriptionFile(ctx, 'RestrictedService')) !== undefined) return false
  const { sources } = await readShown(ctx, base).catch(() => {
    signal.throwIfAborted()
    return { sources: [] }
  })
  const descriptions = sources.map(({ description }) => description)
  const names = given === undefined ? proposeNames(descriptions, []) : namesOf(profile)
  for (const source of sources) {
    const known = await readDescriptionFile(ctx, source.description.service)
    if (known === undefined) await writeSaved(ctx, source, { names, learned: base })
  }
  if (sources.length === 0) return false
  const own = names.map(([ours, theirs]) => `${theirs} for ${ours}`).join(', ')
  output.note(
    `Read the description of the service and kept it for the profile "${profile.name}"${own === '' ? '' : `, with names of its own: ${own}`}.`,
  )
  return true
}
