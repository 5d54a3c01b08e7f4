/**
 * FetchToken (docs/service.md, Token login). There is no page on which members allow an application: all of them have done so,
 * with a known key.
 */
import { dateTimeOf, type Output, type Token } from '../../../contract/index.js'
import { type Call, notValid } from '../store/scene.js'

/** About as long as a real token was valid, ms. */
const TOKEN_LIFETIME_MS = 548 * 24 * 60 * 60 * 1000

/** The key with which a member has allowed every application. */
export function secretKeyOf(userId: number): string {
  return `sandbox-secret-key-of-member-${userId}`
}

/** The member's token, valid from now on. @throws {ServiceFault} for an unknown member or key */
export function fetchToken(
  call: Call,
  { userId, secretKey }: { readonly userId: number; readonly secretKey?: string },
): Output<typeof Token> {
  const expires = call.now + TOKEN_LIFETIME_MS
  return call.store.transaction(() => {
    const known = call.store.first<{ token: string; token_expires: number | null }>(
      'SELECT token, token_expires FROM members WHERE user_id = ?',
      userId,
    )
    if (known === undefined || secretKey !== secretKeyOf(userId)) {
      throw notValid([`No token for user ${userId} and this secret key.`])
    }
    if (known.token_expires !== null) {
      call.store.run('UPDATE members SET token_expires = ? WHERE user_id = ?', expires, userId)
    }
    return { AuthToken: known.token, HardExpirationTime: dateTimeOf(expires) }
  })
}
