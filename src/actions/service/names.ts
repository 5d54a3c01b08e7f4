/**
 * The service's own names: proposed if a description's types agree with the document's. A login saves them, a check after a yes.
 */

import type { Context } from '../../cli/context.js'
import { agreedNames, readDescriptionFile } from '../../cli/saved-description.js'
import type { Settings } from '../../cli/settings.js'
import { changeStored } from '../../cli/settings-file.js'
import { type NameMap, type NamePair, readNameMap, writeNameMap } from '../../contract/index.js'
import { run, say } from '../../messages/index.js'
import { type Description, proposeNames } from '../../soap/description/index.js'

export interface Agreeing {
  /** `--save-names`. */
  readonly save: boolean
  /** `--yes`. */
  readonly yes: boolean | undefined
}

/**
 * Proposes names that make fewer commands break, and saves them for the profile after a yes: a flag, or an answer on a terminal.
 * @returns the names that the profile uses from now on
 */
export async function agreeOnNames(
  ctx: Context,
  descriptions: readonly Description[],
  { save, yes }: Agreeing,
): Promise<NameMap> {
  const names = await agreedNames(ctx)
  if (ctx.profile.embedded) return names
  const pairs = proposeNames(descriptions, names)
  if (pairs.length === 0) {
    if (save) ctx.output.note('The service has no names of its own that this tool could use in place of the known ones.')
    return names
  }
  const map = [...names, ...pairs]
  sayNames(ctx, pairs)
  const hasConsent = save || yes === true
  if (!hasConsent && !ctx.prompts.available) {
    // Where nothing is saved and nothing was decided, they are learned with the description before anything is written.
    if (ctx.profile.settings.names === undefined && (await readDescriptionFile(ctx, 'RestrictedService')) === undefined)
      return map
    ctx.output.hint(say`Use them for the profile "${ctx.profile.name}": ${run('service:check', { '--save-names': true })}`)
    return names
  }
  const message = `Send and read these names for the profile "${ctx.profile.name}"?`
  if (!(await ctx.prompts.agrees({ message, flag: '--save-names', given: hasConsent }))) return names
  await changeStored(ctx, ({ profiles }) => {
    profiles[ctx.profile.name] = { ...profiles[ctx.profile.name], names: writeNameMap(map) }
  })
  sayNamesSaved(ctx, ctx.profile.name, writeNameMap(map))
  return map
}

/**
 * Settles the names at a login. Names that were given, or taken away, at the same service stay as they are.
 * @returns the setting to store; undefined where nothing changes
 */
export function namesAtLogin(
  ctx: Context,
  descriptions: readonly Description[],
  { before, now }: { readonly before: Readonly<Settings>; readonly now: Readonly<Settings> },
): string | undefined {
  const knownNames = before.base_url === now.base_url ? before.names : undefined
  if (descriptions.length === 0 || now.names !== before.names || knownNames === '') return undefined
  const names = knownNames === undefined ? [] : readNameMap(knownNames)
  const pairs = proposeNames(descriptions, names)
  if (pairs.length === 0) return knownNames === before.names ? undefined : ''
  const map = [...names, ...pairs]
  sayNames(ctx, pairs)
  return writeNameMap(map)
}

function sayNames({ output }: Context, pairs: readonly NamePair[]): void {
  output.note(`The service has names of its own: ${pairs.map(([ours, theirs]) => `${theirs} for ${ours}`).join(', ')}.`)
}

export function sayNamesSaved({ output }: Context, profile: string, names: string): void {
  output.note(
    say`Saved for the profile "${profile}": names ${names}. Take them away with ${run('auth:login', { '--setting': 'names=none' })}.`,
  )
}
