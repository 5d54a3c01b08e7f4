/** Refuses a binding that cannot carry what a job would send, before the job is created. */

import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { type Operation, operations, parametersBeyondText } from '../../contract/index.js'
import { BULK_KINDS, type BulkKind } from '../../contract/jobs.js'

/** @throws {SellerError} usage if the profile's binding is `get` or `post` and the rows are more than text */
export function refuseBinding({ profile }: Pick<Context, 'profile'>, kind: BulkKind): void {
  const { binding } = profile.settings
  if (binding !== 'get' && binding !== 'post') return
  const operation: Operation = operations[BULK_KINDS[kind].operation]
  if (parametersBeyondText(operation).length === 0) return
  throw new SellerError(
    'binding_too_narrow',
    `${operation.name} sends more than text, and the binding ${binding} of profile "${profile.name}" carries nothing else.`,
    'Nothing was sent. Use a profile with the binding soap12 or soap11: they carry every operation.',
  )
}
