/**
 * Valid replies, and each of their relied-on fields damaged in every way. Made from the contract, so that no field is forgotten.
 */
import { type Field, isRelied, type Operation, resolved, type Struct, type Type } from '../../src/contract/index.js'
import { response } from './service.js'

export interface Damage {
  /** `AddItemResult.RequestId missing`. */
  readonly what: string
  /** The element that an error must name. */
  readonly element: string
  readonly way: Way
  /** A whole list is left out, which is none for a command that shows it. */
  readonly absent: boolean
  readonly xml: string
}

export type Way = 'missing' | 'nil' | 'repeated' | 'foreign' | 'zero'

/** An element as text, with its content. */
interface Node {
  readonly name: string
  readonly field: Field
  readonly children: Node[]
  readonly text: string
}

/** Parameters and the values a reply must have to answer them. */
export function wellFormed(operation: Operation): { params: Record<string, unknown>; values: Record<string, string> } {
  switch (operation.name) {
    case 'GetItem':
      return { params: { itemId: 7 }, values: { Id: '7' } }
    case 'GetItemRestarts':
      return { params: { itemId: 7 }, values: {} }
    case 'GetOrders':
    case 'GetFreightLabels':
      return { params: { request: { OrderIds: [7] } }, values: { OrderId: '7' } }
    case 'SetSellerOrderAsPaid':
    case 'SetSellerOrderAsShipped':
      return { params: { request: { OrderId: 7 } }, values: { OrderId: '7' } }
    case 'RemoveShopItem':
      return { params: { shopItemId: 7 }, values: { ItemId: '7' } }
    case 'SetPriceOnShopItems':
    case 'SetActivateDateOnShopItems':
      return { params: { request: { ShopItems: [{ Id: 7, Price: 100 }] } }, values: { ItemId: '7' } }
    default:
      return { params: {}, values: {} }
  }
}

const TEXTS: Readonly<Record<string, string>> = {
  int: '7',
  decimal: '1',
  boolean: 'true',
  dateTime: '2026-11-30T18:00:00',
  string: 'text',
  base64Binary: 'YWJj',
}

function textOf(type: Type): string {
  if (type.kind === 'enumeration' || type.kind === 'flags') return type.values[0] ?? ''
  return TEXTS[type.kind] ?? ''
}

/** Only relied-on fields: a reply must be readable without the others. */
function nodeOf(name: string, field: Field, values: Readonly<Record<string, string>>): Node {
  const inner = field.type.kind === 'list' ? undefined : field.type
  if (field.type.kind === 'list') {
    const entry = nodeOf(field.type.itemName, { ...field, type: field.type.item, relied: undefined }, values)
    return { name, field, children: [entry], text: '' }
  }
  if (inner?.kind !== 'struct') return { name, field, children: [], text: values[name] ?? textOf(field.type) }
  const children = Object.entries((inner as Struct).fields)
    // A session either began or it did not.
    .filter(([child, definition]) => isRelied(definition) && !(child === 'Error' && 'EidOrderRef' in inner.fields))
    .map(([child, definition]) => nodeOf(child, definition, values))
  return { name, field, children, text: '' }
}

function write({ name, children, text }: Node, attributes = ''): string {
  return `<${name}${attributes}>${text}${children.map((child) => write(child)).join('')}</${name}>`
}

function treeOf(operation: Operation): Node {
  return nodeOf(`${operation.name}Result`, operation.result as Field, wellFormed(operation).values)
}

/** The fields of the structs in a reply, each once, as `Type.Field`, with how decisions rest on them. */
export function fieldsOfReply({ result }: Operation): ReadonlyMap<string, Field> {
  const found = new Map<string, Field>()
  const look = (type: Type): void => {
    const form = resolved(type)
    if (form.kind === 'list') look(form.item)
    for (const [name, field] of Object.entries(form.kind === 'struct' ? form.fields : {})) {
      const key = `${(form as Struct).name}.${name}`
      if (found.has(key)) continue
      found.set(key, field)
      look(field.type)
    }
  }
  if (result !== undefined) look(result.type)
  return found
}

/**
 * A valid reply of the operation with every field, and one entry in each list.
 * @param text of every string
 * @param leftOut a field that it does not have, as `Type.Field`
 */
export function fullReplyOf(operation: Operation, text: string, leftOut?: string): string {
  const { values } = wellFormed(operation)
  const write = (name: string, type: Type, field: Field | undefined, depth: number): string => {
    const form = resolved(type)
    if (form.kind === 'list') return `<${name}>${write(form.itemName, form.item, undefined, depth)}</${name}>`
    if (form.kind !== 'struct') {
      const said = form.kind === 'string' && field?.relied === undefined ? text : (values[name] ?? textOf(form))
      return `<${name}>${said}</${name}>`
    }
    // Categories hold categories.
    if (depth > 8) return ''
    const fields = Object.entries(form.fields).filter(
      ([child]) => !(child === 'Error' && 'EidOrderRef' in form.fields) && `${form.name}.${child}` !== leftOut,
    )
    const attributes = fields
      .filter(([, { attribute }]) => attribute)
      .map(([child, { type: kind }]) => ` ${child}="${kind.kind === 'string' ? text : textOf(kind)}"`)
    const children = fields.filter(([, { attribute }]) => !attribute)
    return `<${name}${attributes.join('')}>${children.map(([child, { type: inner, ...rest }]) => write(child, inner, { ...rest, type: inner }, depth + 1)).join('')}</${name}>`
  }
  const { result } = operation
  return response(operation.name, result === undefined ? '' : write(`${operation.name}Result`, result.type, result, 0))
}

/** A valid reply of the operation with its relied-on fields. */
export function replyOf(operation: Operation): string {
  return response(operation.name, operation.result === undefined ? '' : write(treeOf(operation)))
}

/** The ways of breaking a field that must be detected. */
function waysOf({ relied, type }: Field): readonly Way[] {
  const ways: Way[] = ['repeated', 'foreign']
  if (relied === 'when there') return ways
  ways.push('missing', 'nil')
  if (relied === 'id' && type.kind === 'int') ways.push('zero')
  return ways
}

function broken(node: Node, way: Way): string {
  switch (way) {
    case 'missing':
      return ''
    case 'nil':
      return `<${node.name} xsi:nil="true"/>`
    case 'repeated':
      return write(node) + write(node)
    case 'foreign':
      return write(node, ' xmlns="urn:somebody-else"')
    case 'zero':
      return `<${node.name}>0</${node.name}>`
  }
}

/** Every damage of every relied-on field of an operation's reply. */
export function damagesOf(operation: Operation): Damage[] {
  if (operation.result === undefined || !isRelied(operation.result)) return []
  const damages: Damage[] = []
  const walk = (node: Node, around: (inner: string) => string, path: string): void => {
    if (node.field.relied !== undefined) {
      for (const way of waysOf(node.field)) {
        const xml = response(operation.name, around(broken(node, way)))
        const absent = node.field.relied === 'whole' && (way === 'missing' || way === 'nil')
        damages.push({ what: `${path} ${way}`, element: node.name, way, absent, xml })
      }
    }
    for (const [at, child] of node.children.entries()) {
      const before = node.children.slice(0, at).map((one) => write(one))
      const after = node.children.slice(at + 1).map((one) => write(one))
      const place = (inner: string) => around(`<${node.name}>${[...before, inner, ...after].join('')}</${node.name}>`)
      walk(child, place, `${path}.${child.name}`)
    }
  }
  walk(treeOf(operation), (inner) => inner, `${operation.name}Result`)
  return damages
}
