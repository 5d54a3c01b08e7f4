/** Parses `a.b=1 c=2 c=3` into names, values, repeats and numbers, without knowing their types. */
import type { InputFaults } from '../../cli/input-faults.js'
import { define } from '../input/typed.js'

/** The value of a name: a text, several texts if the name was repeated, or parts. */
export type Given = string | string[] | Tree
export interface Tree {
  [name: string]: Given
}

/**
 * Reads the arguments of `call`. An argument without `name=`, or a name given both as a value and by parts, is a fault of form.
 */
export function givenTree(args: readonly string[], faults: InputFaults): Tree {
  const tree: Tree = {}
  for (const arg of args) {
    const at = arg.indexOf('=')
    const path = arg.slice(0, Math.max(0, at)).split('.')
    if (at <= 0 || path.includes('')) {
      const hint = 'E.g. itemId=1, or a.b=1 for a value within another.'
      faults.addForm({ field: 'argument', value: arg, message: 'is not name=value', hint })
    } else if (!place(tree, path, arg.slice(at + 1))) {
      faults.addForm({ field: path.join('.'), value: arg, message: 'is given both as a value and by its parts' })
    }
  }
  return tree
}

/** Puts a text at its path. @returns false if there is already something of another shape */
function place(tree: Tree, [name = '', ...rest]: readonly string[], text: string): boolean {
  const there = Object.hasOwn(tree, name) ? tree[name] : undefined
  if (rest.length === 0) {
    if (isTree(there)) return false
    define(tree, name, there === undefined ? text : [...(Array.isArray(there) ? there : [there]), text])
    return true
  }
  if (there !== undefined && !isTree(there)) return false
  const inner = there ?? {}
  define(tree, name, inner)
  return place(inner, rest, text)
}

export function isTree(given: Given | undefined): given is Tree {
  return typeof given === 'object' && !Array.isArray(given)
}

/** The entries of parts that are all numbers (`x.0.Id=1 x.1.Id=2`), in the order of the numbers; undefined for other parts. */
export function numbered(tree: Tree): Given[] | undefined {
  const names = Object.keys(tree)
  if (names.length === 0 || !names.every((name) => /^\d+$/.test(name))) return undefined
  const inOrder = names.sort((one, other) => Number(one) - Number(other))
  return inOrder.flatMap((name) => (tree[name] === undefined ? [] : [tree[name]]))
}

/**
 * Splits `{Id: [1, 2], Price: [5, 6]}`, which repeated names give (`x.Id=1 x.Price=5 x.Id=2 x.Price=6`), into the entries they
 * belong to.
 */
export function apart(tree: Tree): Tree[] {
  const several = (given: Given): Given[] => (Array.isArray(given) ? given : [given])
  const count = Math.max(0, ...Object.values(tree).map((given) => several(given).length))
  return Array.from({ length: count }, (_, index) => {
    const entry: Tree = {}
    for (const [name, given] of Object.entries(tree)) {
      const one = several(given)[index]
      if (one !== undefined) define(entry, name, one)
    }
    return entry
  })
}

/** Plain data with numbers as arrays, for an operation whose types are not known. */
export function untyped(given: Given): unknown {
  if (!isTree(given)) return given
  const entries = numbered(given)
  if (entries !== undefined) return entries.map(untyped)
  return Object.fromEntries(Object.entries(given).map(([name, part]) => [name, untyped(part)]))
}
