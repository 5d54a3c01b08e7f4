/**
 * Describes the differences between what this tool knows and a description in a seller's words, with the commands that each
 * concerns.
 */
import type { Context } from '../../cli/context.js'
import { serviceAddress } from '../../cli/descriptions/addresses.js'
import { factsOf, fitOf, isAccepted } from '../../cli/descriptions/breaks.js'
import { readDescriptionFile } from '../../cli/saved-description.js'
import type { NameMap } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import type { DifferenceRecord } from '../../format/views/service.js'
import { compareContract, type Description, type Difference } from '../../soap/description/index.js'
import type { Uses } from './uses.js'

/** In the order in which they are shown. */
const EFFECTS = ['breaks', 'differs', 'new', 'only_here', 'unread']

interface Checking {
  /** Names of the service for names of the document. */
  readonly names: NameMap
  /** Operations that are sent in their other form, according to the saved description or the one that is being saved. */
  readonly otherForms: readonly string[]
  /** True if the seller accepted by name what breaks an operation. */
  readonly accepted: (difference: Difference) => boolean
}

/**
 * Compares descriptions with the contract, and with the address, the namespace and the binding of the profile.
 * @param descriptions as the service published them
 * @returns a record for each difference, those that break a command first
 */
export function checkDescriptions(
  ctx: Pick<Context, 'profile'>,
  uses: Uses,
  descriptions: readonly Description[],
  { names, otherForms, accepted }: Checking,
): DifferenceRecord[] {
  const { base_url: baseUrl, namespace, binding = 'soap12' } = ctx.profile.settings
  const records = descriptions.flatMap((description) => {
    const { service } = description
    const address = serviceAddress(baseUrl, service)
    const differences = compareContract(description, names, { namespace, address, bindings: [binding] })
    return mergeDifferences(
      differences.map((difference) =>
        isSentSo(difference, otherForms) || (difference.effect === 'breaks' && accepted(difference))
          ? { ...difference, effect: 'differs' as const }
          : difference,
      ),
      uses,
    )
  })
  return records.sort((one, other) => EFFECTS.indexOf(one.Effect) - EFFECTS.indexOf(other.Effect))
}

function isSentSo({ kind, operation = '' }: Difference, otherForms: readonly string[]): boolean {
  return kind === 'form' && otherForms.includes(operation)
}

/** Many operations use the same type: one record for what is found in each of them. */
function mergeDifferences(differences: readonly Difference[], uses: Uses): DifferenceRecord[] {
  const records = new Map<string, DifferenceRecord>()
  for (const difference of differences) {
    const { effect, kind, service, operation, direction, subject, expected, found, message } = difference
    const key = JSON.stringify([effect, kind, direction, subject, message])
    const knownRecord = records.get(key)
    const commands = operation === undefined ? (kind === 'unread' ? [] : uses.ofService(service)) : uses.of(service, operation)
    const one: DifferenceRecord = {
      Effect: effect,
      Kind: kind,
      Service: service,
      Operations: union(knownRecord?.Operations, operation === undefined ? [] : [operation]),
      Subject: subject ?? null,
      Expected: expected ?? null,
      Found: found ?? null,
      Commands: union(knownRecord?.Commands, commands),
      Message: message,
    }
    records.set(key, one)
  }
  return [...records.values()]
}

function union(knownNames: readonly string[] = [], more: readonly string[]): string[] {
  return [...new Set([...knownNames, ...more])]
}

/**
 * Operations that count as accepted: those named now, and those accepted with the saved descriptions.
 * @param choice `accept`: the names that are given; `names`: those of the service
 * @throws {SellerError} usage, if a given name is not that of an operation which a description breaks
 */
export async function acceptedIn(
  ctx: Context,
  descriptions: readonly Description[],
  { names, accept = [] }: { readonly names: NameMap; readonly accept: readonly string[] | undefined },
): Promise<(difference: Difference) => boolean> {
  if (accept.length > 0) refuseUnbroken(ctx, descriptions, names, accept)
  const savedSources = await Promise.all(
    descriptions.map(async ({ service }) => [service, await readDescriptionFile(ctx, service).catch(() => undefined)] as const),
  )
  const byService = new Map(savedSources)
  return (difference) => {
    const { service, operation, message } = difference
    if (operation === undefined) return false
    const file = byService.get(service)
    return (
      accept.includes(operation) ||
      (file !== undefined && isAccepted(file, { Operation: operation, Message: message, ...factsOf(difference) }))
    )
  }
}

function refuseUnbroken(
  { profile }: Context,
  descriptions: readonly Description[],
  names: NameMap,
  accept: readonly string[],
): void {
  const { binding = 'soap12' } = profile.settings
  const brokenNames = new Set(
    descriptions.flatMap((each) =>
      fitOf(names, each).breaks.flatMap(({ Operation, Binding = binding }) => (Binding === binding ? [Operation] : [])),
    ),
  )
  const wrong = accept.filter((name) => !brokenNames.has(name))
  if (wrong.length === 0) return
  throw new SellerError(
    'wrong_usage',
    `--accept ${wrong.join(', ')}: the description breaks no operation of this name.`,
    brokenNames.size === 0 ? 'It breaks none: leave out --accept.' : `It breaks: ${[...brokenNames].join(', ')}.`,
  )
}
