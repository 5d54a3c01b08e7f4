/** Compares what this tool knows of a service with the service's own description. */
import {
  headers as contractHeaders,
  type Field,
  headerNames,
  isNewerOperation,
  type NameMap,
  type Operation,
  operationsOf,
  otherFormsIn,
  parameterPaths,
  type ServiceName,
  type Struct,
} from '../../../contract/index.js'
import type { DescribedBinding } from '../definitions.js'
import { inDocumentNames } from '../names.js'
import type { DescribedOperation, Description } from '../read.js'
import type { Add, Difference, Direction } from './difference.js'
import { FieldComparer } from './fields.js'
import { likelyName } from './located.js'

/** The side that is compared with a description: the contract, or an earlier description. */
export interface Known {
  readonly service: ServiceName
  readonly operations: Readonly<Record<string, Operation>>
  /** Types of the headers that are sent with an operation, by name, in their order. */
  readonly headersOf: (operation: string) => Readonly<Record<string, Struct>>
  /** The namespace that is sent; not compared if it is not set. */
  readonly namespace?: string | undefined
  /** Where calls are sent to (`….asmx`); not compared if it is not set. */
  readonly address?: string | undefined
  /** Bindings of calls; not compared if they are not set. */
  readonly bindings?: readonly DescribedBinding[]
}

/** The way in which calls are sent, and the place. */
type Sent = Pick<Known, 'namespace' | 'address' | 'bindings'>

/** The contract's side of a service. */
export function knownService(service: ServiceName, operations: Readonly<Record<string, Operation>>, sent: Sent = {}): Known {
  const headers = Object.fromEntries(headerNames(service).map((name) => [name, contractHeaders[name]]))
  return { service, operations, headersOf: () => headers, ...sent }
}

/** A description as the side that another is compared with. */
export function knownDescription({ service, operations, headers, namespace }: Description): Known {
  return {
    service,
    operations: Object.fromEntries([...operations].map(([name, { operation }]) => [name, operation])),
    headersOf: (operation) => {
      const names = operations.get(operation)?.headers ?? []
      return Object.fromEntries([...headers].filter(([name]) => names.includes(name)))
    },
    namespace: namespaceOf(namespace),
  }
}

/** A namespace without the final slash, as profiles keep it. */
export function namespaceOf(namespace: string): string {
  return namespace.replace(/\/+$/, '')
}

/** Compares the contract with a description. @param names those of the service for names of the document */
export function compareContract(description: Description, names: NameMap, sent?: Sent): Difference[] {
  const { service } = description
  return compareService(knownService(service, operationsOf(service, 'all'), sent), inDocumentNames(description, names))
}

/**
 * Compares a service with its description.
 * @returns the differences in the order of the operations; what only the description has comes last
 */
export function compareService(contract: Known, description: Description): Difference[] {
  const differences: Difference[] = []
  const { service } = contract
  const add: Add = (effect, kind, words) => void differences.push({ effect, kind, service, ...words })
  const namespace = namespaceOf(description.namespace)
  if (contract.namespace !== undefined && namespaceOf(contract.namespace) !== namespace) {
    const message = `The namespace of the service is "${namespace}"; calls are sent with "${contract.namespace}", so it understands none of them.`
    add('breaks', 'namespace', { expected: contract.namespace, found: namespace, message })
  }
  compareAddress(contract, description, add)
  const names = Object.keys(contract.operations)
  const extra = [...description.operations.keys()].filter((name) => !Object.hasOwn(contract.operations, name))
  const takenNames = new Set<string>()
  for (const name of names) {
    const describedOperation = description.operations.get(name)
    if (describedOperation === undefined && contract.operations[name]?.extended === true) continue
    if (describedOperation === undefined) {
      const likely = likelyName(
        name,
        extra.filter((other) => !takenNames.has(other)),
      )
      if (likely !== undefined) takenNames.add(likely)
      const older = likely === undefined && isNewerOperation(name)
      const hint = likely === undefined ? '' : ` It may be called ${likely}.`
      const message = older
        ? `An older edition of the service: it does not offer ${name}.`
        : `The service does not offer ${name}.${hint}`
      add(older ? 'differs' : 'breaks', 'operation_missing', { operation: name, subject: name, found: likely, message })
    } else compareOperation(contract, contract.operations[name] as Operation, describedOperation, description, add)
  }
  for (const name of extra) {
    const summary = description.operations.get(name)?.operation.summary ?? ''
    const message = `The service offers ${name}; no command uses it.${summary === '' ? '' : ` ${summary}`}`
    add('new', 'operation_new', { operation: name, subject: name, found: name, message })
  }
  for (const { where, what } of description.unread) {
    add('unread', 'unread', { subject: where, message: `${where} ${what}.` })
  }
  return differences
}

/** Nothing breaks by it: calls go where the profile says. But a description of another place may be that of another service. */
function compareAddress({ address }: Known, description: Description, add: Add): void {
  const others = address === undefined ? undefined : otherAddress(description, address)
  if (others === undefined) return
  const message = `The description names the address ${others}; calls are sent to ${address}.`
  add('differs', 'address', { expected: address, found: others, message })
}

/**
 * The addresses that a description names, where the given one is not among them.
 * @param address of the service, `….asmx`
 * @returns undefined where it is, or where the description names none
 */
export function otherAddress({ addresses }: Pick<Description, 'addresses'>, address: string): string | undefined {
  const urls = addresses.map(({ url }) => url)
  if (urls.length === 0 || urls.some((url) => placeOf(url) === placeOf(address))) return undefined
  return [...new Set(urls)].join(', ')
}

/**
 * Host and path, in any letter case. A service behind a proxy often names http where it is reached by https: that is the same
 * place.
 */
function placeOf(address: string): string {
  if (!URL.canParse(address)) return address
  const { host, pathname } = new URL(address)
  return `${host}${pathname}`.toLowerCase()
}

function compareOperation(
  contract: Known,
  operation: Operation,
  describedOperation: DescribedOperation,
  { headers }: Description,
  add: Add,
): void {
  const { name } = operation
  const about = { operation: name, subject: name }
  const comparer = (direction: Direction): FieldComparer =>
    new FieldComparer(direction, (effect, kind, words) => add(effect, kind, { operation: name, direction, ...words }))
  for (const binding of contract.bindings ?? []) {
    if (describedOperation.bindings.includes(binding)) continue
    const message = `The service does not offer ${name} by ${BINDINGS[binding]}.`
    add('breaks', 'binding', { ...about, expected: binding, found: describedOperation.bindings.join(', '), message })
  }
  for (const [header, struct] of Object.entries(contract.headersOf(name))) {
    const headerStruct = describedOperation.headers.includes(header) ? headers.get(header) : undefined
    if (headerStruct !== undefined) comparer('header').compare(header, struct.fields, headerStruct.fields)
    else {
      const message = `${name} does not take the ${header}.`
      add('breaks', 'header_missing', { operation: name, direction: 'header', subject: header, expected: header, message })
    }
  }
  const other = takesOtherForm(operation, describedOperation.operation) ? operation.otherForm : undefined
  if (other !== undefined) {
    const [expected, found] = [Object.keys(operation.params).join(', '), Object.keys(other.params).join(', ')]
    const message = `The service takes the parameters of ${name} in ${found}; this tool sends them so once the description is saved.`
    add('breaks', 'form', { operation: name, direction: 'request', subject: name, expected, found, message })
  }
  comparer('request').compare(name, other?.params ?? operation.params, describedOperation.operation.params)
  comparer('reply').compare(name, resultFields(operation), resultFields(describedOperation.operation))
}

function takesOtherForm(operation: Operation, describedOperation: Operation): boolean {
  const offeredPaths = { [operation.name]: parameterPaths(describedOperation.params) }
  return otherFormsIn(operation.service, offeredPaths).includes(operation.name)
}

/** The result as the only field of the reply, so that it is compared like any other. */
function resultFields({ name, result }: Operation): Record<string, Field> {
  return result === undefined ? {} : { [`${name}Result`]: result }
}

const BINDINGS: Readonly<Record<DescribedBinding, string>> = {
  soap12: 'SOAP 1.2',
  soap11: 'SOAP 1.1',
  get: 'HTTP GET',
  post: 'HTTP POST',
}
