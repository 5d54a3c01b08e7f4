/** The interface of the marketplace: the rules of the service over one SQLite file, without HTTP. */

export { openMarketplace } from './marketplace.js'
export { MEMBERS as SANDBOX_SELLERS, type SandboxSeller } from './seed/sellers.js'
export { imageIdOf } from './store/links.js'
export {
  type Caller,
  type ChargedFee,
  type ConsoleCalls,
  type ConsoleEidSession,
  type ConsoleItem,
  type ConsoleOrder,
  type ConsoleRequest,
  type EidOutcome,
  type EidState,
  type Marketplace,
  type MarketplaceConsole,
  type MarketplaceControl,
  type MarketplaceOptions,
  type MarketplaceSettings,
  type QueueCodes,
  type Quota,
  Refusal,
  type SandboxClock,
  SandboxError,
  ServiceFault,
  type StoredImage,
} from './types.js'
