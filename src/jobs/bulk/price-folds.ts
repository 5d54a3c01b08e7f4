/**
 * Prices set by the price jobs of a past day, folded to one entry for each item. The drift guard looks back 14 days, and 25 jobs
 * a day over one shop are 350 prices of each item. The first plan that reads a day whose jobs have ended writes it. The mark of
 * those jobs is kept with it: one that is run again, or is pruned, has the day read and folded anew.
 */
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
  /** Mark that changes with the jobs of the day. */
  readonly mark: string
}

/** Gathers a day. */
export class DayFold implements PriceMoves {
  /** The first known price of the day; 0 for an item that was not moved. */
  readonly #firsts = new Map<number, number>()
  readonly #jumps = new Map<number, number[]>()

  noteMove(id: number, from: number, to: number): void {
    if (!this.#firsts.get(id)) this.#firsts.set(id, from > 0 ? from : to)
    if (from > 0 && Math.abs(to - from) > FINEST_JUMP * from) this.#jumps.set(id, [...(this.#jumps.get(id) ?? []), from, to])
  }

  noteEnded(id: number): void {
    if (!this.#firsts.has(id)) this.#firsts.set(id, 0)
  }

  /** Writes it in place of an older one, and removes those of days before the window. */
  write({ store }: Pick<Ledger, 'store'>, { profile, userId, day, mark }: FoldKey, firstDay: number): void {
    const writer = new VarintWriter()
    let last = 0
    for (const [id, first] of this.#firsts) {
      const jumps = this.#jumps.get(id) ?? []
      for (const value of [id - last, first, jumps.length, ...jumps]) writer.push(value)
      last = id
    }
    store.light(() => {
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
  const storedFold = store.first<{ mark: string; moves: ArrayBuffer }>(sql, profile, userId, day)
  if (storedFold?.mark !== mark) return false
  const reader = new VarintReader(new Uint8Array(storedFold.moves))
  for (let id = 0; !reader.done; ) {
    id += reader.next()
    const first = reader.next()
    if (first > 0) moves.noteMove(id, first, first)
    for (let jumps = reader.next(); jumps > 0; jumps -= 2) moves.noteMove(id, reader.next(), reader.next())
    moves.noteEnded(id)
  }
  return true
}
