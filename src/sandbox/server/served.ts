/**
 * The operations that a sandbox serves: those of the document and, on request, those beyond it, or those of a published edition;
 * in its own names, and shown in one form.
 */
import {
  type Adapt,
  fieldIn,
  hasOperation,
  isUnpublished,
  type Operation,
  operationsOf,
  Renamer,
  renaming,
  type ServiceName,
  wireNameOf,
} from '../../contract/index.js'
import type { SandboxForms } from '../options.js'

export interface Served {
  /**
   * The operations of a service by the names of their elements. They read and write those names; their values have the
   * contract's.
   */
  operations(service: ServiceName): Readonly<Record<string, Operation>>
  /** The same operations as shown by the service, in its own names and its one form. */
  inOneForm(service: ServiceName): readonly Operation[]
}

/** Makes the operations that are served. Each service is prepared when it is first asked for. */
export function servedBy(forms: SandboxForms): Served {
  const { names = [], edition = 'document', extended = false, orderIds = false } = forms
  const { shape = edition === 'document' ? 'document' : 'nested' } = forms
  const rename = renaming(names)
  const adapt: Adapt = (owner, name, field) =>
    orderIds && isUnpublished(owner, name) ? field : fieldIn(edition, owner, name, field)
  const [wire, whole] = [new Renamer(rename, 'wire', adapt), new Renamer(rename, 'whole', adapt)]
  const all = (service: ServiceName) =>
    Object.values(operationsOf(service, 'all')).filter(
      (operation) => (extended && edition === 'document') || hasOperation(edition, operation),
    )
  const inShape = (operation: Operation): Operation => {
    // The published editions have one form for all of them.
    const other = operation.otherForm?.params ?? (edition === 'document' ? undefined : operation.alsoAccepts)
    return shape === 'nested' && other !== undefined ? { ...operation, params: other } : operation
  }
  return {
    operations: once((service) => {
      const wireOperations = all(service).map((operation) => wire.operation(operation))
      const operationsByName = Object.fromEntries(wireOperations.map((operation) => [wireNameOf(operation), operation]))
      // The document's spelling (docs/service.md, Choices between sources).
      const { SetQuantityOnShopItems: stock } = operationsByName
      return stock === undefined ? operationsByName : { ...operationsByName, SetQuantityOnShopitems: stock }
    }),
    inOneForm: once((service) => all(service).map((operation) => whole.operation(inShape(operation)))),
  }
}

function once<R>(make: (service: ServiceName) => R): (service: ServiceName) => R {
  const results = new Map<ServiceName, R>()
  return (service) => {
    const knownResult = results.get(service)
    if (knownResult !== undefined) return knownResult
    const result = make(service)
    results.set(service, result)
    return result
  }
}
