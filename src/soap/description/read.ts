/**
 * Reads a description (WSDL 1.1) into operations in the vocabulary of the contract, so that checks, encoding and decoding work on
 * them unchanged.
 */
import {
  ALL_SERVICES,
  actsForUser,
  type Fields,
  kindByName,
  type Operation,
  operationsOf,
  resolved,
  type ServiceName,
  type Struct,
} from '../../contract/index.js'
import { briefly } from './compare/shapes.js'
import {
  type BoundOperation,
  type Definitions,
  type DescribedBinding,
  type PortOperation,
  readDefinitions,
} from './definitions.js'
import { collectDocuments, type Documents, type Place, WSDL } from './documents.js'
import { keyOf, Schema, type Unread } from './schema/schema.js'
import { TypeReader } from './schema/types.js'
import { DescriptionError, descriptionText } from './text.js'
import { type QName, readTree, type XmlNode } from './tree.js'

export interface DescribedOperation {
  /** In the contract's vocabulary, without limits and rules that only the contract knows. */
  readonly operation: Operation
  /** Names of the headers it takes, in order. */
  readonly headers: readonly string[]
  /** The bindings it is offered in. */
  readonly bindings: readonly DescribedBinding[]
  readonly soapAction?: string | undefined
}

/** A service as described by itself. */
export interface Description {
  readonly service: ServiceName
  /** True if it is one of that service: by its name, its address, where it was found, or operations that are known. */
  readonly ours: boolean
  /** The name that the description gives the service; undefined if it has none. */
  readonly serviceName: string | undefined
  /** The namespace of requests and replies, unchanged. */
  readonly namespace: string
  readonly addresses: readonly { readonly binding: DescribedBinding; readonly url: string }[]
  /** By element name, in the order of the description. */
  readonly operations: ReadonlyMap<string, DescribedOperation>
  /** Types of the headers, by element name. */
  readonly headers: ReadonlyMap<string, Struct>
  /** Parts that could not be read. The rest was read. */
  readonly unread: readonly Unread[]
}

export interface ReadOptions extends Place {
  /** Content-Type of the reply that contained it. */
  readonly contentType?: string | undefined
  /** The service it is taken for if it does not say so itself. */
  readonly service?: ServiceName | undefined
}

/**
 * Reads a description.
 * @param source at most 8 MiB of text or bytes
 * @throws {DescriptionError} if nothing of it can be used
 */
export function readDescription(source: string | Uint8Array, options: ReadOptions = {}): Description {
  const root = readTree(descriptionText(source, options.contentType))
  requireWsdl(root)
  return new DescriptionReader(collectDocuments(root, options)).read(options.service)
}

function requireWsdl({ uri, local }: XmlNode): void {
  if (uri === WSDL && local === 'definitions') return
  const reasons: Readonly<Record<string, string>> = {
    schema: 'is an XML schema alone; the WSDL around it is needed',
    description: 'is WSDL 2.0; only WSDL 1.1 is read',
    discovery: 'is a discovery document; the WSDL it refers to is needed',
    Envelope: 'is a SOAP message',
  }
  throw new DescriptionError('not-wsdl', reasons[local] ?? `is not WSDL: its first element is "${local}"`)
}

class DescriptionReader {
  readonly #schema: Schema
  readonly #types: TypeReader
  readonly #headers = new Map<string, Struct>()

  readonly #definitions: Definitions
  readonly #documents: Documents
  /** Why operations cannot be called, with their names. */
  readonly #causes = new Map<string, Set<string>>()

  constructor(documents: Documents) {
    this.#documents = documents
    this.#definitions = readDefinitions(documents.definitions)
    this.#schema = new Schema(documents.schemas)
    this.#types = new TypeReader(this.#schema, this.#definitions.namespace)
    for (const { what, location } of documents.missing)
      this.#schema.note(what, `${what === 'schema' ? 'types' : 'parts'} from another file (${location}) are not fetched`)
  }

  read(wantedService: ServiceName | undefined): Description {
    const { namespace, serviceName, ports, bindings } = this.#definitions
    const offeredOperations = this.#offered()
    const { service, ours } = this.#serviceOf(wantedService, [...offeredOperations.keys()])
    const operations = new Map<string, DescribedOperation>()
    for (const [name, { port, bound, soap }] of offeredOperations) {
      const operation = this.#operationOf(service, name, port, bound, soap)
      if (operation !== undefined) operations.set(name, operation)
    }
    if (operations.size === 0)
      throw new DescriptionError('no-operations', `has no operation that could be called: ${this.#why()}`)
    const addresses = ports.flatMap(({ bindingName, address }) => {
      const binding = bindings.get(bindingName)?.binding
      return binding === undefined || address === '' ? [] : [{ binding, url: address }]
    })
    return { service, ours, serviceName, namespace, addresses, operations, headers: this.#headers, unread: this.#schema.unread }
  }

  /** The operations of the SOAP bindings by the element of their request, in the order of the port types. */
  #offered(): Map<string, { port: PortOperation; soap: BoundOperation; bound: DescribedBinding[] }> {
    const operationsByName = new Map<string, { port: PortOperation; soap: BoundOperation; bound: DescribedBinding[] }>()
    const bindings = [...this.#definitions.bindings.values()]
    for (const [portType, operations] of this.#definitions.portTypes) {
      for (const port of operations) {
        for (const { binding, operations: bound } of bindings.filter(
          (each) => each.portType === portType && isSoap(each.binding),
        )) {
          const soap = bound.find(({ name }) => name === port.name)
          if (soap === undefined) continue
          const unfit = soap.unfit ?? (port.request === undefined ? 'not called with one element' : undefined)
          if (unfit !== undefined || port.request === undefined) {
            this.#unfit(port.name, unfit ?? '')
            continue
          }
          const name = port.request.local
          const entry = operationsByName.get(name)
          if (entry === undefined) operationsByName.set(name, { port, soap, bound: [binding] })
          else entry.bound.push(binding)
        }
      }
    }
    for (const { binding, operations } of bindings.filter((each) => !isSoap(each.binding))) {
      for (const { name } of operations) operationsByName.get(name)?.bound.push(binding)
    }
    return operationsByName
  }

  #unfit(operation: string, cause: string, note = `is ${cause}`): void {
    this.#schema.note(operation, note)
    this.#causes.set(cause, (this.#causes.get(cause) ?? new Set()).add(operation))
  }

  /** Why nothing can be called: what the operations lack, or else what the description lacks. */
  #why(): string {
    const { portTypes, bindings } = this.#definitions
    const files = [...new Set(this.#documents.missing.map(({ location }) => location))]
    const away = files.length === 0 ? [] : [`parts of it are in other files (${briefly(files)}), which were not read`]
    const count = new Set([...portTypes.values()].flat().map(({ name }) => name)).size
    if (this.#causes.size > 0) {
      const causes = [...this.#causes].map(([cause, { size: many }]) =>
        count === 1 ? `its one operation is ${cause}` : `${many} of its ${count} operations are ${cause}`,
      )
      return [...causes, ...away].join('; ')
    }
    if (count === 0) return ['it lists none', ...away].join('; ')
    const kinds = new Set([...bindings.values()].map(({ binding }) => binding))
    if ([...kinds].some(isSoap)) return ['its SOAP bindings have none of the operations that it lists', ...away].join('; ')
    const offer = kinds.size === 0 ? 'by no binding that is known here' : `by HTTP ${[...kinds].join(' and ')} alone`
    return [`it offers its ${count} operations ${offer}, not by SOAP`, ...away].join('; ')
  }

  #operationOf(
    service: ServiceName,
    name: string,
    port: PortOperation,
    bindings: readonly DescribedBinding[],
    soap: BoundOperation,
  ): DescribedOperation | undefined {
    const params = this.#fieldsOf(port.request, name)
    const answers = port.reply === undefined ? {} : this.#fieldsOf(port.reply, name)
    if (params === undefined || answers === undefined) return undefined
    const names = soap.headers.map((header) => this.#headerOf(header))
    const contractOperation = knownOperation(service, name)
    const result = this.#resultOf(name, port.reply, answers)
    const operation: Operation = {
      name,
      service,
      ...(contractOperation?.asSeller === true
        ? { user: false, asSeller: true }
        : {
            user: names.length === 0 ? (contractOperation?.user ?? actsForUser(service)) : names.includes('AuthorizationHeader'),
          }),
      kind: contractOperation?.kind ?? kindByName(name),
      queued: contractOperation?.queued ?? isQueued(result),
      params,
      result,
      summary: port.documentation || (contractOperation?.summary ?? ''),
    }
    return { operation, headers: names, bindings, soapAction: soap.soapAction }
  }

  #fieldsOf(element: QName | undefined, operation: string): Fields | undefined {
    const definition = element === undefined ? undefined : this.#schema.elements.get(keyOf(element))
    const fields = definition === undefined ? undefined : this.#types.elementFields(definition)
    if (definition === undefined || fields === undefined) {
      const note = `cannot be called: its element ${element?.local ?? ''} is not in the description`
      this.#unfit(operation, 'called with elements that are not in the description', note)
      return undefined
    }
    if (definition.namespace !== this.#definitions.namespace) {
      this.#schema.note(operation, `is in the namespace ${definition.namespace}, not in that of the description`)
    }
    return fields
  }

  /** `<Op>Result`. An operation may answer with further elements, which the decoder keeps as they are. */
  #resultOf(name: string, reply: QName | undefined, answers: Fields): Operation['result'] {
    if (reply !== undefined && reply.local !== `${name}Response`) {
      this.#schema.note(name, `answers with ${reply.local}, where this tool expects ${name}Response`)
    }
    const expected = `${name}Result`
    const others = Object.keys(answers).filter((field) => field !== expected)
    if (others.length > 0) this.#schema.note(name, `also answers with ${others.join(', ')}, which is not typed here`)
    return Object.hasOwn(answers, expected) ? answers[expected] : undefined
  }

  #headerOf(element: QName): string {
    const definition = this.#schema.elements.get(keyOf(element))
    const fields = definition === undefined ? undefined : this.#types.elementFields(definition)
    if (fields === undefined) this.#schema.note(element.local, 'is a header that is not in the description')
    else if (!this.#headers.has(element.local)) this.#headers.set(element.local, { kind: 'struct', name: element.local, fields })
    return element.local
  }

  /** Which service it is: by its name, its addresses, what it is taken for, or else by its operations. */
  #serviceOf(wantedService: ServiceName | undefined, names: readonly string[]): { service: ServiceName; ours: boolean } {
    const { serviceName = '', ports } = this.#definitions
    const namedService = ALL_SERVICES.find((service) => service.toLowerCase() === serviceName.toLowerCase())
    const addressedService = ALL_SERVICES.find((service) =>
      ports.some(({ address }) => address.toLowerCase().includes(`/${service.toLowerCase()}.asmx`)),
    )
    const knownServiceName = namedService ?? addressedService ?? wantedService
    if (knownServiceName !== undefined) return { service: knownServiceName, ours: true }
    const shared = (service: ServiceName): number => names.filter((name) => knownOperation(service, name) !== undefined).length
    const service = ALL_SERVICES.reduce((best, other) => (shared(other) > shared(best) ? other : best))
    return { service, ours: shared(service) > 0 }
  }
}

function isSoap(binding: DescribedBinding): boolean {
  return binding === 'soap11' || binding === 'soap12'
}

function knownOperation(service: ServiceName, name: string): Operation | undefined {
  const operations = operationsOf(service, 'all')
  return Object.hasOwn(operations, name) ? operations[name] : undefined
}

/** A write that is queued answers with the id of its request and that of the item (docs/service.md, Waiting for results). */
function isQueued(result: Operation['result']): boolean {
  const type = result === undefined ? undefined : resolved(result.type)
  return type?.kind === 'struct' && Object.hasOwn(type.fields, 'RequestId') && Object.hasOwn(type.fields, 'ItemId')
}
