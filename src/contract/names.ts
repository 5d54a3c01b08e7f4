/**
 * The service's own names: some services call an operation or an element otherwise than the document (docs/service.md, Names of a
 * service). A map says which words differ. Values keep the document's names; only names on the wire change.
 */
import type { Operation } from './operation.js'
import type { Field, Fields, List, Struct, Type } from './vocabulary.js'

/**
 * A word in the document's names, and the service's word for it: `Eid`, `Zed`. Words are split as in names: `ExternalPayment` is
 * two.
 */
export type NamePair = readonly [ours: string, theirs: string]
export type NameMap = readonly NamePair[]

/** A name, with the words in it that the map has replaced. */
export type Rename = (name: string) => string

/**
 * Turns names of the document into those of the service. Only whole words of a name are replaced: `Eid` in `GetEidResult` and in
 * `Eid`, not in `Eider` and not in `XEid`.
 */
export function renaming(map: NameMap): Rename {
  return replacing(map)
}

/** Turns names of the service into those of the document. */
export function renamingBack(map: NameMap): Rename {
  return replacing(map.map(([ours, theirs]) => [theirs, ours]))
}

function replacing(map: NameMap): Rename {
  if (map.length === 0) return (name) => name
  const words = new Map(map)
  // The longest first: ExternalPayment before External.
  const longest = [...words.keys()].sort((one, other) => other.length - one.length)
  const pattern = new RegExp(`(?<![A-Z])(?:${longest.join('|')})(?![a-z])`, 'g')
  return (name) => name.replace(pattern, (word) => words.get(word) ?? word)
}

/** Letters and digits, beginning with a capital, like the words of the service's names. */
const WORD = /^[A-Z][A-Za-z0-9]{0,99}$/

/** Why a text is not a name map. */
export class NameMapError extends Error {
  override name = 'NameMapError'
}

/**
 * Reads `Eid=Zed,ExternalPayment=OuterPayment`.
 * @throws {NameMapError} a clause without a full stop
 */
export function readNameMap(text: string): NameMap {
  const pairs = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part): NamePair => {
      const [ours = '', theirs = '', ...more] = part.split('=').map((word) => word.trim())
      if (!WORD.test(ours) || !WORD.test(theirs) || more.length > 0)
        throw new NameMapError(`"${part}" is not a pair of names such as Eid=Zed`)
      return [ours, theirs]
    })
  for (const side of [0, 1] as const) {
    const words = pairs.map((pair) => pair[side])
    const twice = words.find((word, at) => words.indexOf(word) !== at)
    if (twice !== undefined) throw new NameMapError(`"${twice}" occurs in it twice`)
  }
  const same = pairs.find(([ours, theirs]) => ours === theirs)
  if (same !== undefined) throw new NameMapError(`"${same[0]}=${same[1]}" changes nothing`)
  return pairs
}

/** The text that `readNameMap` reads. */
export function writeNameMap(map: NameMap): string {
  return map.map((pair) => pair.join('=')).join(',')
}

/** The name of an operation's element on the wire. */
export function wireNameOf({ name, wireName }: Pick<Operation, 'name' | 'wireName'>): string {
  return wireName ?? name
}

/** The name of a field's element or attribute on the wire. */
export function fieldWireName(name: string, { wireName }: Pick<Field, 'wireName'>): string {
  return wireName ?? name
}

/** A field of an operation or a type, as it is to be; undefined to leave it out. Names are the contract's. */
export type Adapt = (owner: string, name: string, field: Field) => Field | undefined

/**
 * Renamed copies of operations. There is one copy of each type, so that what is compiled from a type is compiled once.
 *
 * `wire`: keys stay, and each field and operation has its name on the wire, for reading and writing. `whole`: keys change too, as
 * if the contract had been written in the service's own names, to show them and to compare descriptions.
 */
export class Renamer {
  readonly #types = new Map<Type, Type>()
  readonly #operations = new Map<Operation, Operation>()

  readonly #rename: Rename
  readonly #how: 'wire' | 'whole'
  readonly #adapt: Adapt

  /** @param adapt changes a field, or leaves it out; by default all are kept as they are */
  constructor(rename: Rename, how: 'wire' | 'whole', adapt: Adapt = (_owner, _name, field) => field) {
    this.#rename = rename
    this.#how = how
    this.#adapt = adapt
  }

  operation(operation: Operation): Operation {
    const known = this.#operations.get(operation)
    if (known !== undefined) return known
    const { name, params, result, alsoAccepts } = operation
    const renamed: Operation = {
      ...operation,
      ...(this.#how === 'wire' ? { wireName: this.#rename(name) } : { name: this.#rename(name) }),
      params: this.fields(params, name),
      result: result === undefined ? undefined : { ...result, type: this.#type(result.type) },
      ...(alsoAccepts === undefined ? {} : { alsoAccepts: this.fields(alsoAccepts, name) }),
    }
    this.#operations.set(operation, renamed)
    return renamed
  }

  /** @param owner the operation or the type that has the fields */
  fields(fields: Fields, owner: string): Fields {
    return Object.fromEntries(
      Object.entries(fields).flatMap(([name, given]) => {
        const field = this.#adapt(owner, name, given)
        if (field === undefined) return []
        const other = this.#rename(name)
        const type = this.#type(field.type)
        if (this.#how === 'whole') return [[other, { ...field, type }]]
        return [[name, other === name ? { ...field, type } : { ...field, type, wireName: other }]]
      }),
    )
  }

  struct(struct: Struct): Struct {
    return this.#type(struct) as Struct
  }

  #type(type: Type): Type {
    const known = this.#types.get(type)
    if (known !== undefined) return known
    const made = this.#renamed(type)
    this.#types.set(type, made)
    return made
  }

  #renamed(type: Type): Type {
    switch (type.kind) {
      case 'struct':
        return { ...type, name: this.#rename(type.name), fields: this.fields(type.fields, type.name) }
      case 'list': {
        const list: List = {
          ...type,
          name: this.#rename(type.name),
          itemName: this.#rename(type.itemName),
          item: this.#type(type.item),
        }
        return list
      }
      case 'recursive':
        return { ...type, name: this.#rename(type.name), resolve: () => this.struct(type.resolve()) }
      case 'enumeration':
      case 'flags':
        return { ...type, name: this.#rename(type.name) }
      default:
        return type
    }
  }
}
