/** Finds the caller in the SOAP headers, or in the query string of any binding (docs/service.md, Headers). */
import { LexicalError, readSimple, type ServiceName, urlHeaderParameters } from '../../contract/index.js'
import type { RequestHeaders } from '../../soap/server/index.js'
import type { Caller } from '../marketplace/types.js'

type HeaderName = keyof RequestHeaders
type UrlName = keyof typeof urlHeaderParameters

const INT_FIELDS: ReadonlySet<string> = new Set(['AppId', 'UserId', 'Sandbox', 'MaxResultAge'])
/** For each header, the element without which it counts as missing. */
const ESSENTIAL: Readonly<Record<HeaderName, string>> = {
  AuthenticationHeader: 'AppId',
  AuthorizationHeader: 'UserId',
  ConfigurationHeader: 'Sandbox',
}

/**
 * The headers in name/value pairs of a URL or a form. The case of names does not matter, the first of a name counts, and an
 * invalid number counts as missing. The public service acts for no seller, and its GetSellerItems has a parameter `userId`:
 * there, `userId` and `token` are not headers.
 */
export function headersFrom(pairs: Iterable<[string, string]>, service: ServiceName): RequestHeaders {
  const headers: Partial<Record<HeaderName, Record<string, string | number>>> = {}
  for (const [name, text] of pairs) {
    const key = name.toLowerCase()
    if (!Object.hasOwn(urlHeaderParameters, key)) continue
    const [header, field] = urlHeaderParameters[key as UrlName]
    if (header === 'AuthorizationHeader' && service === 'PublicService') continue
    headers[header] ??= {}
    const fields = headers[header]
    const value = INT_FIELDS.has(field) ? parseInteger(text) : text
    if (value !== undefined && !Object.hasOwn(fields, field)) fields[field] = value
  }
  const whole = Object.entries(headers).filter(([header, fields]) => Object.hasOwn(fields, ESSENTIAL[header as HeaderName]))
  return Object.fromEntries(whole) as RequestHeaders
}

/** The part of a call's headers that the marketplace needs. */
export function callerOf({ AuthenticationHeader: app, AuthorizationHeader: user }: RequestHeaders): Caller {
  return { appId: app?.AppId, appKey: app?.AppKey, userId: user?.UserId, token: user?.Token }
}

function parseInteger(text: string): number | undefined {
  try {
    return readSimple({ kind: 'int' }, text) as number
  } catch (error) {
    if (error instanceof LexicalError) return undefined
    throw error
  }
}
