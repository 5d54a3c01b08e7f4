/** Makes a commented YAML with every field of a request from the contract. `--file` accepts it once it is filled in. */
import { capital, type Field, limitWords, type Rule, resolved } from '../../contract/index.js'
import type { InputKind } from './kinds.js'
import { SKELETON_NOTES } from './skeleton-notes.js'

/**
 * @param now ms since 1970, for example dates in the future
 * @returns the YAML, with a final line break. Required fields are not commented; `#Field:` without a space is an optional field;
 * `# text` is prose.
 */
export function skeletonOf<T>(kind: InputKind<T>, now: number): string {
  const command = kind.operation === 'AddItem' ? 'items:add' : 'shop:add'
  const lines = [
    `# One item for: seller ${command} --file FILE`,
    '# Fill in the fields without a #. Remove the # from any other field you need; a field that is left out gets its default.',
  ]
  for (const [name, field] of Object.entries(kind.struct.fields)) {
    const note = SKELETON_NOTES[name]
    lines.push('', `# ${[note?.says, typeWords(field), limitsOf(field.rule ?? {})].filter(Boolean).join(' ')}`)
    const example = note?.example?.(now).split('\n')
    lines.push(...(example?.map((line) => `#${line}`) ?? [`${name}:`]))
  }
  return `${lines.join('\n')}\n`
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

/** The reason of a rule says what its numbers mean. */
function limitsOf({ why, ...rule }: Rule): string {
  const { oneOf: _, min, ...others } = rule
  const words = limitWords(why === undefined ? rule : others.max === undefined ? others : { ...others, min })
  return [...words, ...(why === undefined ? [] : [why])].map((each) => `${capital(each)}.`).join(' ')
}
