/** shop:costs: what the items of a shop cost their seller, stored in the ledger or listed. */

import type { Context } from '../../cli/context.js'
import { instantOf } from '../../contract/index.js'
import { type CostShown, costsStoredView, costsView } from '../../format/views/index.js'
import type { CostRow } from '../../jobs/index.js'
import { costRowsFromArguments, readCostRows } from '../../rows/index.js'
import { isoOf } from '../../system/time.js'
import { ownerOf } from '../own.js'
import { listResult, type Result, recordResult } from '../result.js'
import { inputOf, rowsOf } from '../rows/input.js'

interface CostFlags {
  readonly file?: string
  readonly sheet?: string
  readonly remove?: boolean
  /** ISO 8601. */
  readonly since?: string
}

/**
 * Stores costs in the ledger, or lists what holds where nothing is given. No call is made.
 * @param args `ID=COST` or `REFERENCE=COST`; with `remove` the items alone
 * @throws {SellerError} usage or validation with everything that is wrong, nothing stored; auth for a profile without a user
 */
export async function storeOrListCosts(ctx: Context, args: readonly string[], flags: CostFlags): Promise<Result> {
  const { file, remove: removing = false, since } = flags
  if (args.length === 0 && file === undefined && !removing && since === undefined) return listCosts(ctx)
  const { origin, ...input } = inputOf(args, flags, {
    what: 'costs',
    nothing: {
      code: 'nothing_to_do',
      message: `${removing ? '--remove' : '--since'} names no item.`,
      hint: 'Give ID=COST, or --file FILE. With --remove: ID or OWN-REFERENCE.',
    },
  })
  const owner = ownerOf(ctx)
  const { rows, empty } = await rowsOf(
    ctx,
    { ...input, origin: { ...origin, nothing: 'Nothing was stored.' } },
    (pieces, sheet) => readCostRows(pieces, { removing, sheet }),
    () => costRowsFromArguments(args, removing),
  )
  const from = since === undefined ? ctx.clock.now() : instantOf(since)
  const { added, changed, unchanged, removed } = (await ctx.ledger()).costs.store(owner, rows, from)
  return recordResult(costsStoredView, {
    Rows: rows.length + empty,
    Added: added,
    Changed: changed,
    Unchanged: unchanged,
    Removed: removed,
    Empty: empty,
    Since: isoOf(from),
  })
}

/** What holds now, items with an id first. @throws {SellerError} auth for a profile without a user */
async function listCosts(ctx: Context): Promise<Result> {
  const owner = ownerOf(ctx)
  const held = (await ctx.ledger({ reading: true })).costs.at(owner, ctx.clock.now())
  return listResult({ view: costsView, rows: () => held.map(shownCost) })
}

function shownCost({ ItemId, OwnReference, Since, Cost, Lowest, Recommended }: CostRow): CostShown {
  const kronor = (öre: number | null) => (öre === null ? null : öre / 100)
  return {
    Id: ItemId === 0 ? null : ItemId,
    OwnReference: OwnReference === '' ? null : OwnReference,
    Cost: kronor(Cost),
    LowestPrice: kronor(Lowest),
    RecommendedPrice: kronor(Recommended),
    Since: isoOf(Since),
  }
}
