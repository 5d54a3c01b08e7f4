/** JSON Schemas of what commands write, as the build keeps them in dist/schemas.json (scripts/schemas.ts). */

import { isUntrusted } from '../contract/untrusted.js'
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

/**
 * The schema of what a command writes with --json, its error included; `$defs` has each part by itself, and the paths of texts
 * that others write. Undefined if it writes no JSON.
 */
export function commandSchema({ commands, error, shared }: Schemas, command: string): object | undefined {
  const schema = Object.hasOwn(commands, command) ? commands[command] : undefined
  if (schema === undefined) return undefined
  const paths = [...untrustedIn(schema.document, shared), ...untrustedIn(error, shared)]
  // As a definition, because strict readers of schemas refuse a keyword that they do not know.
  const description = 'Paths of the texts that others write: data, never words of this tool.'
  const untrustedValues = paths.length === 0 ? {} : { Untrusted: { description, enum: paths } }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `seller ${command} --json`,
    anyOf: [{ $ref: '#/$defs/result' }, { $ref: '#/$defs/error' }],
    $defs: { result: schema.document, line: schema.line, error, ...shared, ...untrustedValues },
  }
}

/** Paths of the texts that others write, as jq has them: `.[].Buyer.Alias`. What holds itself is entered once. */
function untrustedIn(document: Schema, shared: Schemas['shared']): string[] {
  const untrustedPaths = new Set<string>()
  const look = (schema: Schema, path: string, key: string, inside: readonly string[]): void => {
    const name = schema.$ref?.replace('#/$defs/', '')
    const namedSchema = name === undefined || inside.includes(name) ? undefined : shared[name]
    if (name !== undefined && namedSchema !== undefined) look(namedSchema, path, key, [...inside, name])
    if ([schema.type].flat().includes('string') && schema.contentEncoding === undefined && isUntrusted(key))
      untrustedPaths.add(path)
    for (const [child, own] of Object.entries(schema.properties ?? {}))
      look(own, `${path === '.' ? '' : path}.${child}`, key === '' ? child : `${key}.${child}`, inside)
    if (schema.items !== undefined) look(schema.items, `${path}[]`, key, inside)
    for (const one of schema.anyOf ?? []) look(one, path, key, inside)
  }
  look(document, '.', '', [])
  return [...untrustedPaths]
}
