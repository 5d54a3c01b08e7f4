/** Attributes by name: `Märke=Höganäs` becomes what the category's attribute takes, in flags, files and answers. */

import type { Input, ItemAttributeValues } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { ValueError } from '../../errors/index.js'
import type { AttributeRecord } from '../../format/views/reference.js'
import { blank, run, say } from '../../messages/index.js'
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
export function readAttribute(text: string, definitions: readonly AttributeRecord[] | undefined, where: string): AttributeValue {
  const [name = '', value = ''] = text.split(/=(.*)/s).map((side) => side.trim())
  if (name === '' || value === '')
    throw new ValueError(
      'invalid_values',
      { name: where, value: text, why: 'is not an attribute with its value' },
      'Give e.g. Märke=Höganäs.',
    )
  if (definitions === undefined && /^\d+$/.test(name)) return { id: Number(name), name, value: plain(value), most: 0 }
  const definition = findDefinition(name, definitions, where)
  const { PossibleTermValues: possible = [], MaxNumberOfValues: most } = definition
  const attribute = { id: Number(definition.Id), name: nameOf(definition), most }
  if (possible.length === 0) return { ...attribute, value: plain(value) }
  const all = possible.map((one, at) => ({ id: at + 1, name: one }))
  const matches = namedBy(all, value, (one) => [one.name])
  const [only] = matches
  if (only !== undefined && matches.length === 1) return { ...attribute, value: only.name }
  const hint = `Its values: ${(matches.length === 0 ? all : matches).map((one) => one.name).join(', ')}.`
  throw new ValueError('unknown_name', { name: where, value, why: `is not one value of ${attribute.name}` }, hint, {
    matches: [],
  })
}

export function nameOf({ Name, Key, Id }: AttributeRecord): string {
  return Name ?? Key ?? String(Id)
}

function findDefinition(text: string, definitions: readonly AttributeRecord[] | undefined, where: string): AttributeRecord {
  const all = (definitions ?? []).map((definition) => ({ id: Number(definition.Id), name: nameOf(definition), definition }))
  const matches = /^\d+$/.test(text)
    ? all.filter(({ id }) => String(id) === text)
    : namedBy(all, text, ({ name, definition: { Key = name } }) => [name, Key])
  const look =
    definitions === undefined
      ? 'The service lists no attributes by name. Give ID=VALUE.'
      : all.length === 0
        ? 'The category has no attributes.'
        : say`They are ${all.map(({ name }) => name).join(', ')}: ${run('reference:attributes', { category: blank('CATEGORY') })}`
  return theOne({ where, text, noun: 'attribute', all, matches, look }).definition
}

/** A number as a number: the definition does not say of which type an attribute without listed values is. */
function plain(text: string): string | number {
  return /^-?\d{1,15}(?:[.,]\d{1,6})?$/.test(text) ? Number(text.replace(',', '.')) : text
}

/** The values together, as a request has them. @throws {SellerError} invalid_values: more than an attribute takes */
export function joinAttributes(values: readonly AttributeValue[], where: string): AttributeInput {
  const valuesFor = (one: AttributeValue) => values.filter(({ id }) => id === one.id)
  for (const one of values) {
    const { length } = valuesFor(one)
    if (one.most === 0 || length <= one.most) continue
    const why = `${one.name} takes ${countOf(one.most, 'value')}, and ${length} are given`
    throw new ValueError('invalid_values', { name: where, why }, 'Leave some out.')
  }
  const of = (type: 'string' | 'number', field: keyof AttributeInput) => {
    const valuesById = new Map<number, (string | number)[]>()
    for (const { id, value } of values) if (typeof value === type) valuesById.set(id, [...(valuesById.get(id) ?? []), value])
    return valuesById.size === 0 ? {} : { [field]: Array.from(valuesById, ([Id, Values]) => ({ Id, Values })) }
  }
  return { ...of('string', 'Terms'), ...of('number', 'Numbers') }
}
