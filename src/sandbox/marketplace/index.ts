/** The interface of the marketplace: the rules of the service over one SQLite file, without HTTP. */

export type { ConsoleCalls, ConsoleEidSession, ConsoleFilter, ConsoleItem, ConsoleRequest } from './control/console.js'
export { type Marketplace, openMarketplace } from './marketplace.js'
export { MEMBERS as SANDBOX_SELLERS } from './seed/sellers.js'
export { imageIdOf } from './store/links.js'
export {
  type Caller,
  type EidOutcome,
  type MarketplaceOptions,
  type MarketplaceSettings,
  Refusal,
  SandboxError,
  ServiceFault,
} from './types.js'
