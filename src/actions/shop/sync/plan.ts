/** Compares a catalogue with the shop: one reading of the live list, and a plan for every row and every item. */
import type { Context } from '../../../cli/context.js'
import { isKnownToOffer } from '../../../cli/saved-description.js'
import { valueSetOf } from '../../../contract/jobs.js'
import { itemsPerCall } from '../../../jobs/bulk/index.js'
import {
  type CatalogueMatch,
  type CataloguePlan,
  fieldsToCompare,
  foldTitle,
  judgeStock,
  type LiveCatalogueItem,
  type LiveItem,
  type MatchedRow,
  matchCatalogue,
  planCatalogue,
  planValues,
  type Stopped,
  stoppedBy,
} from '../../../pricing/index.js'
import { type Catalogue, messageOf, PriceRows, readCatalogue, recordFaults, type ValueRow } from '../../../rows/index.js'
import { roomFor } from '../../../system/room.js'
import { SpillFile } from '../../../system/spill-file.js'
import { drawn } from '../../drawn.js'
import { fieldsOf } from '../../input/defaults.js'
import { fileToReread } from '../../input/file.js'
import { foundIds, idsOf } from '../../input/ids.js'
import { SHOP_INPUT } from '../../input/kinds.js'
import { remember } from '../../listing/doubles.js'
import { vatOf } from '../../prices/costs.js'
import { type GuardFlags, guardsOf } from '../../prices/guards.js'
import { liveItems, RUNNING } from '../../prices/live.js'
import { lookAtPending, planPricesOf } from '../../prices/plan.js'
import type { Absence } from '../../prices/seen.js'
import { sourceOfRows } from '../../prices/sources.js'
import { type FileFlags, refusing } from '../../rows/input.js'
import { answersOf, type FileAnswers } from '../../rows/layouts.js'
import { soldNumbers } from '../../rows/values.js'
import { knownOfCatalogue, recoverEarlier } from './earlier.js'
import { fieldsPlan, readUnread } from './updates.js'

export interface SyncPlanFlags extends GuardFlags, Absence, FileFlags {
  /** Also add rows whose own reference was live before. */
  readonly again?: boolean | undefined
  readonly file: string
  /** True if no row adds an item. */
  readonly 'add-none'?: boolean | undefined
  /** Also set numbers in stock from before a sale. */
  readonly restock?: boolean | undefined
  readonly vat?: string | undefined
  readonly 'remove-missing'?: boolean | undefined
}

/** Plan of a sync. */
export type PlannedSync = Awaited<ReturnType<typeof planSync>>

/**
 * Plans a sync.
 * @throws {SellerError} usage for a file or a guard that cannot be read; validation with every fault of the file; guard (6) while another process
 * syncs the shop; what the client throws
 */
export async function planSync(ctx: Context, flags: SyncPlanFlags) {
  const { file } = flags
  const removeMissing = flags['remove-missing'] === true
  const guards = guardsOf(flags, ctx.profile.settings)
  const origin = { kind: 'file', path: file } as const
  const answers = answersOf(ctx, flags)
  const catalogue = await refusing(origin, () => readFile(ctx, flags, answers))
  for (const note of catalogue.notes) ctx.output.note(note)
  await answers.keep()
  const client = await ctx.client()
  const earlier = await recoverEarlier(ctx)
  const looks = await lookAtPending(ctx, guards)
  const live = liveItems(ctx, client, {
    ...RUNNING,
    also: ['RemainingQuantity', ...fieldsToCompare(catalogue.fields)],
    absence: flags,
    references: true,
  })
  const room = roomFor(ctx.signal)
  const match = await matchCatalogue(catalogue.rows, live as AsyncIterable<LiveCatalogueItem>, {
    room,
    spill: new SpillFile(ctx.dataDir),
  })
  remember(ctx, await ctx.ledger(), match.shop)
  const canUpdate = await isKnownToOffer(ctx, 'UpdateShopItem')
  const looked = canUpdate ? await readUnread(ctx, client, match) : 0
  const absent = absentReferences(catalogue, match)
  const known = await knownOfCatalogue(ctx, absent, { earlier, again: flags.again === true })
  const canRestock = catalogue.fields.has('AbsoluteQuantity') && (await isKnownToOffer(ctx, 'SetQuantityOnShopItems'))
  const defaults = absent.size === 0 ? {} : await fieldsOf(ctx, SHOP_INPUT.flagFields, {})
  const planning = planCatalogue(catalogue.rows, match, known, {
    room,
    removeMissing,
    canRestock,
    canUpdate,
    addNone: flags['add-none'] === true,
    whole: (given) => SHOP_INPUT.complete({ ...defaults, ...given }),
    whyNot: (value) => whyNotAdded(value, ctx.clock.now()),
  })
  const plan = await drawn(ctx, 'Comparing', planning)
  const source = sourceOfRows(priceRows(plan, catalogue), { live: match.shop, stays: true })
  const terms = { guards, use: { command: 'shop:sync' }, absence: {}, vat: flags.vat, looked: looks }
  const priced = await refusing(origin, () => planPricesOf(ctx, source, terms))
  const perCall = itemsPerCall(await ctx.ledger(), ctx.profile.name)
  const restocked = canRestock ? plan.matched : []
  const stock = await planValues(valueSetOf('stock'), stockRows(restocked, catalogue), canRestock ? itemsOf(plan) : [], {
    perCall,
    judge: (entries, priceOf) => judgeStock(entries, priceOf, guards),
    sold: flags.restock === true ? undefined : await soldNumbers(ctx),
  })
  const updates = await fieldsPlan(ctx, client, plan.differing, { guards, shop: match.shop })
  const titled = titledOf(plan.additions, match.shop)
  const items = match.shop.length
  const stopped: Stopped | null =
    stoppedBy('additions', guards, { rows: plan.additions.length, items, titled }) ??
    stoppedBy('removals', guards, { rows: plan.removals.length, items }) ??
    updates.stopped ??
    stock.summary.Stopped
  return {
    ...{ catalogue, match, plan, stock, updates, earlier, removeMissing, prices: priced.plan, during: priced.during },
    /** The guard over all additions, removals or numbers in stock that is broken. Nothing at all is sent. */
    stopped,
    /** Calls made for it. */
    calls: earlier.calls + priced.calls + looked + 1,
  }
}

/** The rows stay outside of the heap, beyond 16 MB in a file. */
function readFile(ctx: Context, { file, sheet, vat }: SyncPlanFlags, answers: FileAnswers): Promise<Catalogue> {
  const lookUp = (texts: Parameters<typeof foundIds>[1]) => foundIds(idsOf(ctx), texts)
  const spill = () => new SpillFile(ctx.dataDir)
  const options = { sheet, currency: ctx.currency, lookUp, spill, answers, vat: vatOf(ctx, vat) }
  return drawn(ctx, `Reading ${file}`, readCatalogue(fileToReread(ctx, file), options))
}

/** The own references of rows whose item is not live. */
function absentReferences({ rows }: Catalogue, match: CatalogueMatch): Set<string> {
  const found = new Set<string>()
  let at = 0
  for (const { kind } of match.rows) {
    const row = kind === 'absent' ? rows.brief(at) : undefined
    for (const reference of row?.references.slice(0, 1) ?? []) found.add(reference)
    at++
  }
  return found
}

/** Number of additions with the title of a live item. */
function titledOf(additions: CataloguePlan['additions'], shop: Iterable<LiveItem>): number {
  if (additions.length === 0) return 0
  const titles: string[] = []
  for (const { value } of additions) titles.push(foldTitle(String(value.Title ?? '')))
  const [wanted, live] = [new Set(titles), new Set<string>()]
  for (const { ShortDescription } of shop) {
    const title = foldTitle(ShortDescription ?? '')
    if (wanted.has(title)) live.add(title)
  }
  return titles.filter((title) => live.has(title)).length
}

function* itemsOf({ matched }: CataloguePlan): Generator<LiveItem> {
  for (const { item } of matched) yield item
}

/** Fault of an item that a row adds. @param now ms since 1970 */
function whyNotAdded(value: Readonly<Record<string, unknown>>, now: number): string | undefined {
  const faults = [...recordFaults('AddShopItem', value), ...SHOP_INPUT.further(value, now)]
  return faults.length === 0 ? undefined : faults.map((fault) => `${fault.field} ${messageOf(fault)}`).join('; ')
}

function priceRows({ prices }: CataloguePlan, { form, vatSaid }: Catalogue): PriceRows {
  const rows = new PriceRows(form)
  rows.vatSaid = vatSaid
  // The reference is not given: the item was found by it.
  for (const { line, id, price, net, allow, extra } of prices)
    rows.add({ line, id, price, net, allow: allow > 0 ? allow : undefined, extra: extra.length === 0 ? undefined : extra })
  return rows
}

function stockRows(matched: Iterable<MatchedRow>, { form }: Catalogue) {
  const rows: ValueRow[] = []
  for (const { row, item } of matched) {
    const { AbsoluteQuantity: value } = row.given
    if (typeof value === 'number') rows.push({ line: row.line, id: item.Id, reference: undefined, value, extra: row.extra })
  }
  return { form, rows, notes: [] }
}
