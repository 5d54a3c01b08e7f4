/**
 * The operations that a sandbox serves: those of the document and, on request, those beyond it; in its own names, and shown in
 * one form.
 */
import { type Operation, operationsOf, Renamer, renaming, type ServiceName, wireNameOf } from '../../contract/index.js'
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
export function servedBy({ names = [], shape = 'document', extended = false }: SandboxForms): Served {
  const rename = renaming(names)
  const [wire, whole] = [new Renamer(rename, 'wire'), new Renamer(rename, 'whole')]
  const all = (service: ServiceName) => Object.values(operationsOf(service, extended ? 'all' : 'document'))
  const inShape = (operation: Operation): Operation =>
    shape === 'nested' && operation.otherForm !== undefined ? { ...operation, params: operation.otherForm.params } : operation
  return {
    operations: once((service) => {
      const renamed = all(service).map((operation) => (names.length === 0 ? operation : wire.operation(operation)))
      const served = Object.fromEntries(renamed.map((operation) => [wireNameOf(operation), operation]))
      // The document's spelling (docs/service.md, Choices between sources).
      const { SetQuantityOnShopItems: stock } = served
      return stock === undefined ? served : { ...served, SetQuantityOnShopitems: stock }
    }),
    inOneForm: once((service) =>
      all(service).map((operation) => (names.length === 0 ? inShape(operation) : whole.operation(inShape(operation)))),
    ),
  }
}

function once<R>(make: (service: ServiceName) => R): (service: ServiceName) => R {
  const made = new Map<ServiceName, R>()
  return (service) => {
    const known = made.get(service)
    if (known !== undefined) return known
    const result = make(service)
    made.set(service, result)
    return result
  }
}
