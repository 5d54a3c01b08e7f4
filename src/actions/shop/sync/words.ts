/** What is said about a sync on stderr: the plan, what it leaves alone, what the seller has to change, what is asked. */
import type { Context } from '../../../cli/context.js'
import { thousands } from '../../../format/output/index.js'
import { countOf, type ReasonShown, reasonLines, type SyncSummaryShown } from '../../../format/views/index.js'
import type { PlannedSync } from './plan.js'
import { byHandRows } from './rows.js'

/** Reasons and differences that are named; --dry-run and --json have all. */
const NAMED = 5

/** `30 new prices, 4 new stock levels, 10 new items and 2 removals` */
export function countsOf({ Reprice, Restock, Add, Remove }: SyncSummaryShown): string {
  const counts = [
    [Reprice, 'new price'],
    [Restock, 'new stock level'],
    [Add, 'new item'],
    [Remove, 'removal'],
  ] as const
  const parts = counts.flatMap(([count, noun]) => (count === 0 ? [] : [countOf(count, noun)]))
  const last = parts.pop()
  return parts.length === 0 ? (last ?? '') : `${parts.join(', ')} and ${last}`
}

/** Says what is on its way already, and what the comparison leaves alone. */
export function tellRest(
  ctx: Context,
  { plan, removeMissing }: PlannedSync,
  { Missing, WithoutReference }: SyncSummaryShown,
): void {
  const note = (text: string) => ctx.output.note(text)
  const { pending, leaving, soldOut } = plan
  if (pending.length > 0) {
    const rows = [...pending].map(({ row, item, reason }) => {
      return { Line: row.line, Id: item?.Id ?? null, OwnReference: row.references[0] ?? null, Reason: reason }
    })
    note([`${countOf(rows.length, 'row')} on the way already, not sent again:`, ...named(rows, widthOf(ctx))].join('\n'))
  }
  if (Missing - leaving > 0 && !removeMissing) {
    const [are, stay, such] = Missing - leaving === 1 ? ['is', 'stays', 'it'] : ['are', 'stay', 'them']
    note(`${countOf(Missing - leaving, 'live item')} ${are} not in the catalogue and ${stay}; --remove-missing removes ${such}.`)
  }
  if (leaving > 0)
    note(`${countOf(leaving, 'live item')} not in the catalogue ${leaving === 1 ? 'is' : 'are'} being removed already.`)
  if (WithoutReference > 0) {
    const [have, are] = WithoutReference === 1 ? ['has', 'is'] : ['have', 'are']
    note(`${countOf(WithoutReference, 'live item')} ${have} no own reference and ${are} left alone.`)
  }
  if (soldOut > 0) {
    const [names, is] = soldOut === 1 ? ['names an item that is', 'it is'] : ['name items that are', 'they are']
    note(`${countOf(soldOut, 'row')} with a stock of 0 ${names} not live, so ${is} not added.`)
  }
}

/** Names fields that the seller has to change. */
export function tellByHand(ctx: Context, planned: PlannedSync): void {
  const rows = [...byHandRows(planned)].map(({ Field, Live, Wanted, ...row }) => {
    return { ...row, Reason: `${Field} is ${short(Live)}, not ${short(Wanted)}` }
  })
  if (rows.length === 0) return
  const what = `${countOf(rows.length, 'field')} ${rows.length === 1 ? 'differs' : 'differ'} that a sync cannot change:`
  ctx.output.warn([what, ...named(rows, widthOf(ctx))].join('\n'))
  ctx.output.hint(
    planned.canUpdate
      ? `Change them with: seller shop:update ID${ctx.profileFlag()}. All of them: --dry-run or --json.`
      : 'Change them on the website, or remove the item and add it again. All of them: --dry-run or --json.',
  )
}

/** Longest text of a value that is named. */
const SHORT = 40

function short(value: unknown): string {
  if (value === null || value === '') return 'empty'
  const text = typeof value === 'string' ? `"${value.replace(/\s+/g, ' ')}"` : JSON.stringify(value)
  return text.length > SHORT ? `${text.slice(0, SHORT - 1)}…` : text
}

function widthOf(ctx: Context): number | undefined {
  return ctx.errorTerminal ? ctx.output.width : undefined
}

function named(rows: readonly ReasonShown[], width: number | undefined): string[] {
  const more = rows.length > NAMED ? [`  … and ${thousands(rows.length - NAMED)} more`] : []
  return [...reasonLines(rows.slice(0, NAMED), width), ...more]
}
