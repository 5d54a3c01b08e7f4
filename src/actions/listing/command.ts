/** items:add and shop:add: one item, given by flags, a file or answers, or those of a file of several. */
import type { Context } from '../../cli/context.js'
import { EXIT } from '../../cli/errors.js'
import { dryRunView, requestView } from '../../format/views/index.js'
import { openListing } from '../guided/guide.js'
import type { GuideFlags } from '../guided/types.js'
import { withIds } from '../input/ids.js'
import { skeletonOf } from '../input/skeleton.js'
import { confirmOnTerminal } from '../jobs/confirm.js'
import { type Result, recordResult } from '../result.js'
import type { AddFlags, Adding } from './add.js'
import { type AdditionFlags, additionsOf, addSeveral } from './additions.js'
import { refuseDouble } from './doubles.js'

/** Adds what is given. @returns what became of it @throws {SellerError} what the reading and the sending throw; guard (6): declined */
export async function addGiven<T>(
  ctx: Context,
  { command, kind, dryRun, question, send }: Adding<T>,
  given: AdditionFlags & GuideFlags & AddFlags & { readonly skeleton?: boolean },
): Promise<Result> {
  if (given.skeleton === true) {
    ctx.output.text(skeletonOf(kind, ctx.clock.now()))
    return { shown: [], code: EXIT.ok }
  }
  const items = await additionsOf(ctx, given)
  const flags = await withIds(ctx, given)
  if (items.several) return addSeveral(ctx, { command, kind, items, flags })
  const listing = await openListing(ctx, kind, { command, asking: items.asking, flags })
  if (flags['dry-run'] === true) return recordResult(dryRunView(kind.struct), dryRun(listing.item, flags))
  await refuseDouble(ctx, listing.item.request as object, flags)
  await listing.confirm(async (item) => {
    const message = question(item, flags)
    if (message !== undefined) await confirmOnTerminal(ctx, message, flags)
  })
  const { row, code } = await listing.send((item) => send(ctx, item, flags))
  const { ItemId, State } = row
  return recordResult(requestView, row, code, (output) => {
    if (State !== 'ok' || ItemId === null || !output.human) return
    output.hint(`Look at it: seller items:show ${ItemId}${ctx.profileFlag()}`)
  })
}
