/** The definitions of the schemas inside a description, by qualified name. */
import type { SchemaPart } from '../documents.js'
import { childrenOf, type QName, type XmlNode } from '../tree.js'
import { XSD } from './builtin.js'

/** A definition and its schema, whose namespace its elements are in. */
export interface Defined {
  readonly node: XmlNode
  readonly namespace: string
  /** Whether its elements are in that namespace (elementFormDefault); otherwise they are in none. */
  readonly qualified: boolean
}

type Definitions = Map<string, Defined>

/** Global definitions of all schemas. */
export class SchemaDefinitions {
  readonly elements: Definitions = new Map()
  /** Complex and simple types share one space of names (XML Schema 1, 2.5). */
  readonly types: Definitions = new Map()
  readonly groups: Definitions = new Map()

  constructor(schemas: readonly SchemaPart[]) {
    for (const schema of schemas) this.#add(schema)
  }

  #add({ node: schema, namespace }: SchemaPart): void {
    const qualified = schema.attributes.get('elementFormDefault') === 'qualified'
    const into = (definitions: Definitions, local: string): void => {
      for (const node of childrenOf(schema, XSD, local)) {
        const name = node.attributes.get('name')
        if (name !== undefined) definitions.set(keyOf({ uri: namespace, local: name }), { node, namespace, qualified })
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
