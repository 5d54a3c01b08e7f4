import type { Marketplace } from '../marketplace/types.js'
import type { FaultInjection, FaultInjector } from './fault-injection.js'
import type { Served } from './served.js'

/** One running sandbox: what every part of the server works on. */
export interface Site {
  readonly marketplace: Marketplace
  readonly faults: FaultInjector
  readonly namespace: string
  readonly served: Served
  /** Aborted when the server closes: no call waits any longer. */
  readonly closing: AbortSignal
  readonly log: (line: string) => void
}

/** Passes on to the marketplace the faults that it injects itself. */
export function applyFaults(marketplace: Marketplace, faults: FaultInjection): void {
  const { settings } = marketplace
  settings.queueDelayMs = faults.queueDelayMs
  settings.queueCodes = faults.queueCodes
  settings.maxItemsPerCall = faults.maxItems
  settings.quota = faults.quota
  settings.seed = faults.seed
}
