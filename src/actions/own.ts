/** Whose something is: the shop of the profile, or another. */
import type { Context } from '../cli/context.js'
import { notLoggedIn } from '../cli/profiles.js'

/** Whose jobs, costs and discounts are the profile's. */
export function shopOf({ profile }: Pick<Context, 'profile'>): { profile: string; userId: number | null } {
  return { profile: profile.name, userId: profile.settings.user_id ?? null }
}

/** The same of a profile that must say whose shop it is. @throws {SellerError} auth for a profile without a user */
export function ownerOf({ profile }: Pick<Context, 'profile'>): { profile: string; userId: number } {
  const { user_id: userId } = profile.settings
  if (userId === undefined) throw notLoggedIn(profile, ['user_id'])
  return { profile: profile.name, userId }
}

interface Owned {
  readonly Profile: string
  readonly UserId: number | null
}

/** True if it is of the profile's seller, as far as both say whose they are. */
export function isOwn(ctx: Pick<Context, 'profile'>, { Profile, UserId }: Owned): boolean {
  const { profile, userId } = shopOf(ctx)
  return Profile === profile && (UserId === null || userId === null || UserId === userId)
}

/** Names the mismatch, in the middle of a sentence: `the profile "a", seller 1, but the current profile is "b"`. */
export function otherShopWords(ctx: Pick<Context, 'profile'>, { Profile, UserId }: Owned): string {
  const { profile, userId } = shopOf(ctx)
  const seller = (id: number | null) => (id === null ? '' : `, seller ${id}`)
  return `the profile "${Profile}"${seller(UserId)}, but the current profile is "${profile}"${seller(userId)}`
}
