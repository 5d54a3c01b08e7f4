/**
 * Writes parameters of requests, and replies, as text, straight from values, by plans compiled from the contract. We write the
 * strings ourselves because a list of 10,000 items must leave the sandbox faster than a client reads it, and a million prices are
 * 2,000 requests of 500: xml2js builds a tree first, and takes 1 ms for each of them.
 */
import {
  type Field,
  type Fields,
  fieldWireName,
  type Operation,
  resolved,
  type SimpleType,
  type SimpleValue,
  type Struct,
  type Type,
  typeName,
  wireNameOf,
  writeSimple,
} from '../../contract/index.js'
import { indented, NEWLINE } from './indent.js'
import { isSecretName, MASK, shortened } from './mask.js'
import { ENVELOPE_NAMESPACES, ENVELOPE_PREFIX, type HostKind, type SoapVersion, XSD_NAMESPACE, XSI_NAMESPACE } from './names.js'

/** Characters that are collected before a piece of a reply is handed on. */
const PIECE_LENGTH = 32 * 1024

/** A field with its tags prepared. */
interface FieldPlan {
  readonly name: string
  readonly wireName: string
  readonly nil: string
  readonly field: Field
  /** Writes one value between its tags. */
  readonly write: (value: unknown, path: string) => string
}

interface StructPlan {
  readonly attributes: readonly FieldPlan[]
  readonly elements: readonly FieldPlan[]
}

const plans = { sent: new WeakMap<Fields, StructPlan>(), shown: new WeakMap<Fields, StructPlan>() }

/** @param shown whether the values are written to be shown: secrets masked, files shortened */
function planOf(fields: Fields, forTrace: boolean): StructPlan {
  const planCache = forTrace ? plans.shown : plans.sent
  const knownPlan = planCache.get(fields)
  if (knownPlan !== undefined) return knownPlan
  const all = Object.entries(fields).map(([name, field]) => planOfField(name, field, forTrace))
  const plan = { attributes: all.filter(({ field }) => field.attribute), elements: all.filter(({ field }) => !field.attribute) }
  planCache.set(fields, plan)
  return plan
}

function planOfField(name: string, field: Field, forTrace: boolean): FieldPlan {
  const wireName = fieldWireName(name, field)
  return {
    name,
    wireName,
    nil: `<${wireName} xsi:nil="true" />`,
    field,
    write: forTrace && isSecretName(name) ? () => element(wireName, MASK) : elementWriter(wireName, field.type, forTrace),
  }
}

/** An element around what is already XML. */
export function element(name: string, inner: string): string {
  return inner === '' ? `<${name} />` : `<${name}>${inner}</${name}>`
}

/** Makes a function that writes one element of a type under a name. */
function elementWriter(name: string, type: Type, forTrace: boolean): (value: unknown, path: string) => string {
  const open = `<${name}>`
  const close = `</${name}>`
  switch (type.kind) {
    case 'struct':
    case 'recursive':
      return (value, path) => writeStruct(name, resolved(type) as Struct, value, path, forTrace)
    case 'list': {
      const item = elementWriter(type.itemName, type.item, forTrace)
      return (value, path) => {
        let text = ''
        for (const entry of requireEntries(value, path)) text += item(entry, path)
        return element(name, text)
      }
    }
    case 'int':
    case 'boolean':
      return (value, path) => {
        if (typeof value !== 'number' && typeof value !== 'boolean') throw unwritable(path, value, type.kind)
        return `${open}${value}${close}`
      }
    default:
      return (value, path) => element(name, simpleText(type, value, path, forTrace))
  }
}

/** The text of a value, escaped. */
export function simpleText(type: SimpleType, value: unknown, path: string, forTrace = false): string {
  if (typeof value === 'string') return escapeText(value)
  if (forTrace && value instanceof Uint8Array) return shortened(Math.ceil(value.length / 3) * 4)
  if (value === undefined || (typeof value === 'object' && !(value instanceof Uint8Array))) {
    throw unwritable(path, value, type.kind)
  }
  return writeSimple(type, value as SimpleValue)
}

function unwritable(path: string, value: unknown, kind: string): TypeError {
  return new TypeError(`${path} cannot be written: "${String(value)}" is not of type ${kind}`)
}

function requireEntries(value: unknown, path: string): Iterable<unknown> {
  if (typeof value === 'object' && value !== null && Symbol.iterator in value) return value as Iterable<unknown>
  throw unwritable(path, value, 'list')
}

function writeStruct(name: string, struct: Struct, value: unknown, path: string, forTrace: boolean): string {
  if (typeof value !== 'object' || value === null) throw unwritable(path, value, struct.name)
  const bag = value as Record<string, unknown>
  let tag = `<${name}`
  for (const { name: attribute, wireName, field } of planOf(struct.fields, forTrace).attributes) {
    const fieldValue = bag[attribute]
    if (fieldValue === undefined || fieldValue === null) {
      if (field.min === 1) throw unwritable(`${path}.${attribute}`, fieldValue, typeName(field.type))
    } else tag += ` ${wireName}="${escapeAttribute(simpleText(field.type as SimpleType, fieldValue, path))}"`
  }
  const text = fieldElements(struct.fields, bag, path, forTrace)
  return text === '' ? `${tag} />` : `${tag}>${text}</${name}>`
}

/**
 * The elements of fields, in the order of the contract.
 * @param shown whether they are written to be shown: secrets masked, files shortened
 * @throws {TypeError} if a value is not of its type, or a required one is missing
 */
export function fieldElements(
  fields: Fields,
  values: Readonly<Record<string, unknown>>,
  path: string,
  forTrace: boolean,
): string {
  let text = ''
  for (const plan of planOf(fields, forTrace).elements) text += writeField(plan, values[plan.name], path)
  return text
}

/** An unset optional element is left out, an unset nillable one is nil, as .NET does. */
function writeField(plan: FieldPlan, value: unknown, path: string): string {
  const { field } = plan
  if (value === undefined || value === null) {
    if (field.repeated) return ''
    if (field.nillable && (field.min === 1 || value === null)) return plan.nil
    if (field.min === 0) return ''
    if (field.unset !== undefined) return plan.write(field.unset, path)
    throw unwritable(`${path}.${plan.name}`, value, typeName(field.type))
  }
  if (!field.repeated) return plan.write(value, path)
  let text = ''
  for (const entry of requireEntries(value, path)) text += plan.write(entry, path)
  return text
}

// The characters that must be escaped in a text, and those that XML cannot carry at all (XML 1.0, 2.2). A reader turns \r\n into
// \n unless it is escaped (2.11).
const SPECIAL = /[&<>\r]|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u
const EACH_SPECIAL = new RegExp(SPECIAL, 'gu')

/**
 * Text of an element. A character that XML cannot carry becomes U+FFFD, because one bad title must not make a whole list
 * unreadable.
 */
export function escapeText(text: string): string {
  return SPECIAL.test(text) ? text.replace(EACH_SPECIAL, escaped) : text
}

function escaped(character: string): string {
  switch (character) {
    case '&':
      return '&amp;'
    case '<':
      return '&lt;'
    case '>':
      return '&gt;'
    case '\r':
      return '&#xD;'
    default:
      return '\uFFFD'
  }
}

/**
 * Text of an attribute that is already escaped as text. Readers turn white space in attributes into spaces unless it is escaped
 * (XML 1.0, 3.3.3).
 */
export function escapeAttribute(text: string): string {
  return text.replace(/["\n\t]/g, (character) => (character === '"' ? '&quot;' : character === '\n' ? '&#xA;' : '&#x9;'))
}

export const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'

/** The start of an envelope; for the order of the declarations see docs/service.md, How replies are written. */
function openEnvelope(version: SoapVersion, host: HostKind): string {
  const prefix = ENVELOPE_PREFIX[host]
  const own = `xmlns:${prefix}="${ENVELOPE_NAMESPACES[version]}"`
  const schema = `xmlns:xsi="${XSI_NAMESPACE}" xmlns:xsd="${XSD_NAMESPACE}"`
  if (host === 'core') return `<${prefix}:Envelope ${schema} ${own}><${prefix}:Body>`
  return `${DECLARATION}<${prefix}:Envelope ${own} ${schema}><${prefix}:Body>`
}

function closeEnvelope(host: HostKind): string {
  const prefix = ENVELOPE_PREFIX[host]
  return `</${prefix}:Body></${prefix}:Envelope>`
}

/** The end of an envelope as a client, and .NET's own runtime, write it. */
export const CLOSE_ENVELOPE = closeEnvelope('asmx')

/** A short content in its envelope. */
export function inEnvelope(version: SoapVersion, host: HostKind, content: string): string {
  const text = `${openEnvelope(version, host)}${content}${closeEnvelope(host)}`
  return host === 'core' ? [...indented([text])].join('') : text
}

/**
 * A reply as pieces of text. A list result may be any Iterable: its entries are taken one by one, so that 100,000 items are never
 * in memory together. A null or undefined result is left out, an empty list is an empty element, and an operation without a
 * result answers an empty response element (docs/service.md, How replies are written).
 * @throws {TypeError} if a value is not of its type, or a required one is missing
 */
export function* writeReply(
  version: SoapVersion,
  namespace: string,
  operation: Operation,
  result: unknown,
  host: HostKind = 'asmx',
): Generator<string, void> {
  const { result: field } = operation
  const name = wireNameOf(operation)
  const response = `${name}Response xmlns="${escapeAttribute(escapeText(namespace))}"`
  if (field === undefined || ((result === undefined || result === null) && field.min === 0)) {
    yield inEnvelope(version, host, `<${response} />`)
    return
  }
  const pieces = around(
    `${openEnvelope(version, host)}<${response}>`,
    writeResult(`${name}Result`, '', field, result, name),
    `</${name}Response>${closeEnvelope(host)}`,
  )
  yield* host === 'core' ? indented(pieces) : pieces
}

/**
 * The result of the HTTP forms. Its root is named after the type, in the service's namespace, and it is indented, which .NET does
 * only here (docs/service.md, How replies are written). Empty for an operation without a result; nil for a null result.
 */
export function* writePlainResult(namespace: string, operation: Operation, result: unknown): Generator<string, void> {
  const { name, result: field } = operation
  if (field === undefined) return
  const root = typeName(field.type)
  const declaration = `${DECLARATION}${NEWLINE}`
  const spaces = `xmlns:xsi="${XSI_NAMESPACE}" xmlns:xsd="${XSD_NAMESPACE}" xmlns="${escapeAttribute(escapeText(namespace))}"`
  if (result === undefined || result === null) yield `${declaration}<${root} ${spaces} xsi:nil="true" />`
  else yield* around(declaration, indented(writeResult(root, ` ${spaces}`, field, result, name)), '')
}

/** Texts of frozen entries by their type: such an entry has the same text in every list. */
const FROZEN = new WeakMap<object, { readonly type: Type; readonly text: string }>()

/** Writes entries of a list, frozen ones once. */
function entryWriter(name: string, type: Type): (entry: unknown, path: string) => string {
  const write = elementWriter(name, type, false)
  return (entry, path) => {
    if (typeof entry !== 'object' || entry === null || !Object.isFrozen(entry)) return write(entry, path)
    const frozen = FROZEN.get(entry)
    if (frozen?.type === type) return frozen.text
    const text = write(entry, path)
    // A text joined of many is made one by reading it: then it is joined and sent in one step.
    text.charCodeAt(0)
    FROZEN.set(entry, { type, text })
    return text
  }
}

/** The pieces of a result element, lists entry by entry. */
function* writeResult(tag: string, attributes: string, field: Field, result: unknown, path: string): Generator<string, void> {
  const { type } = field
  if (type.kind !== 'list') {
    const text = writeField(planOfField(tag, field, false), result, path)
    yield attributes === '' ? text : `<${tag}${attributes}${text.slice(tag.length + 1)}`
    return
  }
  const write = entryWriter(type.itemName, type.item)
  let any = false
  for (const entry of requireEntries(result, path)) {
    if (!any) yield `<${tag}${attributes}>`
    any = true
    yield write(entry, `${path}.${type.itemName}`)
  }
  yield any ? `</${tag}>` : `<${tag}${attributes} />`
}

/** Joins small pieces into larger ones. */
function* around(start: string, pieces: Iterable<string>, end: string): Generator<string, void> {
  let text = start
  for (const piece of pieces) {
    text += piece
    if (text.length < PIECE_LENGTH) continue
    yield text
    text = ''
  }
  yield text + end
}
