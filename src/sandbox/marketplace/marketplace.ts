/** The marketplace: carries out one call after the other on one store. */

import { type Operation, SHOP_ITEMS_PER_CALL } from '../../contract/index.js'
import type { Store } from '../../system/sqlite.js'
import { createConsole } from './control/console.js'
import { createControl } from './control/control.js'
import { runDueWork } from './rules/due-work.js'
import { admit, authenticateUser } from './rules/identity.js'
import { findHandler } from './rules/operations.js'
import { seed } from './seed/seed.js'
import type { Scene } from './store/scene.js'
import { openMarketStore } from './store/store.js'
import { type Caller, type MarketplaceOptions, type MarketplaceSettings, SandboxError } from './types.js'

/** The defaults. */
export const STANDARD_SETTINGS: Readonly<MarketplaceSettings> = {
  strict: false,
  queueDelayMs: 1500,
  queueCodes: [],
  maxItemsPerCall: SHOP_ITEMS_PER_CALL,
  quota: null,
  linkBase: 'http://127.0.0.1',
  seed: 1,
  eidStepMs: 1500,
  eidApproveAfterMs: null,
}

/**
 * Opens the marketplace of a SQLite file, which is created and seeded if it does not exist. Several processes may have one file
 * open.
 * @throws {SandboxError} if the file is not a sandbox, is damaged, or was made by a newer version.
 */
export function openMarketplace(options: MarketplaceOptions) {
  const { path, clock } = options
  const store = openMarketStore(path, (fresh) => seed(fresh, clock.now()))
  const settings: MarketplaceSettings = { ...STANDARD_SETTINGS, ...options.settings }
  const now = () => clock.now() + clockOffset(store)
  const scene = (): Scene => {
    if (!store.open) throw new SandboxError('The marketplace is closed.')
    return { store, settings, now: now() }
  }

  /**
   * Carries out one operation as the service would, after due queued work. Parameters are those from the decoder. A list in a
   * result may be an Iterable that reads rows as it goes and can be read once.
   * @returns the value of `<Op>Result`; null if the service leaves it out or the operation has none
   * @throws {ServiceFault} a SOAP fault
   * @throws {Refusal} 403 or 429
   */
  const perform = (operation: Operation, params: Record<string, unknown>, caller: Caller): unknown => {
    const handler = findHandler(operation)
    if (handler === undefined)
      throw new SandboxError(`The marketplace has no operation ${operation.name} in ${operation.service}.`)
    const moment = scene()
    admit(moment, operation, caller)
    const userId = authenticateUser(moment, operation, caller)
    runDueWork(moment)
    const call = { ...moment, operation, userId }
    return operation.kind === 'read' ? handler(call, params) : store.transaction(() => handler(call, params))
  }

  return {
    perform,
    settings,
    console: createConsole(scene),
    control: createControl(scene, () => seed(store, clock.now())),
    /** The marketplace's time, ms since 1970: that of the clock, moved by control.advance. */
    now,
    /** May be called twice. */
    close: () => store.close(),
  }
}

export type Marketplace = ReturnType<typeof openMarketplace>

/** Time by which control.advance has moved the clock, ms. Kept in the file, so that it applies to every process. */
function clockOffset(store: Store): number {
  return store.first<{ value: number }>("SELECT value FROM meta WHERE key = 'clock_offset'")?.value ?? 0
}
