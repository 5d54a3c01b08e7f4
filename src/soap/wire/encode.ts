/**
 * Requests as XML: the envelope with its headers by xml2js, or as text where nothing in it has to be escaped; the parameters by
 * the writer that also writes replies, in the contract's order whatever the caller's. What is shown is made in the same way as
 * what is sent.
 */
import { headers, notXml, type Operation, type ServiceName, writeSimple } from '../../contract/index.js'
import { indented } from './indent.js'
import { isSecretName, MASK } from './mask.js'
import { ENVELOPE_NAMESPACES, type SoapVersion, XSD_NAMESPACE, XSI_NAMESPACE } from './names.js'
import { CLOSE_ENVELOPE, DECLARATION, element, escapeText, fieldElements, simpleText } from './write.js'

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

/**
 * XML 1.0 names without a colon, as far as a service would use them. In a function, since a start need not make the set of all
 * letters.
 */
const isElementName = (name: string): boolean => /^[\p{L}_][\p{L}\p{N}._-]*$/u.test(name)

/** The elements of values without a type: texts, numbers, booleans, null as nil, arrays as repetition, objects as children. */
function looseElements(params: Readonly<Record<string, unknown>>, forTrace: boolean, path = ''): string {
  let xml = ''
  for (const [name, value] of Object.entries(params)) {
    if (!isElementName(name)) throw new Unwritable(`"${path}${name}" cannot be the name of an element`)
    if (value === undefined) continue
    const isHidden = forTrace && isSecretName(name)
    for (const entry of Array.isArray(value) ? value : [value]) {
      if (entry === null && !isHidden) xml += `<${name} xsi:nil="true" />`
      else xml += element(name, isHidden ? MASK : looseContent(entry, forTrace, `${path}${name}`))
    }
  }
  return xml
}

function looseContent(value: unknown, forTrace: boolean, path: string): string {
  if (value instanceof Uint8Array) return simpleText({ kind: 'base64Binary' }, value, path, forTrace)
  if (Array.isArray(value)) throw new Unwritable(`"${path}" is a list in a list, which XML cannot carry`)
  if (typeof value === 'object' && value !== null) return looseElements(value as Record<string, unknown>, forTrace, `${path}.`)
  if (typeof value === 'number' && Number.isFinite(value)) return writeSimple({ kind: 'decimal' }, value)
  if (typeof value === 'string' || typeof value === 'boolean') {
    const character = notXml(String(value))
    if (character !== undefined) throw new Unwritable(`"${path}" holds the character ${character}, which XML cannot carry`)
    return escapeText(String(value))
  }
  throw new Unwritable(`"${path}" is "${String(value)}", which has no text`)
}

/** The texts of the three headers, in their order. */
function headerTexts(values: HeaderValues): (readonly [header: string, texts: Readonly<Record<string, string>>])[] {
  return (Object.keys(headers) as (keyof HeaderValues)[]).flatMap((name) => {
    const given = Object.entries(values[name] ?? {}).filter(([, value]) => value !== undefined)
    const texts = Object.fromEntries(given.map(([child, value]) => [child, String(value)]))
    return values[name] === null ? [] : [[name, texts] as const]
  })
}

/**
 * Makes envelopes with the headers and the empty element of the operation, open for the parameters. A client keeps one, since a
 * job sends the same envelope with every call, and xml2js takes 0.2 ms for it. It has the key and the token of the last call, so
 * it belongs to nobody else.
 */
export class Frames {
  #last: { readonly key: string; readonly xml: string } | undefined

  /** @throws by xml2js, for a header that holds a character that XML cannot carry */
  async of(version: SoapVersion, namespace: string, name: string, values: HeaderValues): Promise<string> {
    const all = headerTexts(values)
    const key = JSON.stringify([version, namespace, name, all])
    if (this.#last?.key === key) return this.#last.xml
    const plain = [namespace, name, ...all.flatMap(([, texts]) => Object.values(texts))].every((text) => PLAIN.test(text))
    const xml = plain ? plainFrame(version, namespace, name, all) : await libraryFrame(version, namespace, name, all)
    this.#last = { key, xml }
    return xml
  }
}

type HeaderTexts = ReturnType<typeof headerTexts>

/** Texts that stand in XML as they are: most keys, tokens and namespaces. */
const PLAIN = /^[\w.:/+=-]+$/

/**
 * The text that xml2js makes of a frame where nothing in it has to be escaped or refused. Loading xml2js takes 3 to 4 % of a
 * start (measured).
 */
function plainFrame(version: SoapVersion, namespace: string, name: string, all: HeaderTexts): string {
  const elements = all.map(([header, texts]) => {
    const children = Object.entries(texts).map(([child, text]) => element(child, text))
    return `<${header} xmlns="${namespace}">${children.join('')}</${header}>`
  })
  const spaces = Object.entries(SPACES[version]).map(([prefix, uri]) => ` ${prefix}="${uri}"`)
  const header = `<soap:Header>${elements.join('')}</soap:Header>`
  return `${DECLARATION}<soap:Envelope${spaces.join('')}>${header}<soap:Body><${name} xmlns="${namespace}"`
}

/** The same by xml2js, which takes attributes under `$`. It escapes, and refuses a character that XML cannot carry. */
async function libraryFrame(version: SoapVersion, namespace: string, name: string, all: HeaderTexts): Promise<string> {
  const { default: xml2js } = await import('xml2js/lib/builder.js')
  const builder = new xml2js.Builder({ xmldec: { version: '1.0', encoding: 'utf-8' }, renderOpts: { pretty: false } })
  const nodes = Object.fromEntries(all.map(([header, texts]) => [header, { $: { xmlns: namespace }, ...texts }]))
  const body = { [name]: { $: { xmlns: namespace } } }
  const tree = { 'soap:Envelope': { $: SPACES[version], 'soap:Header': nodes, 'soap:Body': body } }
  return builder.buildObject(tree).slice(0, -`/>${CLOSE_ENVELOPE}`.length)
}

const spacesOf = (envelope: string) => ({ 'xmlns:soap': envelope, 'xmlns:xsi': XSI_NAMESPACE, 'xmlns:xsd': XSD_NAMESPACE })
/** The namespaces that an envelope declares. */
const SPACES = { '1.1': spacesOf(ENVELOPE_NAMESPACES['1.1']), '1.2': spacesOf(ENVELOPE_NAMESPACES['1.2']) } as const

/**
 * The envelope of a request. Its parameters must have passed the input checks.
 * @param shown whether it is made to be shown: without the declaration, one element a line, secrets masked and files shortened
 * before anything is formatted
 * @param frames of the caller, for the next call
 * @throws {Unwritable} for a name, or a value without a type, that XML cannot carry
 */
export async function buildEnvelope(
  version: SoapVersion,
  namespace: string,
  content: RequestContent,
  values: HeaderValues,
  forTrace: boolean,
  frames = new Frames(),
): Promise<string> {
  const { name, operation, params } = content
  const inner =
    operation === undefined ? looseElements(params, forTrace) : fieldElements(operation.params, params, name, forTrace)
  const frame = await frames.of(version, namespace, name, values)
  const xml = frame + (inner === '' ? ' />' : `>${inner}</${name}>`) + CLOSE_ENVELOPE
  return forTrace ? [...indented([xml.slice(xml.indexOf('<soap:'))], '\n')].join('') : xml
}
