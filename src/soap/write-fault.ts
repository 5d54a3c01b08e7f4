/** Faults as the service writes them (contract.md 3.3). */
import type { SoapVersion } from './names.js'
import { CLOSE_ENVELOPE, escapeText, openEnvelope } from './write.js'

/** SOAP 1.2's names for the two codes. */
const CODES_1_2 = { Client: 'Sender', Server: 'Receiver' } as const

/** A fault in its envelope, to be sent with HTTP 500. The children of a SOAP 1.1 fault are unqualified. */
export function writeFault(version: SoapVersion, fault: { code: 'Client' | 'Server'; text: string }): string {
  const text = escapeText(fault.text)
  const body =
    version === '1.1'
      ? `<faultcode>soap:${fault.code}</faultcode><faultstring>${text}</faultstring><detail />`
      : `<soap:Code><soap:Value>soap:${CODES_1_2[fault.code]}</soap:Value></soap:Code>` +
        `<soap:Reason><soap:Text xml:lang="en">${text}</soap:Text></soap:Reason><soap:Detail />`
  return `${openEnvelope(version)}<soap:Fault>${body}</soap:Fault>${CLOSE_ENVELOPE}`
}
