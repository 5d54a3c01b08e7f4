/** Attributes by name: `Märke=Höganäs` becomes what the category's attribute takes, in flags, files and answers. */

import type { Input, ItemAttributeValues } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import type { AttributeRecord } from '../../format/views/index.js'
import { namedBy, theOne } from '../reference/match.js'

export type AttributeInput = Input<typeof ItemAttributeValues>

/** A value of an attribute, as a request has it. */
export interface AttributeValue {
  readonly id: number
  readonly name: string
  /** A number for an attribute that lists no values, and a text for any other. */
  readonly value: string | number
  readonly most: number
}

/**
 * Reads `NAME=VALUE` or `ID=VALUE`.
 * @param known the attributes of the category; undefined where the service lists none
 * @throws {SellerError} invalid_values, unknown_name, ambiguous_name
 */
export function readAttribute(text: string, known: readonly AttributeRecord[] | undefined, where: string): AttributeValue {
  const [name = '', value = ''] = text.split(/=(.*)/s).map((side) => side.trim())
  if (name === '' || value === '')
    throw new SellerError('invalid_values', `${where}: "${text}" is not an attribute with its value`, 'Give e.g. Märke=Höganäs.')
  if (known === undefined && /^\d+$/.test(name)) return { id: Number(name), name, value: plain(value), most: 0 }
  const definition = definitionOf(name, known, where)
  const { PossibleTermValues: possible = [], MaxNumberOfValues: most } = definition
  const found = { id: Number(definition.Id), name: nameOf(definition), most }
  if (possible.length === 0) return { ...found, value: plain(value) }
  const all = possible.map((one, at) => ({ id: at + 1, name: one }))
  const matches = namedBy(all, value, (one) => [one.name])
  const [only] = matches
  if (only !== undefined && matches.length === 1) return { ...found, value: only.name }
  const hint = `Its values: ${(matches.length === 0 ? all : matches).map((one) => one.name).join(', ')}.`
  throw new SellerError('unknown_name', `${where}: "${value}" is not one value of ${found.name}.`, hint, { matches: [] })
}

export function nameOf({ Name, Key, Id }: AttributeRecord): string {
  return Name ?? Key ?? String(Id)
}

function definitionOf(text: string, known: readonly AttributeRecord[] | undefined, where: string): AttributeRecord {
  const all = (known ?? []).map((definition) => ({ id: Number(definition.Id), name: nameOf(definition), definition }))
  const matches = /^\d+$/.test(text)
    ? all.filter(({ id }) => String(id) === text)
    : namedBy(all, text, ({ name, definition: { Key = name } }) => [name, Key])
  const look =
    known === undefined
      ? 'The service lists no attributes by name. Give ID=VALUE.'
      : all.length === 0
        ? 'The category has no attributes.'
        : `They are ${all.map(({ name }) => name).join(', ')}: seller reference:attributes CATEGORY`
  return theOne({ where, text, noun: 'attribute', all, matches, look }).definition
}

/** A number as a number: the definition does not say of which type an attribute without listed values is. */
function plain(text: string): string | number {
  return /^-?\d{1,15}(?:[.,]\d{1,6})?$/.test(text) ? Number(text.replace(',', '.')) : text
}

/** The values together, as a request has them. @throws {SellerError} invalid_values: more than an attribute takes */
export function joinAttributes(values: readonly AttributeValue[], where: string): AttributeInput {
  const byId = new Map<number, AttributeValue[]>()
  for (const one of values) byId.set(one.id, [...(byId.get(one.id) ?? []), one])
  for (const [{ name, most } = { name: '', most: 0 }, ...more] of byId.values()) {
    if (most === 0 || more.length < most) continue
    const message = `${where}: ${name} takes ${countOf(most, 'value')}, and ${more.length + 1} are given`
    throw new SellerError('invalid_values', message, 'Leave some out.')
  }
  const of = (is: (value: string | number) => boolean) =>
    [...byId].flatMap(([Id, all]) => {
      const own = all.map(({ value }) => value).filter(is)
      return own.length === 0 ? [] : [{ Id, Values: own }]
    })
  const Terms = of((value) => typeof value === 'string') as AttributeInput['Terms']
  const Numbers = of((value) => typeof value === 'number') as AttributeInput['Numbers']
  return { ...(Terms?.length ? { Terms } : {}), ...(Numbers?.length ? { Numbers } : {}) }
}
