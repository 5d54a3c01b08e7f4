/**
 * What the price jobs of a past day have set, folded to one entry for each item. The drift guard looks back 14 days, and 25 jobs a day over one
 * shop are 350 prices of each item. The first plan that reads a day whose jobs have ended writes it. The mark of those jobs is kept with it: one
 * that is run again, or is pruned, has the day read and folded anew.
 */
import { IdColumn, IntColumn } from '../../rows/packed.js'
import { VarintReader, VarintWriter } from '../history/varints.js'
import type { Ledger } from '../ledger/ledger.js'

/** Takes what jobs have done to prices, in the order of the jobs. */
export interface PriceMoves {
  noteMove(id: number, from: number, to: number): void
  noteEnded(id: number): void
}

/** Larger steps are kept one by one: where the seller let one through, the guard begins anew. */
const FINEST_JUMP = 0.1

/** A day of a shop. */
export interface FoldKey {
  readonly profile: string
  /** 0 where the profile names none. */
  readonly userId: number
  /** Days since 1970, UTC. */
  readonly day: number
  /** What tells the jobs of the day from others, and from what they were. */
  readonly mark: string
}

/** Gathers a day, 12 bytes per item. */
export class DayFold implements PriceMoves {
  readonly #ids = new IdColumn()
  /** The first known price of the day; 0 for an item that was not moved. */
  readonly #firsts = new IntColumn()
  readonly #jumps = new Map<number, number[]>()

  noteMove(id: number, from: number, to: number): void {
    const at = this.#place(id)
    if (this.#firsts.get(at) === 0) this.#firsts.set(at, from > 0 ? from : to)
    if (from > 0 && Math.abs(to - from) > FINEST_JUMP * from) this.#jumps.set(at, [...(this.#jumps.get(at) ?? []), from, to])
  }

  noteEnded(id: number): void {
    this.#place(id)
  }

  #place(id: number): number {
    const known = this.#ids.add(id)
    if (known >= 0) return known
    this.#firsts.push(0)
    return this.#ids.length - 1
  }

  /** Writes it in place of an older one, and removes those of days before the window. */
  write({ store }: Pick<Ledger, 'store'>, { profile, userId, day, mark }: FoldKey, firstDay: number): void {
    const writer = new VarintWriter()
    let last = 0
    for (let at = 0; at < this.#ids.length; at++) {
      const jumps = this.#jumps.get(at) ?? []
      for (const value of [this.#ids.get(at) - last, this.#firsts.get(at), jumps.length, ...jumps]) writer.push(value)
      last = this.#ids.get(at)
    }
    store.transaction(() => {
      store.run('DELETE FROM price_folds WHERE profile = ? AND user_id = ? AND day < ?', profile, userId, firstDay)
      store.run('INSERT OR REPLACE INTO price_folds VALUES (?, ?, ?, ?, ?)', profile, userId, day, mark, writer.bytes)
    })
  }
}

/** Hands on a day that is folded. @returns whether it is, by these jobs @param jump as for knownPrices */
export function readFold(
  { store }: Pick<Ledger, 'store'>,
  { profile, userId, day, mark }: FoldKey,
  jump: number | null,
  moves: PriceMoves,
): boolean {
  if (jump !== null && jump < FINEST_JUMP) return false
  const sql = 'SELECT mark, moves FROM price_folds WHERE profile = ? AND user_id = ? AND day = ?'
  const found = store.first<{ mark: string; moves: ArrayBuffer }>(sql, profile, userId, day)
  if (found?.mark !== mark) return false
  const reader = new VarintReader(new Uint8Array(found.moves))
  for (let id = 0; !reader.done; ) {
    id += reader.next()
    const first = reader.next()
    if (first > 0) moves.noteMove(id, first, first)
    for (let jumps = reader.next(); jumps > 0; jumps -= 2) moves.noteMove(id, reader.next(), reader.next())
    moves.noteEnded(id)
  }
  return true
}
