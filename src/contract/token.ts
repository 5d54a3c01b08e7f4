/** What a login by browser asks of the public service, beyond the document (docs/service.md, Token login). */

import { User } from './items.js'
import { ID_RULE } from './limit-rules.js'
import type { Operation } from './operation.js'
import { dateTime, int, optional, reliedOn, required, string, struct } from './vocabulary.js'

const params = { userId: required(int, ID_RULE), secretKey: optional(string) }

/** AuthToken expires at HardExpirationTime in any case. */
export const Token = struct('Token', { AuthToken: reliedOn(optional(string)), HardExpirationTime: reliedOn(required(dateTime)) })

const result = optional(Token)

export const FetchToken: Operation<typeof params, typeof result> = {
  name: 'FetchToken',
  service: 'PublicService',
  user: false,
  kind: 'read',
  queued: false,
  extended: true,
  summary: 'Fetches the token of a seller who has allowed the application.',
  params,
  result,
}

const byAlias = { alias: optional(string) }
const member = optional(User)

export const GetUserByAlias: Operation<typeof byAlias, typeof member> = {
  name: 'GetUserByAlias',
  service: 'PublicService',
  user: false,
  kind: 'read',
  queued: false,
  extended: true,
  summary: 'Finds a member by the alias.',
  params: byAlias,
  result: member,
}
