/** The interface of the ledger's upkeep: back it up, check it, prune it. */
export { type Backup, backUpLedger } from './backup.js'
export { findFaults } from './check.js'
export { type PrunePlan, planPrune, pruneLedger, shrinkLedger } from './prune.js'
export type { Finding } from './types.js'
