/** The parts of WSDL 1.1 beside the schemas: messages, port types, bindings, services (https://www.w3.org/TR/wsdl, 2 and 3). */
import { WSDL } from './documents.js'
import { childrenOf, type QName, qnameIn, type XmlNode } from './tree.js'

/** The bindings of docs/service.md, Bindings, by the namespace of their extensions. */
const SOAP_NAMESPACES: Readonly<Record<string, 'soap11' | 'soap12'>> = {
  'http://schemas.xmlsoap.org/wsdl/soap/': 'soap11',
  'http://schemas.xmlsoap.org/wsdl/soap12/': 'soap12',
}
const HTTP_NAMESPACE = 'http://schemas.xmlsoap.org/wsdl/http/'

export type DescribedBinding = 'soap11' | 'soap12' | 'get' | 'post'

/** An operation as listed in a port type. */
export interface PortOperation {
  readonly name: string
  readonly documentation: string
  /** Element of the request's body; undefined if the message is not a single element. */
  readonly request?: QName | undefined
  readonly reply?: QName | undefined
}

/** Facts about an operation in a SOAP binding. */
export interface BoundOperation {
  readonly name: string
  readonly soapAction?: string | undefined
  /** Why request and reply are not plain elements (document style, literal use); undefined if they are. */
  readonly unfit?: string
  /** Elements of the request's headers, in order. */
  readonly headers: readonly QName[]
}

export interface BindingDefinition {
  readonly binding: DescribedBinding
  readonly portType: string
  readonly operations: readonly BoundOperation[]
}

export interface PortDefinition {
  readonly bindingName: string
  readonly address: string
}

export interface Definitions {
  readonly namespace: string
  readonly serviceName: string | undefined
  readonly portTypes: ReadonlyMap<string, readonly PortOperation[]>
  readonly bindings: ReadonlyMap<string, BindingDefinition>
  readonly ports: readonly PortDefinition[]
}

/** Reads the parts beside the schemas. Names are taken without their prefix, because a description has one namespace. */
export function readDefinitions(roots: readonly XmlNode[]): Definitions {
  const all = (local: string): XmlNode[] => roots.flatMap((root) => childrenOf(root, WSDL, local))
  const messages = new Map(all('message').map((node) => [nameOf(node), messageParts(node)]))
  const portTypes = all('portType').map((node) => [nameOf(node), portOperations(node, messages)] as const)
  const bindings = all('binding').flatMap((node) => {
    const binding = readBinding(node, messages)
    return binding === undefined ? [] : [[nameOf(node), binding] as const]
  })
  const services = all('service')
  // The file that lists the operations, of several, has the namespace of their elements.
  const main = roots.find((root) => childrenOf(root, WSDL, 'portType').length > 0) ?? roots[0]
  return {
    namespace: main?.attributes.get('targetNamespace') ?? '',
    serviceName: services[0]?.attributes.get('name'),
    portTypes: new Map(portTypes),
    bindings: new Map(bindings),
    ports: services.flatMap((service) => childrenOf(service, WSDL, 'port').map(readPort)),
  }
}

type Messages = ReadonlyMap<string, ReadonlyMap<string, QName | undefined>>

const nameOf = (node: XmlNode): string => node.attributes.get('name') ?? ''

/** Parts by name; undefined for one that names a type instead of an element. */
function messageParts(message: XmlNode): ReadonlyMap<string, QName | undefined> {
  return new Map(childrenOf(message, WSDL, 'part').map((part) => [nameOf(part), qnameIn(part, part.attributes.get('element'))]))
}

function portOperations(portType: XmlNode, messages: Messages): PortOperation[] {
  return childrenOf(portType, WSDL, 'operation').map((node) => {
    const body = (local: string): QName | undefined => {
      const [child] = childrenOf(node, WSDL, local)
      const name = child === undefined ? undefined : qnameIn(child, child.attributes.get('message'))
      const parts = messages.get(name?.local ?? '')
      return parts?.size === 1 ? [...parts.values()][0] : undefined
    }
    const documentation = (childrenOf(node, WSDL, 'documentation')[0]?.text ?? '').replace(/\s+/g, ' ').trim()
    return { name: nameOf(node), documentation, request: body('input'), reply: body('output') }
  })
}

function readBinding(node: XmlNode, messages: Messages): BindingDefinition | undefined {
  const portType = qnameIn(node, node.attributes.get('type'))?.local ?? ''
  const own = node.children.find(({ uri, local }) => local === 'binding' && (uri in SOAP_NAMESPACES || uri === HTTP_NAMESPACE))
  if (own === undefined) return undefined
  const operations = childrenOf(node, WSDL, 'operation')
  const soap = SOAP_NAMESPACES[own.uri]
  if (soap !== undefined) {
    const style = own.attributes.get('style') ?? 'document'
    return {
      binding: soap,
      portType,
      operations: operations.map((operation) => boundOperation(operation, own.uri, style, messages)),
    }
  }
  const verb = own.attributes.get('verb')?.toUpperCase()
  if (verb !== 'GET' && verb !== 'POST') return undefined
  const plain = operations.map((operation) => ({ name: nameOf(operation), headers: [] }))
  return { binding: verb === 'GET' ? 'get' : 'post', portType, operations: plain }
}

function boundOperation(node: XmlNode, soap: string, bindingStyle: string, messages: Messages): BoundOperation {
  const [own] = childrenOf(node, soap, 'operation')
  const [input] = childrenOf(node, WSDL, 'input')
  const inside = (local: string): XmlNode[] => (input === undefined ? [] : childrenOf(input, soap, local))
  const style = own?.attributes.get('style') ?? bindingStyle
  const headers = inside('header').flatMap((header) => {
    const message = qnameIn(header, header.attributes.get('message'))
    return messages.get(message?.local ?? '')?.get(header.attributes.get('part') ?? '') ?? []
  })
  return {
    name: nameOf(node),
    soapAction: own?.attributes.get('soapAction'),
    ...unfitOf(
      style,
      inside('body').map((body) => body.attributes.get('use') ?? 'literal'),
    ),
    headers,
  }
}

function unfitOf(style: string, uses: readonly string[]): Pick<BoundOperation, 'unfit'> {
  if (style !== 'document') return { unfit: `called in ${style} style, not in document style` }
  const other = uses.find((use) => use !== 'literal')
  return other === undefined ? {} : { unfit: `called with ${other} values, not with literal ones` }
}

function readPort(port: XmlNode): PortDefinition {
  const address = port.children.find(({ local }) => local === 'address')
  return {
    bindingName: qnameIn(port, port.attributes.get('binding'))?.local ?? '',
    address: address?.attributes.get('location') ?? '',
  }
}
