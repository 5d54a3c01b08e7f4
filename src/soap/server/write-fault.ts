/** Faults as the service writes them (docs/service.md, Fault envelopes). */
import type { HostKind, SoapVersion } from '../wire/names.js'
import { escapeText, inEnvelope } from '../wire/write.js'

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

/**
 * A fault in its envelope, to be sent with HTTP 500. The children of a SOAP 1.1 fault are unqualified. A host of another make
 * blames the caller for every fault, and gives no detail.
 */
export function writeFault(
  version: SoapVersion,
  { code, text: reason }: { code: FaultCode; text: string },
  host: HostKind = 'asmx',
): string {
  const text = escapeText(reason)
  if (host === 'core') {
    const body =
      version === '1.1'
        ? `<faultcode>s:Client</faultcode><faultstring>${text}</faultstring>`
        : `<s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text xml:lang="en">${text}</s:Text></s:Reason>`
    return inEnvelope(version, host, `<s:Fault>${body}</s:Fault>`)
  }
  const body =
    version === '1.1'
      ? `<faultcode>soap:${code}</faultcode><faultstring>${text}</faultstring><detail />`
      : `<soap:Code><soap:Value>soap:${CODES_1_2[code]}</soap:Value></soap:Code>` +
        `<soap:Reason><soap:Text xml:lang="en">${text}</soap:Text></soap:Reason><soap:Detail />`
  return inEnvelope(version, host, `<soap:Fault>${body}</soap:Fault>`)
}
