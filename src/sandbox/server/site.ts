import type { Marketplace } from '../marketplace/types.js'
import type { Served } from './served.js'
import type { Weather, WeatherStation } from './weather.js'

/** One running sandbox: what every part of the server works on. */
export interface Site {
  readonly marketplace: Marketplace
  readonly weather: WeatherStation
  readonly namespace: string
  readonly served: Served
  /** Aborted when the server closes: no call waits any longer. */
  readonly closing: AbortSignal
  readonly log: (line: string) => void
}

/** Hands the part of the weather that the marketplace makes itself on to its settings. */
export function applyWeather(marketplace: Marketplace, weather: Weather): void {
  const { settings } = marketplace
  settings.queueDelayMs = weather.queueDelayMs
  settings.queueCodes = weather.queueCodes
  settings.maxItemsPerCall = weather.maxItems
  settings.quota = weather.quota
  settings.seed = weather.seed
}
