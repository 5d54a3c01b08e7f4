/** The SOAP headers of every operation, in this order, request only (docs/service.md, Headers). */
import { actsForUser, type ServiceName } from './operation.js'
import { int, optional, required, string, struct } from './vocabulary.js'

export const AuthenticationHeader = struct('AuthenticationHeader', { AppId: required(int), AppKey: optional(string) })
export const AuthorizationHeader = struct('AuthorizationHeader', { UserId: required(int), Token: optional(string) })
export const ConfigurationHeader = struct('ConfigurationHeader', { Sandbox: required(int), MaxResultAge: required(int) })

export const headers = { AuthenticationHeader, AuthorizationHeader, ConfigurationHeader } as const

/**
 * The headers that a service understands, in their order. The public service, for one, acts for no seller, but for operations
 * that may (docs/service.md, Headers).
 */
export function headerNames(service: ServiceName, asSeller = false): (keyof typeof headers)[] {
  return asSeller || actsForUser(service)
    ? ['AuthenticationHeader', 'AuthorizationHeader', 'ConfigurationHeader']
    : ['AuthenticationHeader', 'ConfigurationHeader']
}

/**
 * The same values as parameters of the HTTP forms and of a service URL's query string, by name in lower case (docs/service.md,
 * Headers).
 */
export const urlHeaderParameters = {
  appid: ['AuthenticationHeader', 'AppId'],
  appkey: ['AuthenticationHeader', 'AppKey'],
  userid: ['AuthorizationHeader', 'UserId'],
  token: ['AuthorizationHeader', 'Token'],
  sandbox: ['ConfigurationHeader', 'Sandbox'],
  maxresultage: ['ConfigurationHeader', 'MaxResultAge'],
} as const
