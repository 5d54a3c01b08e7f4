/** shop:costs: what the items of a shop cost their seller, stored in the ledger or listed. */

import type { Context } from '../../cli/context.js'
import { instantOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT } from '../../errors/index.js'
import { type CostShown, type CostsStoredShown, costsStoredView, costsView } from '../../format/views/price-history.js'
import { type Hold, wordsOf } from '../../holds/index.js'
import { lastPrices } from '../../jobs/history/index.js'
import { type Ledger, rememberedReferences, seenReferences } from '../../jobs/index.js'
import { blank, run, say } from '../../messages/index.js'
import { heldAsMistyped, heldAsSeveral, NearReferences } from '../../pricing/index.js'
import { type CostInput, type CostVersion, costRowsFromArguments, readCostRows } from '../../rows/index.js'
import { isoOf } from '../../system/time.js'
import { ownerOf } from '../own.js'
import { listResult, type Result, recordResult } from '../result.js'
import { chooseInput, type FileFlags, readRows } from '../rows/input.js'
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
  const { origin, ...input } = chooseInput(args, flags, {
    what: 'costs',
    nothing: {
      code: 'nothing_to_do',
      message: `${removing ? '--remove' : '--since'} names no item.`,
      hint: 'Give ID=COST, or --file FILE. With --remove: ID or OWN-REFERENCE.',
    },
  })
  const owner = ownerOf(ctx)
  const { rows, empty } = await readRows(
    ctx,
    { ...input, origin: { ...origin, nothing: 'Nothing was stored.' } },
    (pieces, options) => readCostRows(pieces, { removing, ...options }),
    () => costRowsFromArguments(args, removing, ctx.currency),
  )
  const from = since === undefined ? ctx.clock.now() : instantOf(since)
  const ledger = await ctx.ledger()
  const ownRows = ofThisShop(ledger, owner, { rows, now: ctx.clock.now() })
  const holds =
    origin.kind === 'file' ? heldRows(ledger, owner, { rows: ownRows, now: ctx.clock.now() }) : new Map<CostInput, Hold>()
  const { added, changed, unchanged, removed } = ledger.costs.store(
    owner,
    ownRows.filter((row) => !holds.has(row)),
    from,
  )
  if (holds.size > 0) warnHeld(ctx, holds)
  const costsSummary: CostsStoredShown = {
    Rows: rows.length + empty,
    Added: added,
    Changed: changed,
    Unchanged: unchanged,
    Removed: removed,
    Empty: empty,
    Held: holds.size,
    Since: isoOf(from),
  }
  return recordResult(costsStoredView, costsSummary, holds.size > 0 ? EXIT.held : EXIT.ok)
}

/**
 * Rows of a file whose own reference is nearly that of an item of the shop, as far as the ledger has read its live list: a cost
 * under a reference that no item has guards nothing.
 */
function heldRows(
  ledger: Ledger,
  owner: ReturnType<typeof ownerOf>,
  { rows, now }: { readonly rows: readonly CostInput[]; readonly now: number },
): ReadonlyMap<CostInput, Hold> {
  const references = rows.flatMap(({ itemId, ownReference }) => (itemId === 0 && ownReference !== '' ? [ownReference] : []))
  const knownReferences = new Set(seenReferences(ledger, owner, references).keys())
  // The seller has named it by itself.
  for (const { OwnReference } of ledger.costs.at(owner, now)) knownReferences.add(OwnReference)
  const open = references.filter((reference) => !knownReferences.has(reference))
  if (open.length === 0) return new Map()
  const near = new NearReferences(open)
  for (const item of rememberedReferences(ledger, owner)) near.see(item)
  return new Map(
    rows.flatMap((row) => {
      const item = row.itemId === 0 ? near.found.get(row.ownReference) : undefined
      const hold = (item && heldAsMistyped(row.ownReference, item)) ?? heldAsSeveral(row.ownReference)
      return hold === undefined || knownReferences.has(row.ownReference) ? [] : [[row, hold]]
    }),
  )
}

function warnHeld({ output, text }: Context, holds: ReadonlyMap<CostInput, Hold>): void {
  const rows = [...holds].map(([{ line, ownReference }, hold]) => ({
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
 * Names each item once. An own reference that this ledger knows says which item is meant, as in a sync: the id next to it may be
 * that of another system although a live item happens to have it. Next to any other reference an id counts if this ledger knows
 * an item of the shop by it.
 */
function ofThisShop(
  ledger: Ledger,
  owner: ReturnType<typeof ownerOf>,
  { rows, now }: { readonly rows: readonly CostInput[]; readonly now: number },
): readonly CostInput[] {
  if (!rows.some(({ itemId, ownReference }) => itemId > 0 && ownReference !== '')) return rows
  const seenPrices = lastPrices(ledger, owner)
  const storedIds = new Set(ledger.costs.at(owner, now).map(({ ItemId }) => ItemId))
  const references = seenReferences(
    ledger,
    owner,
    rows.flatMap(({ itemId, ownReference }) => (itemId > 0 && ownReference !== '' ? [ownReference] : [])),
  )
  return rows.map((row) => {
    if (row.ownReference === '' || row.itemId === 0) return row
    const own = references.get(row.ownReference)
    if (own !== undefined && own.itemId !== row.itemId) return { ...row, itemId: 0 }
    return seenPrices.of(row.itemId) !== undefined || storedIds.has(row.itemId)
      ? { ...row, ownReference: '' }
      : { ...row, itemId: 0 }
  })
}

/** Current costs, items with an id first. @throws {SellerError} auth for a profile without a user */
async function listCosts(ctx: Context): Promise<Result> {
  const owner = ownerOf(ctx)
  const costRows = (await ctx.ledger({ reading: true })).costs.at(owner, ctx.clock.now())
  return listResult({ view: costsView, rows: () => costRows.map(shownCost) })
}

function shownCost({ ItemId, OwnReference, Since, Cost, Lowest, Recommended }: CostVersion): CostShown {
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
