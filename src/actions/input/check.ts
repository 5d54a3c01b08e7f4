/** What is wrong with the fields of an item so far; what is not given yet is not reported. */
import { checkInput, type InputFault, operations } from '../../contract/index.js'
import type { InputKind, Values } from './kinds.js'

/**
 * Checks fields against the contract, and against what it cannot know.
 * @param values those that could be read
 * @param unreadable fields that were given and could not be read: no default is checked in their place
 * @param now ms since 1970
 * @returns the faults, each with the path of its field within the item
 */
export function faultsIn<T>(kind: InputKind<T>, values: Values, unreadable: Iterable<string>, now: number): InputFault[] {
  const open = kind.asked.filter((field) => values[field] === undefined)
  const unread = [...open, ...unreadable].map((field) => `${kind.param}.${field}`)
  const found = checkInput(operations[kind.operation], { [kind.param]: kind.complete(values) }, unread)
  const checked = found.map((fault) => ({ ...fault, field: fault.field.replace(`${kind.param}.`, '') }))
  const faulty = new Set(checked.map(({ field }) => topOf(field)))
  const sound = Object.fromEntries(Object.entries(values).filter(([field]) => !faulty.has(field)))
  return [...checked, ...kind.further(sound, now)]
}

/** The field of the item that a path begins with. */
export function topOf(field: string): string {
  return field.split(/[.[]/, 1)[0] ?? field
}
