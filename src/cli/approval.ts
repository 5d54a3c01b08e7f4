/**
 * SELLER_APPROVE=plan: whoever runs commands here (an assistant, a script) may read, plan and save plans, and a person sends. The
 * one thing that is sent is a saved plan, after a yes on a terminal; --yes does not count.
 */

import { SellerError, ValueError } from '../errors/index.js'
import { blank, run, say } from '../messages/index.js'
import type { Host } from './host.js'

/** @throws {SellerError} usage for another value than `plan`, so that a slip does not open what was to be closed */
export function asksApproval(env: Host['env']): boolean {
  const address = env.SELLER_APPROVE
  if (address === undefined || address === '') return false
  if (address === 'plan') return true
  throw new ValueError(
    'invalid_setting',
    { name: 'SELLER_APPROVE', value: address, why: 'is not a value of it' },
    'Set it to plan, or not at all.',
  )
}

/** Refuses rows that are neither from a saved plan nor sent by a person. */
export function notApproved(command: string | undefined): SellerError {
  const plans = command === 'shop:price' || command === 'shop:restore'
  const how = plans
    ? say`Save the plan with --save-plan FILE, and ask a person to send it with: ${run('shop:price', { '--plan': blank('FILE') })}`
    : 'Show what would be sent, with --dry-run where the command has it, and ask a person to run it.'
  return new SellerError(
    'approval_needed',
    'SELLER_APPROVE=plan is set: only a saved plan is sent, by a person at a terminal. Nothing was sent.',
    how,
  )
}
