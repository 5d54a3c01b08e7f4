/** The schemas inside a description: their definitions by qualified name, and what of them cannot be read. */
import type { SchemaPart } from '../documents.js'
import { childrenOf, type QName, type XmlNode } from '../tree.js'
import { XSD } from './builtin.js'

/** A definition and its schema, whose namespace its elements are in. */
export interface Defined {
  readonly node: XmlNode
  readonly namespace: string
  /** True if its elements are in that namespace (elementFormDefault); otherwise they are in none. */
  readonly qualified: boolean
}

type Definitions = Map<string, Defined>

export interface Unread {
  /** The place: an operation, `Type.Field`, or `schema` for the whole. */
  readonly where: string
  /** A clause that continues after the place. */
  readonly what: string
}

/** More than anyone reads. A description made of one unknown kind must not fill the memory. */
const MAX_NOTES = 500

/** Global definitions of all schemas, and notes on what is not read, each once. */
export class Schema {
  readonly elements: Definitions = new Map()
  /** Complex and simple types share one space of names (XML Schema 1, 2.5). */
  readonly types: Definitions = new Map()
  readonly groups: Definitions = new Map()
  readonly #notes = new Map<string, Unread>()

  constructor(schemas: readonly SchemaPart[]) {
    for (const schema of schemas) this.#add(schema)
  }

  note(where: string, what: string): void {
    if (this.#notes.size < MAX_NOTES) this.#notes.set(`${where}\n${what}`, { where, what })
  }

  get unread(): Unread[] {
    return [...this.#notes.values()]
  }

  #add({ node: schema, namespace }: SchemaPart): void {
    const isQualified = schema.attributes.get('elementFormDefault') === 'qualified'
    const into = (definitions: Definitions, local: string): void => {
      for (const node of childrenOf(schema, XSD, local)) {
        const name = node.attributes.get('name')
        if (name !== undefined)
          definitions.set(keyOf({ uri: namespace, local: name }), { node, namespace, qualified: isQualified })
      }
    }
    into(this.elements, 'element')
    into(this.types, 'complexType')
    into(this.types, 'simpleType')
    into(this.groups, 'group')
  }
}

export function keyOf({ uri, local }: QName): string {
  return `{${uri}}${local}`
}
