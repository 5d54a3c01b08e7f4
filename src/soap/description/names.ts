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
  const renamed = [...operations.values()].map((described): DescribedOperation => {
    return { ...described, operation: asKnown(service, renamer.operation(described.operation)) }
  })
  return {
    ...description,
    operations: new Map(renamed.map((described) => [described.operation.name, described])),
    headers: new Map([...headers].map(([name, struct]) => [name, renamer.struct(struct)])),
  }
}

/** Facts that a description does not say: how the operation may be repeated, and whether it is queued. */
function asKnown(service: ServiceName, operation: Operation): Operation {
  const known = operationsOf(service, 'all')[operation.name]
  return known === undefined ? operation : { ...operation, kind: known.kind, queued: known.queued }
}
