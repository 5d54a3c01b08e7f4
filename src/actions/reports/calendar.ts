/**
 * Swedish days, ISO weeks and months. The service's times are Swedish (docs/service.md, Dates and times), so a seller's day is
 * the Swedish one wherever the report is made; on the days the clocks change it has 23 or 25 hours.
 */
import { dateTimeOf, instantOf } from '../../contract/index.js'
import { DAY_MS } from '../../system/durations.js'

/** The Swedish date at a time, `2026-11-22`. @param instant ms since 1970 */
export function dayOf(instant: number): string {
  return dateTimeOf(instant).slice(0, 10)
}

/** When a Swedish day begins, ms since 1970. */
export function startOfDay(day: string): number {
  return instantOf(`${day}T00:00:00`)
}

/** A date so many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** 1 for Monday to 7 for Sunday (ISO 8601). */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7
}

/** The ISO week of a date, `2026-W47`: it belongs to the year that its Thursday is in. */
export function weekOf(day: string): string {
  const thursday = addDays(day, 4 - weekdayOf(day))
  const year = thursday.slice(0, 4)
  const dayOfYear = (Date.parse(`${thursday}T00:00:00Z`) - Date.parse(`${year}-01-01T00:00:00Z`)) / DAY_MS
  return `${year}-W${String(Math.floor(dayOfYear / 7) + 1).padStart(2, '0')}`
}

/** Time on a Swedish clock at an instant, as ms since 1970 of a clock without zone: a day of it always has 24 hours. */
export function wallOf(instant: number): number {
  return Date.parse(`${dateTimeOf(instant).slice(0, -6)}Z`)
}

/** The instant at which a Swedish clock shows this. */
export function instantOfWall(wall: number): number {
  return instantOf(new Date(wall).toISOString().slice(0, -1))
}

/** The same date and time of day so many months later; the last day of the month, where that has no such date. */
export function monthsLater(instant: number, months: number): number {
  const wall = new Date(wallOf(instant))
  const day = wall.getUTCDate()
  wall.setUTCMonth(wall.getUTCMonth() + months)
  if (wall.getUTCDate() !== day) wall.setUTCDate(0)
  return instantOfWall(wall.getTime())
}

/** Calendar months of a period that begins with one and ends with one; 0 of any other. @param until ms, not included */
export function wholeMonths(from: number, until: number): number {
  const [first, next] = [from, until].map((instant) => new Date(wallOf(instant))) as [Date, Date]
  if ([first, next].some((wall) => wall.getUTCDate() !== 1 || wall.getTime() % DAY_MS !== 0)) return 0
  return (next.getUTCFullYear() - first.getUTCFullYear()) * 12 + next.getUTCMonth() - first.getUTCMonth()
}
