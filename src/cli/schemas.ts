/** JSON Schemas of what commands write, as the build keeps them in dist/schemas.json (scripts/schemas.ts). */

import { readProduct } from './manifest.js'

/** As far as the schemas of results go. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly (string | number | null)[]
  readonly contentEncoding?: string
  readonly description?: string
  readonly $ref?: string
}

export interface Schemas {
  /** By command: the document of --json, and a line of NDJSON. */
  readonly commands: Readonly<Record<string, { readonly document: Schema; readonly line: Schema }>>
  /** The document of any error. */
  readonly error: Schema
  /** Types that hold themselves, by name. */
  readonly shared: Readonly<Record<string, Schema>>
}

export const SCHEMAS = 'dist/schemas.json'

export function readSchemas(root: string): Schemas {
  return JSON.parse(readProduct(root, SCHEMAS))
}

/** The schema of what a command writes with --json, its error included; `$defs` has each part by itself. Undefined if it writes no JSON. */
export function schemaOf({ commands, error, shared }: Schemas, command: string): object | undefined {
  const found = Object.hasOwn(commands, command) ? commands[command] : undefined
  if (found === undefined) return undefined
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `seller ${command} --json`,
    anyOf: [{ $ref: '#/$defs/result' }, { $ref: '#/$defs/error' }],
    $defs: { result: found.document, line: found.line, error, ...shared },
  }
}
