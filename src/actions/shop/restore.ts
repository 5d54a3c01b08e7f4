/**
 * shop:restore: the prices, fields and numbers in stock of a date, as the ledger knows them, planned and sent like any others.
 */

import type { Context } from '../../cli/context.js'
import { instantOf } from '../../contract/index.js'
import { valueSetOf } from '../../contract/jobs.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import { swedishTime } from '../../format/output/index.js'
import type { SyncRowShown } from '../../format/views/sync.js'
import { fieldsAt, imagesSent, itemsPerCall, planFieldsAt, pricesAt, stockAt, UPDATED_FIELDS } from '../../jobs/bulk/index.js'
import { run, say } from '../../messages/index.js'
import { type LiveCatalogueItem, type LiveItem, planValues } from '../../pricing/index.js'
import type { PriceRows } from '../../rows/index.js'
import { StoredList } from '../../rows/index.js'
import { SpillFile } from '../../system/spill-file.js'
import { lookAtAllQueued } from '../jobs/look.js'
import { shopOf } from '../own.js'
import { type GuardFlags, readGuards } from '../prices/guards.js'
import { liveItems, SHOP_STOCK } from '../prices/live.js'
import { type PlannedPrices, planShopPrices } from '../prices/plan.js'
import { runPrices, type SendPlanFlags } from '../prices/run.js'
import { sourceOfRows } from '../prices/sources.js'
import type { Result } from '../result.js'
import { type RowsPlan, runRows } from '../rows/run-rows.js'
import { setBackParts } from './set-back.js'
import { wholeItem } from './sync/updates.js'

export interface RestoreFlags extends GuardFlags, SendPlanFlags {
  /** ISO 8601. */
  readonly at: string
  readonly vat?: string | undefined
}

/**
 * Plans the shop of a date against the live list, and shows, saves or sends the plan: a job of prices, or one with parts where
 * jobs have also changed fields or numbers in stock since.
 * @returns as runRows
 * @throws {SellerError} usage for a date in the future; not_found if the ledger knows nothing for it; what runRows throws
 */
export async function restoreShop(ctx: Context, flags: RestoreFlags): Promise<Result> {
  const { at: date } = flags
  const at = instantOf(date)
  if (at > ctx.clock.now()) {
    throw new SellerError('invalid_date', `--at: ${swedishTime(date)} is still to come.`, 'Give the date and time to go back to.')
  }
  const ledger = await ctx.ledger()
  const others = ledger.jobs.list({ ...shopOf(ctx), kind: ['update', 'stock'] })
  if (others.length === 0 || flags['save-plan'] !== undefined) {
    if (others.length > 0)
      ctx.output.note('A saved plan has prices alone. Without --save-plan, fields and numbers in stock are restored too.')
    return runPrices(ctx, flags, async () => {
      const looks = await lookAtAllQueued(ctx)
      const rows = pricesAt(ledger, shopOf(ctx), at)
      if (rows.length === 0) throw nothingKnown(date)
      const plannedPrices = await pricesPlan(ctx, flags, rows, looks)
      return { ...plannedPrices, title: `shop:restore --at ${date}` }
    })
  }
  return runRows(ctx, { flags, plan: () => wholePlan(ctx, flags, at) })
}

function nothingKnown(date: string): SellerError {
  return new SellerError(
    'no_known_prices',
    `This ledger knows no price of the shop at ${swedishTime(date)}. Nothing was sent.`,
    say`It knows items whose price its own jobs have set: see ${run('jobs:list')}.`,
  )
}

function pricesPlan(ctx: Context, flags: RestoreFlags, rows: PriceRows, looks: number): Promise<PlannedPrices> {
  ctx.output.note(
    `The ledger knows ${countOf(rows.length, 'price')} at ${swedishTime(flags.at)}. Items that it does not know stay as they are.`,
  )
  const terms = {
    guards: readGuards(flags, ctx.profile.settings),
    use: { command: 'shop:restore' },
    vat: flags.vat,
    absence: flags,
    looked: looks,
  }
  return planShopPrices(ctx, sourceOfRows(rows), terms)
}

/** Prices, fields and numbers in stock as parts of one job. */
async function wholePlan(ctx: Context, flags: RestoreFlags, at: number): Promise<RowsPlan<SyncRowShown>> {
  const looks = await lookAtAllQueued(ctx, ['price', 'update'])
  const ledger = await ctx.ledger()
  const spill = new SpillFile(ctx.dataDir)
  const rows = pricesAt(ledger, shopOf(ctx), at)
  const fields = fieldsAt(ledger, shopOf(ctx), at, spill)
  const stock = stockAt(ledger, shopOf(ctx), at)
  if (rows.length + fields.size + stock.numbers.size === 0) throw nothingKnown(flags.at)
  ctx.output.note(
    `At ${swedishTime(flags.at)} the ledger knows ${countOf(rows.length, 'price')}, the fields of ${countOf(fields.size, 'item')} and ${countOf(stock.numbers.size, 'number')} in stock. What it does not know stays as it is.`,
  )
  const plannedPrices = rows.length === 0 ? undefined : await pricesPlan(ctx, flags, rows, looks)
  const client = await ctx.client()
  const countedItems = new StoredList<LiveItem>(spill)
  let whole = 0
  const read = wholeItem(ctx, client)
  const live = liveItems(ctx, client, { ...SHOP_STOCK, also: ['RemainingQuantity', ...UPDATED_FIELDS], absence: flags })
  const updates = await planFieldsAt(fields, notedItems(live), {
    spill,
    images: imagesSent(ledger, shopOf(ctx)),
    whole: (id) => {
      whole++
      return read(id)
    },
  })
  const numbers = await planValues(
    valueSetOf('stock'),
    {
      form: { kind: 'rule', columns: ['Id', 'Quantity'] },
      rows: [...stock.numbers].map(([id, value]) => ({ line: 0, id, reference: undefined, value, extra: [] })),
      notes: [],
    },
    countedItems,
    { perCall: itemsPerCall(ledger, ctx.profile.name), expected: stock.expected },
  )
  const title = `shop:restore --at ${flags.at}`
  return {
    ...setBackParts(ctx, {
      prices: plannedPrices?.plan,
      numbers,
      updates,
      nothing: 'Everything that the ledger knows is as it was.',
    }),
    title,
    calls: (plannedPrices?.calls ?? looks) + 1 + whole,
    verb: 'Set back',
    during: plannedPrices?.during,
  }

  async function* notedItems(items: AsyncIterable<LiveItem>): AsyncGenerator<LiveCatalogueItem> {
    for await (const item of items) {
      const { Id, ItemType, BuyItNowPrice, ShortDescription, RemainingQuantity } = item
      if (stock.numbers.has(Id)) countedItems.push({ Id, ItemType, BuyItNowPrice, ShortDescription, RemainingQuantity })
      yield item as LiveCatalogueItem
    }
  }
}
