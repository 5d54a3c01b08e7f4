/** Operations that are sent although a description breaks them, because the seller said so by their names. */
import type { Context } from '../../cli/context.js'
import { breaksIn, isAccepted } from '../../cli/descriptions/save.js'
import { SellerError } from '../../cli/errors.js'
import { readDescriptionFile } from '../../cli/saved-description.js'
import type { NameMap } from '../../contract/index.js'
import type { Description, Difference } from '../../soap/description/index.js'

/**
 * What counts as accepted: the operations that are named now, and what was accepted with the saved descriptions, in the same words.
 * @param choice `accept`: the names that are given; `names`: those of the service
 * @throws {SellerError} usage, if a given name is not that of an operation which a description breaks
 */
export async function acceptedIn(
  ctx: Context,
  descriptions: readonly Description[],
  { names, accept = [] }: { readonly names: NameMap; readonly accept: readonly string[] | undefined },
): Promise<(difference: Difference) => boolean> {
  if (accept.length > 0) refuseUnbroken(ctx, descriptions, names, accept)
  const saved = await Promise.all(
    descriptions.map(async ({ service }) => [service, await readDescriptionFile(ctx, service).catch(() => undefined)] as const),
  )
  const byService = new Map(saved)
  return ({ service, operation, message }) => {
    if (operation === undefined) return false
    const file = byService.get(service)
    return accept.includes(operation) || (file !== undefined && isAccepted(file, operation, message))
  }
}

function refuseUnbroken(
  { profile }: Context,
  descriptions: readonly Description[],
  names: NameMap,
  accept: readonly string[],
): void {
  const { binding = 'soap12' } = profile.settings
  const broken = new Set(
    descriptions.flatMap((each) =>
      breaksIn(names, each).flatMap(({ Operation, Binding = binding }) => (Binding === binding ? [Operation] : [])),
    ),
  )
  const wrong = accept.filter((name) => !broken.has(name))
  if (wrong.length === 0) return
  throw new SellerError(
    'wrong_usage',
    `--accept ${wrong.join(', ')}: the description breaks no operation of this name.`,
    broken.size === 0 ? 'It breaks none: leave out --accept.' : `It breaks: ${[...broken].join(', ')}.`,
  )
}
