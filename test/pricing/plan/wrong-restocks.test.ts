/**
 * Restocks of whole shops with a wrong column, made at random: how many the guards let through; and right ones, which they must
 * not hold.
 */
import { expect } from 'chai'
import { DEFAULT_GUARDS } from '../../../src/pricing/guards/index.js'
import { judgeStock } from '../../../src/pricing/plan/stock-guards.js'

/** Numbers that look random and are the same in every run (mulberry32). */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Item {
  readonly Id: number
  readonly stock: number
  readonly price: number
}
const SHOPS = 50
/** @param most of any item in stock */
const shopOf = (seed: number, most: number): Item[] => {
  const next = chance(seed)
  return Array.from({ length: 20 + Math.floor(next() * 180) }, (_, at) => {
    return { Id: 600_000 + at, stock: 1 + Math.floor(next() * most), price: 49 + 10 * Math.floor(next() * 80) }
  })
}

type Wrong = (items: readonly Item[], at: number, next: () => number) => number
const WRONG: Readonly<Record<string, Wrong>> = {
  'the column has slipped by a line': (items, at) => items[at + 1]?.stock ?? 0,
  'the price column is read': (items, at) => items[at]?.price ?? 0,
  'one number is in most rows': (items, at, next) => (next() < 0.7 ? 24 : (items[at]?.stock ?? 0) + 1),
  'there is an extra zero': (items, at) => (items[at]?.stock ?? 0) * 10,
}
const RIGHT: Readonly<Record<string, Wrong>> = {
  'a delivery has come': (items, at, next) => (items[at]?.stock ?? 0) + Math.floor(next() * 30),
  'a few were sold of each': (items, at, next) => Math.max(0, (items[at]?.stock ?? 0) - Math.floor(next() * 4)),
  'everything was counted again': (_, __, next) => Math.floor(next() * 60),
  'a few more are sold out, and the others came': (items, at, next) =>
    next() < 0.15 ? 0 : (items[at]?.stock ?? 0) + (next() < 0.7 ? 3 + (at % 4) : 0),
}

function passed(quantity: Wrong, most: number): number {
  let sent = 0
  for (let seed = 1; seed <= SHOPS; seed++) {
    const items = shopOf(seed, most)
    const next = chance(seed + 1000)
    const entries = items.map(({ Id, stock }, at) => {
      const Value = quantity(items, at, next)
      return { Id, Old: stock, Value, State: Value === stock ? ('unchanged' as const) : ('change' as const) }
    })
    const prices = new Map(items.map(({ Id, price }) => [Id, price]))
    if (judgeStock(entries, (id) => prices.get(id), DEFAULT_GUARDS) === null) sent++
  }
  return sent
}

describe(`a restock of each of ${SHOPS} shops`, () => {
  for (const most of [6, 40]) {
    for (const [name, quantity] of Object.entries(WRONG)) {
      it(`is held where ${name}, of at most ${most} each`, () => expect(passed(quantity, most)).to.equal(0))
    }
    for (const [name, quantity] of Object.entries(RIGHT)) {
      it(`is sent where ${name}, of at most ${most} each`, () => expect(passed(quantity, most)).to.equal(SHOPS))
    }
  }
})
