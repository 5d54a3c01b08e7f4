/** shop:costs: what the items of a shop cost their seller, stored in the ledger or listed. */

import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { instantOf } from '../../contract/index.js'
import type { CostShown, CostsStoredShown } from '../../format/views/index.js'
import type { CostRow } from '../../jobs/index.js'
import { type CostInputs, costRowsFromArguments, readCostRows } from '../../rows/index.js'
import { isoOf } from '../../system/time.js'
import { openInputFile } from '../input/file.js'
import { ownerOf } from '../own.js'
import { refusing } from '../rows/input.js'

export interface CostFlags {
  readonly file?: string
  readonly sheet?: string
  readonly remove?: boolean
  /** ISO 8601. */
  readonly since?: string
}

/**
 * Whether something is to be stored, and not listed.
 * @throws {SellerError} usage for a flag that has nothing to be about, and for two inputs
 */
export function storesCosts(args: readonly string[], { file, remove, since }: CostFlags): boolean {
  if (args.length > 0 && file !== undefined) {
    throw new SellerError('several_inputs', 'Costs come from arguments and from --file at once.', 'Give one of them.')
  }
  if (args.length > 0 || file !== undefined) return true
  const flag = remove === true ? '--remove' : since === undefined ? undefined : '--since'
  if (flag === undefined) return false
  throw new SellerError(
    'nothing_to_do',
    `${flag} names no item.`,
    'Give ID=COST, or --file FILE. With --remove: ID or OWN-REFERENCE.',
  )
}

/**
 * Stores costs in the ledger. No call is made.
 * @param args `ID=COST` or `REFERENCE=COST`; with `remove` the items alone
 * @throws {SellerError} usage or validation with everything that is wrong, nothing stored; auth for a profile without a user
 */
export async function storeCosts(ctx: Context, args: readonly string[], flags: CostFlags): Promise<CostsStoredShown> {
  const owner = ownerOf(ctx)
  const input = await readCosts(ctx, args, flags)
  for (const note of input.notes) ctx.output.note(note)
  const since = flags.since === undefined ? ctx.clock.now() : instantOf(flags.since)
  const { added, changed, unchanged, removed } = (await ctx.ledger()).costs.store(owner, input.rows, since)
  return {
    Rows: input.rows.length + input.empty,
    Added: added,
    Changed: changed,
    Unchanged: unchanged,
    Removed: removed,
    Empty: input.empty,
    Since: isoOf(since),
  }
}

async function readCosts(ctx: Context, args: readonly string[], { file, sheet, remove }: CostFlags): Promise<CostInputs> {
  const removing = remove === true
  const nothing = 'Nothing was stored.'
  if (file === undefined) return refusing({ kind: 'arguments', nothing }, () => costRowsFromArguments(args, removing))
  return refusing({ kind: 'file', path: file, nothing }, async () =>
    readCostRows(await openInputFile(ctx, file), { removing, sheet }),
  )
}

/** What holds now, items with an id first. @throws {SellerError} auth for a profile without a user */
export async function listCosts(ctx: Context): Promise<CostShown[]> {
  const owner = ownerOf(ctx)
  return (await ctx.ledger({ reading: true })).costs.at(owner, ctx.clock.now()).map(shownCost)
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
