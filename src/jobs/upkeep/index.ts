/** The door of the ledger's upkeep: copy it, check it, make it smaller. */
export { type Backup, backUpLedger } from './backup.js'
export { findFaults } from './check.js'
export { type PrunePlan, planPrune, pruneLedger, shrinkLedger } from './prune.js'
export type { Finding } from './types.js'
