/** Items and orders that a seller has to check once a copy of the ledger is the ledger again. */
import { minuteOf } from '../../contract/index.js'
import type { Look } from '../../contract/ledger.js'
import { isoOf } from '../../system/time.js'
import { countJobRows } from '../bulk/journal.js'
import { discountName } from '../discounts/index.js'
import type { Ledger } from '../ledger/ledger.js'
import type { Merge } from './merge.js'

export interface Restored {
  /** When the copy last recorded something, ms since 1970. */
  readonly madeAt: number
  /** Content of the replaced ledger; undefined if there was none, or it cannot be read. */
  readonly replaced: Merge | undefined
  readonly takeOver: boolean
}

/** Jobs and discounts first, each with the command that shows or ends it. */
export function whatToLookAt(ledger: Ledger, { madeAt, replaced, takeOver }: Restored): Look[] {
  const missingHere = takeOver ? [] : (replaced?.only ?? [])
  return [
    ...jobs(ledger),
    ...discounts(ledger),
    ...requests(ledger),
    ...missingHere.map(
      ({ What, Id, Words }): Look => ({
        ...{ What: 'replaced', Id, Profile: null, Command: null },
        Words: `${What} of the replaced ledger, not taken over: ${Words}`,
      }),
    ),
    ...ofTime(ledger, madeAt),
  ]
}

function jobs(ledger: Ledger): Look[] {
  return ledger.jobs.list({ state: ['open', 'waiting', 'unknown'], partOf: null }).flatMap((job): Look[] => {
    const { JobId, Kind, Profile, Title } = job
    if (ledger.store.first('SELECT 1 FROM restored_jobs WHERE job_id = ?', JobId) === undefined) return []
    const counts = Kind === 'listing' ? job.Counts : countJobRows(ledger, JobId)
    const what = Kind === 'listing' ? 'step' : 'row'
    const words = (
      [
        [counts.unknown, 'may have been sent since'],
        [counts.unsent + counts.sending, 'not sent as the copy knows'],
        [counts.queued, 'queued, without a result'],
      ] as const
    ).flatMap(([count, said]) => (count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'} ${said}`]))
    const Words = `${Title}: ${words.length === 0 ? 'not finished' : words.join(', ')}`
    return [{ What: 'job', Id: JobId, Profile, Words, Command: `jobs:show ${JobId}` }]
  })
}

function discounts(ledger: Ledger): Look[] {
  const now = ledger.clock.now()
  return ledger.discounts.list({ state: ['planned', 'running', 'ending'] }).map((discount): Look => {
    const { DiscountId: id, Name, Profile, StartsAt, EndsAt } = discount
    const name = discountName({ id, name: Name })
    const isOver = Date.parse(EndsAt) <= now
    const Words = isOver
      ? `${name} ended at ${minuteOf(Date.parse(EndsAt))}: prices that are still those of the discount are restored`
      : Date.parse(StartsAt) > now
        ? `${name} begins at ${minuteOf(Date.parse(StartsAt))}, unless you gave it up since`
        : `${name} runs until ${minuteOf(Date.parse(EndsAt))}; whether it was changed since is not known`
    return { What: 'discount', Id: id, Profile, Words, Command: isOver ? 'jobs:due' : `discounts:show ${id}` }
  })
}

function requests({ store }: Ledger): Look[] {
  return store
    .all<{ row: number; id: number | null; operation: string; subject: string; profile: string; state: string }>(
      `SELECT row, request_id AS id, operation, subject, profile, state FROM requests
       WHERE job_id IS NULL AND state IN ('unknown', 'queued') ORDER BY row`,
    )
    .map(({ row, id, operation, subject, profile, state }) => ({
      What: 'request',
      Id: id ?? row,
      Profile: profile,
      Words: `${operation} ${subject}: ${state === 'unknown' ? 'whether the service took it is not known' : 'queued, without a result'}`,
      Command: id === null ? 'requests:list' : `requests:wait ${id}`,
    }))
}

/** Work done since the copy, which the copy cannot tell. */
function ofTime({ store }: Ledger, madeAt: number): Look[] {
  const [at, since] = [minuteOf(madeAt), isoOf(madeAt)]
  const look = (What: Look['What'], Profile: string | null, Words: string, Command: string | null): Look => {
    return { What, Id: null, Profile, Words, Command }
  }
  return [
    ...store
      .all<{ profile: string; seen: number }>(
        `SELECT p.profile, EXISTS (SELECT 1 FROM price_shops s WHERE s.profile = p.profile) AS seen
         FROM (SELECT profile FROM jobs UNION SELECT profile FROM requests) p ORDER BY p.profile`,
      )
      .map(({ profile, seen }) =>
        seen === 1
          ? look('shop', profile, `prices that were set since ${at}, and items that came or left`, `shop:diff --since ${since}`)
          : look('shop', profile, `whatever was sent since ${at}: the copy does not know how the shop was then`, 'items:list'),
      ),
    ...store
      .all<{ profile: string; name: string }>(
        'SELECT s.profile, w.name FROM sale_watches w JOIN sales_shops s ON s.id = w.shop_id ORDER BY s.profile, w.name',
      )
      .map(({ profile, name }) =>
        look('watch', profile, `watch "${name}": what it delivered since ${at} is delivered again`, null),
      ),
    ...store
      .all<{ profile: string; form: string }>(
        'SELECT DISTINCT s.profile, e.form FROM exported_orders e JOIN sales_shops s ON s.id = e.shop_id ORDER BY s.profile, e.form',
      )
      .map(({ profile, form }) =>
        look('exports', profile, `orders exported as ${form} since ${at} are new to the next orders:export --new`, null),
      ),
  ]
}
