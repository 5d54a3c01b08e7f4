/** Opens a guided listing, or the draft of one. */
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import type { InputKind } from '../input/kinds.js'
import { answersIn } from './answers.js'
import { Draft } from './draft.js'
import { GuidedListing } from './listing.js'
import { openStored, soundAnswers } from './resume.js'
import { Session } from './session.js'
import type { Guide, Listing } from './types.js'

/**
 * @param guide `asks`: whether somebody is asked; otherwise the draft must give what flags do not
 * @returns undefined if a draft was only deleted
 * @throws {SellerError} no_draft; not_logged_in, before the first question; what readRequest throws. The draft is kept.
 */
export async function openGuided<T>(
  ctx: Context,
  kind: InputKind<T>,
  { command, asking, flags, asks }: Guide & { readonly asks: boolean },
): Promise<Listing<T> | undefined> {
  const draft = new Draft(ctx, command)
  if (flags.draft === false) await draft.remove()
  if (!asks && flags.draft !== true) return undefined
  const stored = await openStored(ctx, kind, draft)
  if (stored === undefined && flags.draft === true) {
    const hint = `A draft is kept when the questions of ${command} are left before the item is on sale. Run it without --draft.`
    throw new SellerError('no_draft', `There is no draft of ${command} for the profile "${ctx.profile.name}".`, hint)
  }
  const given = answersIn(kind, flags)
  const answers = stored === undefined ? given : { ...(await soundAnswers(ctx, kind, stored.Answers)), ...given }
  const session = new Session(ctx, kind, {
    answers,
    given,
    dryRun: flags['dry-run'] === true,
    defaults: asking.defaults,
  })
  return new GuidedListing({ session, kind, draft, command, asking, flags }, asks).read(stored)
}
