/** seller today: what wants doing now, by at most three calls, each with the command that does it. */

import type { Context } from '../../cli/context.js'
import { tokenEnd } from '../../cli/token-end.js'
import { toSellerError } from '../../cli/translate.js'
import { dateTimeOf, instantOf } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { countOf, type TodayShown } from '../../format/views/index.js'
import { nextStart } from '../../jobs/bulk/index.js'
import type { JobRecord } from '../../jobs/index.js'
import { DAY_MS } from '../../system/durations.js'
import { readCallUsage } from '../calls/usage.js'
import { unfinishedJobs } from '../jobs/list.js'
import type { OrderInState } from '../orders/kept.js'
import { findOrders } from '../orders/list.js'
import { ownItems, provenItems } from '../prices/live.js'
import { addDays, dayOf, startOfDay } from '../reports/calendar.js'
import { keptSales } from '../reports/kept.js'

/** An order that is unpaid for longer is worth a reminder. */
const UNPAID_MS = 3 * DAY_MS
const FEEDBACK_MS = 90 * DAY_MS
/** Of the budget: fewer calls left than this share are worth a word. */
const FEW_CALLS = 0.1

/** @throws {SellerError} what the client throws, but for a service without orders */
export async function readToday(ctx: Context): Promise<TodayShown[]> {
  const flag = ctx.profileFlag()
  const found: TodayShown[] = []
  const add = (Kind: string, Count: number, words: string, command: string): void => {
    if (Count > 0) found.push({ Kind, Count, Words: words, Command: `seller ${command}${flag}` })
  }
  const orders = await ordersOf(ctx)
  const { ending, unsold } = await auctionsOf(ctx)
  await ofOrders(ctx, orders, add)
  add(
    'auctions_ending',
    ending,
    `${countOf(ending, 'auction')} ${ending === 1 ? 'ends' : 'end'} today`,
    'items:list --type auction --state active --sort EndDate',
  )
  add(
    'unsold',
    unsold,
    `${countOf(unsold, 'auction')} ended unsold since yesterday`,
    'items:relist --unsold --since yesterday --dry-run',
  )
  await ofLedger(ctx, add)
  const end = tokenEnd(ctx.profile, ctx.clock, flag)
  if (end !== undefined && end.state !== 'far') found.push({ Kind: 'token', Count: 1, Words: end.said, Command: end.fix })
  const { Budget: budget, Remaining: left } = await readCallUsage(ctx)
  if (budget !== null && left !== null && left <= budget * FEW_CALLS)
    add('quota', 1, `${countOf(left, 'call')} of ${budget} left`, 'calls:show')
  return found
}

type Add = (kind: string, count: number, words: string, command: string) => void

/** Of a service without the order service there are none, and a note says so. */
async function ordersOf(ctx: Context): Promise<OrderInState[]> {
  try {
    return await findOrders(ctx, { fewCalls: true })
  } catch (error) {
    const judged = toSellerError(error)
    if (!(judged instanceof SellerError) || judged.code !== 'no_order_service') throw error
    ctx.output.note('Orders are left out: the service, or the application, has no order service.')
    return []
  }
}

async function ofOrders(ctx: Context, orders: readonly OrderInState[], add: Add): Promise<void> {
  const now = ctx.clock.now()
  const toSend = orders.filter(({ State }) => State === 'to-send').length
  add('to_send', toSend, `${countOf(toSend, 'order')} to send`, 'orders:labels')
  const late = orders.filter(({ State, CreatedAt }) => State === 'unpaid' && now - CreatedAt > UNPAID_MS).length
  add('unpaid', late, `${countOf(late, 'order')} unpaid for more than 3 days`, 'orders:list --unpaid')
  const sales = (await keptSales(ctx)).list({ from: now - FEEDBACK_MS, to: now })
  const unrated = sales.filter(({ Shipped, Rated }) => Shipped && !Rated).length
  add('feedback', unrated, `${countOf(unrated, 'buyer')} to rate, of sales that were sent`, 'feedback:pending')
}

/** One call: auctions that ended since yesterday began, or end until today ends. */
async function auctionsOf(ctx: Context): Promise<{ ending: number; unsold: number }> {
  const now = ctx.clock.now()
  const today = dayOf(now)
  const query = ownItems({
    minEndDate: dateTimeOf(startOfDay(addDays(today, -1))),
    maxEndDate: dateTimeOf(startOfDay(addDays(today, 1)) - 1),
    filterItemType: 'Auction',
  })
  const client = await ctx.client()
  const reading = { text: 'Reading auctions', fields: ['Id', 'EndDate', 'TotalBids', 'Status'] } as const
  let [ending, unsold] = [0, 0]
  for await (const { EndDate, Status } of provenItems(ctx, client, query, reading)) {
    if (instantOf(EndDate) > now) ending++
    else if (Status?.GotWinner === false) unsold++
  }
  return { ending, unsold }
}

async function ofLedger(ctx: Context, add: Add): Promise<void> {
  const ledger = await ctx.ledger()
  const now = ctx.clock.now()
  // Auctions that start later wait for jobs:due.
  const waits = ({ Kind, JobId }: JobRecord) => Kind === 'relist' && (nextStart(ledger, JobId) ?? 0) > now
  const stopped = unfinishedJobs(ctx, ledger).filter((job) => !job.Running && !waits(job)).length
  add('jobs', stopped, `${countOf(stopped, 'job')} stopped before the end`, 'jobs:resume')
  const tomorrow = startOfDay(addDays(dayOf(now), 1))
  const turning = ledger.discounts
    .list({ profile: ctx.profile.name, state: ['planned', 'running'] })
    .filter(({ State, StartsAt, EndsAt }) => Date.parse(State === 'planned' ? StartsAt : EndsAt) < tomorrow).length
  add(
    'discounts',
    turning,
    `${countOf(turning, 'discount')} ${turning === 1 ? 'begins or ends' : 'begin or end'} today`,
    'discounts:list',
  )
}
