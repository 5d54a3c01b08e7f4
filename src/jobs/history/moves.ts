/** Changes found by one reading of the live list, and their packed form. */
import { VarintReader, VarintWriter } from './varints.js'

/** In place of a price: the item is not in the shop. */
export const ABSENT = -1

/** One price that changed. Kronor; 0 if the item has no price, ABSENT if it is not in the shop. */
export interface Move {
  readonly id: number
  readonly from: number
  readonly to: number
  /** The job that set it; 0 for a change from outside. */
  readonly job: number
}

/** Packs moves in the order in which they come. Those of one item are in the order in which they happened. */
export function packMoves(moves: Iterable<Move>): { bytes: Uint8Array; count: number } {
  const writer = new VarintWriter()
  let [lastId, lastJob, count] = [0, 0, 0]
  for (const { id, from, to, job } of moves) {
    writer.push(id - lastId)
    writer.push(from)
    writer.push(to - from)
    writer.push(job - lastJob)
    lastId = id
    lastJob = job
    count++
  }
  return { bytes: writer.bytes, count }
}

/** @throws RangeError for bytes that are cut short */
export function* unpackMoves(bytes: Uint8Array): Generator<Move> {
  const reader = new VarintReader(bytes)
  let [id, job] = [0, 0]
  while (!reader.done) {
    id += reader.next()
    const from = reader.next()
    const to = from + reader.next()
    job += reader.next()
    yield { id, from, to, job }
  }
}
