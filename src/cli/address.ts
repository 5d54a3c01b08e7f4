/** The address of a service as people have it: its base, or any page below it. */
import { SellerError } from './errors.js'

/** The query that shows the description of a service (docs/service.md, Service pages). */
const PAGE_QUERY = /^\?(?:single)?wsdl\b/i

/**
 * Reads an address of the service: https, or http on this machine only, because credentials travel in every call.
 * @param name where it was given, for the message
 * @throws {SellerError} invalid_setting
 */
export function readServiceAddress(text: string, name: string): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw invalid(name, `"${text}" is not a URL.`, 'Give the address of the service, e.g. https://api.example.com')
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(name, 'The URL holds a user name or password.', 'Give only the address.')
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw invalid(
      name,
      `"${text}" is not https.`,
      'Give an https address, because every call carries credentials. http is allowed for this machine (127.0.0.1) only.',
    )
  }
  if ((url.search !== '' && !PAGE_QUERY.test(url.search)) || url.hash !== '')
    throw invalid(name, `"${text}" holds a query or a fragment.`, 'Give only the address.')
  return url
}

/** The base address: without `/v3`, `….asmx`, a query and a final slash, whatever their letter case. */
export function baseAddress({ origin, pathname }: URL): string {
  const path = pathname
    .replace(/\/+$/, '')
    .replace(/\/[^/]+\.asmx(?:\/[^/]*)?$/i, '')
    .replace(/\/v3$/i, '')
  return `${origin}${path.replace(/\/+$/, '')}`
}

/** Whether a host is this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

function invalid(name: string, message: string, hint: string): SellerError {
  return new SellerError('invalid_setting', `${name}: ${message}`, hint)
}
