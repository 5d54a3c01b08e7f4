/** The XML Schema of a service, from the contract: every type that its operations and headers use, once. */
import {
  type Field,
  type Fields,
  headerNames,
  headers,
  type Operation,
  parametersBeyondText,
  resolved,
  type Type,
  typeName,
} from '../../contract/index.js'

/** Lines of text, each level of nesting indented by two more spaces. The caller may indent further. */
type Lines = string[]

const indent = (lines: Lines): Lines => lines.map((line) => `  ${line}`)

/**
 * Name and type of the root element of a result in the HTTP forms (docs/service.md, How replies are written); undefined if the
 * body is empty.
 */
export function plainRoot(operation: Operation): { name: string; type: Type } | undefined {
  return operation.result === undefined ? undefined : { name: typeName(operation.result.type), type: operation.result.type }
}

/** The `s:schema` element of a service: elements of requests, replies, headers and plain results, and all named types. */
export function buildSchema(namespace: string, operations: readonly Operation[]): Lines {
  const types = new Types()
  const service = operations[0]?.service ?? 'RestrictedService'
  const elements: Lines = []
  for (const operation of operations) {
    elements.push(...wrapperElement(operation.name, operation.params, types))
    const results: Fields = operation.result === undefined ? {} : { [`${operation.name}Result`]: operation.result }
    elements.push(...wrapperElement(`${operation.name}Response`, results, types))
  }
  for (const name of headerNames(
    service,
    operations.some(({ asSeller }) => asSeller),
  )) {
    types.reach(headers[name], true)
    elements.push(`<s:element name="${name}" type="tns:${name}" />`)
  }
  for (const [name, type] of plainRoots(operations)) {
    const nillable = type.kind === 'struct' || type.kind === 'list' ? ' nillable="true"' : ''
    elements.push(`<s:element name="${name}"${nillable} type="${types.reach(type)}" />`)
  }
  const lines = [...elements, ...types.definitions()]
  return [`<s:schema elementFormDefault="qualified" targetNamespace="${namespace}">`, ...indent(lines), '</s:schema>']
}

function plainRoots(operations: readonly Operation[]): Map<string, Type> {
  const roots = new Map<string, Type>()
  for (const operation of operations) {
    const root = parametersBeyondText(operation).length === 0 ? plainRoot(operation) : undefined
    if (root !== undefined) roots.set(root.name, root.type)
  }
  return roots
}

function wrapperElement(name: string, fields: Fields, types: Types): Lines {
  if (Object.keys(fields).length === 0) return [`<s:element name="${name}">`, '  <s:complexType />', '</s:element>']
  return [`<s:element name="${name}">`, ...indent(complexType(fields, types)), '</s:element>']
}

function complexType(fields: Fields, types: Types, options: { name?: string; open?: boolean } = {}): Lines {
  const elements: Lines = []
  const attributes: Lines = []
  for (const [name, field] of Object.entries(fields)) {
    if (field.attribute) attributes.push(writeAttribute(name, field, types))
    else elements.push(writeElement(name, field, types))
  }
  const sequence = elements.length === 0 ? [] : ['<s:sequence>', ...indent(elements), '</s:sequence>']
  // The headers' types allow any attribute, for soap:mustUnderstand and the like (docs/service.md, Headers).
  const any = options.open === true ? ['<s:anyAttribute />'] : []
  const nameAttribute = options.name === undefined ? '' : ` name="${options.name}"`
  return [`<s:complexType${nameAttribute}>`, ...indent([...sequence, ...attributes, ...any]), '</s:complexType>']
}

function writeElement(name: string, field: Field, types: Types): string {
  const max = field.repeated ? 'unbounded' : '1'
  const nillable = field.nillable ? ' nillable="true"' : ''
  return `<s:element minOccurs="${field.min}" maxOccurs="${max}" name="${name}"${nillable} type="${types.reach(field.type)}" />`
}

function writeAttribute(name: string, field: Field, types: Types): string {
  return `<s:attribute name="${name}" type="${types.reach(field.type)}"${field.min === 1 ? ' use="required"' : ''} />`
}

/** Named types in the order in which they are first used. */
class Types {
  readonly #definitions = new Map<string, Lines>()

  /** The qualified name of a type. The type, with everything in it, is defined when it is first asked for. */
  reach(type: Type, open = false): string {
    const name = typeName(type)
    const resolvedType = resolved(type)
    if (!('name' in resolvedType)) return `s:${name}`
    if (!this.#definitions.has(name)) {
      // Its place is taken before its fields are defined, because a type may contain itself.
      this.#definitions.set(name, [])
      this.#definitions.set(name, this.#define(name, resolvedType, open))
    }
    return `tns:${name}`
  }

  definitions(): Lines {
    return [...this.#definitions.values()].flat()
  }

  #define(name: string, type: Extract<ReturnType<typeof resolved>, { readonly name: string }>, open: boolean): Lines {
    switch (type.kind) {
      case 'struct':
        return complexType(type.fields, this, { name, open })
      case 'list': {
        const nillable = type.nillableItems ? ' nillable="true"' : ''
        const item = `<s:element minOccurs="0" maxOccurs="unbounded" name="${type.itemName}"${nillable} type="${this.reach(type.item)}" />`
        return [`<s:complexType name="${name}">`, '  <s:sequence>', `    ${item}`, '  </s:sequence>', '</s:complexType>']
      }
      case 'enumeration':
        return [`<s:simpleType name="${name}">`, ...indent(words(type.values)), '</s:simpleType>']
      // A .NET flags enum: a list of the words (docs/service.md, Result codes).
      case 'flags': {
        const list = ['<s:list>', '  <s:simpleType>', ...indent(indent(words(type.values))), '  </s:simpleType>', '</s:list>']
        return [`<s:simpleType name="${name}">`, ...indent(list), '</s:simpleType>']
      }
    }
  }
}

function words(values: readonly string[]): Lines {
  return ['<s:restriction base="s:string">', ...values.map((value) => `  <s:enumeration value="${value}" />`), '</s:restriction>']
}
