/** Durations as people type them (`1h30m`) and as they are shown (`1 h 30 min`). */
import type { Clock } from './clock.js'

export const SECOND_MS = 1000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** The longest age of anything: a thousand years, so that no sum of times overflows. */
export const LONGEST_AGE_MS = 365_000 * DAY_MS

const UNITS = { d: DAY_MS, h: HOUR_MS, m: MINUTE_MS, s: SECOND_MS, ms: 1 } as const

/**
 * Reads a duration with a unit on every part: 500ms, 90s, 10m, 1.5h, 1h30m, 2d.
 * @returns whole ms; undefined for any other text
 */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)]
  return Math.round(parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit as keyof typeof UNITS], 0))
}

/** Formats a duration for parseDuration, in the largest exact unit: `90s`, `10m`, `24h`, `2d`. One day is `24h`. */
export function formatDuration(ms: number): string {
  const units = Object.entries(UNITS).filter(([unit, size]) => ms > 0 && ms % size === 0 && (unit !== 'd' || ms > DAY_MS))
  const [unit, size] = units[0] ?? ['ms', 1]
  return `${ms / size}${unit}`
}

/** Formats a duration for people, rounded up so that waiting this long is enough: `8 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.ceil(seconds / 60)
  if (minutes >= 48 * 60) {
    const hours = Math.ceil(minutes / 60)
    return hours % 24 === 0 ? `${hours / 24} days` : `${Math.floor(hours / 24)} days ${hours % 24} h`
  }
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** The machine that a time is shown on. */
type Machine = Pick<Clock, 'now' | 'zone'>

/**
 * Formats a wait and its end for people: `22 h 55 min, at 2026-11-23 16:03`, and without a time for less than a minute. The time
 * is Swedish, like all times of the service, and says so where the machine's clock shows another one.
 * @param word before the time: `at` what happens then, `until` it
 */
export function waitText(ms: number, machine: Machine, word: 'at' | 'until' = 'at'): string {
  const wait = durationText(ms)
  return ms <= MINUTE_MS ? wait : `${wait}, ${word} ${clockText(machine.now() + ms, machine)}`
}

/** Swedish dates are written this way, and so are those of ISO 8601. */
const CLOCK = { dateStyle: 'short', timeStyle: 'short' } as const

/** `2026-11-23 16:03`, rounded up to the minute like the wait. */
function clockText(instant: number, { zone }: Machine): string {
  const at = Math.ceil(instant / MINUTE_MS) * MINUTE_MS
  const swedish = new Date(at).toLocaleString('sv-SE', { ...CLOCK, timeZone: 'Europe/Stockholm' })
  return new Date(at).toLocaleString('sv-SE', { ...CLOCK, timeZone: zone }) === swedish ? swedish : `${swedish} Swedish time`
}
