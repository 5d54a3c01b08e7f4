/** Finds the kind of an operation by its name, if nothing else tells it: a description does not say what may be sent twice. */
import type { Kind } from './operation.js'

/**
 * The first words of the names of reads, at this service and its public one (docs/service.md, Operations and Operations beyond
 * the contract).
 */
const READS = /^(?:PublicService\.)?(?:Get|Validate|Fetch)(?![a-z])/

/** True if an operation is one of the order service, by its name: every error passes here, and the contract is slow to load. */
export function isOrderOperation(operation: string): boolean {
  return /^(?:Get(?:Seller)?Orders|GetFreightLabels|SetSellerOrderAs\w+)$/.test(operation)
}

/** True if an operation with this name only reads. */
export function readsByName(operation: string): boolean {
  return READS.test(operation)
}

/** A read by its name; anything else is treated as a write that must not be sent twice. */
export function kindByName(operation: string): Kind {
  return readsByName(operation) ? 'read' : 'single write'
}
