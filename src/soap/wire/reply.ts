/** Reads replies: the envelope of SOAP 1.1 and 1.2 with any prefix, and the bare results of the HTTP forms. */
import { type Field, LexicalError, type Operation, readSimple, typeName, wireNameOf, wrapper } from '../../contract/index.js'
import { type Fault, readFault } from './fault.js'
import {
  isReliedSlot,
  LOOSE,
  looseSlot,
  planOf,
  projectSlot,
  type Slot,
  STRING,
  STRUCT,
  type StructPlan,
  slotOf,
  wrapperSlot,
} from './plan.js'
import { type Bag, isOpenWord, LeftOut, type ReadingHabits, type Replaced, type UnreadValue, ValueReader } from './reader.js'
import { MAX_WORDS } from './words.js'
import { type Listener, XmlReader } from './xml-reader.js'

/** A reply that does not belong to this operation. */
export class NotSoap extends Error {
  override name = 'NotSoap'
}

/** A reply that breaks the contract: a value that is not of its type, or a field that decisions depend on. */
export class BrokenReply extends Error {
  override name = 'BrokenReply'
}

/** A reply whose result is in another namespace than the request. */
export class OtherNamespace extends Error {
  override name = 'OtherNamespace'
}

/** Changes every text of a reply before anyone sees it. `said` marks words for a person (contract, `said`). */
export type TextFilter = (text: string, said: boolean) => string

const ODD = { repeated: 'comes twice', foreign: 'is in another namespace than the element around it' }

/**
 * Reading of a reply by a client: unknown elements are kept, texts pass the filter, and an element that decisions depend on is
 * refused if it occurs twice or in a foreign namespace.
 */
function replyHabits(filter: TextFilter): ReadingHabits {
  const text = (rawText: string, slot: Slot) => filter(rawText, slot.field?.said === true)
  return {
    keepUnknown: true,
    heedsNil: () => true,
    text,
    value(slot, rawText, { path, record }) {
      // No value has this many characters: only words do, and those are bounded.
      if (slot.code !== STRING && rawText.length > MAX_WORDS && slot.simple?.kind !== 'base64Binary') {
        if (isOpenWord(slot)) return filter(rawText, true)
        throw new BrokenReply(`${path()}${ofRecord(record())} is not a value: it has ${rawText.length} characters`)
      }
      try {
        return slot.simple === undefined || slot.code === STRING ? text(rawText, slot) : readSimple(slot.simple, rawText)
      } catch (error) {
        // A word newer than this tool is kept rather than refused: the caller sees it as it is (results.ts of the contract does
        // the same).
        if (!(error instanceof LexicalError)) throw error
        if (isOpenWord(slot)) return filter(rawText, true)
        if (slot.lenient) return new LeftOut(path(), filter(rawText, true), error.message)
        throw new BrokenReply(`${path()}${ofRecord(record())} cannot be read: ${error.message}`)
      }
    },
    refuseChild({ itemName }, child, path) {
      if (itemName === undefined) return new BrokenReply(`${path()} holds an element "${child}" where a plain value is expected`)
      return new BrokenReply(`${path()} holds an element "${child}" where only "${itemName}" is expected`)
    },
    oddity(what, slot, path) {
      // A value means the same wherever it stands.
      if (what !== 'disordered' && isReliedSlot(slot)) throw new BrokenReply(`${path()}.${slot.name} ${ODD[what]}`)
    },
  }
}

/** ` of Item 1001`, so that a seller can find it. */
function ofRecord(record: Replaced['first']): string {
  return record === undefined ? '' : ` of ${record.type} ${record.id}`
}

const identity: TextFilter = (text) => text

/** Expected content of an operation's reply. */
export interface Expected {
  /** Element name of the operation. */
  readonly operation: string
  /**
   * The namespace that the result in an envelope must have; any by default. The HTTP forms send none, so their replies may use
   * any.
   */
  readonly namespace?: string | undefined
  /** Its result; undefined if there is none, or none that the contract knows. */
  readonly result?: Field | undefined
  /** For a list of structs: the fields of its entries that are needed. The others are checked for well-formedness and skipped. */
  readonly fields?: readonly string[] | undefined
}

/** Reads one reply. The value is ready when `end` has returned. */
export interface ReplyReader {
  /**
   * Takes the next chunk: bytes of UTF-8, or text.
   * @throws {XmlError | NotSoap | BrokenReply | NotText}
   */
  write(chunk: Uint8Array | string): void
  /**
   * Ends the reply.
   * @throws {XmlCutShort} if the reply is not complete
   * @throws {NotSoap} if it lacks what the operation must answer
   */
  end(): void
  /** True if the reply is complete, so that nothing that follows matters. */
  readonly complete: boolean
  readonly fault: Fault | undefined
  /** Characters that XML forbids, and that were read as U+FFFD. */
  readonly replaced: Replaced | undefined
  /** Values that could not be read and were left out. */
  readonly unread: readonly UnreadValue[]
  /** The result; null if there is none. A list that nothing is concluded from is empty where there is none. */
  readonly value: unknown
  /**
   * True if the reply holds elements where only its result may be: the result may be one of them, under a name of the service's
   * own.
   */
  readonly strange: boolean
  /** Takes the entries read so far out of a list that is still being read; none if the result is not a list. */
  take(): unknown[]
}

/** Makes a reader of envelopes. @param filter changes every text; texts stay as they came by default */
export function soapReplyReader(expected: Expected, filter: TextFilter = identity): ReplyReader {
  return new EnvelopeReader(expected, replyHabits(filter))
}

/** Makes a reader of the bare results of the HTTP forms. @param filter changes every text; texts stay as they came by default */
export function plainReplyReader(expected: Expected, filter: TextFilter = identity): ReplyReader {
  return new PlainReader(expected, replyHabits(filter))
}

/** The struct slot of `<Op>Response`. */
function responseSlot(expected: Expected): Slot {
  const fields = expected.result === undefined ? {} : { [`${expected.operation}Result`]: expected.result }
  const name = `${expected.operation}Response`
  const whole = planOf(wrapper(name, fields))
  const plan = expected.fields === undefined ? whole : withFields(whole, expected.fields)
  return wrapperSlot(name, plan)
}

function withFields(whole: StructPlan, fields: readonly string[]): StructPlan {
  const order = whole.order.map((slot) => projectSlot(slot, fields))
  return { ...whole, order, slots: new Map(order.map((slot) => [slot.element, slot])) }
}

/** The result among the children of `<Op>Response`. */
function readResult(expected: Expected, response: Bag): unknown {
  const name = `${expected.operation}Result`
  const { result } = expected
  if (result === undefined) {
    // An operation that has no result in the contract, but answered one (docs/service.md, Choices between sources): kept as it
    // came.
    if (Object.hasOwn(response, name)) return response[name]
    return Object.keys(response).length > 0 ? response : null
  }
  const value = response[name]
  if (value !== undefined) return value
  if (result.min === 1 && !result.nillable) throw new NotSoap(`the reply lacks ${name}`)
  return result.type.kind === 'list' && result.relied === undefined ? [] : null
}

class EnvelopeReader implements ReplyReader, Listener {
  complete = false
  fault: Fault | undefined
  replaced: Replaced | undefined
  unread: readonly UnreadValue[] = []
  readonly #xml = new XmlReader(this)
  #depth = 0
  #inBody = false
  #sawBody = false
  values: ValueReader | undefined
  #payloadIsFault = false
  #response: Bag | undefined

  readonly #expected: Expected
  readonly #habits: ReadingHabits

  constructor(expected: Expected, habits: ReadingHabits) {
    this.#expected = expected
    this.#habits = habits
  }

  write(chunk: Uint8Array | string): void {
    this.#xml.write(chunk)
  }

  end(): void {
    this.#xml.end()
    if (this.fault !== undefined || this.#response !== undefined) return
    throw new NotSoap(this.#sawBody ? 'the reply has an empty SOAP body' : 'the reply has no SOAP body')
  }

  get value(): unknown {
    return this.#response === undefined ? undefined : readResult(this.#expected, this.#response)
  }

  get strange(): boolean {
    return Object.keys(this.#response ?? {}).some((name) => name !== `${this.#expected.operation}Result`)
  }

  take(): unknown[] {
    const payload = this.values
    const expected = this.#expected
    if (payload === undefined || this.#payloadIsFault || expected.result === undefined) return []
    const list = payload.openListUnderRoot(`${expected.operation}Result`)
    return list === undefined || list.length === 0 ? [] : list.splice(0)
  }

  open(local: string, foreign: string | undefined): void {
    if (this.values !== undefined) {
      this.values.open(local, foreign)
      return
    }
    const depth = this.#depth++
    if (depth === 0 && local !== 'Envelope') {
      throw new NotSoap(
        local.toLowerCase() === 'html' ? 'the reply is a web page' : `the reply is not SOAP: its root is "${local}"`,
      )
    }
    if (depth === 1) {
      this.#inBody = local === 'Body' && foreign === undefined
      if (this.#inBody) this.#sawBody = true
    }
    if (depth === 2 && this.#inBody) this.#openPayload(local, foreign)
  }

  #openPayload(local: string, namespace: string | undefined): void {
    const { operation } = this.#expected
    if (this.#response !== undefined || this.fault !== undefined)
      throw new NotSoap('the reply has more than one element in its SOAP body')
    this.#payloadIsFault = local === 'Fault'
    if (!this.#payloadIsFault && local !== `${operation}Response`) {
      throw new NotSoap(`the reply holds "${local}" where ${operation}Response is expected`)
    }
    if (!this.#payloadIsFault) requireNamespace(this.#expected, namespace)
    this.values = new ValueReader(this.#payloadIsFault ? looseSlot(local) : responseSlot(this.#expected), this.#habits)
    this.values.open(local)
  }

  attribute(prefix: string, local: string, value: string): void {
    this.values?.attribute(prefix, local, value)
  }

  text(text: string): void {
    this.values?.characters(text)
  }

  close(): void {
    const payload = this.values
    if (payload === undefined) {
      if (--this.#depth === 0) this.complete = true
      return
    }
    payload.close()
    if (!payload.done) return
    this.replaced = payload.replaced
    this.unread = payload.unread
    if (this.#payloadIsFault) this.fault = readFault(payload.value)
    else this.#response = bagOf(payload.value)
    this.values = undefined
    this.#depth--
  }
}

/** The HTTP forms: the root element is the result, named after its type or `<Op>Result` (docs/service.md, Bindings). */
class PlainReader implements ReplyReader, Listener {
  complete = false
  readonly strange = false
  readonly fault = undefined
  readonly #xml = new XmlReader(this)
  readonly values: ValueReader
  readonly #loose: boolean
  #empty = true

  readonly #expected: Expected

  constructor(expected: Expected, habits: ReadingHabits) {
    this.#expected = expected

    const { result, operation } = expected
    const whole = result === undefined ? looseSlot(operation) : slotOf(`${operation}Result`, result)
    const slot = expected.fields === undefined ? whole : projectSlot(whole, expected.fields)
    this.#loose = slot.code === LOOSE || slot.code === STRUCT
    this.values = new ValueReader(slot, habits)
  }

  write(chunk: Uint8Array | string): void {
    if (chunk.length > 0) this.#empty = false
    this.#xml.write(chunk)
  }

  end(): void {
    // Operations without a result have an empty reply in these forms.
    if (this.#empty && this.#expected.result === undefined) {
      this.complete = true
      return
    }
    this.#xml.end()
  }

  get value(): unknown {
    return this.values.value ?? null
  }

  get replaced(): Replaced | undefined {
    return this.values.replaced
  }

  get unread(): readonly UnreadValue[] {
    return this.values.unread
  }

  take(): unknown[] {
    const { value } = this.values
    return Array.isArray(value) && value.length > 0 ? value.splice(0) : []
  }

  open(local: string, foreign: string | undefined): void {
    if (this.values.depth < 0) this.#checkRoot(local)
    this.values.open(local, foreign)
  }

  /**
   * A struct may be named after its type in another edition (`User` for `UserInfo`), so only lists and simple values are strict.
   */
  #checkRoot(local: string): void {
    const { operation, result } = this.#expected
    if (local.toLowerCase() === 'html') throw new NotSoap('the reply is a web page')
    if (local === 'Envelope') throw new NotSoap('the reply is a SOAP envelope where a bare result is expected')
    if (result === undefined || this.#loose) return
    const names = [typeName(result.type), `${operation}Result`]
    if (!names.includes(local)) throw new NotSoap(`the reply's root is "${local}" where "${names.join('" or "')}" is expected`)
  }

  attribute(prefix: string, local: string, value: string): void {
    this.values.attribute(prefix, local, value)
  }

  text(text: string): void {
    this.values.characters(text)
  }

  close(): void {
    this.values.close()
    if (this.values.done) this.complete = true
  }
}

/** A service with another namespace has not read what it was sent: it took the default for every parameter. */
function requireNamespace({ namespace: expected }: Expected, actual = ''): void {
  if (expected === undefined || actual.replace(/\/+$/, '') === expected.replace(/\/+$/, '')) return
  const where = actual === '' ? 'in no namespace' : `in the namespace "${actual}"`
  throw new OtherNamespace(`the reply is ${where}, the profile has "${expected}"`)
}

function bagOf(value: unknown): Bag {
  return typeof value === 'object' && value !== null ? (value as Bag) : {}
}

/** Expectation for an operation of the contract. */
export function expectedReply(operation: Operation): Expected {
  return { operation: wireNameOf(operation), result: operation.result }
}
