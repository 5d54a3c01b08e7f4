/**
 * Turns complex types into structs and lists in the vocabulary of the contract. What it cannot express is noted, and the rest is
 * read.
 */
import type { Field, Struct, Type } from '../../../contract/index.js'
import { recursive } from '../../../contract/vocabulary.js'
import { childrenOf, qnameIn, type XmlNode } from '../tree.js'
import { XSD } from './builtin.js'
import { childElements, Particles } from './particles.js'
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
  elementFields(defined: Defined): Struct['fields'] | undefined {
    const name = defined.node.attributes.get('name') ?? ''
    const [inline] = childrenOf(defined.node, XSD, 'complexType')
    if (inline !== undefined) return Object.fromEntries(this.#entriesOf({ ...defined, node: inline }, name))
    const type = qnameIn(defined.node, defined.node.attributes.get('type'))
    const known = type === undefined ? undefined : this.#schema.types.get(keyOf(type))
    return known?.node.local === 'complexType' ? Object.fromEntries(this.#entriesOf(known, name)) : undefined
  }

  /** The type of an element or attribute declaration. If it cannot be read, that is noted and it is undefined. */
  #typeOf(defined: Defined, owner: string): Read<Type> | undefined {
    const { node } = defined
    const name = node.attributes.get('name') ?? ''
    const where = `${owner}.${name}`
    const [complex] = childrenOf(node, XSD, 'complexType')
    if (complex !== undefined) return this.#complex({ ...defined, node: complex }, name, where)
    const [simple] = childrenOf(node, XSD, 'simpleType')
    if (simple !== undefined) return this.#simple.defined(simple, name)
    const type = qnameIn(node, node.attributes.get('type'))
    if (type === undefined) return this.#unreadable(where, 'has no type')
    const read = this.#simple.named(type, where)
    if (read !== undefined) return read
    if (type.uri === XSD) return this.#unreadable(where, `is of the type ${type.local}, which may hold anything`)
    const known = this.#schema.types.get(keyOf(type))
    if (known === undefined) return this.#unreadable(where, `is of the type ${type.local}, which is not in the description`)
    return this.#complex(known, type.local, where)
  }

  #unreadable(where: string, what: string): undefined {
    this.#schema.note(where, what)
  }

  #complex(defined: Defined, name: string, where: string): Read<Type> | undefined {
    const { node } = defined
    const known = this.#structs.get(node)
    if (known !== undefined) return { type: known }
    if (this.#building.has(node)) return { type: recursive(name, () => this.#structs.get(node) as Struct) }
    if (this.#depth >= MAX_TYPE_DEPTH) return this.#unreadable(where, `nests deeper than ${MAX_TYPE_DEPTH} types`)
    const [simple] = childrenOf(node, XSD, 'simpleContent')
    if (simple !== undefined) return this.#simpleContent(simple, name)
    this.#depth++
    try {
      const list = this.#listOf(defined, name)
      if (list !== undefined) return { type: list }
      this.#building.set(node, name)
      const struct: Struct = { kind: 'struct', name, fields: Object.fromEntries(this.#entriesOf(defined, name)) }
      this.#structs.set(node, struct)
      return { type: struct }
    } finally {
      this.#building.delete(node)
      this.#depth--
    }
  }

  /** A text with attributes: the text alone. */
  #simpleContent(node: XmlNode, name: string): Read<Type> | undefined {
    const [inner] = [...childrenOf(node, XSD, 'extension'), ...childrenOf(node, XSD, 'restriction')]
    const base = inner === undefined ? undefined : qnameIn(inner, inner.attributes.get('base'))
    const read = base === undefined ? undefined : this.#simple.named(base, name)
    if (read === undefined) return this.#unreadable(name, 'is a text of an unknown type')
    this.#schema.note(name, 'has attributes beside its text, which are not sent')
    return read
  }

  /** A wrapper that holds only one element, any number of times; undefined for any other type. */
  #listOf(defined: Defined, name: string): Type | undefined {
    const element = this.#particles.onlyRepeated(defined.node)
    if (element === undefined) return undefined
    const read = this.#fieldOf({ ...defined, node: element }, name)
    if (read === undefined) return undefined
    const [itemName, { type, nillable }] = read
    return { kind: 'list', name, itemName, item: type, nillableItems: nillable }
  }

  /** Attributes, then elements in their order, those of a base type first. */
  #entriesOf(defined: Defined, owner: string, bases: readonly XmlNode[] = []): Entries {
    const { node } = defined
    const [content] = childrenOf(node, XSD, 'complexContent')
    const [derived] = content === undefined ? [] : childElements(content, 'extension', 'restriction')
    const inherited = derived?.local === 'extension' ? this.#inherited(derived, owner, [...bases, node]) : []
    if (node.attributes.get('mixed') === 'true') this.#schema.note(owner, 'mixes text and elements; the text is not read')
    const body = derived ?? node
    const entries: Entries = []
    for (const attribute of this.#particles.attributes(body, owner)) {
      const read = this.#attributeOf({ ...defined, node: attribute }, owner)
      if (read !== undefined) entries.push(read)
    }
    entries.push(...inherited)
    for (const particle of this.#particles.of(body, defined, owner)) {
      const read = this.#fieldOf(particle, owner)
      if (read === undefined) continue
      const [name, field] = read
      entries.push([name, { ...field, min: particle.optional ? 0 : field.min, repeated: field.repeated || particle.repeated }])
    }
    return this.#withoutRepeats(entries, owner)
  }

  #inherited(extension: XmlNode, owner: string, bases: readonly XmlNode[]): Entries {
    const base = qnameIn(extension, extension.attributes.get('base'))
    const defined = base === undefined ? undefined : this.#schema.types.get(keyOf(base))
    if (defined === undefined || bases.includes(defined.node) || bases.length > MAX_TYPE_DEPTH) {
      this.#schema.note(owner, `extends ${base?.local ?? 'a type'}, which is not in the description`)
      return []
    }
    return this.#entriesOf(defined, owner, bases)
  }

  #withoutRepeats(entries: Entries, owner: string): Entries {
    const names = new Set<string>()
    return entries.filter(([name]) => {
      if (!names.has(name)) return names.add(name)
      this.#schema.note(`${owner}.${name}`, 'occurs in more than one place; the first is read')
      return false
    })
  }

  #fieldOf(defined: Defined, owner: string): [string, Field] | undefined {
    const { node } = defined
    const reference = qnameIn(node, node.attributes.get('ref'))
    const target = reference === undefined ? defined : this.#schema.elements.get(keyOf(reference))
    const name = target?.node.attributes.get('name') ?? ''
    if (target === undefined)
      return this.#unreadable(owner, `refers to the element ${reference?.local}, which is not in the description`)
    if (!NAME.test(name)) return this.#unreadable(owner, 'has an element without a name that can be sent')
    const form = node.attributes.get('form') ?? (reference === undefined && !defined.qualified ? 'unqualified' : 'qualified')
    if (form !== 'qualified')
      this.#schema.note(`${owner}.${name}`, 'is in no namespace, but would be sent in that of the service')
    else if (target.namespace !== this.#namespace) {
      this.#schema.note(`${owner}.${name}`, `is in the namespace ${target.namespace}, but would be sent in that of the service`)
    }
    const read = this.#typeOf(target, owner)
    if (read === undefined) return undefined
    const max = node.attributes.get('maxOccurs') ?? '1'
    const repeated = max === 'unbounded' || Number(max) > 1
    const rule = repeated && max !== 'unbounded' ? { ...read.rule, maxItems: Number(max) } : read.rule
    const min = node.attributes.get('minOccurs') === '0' ? 0 : 1
    const nillable = target.node.attributes.get('nillable') === 'true'
    return [name, { type: read.type, min, nillable, repeated, attribute: false, ...ruleOf(rule) }]
  }

  #attributeOf(defined: Defined, owner: string): [string, Field] | undefined {
    const { node } = defined
    const name = node.attributes.get('name')
    if (name === undefined || !NAME.test(name)) return this.#unreadable(owner, 'has an attribute defined elsewhere')
    const read = this.#typeOf(defined, owner)
    if (read === undefined) return undefined
    const min = node.attributes.get('use') === 'required' ? 1 : 0
    return [name, { type: read.type, min, nillable: false, repeated: false, attribute: true, ...ruleOf(read.rule) }]
  }
}
