/**
 * Weather: what a real service does to its callers and a test service never does. Everything is drawn from one seeded
 * sequence, so that a run that failed can be had again.
 */

import { SHOP_ITEMS_PER_CALL } from '../../contract/index.js'
import { sequence } from '../../system/random.js'

import type { QueueCodes, Quota } from '../marketplace/types.js'

export interface Weather {
  /** How long a call waits before it is looked at, drawn evenly between the two, in ms. */
  readonly latency: { readonly minMs: number; readonly maxMs: number }
  /** Share of calls (0 to 1) whose connection is closed before anything is done. */
  readonly dropBefore: number
  /** Share of calls (0 to 1) that are carried out and whose connection is then closed, before or during the reply. */
  readonly dropAfter: number
  /** Share of calls (0 to 1) that get HTTP 503 and are not carried out. */
  readonly unavailable: number
  /** Calls an application may make in a window; HTTP 429 beyond. null: no quota. */
  readonly quota: Quota | null
  /** How long after it was queued a request is carried out, in ms. */
  readonly queueDelayMs: number
  readonly queueCodes: readonly QueueCodes[]
  /** Entries that one SetPriceOnShopItems call may hold. */
  readonly maxItems: number
  /** Where the drawn sequence begins: a whole number from 0 to 2147483647. */
  readonly seed: number
}

export const CALM: Weather = {
  latency: { minMs: 0, maxMs: 0 },
  dropBefore: 0,
  dropAfter: 0,
  unavailable: 0,
  quota: null,
  // Shorter than the second after which the tool first asks for results, longer than any client's next call.
  queueDelayMs: 500,
  queueCodes: [],
  maxItems: SHOP_ITEMS_PER_CALL,
  seed: 1,
}

/** What happens to one call. `cut`: a dropped reply is cut in its middle; otherwise nothing of it is sent. */
export interface Forecast {
  readonly latencyMs: number
  readonly ending: 'served' | 'unavailable' | 'dropped before' | 'dropped after'
  readonly cut: boolean
}

/** The weather now, and what it does to the next call. */
export class WeatherStation {
  #weather: Weather
  #random: () => number

  constructor(weather: Partial<Weather> = {}) {
    this.#weather = { ...CALM, ...weather }
    this.#random = sequence(this.#weather.seed)
  }

  get now(): Weather {
    return this.#weather
  }

  /** Changes what is named; naming a seed restarts its sequence. */
  change(weather: Partial<Weather>): Weather {
    this.#weather = { ...this.#weather, ...weather }
    if (weather.seed !== undefined) this.#random = sequence(weather.seed)
    return this.#weather
  }

  /** Always draws five numbers, so that earlier settings do not change which later calls fail. */
  next(): Forecast {
    const [latency, unavailable, before, after, cut] = Array.from({ length: 5 }, this.#random) as [
      number,
      number,
      number,
      number,
      number,
    ]
    const { latency: range, ...weather } = this.#weather
    let ending: Forecast['ending'] = 'served'
    if (unavailable < weather.unavailable) ending = 'unavailable'
    else if (before < weather.dropBefore) ending = 'dropped before'
    else if (after < weather.dropAfter) ending = 'dropped after'
    return { latencyMs: Math.round(range.minMs + latency * (range.maxMs - range.minMs)), ending, cut: cut < 0.5 }
  }
}
