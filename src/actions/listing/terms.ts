/** Facts of new listings that a person says yes to, next to the question: when they begin and end, and their known fees. */
import { instantOf, minuteOf, RESERVE_PRICE_FEE, ROW_STATES, type ShownJob } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { bulkRows, type RelistToSend } from '../../jobs/bulk/index.js'
import type { ItemRequestInput, Ledger } from '../../jobs/index.js'
import { DAY_MS } from '../../system/durations.js'
import { isoOf } from '../../system/time.js'
import type { ShopItemInput } from '../input/kinds.js'

/** A request for a new listing, of either kind, as far as its terms go. */
export type Terms = Partial<
  Pick<ItemRequestInput, 'ReservePrice' | 'Restarts' | 'CustomEndDate' | 'ExpoItemIds' | 'Duration' | 'ItemType'> &
    Pick<ShopItemInput, 'ActivateDate' | 'DeactivateDate'>
>

/** When a listing begins and ends, ms since 1970; null for at once, and for no end. */
export interface Period {
  readonly starts: number | null
  readonly ends: number | null
}

/** @param now the time at which what begins at once begins, ms since 1970 */
export function listingPeriod({ Duration, CustomEndDate, ActivateDate, DeactivateDate }: Terms, now: number): Period {
  const at = (text: string | null | undefined): number | null => (text ? instantOf(text) : null)
  const starts = at(ActivateDate)
  const days = typeof Duration === 'number' && Duration > 0 ? (starts ?? now) + Duration * DAY_MS : null
  return { starts, ends: at(CustomEndDate) ?? at(DeactivateDate) ?? days }
}

/** `They begin at once and end from 2026-12-01 09:00 to 2026-12-05 09:00.` Empty where nothing begins later and nothing ends. */
export function periodWords(periods: readonly Period[]): string {
  const [starts, ends] = [periods.map((period) => period.starts), periods.map((period) => period.ends)]
  if ([...starts, ...ends].every((at) => at === null)) return ''
  const one = periods.length === 1
  const finish = ends.every((at) => at === null)
    ? `${one ? 'has' : 'have'} no end`
    : `${one ? 'ends' : 'end'} ${span(ends, 'never')}`
  return `${one ? 'It begins' : 'They begin'} ${span(starts, 'at once')} and ${finish}.`
}

/** `at once, until 2026-12-05 09:00`. */
export function periodPhrase({ starts, ends }: Period): string {
  return `${starts === null ? 'at once' : `from ${minuteOf(starts)}`}${ends === null ? '' : `, until ${minuteOf(ends)}`}`
}

/** @param none the word for null */
function span(times: readonly (number | null)[], none: string): string {
  const knownTimes = times.filter((at): at is number => at !== null).sort((one, other) => one - other)
  const [first, last] = [knownTimes[0], knownTimes.at(-1)]
  if (first === undefined || last === undefined) return none
  const words = first === last ? minuteOf(first) : `from ${minuteOf(first)} to ${minuteOf(last)}`
  return knownTimes.length === times.length ? words : `${none} (${times.length - knownTimes.length}) or ${words}`
}

/** The first begin and the last end, ISO 8601: null for at once, and for no end. */
export interface PeriodShown {
  readonly StartsAt: string | null
  readonly EndsAt: string | null
}

export function periodShown(periods: readonly Period[]): PeriodShown {
  let [first, last]: [number | null | undefined, number | null] = [undefined, null]
  for (const { starts, ends } of periods) {
    first = first === undefined ? starts : first === null || starts === null ? null : Math.min(first, starts)
    if (ends !== null) last = Math.max(last ?? ends, ends)
  }
  return { StartsAt: isoOrNull(first ?? null), EndsAt: isoOrNull(last) }
}

export const isoOrNull = (at: number | null): string | null => (at === null ? null : isoOf(at))

/** The period of what a job puts on sale, from its rows; null for kinds that put nothing on sale. */
export function periodOfJob(
  ledger: Ledger,
  { JobId, Kind, CreatedAt }: Pick<ShownJob, 'JobId' | 'Kind' | 'CreatedAt'>,
): PeriodShown {
  if (Kind !== 'relist' && Kind !== 'add-item' && Kind !== 'add-shop') return { StartsAt: null, EndsAt: null }
  const begunAt = Date.parse(CreatedAt)
  const periods = Array.from(bulkRows(ledger, JobId, SENT), ({ Payload }) => {
    if (Kind !== 'relist') return listingPeriod(Payload as Terms, begunAt)
    const { Request, StartsAt } = Payload as RelistToSend
    return listingPeriod({ ...Request, ActivateDate: StartsAt }, begunAt)
  })
  return periodShown(periods)
}

/** States of rows that a job has sent or will send. */
const SENT = ROW_STATES.filter((state) => state !== 'held' && state !== 'skipped')

/** The service has no operation that tells a listing fee or a commission (docs/service.md, Operations). */
export const LISTING_FEES = 'The service does not say what a listing costs, nor its commission: see its price list.'

/** Fees for new reserve prices, kronor. */
export function reserveFees(listings: readonly Terms[]): number {
  return listings.filter(({ ReservePrice }) => (ReservePrice ?? 0) > 0).length * RESERVE_PRICE_FEE
}

/** Fees whose amount the service does not tell, a sentence each; of several listings with the number of those that have it. */
export function unknownFees(listings: readonly Terms[]): string[] {
  const of = (has: (terms: Terms) => boolean, words: string): string[] => {
    const count = listings.filter(has).length
    if (count === 0) return []
    return [listings.length === 1 ? `${words}.` : `${words}: ${countOf(count, 'item')}.`]
  }
  return [
    ...of(({ Restarts }) => (Restarts ?? 0) > 0, 'Each restart costs as much as a new auction'),
    ...of(({ CustomEndDate }) => typeof CustomEndDate === 'string', 'An end time of your own costs extra'),
    ...of(({ ExpoItemIds }) => (ExpoItemIds ?? []).length > 0, 'Extra exposure costs extra'),
    LISTING_FEES,
  ]
}
