/** Says why a service does not know an operation, by its saved description, before the namespace is blamed. */

import { type Operation, operations, renaming } from '../../contract/index.js'
import type { SellerError } from '../../errors/index.js'
import { type Message, run, say } from '../../messages/index.js'
import { namespaceOf, proposeNames } from '../../soap/description/index.js'
import type { Context } from '../context.js'
import { readDescriptionFile, serviceNames } from '../saved-description.js'
import { describedIn } from './breaks.js'

/**
 * The error of an operation that was not recognized, with a hint that fits what the saved description says; unchanged where none
 * is saved.
 */
export async function explained(ctx: Context, error: SellerError): Promise<SellerError> {
  const hint = await hintFor(ctx, String(error.details.operation)).catch(() => undefined)
  return hint === undefined ? error : error.with({ hint })
}

async function hintFor(ctx: Context, name: string): Promise<Message | undefined> {
  const operation: Operation | undefined = Object.hasOwn(operations, name)
    ? operations[name as keyof typeof operations]
    : undefined
  const { service = 'RestrictedService', name: bare = name } = operation ?? {}
  const file = await readDescriptionFile(ctx, service)
  if (file === undefined) return undefined
  const { namespace: sent, binding = 'soap12' } = ctx.profile.settings
  const description = describedIn(service, file)
  const savedWords = `The description that was saved on ${file.SavedAt.slice(0, 10)}`
  const namespace = namespaceOf(description.namespace)
  if (namespace !== sent)
    return say`${savedWords} has the namespace "${namespace}"; calls are sent with "${sent ?? ''}". Set it: ${run('auth:login', { '--namespace': namespace })}`
  const names = serviceNames(ctx.profile, file)
  const theirs = renaming(names)(bare)
  const there = description.operations.get(theirs)
  if (there === undefined) {
    const other = renaming([...names, ...proposeNames([description], names)])(bare)
    return description.operations.has(other)
      ? say`${savedWords} calls it ${other}. Use the names of the service: ${run('service:check', { '--save-names': true })}`
      : say`${savedWords} does not have it, so the service does not offer it. See what it offers: ${run('service:operations')}`
  }
  if (!there.bindings.includes(binding))
    return say`${savedWords} offers it by ${there.bindings.join(', ')}, and calls are sent by ${binding}. Choose another: ${run('auth:login', { '--setting': 'binding=soap12' })}`
  return say`${savedWords} has it in this namespace: the service may have changed since, or the address is that of another. Compare: ${run('service:check')}`
}
