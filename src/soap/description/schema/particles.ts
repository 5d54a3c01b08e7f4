/** The elements and attributes of a complex type, through sequences, choices and groups. */
import { DescriptionError } from '../text.js'
import { childrenOf, qnameIn, type XmlNode } from '../tree.js'
import { XSD } from './builtin.js'
import { type Defined, keyOf, type Schema } from './schema.js'

/** An element as declared in a type. */
export interface Particle extends Defined {
  /** It is in a choice, or in something that may be left out. */
  readonly optional: boolean
  /** It is in something that repeats. */
  readonly repeated: boolean
}

/** Groups within groups; a longer chain is a circle. */
const MAX_GROUPS = 20

/**
 * The most declarations that are looked at in one description. A group or a base type counts each time it is used: a short text
 * can use its own definitions so often that reading it would not end.
 */
const MAX_LOOKS = 500_000

export class Particles {
  #looks = 0

  readonly #schema: Schema

  constructor(schema: Schema) {
    this.#schema = schema
  }

  /** The only element of a type that holds one repeated element and nothing else, not even an attribute. */
  onlyRepeated(node: XmlNode): XmlNode | undefined {
    const content = node.children.filter(({ uri, local }) => uri === XSD && local !== 'annotation' && local !== 'anyAttribute')
    const [sequence] = content
    if (sequence === undefined || content.length !== 1 || !['sequence', 'all'].includes(sequence.local)) return undefined
    const inside = sequence.children.filter(({ local }) => local !== 'annotation')
    const [element] = inside
    if (element === undefined || inside.length !== 1 || element.uri !== XSD || element.local !== 'element') return undefined
    return isRepeated(element) ? element : undefined
  }

  /** The elements of a type's content, in order. */
  of(body: XmlNode, around: Defined, owner: string): Particle[] {
    const root = { ...around, optional: false, repeated: false }
    return body.children.flatMap((child) => this.#inside({ ...root, node: child }, owner, 0))
  }

  #inside(particle: Particle, owner: string, depth: number): Particle[] {
    const { node } = particle
    this.#count(1)
    if (node.uri !== XSD) return []
    const within = {
      ...particle,
      optional: particle.optional || node.attributes.get('minOccurs') === '0',
      repeated: particle.repeated || isRepeated(node),
    }
    const children = (inner: Particle): Particle[] =>
      inner.node.children.flatMap((child) => this.#inside({ ...inner, node: child }, owner, depth))
    switch (node.local) {
      case 'element':
        return node.attributes.get('maxOccurs') === '0' ? [] : [particle]
      case 'sequence':
      case 'all':
        return children(within)
      case 'choice':
        this.#schema.note(owner, 'has elements of which only one may be sent (xsd:choice); that is not checked')
        return children({ ...within, optional: true })
      case 'group':
        return this.#group(within, owner, depth)
      case 'any':
        this.#schema.note(owner, 'may hold further elements of any kind (xsd:any), which cannot be sent')
        return []
      default:
        return []
    }
  }

  #group(particle: Particle, owner: string, depth: number): Particle[] {
    const name = qnameIn(particle.node, particle.node.attributes.get('ref'))
    const definition = name === undefined ? undefined : this.#schema.groups.get(keyOf(name))
    if (definition === undefined || depth >= MAX_GROUPS) {
      this.#schema.note(owner, `holds the group ${name?.local ?? ''}, which is not in the description`)
      return []
    }
    const within = { ...particle, ...definition }
    return definition.node.children.flatMap((child) => this.#inside({ ...within, node: child }, owner, depth + 1))
  }

  #count(looks: number): void {
    this.#looks += looks
    if (this.#looks > MAX_LOOKS) throw new DescriptionError('too-large', 'uses its own types more often than is read')
  }

  /** The attributes declared in a type. anyAttribute declares nothing that could be sent. */
  attributes(body: XmlNode, owner: string): XmlNode[] {
    if (childrenOf(body, XSD, 'attributeGroup').length > 0) {
      this.#schema.note(owner, 'has a group of attributes (xsd:attributeGroup), which is not read')
    }
    this.#count(body.children.length)
    return childrenOf(body, XSD, 'attribute').filter(({ attributes }) => attributes.get('use') !== 'prohibited')
  }
}

/** True if an element may occur more than once. */
export function isRepeated({ attributes }: XmlNode): boolean {
  const max = attributes.get('maxOccurs') ?? '1'
  return max === 'unbounded' || Number(max) > 1
}
