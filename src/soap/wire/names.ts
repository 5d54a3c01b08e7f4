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
