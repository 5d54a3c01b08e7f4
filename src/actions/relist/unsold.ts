/**
 * The auctions that are to be put up again, those of a period that ended unsold or those that were named, and the request that
 * puts each up.
 */

import type { Context } from '../../cli/context.js'
import {
  checkInput,
  dateTimeOf,
  ITEM_TYPE_IDS,
  instantOf,
  MAX_DURATION_DAYS,
  operations,
  PICKUP_SHIPPING_OPTION_ID,
  unreadFields,
} from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { present } from '../../contract/present.js'
import { SellerError } from '../../errors/index.js'
import { type ItemRecord, imageLinksOf } from '../../format/views/items.js'
import { type Hold, held } from '../../holds/index.js'
import type { RelistToSend } from '../../jobs/bulk/index.js'
import type { ItemRequestInput } from '../../jobs/index.js'
import { type InputForm, idRowsFromArguments, readIdRows } from '../../rows/index.js'
import { DAY_MS } from '../../system/durations.js'
import { ownItems, provenItems } from '../prices/live.js'
import { type FileFlags, inputFile, readRows } from '../rows/input.js'

/** Greatest age of auctions for --unsold, by default. */
const DEFAULT_MS = 30 * DAY_MS
/** More are read by one list than one by one. */
const FEW = 3

/** An auction that is to be put up again. */
export interface Wanted {
  readonly line: number
  readonly id: number
  /** Kronor, where the row names one. */
  readonly price: number | undefined
  /** The reserve price that the row names, kronor; 0 for none. */
  readonly reserve?: number | undefined
  /** Values of the seller's own columns. */
  readonly extra?: readonly unknown[] | undefined
  /** undefined where the service has no such item. */
  readonly item: ItemRecord | undefined
}

export interface Found {
  readonly form: InputForm
  readonly rows: readonly Wanted[]
  readonly calls: number
}

export interface Choice extends FileFlags {
  readonly unsold?: boolean
  /** ISO 8601. */
  readonly since?: string | undefined
  readonly file?: string | undefined
}

/**
 * Reads what was chosen.
 * @throws {SellerError} usage where nothing is chosen, or both; validation for the file; what the client throws
 */
export async function chosenAuctions(ctx: Context, ids: readonly number[], choice: Choice): Promise<Found> {
  const { unsold = false, file } = choice
  const inputCount = Number(ids.length > 0) + Number(file !== undefined) + Number(unsold)
  if (inputCount > 1) throw new SellerError('several_inputs', 'Give one of ids, --file and --unsold.', 'Leave the others out.')
  if (inputCount === 0)
    throw new SellerError('missing_argument', 'Missing argument: ITEM.', 'Give the ids of auctions, --file FILE or --unsold.')
  if (unsold) return endedUnsold(ctx, choice.since)
  const { form, rows } = await namedAuctions(ctx, ids, choice)
  const reader = new ItemReader(ctx)
  const items = rows.length > FEW ? await reader.list(new Set(rows.map(({ id }) => id))) : new Map<number, ItemRecord>()
  const auctions: Wanted[] = []
  for (const row of rows) auctions.push({ ...row, item: await reader.whole(row.id, items.get(row.id)) })
  return { form, rows: auctions, calls: reader.calls }
}

async function endedUnsold(ctx: Context, since: string | undefined): Promise<Found> {
  const reader = new ItemReader(ctx)
  const rows: Wanted[] = []
  let silent = 0
  for await (const item of reader.endedAuctions(since ?? dateTimeOf(ctx.clock.now() - DEFAULT_MS))) {
    if (item.Status === undefined) silent++
    if (whyNotUnsold(item) !== undefined) continue
    rows.push({ line: 0, id: item.Id, price: undefined, item })
  }
  if (silent > 0)
    ctx.output.warn(`${countOf(silent, 'ended auction')} left out: the service does not say whether there was a winner.`)
  // The oldest first: they have waited longest.
  rows.sort((one, other) => one.id - other.id)
  const whole: Wanted[] = []
  for (const row of rows) whole.push({ ...row, item: await reader.whole(row.id, row.item) })
  return { form: { kind: 'rule', columns: ['Id', 'OpeningPrice'] }, rows: whole, calls: reader.calls }
}

/** Reads ended auctions, and counts the calls. */
class ItemReader {
  calls = 0
  readonly #ctx: Context

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** Auctions that ended since a time, or ever. */
  async *endedAuctions(since: string | null): AsyncGenerator<ItemRecord, void> {
    const ctx = this.#ctx
    this.calls++
    // The service ignores the state if an end date is given (docs/service.md, Listing items).
    const period =
      since === null ? ({ filterActive: 'Inactive' } as const) : { minEndDate: since, maxEndDate: dateTimeOf(ctx.clock.now()) }
    const query = ownItems({ ...period, filterItemType: 'Auction' })
    yield* provenItems(ctx, await ctx.client(), query, { text: 'Reading ended auctions', shown: true })
  }

  /** Those of some ids, by one call. */
  async list(ids: ReadonlySet<number>): Promise<Map<number, ItemRecord>> {
    const itemsById = new Map<number, ItemRecord>()
    for await (const item of this.endedAuctions(null)) if (ids.has(item.Id)) itemsById.set(item.Id, item)
    return itemsById
  }

  /** A whole item: the one of a list, unless that has left something out. */
  async whole(itemId: number, item: ItemRecord | undefined): Promise<ItemRecord | undefined> {
    if (item !== undefined && !isPartial(item, imageLinksOf(item).length)) return item
    this.calls++
    const client = await this.#ctx.client()
    return (await client.call('GetItem', { itemId }, { signal: this.#ctx.signal })) ?? undefined
  }
}

/** The auctions of the arguments or of a file. @throws {SellerError} usage, validation */
async function namedAuctions(
  ctx: Context,
  ids: readonly number[],
  { file, ...reading }: Choice,
): Promise<{ form: InputForm; rows: readonly Omit<Wanted, 'item'>[] }> {
  const priceRows =
    file === undefined
      ? idRowsFromArguments(ids, 'Id')
      : await readRows(ctx, inputFile(file, reading), (pieces, of) => readIdRows(pieces, of, 'auctions'))
  const rows = Array.from(priceRows, ({ line, id, price, reserve, extra }) => ({
    line,
    id,
    price: price || undefined,
    reserve,
    extra,
  }))
  return { form: priceRows.form, rows }
}

/** Shipping of an auction that may be fetched and has no other way. */
const PICKUP = { ShippingOptionId: PICKUP_SHIPPING_OPTION_ID, Cost: 0, ShippingProviderId: null }

/**
 * The request for an auction with everything that the old one had, but its exposure and its automatic restarts: both cost extra.
 */
export function relistRequest(item: ItemRecord, startPrice: number): RelistToSend['Request'] {
  // A list of options may be empty although the auction could be fetched: AcceptsPickup is a field of its own.
  const shipping = item.ShippingOptions.length > 0 || !item.AcceptsPickup ? item.ShippingOptions : [PICKUP]
  const { TermAttributeValues: terms = [], NumberAttributeValues: numbers = [] } = item.AttributeValues ?? {}
  return present({
    Title: item.ShortDescription,
    OwnReferences: item.OwnReferences,
    CategoryId: item.CategoryId,
    Duration: item.Duration ?? daysOf(item),
    Restarts: 0,
    StartPrice: startPrice,
    ReservePrice: item.ReservePrice ?? 0,
    BuyItNowPrice: item.BuyItNowPrice ?? 0,
    Description: item.LongDescription,
    PaymentOptionIds: item.PaymentOptions,
    // An item may have both ids of an option; a request takes one (docs/service.md, Item requests).
    ShippingOptions: shipping.map((option) =>
      (option.ShippingProviderId ?? null) === null ? option : { ...option, ShippingOptionId: null },
    ),
    AcceptedBidderId: item.AcceptedBuyerId,
    CustomEndDate: null,
    ItemAttributes: item.ItemAttributes,
    ItemType: ITEM_TYPE_IDS.Auction,
    AutoCommit: false,
    VAT: item.VAT ?? null,
    ShippingCondition: item.ShippingCondition,
    PaymentCondition: item.PaymentCondition,
    ...(terms.length + numbers.length === 0
      ? {}
      : {
          AttributeValues: {
            Terms: terms.map(({ Id, Values }) => ({ Id, Values })),
            Numbers: numbers.map(({ Id, Values }) => ({ Id, Values })),
          },
        }),
    RestartedFromItemId: item.Id,
  })
}

/**
 * The days of an auction, of a service that does not tell its duration: those from its start to its end, as far as a listing may
 * have them.
 */
function daysOf({ StartDate, EndDate }: Pick<ItemRecord, 'StartDate' | 'EndDate'>): number {
  const days = Math.round((instantOf(EndDate) - instantOf(StartDate)) / DAY_MS)
  return Math.min(MAX_DURATION_DAYS, Math.max(1, days))
}

/** Why an item is no auction that ended unsold, as far as the service says; undefined if it is one. */
export function whyNotUnsold(item: Pick<ItemRecord, 'ItemType' | 'EndDate' | 'Status'>): Hold | undefined {
  // An edition may leave out what others promise.
  if (item.ItemType === undefined) return held('left_out', { What: 'kind' })
  if (item.EndDate === undefined) return held('left_out', { What: 'end' })
  if (item.ItemType !== 'Auction') return held('not_an_auction', { ItemType: item.ItemType })
  if (item.Status === undefined) return held('sale_unknown')
  if (!item.Status.Ended) return held('not_ended')
  return item.Status.GotWinner ? held('was_sold') : undefined
}

/**
 * Why the request of an item would be incomplete or refused; undefined if it would not.
 * @param images how many are known
 * @param reserved true if the seller has said the reserve price
 */
export function whyIncomplete(item: ItemRecord, request: ItemRequestInput, images: number, isReserved = false): Hold | undefined {
  if (!isReserved && item.ReservePriceReached !== null && !item.ReservePrice) return held('reserve_unknown')
  const unread = unreadFields(item)
  if (unread.length > 0) return held('unreadable', { Fields: unread })
  const leftOutField = leftOut(item, images)
  if (leftOutField !== undefined) return held('left_out', { What: leftOutField })
  const faults = checkInput(operations.AddItem, { itemRequest: request })
  if (faults.length === 0) return undefined
  const Faults = faults.map(({ field, message: Message }) => ({
    Field: field.replace(/^itemRequest\./, ''),
    Value: null,
    Message,
  }))
  return held('invalid_request', { Faults })
}

/** Contradiction between two fields of an item: one has what the other leaves out. */
function leftOut(item: ItemRecord, images: number): string | undefined {
  if (images === 0 && (item.Thumbnail || item.ThumbnailLink !== undefined)) return 'images'
  return (item.PaymentOptions ?? []).length === 0 && item.PaymentTypeId !== 0 ? 'ways of payment' : undefined
}

/** True if a list may have left out what a listing cannot be made without: then the item is read by itself. */
export function isPartial(item: ItemRecord, images: number): boolean {
  return item.LongDescription === undefined || item.Status === undefined || leftOut(item, images) !== undefined
}
