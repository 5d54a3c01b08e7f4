/** seller today: what needs doing now, by at most three calls, each with the command that does it. */

import type { Context } from '../../cli/context.js'
import { tokenEnd } from '../../cli/token-end.js'
import { toSellerError } from '../../cli/translate.js'
import { capital, dateTimeOf, instantOf, minuteOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT, SellerError } from '../../errors/index.js'
import type { Output } from '../../format/output/index.js'
import { type ShopEnd, shopsTodayView } from '../../format/views/shops.js'
import { type TodayShown, todayView } from '../../format/views/tool.js'
import { wholeJob } from '../../jobs/bulk/whole.js'
import { findRemovals, overdueWork, readPace, scheduledAt, scheduledItems } from '../../jobs/index.js'
import { type Command, money, run, say, type Words } from '../../messages/index.js'
import { DAY_MS } from '../../system/durations.js'
import { bothAtOnce } from '../../system/few-at-once.js'
import { readCallUsage } from '../calls/usage.js'
import { overdueWords } from '../discounts/overdue.js'
import { dueTimer } from '../discounts/timer.js'
import { unfinishedJobs } from '../jobs/list.js'
import type { OrderInState } from '../orders/kept.js'
import { findOrders } from '../orders/list.js'
import { shopOf } from '../own.js'
import { ownItems, provenItems } from '../prices/live.js'
import { addDays, dayOf, startOfDay } from '../reports/calendar.js'
import { keptSales } from '../reports/kept.js'
import type { Result } from '../result.js'

/** An order that is unpaid for longer is worth a reminder. */
const UNPAID_MS = 3 * DAY_MS
const FEEDBACK_MS = 90 * DAY_MS
/** Share of the budget: fewer calls left are worth a word. */
const FEW_CALLS = 0.1

/** Result of the command for one shop. @throws {SellerError} as readToday */
export async function showToday(ctx: Context, { columns }: { readonly columns?: unknown }): Promise<Result> {
  const { found, missing } = await readToday(ctx)
  const write = async (output: Output): Promise<void> => {
    // A person copies the commands, so no table may cut them.
    if (output.human && columns === undefined && found.length > 0) output.aside(linesOf(found))
    // A script sees in the list what it lacks; a person was told.
    else await output.list(todayView, output.human ? found : [...found, ...missing])
  }
  const value = async () => [...found, ...missing]
  return {
    shown: [{ write, value }],
    code: EXIT.ok,
    message: [...found, ...missing].map(({ Words }) => Words).join('; ') || null,
  }
}

const linesOf = (tasks: readonly TodayShown[], indent = ''): string =>
  tasks.map(({ Words, Command }) => `${indent}${Words}\n${indent}  ${Command}`).join('\n')

/** Shows a person each shop with something to do, with its commands; a script gets a row for each shop. */
export async function writeTodayShops({ output }: Context, ends: readonly ShopEnd[]): Promise<void> {
  if (!output.human) {
    await output.list(shopsTodayView, ends)
    return
  }
  // The error of a shop was told when it came.
  const read = ends.filter(({ State, Error: error }) => State === 'ok' && error === null)
  const busy = read.filter(({ Message }) => Message !== null)
  for (const { Profile, Result: found } of busy) if (Array.isArray(found)) output.aside(`${Profile}\n${linesOf(found, '  ')}`)
  const idle = read.length - busy.length
  if (idle > 0) output.note(`${countOf(idle, 'shop')} ${idle === 1 ? 'has' : 'have'} nothing that needs doing.`)
}

/** @throws {SellerError} what the client throws, but for a service without orders */
async function readToday(ctx: Context): Promise<{ readonly found: TodayShown[]; readonly missing: TodayShown[] }> {
  const tasks: TodayShown[] = []
  const add: Add = (kind, count, words, command) => {
    if (count > 0) tasks.push(taskOf(ctx, kind, count, words, command))
  }
  const ledger = await ctx.ledger()
  const late = overdueWork(ledger, shopOf(ctx))
  // First of all: prices are wrong by now.
  add('overdue', late.length, overdueWords(late, ctx.clock.now()), run('jobs:due'))
  const [orders, { ending, unsold, shopEnding, shopEnded }] = await bothAtOnce(readOrders(ctx), countEnds(ctx))
  const missing: TodayShown[] = []
  if (orders === undefined) {
    const words = 'Orders were not read: the service, or the application, has no order service'
    missing.push(taskOf(ctx, 'not_read', 0, words, run('service:check')))
    ctx.output.note(`${words}.`)
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
  add(
    'shop_ending',
    shopEnding,
    `${countOf(shopEnding, 'shop item')} ${shopEnding === 1 ? 'ends' : 'end'} today`,
    run('items:list', { '--type': 'shop', '--state': 'active', '--sort': 'EndDate' }),
  )
  add(
    'shop_ended',
    shopEnded,
    `${countOf(shopEnded, 'shop item')} ended with stock left since yesterday`,
    run('items:list', { '--type': 'shop', '--state': 'ended', '--sort': '-EndDate' }),
  )
  await ofLedger(ctx, add)
  const closing = ledger.closings.open(shopOf(ctx))
  if (closing !== undefined) {
    const until = minuteOf(closing.ends_at)
    const words =
      closing.state === 'planned'
        ? `The shop will be closed from ${minuteOf(closing.starts_at)} until ${until}`
        : `The shop is closed until ${until}`
    add('closed', 1, words, run('shop:settings', { '--open': true }))
  }
  const items = scheduledItems(ledger, shopOf(ctx))
  const [next] = items
  if (next !== undefined) {
    const many = items.length === 1 ? 'waits for its start' : 'wait for their start, the next'
    const wait = `${countOf(items.length, 'item')} ${many} at ${minuteOf(instantOf(next.StartDate))}`
    add('scheduled', items.length, wait, run('items:list', { '--state': 'scheduled' }))
  }
  const end = tokenEnd(ctx.profile, ctx.clock)
  if (end !== undefined && end.state !== 'far') add('token', 1, end.said, end.fix)
  const { Budget: budget, Remaining: left } = await readCallUsage(ctx)
  if (budget !== null && left !== null && left <= budget * FEW_CALLS)
    add('quota', 1, `${countOf(left, 'call')} of ${budget} left`, run('calls:show'))
  return { found: tasks, missing }
}

type Add = (kind: string, count: number, words: Words, command: Command) => void

function taskOf(ctx: Context, Kind: string, Count: number, words: Words, command: Command): TodayShown {
  const [Words, Command] = [ctx.text(words), ctx.text(say`${command}`)]
  return { Kind, Count, Words, Command, next: [{ command: Command, why: Words }] }
}

/** Undefined for a service without the order service. */
async function readOrders(ctx: Context): Promise<OrderInState[] | undefined> {
  try {
    return await findOrders(ctx, { fewCalls: true })
  } catch (error) {
    const failure = toSellerError(error)
    if (!(failure instanceof SellerError) || failure.code !== 'no_order_service') throw error
    return undefined
  }
}

async function ofOrders(ctx: Context, orders: readonly OrderInState[], add: Add): Promise<void> {
  const now = ctx.clock.now()
  const toSend = orders.filter(({ State }) => State === 'to-send').map(({ CreatedAt }) => CreatedAt)
  const oldest =
    toSend.length > 1 ? `, the oldest from ${dayOf(Math.min(...toSend))}` : toSend.map((at) => `, from ${dayOf(at)}`).join('')
  add('to_send', toSend.length, `${countOf(toSend.length, 'order')} to send${oldest}`, run('orders:labels'))
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
  const unratedCount = sales.filter(({ Shipped, Rated }) => Shipped && !Rated).length
  // The list of the same sales.
  const pending = run('feedback:pending', { '--sent': true, '--since': `${FEEDBACK_MS / DAY_MS}d` })
  add('feedback', unratedCount, `${countOf(unratedCount, 'sale')} to rate, sent already`, pending)
}

/** One call: auctions and shop items that ended since yesterday began, or end until today ends. */
async function countEnds(ctx: Context): Promise<Record<'ending' | 'unsold' | 'shopEnding' | 'shopEnded', number>> {
  const now = ctx.clock.now()
  const today = dayOf(now)
  const since = startOfDay(addDays(today, -1))
  const query = ownItems({
    minEndDate: dateTimeOf(since),
    maxEndDate: dateTimeOf(startOfDay(addDays(today, 1)) - 1),
  })
  const client = await ctx.client()
  const fields = ['Id', 'ItemType', 'EndDate', 'TotalBids', 'Status', 'RemainingQuantity'] as const
  const counts = { ending: 0, unsold: 0, shopEnding: 0, shopEnded: 0 }
  // Items that the seller has removed need nothing more.
  const removals = findRemovals(await ctx.ledger(), shopOf(ctx), since)
  const items = provenItems(ctx, client, query, { text: 'Reading what ends', fields, shown: true })
  for await (const { Id, ItemType, EndDate, Status, RemainingQuantity } of items) {
    // An edition may leave out the end.
    const isActive = EndDate === undefined ? Status?.Ended === false : instantOf(EndDate) > now
    if (ItemType === 'Auction') {
      if (isActive) counts.ending++
      else if (Status?.GotWinner === false) counts.unsold++
    } else if (ItemType === 'ShopItem') {
      if (isActive) counts.shopEnding++
      else if (RemainingQuantity !== undefined && RemainingQuantity > 0 && !removals.has(Id)) counts.shopEnded++
    }
  }
  return counts
}

async function ofLedger(ctx: Context, add: Add): Promise<void> {
  const ledger = await ctx.ledger()
  const now = ctx.clock.now()
  const stoppedCount = unfinishedJobs(ctx, ledger).filter((job) => !job.Running && scheduledAt(ledger, job) === undefined).length
  add('jobs', stoppedCount, `${countOf(stoppedCount, 'job')} stopped before the end`, run('jobs:resume'))
  const byDay = unfinishedJobs(ctx, ledger)
    .filter((job) => readPace(ledger, job) !== undefined && scheduledAt(ledger, job) !== undefined)
    .map((job) => wholeJob(ledger, job.JobId))
    .filter(({ Counts }) => Counts.unsent > 0)
  const rows = byDay.reduce((sum, { Counts }) => sum + Counts.unsent, 0)
  const [next] = byDay.map((job) => scheduledAt(ledger, job) ?? 0).sort((one, other) => one - other)
  const wait = `${countOf(rows, 'row')} ${rows === 1 ? 'is' : 'are'} sent by the day, the next ${minuteOf(next ?? now)}`
  add('by_day', rows, wait, run('jobs:show', { id: byDay.at(-1)?.JobId ?? 0 }))
  const tomorrow = startOfDay(addDays(dayOf(now), 1))
  const turningCount = ledger.discounts
    .list({ profile: ctx.profile.name, state: ['planned', 'running'] })
    .filter(
      ({ State, StartsAt, EndsAt }) => State !== 'overdue' && Date.parse(State === 'planned' ? StartsAt : EndsAt) < tomorrow,
    ).length
  add(
    'discounts',
    turningCount,
    `${countOf(turningCount, 'discount')} ${turningCount === 1 ? 'begins or ends' : 'begin or end'} today`,
    run('discounts:list'),
  )
  await ofTimer(ctx, add)
}

/** Work that begins or ends by itself does so only where a timer runs jobs:due. */
async function ofTimer(ctx: Context, add: Add): Promise<void> {
  const { waiting, ran, fault, isKnown } = await dueTimer(ctx)
  if (isKnown) return
  const { discounts, jobs, closings } = waiting
  const count = discounts + jobs + closings
  const kinds = [
    ...(discounts > 0 ? [countOf(discounts, 'discount')] : []),
    ...(jobs > 0 ? [countOf(jobs, 'job')] : []),
    ...(closings > 0 ? ['the closing of the shop'] : []),
  ]
  const names = capital(new Intl.ListFormat('en').format(kinds))
  const wait = count === 1 ? 'waits' : 'wait'
  const words = `${names} ${wait} for jobs:due, and no known timer runs it: ${fault ?? `it ${ran}`}`
  add('no_timer', count, words, run('schedule:show'))
}
