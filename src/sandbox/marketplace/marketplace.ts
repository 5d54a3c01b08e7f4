import type { Marketplace, MarketplaceOptions } from './types.js'

/**
 * Opens the marketplace of a SQLite file; makes and seeds it when it is not there.
 * @throws {SandboxError} when the file is no sandbox, is damaged, or was made by a newer version.
 */
export declare function openMarketplace(options: MarketplaceOptions): Marketplace
