/** Namespaces and media types of SOAP. */

export type SoapVersion = '1.1' | '1.2'

export const ENVELOPE_NAMESPACES: Readonly<Record<SoapVersion, string>> = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
}
export const XSI_NAMESPACE = 'http://www.w3.org/2001/XMLSchema-instance'
export const XSD_NAMESPACE = 'http://www.w3.org/2001/XMLSchema'

export const CONTENT_TYPES: Readonly<Record<SoapVersion, string>> = {
  '1.1': 'text/xml; charset=utf-8',
  '1.2': 'application/soap+xml; charset=utf-8',
}

/**
 * Kinds of servers that speak for a service: .NET's own runtime for ASMX services, or one of those that took its place, as
 * SoapCore and CoreWCF (docs/service.md, Hosts of another make).
 */
export const HOST_KINDS = ['asmx', 'core'] as const
export type HostKind = (typeof HOST_KINDS)[number]

/** The prefix by which each names the elements of an envelope. */
export const ENVELOPE_PREFIX: Readonly<Record<HostKind, string>> = { asmx: 'soap', core: 's' }
