/**
 * Addresses as people have them: of a service, its base or any page below it; of a quota server, whose password is a secret and
 * the rest is not.
 */
import { type Fault, ValueError } from '../errors/index.js'

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
    throw invalid({ name, value: text, why: 'is not a URL' }, 'Give the address of the service, e.g. https://api.example.com')
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid({ name, why: 'The URL holds a user name or password' }, 'Give only the address.')
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw invalid(
      { name, value: text, why: 'is not https' },
      'Give an https address, because every call carries credentials. http is allowed for this machine (127.0.0.1) only.',
    )
  }
  const page = PAGE_QUERY.test(url.search) || (/\.asmx\/?$/i.test(url.pathname) && /^\?op=/i.test(url.search))
  if ((url.search !== '' && !page) || url.hash !== '')
    throw invalid({ name, value: text, why: 'holds a query or a fragment' }, 'Give only the address.')
  return url
}

/**
 * The base address: without `/v3`, `….asmx`, a query and a final slash, whatever their letter case. One of a service in lower
 * case stays whole: a host of another make may know its services by that path alone.
 */
export function baseAddress({ origin, pathname }: URL): string {
  const [lower] = /^.*\/v3\/[a-z]+service\.asmx(?=\/|$)/.exec(pathname) ?? []
  if (lower !== undefined) return `${origin}${lower}`
  const path = pathname
    .replace(/\/+$/, '')
    .replace(/\/[^/]+\.asmx(?:\/[^/]*)?$/i, '')
    .replace(/\/v3$/i, '')
  return `${origin}${path.replace(/\/+$/, '')}`
}

/** A base address without the path of a service that it may stand for. */
export function hostBase(base: string): string {
  return base.replace(/\/v3\/[a-z]+service\.asmx$/, '')
}

/** True if a host is this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

const QUOTA_EXAMPLE =
  'Give redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], or rediss:// for TLS. A Valkey server has the same addresses.'

/** Instead of an address: the ledger counts. */
export const NO_QUOTA_URL = 'none'

/**
 * Reads the address of a Redis or Valkey server; `none` for none.
 * @param name where it was given. A flag may not hold a password, because a process list shows flags.
 * @returns the address, or `none`
 * @throws {SellerError} invalid_setting, which never quotes the address
 */
export function readQuotaUrl(text: string, name: string): string {
  const value = text.trim()
  if (value === NO_QUOTA_URL) return value
  if (!URL.canParse(value)) throw invalid({ name, why: 'It is not a URL' })
  const url = new URL(value)
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:')
    throw invalid({ name, why: `It begins with ${url.protocol}//, not redis:// or rediss://` })
  if (url.hostname === '') throw invalid({ name, why: 'It names no host' })
  if (url.search !== '' || url.hash !== '') throw invalid({ name, why: 'It holds a query or a fragment' })
  if (!/^\/?\d{0,5}$/.test(url.pathname)) throw invalid({ name, why: 'Its path is not the number of a database' })
  if (decoded(url.username) === undefined || decoded(url.password) === undefined) {
    throw invalid({ name, why: 'Its user or password cannot be decoded' }, 'Write a percent sign in it as %25.')
  }
  if (name.startsWith('--') && url.password !== '') {
    const hint =
      'Set SELLER_QUOTA_URL, give it with --stdin (quota_url=…), or name a command that prints it: --setting quota_url_command=COMMAND.'
    throw invalid({ name, why: 'It holds a password, and a process list shows flags' }, hint)
  }
  return value
}

/** The address without its password: `redis://user:••••@host:6379/0`. */
export function shownQuotaUrl(value: string): string {
  if (value === NO_QUOTA_URL) return value
  const { protocol, username, password, host, pathname } = new URL(value)
  const user = username === '' && password === '' ? '' : `${username}${password === '' ? '' : ':••••'}@`
  return `${protocol}//${user}${host}${pathname === '/' ? '' : pathname}`
}

/** Parts of an address that must never be shown: the whole of it and its password, as written and decoded. */
export function secretsOfQuotaUrl(value: string): string[] {
  const password = URL.canParse(value) ? new URL(value).password : ''
  return password === '' ? [] : [value, password, decoded(password) ?? password]
}

/** undefined where a percent sign begins no character. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function invalid(fault: Fault, hint = QUOTA_EXAMPLE): ValueError {
  return new ValueError('invalid_setting', fault, hint)
}
