/** Lists that make their entries when they are asked for, as arrays to compare. */
import type { Made } from '../../../src/rows/stored-list.js'

export type Listed<T> = { [K in keyof T]: T[K] extends Made<infer E> ? E[] : T[K] }

export function listed<T extends object>(given: T): Listed<T> {
  const entries = Object.entries(given).map(([key, value]) => [key, isMade(value) ? [...value] : value])
  return Object.fromEntries(entries) as Listed<T>
}

function isMade(value: unknown): value is Made<unknown> {
  return typeof value === 'object' && value !== null && 'at' in value && Symbol.iterator in value
}
