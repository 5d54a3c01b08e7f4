/** The interface of the ledger's upkeep: back it up, check it, prune it. */
export { backUpLedger } from './backup.js'
export { findFaults } from './check.js'
export { planPrune, pruneLedger, shrinkLedger } from './prune.js'
export { type PreparedCopy, planRestore, type RestoreOptions, restoreLedger } from './restore.js'
export type { Finding } from './tables.js'
export { whatToLookAt } from './what-to-look-at.js'
