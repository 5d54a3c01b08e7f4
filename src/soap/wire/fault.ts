/** SOAP faults of both versions, read from loose elements (docs/service.md, Fault envelopes). */

export interface Fault {
  /** `Client` or `Server`, in the words of SOAP 1.1 for both versions; another word if the service used one. */
  readonly code: string
  readonly text: string
  /**
   * True without an element for details, which .NET's own runtime always writes. A host of another make, which leaves it out,
   * names the caller as the cause of every fault (docs/service.md, Hosts of another make).
   */
  readonly bare: boolean
}

/** SOAP 1.2 calls the same two by other names. */
const CODES: Readonly<Record<string, string>> = { Sender: 'Client', Receiver: 'Server' }

/** Reads the loose value of a Fault element. */
export function readFault(value: unknown): Fault {
  const fault = bagOf(value)
  const code = firstText(fault.faultcode) || firstText(bagOf(fault.Code).Value)
  const reason = firstText(fault.faultstring) || firstText(bagOf(fault.Reason).Text)
  const text = reason.trim() === '' ? 'The service gave no reason.' : reason.trim()
  return { code: plainCode(code), text, bare: !Object.hasOwn(fault, 'detail') && !Object.hasOwn(fault, 'Detail') }
}

/** `soap:Client.Authentication` -> `Client`. */
function plainCode(text: string): string {
  const local = text.trim().split(':').at(-1) ?? ''
  const word = local.split('.')[0] ?? ''
  return word === '' ? 'Server' : (CODES[word] ?? word)
}

function bagOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** A text, the first of several (one per language), or the text beside attributes. */
function firstText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return firstText(value[0])
  const text = bagOf(value)['#text']
  return typeof text === 'string' ? text : ''
}
