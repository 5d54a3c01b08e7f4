/** Simple types: XML Schema's own, enumerations, lists of words, and what restricts them. */
import type { Field } from '../../../contract/index.js'
import type { SimpleType } from '../../../contract/scalars.js'
import { enumeration, flags, type Rule, string } from '../../../contract/vocabulary.js'
import { childrenOf, type QName, qnameIn, type XmlNode } from '../tree.js'
import { builtinOf, XSD } from './builtin.js'
import { keyOf, type Schema } from './schema.js'

/** A type and the limits that come with it. */
export interface Read<T> {
  readonly type: T
  readonly rule?: Rule
}

/** The longest chain of types that restrict each other. */
const MAX_CHAIN = 20

/** Facets other than `enumeration`. The service may refuse a value because of them. */
const FACETS = ['pattern', 'length', 'minLength', 'totalDigits', 'fractionDigits', 'minExclusive', 'maxExclusive']

export class SimpleTypes {
  readonly #schema: Schema

  constructor(schema: Schema) {
    this.#schema = schema
  }

  /**
   * A simple type by its name.
   * @param where the place that is noted if it cannot be read
   * @returns undefined for anything but a simple type known here
   */
  simpleTypeNamed(name: QName, where: string, depth = 0): Read<SimpleType> | undefined {
    if (name.uri === XSD) {
      const builtin = builtinOf(name.local)
      if (builtin?.note !== undefined) this.#schema.note(where, `${name.local} ${builtin.note}`)
      return builtin
    }
    const definition = this.#schema.types.get(keyOf(name))
    if (definition === undefined || definition.node.local !== 'simpleType') return undefined
    return this.defined(definition.node, name.local, depth)
  }

  /** A simple type by its definition; `name` is its own, or that of the field that contains it. */
  defined(node: XmlNode, name: string, depth = 0): Read<SimpleType> {
    if (depth > MAX_CHAIN) return this.#asText(name, 'restricts itself')
    const [restriction] = childrenOf(node, XSD, 'restriction')
    if (restriction !== undefined) return this.#restricted(restriction, name, depth)
    const [list] = childrenOf(node, XSD, 'list')
    if (list !== undefined) return this.#list(list, name, depth)
    const what = childrenOf(node, XSD, 'union').length > 0 ? 'is a union of types' : 'is a simple type of an unknown kind'
    return this.#asText(name, what)
  }

  #restricted(node: XmlNode, name: string, depth: number): Read<SimpleType> {
    const base = this.#of(node, 'base', name, depth)
    const words = childrenOf(node, XSD, 'enumeration').flatMap((word) => word.attributes.get('value') ?? [])
    for (const facet of FACETS) {
      if (childrenOf(node, XSD, facet).length > 0)
        this.#schema.note(name, `has a limit that is not checked before sending (${facet})`)
    }
    if (words.length > 0 && base.type.kind === 'string') return { type: enumeration(name, words) }
    if (base.type.kind === 'enumeration' && words.length === 0) return { type: enumeration(name, base.type.values) }
    return { type: base.type, rule: { ...base.rule, ...limitsIn(node, base.type) } }
  }

  /** A list of words travels as one text, separated by white space. */
  #list(node: XmlNode, name: string, depth: number): Read<SimpleType> {
    const item = this.#of(node, 'itemType', name, depth)
    if (item.type.kind === 'enumeration') return { type: flags(name, item.type.values) }
    return this.#asText(name, `is a list of ${item.type.kind} in one text`)
  }

  /** The type that an attribute names, or that is defined inside. */
  #of(node: XmlNode, attribute: string, name: string, depth: number): Read<SimpleType> {
    const [inner] = childrenOf(node, XSD, 'simpleType')
    if (inner !== undefined) return this.defined(inner, name, depth + 1)
    const base = qnameIn(node, node.attributes.get(attribute))
    const simpleType = base === undefined ? undefined : this.simpleTypeNamed(base, name, depth + 1)
    return simpleType ?? this.#asText(name, `is made from ${base?.local ?? 'a type'} that is not in the description`)
  }

  #asText(name: string, what: string): Read<SimpleType> {
    this.#schema.note(name, `${what}; it is read and sent as text`)
    return { type: string }
  }
}

/** The limits that the contract can express. */
function limitsIn(node: XmlNode, type: SimpleType): Rule {
  const number = (facet: string): number | undefined => {
    const value = childrenOf(node, XSD, facet)[0]?.attributes.get('value')?.trim() ?? ''
    return /^-?\d{1,15}$/.test(value) ? Number(value) : undefined
  }
  const limits: Record<string, number | undefined> =
    type.kind === 'string' ? { maxLength: number('maxLength') } : { min: number('minInclusive'), max: number('maxInclusive') }
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined)) as Rule
}

/** The rule of a field, left out if it is empty. */
export function ruleOf(rule: Rule | undefined): Pick<Field, 'rule'> {
  return rule === undefined || Object.keys(rule).length === 0 ? {} : { rule }
}
