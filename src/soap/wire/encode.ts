/**
 * Requests as XML: the envelope with its headers by xml2js, the parameters by the writer that also writes replies, in the contract's order whatever the
 * caller's. What is shown is made in the same way as what is sent.
 */
import { headers, notXml, type Operation, type ServiceName, writeSimple } from '../../contract/index.js'
import { indented } from './indent.js'
import { isSecretName, MASK } from './mask.js'
import { ENVELOPE_NAMESPACES, type SoapVersion, XSD_NAMESPACE, XSI_NAMESPACE } from './names.js'
import { CLOSE_ENVELOPE, element, escapeText, fieldElements, simpleText } from './write.js'

export interface Credentials {
  appId: number
  appKey?: string | undefined
  userId?: number | undefined
  token?: string | undefined
}

/** Values of the three headers; `null` for one that is left out. */
export interface HeaderValues {
  AuthenticationHeader: { AppId: number | string; AppKey?: string | undefined }
  AuthorizationHeader: { UserId: number | string; Token?: string | undefined } | null
  ConfigurationHeader: { Sandbox: number; MaxResultAge: number }
}

/** A request before it is XML. */
export interface RequestContent {
  readonly service: ServiceName
  /** Element name of the operation. */
  readonly name: string
  /** Undefined for an operation that the contract does not have. Its values are sent as they are. */
  readonly operation?: Operation | undefined
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

// XML 1.0 names without a colon, as far as a service would use them.
const ELEMENT_NAME = /^[\p{L}_][\p{L}\p{N}._-]*$/u

/** The elements of values without a type: texts, numbers, booleans, null as nil, arrays as repetition, objects as children. */
function looseElements(params: Readonly<Record<string, unknown>>, shown: boolean, path = ''): string {
  let xml = ''
  for (const [name, value] of Object.entries(params)) {
    if (!ELEMENT_NAME.test(name)) throw new Unwritable(`"${path}${name}" cannot be the name of an element`)
    if (value === undefined) continue
    const hidden = shown && isSecretName(name)
    for (const entry of Array.isArray(value) ? value : [value]) {
      if (entry === null && !hidden) xml += `<${name} xsi:nil="true" />`
      else xml += element(name, hidden ? MASK : looseContent(entry, shown, `${path}${name}`))
    }
  }
  return xml
}

function looseContent(value: unknown, shown: boolean, path: string): string {
  if (value instanceof Uint8Array) return simpleText({ kind: 'base64Binary' }, value, path, shown)
  if (Array.isArray(value)) throw new Unwritable(`"${path}" is a list in a list, which XML cannot carry`)
  if (typeof value === 'object' && value !== null) return looseElements(value as Record<string, unknown>, shown, `${path}.`)
  if (typeof value === 'number' && Number.isFinite(value)) return writeSimple({ kind: 'decimal' }, value)
  if (typeof value === 'string' || typeof value === 'boolean') {
    const character = notXml(String(value))
    if (character !== undefined) throw new Unwritable(`"${path}" holds the character ${character}, which XML cannot carry`)
    return escapeText(String(value))
  }
  throw new Unwritable(`"${path}" is "${String(value)}", which has no text`)
}

/** The three headers in their order, each in the service's namespace, as xml2js takes them: attributes under `$`. */
function headerNodes(namespace: string, values: HeaderValues): Record<string, object> {
  const nodes: Record<string, object> = {}
  for (const name of Object.keys(headers) as (keyof HeaderValues)[]) {
    const value = values[name]
    if (value === null) continue
    const children = Object.entries(value).filter(([, text]) => text !== undefined)
    nodes[name] = { $: { xmlns: namespace }, ...Object.fromEntries(children.map(([child, text]) => [child, String(text)])) }
  }
  return nodes
}

/**
 * Makes envelopes with the headers and the empty element of the operation, open for the parameters. A client keeps one, since a job sends the same envelope
 * with every call, and xml2js takes 0.2 ms for it. It has the key and the token of the last call, so it belongs to nobody else.
 */
export class Frames {
  #last: { readonly key: string; readonly xml: string } | undefined

  /** xml2js is loaded at the first call, because loading it takes 20 ms. It refuses a header that holds a character that XML cannot carry. */
  async of(version: SoapVersion, namespace: string, name: string, values: HeaderValues): Promise<string> {
    const tree = treeOf(version, namespace, name, values)
    const key = JSON.stringify(tree)
    if (this.#last?.key === key) return this.#last.xml
    const { default: xml2js } = await import('xml2js')
    const builder = new xml2js.Builder({ xmldec: { version: '1.0', encoding: 'utf-8' }, renderOpts: { pretty: false } })
    const xml = builder.buildObject(tree).slice(0, -`/>${CLOSE_ENVELOPE}`.length)
    this.#last = { key, xml }
    return xml
  }
}

function treeOf(version: SoapVersion, namespace: string, name: string, values: HeaderValues): object {
  return {
    'soap:Envelope': {
      $: { 'xmlns:soap': ENVELOPE_NAMESPACES[version], 'xmlns:xsi': XSI_NAMESPACE, 'xmlns:xsd': XSD_NAMESPACE },
      'soap:Header': headerNodes(namespace, values),
      'soap:Body': { [name]: { $: { xmlns: namespace } } },
    },
  }
}

/**
 * The envelope of a request. Its parameters must have passed the input checks.
 * @param shown whether it is made to be shown: without the declaration, one element a line, secrets masked and files shortened before anything is formatted
 * @param frames of the caller, for the next call
 * @throws {Unwritable} for a name, or a value without a type, that XML cannot carry
 */
export async function envelopeOf(
  version: SoapVersion,
  namespace: string,
  content: RequestContent,
  values: HeaderValues,
  shown: boolean,
  frames = new Frames(),
): Promise<string> {
  const { name, operation, params } = content
  const inner = operation === undefined ? looseElements(params, shown) : fieldElements(operation.params, params, name, shown)
  const frame = await frames.of(version, namespace, name, values)
  const xml = frame + (inner === '' ? ' />' : `>${inner}</${name}>`) + CLOSE_ENVELOPE
  return shown ? [...indented([xml.slice(xml.indexOf('<soap:'))], '\n')].join('') : xml
}
