/**
 * Makes an example command line that calls an operation from its types: the required parameters, and enough of the others to be
 * useful.
 */

import { shellWord } from '../../cli/profiles.js'
import { type Field, type Fields, type Operation, type Rule, resolved, type Type } from '../../contract/index.js'

/** How deep structs are written out; this also ends a type that contains itself. */
const DEPTH = 4

/** @param name the name of the operation for `call` */
export function exampleCall(operation: Operation, name: string): string {
  const large = Object.values(operation.params).some(({ type }) => countOf(type) > MAX_BY_HAND)
  if (large) return `seller call ${name} --input request.yaml`
  return [`seller call ${name}`, ...argumentsOf(operation.params, '', DEPTH).map(shellWord)].join(' ')
}

/** The most fields of a struct that are given as arguments; an item is given in a file. */
const MAX_BY_HAND = 10

function countOf(type: Type): number {
  const plain = resolved(type)
  return plain.kind === 'struct' ? Object.keys(plain.fields).length : 0
}

function argumentsOf(fields: Fields, prefix: string, depth: number): string[] {
  const wanted = Object.entries(fields).filter(([, field]) => (prefix === '' ? !field.nillable : isRequired(field)))
  // If nothing in a struct is required, it shows one of its fields.
  const shown = wanted.length > 0 ? wanted : Object.entries(fields).slice(0, 1)
  return shown.flatMap(([name, field]) => argumentOf(field, prefix === '' ? name : `${prefix}.${name}`, depth))
}

function isRequired({ min, nillable, type }: Field): boolean {
  return (min === 1 && !nillable) || type.kind === 'list'
}

function argumentOf({ type, repeated, rule }: Field, path: string, depth: number): string[] {
  return typeArguments(type, repeated && resolved(type).kind === 'struct' ? `${path}.0` : path, rule, depth)
}

function typeArguments(type: Type, path: string, rule: Rule | undefined, depth: number): string[] {
  const plain = resolved(type)
  if (plain.kind === 'list') {
    return typeArguments(plain.item, resolved(plain.item).kind === 'struct' ? `${path}.0` : path, rule, depth)
  }
  if (plain.kind === 'struct') return depth === 0 ? [] : argumentsOf(plain.fields, path, depth - 1)
  return [`${path}=${sampleOf(plain, rule)}`]
}

function sampleOf(type: Type, { oneOf, min, max }: Rule = {}): string {
  switch (type.kind) {
    case 'int':
      return String(oneOf?.[0] ?? Math.min(max ?? Infinity, Math.max(min ?? 0, 1001)))
    case 'long':
      return '1001'
    case 'decimal':
      return '0.5'
    case 'boolean':
      return 'true'
    case 'dateTime':
      return '2026-12-01T18:00:00+01:00'
    case 'base64Binary':
      return '@photo.jpg'
    case 'enumeration':
    case 'flags':
      return type.values[0] ?? ''
    default:
      return 'text'
  }
}
