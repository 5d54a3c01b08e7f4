/** Tells a person once a day, whatever the command, that work is overdue: a timer that has died says nothing itself. */
import type { Output } from '../format/output/types.js'
import { type Ledger, overdueWork, type ShopKey } from '../jobs/ledger/index.js'
import { run, say } from '../messages/index.js'
import { DAY_MS, durationText } from '../system/durations.js'

/** Commands that say it themselves. */
const SAYING: ReadonlySet<string> = new Set(['jobs:due', 'today', 'doctor', 'discounts:list', 'ledger:restore'])

export function warnOfOverdue(ledger: Ledger, shop: ShopKey, command: string, output: Pick<Output, 'warn' | 'hint'>): void {
  if (SAYING.has(command)) return
  const [first, ...others] = overdueWork(ledger, shop)
  if (first === undefined) return
  const now = ledger.clock.now()
  const lastWarning = ledger.signs.last(shop.profile, 'overdue')?.at
  if (lastWarning !== undefined && now - lastWarning < DAY_MS) return
  ledger.signs.note(shop.profile, 'overdue')
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  const last = ledger.signs.last(shop.profile, 'due')?.at
  const ran = last === undefined ? 'jobs:due has not run yet.' : `jobs:due last ran ${durationText(Math.max(0, now - last))} ago.`
  output.warn(`Overdue: ${first.Name}, since ${durationText(now - first.since)}${more}. ${ran}`)
  output.hint(say`Do it now with: ${run('jobs:due')}. See why the timer does not with: ${run('doctor')}`)
}
