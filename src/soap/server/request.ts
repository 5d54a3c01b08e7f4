/**
 * Reads requests as the service's own runtime does (docs/service.md, How requests are read): unknown elements are skipped,
 * missing ones get .NET's default, an empty int is a fault. For servers; the client never reads requests.
 */
import { type Buffer, isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { headers, type Operation, wireNameOf, wrapper } from '../../contract/index.js'
import { ENVELOPE_NAMESPACES, type SoapVersion, XSI_NAMESPACE } from '../wire/names.js'
import { planOf, type StructPlan, wrapperSlot } from '../wire/plan.js'
import { ValueReader } from '../wire/reader.js'
import { MAX_DEPTH, MAX_TEXT_LENGTH } from '../wire/xml.js'
import { BadValue, serverHabits, strictHabits } from './reading-habits.js'

export interface RequestHeaders {
  AuthenticationHeader?: { AppId: number; AppKey?: string }
  AuthorizationHeader?: { UserId: number; Token?: string }
  ConfigurationHeader?: { Sandbox: number; MaxResultAge: number }
}

export interface DecodedRequest {
  version: SoapVersion
  operation: Operation
  params: Record<string, unknown>
  headers: RequestHeaders
}

export interface DecodeOptions {
  /**
   * Finds an operation by the local name and namespace of an element, or by the last segment of an action and what precedes it.
   */
  operationOf(element: string, namespace: string): Operation | undefined
  /**
   * The version that the content type announces. `1.1` accepts envelopes of both, `1.2` only its own (docs/service.md, Odd
   * requests).
   */
  version?: SoapVersion | undefined
  /** The namespace in which the three headers are known; in any other, .NET does not know them. Unset: any. */
  headerNamespace?: string | undefined
  /**
   * SOAPAction, or the action of a SOAP 1.2 content type; it may have quotes. Unset or empty: the element in the body decides.
   */
  action?: string | undefined
  /** Headers from the query string, used if the envelope does not have a header of that name. */
  defaultHeaders?: RequestHeaders | undefined
  /** True if the elements of a type must come in their order, each once. */
  strict?: boolean
}

/** Text that is not XML: answered with HTTP 400 and an empty body. */
export class MalformedXml extends Error {
  override name = 'MalformedXml'
}

/** XML that cannot be read as the request: a Client fault with the text `message`. */
export class UnreadableRequest extends Error {
  override name = 'UnreadableRequest'

  constructor(
    readonly line: number,
    readonly column: number,
    readonly detail: string,
  ) {
    super(`Server was unable to read request. ---> There is an error in XML document (${line}, ${column}). ---> ${detail}`)
  }
}

/** A SOAP 1.1 envelope under the content type of SOAP 1.2: answered with HTTP 415 and nothing else. */
export class WrongMediaType extends Error {
  override name = 'WrongMediaType'
}

/** Fault of the envelope itself, by SOAP's code for it. `message` is the text of the fault, in .NET's words. */
export class EnvelopeRefused extends Error {
  override name = 'EnvelopeRefused'

  constructor(
    readonly code: 'Client' | 'VersionMismatch' | 'MustUnderstand',
    message: string,
  ) {
    super(message)
  }
}

/** No operation for the action, or neither an action nor a body: a Client fault with the text `message`. */
export class UnrecognizedAction extends Error {
  override name = 'UnrecognizedAction'

  constructor(
    readonly action: string,
    message = `Server did not recognize the value of HTTP Header SOAPAction: ${action}.`,
  ) {
    super(message)
  }
}

const headerPlans = new Map(Object.entries(headers).map(([name, struct]) => [name, planOf(struct)]))
const operationPlans = new WeakMap<Operation, StructPlan>()

function paramsPlan(operation: Operation): StructPlan {
  const knownPlan = operationPlans.get(operation)
  if (knownPlan !== undefined) return knownPlan
  const plan = planOf(wrapper(operation.name, { ...operation.params, ...operation.alsoAccepts }))
  operationPlans.set(operation, plan)
  return plan
}

/**
 * Reads a request of either SOAP version.
 * @throws {MalformedXml | UnreadableRequest | UnrecognizedAction | EnvelopeRefused}
 */
export function decodeRequest(xml: Buffer | string, options: DecodeOptions): DecodedRequest {
  const steps = new RequestReader(options).read(xml)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The same, with a pause between slices of a large request so that other calls are served meanwhile. */
export async function readRequest(xml: Buffer | string, options: DecodeOptions): Promise<DecodedRequest> {
  const steps = new RequestReader(options).read(xml)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await setImmediate()
  }
}

/** Characters that are read at once: about 5 ms of saxes. */
const SLICE = 256 * 1024

class RequestReader {
  readonly #parser = new SaxesParser({ xmlns: true, position: false })
  #depth = 0
  #section = ''
  #version: SoapVersion | undefined
  #reader: ValueReader | undefined
  /** Depth inside an element of another namespace, which is skipped. */
  #foreign = 0
  #namespace = ''
  #headerName = ''
  readonly #headers: RequestHeaders = {}
  /** Envelope errors. Reported only after the whole text was read, because "not XML" takes precedence. */
  #refusal: EnvelopeRefused | undefined
  #operation: Operation | undefined
  #params: Record<string, unknown> | undefined

  readonly #options: DecodeOptions

  constructor(options: DecodeOptions) {
    this.#options = options
  }

  /** Yields after each slice. */
  *read(xml: Buffer | string): Generator<void, DecodedRequest> {
    const parser = this.#parser
    parser.on('error', (error) => {
      throw new MalformedXml(error.message)
    })
    parser.on('doctype', () => {
      throw new MalformedXml('a DTD is not allowed')
    })
    parser.on('opentag', (tag) => this.#open(tag))
    parser.on('text', (text) => this.#text(text))
    parser.on('cdata', (text) => this.#text(text))
    parser.on('closetag', () => this.#close())
    try {
      const text = decodedXml(xml)
      for (let at = 0; at < text.length; at += SLICE) {
        if (at > 0) yield
        parser.write(text.slice(at, at + SLICE))
      }
      parser.close()
    } catch (error) {
      if (error instanceof BadValue) throw this.#unreadable(error.message)
      throw error
    }
    return this.#result()
  }

  #result(): DecodedRequest {
    const version = this.#version
    const operation = this.#operation
    const params = this.#params
    const refusal = this.#refusal
    if (refusal !== undefined) throw refusal
    if (version === undefined || operation === undefined || params === undefined) throw this.#noOperation()
    return { version, operation, params, headers: { ...this.#options.defaultHeaders, ...this.#headers } }
  }

  #unreadable(detail: string): UnreadableRequest {
    return new UnreadableRequest(this.#parser.line, this.#parser.columnIndex + 1, detail)
  }

  #noOperation(): UnrecognizedAction {
    if (this.#version !== '1.2') return new UnrecognizedAction('')
    return new UnrecognizedAction(
      '',
      'Unable to handle request without a valid action parameter. Please supply a valid soap action.',
    )
  }

  #open(tag: SaxesTagNS): void {
    if (this.#depth++ > MAX_DEPTH) throw new MalformedXml(`the XML nests deeper than ${MAX_DEPTH} elements`)
    if (this.#reader !== undefined) this.#openInside(tag)
    else if (this.#depth === 1) this.#openEnvelope(tag)
    else if (this.#version === undefined) return
    else if (this.#depth === 2) this.#section = tag.uri === ENVELOPE_NAMESPACES[this.#version] ? tag.local : ''
    else if (this.#depth === 3 && this.#section === 'Header') this.#openHeader(tag)
    else if (this.#depth === 3 && this.#section === 'Body' && this.#params === undefined) this.#openOperation(tag)
  }

  #openEnvelope(tag: SaxesTagNS): void {
    if (tag.local !== 'Envelope') {
      const text = 'Server was unable to read request. ---> Request format is invalid: Missing required soap:Envelope element.'
      this.#refusal = new EnvelopeRefused('Client', text)
      return
    }
    const { version: announced } = this.#options
    const envelopeVersion = (['1.1', '1.2'] as const).find((version) => ENVELOPE_NAMESPACES[version] === tag.uri)
    if (envelopeVersion === '1.1' && announced === '1.2')
      throw new WrongMediaType('a SOAP 1.1 envelope is not application/soap+xml')
    this.#version = envelopeVersion
    if (envelopeVersion !== undefined) return
    const expected = ENVELOPE_NAMESPACES[announced ?? '1.1']
    this.#refusal = new EnvelopeRefused(
      'VersionMismatch',
      `Possible SOAP version mismatch: Envelope namespace ${tag.uri} was unexpected. Expecting ${expected}.`,
    )
  }

  #openHeader(tag: SaxesTagNS): void {
    const { headerNamespace = tag.uri } = this.#options
    const plan = tag.uri === headerNamespace ? headerPlans.get(tag.local) : undefined
    if (plan === undefined) {
      if (mustBeUnderstood(tag))
        this.#refusal ??= new EnvelopeRefused('MustUnderstand', `SOAP header ${tag.local} was not understood.`)
      return
    }
    this.#headerName = tag.local
    this.#begin(tag, plan)
  }

  #openOperation(tag: SaxesTagNS): void {
    const options = this.#options
    const action = plainAction(options.action)
    const slash = action.lastIndexOf('/')
    const namespace = action.slice(0, Math.max(slash, 0))
    const namedOperation = action === '' ? undefined : options.operationOf(action.slice(slash + 1), namespace)
    // SOAP 1.2 ignores an action that it does not know; SOAP 1.1 does not.
    if (action !== '' && namedOperation === undefined && options.version !== '1.2') throw new UnrecognizedAction(action)
    const operation = namedOperation ?? options.operationOf(tag.local, tag.uri)
    if (operation === undefined) throw this.#noOperation()
    // A known action decides. A body with another element cannot be read as that operation's, unless SOAP 1.2 expects nothing to
    // read.
    const nothingToRead = options.version === '1.2' && Object.keys(operation.params).length === 0
    if (namedOperation !== undefined && !nothingToRead && !this.#fits(tag, operation, namespace)) {
      throw this.#unreadable(`<${tag.local} xmlns='${tag.uri}'> was not expected.`)
    }
    this.#operation = operation
    this.#begin(tag, paramsPlan(operation))
  }

  #fits(tag: SaxesTagNS, operation: Operation, namespace: string): boolean {
    if (tag.uri !== namespace) return false
    return tag.local === wireNameOf(operation) || this.#options.operationOf(tag.local, tag.uri) === operation
  }

  #begin(tag: SaxesTagNS, plan: StructPlan): void {
    this.#namespace = tag.uri
    this.#reader = new ValueReader(wrapperSlot(tag.local, plan), this.#options.strict === true ? strictHabits : serverHabits)
    this.#reader.open(tag.local)
  }

  /** .NET does not know elements of another namespace, nor of none, which is a common mistake of clients. */
  #openInside(tag: SaxesTagNS): void {
    if (this.#foreign > 0 || tag.uri !== this.#namespace) {
      this.#foreign++
      return
    }
    this.#reader?.open(tag.local)
    for (const { prefix, local, uri, value } of Object.values(tag.attributes)) {
      if (prefix === '' || uri === XSI_NAMESPACE) this.#reader?.attribute(prefix, local, value)
    }
  }

  #text(text: string): void {
    if (text.length > MAX_TEXT_LENGTH) throw new MalformedXml(`a text is longer than ${MAX_TEXT_LENGTH} characters`)
    if (this.#foreign === 0) this.#reader?.characters(text)
  }

  #close(): void {
    this.#depth--
    const reader = this.#reader
    if (reader === undefined) return
    if (this.#foreign > 0) {
      this.#foreign--
      return
    }
    reader.close()
    if (!reader.done) return
    if (this.#section === 'Header') Object.assign(this.#headers, { [this.#headerName]: reader.value })
    else this.#params = reader.value as Record<string, unknown>
    this.#reader = undefined
  }
}

/**
 * True if a header says that the request must not be carried out by a reader that does not know it (SOAP 1.1, 4.2.3; SOAP 1.2,
 * 5.2.3). Its actor or role may name another reader.
 */
function mustBeUnderstood(tag: SaxesTagNS): boolean {
  const soapAttributes = Object.values(tag.attributes).filter(({ uri }) => Object.values(ENVELOPE_NAMESPACES).includes(uri))
  const attribute = (...names: string[]) => soapAttributes.find(({ local }) => names.includes(local))?.value.trim() ?? ''
  const reader = attribute('actor', 'role')
  return ['1', 'true'].includes(attribute('mustUnderstand')) && (reader === '' || /\/(next|ultimateReceiver)$/.test(reader))
}

/** Without quotes, and url-decoded as .NET does. */
function plainAction(action: string | undefined): string {
  const plain = (action ?? '').trim().replace(/^"(.*)"$/, '$1')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

function decodedXml(xml: Buffer | string): string {
  if (typeof xml === 'string') return xml
  if (xml[0] === 0xff && xml[1] === 0xfe) return xml.toString('utf16le')
  if (!isUtf8(xml)) throw new MalformedXml('the bytes are not UTF-8')
  return xml.toString('utf8')
}
