/** items:add and shop:add: one item, given by flags, a file or answers, or those of a file of several. */
import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode } from '../../cli/errors.js'
import { type DryRunRecord, dryRunView, requestView } from '../../format/views/index.js'
import type { RequestRow } from '../../jobs/index.js'
import { openListing } from '../guided/guide.js'
import type { GuideFlags } from '../guided/types.js'
import { type InputKind, type ReadRequest, skeletonOf, withIds } from '../input/index.js'
import { type Result, recordResult } from '../result.js'
import { type AdditionFlags, additionsOf, addSeveral } from './additions.js'
import { refuseDouble } from './doubles.js'

/** What items:add and shop:add have of their own. */
interface Adding<T> {
  readonly command: 'items:add' | 'shop:add'
  readonly kind: InputKind<T>
  dryRun(item: ReadRequest<T>): DryRunRecord
  /** @throws {SellerError} guard (6): declined */
  confirm(item: ReadRequest<T>): Promise<void>
  send(item: ReadRequest<T>): Promise<{ row: RequestRow; code: ExitCode }>
}

/** Adds what is given. @returns what became of it @throws {SellerError} what the reading and the sending throw */
export async function addGiven<T>(
  ctx: Context,
  { command, kind, dryRun, confirm, send }: Adding<T>,
  given: AdditionFlags & GuideFlags & { readonly skeleton?: boolean },
): Promise<Result> {
  if (given.skeleton === true) {
    ctx.output.text(skeletonOf(kind, ctx.clock.now()))
    return { shown: [], code: EXIT.ok }
  }
  const items = await additionsOf(ctx, given)
  const flags = await withIds(ctx, given)
  if (items.several) return addSeveral(ctx, { command, kind, items, flags })
  const listing = await openListing(ctx, kind, { command, asking: items.asking, flags })
  if (flags['dry-run'] === true) return recordResult(dryRunView(kind.struct), dryRun(listing.item))
  await refuseDouble(ctx, listing.item.request as object, flags)
  await listing.confirm(confirm)
  const { row, code } = await listing.send(send)
  const { ItemId, State } = row
  return recordResult(requestView, row, code, (output) => {
    if (State !== 'ok' || ItemId === null || !output.human) return
    output.hint(`Look at it: seller items:show ${ItemId}${ctx.profileFlag()}`)
  })
}
