/** Translates a description into the names of the document, for a service that has names of its own. */
import { type NameMap, type Operation, operationsOf, Renamer, renamingBack, type ServiceName } from '../../contract/index.js'
import type { DescribedOperation, Description } from './read.js'

/**
 * The description as if the service used the document's names. What the contract knows about an operation by its name then
 * applies too.
 */
export function inDocumentNames(description: Description, names: NameMap): Description {
  if (names.length === 0) return description
  const rename = renamingBack(names)
  const renamer = new Renamer(rename, 'whole')
  const { service, operations, headers } = description
  const renamedOperations = [...operations.values()].map((describedOperation): DescribedOperation => {
    return { ...describedOperation, operation: asKnown(service, renamer.operation(describedOperation.operation)) }
  })
  return {
    ...description,
    operations: new Map(renamedOperations.map((describedOperation) => [describedOperation.operation.name, describedOperation])),
    headers: new Map([...headers].map(([name, struct]) => [name, renamer.struct(struct)])),
  }
}

/** Facts that a description does not say: how the operation may be repeated, and whether it is queued. */
function asKnown(service: ServiceName, operation: Operation): Operation {
  const contractOperation = operationsOf(service, 'all')[operation.name]
  return contractOperation === undefined
    ? operation
    : { ...operation, kind: contractOperation.kind, queued: contractOperation.queued }
}
