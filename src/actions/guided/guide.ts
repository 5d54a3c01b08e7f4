/**
 * items:add and shop:add step by step. On a terminal, who leaves out something that an item needs is asked for it, and for
 * everything else that flags have not given. The answers are kept as a draft until the item is on sale.
 */
import type { Context } from '../../cli/context.js'
import { adviceFor } from '../input/advice.js'
import type { InputKind } from '../input/kinds.js'
import { photosOf } from '../input/photos.js'
import { readImages, readRequest } from '../input/read.js'
import { answersIn, findAnswerFault, valuesIn } from './answers.js'
import type { Guide, GuideFlags, Listing } from './types.js'

/**
 * Reads an item from flags and a file, and asks for the rest where somebody can be asked.
 * @throws {SellerError} no_draft; not_logged_in, before the first question; what readRequest throws. The draft is kept.
 */
export async function openListing<T>(ctx: Context, kind: InputKind<T>, guide: Guide): Promise<Listing<T>> {
  const { asking, flags } = guide
  // A flag that will not do is told before the questions, not after them.
  const asks =
    isGuided(ctx, kind, flags) && (await readImages(asking, flags, {}, kind.maxImages, photosOf(ctx, flags))).faults.length === 0
  if (asks || flags.draft !== undefined) {
    // Loaded here: 10 ms that only a person or a draft costs.
    const { openGuided } = await import('./listing.js')
    const listing = await openGuided(ctx, kind, { ...guide, asks })
    if (listing !== undefined) return listing
  }
  const item = await readRequest(kind, asking, flags)
  for (const advice of await adviceFor(ctx, [item.request as object])) ctx.output.warn(advice)
  return { item, confirm: (plain) => plain(item), send: (call) => call(item) }
}

/** True if somebody is asked: something is missing, and what is given is sound. Otherwise readRequest tells of it. */
function isGuided<T>(ctx: Context, kind: InputKind<T>, flags: GuideFlags): boolean {
  if (!ctx.prompts.available || flags.file !== undefined) return false
  const answers = answersIn(kind, flags)
  if (Object.entries(answers).some(([flag, text]) => findAnswerFault(kind, answers, flag, text, ctx) !== undefined)) return false
  return flags.draft === true || kind.missing(valuesIn(kind, answers, ctx)).length > 0
}
