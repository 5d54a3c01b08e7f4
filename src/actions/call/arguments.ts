/**
 * Turns `name=value …` into the parameters of an operation, typed by the contract: `itemId=1`, `request.Filter=New`,
 * `requestIds=1 requestIds=2`.
 */
import { InputFaults } from '../../cli/input-faults.js'
import { readDateTime } from '../../cli/values.js'
import {
  checkInput,
  type Field,
  type InputFault,
  LexicalError,
  type Operation,
  readSimple,
  resolved,
  type Type,
} from '../../contract/index.js'
import { readDocument, WrittenNumber } from '../input/document.js'
import { topOf } from '../input/kinds.js'
import { Photos } from '../input/photos.js'
import { define, fieldsIn, readBytes, typedFields } from '../input/typed.js'

/** A YAML or JSON document with parameters by name; arguments override its top-level names. */
interface CallInput {
  readonly bytes: Uint8Array
  /** `-` for stdin. */
  readonly path: string
  /** Takes what is to be said about it, a sentence each. */
  readonly note?: (text: string) => void
}

/**
 * The parameters of an operation of the contract.
 * @param locate resolves the path of an `@path`; unchanged by default
 * @param photos takes part in what happens to the metadata of images
 * @throws {SellerError} with every fault at once: usage if an argument cannot be read, validation if the contract refuses a value
 */
export async function callParams(
  knownOperation: Operation,
  args: readonly string[],
  input?: CallInput,
  locate: (path: string) => string = (path) => path,
  photos: Photos = new Photos(false, false),
): Promise<Record<string, unknown>> {
  const faults = new InputFaults()
  const inFile: InputFault[] = []
  const document = await readCallDocument(input)
  const tree = givenTree(args, faults)
  const operation = operationInForm(knownOperation, [...Object.keys(document), ...Object.keys(tree)])
  const fromFile = await typedFields(operation.params, document, '', { faults: inFile, locate, photos })
  const typing = new Typing(faults, locate, photos)
  const fromArgs: [string, unknown][] = []
  for (const [name, given] of Object.entries(tree)) {
    const field = Object.hasOwn(operation.params, name) ? operation.params[name] : undefined
    fromArgs.push([name, field === undefined ? untyped(given) : await typing.field(field, given, name)])
  }
  const params = { ...(fromFile as Record<string, unknown>), ...Object.fromEntries(fromArgs) }
  faults.add(...inFile)
  const unreadable = new Set(faults.all.map(({ field }) => topOf(field)))
  faults.add(...checkInput(operation, params, [...unreadable]))
  faults.throwIfAny()
  return operation === knownOperation ? params : { ...knownOperation.otherForm?.back(params) }
}

/**
 * The operation with its parameters in the form that the names belong to: the seller may have read the other form in the
 * description.
 */
function operationInForm(operation: Operation, names: readonly string[]): Operation {
  const { params, otherForm, rules: _, ...others } = operation
  if (otherForm === undefined || names.length === 0) return operation
  const other = names.every((name) => Object.hasOwn(otherForm.params, name) && !Object.hasOwn(params, name))
  return other ? { ...others, params: otherForm.params } : operation
}

/**
 * The parameters of an operation that the contract does not have, as plain texts.
 * @throws {SellerError} usage
 */
export async function untypedParams(args: readonly string[], input?: CallInput): Promise<Record<string, unknown>> {
  const faults = new InputFaults()
  const fromArgs = untyped(givenTree(args, faults)) as Record<string, unknown>
  faults.throwIfAny()
  return { ...(asTexts(await readCallDocument(input)) as Record<string, unknown>), ...fromArgs }
}

async function readCallDocument(input: CallInput | undefined): Promise<Record<string, unknown>> {
  if (input === undefined) return {}
  const document = await readDocument(input.bytes, input.path)
  for (const note of document.notes) input.note?.(note)
  return fieldsIn(document, 'an object with the parameters by name is expected.', 'E.g. {"itemId": 1}.')
}

/** The content of a document, as the texts in which it was written. null is an empty text. */
function asTexts(value: unknown): unknown {
  if (value instanceof WrittenNumber) return value.text
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(asTexts)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, asTexts(entry)]))
  }
  return value === null || value === undefined ? '' : String(value)
}

/** Converts texts to values of the contract's types. A text that cannot be read is a fault of form. */
class Typing {
  readonly #faults: InputFaults
  readonly #locate: (path: string) => string
  readonly #photos: Photos

  constructor(faults: InputFaults, locate: (path: string) => string, photos: Photos) {
    this.#faults = faults
    this.#locate = locate
    this.#photos = photos
  }

  /** `null` means null for a field that may be nil; for a text that may not be nil it is a word. */
  async field(field: Field, argument: Given, path: string): Promise<unknown> {
    if (argument === 'null' && (field.nillable || (field.min === 0 && field.type.kind !== 'string'))) return null
    return field.repeated ? this.#entries(field.type, argument, path) : this.#value(field.type, argument, path)
  }

  async #value(type: Type, argument: Given, path: string): Promise<unknown> {
    const form = resolved(type)
    if (form.kind === 'list') return this.#entries(form.item, argument, path)
    if (form.kind === 'struct') {
      if (typeof argument === 'string') return this.#json(type, argument, path)
      if (!isTree(argument))
        return this.#refuse(path, argument.join(', '), 'must be an object', `Give its fields: ${partOf(path)}.`)
      const fields: [string, unknown][] = []
      for (const [name, part] of Object.entries(argument)) {
        const field = Object.hasOwn(form.fields, name) ? form.fields[name] : undefined
        fields.push([name, field === undefined ? untyped(part) : await this.field(field, part, `${path}.${name}`)])
      }
      return Object.fromEntries(fields)
    }
    if (typeof argument !== 'string')
      return this.#refuse(path, JSON.stringify(argument), 'must be a single value', 'Give it once, without parts.')
    if (form.kind === 'dateTime') return this.#faults.read(path, argument, () => readDateTime(argument, path))
    if (form.kind === 'base64Binary') return this.#bytes(argument, path)
    try {
      return readSimple(form, argument)
    } catch (error) {
      if (!(error instanceof LexicalError)) throw error
      const ofPart = error.text !== argument
      this.#faults.addForm({ field: path, value: argument, message: ofPart ? error.message : error.why, ofPart })
      return undefined
    }
  }

  async #entries(item: Type, argument: Given, path: string): Promise<unknown> {
    if (typeof argument === 'string' && argument.trimStart().startsWith('[')) return this.#json(listOf(item), argument, path)
    const list = isTree(argument) ? (numbered(argument) ?? apart(argument)) : typeof argument === 'string' ? [argument] : argument
    const values: unknown[] = []
    for (const [index, entry] of list.entries()) values.push(await this.#value(item, entry, `${path}[${index}]`))
    return values
  }

  async #bytes(argument: string, path: string): Promise<Uint8Array | undefined> {
    const faults: InputFault[] = []
    const bytes = await readBytes(argument, path, { faults, locate: this.#locate, photos: this.#photos })
    for (const fault of faults) this.#faults.addForm(fault)
    return bytes
  }

  /** A struct or a list given as JSON: `request={"Filter":"New"}`. */
  async #json(type: Type, argument: string, path: string): Promise<unknown> {
    const document = await readDocument(Buffer.from(argument), path).then(
      ({ value }) => value,
      () => undefined,
    )
    if (typeof document !== 'object') {
      return this.#refuse(
        path,
        argument,
        'is not JSON of the expected type',
        `Give it by its parts (${partOf(path)}), or as JSON.`,
      )
    }
    const faults: InputFault[] = []
    const holder = { value: { type, min: 0, nillable: false, repeated: false, attribute: false } as const }
    const holderValue = (await typedFields(holder, { value: document }, '', {
      faults,
      locate: this.#locate,
      photos: this.#photos,
    })) as {
      value: unknown
    }
    for (const fault of faults) this.#faults.addForm({ ...fault, field: fault.field.replace(/^value/, path) })
    return holderValue.value
  }

  #refuse(field: string, value: string, message: string, hint?: string): undefined {
    this.#faults.addForm({ field, value, message, ...(hint === undefined ? {} : { hint }) })
    return undefined
  }
}

/** Path of a part of a value, as an argument names it. */
function partOf(path: string): string {
  return `${path.replaceAll(/\[(\d+)\]/g, '.$1')}.NAME=value`
}

function listOf(item: Type): Type {
  return { kind: 'list', name: '', itemName: '', item, nillableItems: false }
}

/** The value of a name: a text, several texts if the name was repeated, or parts. */
type Given = string | string[] | Tree
interface Tree {
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

export function isTree(argument: Given | undefined): argument is Tree {
  return typeof argument === 'object' && !Array.isArray(argument)
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
  const several = (argument: Given): Given[] => (Array.isArray(argument) ? argument : [argument])
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
export function untyped(argument: Given): unknown {
  if (!isTree(argument)) return argument
  const entries = numbered(argument)
  if (entries !== undefined) return entries.map(untyped)
  return Object.fromEntries(Object.entries(argument).map(([name, part]) => [name, untyped(part)]))
}
