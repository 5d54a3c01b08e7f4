/** Scene that every rule works with: the store, the time of the call, the settings, and the caller. */

import { checkInput, type InputFault, instantOf, type Operation } from '../../../contract/index.js'
import type { Store } from '../../../system/sqlite.js'
import { type MarketplaceSettings, ServiceFault } from '../types.js'

export interface Scene {
  readonly store: Store
  /** ms since 1970; it does not change during a call. */
  readonly now: number
  readonly settings: Readonly<MarketplaceSettings>
}

export interface Call extends Scene {
  readonly operation: Operation
  /** The user for whom the call is made; 0 in the public service. */
  readonly userId: number
}

/** A refusal of the first-step validation, one message per line (docs/service.md, Fault texts). */
export function notValid(messages: readonly string[]): ServiceFault {
  return new ServiceFault('invalid', ['Request data is not valid:', ...messages].join('\n'))
}

/** The bounds of a period that may have no beginning or no end; both belong to it, ms since 1970. */
export function parsePeriod(from: string | null | undefined, to: string | null | undefined): [from: number, to: number] {
  return [from ? instantOf(from) : 0, to ? instantOf(to) : Number.MAX_SAFE_INTEGER]
}

/**
 * The faults that the contract's own input checks find in the parameters, one sentence each.
 * @param only a field; faults of others are left out
 */
export function inputMessages(operation: Operation, params: unknown, only?: string): string[] {
  return checkInput(operation, params)
    .filter(({ field }) => only === undefined || field === only)
    .map(sentence)
}

/** @throws {ServiceFault} with all of these faults, if there are any */
export function checkParams(call: Call, params: unknown, only?: string): void {
  const faults = inputMessages(call.operation, params, only)
  if (faults.length > 0) throw notValid(faults)
}

function sentence({ field, value, message }: InputFault): string {
  const valueText =
    typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeof value === 'string' ? quoted(value) : ''
  return `${field}${valueText === '' ? '' : ` ${valueText}`}: ${message}.`
}

/** Shortens long texts, so that the message stays readable. */
function quoted(text: string): string {
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`
}
