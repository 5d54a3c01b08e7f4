/** A call before it is sent: what it is, what it may contain, and how it may be repeated. */
import {
  actsForUser,
  checkInput,
  type Field,
  type InputFault,
  type Kind,
  type Operation,
  operations,
  type Speaker,
  wireNameOf,
} from '../../contract/index.js'
import { type RequestContent, Unwritable } from '../wire/encode.js'
import { faultsBeyondText } from '../wire/url-form.js'
import { SoapError } from './errors.js'
import type { Binding, OperationRef, UntypedOperation } from './options.js'

/** A call that was checked, with how it may be repeated. */
export interface Call {
  readonly label: string
  readonly kind: Kind
  readonly user: boolean
  /** Made for the seller where one is logged in. */
  readonly asSeller?: boolean | undefined
  /** Content to send, as the service takes it. */
  readonly content: RequestContent
  readonly result?: Field | undefined
  /** Expectation for the reply, in the contract's terms; undefined for an operation it does not know. */
  readonly asked?: { readonly operation: Operation; readonly params: Readonly<Record<string, unknown>> }
}

/**
 * Checks a call before it is sent or shown.
 * @throws {SoapError} kind `input`, with every fault
 */
export function prepare(ref: OperationRef, params: unknown, binding: Binding, speaker: Speaker): Call {
  const call = buildCall(ref, params, speaker)
  if (binding === 'get' || binding === 'post') {
    const faults = faultsBeyondText(call.content, binding)
    if (faults.length > 0) throw inputError(call.label, faults)
  }
  return call
}

/**
 * Checks that a call may be sent: an address ends up in the logs of servers and proxies, and whoever reads a write there can make
 * the next one (docs/service.md, Headers).
 * @throws {SoapError} kind `insecure-address` for a write by the binding `get`
 */
export function refuseInsecureAddress({ kind, label }: Call, binding: Binding): void {
  if (binding !== 'get' || kind === 'read') return
  const message = `${label} changes something, and the binding get would put the key and the token into its address. Nothing was sent.`
  throw new SoapError('insecure-address', message, { operation: label, sent: false })
}

function buildCall(ref: OperationRef, params: unknown, speaker: Speaker): Call {
  if (typeof ref === 'string') return typedCall(operations[ref], params, ref, speaker)
  return 'params' in ref ? typedCall(ref, params, ref.name, speaker) : untypedCall(ref, params)
}

/** @param name the name of the operation in errors */
function typedCall(operation: Operation, input: unknown, name: string, speaker: Speaker): Call {
  const params = (input ?? {}) as Record<string, unknown>
  const faults = checkInput(operation, params)
  if (faults.length > 0) throw inputError(name, faults)
  const operationNames = speaker.operationNames(operation)
  const content = {
    service: operation.service,
    name: wireNameOf(operationNames.operation),
    operation: operationNames.operation,
    params: operationNames.params(params),
  }
  const { kind, user, asSeller } = operation
  return { label: name, kind, user, asSeller, content, result: operationNames.operation.result, asked: { operation, params } }
}

/** Without a kind it is treated as the kind that does the most harm when it is repeated. */
function untypedCall({ service, operation: name, kind = 'single write' }: UntypedOperation, params: unknown): Call {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw inputError(name, [{ field: 'params', value: params, message: 'must be an object with named values' }])
  }
  if (!/^[\p{L}_][\p{L}\p{N}._-]*$/u.test(name)) {
    throw inputError(name, [{ field: 'operation', value: name, message: 'cannot be the name of an operation' }])
  }
  const content = { service, name, params: params as Record<string, unknown> }
  return { label: name, kind, user: actsForUser(service), content }
}

export function inputError(operation: string, faults: readonly InputFault[]): SoapError {
  const [first] = faults
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  const what = first === undefined ? 'the input is refused' : `${first.field} ${first.message}`
  return new SoapError('input', `${operation}: ${what}${more}. Nothing was sent.`, { operation, sent: false, faults })
}

/** A value without a type that XML cannot carry is found only when the request is built. */
export async function guarded<T>(call: Call, build: () => Promise<T>): Promise<T> {
  try {
    return await build()
  } catch (error) {
    if (!(error instanceof Unwritable)) throw error
    throw inputError(call.label, [{ field: 'params', value: undefined, message: error.message }])
  }
}
