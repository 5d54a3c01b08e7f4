/** seller today: what wants doing now, by at most three calls, each with the command that does it. */

import type { Context } from '../../cli/context.js'
import { tokenEnd } from '../../cli/token-end.js'
import { toSellerError } from '../../cli/translate.js'
import { dateTimeOf, instantOf, minuteOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import type { TodayShown } from '../../format/views/tool.js'
import { overdueWork, scheduledAt, scheduledItems } from '../../jobs/index.js'
import { type Command, money, run, say, type Words } from '../../messages/index.js'
import { DAY_MS } from '../../system/durations.js'
import { bothAtOnce } from '../../system/few-at-once.js'
import { readCallUsage } from '../calls/usage.js'
import { overdueWords } from '../discounts/overdue.js'
import { unfinishedJobs } from '../jobs/list.js'
import type { OrderInState } from '../orders/kept.js'
import { findOrders } from '../orders/list.js'
import { shopOf } from '../own.js'
import { ownItems, provenItems } from '../prices/live.js'
import { addDays, dayOf, startOfDay } from '../reports/calendar.js'
import { keptSales } from '../reports/kept.js'

/** An order that is unpaid for longer is worth a reminder. */
const UNPAID_MS = 3 * DAY_MS
const FEEDBACK_MS = 90 * DAY_MS
/** Share of the budget: fewer calls left are worth a word. */
const FEW_CALLS = 0.1

/** @throws {SellerError} what the client throws, but for a service without orders */
export async function readToday(ctx: Context): Promise<{ readonly found: TodayShown[]; readonly missing: TodayShown[] }> {
  const found: TodayShown[] = []
  const add = (Kind: string, Count: number, words: Words, command: Command): void => {
    if (Count > 0) found.push({ Kind, Count, Words: ctx.text(words), Command: ctx.text(say`${command}`) })
  }
  const ledger = await ctx.ledger()
  const late = overdueWork(ledger, shopOf(ctx))
  // First of all: prices are wrong by now.
  add('overdue', late.length, overdueWords(late, ctx.clock.now()).replace(/\.$/, ''), run('jobs:due'))
  const [orders, { ending, unsold }] = await bothAtOnce(ordersOf(ctx), auctionsOf(ctx))
  const missing: TodayShown[] = []
  if (orders === undefined) {
    const Words = 'Orders were not read: the service, or the application, has no order service'
    missing.push({ Kind: 'not_read', Count: 0, Words, Command: ctx.text(say`${run('service:check')}`) })
    ctx.output.note(`${Words}.`)
  }
  await ofOrders(ctx, orders ?? [], add)
  add(
    'auctions_ending',
    ending,
    `${countOf(ending, 'auction')} ${ending === 1 ? 'ends' : 'end'} today`,
    run('items:list', { '--type': 'auction', '--state': 'active', '--sort': 'EndDate' }),
  )
  add(
    'unsold',
    unsold,
    `${countOf(unsold, 'auction')} ended unsold since yesterday`,
    run('items:relist', { '--unsold': true, '--since': 'yesterday', '--dry-run': true }),
  )
  await ofLedger(ctx, add)
  const closing = ledger.closings.open(shopOf(ctx))
  if (closing !== undefined) {
    const until = minuteOf(closing.ends_at)
    const when = closing.state === 'planned' ? `from ${minuteOf(closing.starts_at)} until ${until}` : `until ${until}`
    add('closed', 1, `The shop is closed ${when}`, run('shop:settings', { '--open': true }))
  }
  const waiting = scheduledItems(ledger, shopOf(ctx))
  const [next] = waiting
  if (next !== undefined) {
    const many = waiting.length === 1 ? 'waits for its start' : 'wait for their start, the next'
    const wait = `${countOf(waiting.length, 'item')} ${many} at ${minuteOf(instantOf(next.StartDate))}`
    add('scheduled', waiting.length, wait, run('items:list', { '--state': 'scheduled' }))
  }
  const end = tokenEnd(ctx.profile, ctx.clock)
  if (end !== undefined && end.state !== 'far')
    found.push({ Kind: 'token', Count: 1, Words: end.said, Command: ctx.text(say`${end.fix}`) })
  const { Budget: budget, Remaining: left } = await readCallUsage(ctx)
  if (budget !== null && left !== null && left <= budget * FEW_CALLS)
    add('quota', 1, `${countOf(left, 'call')} of ${budget} left`, run('calls:show'))
  return { found, missing }
}

type Add = (kind: string, count: number, words: Words, command: Command) => void

/** Undefined for a service without the order service. */
async function ordersOf(ctx: Context): Promise<OrderInState[] | undefined> {
  try {
    return await findOrders(ctx, { fewCalls: true })
  } catch (error) {
    const judged = toSellerError(error)
    if (!(judged instanceof SellerError) || judged.code !== 'no_order_service') throw error
    return undefined
  }
}

async function ofOrders(ctx: Context, orders: readonly OrderInState[], add: Add): Promise<void> {
  const now = ctx.clock.now()
  const toSend = orders.filter(({ State }) => State === 'to-send').length
  add('to_send', toSend, `${countOf(toSend, 'order')} to send`, run('orders:labels'))
  const parts = orders.filter(({ IsPartPaid }) => IsPartPaid)
  const missing = parts.reduce((sum, { Missing }) => sum + Missing, 0)
  add(
    'part_paid',
    parts.length,
    say`${countOf(parts.length, 'order')} paid in part, ${money(missing)} missing`,
    run('orders:list', { '--unpaid': true }),
  )
  const late = orders.filter(({ State, CreatedAt }) => State === 'unpaid' && now - CreatedAt > UNPAID_MS).length
  add('unpaid', late, `${countOf(late, 'order')} unpaid for more than 3 days`, run('orders:list', { '--unpaid': true }))
  const sales = (await keptSales(ctx)).list({ from: now - FEEDBACK_MS, to: now })
  const unrated = sales.filter(({ Shipped, Rated }) => Shipped && !Rated).length
  // The list of the same sales: the days of FEEDBACK_MS.
  const pending = run('feedback:pending', { '--sent': true, '--since': '90d' })
  add('feedback', unrated, `${countOf(unrated, 'buyer')} to rate, of sales that were sent`, pending)
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
  const reading = { text: 'Reading auctions', fields: ['Id', 'EndDate', 'TotalBids', 'Status'], shown: true } as const
  let [ending, unsold] = [0, 0]
  for await (const { EndDate, Status } of provenItems(ctx, client, query, reading)) {
    // An edition may leave out the end.
    const isActive = EndDate === undefined ? Status?.Ended === false : instantOf(EndDate) > now
    if (isActive) ending++
    else if (Status?.GotWinner === false) unsold++
  }
  return { ending, unsold }
}

async function ofLedger(ctx: Context, add: Add): Promise<void> {
  const ledger = await ctx.ledger()
  const now = ctx.clock.now()
  const stopped = unfinishedJobs(ctx, ledger).filter((job) => !job.Running && scheduledAt(ledger, job) === undefined).length
  add('jobs', stopped, `${countOf(stopped, 'job')} stopped before the end`, run('jobs:resume'))
  const tomorrow = startOfDay(addDays(dayOf(now), 1))
  const turning = ledger.discounts
    .list({ profile: ctx.profile.name, state: ['planned', 'running'] })
    .filter(
      ({ State, StartsAt, EndsAt }) => State !== 'overdue' && Date.parse(State === 'planned' ? StartsAt : EndsAt) < tomorrow,
    ).length
  add(
    'discounts',
    turning,
    `${countOf(turning, 'discount')} ${turning === 1 ? 'begins or ends' : 'begin or end'} today`,
    run('discounts:list'),
  )
}
