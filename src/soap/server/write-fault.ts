/** Faults as the service writes them (docs/service.md, Fault envelopes). */
import type { SoapVersion } from '../wire/names.js'
import { CLOSE_ENVELOPE, escapeText, openEnvelope } from '../wire/write.js'

/**
 * The codes of SOAP, in the words of 1.1. The last two are for envelopes that are not read at all (SOAP 1.1, 4.4.1; SOAP 1.2,
 * 5.4.6).
 */
export type FaultCode = 'Client' | 'Server' | 'VersionMismatch' | 'MustUnderstand'

/** SOAP 1.2 has other names for two of them. */
const CODES_1_2 = {
  Client: 'Sender',
  Server: 'Receiver',
  VersionMismatch: 'VersionMismatch',
  MustUnderstand: 'MustUnderstand',
} as const

/** A fault in its envelope, to be sent with HTTP 500. The children of a SOAP 1.1 fault are unqualified. */
export function writeFault(version: SoapVersion, fault: { code: FaultCode; text: string }): string {
  const text = escapeText(fault.text)
  const body =
    version === '1.1'
      ? `<faultcode>soap:${fault.code}</faultcode><faultstring>${text}</faultstring><detail />`
      : `<soap:Code><soap:Value>soap:${CODES_1_2[fault.code]}</soap:Value></soap:Code>` +
        `<soap:Reason><soap:Text xml:lang="en">${text}</soap:Text></soap:Reason><soap:Detail />`
  return `${openEnvelope(version)}<soap:Fault>${body}</soap:Fault>${CLOSE_ENVELOPE}`
}
