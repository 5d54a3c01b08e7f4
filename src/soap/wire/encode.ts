/**
 * Requests as trees, with the elements in the contract's order whatever the caller's order. What is sent and what is shown are
 * made from the same tree.
 */
import {
  type Field,
  type Fields,
  fieldWireName,
  headers,
  notXml,
  type Operation,
  resolved,
  type ServiceName,
  type SimpleType,
  type SimpleValue,
  type Type,
  writeSimple,
} from '../../contract/index.js'
import { cutLongLists, LongList, longList, type Node } from './long-lists.js'
import { isSecretName, MASK, shortened } from './mask.js'
import { ENVELOPE_NAMESPACES, type SoapVersion, XSD_NAMESPACE, XSI_NAMESPACE } from './names.js'
import { escapeAttribute, escapeText } from './write.js'

/**
 * A node as xml2js takes it: text, a long list (which xml2js never sees), or children by name (arrays repeat) with attributes
 * under `$`.
 */
export interface Credentials {
  appId: number
  appKey?: string
  userId?: number
  token?: string
}

/** Values of the three headers; `null` for one that is left out. */
export interface HeaderValues {
  AuthenticationHeader: { AppId: number | string; AppKey?: string }
  AuthorizationHeader: { UserId: number | string; Token?: string } | null
  ConfigurationHeader: { Sandbox: number; MaxResultAge: number }
}

/** A request before it is XML. */
export interface RequestContent {
  readonly service: ServiceName
  /** Element name of the operation. */
  readonly name: string
  /** Undefined for an operation that the contract does not have. Its values are sent as they are. */
  readonly operation?: Operation
  readonly params: Readonly<Record<string, unknown>>
}

/** Thrown for a value that cannot become an XML element. The message names it. */
export class Unwritable extends Error {
  override name = 'Unwritable'
}

/** The header values of a call. Authorization is sent only if the call is made for a user whose id is known. */
export function headerValues(
  credentials: Credentials,
  user: boolean,
  configuration: { sandbox: number; maxResultAge: number },
): HeaderValues {
  const { appId, appKey, userId, token } = credentials
  return {
    AuthenticationHeader: { AppId: appId, AppKey: appKey },
    AuthorizationHeader: user && userId !== undefined ? { UserId: userId, Token: token } : null,
    ConfigurationHeader: { Sandbox: configuration.sandbox, MaxResultAge: configuration.maxResultAge },
  }
}

/** The header values to show: secrets are masked, and unset ones are marked as such. */
export function shownHeaderValues(credentials: Credentials, values: HeaderValues, user: boolean): HeaderValues {
  const secret = (value: string | undefined) => (value === undefined || value === '' ? NOT_SET : MASK)
  return {
    AuthenticationHeader: { AppId: credentials.appId || NOT_SET, AppKey: secret(credentials.appKey) },
    AuthorizationHeader: user ? { UserId: credentials.userId ?? NOT_SET, Token: secret(credentials.token) } : null,
    ConfigurationHeader: values.ConfigurationHeader,
  }
}

const NOT_SET = '(not set)'

/** The nodes of a request's parameters. `shown` masks secrets and shortens files, before anything is formatted. */
function paramNodes(content: RequestContent, shown: boolean): Record<string, Node | Node[]> {
  if (content.operation !== undefined) return structNodes(content.operation.params, content.params, shown)
  return looseNodes(content.params, shown)
}

function structNodes(fields: Fields, value: Readonly<Record<string, unknown>>, shown: boolean): Record<string, Node | Node[]> {
  const nodes: Record<string, Node | Node[]> = {}
  const attributes: Record<string, string> = {}
  for (const [name, field] of Object.entries(fields)) {
    const given = value[name]
    if (field.attribute) {
      if (given !== undefined && given !== null)
        attributes[fieldWireName(name, field)] = writeSimple(field.type as SimpleType, given as SimpleValue)
      continue
    }
    const node = shown && isSecretName(name) && given != null ? MASK : fieldNode(field, given, shown)
    if (node !== undefined) nodes[fieldWireName(name, field)] = node
  }
  return Object.keys(attributes).length === 0 ? nodes : ({ $: attributes, ...nodes } as Record<string, Node>)
}

const nil: Node = { $: { 'xsi:nil': 'true' } }

/** The node of a field; undefined if the element is left out. */
function fieldNode(field: Field, value: unknown, shown: boolean): Node | Node[] | undefined {
  if (value === undefined || value === null) {
    return field.nillable && (field.min === 1 || value === null) ? nil : undefined
  }
  if (field.repeated) return (value as unknown[]).map((entry) => typeNode(field.type, entry, shown))
  return typeNode(field.type, value, shown)
}

function typeNode(type: Type, value: unknown, shown: boolean): Node {
  const plain = resolved(type)
  if (plain.kind === 'struct') return structNodes(plain.fields, value as Record<string, unknown>, shown)
  if (plain.kind === 'list') {
    const long = shown ? undefined : longList(plain, value as unknown[])
    if (long !== undefined) return { [plain.itemName]: long }
    return { [plain.itemName]: (value as unknown[]).map((entry) => typeNode(plain.item, entry, shown)) }
  }
  if (shown && plain.kind === 'base64Binary') return shortened(Math.ceil((value as Uint8Array).length / 3) * 4)
  return writeSimple(plain, value as SimpleValue)
}

// XML 1.0 names without a colon, as far as a service would use them.
const ELEMENT_NAME = /^[\p{L}_][\p{L}\p{N}._-]*$/u

/** The nodes of values without a type: texts, numbers, booleans, null as nil, arrays as repetition, objects as children. */
function looseNodes(params: Readonly<Record<string, unknown>>, shown: boolean, path = ''): Record<string, Node | Node[]> {
  const nodes: Record<string, Node | Node[]> = Object.create(null)
  for (const [name, value] of Object.entries(params)) {
    if (!ELEMENT_NAME.test(name)) throw new Unwritable(`"${path}${name}" cannot be the name of an element`)
    if (value === undefined) continue
    const node = (entry: unknown): Node => (shown && isSecretName(name) ? MASK : looseNode(entry, shown, `${path}${name}`))
    nodes[name] = Array.isArray(value) ? value.map(node) : node(value)
  }
  return nodes
}

function looseNode(value: unknown, shown: boolean, path: string): Node {
  if (value === null) return nil
  if (value instanceof Uint8Array) {
    const text = writeSimple({ kind: 'base64Binary' }, value)
    return shown ? shortened(text.length) : text
  }
  if (Array.isArray(value)) throw new Unwritable(`"${path}" is a list in a list, which XML cannot carry`)
  if (typeof value === 'object') return looseNodes(value as Record<string, unknown>, shown, `${path}.`)
  if (typeof value === 'number' && Number.isFinite(value)) return writeSimple({ kind: 'decimal' }, value)
  if (typeof value === 'string' || typeof value === 'boolean') {
    const character = notXml(String(value))
    if (character !== undefined) throw new Unwritable(`"${path}" holds the character ${character}, which XML cannot carry`)
    return String(value)
  }
  throw new Unwritable(`"${path}" is "${String(value)}", which has no text`)
}

/** The three headers in their order, each in the service's namespace. */
function headerNodes(namespace: string, values: HeaderValues): Record<string, Node> {
  const nodes: Record<string, Node> = {}
  for (const name of Object.keys(headers) as (keyof HeaderValues)[]) {
    const value = values[name]
    if (value === null) continue
    const children = Object.entries(value).filter(([, text]) => text !== undefined)
    nodes[name] = { $: { xmlns: namespace }, ...Object.fromEntries(children.map(([child, text]) => [child, String(text)])) }
  }
  return nodes
}

/**
 * The envelope of a request as a tree. Its parameters must have passed the input checks.
 * @param shown whether it is made to be shown: secrets are masked and files shortened before anything is formatted
 * @throws {Unwritable} for a name, or a value without a type, that XML cannot carry
 */
export function envelopeTree(
  version: SoapVersion,
  namespace: string,
  content: RequestContent,
  values: HeaderValues,
  shown: boolean,
): Node {
  return {
    'soap:Envelope': {
      $: { 'xmlns:soap': ENVELOPE_NAMESPACES[version], 'xmlns:xsi': XSI_NAMESPACE, 'xmlns:xsd': XSD_NAMESPACE },
      'soap:Header': headerNodes(namespace, values),
      'soap:Body': { [content.name]: { $: { xmlns: namespace }, ...paramNodes(content, shown) } },
    },
  }
}

/** The last envelope built around long lists. A job sends the same one with every call, and xml2js takes 0.2 ms for it. */
let lastFrame: { readonly key: string; readonly xml: string } | undefined

/** The tree as the text that is sent. xml2js is loaded here, at the first call, because loading it takes 20 ms. */
export async function buildXml(tree: Node): Promise<string> {
  const { tree: frame, lists, restore } = cutLongLists(tree)
  const key = lists === 0 ? '' : JSON.stringify(frame)
  if (lists > 0 && lastFrame?.key === key) return restore(lastFrame.xml)
  const { default: xml2js } = await import('xml2js')
  const builder = new xml2js.Builder({ xmldec: { version: '1.0', encoding: 'utf-8' }, renderOpts: { pretty: false } })
  const xml = builder.buildObject(frame)
  if (lists > 0) lastFrame = { key, xml }
  return restore(xml)
}

/** The tree as a person reads it: one element a line, indented. */
export function showXml(tree: Node): string {
  if (tree instanceof LongList) return tree.text
  return typeof tree === 'string' ? escapeText(tree) : childLines(tree, '').join('\n')
}

function childLines(node: Exclude<Node, string | LongList>, indent: string): string[] {
  return Object.entries(node).flatMap(([name, child]) => {
    if (name === '$') return []
    return (Array.isArray(child) ? child : [child as Node]).flatMap((entry) => elementLines(name, entry, indent))
  })
}

function elementLines(name: string, node: Node, indent: string): string[] {
  if (typeof node === 'string') {
    return [node === '' ? `${indent}<${name}/>` : `${indent}<${name}>${escapeText(node)}</${name}>`]
  }
  if (node instanceof LongList) return [`${indent}${node.text}`]
  const attributes = Object.entries((node.$ ?? {}) as Record<string, string>)
  const tag = [name, ...attributes.map(([key, value]) => `${key}="${escapeAttribute(escapeText(value))}"`)].join(' ')
  const children = childLines(node, `${indent}  `)
  return children.length === 0 ? [`${indent}<${tag}/>`] : [`${indent}<${tag}>`, ...children, `${indent}</${name}>`]
}
