/** Makes a commented YAML with every field of a request from the contract. `--file` accepts it once it is filled in. */
import { type Field, type Rule, resolved, type Struct, type Type } from '../../contract/index.js'
import type { InputKind } from './kinds.js'
import { SKELETON_NOTES } from './skeleton-notes.js'

/**
 * @param now ms since 1970, for example dates in the future
 * @returns the YAML, with a final line break. Required fields are not commented; `#Field:` without a space is an optional field;
 * `# text` is prose.
 */
export function skeletonOf<T>(kind: InputKind<T>, now: number): string {
  const command = kind.operation === 'AddItem' ? 'items:add' : 'shop:add'
  const bare = new Set(kind.asked)
  const lines = [
    `# One item for: seller ${command} --file FILE`,
    '# Fill in the fields without a #. Remove the # from any other field you need; a field that is left out gets its default.',
  ]
  for (const [name, field] of Object.entries(kind.struct.fields)) {
    const note = SKELETON_NOTES[name]
    lines.push('', `# ${[note?.says, typeWords(field), limitWords(field.rule)].filter(Boolean).join(' ')}`)
    if (bare.has(name)) lines.push(`${name}:`)
    else lines.push(...(note?.example?.(now) ?? exampleOf(name, field)).split('\n').map((line) => `#${line}`))
  }
  return `${lines.join('\n')}\n`
}

/** An example made from the type alone, for a field without a written one. */
function exampleOf(name: string, field: Field): string {
  return `${name}: ${JSON.stringify(sample(field.type, field.rule))}`
}

function sample(type: Type, rule: Rule | undefined): unknown {
  const form = resolved(type)
  switch (form.kind) {
    case 'int':
    case 'long':
    case 'decimal':
      return rule?.oneOf?.[0] ?? rule?.min ?? 1
    case 'boolean':
      return true
    case 'enumeration':
    case 'flags':
      return form.values[0]
    case 'list':
      return [sample(form.item, rule)]
    case 'struct':
      return sampleStruct(form)
    case 'base64Binary':
      return '@file'
    default:
      return 'text'
  }
}

function sampleStruct(struct: Struct): Record<string, unknown> {
  return Object.fromEntries(Object.entries(struct.fields).map(([name, field]) => [name, sample(field.type, field.rule)]))
}

function typeWords({ type, repeated }: Field): string {
  const form = resolved(type)
  if (repeated) return 'A list.'
  switch (form.kind) {
    case 'int':
    case 'long':
      return 'Whole number.'
    case 'decimal':
      return 'Number.'
    case 'boolean':
      return 'true or false.'
    case 'dateTime':
      return 'Date and time; without a zone it is Swedish time.'
    case 'enumeration':
      return `One of ${form.values.join(', ')}.`
    case 'list':
      return 'A list.'
    case 'struct':
      return 'Fields of its own.'
    default:
      return 'Text.'
  }
}

function limitWords(rule: Rule | undefined): string {
  if (rule === undefined) return ''
  const { min, max, maxLength, maxBytes, maxItems, oneOf, why } = rule
  const words: string[] = []
  if (oneOf !== undefined && why === undefined) words.push(`One of ${oneOf.join(', ')}.`)
  if (min !== undefined && max !== undefined) words.push(`${min} to ${max}.`)
  else if (min !== undefined && why === undefined) words.push(`At least ${min}.`)
  if (maxLength !== undefined) words.push(`At most ${maxLength} characters.`)
  if (maxBytes !== undefined) words.push(`At most ${maxBytes} bytes.`)
  if (maxItems !== undefined) words.push(`At most ${maxItems}.`)
  if (why !== undefined) words.push(`${why.charAt(0).toUpperCase()}${why.slice(1)}.`)
  return words.join(' ')
}
