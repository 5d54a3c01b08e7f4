/**
 * Tokens: members allow the application on the page of the login, and FetchToken hands them out (docs/service.md, Token login).
 */
import { dateTimeOf, type Output, type Token, type User } from '../../../contract/index.js'
import { type Call, notValid, type Scene } from '../store/scene.js'
import { SandboxError } from '../types.js'
import { type MemberRow, stranger } from './members.js'

/** About as long as a real token was valid, ms. */
const TOKEN_LIFETIME_MS = 548 * 24 * 60 * 60 * 1000

/** The key with which a member has allowed every application, so that a test needs no page. */
function secretKeyOf(userId: number): string {
  return `sandbox-secret-key-of-member-${userId}`
}

export interface Grant {
  readonly appId: number
  readonly userId: number
  readonly secret: string
}

/** A member allows an application with the secret of one login. @throws {SandboxError} for a member that does not exist */
export function grant(scene: Scene, { appId, userId, secret }: Grant): { token: string; expires: string } {
  const token = renewed(scene, userId)
  if (token === undefined) throw new SandboxError(`Member ${userId} does not exist.`)
  scene.store.run('INSERT OR IGNORE INTO grants (app_id, user_id, secret) VALUES (?, ?, ?)', appId, userId, secret)
  return { token, expires: dateTimeOf(scene.now + TOKEN_LIFETIME_MS) }
}

/** The member's token, valid from now on. @throws {ServiceFault} for an unknown member or key */
export function fetchToken(
  call: Call,
  { userId, secretKey = '' }: { readonly userId: number; readonly secretKey?: string },
): Output<typeof Token> {
  return call.store.transaction(() => {
    const isAllowed = call.store.first('SELECT 1 FROM grants WHERE user_id = ? AND secret = ?', userId, secretKey) !== undefined
    const token = isAllowed || secretKey === secretKeyOf(userId) ? renewed(call, userId) : undefined
    if (token === undefined) throw notValid([`No token for user ${userId} and this secret key.`])
    return { AuthToken: token, HardExpirationTime: dateTimeOf(call.now + TOKEN_LIFETIME_MS) }
  })
}

function renewed({ store, now }: Scene, userId: number): string | undefined {
  store.run(
    'UPDATE members SET token_expires = ? WHERE user_id = ? AND token_expires IS NOT NULL',
    now + TOKEN_LIFETIME_MS,
    userId,
  )
  return store.first<{ token: string }>('SELECT token FROM members WHERE user_id = ?', userId)?.token
}

/** GetUserByAlias: what strangers may see, in upper or lower case; null if there is no such member. */
export function getUserByAlias({ store }: Call, { alias = '' }: { readonly alias?: string }): Output<typeof User> | null {
  const wantedAlias = alias.trim().toLowerCase()
  const memberRow = store.all<MemberRow>('SELECT * FROM members').find((row) => row.alias.toLowerCase() === wantedAlias)
  return memberRow === undefined ? null : stranger(memberRow)
}
