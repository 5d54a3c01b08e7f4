/** The kind of an operation by its name, where nothing else says it: a description does not tell what may be sent twice. */
import type { Kind } from './vocabulary.js'

/** How the names of reads begin, at this service and its public one (docs/service.md, Operations and Operations beyond the contract). */
const READS = /^(?:PublicService\.)?(?:Get|Validate|Fetch)(?![a-z])/

/** Whether an operation of this name reads only. */
export function readsByName(operation: string): boolean {
  return READS.test(operation)
}

/** A read by its name; anything else is taken for a write that must not be sent twice. */
export function kindByName(operation: string): Kind {
  return readsByName(operation) ? 'read' : 'single write'
}
