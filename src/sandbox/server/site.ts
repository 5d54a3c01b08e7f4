import type { HostKind } from '../../soap/server/index.js'
import type { Marketplace } from '../marketplace/index.js'
import type { AcceptAddress } from '../options.js'
import type { FaultInjection, FaultInjector } from './fault-injection.js'
import type { Served } from './served.js'

/** One running sandbox, shared by all parts of the server. */
export interface Site {
  readonly marketplace: Marketplace
  readonly faults: FaultInjector
  readonly namespace: string
  readonly served: Served
  readonly host: HostKind
  readonly accept: AcceptAddress | undefined
  /** Aborted when the server closes, so that no call waits any longer. */
  readonly closing: AbortSignal
  readonly log: (line: string) => void
}

/** Passes those faults to the marketplace that it injects itself. */
export function applyFaults(marketplace: Marketplace, faults: FaultInjection): void {
  const { settings } = marketplace
  settings.queueDelayMs = faults.queueDelayMs
  settings.queueCodes = faults.queueCodes
  settings.maxItemsPerCall = faults.maxItems
  settings.quota = faults.quota
  settings.seed = faults.seed
}
