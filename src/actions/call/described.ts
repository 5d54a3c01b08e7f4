/** `call` for an operation that only the saved description of the service has. */
import type { Context } from '../../cli/context.js'
import { SERVICES } from '../../cli/descriptions/addresses.js'
import { notByBinding } from '../../cli/translate.js'
import { ALL_SERVICES, type Operation, type ServiceName } from '../../contract/index.js'
import type { DescribedOperation as Described } from '../../soap/description/index.js'
import { readSaved } from '../service/saved.js'

export interface DescribedOperation {
  /** Undefined if no saved description has it. */
  readonly operation?: Operation
  /** The names in the saved descriptions. */
  readonly names: readonly string[]
  /** True if every service that was asked for has a saved description. */
  readonly saved: boolean
}

/**
 * Looks for an operation in the saved descriptions; only in that of the named service if one is named, which is read if none is
 * saved.
 */
export async function describedOperation(
  ctx: Context,
  name: string,
  service: ServiceName | undefined,
): Promise<DescribedOperation> {
  const names: string[] = []
  let isSaved = true
  if (service !== undefined) await ctx.learnDescriptions(SERVICES.includes(service) ? undefined : service)
  for (const each of service === undefined ? ALL_SERVICES : [service]) {
    const savedSource = await readSaved(ctx, each)
    if (savedSource === undefined && (service !== undefined || SERVICES.includes(each))) isSaved = false
    const operation = savedSource?.description.operations.get(name)
    if (operation !== undefined) {
      requireBinding(ctx, operation)
      return { operation: operation.operation, names, saved: isSaved }
    }
    names.push(...(savedSource?.description.operations.keys() ?? []))
  }
  return { names, saved: isSaved }
}

/** @throws {SellerError} binding_too_narrow where calls are sent by HTTP GET or POST, and the service does not offer that */
function requireBinding(ctx: Context, { operation: { name }, bindings }: Described): void {
  const { binding = 'soap12' } = ctx.profile.settings
  if (bindings.includes(binding) || !(binding === 'get' || binding === 'post')) return
  throw notByBinding(`The service does not offer ${name} by HTTP ${binding.toUpperCase()}.`)
}
