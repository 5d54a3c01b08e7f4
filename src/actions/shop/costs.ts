/** shop:costs: what the items of a shop cost their seller, stored in the ledger or listed. */

import type { Context } from '../../cli/context.js'
import { instantOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT } from '../../errors/index.js'
import { type CostShown, type CostsStoredShown, costsStoredView, costsView } from '../../format/views/price-history.js'
import { type Hold, wordsOf } from '../../holds/index.js'
import { lastPrices } from '../../jobs/history/index.js'
import { type CostRow, type Ledger, rememberedReferences, seenReferences } from '../../jobs/index.js'
import { blank, run, say } from '../../messages/index.js'
import { heldAsMistyped, heldAsSeveral, NearReferences } from '../../pricing/index.js'
import { type CostInput, costRowsFromArguments, readCostRows } from '../../rows/index.js'
import { isoOf } from '../../system/time.js'
import { ownerOf } from '../own.js'
import { listResult, type Result, recordResult } from '../result.js'
import { type FileFlags, inputOf, rowsOf } from '../rows/input.js'
import { reasonsText } from '../rows/show.js'

interface CostFlags extends FileFlags {
  readonly file?: string | undefined
  readonly remove?: boolean | undefined
  /** ISO 8601. */
  readonly since?: string | undefined
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
    (pieces, options) => readCostRows(pieces, { removing, ...options }),
    () => costRowsFromArguments(args, removing, ctx.currency),
  )
  const from = since === undefined ? ctx.clock.now() : instantOf(since)
  const ledger = await ctx.ledger()
  const named = ofThisShop(ledger, owner, { rows, now: ctx.clock.now() })
  const held =
    origin.kind === 'file' ? heldRows(ledger, owner, { rows: named, now: ctx.clock.now() }) : new Map<CostInput, Hold>()
  const { added, changed, unchanged, removed } = ledger.costs.store(
    owner,
    named.filter((row) => !held.has(row)),
    from,
  )
  if (held.size > 0) warnHeld(ctx, held)
  const stored: CostsStoredShown = {
    Rows: rows.length + empty,
    Added: added,
    Changed: changed,
    Unchanged: unchanged,
    Removed: removed,
    Empty: empty,
    Held: held.size,
    Since: isoOf(from),
  }
  return recordResult(costsStoredView, stored, held.size > 0 ? EXIT.held : EXIT.ok)
}

/**
 * Rows of a file whose own reference is nearly that of an item of the shop, as far as the ledger has read its live list: a cost under a reference that
 * no item has guards nothing.
 */
function heldRows(
  ledger: Ledger,
  owner: ReturnType<typeof ownerOf>,
  { rows, now }: { readonly rows: readonly CostInput[]; readonly now: number },
): ReadonlyMap<CostInput, Hold> {
  const wanted = rows.flatMap(({ itemId, ownReference }) => (itemId === 0 && ownReference !== '' ? [ownReference] : []))
  const known = new Set(seenReferences(ledger, owner, wanted).keys())
  // The seller has named it by itself.
  for (const { OwnReference } of ledger.costs.at(owner, now)) known.add(OwnReference)
  const open = wanted.filter((reference) => !known.has(reference))
  if (open.length === 0) return new Map()
  const near = new NearReferences(open)
  for (const item of rememberedReferences(ledger, owner)) near.see(item)
  return new Map(
    rows.flatMap((row) => {
      const item = row.itemId === 0 ? near.found.get(row.ownReference) : undefined
      const hold = (item && heldAsMistyped(row.ownReference, item)) ?? heldAsSeveral(row.ownReference)
      return hold === undefined || known.has(row.ownReference) ? [] : [[row, hold]]
    }),
  )
}

function warnHeld({ output, text }: Context, held: ReadonlyMap<CostInput, Hold>): void {
  const rows = [...held].map(([{ line, ownReference }, hold]) => ({
    Line: line,
    Id: null,
    OwnReference: ownReference,
    Reason: text(wordsOf(hold)),
  }))
  output.warn(reasonsText(rows, undefined, (count) => `${countOf(count, 'row')} held, not stored:`, HELD_NAMED))
  output.hint(
    say`Correct the own references. If one is right, store its cost by itself with: ${run('shop:costs', { cost: blank('REFERENCE=COST') })}`,
  )
}

/** Held rows that a warning names. */
const HELD_NAMED = 5

/**
 * Names each item once. An id next to an own reference is that of another system unless this ledger knows an item of the shop by it: costs of items that
 * do not exist would be no costs.
 */
function ofThisShop(
  ledger: Ledger,
  owner: ReturnType<typeof ownerOf>,
  { rows, now }: { readonly rows: readonly CostInput[]; readonly now: number },
): readonly CostInput[] {
  if (!rows.some(({ itemId, ownReference }) => itemId > 0 && ownReference !== '')) return rows
  const seen = lastPrices(ledger, owner)
  const stored = new Set(ledger.costs.at(owner, now).map(({ ItemId }) => ItemId))
  return rows.map((row) => {
    if (row.ownReference === '' || row.itemId === 0) return row
    return seen.of(row.itemId) !== undefined || stored.has(row.itemId) ? { ...row, ownReference: '' } : { ...row, itemId: 0 }
  })
}

/** Current costs, items with an id first. @throws {SellerError} auth for a profile without a user */
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
