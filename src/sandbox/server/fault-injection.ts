/**
 * Fault injection: failures of real services that test services usually do not have. Everything is drawn from one seeded
 * sequence, so that a failed run can be repeated.
 */

import { SHOP_ITEMS_PER_CALL } from '../../contract/index.js'
import { sequence } from '../../system/random.js'

import type { QueueCodes, Quota } from '../marketplace/types.js'

export interface FaultInjection {
  /** Time for which a call waits before it is read, drawn evenly between the two, in ms. */
  readonly latency: { readonly minMs: number; readonly maxMs: number }
  /** Share of calls (0 to 1) whose connection is closed before anything is done. */
  readonly dropBefore: number
  /** Share of calls (0 to 1) that are carried out and whose connection is then closed, before or during the reply. */
  readonly dropAfter: number
  /** Share of calls (0 to 1) that get HTTP 503 and are not carried out. */
  readonly unavailable: number
  /** Calls an application may make in a window; HTTP 429 beyond. null: no quota. */
  readonly quota: Quota | null
  /** Time between the queueing of a request and its processing, in ms. */
  readonly queueDelayMs: number
  readonly queueCodes: readonly QueueCodes[]
  /** Entries that one SetPriceOnShopItems call may hold. */
  readonly maxItems: number
  /** Text that stands, as it is, in the first title or street of each reply: a character that XML forbids; none if empty. */
  readonly badCharacters: string
  /** The first value of an element in each reply that is another than it should be; null for none. */
  readonly badValue: { readonly element: string; readonly text: string } | null
  /** The seed of the sequence: a whole number from 0 to 2147483647. */
  readonly seed: number
}

export const NO_FAULTS: FaultInjection = {
  latency: { minMs: 0, maxMs: 0 },
  dropBefore: 0,
  dropAfter: 0,
  unavailable: 0,
  quota: null,
  // Shorter than the second after which the tool first asks for results, but longer than the time to any client's next call.
  queueDelayMs: 500,
  queueCodes: [],
  maxItems: SHOP_ITEMS_PER_CALL,
  badCharacters: '',
  badValue: null,
  seed: 1,
}

/** Fault injected into one call. `cut`: a dropped reply is cut in its middle; otherwise nothing of it is sent. */
export interface InjectedFault {
  readonly latencyMs: number
  readonly ending: 'served' | 'unavailable' | 'dropped before' | 'dropped after'
  readonly cut: boolean
}

/** Holds the settings and decides what happens to the next call. */
export class FaultInjector {
  #settings: FaultInjection
  #random: () => number

  constructor(settings: Partial<FaultInjection> = {}) {
    this.#settings = { ...NO_FAULTS, ...settings }
    this.#random = sequence(this.#settings.seed)
  }

  get now(): FaultInjection {
    return this.#settings
  }

  /** Changes the given settings. A given seed restarts its sequence. */
  change(settings: Partial<FaultInjection>): FaultInjection {
    this.#settings = { ...this.#settings, ...settings }
    if (settings.seed !== undefined) this.#random = sequence(settings.seed)
    return this.#settings
  }

  /** Always draws five numbers, so that earlier settings do not change which later calls fail. */
  next(): InjectedFault {
    const [latency, unavailable, before, after, cut] = Array.from({ length: 5 }, this.#random) as [
      number,
      number,
      number,
      number,
      number,
    ]
    const { latency: range, ...shares } = this.#settings
    let ending: InjectedFault['ending'] = 'served'
    if (unavailable < shares.unavailable) ending = 'unavailable'
    else if (before < shares.dropBefore) ending = 'dropped before'
    else if (after < shares.dropAfter) ending = 'dropped after'
    return { latencyMs: Math.round(range.minMs + latency * (range.maxMs - range.minMs)), ending, cut: cut < 0.5 }
  }
}
