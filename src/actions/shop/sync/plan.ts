/** Compares a catalogue with the shop: one reading of the live list, and a plan for every row and every item. */
import type { Context } from '../../../cli/context.js'
import { chosen } from '../../../cli/flags.js'
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
  type LiveItems,
  type MatchedRow,
  matchCatalogue,
  planCatalogue,
  planPrices,
  planValues,
  type Stopped,
  stoppedBy,
} from '../../../pricing/index.js'
import { type Catalogue, messageOf, PriceRows, readCatalogue, recordFaults, type ValueRow } from '../../../rows/index.js'
import { yieldToEventLoop } from '../../../system/room.js'
import { SpillFile } from '../../../system/spill-file.js'
import { readFlagFields, refuseDefaults } from '../../input/defaults.js'
import { fileToReread } from '../../input/file.js'
import { inWords, SHOP_FLAG_FIELDS } from '../../input/flag-fields.js'
import { foundIds } from '../../input/ids.js'
import { SHOP_INPUT } from '../../input/kinds.js'
import { lazyIds } from '../../input/lazy-ids.js'
import { remember } from '../../listing/doubles.js'
import { chooseVat } from '../../prices/costs.js'
import { type GuardFlags, readGuards } from '../../prices/guards.js'
import { liveItems, RUNNING } from '../../prices/live.js'
import { lookAtPending, type PriceSource, planShopPrices, wantedPrice } from '../../prices/plan.js'
import type { Absence } from '../../prices/seen.js'
import { type FileFlags, refusing } from '../../rows/input.js'
import { type FileAnswers, readAnswers } from '../../rows/layouts.js'
import { soldNumbers } from '../../rows/values.js'
import { withProgress } from '../../with-progress.js'
import { knownOfCatalogue, recoverEarlier } from './earlier.js'
import { inspectCatalogueImages, SentImages } from './images.js'
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
  /** Also send images of items whose pictures were not sent from here. */
  readonly with?: readonly (readonly ['all-images', unknown])[] | undefined
  /** Make images fit that are too large or lie on their side. */
  readonly fit?: boolean | undefined
}

/** Plan of a sync. */
export type PlannedSync = Awaited<ReturnType<typeof planSync>>

/**
 * Plans a sync.
 * @throws {SellerError} usage for a file or a guard that cannot be read; validation with every fault of the file; guard (6) while
 * another process syncs the shop; what the client throws
 */
export async function planSync(ctx: Context, flags: SyncPlanFlags) {
  const { file } = flags
  const removeMissing = flags['remove-missing'] === true
  const guards = readGuards(flags, ctx.profile.settings)
  const addNone = flags['add-none'] === true
  if (!addNone) refuseDefaults(ctx, SHOP_INPUT.flagFields)
  const origin = { kind: 'file', path: file } as const
  const answers = readAnswers(ctx, flags)
  const catalogue = await refusing(origin, async () => {
    const syncCatalogue = await readFile(ctx, flags, answers)
    await inspectCatalogueImages(ctx, syncCatalogue, flags)
    return syncCatalogue
  })
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
  const room = yieldToEventLoop(ctx.signal)
  const images = await SentImages.of(ctx, catalogue, chosen(flags.with, 'all-images'))
  const match = await matchCatalogue(catalogue.rows, live as AsyncIterable<LiveCatalogueItem>, {
    room,
    spill: new SpillFile(ctx.dataDir),
    images: images.differences,
  })
  remember(ctx, await ctx.ledger(), match.shop)
  const canUpdate = await isKnownToOffer(ctx, 'UpdateShopItem')
  const lookCalls = canUpdate ? await readUnread(ctx, client, match) : 0
  const absentSet = absentReferences(catalogue, match)
  const knowledge = await knownOfCatalogue(ctx, absentSet, { earlier, again: flags.again === true })
  const canRestock = catalogue.fields.has('AbsoluteQuantity') && (await isKnownToOffer(ctx, 'SetQuantityOnShopItems'))
  const defaults = addNone || absentSet.size === 0 ? {} : await readFlagFields(ctx, SHOP_INPUT.flagFields, {})
  const pendingPlan = planCatalogue(catalogue.rows, match, knowledge, {
    room,
    removeMissing,
    canRestock,
    canUpdate,
    addNone,
    whole: (fields) => SHOP_INPUT.complete({ ...defaults, ...fields }),
    knowsImages: images.knows,
    whyNot: (value) => whyNotAdded(value, ctx.clock.now()),
  })
  const plan = await withProgress(ctx, 'Comparing', pendingPlan)
  const source = sourceOfPlan(plan, catalogue, match.shop)
  const terms = { guards, use: { command: 'shop:sync' }, absence: {}, vat: flags.vat, looked: looks }
  const plannedPrices = await refusing(origin, () => planShopPrices(ctx, source, terms))
  const perCall = itemsPerCall(await ctx.ledger(), ctx.profile.name)
  const restocks = canRestock ? plan.toPlan('AbsoluteQuantity').rows : []
  const stock = await planValues(valueSetOf('stock'), stockRows(restocks, catalogue), itemsOf(restocks), {
    perCall,
    judge: (entries, priceOf) => judgeStock(entries, priceOf, guards),
    sold: flags.restock === true ? undefined : await soldNumbers(ctx),
  })
  const updates = await fieldsPlan(ctx, client, plan.differing, { guards, shop: match.shop })
  const titledCount = countTitled(plan.additions, match.shop)
  const items = match.shop.length
  const stop: Stopped | null =
    stoppedBy('additions', guards, { rows: plan.additions.length, items, titled: titledCount }) ??
    stoppedBy('removals', guards, { rows: plan.removals.length, items }) ??
    updates.stopped ??
    stock.summary.Stopped
  return {
    ...{
      catalogue,
      images,
      match,
      plan,
      stock,
      updates,
      earlier,
      removeMissing,
      prices: plannedPrices.plan,
      during: plannedPrices.during,
    },
    /** The guard over all additions, removals or numbers in stock that is broken. Nothing at all is sent. */
    stopped: stop,
    /** Calls made for it. */
    calls: earlier.calls + plannedPrices.calls + lookCalls + 1,
  }
}

/** The rows stay outside of the heap, beyond 16 MB in a file. */
function readFile(ctx: Context, { file, sheet, vat }: SyncPlanFlags, answers: FileAnswers): Promise<Catalogue> {
  const lookUp = (texts: Parameters<typeof foundIds>[1]) => foundIds(lazyIds(ctx), texts)
  const spill = () => new SpillFile(ctx.dataDir)
  const words = inWords(SHOP_FLAG_FIELDS, ctx)
  const options = { sheet, currency: ctx.currency, lookUp, words, spill, answers, vat: chooseVat(ctx, vat) }
  return withProgress(ctx, `Reading ${file}`, readCatalogue(fileToReread(ctx, file), options))
}

/** The own references of rows whose item is not live. */
function absentReferences({ rows }: Catalogue, match: CatalogueMatch): Set<string> {
  const references = new Set<string>()
  let at = 0
  for (const { kind } of match.rows) {
    const reference = kind === 'absent' ? rows.referenceAt(at) : undefined
    if (reference !== undefined) references.add(reference)
    at++
  }
  return references
}

/** Number of additions with the title of a live item. */
function countTitled(additions: CataloguePlan['additions'], shop: Iterable<LiveItem>): number {
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

function* itemsOf(rows: Iterable<MatchedRow>): Generator<LiveItem> {
  for (const { item } of rows) yield item
}

/** Fault of an item that a row adds. @param now ms since 1970 */
function whyNotAdded(value: Readonly<Record<string, unknown>>, now: number): string | undefined {
  const { ItemImages: _, ...fields } = value
  const faults = [...recordFaults('AddShopItem', fields), ...SHOP_INPUT.further(fields, now)]
  return faults.length === 0 ? undefined : faults.map((fault) => `${fault.field} ${messageOf(fault)}`).join('; ')
}

/** The prices of the rows, as far as they have to be planned. */
function sourceOfPlan(plan: CataloguePlan, catalogue: Catalogue, shop: LiveItems): PriceSource {
  let rows = new PriceRows(catalogue.form)
  return {
    list: undefined,
    live: shop,
    concludes: true,
    wanted: (item) => wantedPrice(rows, item),
    plan({ isApart, ...terms }) {
      const toPlan = plan.toPlan('Price', isApart)
      rows = priceRows(toPlan.rows, catalogue)
      return planPrices({ ...terms, rows, same: toPlan.same })
    },
  }
}

function priceRows(matchedRows: Iterable<MatchedRow>, { form, vatSaid }: Catalogue): PriceRows {
  const rows = new PriceRows(form)
  rows.vatSaid = vatSaid
  for (const { row, item } of matchedRows) {
    const { line, net, allow, extra, given } = row
    // The reference is not given: the item was found by it.
    const price = { line, id: item.Id, price: Number(given.Price) }
    // Nearly all rows give no more, and there may be a million of them.
    if (net === undefined && allow <= 0 && extra.length === 0) rows.add(price)
    else rows.add({ ...price, net, allow: allow > 0 ? allow : undefined, extra: extra.length === 0 ? undefined : extra })
  }
  return rows
}

function stockRows(matchedRows: Iterable<MatchedRow>, { form }: Catalogue) {
  const rows: ValueRow[] = []
  for (const { row, item } of matchedRows) {
    const { AbsoluteQuantity: value } = row.given
    if (typeof value === 'number') rows.push({ line: row.line, id: item.Id, reference: undefined, value, extra: row.extra })
  }
  return { form, rows, notes: [] }
}
