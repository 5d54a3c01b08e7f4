/**
 * Turns complex types into structs and lists in the vocabulary of the contract. What it cannot express is noted, and the rest is
 * read.
 */
import type { Field, Struct, Type } from '../../../contract/index.js'
import { recursive } from '../../../contract/vocabulary.js'
import { childrenOf, qnameIn, type XmlNode } from '../tree.js'
import { XSD } from './builtin.js'
import { isRepeated, Particles } from './particles.js'
import { type Defined, keyOf, type Schema } from './schema.js'
import { type Read, ruleOf, SimpleTypes } from './simple.js'

/** Types within types; no real service has a longer chain. */
const MAX_TYPE_DEPTH = 50

// XML names as the codec writes them, up to a sensible length.
const NAME = /^[\p{L}_][\p{L}\p{N}._-]{0,199}$/u

type Entries = [string, Field][]

export class TypeReader {
  readonly #simple: SimpleTypes
  readonly #particles: Particles
  readonly #structs = new Map<XmlNode, Struct>()
  readonly #building = new Map<XmlNode, string>()
  #depth = 0

  readonly #schema: Schema
  /** The namespace of requests and replies. */
  readonly #namespace: string

  constructor(schema: Schema, namespace: string) {
    this.#schema = schema
    this.#namespace = namespace
    this.#simple = new SimpleTypes(schema)
    this.#particles = new Particles(schema)
  }

  /**
   * The fields of a global element: the parameters of a request, or the content of a reply.
   * @returns undefined if the description does not define it
   */
  elementFields(definition: Defined): Struct['fields'] | undefined {
    const name = definition.node.attributes.get('name') ?? ''
    const [inline] = childrenOf(definition.node, XSD, 'complexType')
    if (inline !== undefined) return Object.fromEntries(this.#entriesOf({ ...definition, node: inline }, name))
    const type = qnameIn(definition.node, definition.node.attributes.get('type'))
    const typeDefinition = type === undefined ? undefined : this.#schema.types.get(keyOf(type))
    return typeDefinition?.node.local === 'complexType' ? Object.fromEntries(this.#entriesOf(typeDefinition, name)) : undefined
  }

  /** The type of an element or attribute declaration. If it cannot be read, that is noted and it is undefined. */
  #typeOf(definition: Defined, owner: string): Read<Type> | undefined {
    const { node } = definition
    const name = node.attributes.get('name') ?? ''
    const where = `${owner}.${name}`
    const [complex] = childrenOf(node, XSD, 'complexType')
    if (complex !== undefined) return this.#complex({ ...definition, node: complex }, name, where)
    const [simple] = childrenOf(node, XSD, 'simpleType')
    if (simple !== undefined) return this.#simple.defined(simple, name)
    const type = qnameIn(node, node.attributes.get('type'))
    if (type === undefined) return this.#unreadable(where, 'has no type')
    const simpleType = this.#simple.simpleTypeNamed(type, where)
    if (simpleType !== undefined) return simpleType
    if (type.uri === XSD) return this.#unreadable(where, `is of the type ${type.local}, which may hold anything`)
    const typeDefinition = this.#schema.types.get(keyOf(type))
    if (typeDefinition === undefined)
      return this.#unreadable(where, `is of the type ${type.local}, which is not in the description`)
    return this.#complex(typeDefinition, type.local, where)
  }

  #unreadable(where: string, what: string): undefined {
    this.#schema.note(where, what)
  }

  #complex(definition: Defined, name: string, where: string): Read<Type> | undefined {
    const { node } = definition
    const knownStruct = this.#structs.get(node)
    if (knownStruct !== undefined) return { type: knownStruct }
    if (this.#building.has(node)) return { type: recursive(name, () => this.#structs.get(node) as Struct) }
    if (this.#depth >= MAX_TYPE_DEPTH) return this.#unreadable(where, `nests deeper than ${MAX_TYPE_DEPTH} types`)
    const [simple] = childrenOf(node, XSD, 'simpleContent')
    if (simple !== undefined) return this.#simpleContent(simple, name)
    this.#depth++
    try {
      const list = this.#listOf(definition, name)
      if (list !== undefined) return { type: list }
      this.#building.set(node, name)
      const struct: Struct = { kind: 'struct', name, fields: Object.fromEntries(this.#entriesOf(definition, name)) }
      this.#structs.set(node, struct)
      return { type: struct }
    } finally {
      this.#building.delete(node)
      this.#depth--
    }
  }

  /** A text with attributes: the text alone. */
  #simpleContent(node: XmlNode, name: string): Read<Type> | undefined {
    const [inner] = childrenOf(node, XSD, 'extension', 'restriction')
    const base = inner === undefined ? undefined : qnameIn(inner, inner.attributes.get('base'))
    const baseType = base === undefined ? undefined : this.#simple.simpleTypeNamed(base, name)
    if (baseType === undefined) return this.#unreadable(name, 'is a text of an unknown type')
    this.#schema.note(name, 'has attributes beside its text, which are not sent')
    return baseType
  }

  /** A wrapper that holds only one element, any number of times; undefined for any other type. */
  #listOf(definition: Defined, name: string): Type | undefined {
    const element = this.#particles.onlyRepeated(definition.node)
    if (element === undefined) return undefined
    const entry = this.#fieldOf({ ...definition, node: element }, name)
    if (entry === undefined) return undefined
    const [itemName, { type, nillable }] = entry
    return { kind: 'list', name, itemName, item: type, nillableItems: nillable }
  }

  /** Attributes, then elements in their order, those of a base type first. */
  #entriesOf(definition: Defined, owner: string, bases: readonly XmlNode[] = []): Entries {
    const { node } = definition
    const [content] = childrenOf(node, XSD, 'complexContent')
    const [derived] = content === undefined ? [] : childrenOf(content, XSD, 'extension', 'restriction')
    const inherited = derived?.local === 'extension' ? this.#inherited(derived, owner, [...bases, node]) : []
    if (node.attributes.get('mixed') === 'true') this.#schema.note(owner, 'mixes text and elements; the text is not read')
    const body = derived ?? node
    const entries: Entries = []
    for (const attribute of this.#particles.attributes(body, owner)) {
      const attributeEntry = this.#attributeOf({ ...definition, node: attribute }, owner)
      if (attributeEntry !== undefined) entries.push(attributeEntry)
    }
    entries.push(...inherited)
    for (const particle of this.#particles.of(body, definition, owner)) {
      const fieldEntry = this.#fieldOf(particle, owner)
      if (fieldEntry === undefined) continue
      const [name, field] = fieldEntry
      entries.push([name, { ...field, min: particle.optional ? 0 : field.min, repeated: field.repeated || particle.repeated }])
    }
    return this.#withoutRepeats(entries, owner)
  }

  #inherited(extension: XmlNode, owner: string, bases: readonly XmlNode[]): Entries {
    const base = qnameIn(extension, extension.attributes.get('base'))
    const baseDefinition = base === undefined ? undefined : this.#schema.types.get(keyOf(base))
    if (baseDefinition === undefined || bases.includes(baseDefinition.node) || bases.length > MAX_TYPE_DEPTH) {
      this.#schema.note(owner, `extends ${base?.local ?? 'a type'}, which is not in the description`)
      return []
    }
    return this.#entriesOf(baseDefinition, owner, bases)
  }

  #withoutRepeats(entries: Entries, owner: string): Entries {
    const names = new Set<string>()
    return entries.filter(([name]) => {
      if (!names.has(name)) return names.add(name)
      this.#schema.note(`${owner}.${name}`, 'occurs in more than one place; the first is read')
      return false
    })
  }

  #fieldOf(definition: Defined, owner: string): [string, Field] | undefined {
    const { node } = definition
    const reference = qnameIn(node, node.attributes.get('ref'))
    const target = reference === undefined ? definition : this.#schema.elements.get(keyOf(reference))
    const name = target?.node.attributes.get('name') ?? ''
    if (target === undefined)
      return this.#unreadable(owner, `refers to the element ${reference?.local}, which is not in the description`)
    if (!NAME.test(name)) return this.#unreadable(owner, 'has an element without a name that can be sent')
    const form = node.attributes.get('form') ?? (reference === undefined && !definition.qualified ? 'unqualified' : 'qualified')
    if (form !== 'qualified')
      this.#schema.note(`${owner}.${name}`, 'is in no namespace, but would be sent in that of the service')
    else if (target.namespace !== this.#namespace) {
      this.#schema.note(`${owner}.${name}`, `is in the namespace ${target.namespace}, but would be sent in that of the service`)
    }
    const fieldType = this.#typeOf(target, owner)
    if (fieldType === undefined) return undefined
    const [max, repeated] = [node.attributes.get('maxOccurs'), isRepeated(node)]
    const rule = repeated && max !== 'unbounded' ? { ...fieldType.rule, maxItems: Number(max) } : fieldType.rule
    const min = node.attributes.get('minOccurs') === '0' ? 0 : 1
    const nillable = target.node.attributes.get('nillable') === 'true'
    return [name, { type: fieldType.type, min, nillable, repeated, attribute: false, ...ruleOf(rule) }]
  }

  #attributeOf(definition: Defined, owner: string): [string, Field] | undefined {
    const { node } = definition
    const name = node.attributes.get('name')
    if (name === undefined || !NAME.test(name)) return this.#unreadable(owner, 'has an attribute defined elsewhere')
    const attributeType = this.#typeOf(definition, owner)
    if (attributeType === undefined) return undefined
    const min = node.attributes.get('use') === 'required' ? 1 : 0
    return [
      name,
      { type: attributeType.type, min, nillable: false, repeated: false, attribute: true, ...ruleOf(attributeType.rule) },
    ]
  }
}
