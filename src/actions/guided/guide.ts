/**
 * items:add and shop:add step by step. On a terminal, who leaves out something that an item needs is asked for it, and for everything else
 * that flags have not given. The answers are kept as a draft until the item is on sale.
 */
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { type Asking, type InputKind, type ReadRequest, readRequest } from '../input/index.js'
import { answersIn, faultOf, valuesIn } from './answers.js'
import { Draft } from './draft.js'
import { GuidedListing } from './listing.js'
import { openStored, soundAnswers } from './resume.js'
import { Session } from './session.js'
import type { GuideFlags, Listing } from './types.js'

export interface Guide {
  /** `items:add` or `shop:add`. */
  readonly command: string
  readonly asking: Asking
  readonly flags: GuideFlags
}

/**
 * Reads an item from flags and a file, and asks for the rest where somebody can be asked.
 * @throws {SellerError} no_draft; not_logged_in, before the first question; what readRequest throws. The draft is kept.
 */
export async function openListing<T>(ctx: Context, kind: InputKind<T>, { command, asking, flags }: Guide): Promise<Listing<T>> {
  const draft = new Draft(ctx, command)
  if (flags.draft === false) await draft.remove()
  const given = answersIn(kind, flags)
  const now = ctx.clock.now()
  const incomplete = kind.missing(valuesIn(kind, given, now)).length > 0
  const isFaulty = Object.entries(given).some(([flag, text]) => faultOf(kind, given, flag, text, now) !== undefined)
  const guided = ctx.prompts.available && flags.file === undefined && !isFaulty && (incomplete || flags.draft === true)
  if (!guided && flags.draft !== true) return plainListing(await readRequest(kind, asking, flags))
  const stored = await openStored(ctx, kind, draft)
  if (stored === undefined && flags.draft === true) {
    const hint = `A draft is kept when the questions of ${command} are left before the item is on sale. Run it without --draft.`
    throw new SellerError('no_draft', `There is no draft of ${command} for the profile "${ctx.profile.name}".`, hint)
  }
  const answers = stored === undefined ? given : { ...(await soundAnswers(ctx, kind, stored.Answers)), ...given }
  const session = new Session(ctx, kind, { answers, given, dryRun: flags['dry-run'] === true })
  return new GuidedListing({ session, kind, draft, command, asking, flags }, guided).read(stored)
}

function plainListing<T>(item: ReadRequest<T>): Listing<T> {
  return { item, confirm: (plain) => plain(item), send: (call) => call(item) }
}
