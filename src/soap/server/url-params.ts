/**
 * Parameters of the HTTP GET and POST forms, read as the service's runtime reads them (docs/service.md, How requests are read).
 * For servers.
 */
import {
  type Field,
  fieldWireName,
  LexicalError,
  type Operation,
  readSimple,
  type SimpleType,
  type SimpleValue,
  typeName,
} from '../../contract/index.js'

/** A parameter is missing or is not of its type. `message` is the service's text. */
export class UnreadableParameter extends Error {
  override name = 'UnreadableParameter'
}

/**
 * .NET's type names and its words for a text that does not convert. The words are from the framework, of medium confidence
 * (docs/service.md, How requests are read).
 */
const CONVERSIONS: Readonly<Record<string, readonly [type: string, refusal: string]>> = {
  int: ['System.Int32', 'Input string was not in a correct format.'],
  decimal: ['System.Decimal', 'Input string was not in a correct format.'],
  boolean: ['System.Boolean', 'String was not recognized as a valid Boolean.'],
  dateTime: ['System.DateTime', 'String was not recognized as a valid DateTime.'],
  base64Binary: ['System.Byte[]', 'Invalid length for a Base-64 char array or string.'],
}

/**
 * Reads the parameters of an operation from name=value pairs that are already URL-decoded. The case of names does not matter. A
 * list takes every pair with its name; the texts of a single value are joined by a comma, as .NET's collection does. Pairs with
 * other names are skipped.
 * @throws {UnreadableParameter}
 */
export function decodeUrlParams(operation: Operation, pairs: Iterable<[string, string]>): Record<string, unknown> {
  const texts = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    const key = name.toLowerCase()
    const values = texts.get(key)
    if (values === undefined) texts.set(key, [value])
    else values.push(value)
  }
  const params: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(operation.params)) {
    const wireName = fieldWireName(name, field)
    const value = parseParam(wireName, field, texts.get(wireName.toLowerCase()))
    if (value !== undefined) params[name] = value
  }
  return params
}

function parseParam(name: string, field: Field, texts: readonly string[] | undefined): unknown {
  const { type } = field
  if (type.kind === 'struct' || type.kind === 'recursive') {
    throw new UnreadableParameter(`The parameter ${name} is a ${typeName(type)}, which HTTP GET and POST cannot carry. Use SOAP.`)
  }
  if (type.kind === 'list') return (texts ?? []).map((text) => valueOfText(type.item as SimpleType, text))
  if (field.repeated) return (texts ?? []).map((text) => valueOfText(type, text))
  if (texts === undefined) {
    if (field.nillable) return null
    // The real service takes bytes as a repeated parameter, which may be missing.
    if (type.kind === 'base64Binary') return undefined
    throw new UnreadableParameter(`Missing parameter: ${name}.`)
  }
  const text = texts.join(',')
  if (text === '' && field.nillable) return null
  if (text === '' && type.kind === 'base64Binary') return undefined
  return valueOfText(type, text)
}

function valueOfText(type: SimpleType, text: string): SimpleValue {
  try {
    return readSimple(type, type.kind === 'boolean' ? text.trim().toLowerCase() : text)
  } catch (error) {
    if (!(error instanceof LexicalError)) throw error
    const [name, refusal] = CONVERSIONS[type.kind] ?? [typeName(type), `Requested value '${text}' was not found.`]
    const tooLarge = type.kind === 'int' && /^\s*[+-]?\d+\s*$/.test(text)
    const why = tooLarge ? 'Value was either too large or too small for an Int32.' : refusal
    throw new UnreadableParameter(`Cannot convert ${text} to ${name}.\r\nParameter name: type ---> ${why}`)
  }
}
