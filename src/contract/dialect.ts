/**
 * Differences of a service from the contract in form: it may have its own names, and take some parameters in their other form.
 */
import { type Adapt, type NameMap, type Rename, Renamer, renaming, renamingBack } from './names.js'
import type { Operation, ServiceName } from './operation.js'
import { operations, operationsOf, resolved } from './operations.js'
import type { Field, Fields, Type } from './vocabulary.js'

export interface Dialect {
  readonly names?: NameMap
  /** Names, in the contract, of the operations whose parameters are sent in their other form (Operation.otherForm). */
  readonly otherForms?: readonly string[]
  /**
   * Fields of requests that the service does not have, as `Type.Field` or `Operation.parameter` in the contract's names: none is
   * sent.
   */
  readonly lacks?: readonly string[]
}

/** An operation as the service takes it. */
export interface Spoken {
  /** With the service's names and form; its values keep the contract's keys. */
  readonly operation: Operation
  /** Converts parameters of the contract to those that are sent. */
  params(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

const asTheyAre = (params: Readonly<Record<string, unknown>>) => params

/** The operations of one service, each made when it is first asked for. */
export class Speaker {
  readonly #renamer: Renamer | undefined
  /** Makes the parameters, where they differ from the contract's by more than names. */
  readonly #wireRenamer: Renamer | undefined
  readonly #rename: Rename
  readonly #forms: ReadonlySet<string>
  readonly #namedOperations = new Map<Operation, Spoken>()
  readonly #back: Rename
  readonly #map: NameMap
  #names: ReadonlySet<string> | undefined

  constructor({ names = [], otherForms = [], lacks = [] }: Dialect = {}) {
    this.#map = names
    this.#rename = renaming(names)
    this.#renamer = names.length === 0 ? undefined : new Renamer(this.#rename, 'wire')
    const absent = new Set(lacks)
    const withoutAbsent: Adapt = (owner, name, field) => (absent.has(`${owner}.${name}`) ? undefined : field)
    this.#wireRenamer = absent.size === 0 ? undefined : new Renamer(this.#rename, 'wire', withoutAbsent)
    this.#forms = new Set(otherForms)
    this.#back = renamingBack(names)
  }

  operationNames(operation: Operation): Spoken {
    const known = this.#namedOperations.get(operation)
    if (known !== undefined) return known
    const other = this.#forms.has(operation.name) ? operation.otherForm : undefined
    const formed = other === undefined ? operation : { ...operation, params: other.params }
    const named = this.#renamer?.operation(formed) ?? formed
    const made = {
      operation: this.#wireRenamer === undefined ? named : { ...named, params: this.#wireRenamer.operation(formed).params },
      params: other === undefined ? asTheyAre : other.of,
    }
    this.#namedOperations.set(operation, made)
    return made
  }

  /** The service's name for a name of the document. */
  serviceName(name: string): string {
    return this.#rename(name)
  }

  /**
   * A text for a person, in which the service's names of operations and elements are replaced by the document's. Only names of
   * the contract are replaced; the other words stay.
   */
  words(text: string): string {
    if (this.#map.length === 0) return text
    this.#names ??= renamedNames(this.#rename)
    const names = this.#names
    return text.replace(/[A-Za-z][A-Za-z0-9]*/g, (word) => {
      const bare = word.replace(/(?:Response|Result)$/, '')
      return names.has(word) || names.has(bare) ? this.#back(word) : word
    })
  }
}

/** The service's names for everything in the contract whose name differs. */
function renamedNames(rename: Rename): ReadonlySet<string> {
  const names = namesIn(Object.values<Operation>(operations))
  return new Set([...names].flatMap((name) => (rename(name) === name ? [] : [rename(name)])))
}

/** The names of operations and of all elements in them, each once. */
export function namesIn(operations: readonly Operation[]): ReadonlySet<string> {
  const names = new Set<string>()
  const seen = new Set<Type>()
  const addFields = (fields: Fields): void => {
    for (const [name, field] of Object.entries<Field>(fields)) {
      names.add(name)
      addType(field.type)
    }
  }
  const addType = (type: Type): void => {
    if (seen.has(type)) return
    seen.add(type)
    if (type.kind === 'struct') addFields(type.fields)
    else if (type.kind === 'list') addType(type.item)
    else if (type.kind === 'recursive') addType(type.resolve())
  }
  for (const operation of operations) {
    names.add(operation.name)
    addFields({ ...operation.params, ...operation.alsoAccepts })
    if (operation.result !== undefined) addType(operation.result.type)
  }
  return names
}

/**
 * Parameters of each operation that a service describes, by its own names: `itemId`, and `request/NonShopItem` for what a
 * parameter contains. Enough to know what the service offers and in which form.
 */
export type OfferedOperations = Readonly<Record<string, readonly string[]>>

/** The parameters of an operation and their contents, as paths. */
export function parameterPaths(params: Fields): string[] {
  return Object.entries(params).flatMap(([name, { type }]) => {
    const plain = resolved(type)
    return [name, ...(plain.kind === 'struct' ? Object.keys(plain.fields).map((inner) => `${name}/${inner}`) : [])]
  })
}

/** The operations that are sent in their other form: the service has that form's parameters and none of the document's. */
export function otherFormsIn(service: ServiceName, offered: OfferedOperations, names: NameMap = []): string[] {
  const rename = renaming(names)
  return Object.values(operationsOf(service, 'all'))
    .filter(({ name, params, otherForm }) => {
      const there = offered[rename(name)]
      if (otherForm === undefined || there === undefined) return false
      const has = (path: string) => there.includes(path.split('/').map(rename).join('/'))
      return parameterPaths(otherForm.params).every(has) && !Object.keys(params).some(has)
    })
    .map(({ name }) => name)
}
