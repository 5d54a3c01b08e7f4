/** Compares the fields of one operation, header or type with those of the description. */
import {
  type Field,
  type Fields,
  isNewerField,
  isNewerNil,
  isOnlyAsked,
  isRelied,
  isUnpublished,
  resolved,
  type Type,
} from '../../../contract/index.js'
import type { Add, Difference, DifferenceKind, Direction, Effect } from './difference.js'
import { type Located, locate } from './located.js'
import { briefly, containerOf, readsAs, shapeOf } from './shapes.js'

type Words = Pick<Difference, 'expected' | 'found' | 'message'>

/** Compares the request, the reply or a header of one operation. */
export class FieldComparer {
  /** Types that refer to themselves are compared once. */
  readonly #seenTypes = new Set<Type>()

  readonly #sends: boolean
  readonly #note: Add

  constructor(direction: Direction, note: Add) {
    this.#sends = direction !== 'reply'
    this.#note = note
  }

  /** @param owner the operation or type that has the fields */
  compare(owner: string, expected: Fields, actual: Fields): void {
    const locations = locate(expected, actual)
    const takenNames = new Set([...locations.values()].flatMap(({ by }) => by))
    for (const [name, field] of Object.entries(expected)) {
      const other = Object.hasOwn(actual, name) ? actual[name] : undefined
      if (other !== undefined) this.#field(`${owner}.${name}`, owner, name, field, other)
      else this.#missing(owner, name, field, locations.get(name))
    }
    for (const [name, field] of Object.entries(actual)) {
      if (!Object.hasOwn(expected, name) && !takenNames.has(name)) this.#added(`${owner}.${name}`, name, field)
    }
    this.#order(owner, expected, actual)
  }

  /** @param known the field of this tool that differs */
  #add(effect: Effect, kind: DifferenceKind, subject: string, words: Words, expected?: Field): void {
    const reliance = !this.#sends && expected !== undefined && isRelied(expected) ? { relied: true as const } : {}
    this.#note(effect, kind, { subject, ...reliance, ...words })
  }

  #missing(owner: string, name: string, field: Field, location: Located | undefined): void {
    const subject = `${owner}.${name}`
    const expected = shapeOf(field)
    if (location !== undefined) {
      const message = this.#sends
        ? `The service takes "${location.path}"; this tool sends "${name}".`
        : `The service answers with "${location.path}"; this tool reads "${name}".`
      this.#add('breaks', `field_${location.kind}`, subject, { expected: name, found: location.path, message }, field)
      return
    }
    if (isUnpublished(owner, name)) return
    if (isNewerField(owner, name)) {
      const message = `An older edition of the service: it ${this.#sends ? 'ignores' : 'does not answer with'} ${name}.`
      this.#add('differs', 'field_missing', subject, { expected, message })
      return
    }
    if (this.#sends) {
      // Where it is given, it is refused, because the service would ignore it.
      const message = `The service does not know ${name}: it ignores what is sent in it.`
      this.#add(isOnlyAsked(owner, name) ? 'differs' : 'breaks', 'field_missing', subject, { expected, message })
      return
    }
    const message = `The service does not answer with ${name}.`
    const breaks = (field.min === 1 && !field.repeated) || isRelied(field)
    this.#add(breaks ? 'breaks' : 'only_here', 'field_missing', subject, { expected, message }, field)
  }

  #added(subject: string, name: string, field: Field): void {
    const shape = shapeOf(field)
    if (this.#sends && field.min === 1 && !field.nillable) {
      this.#add('breaks', 'field_required', subject, {
        found: shape,
        message: `The service requires ${name}; no command sends it.`,
      })
      return
    }
    const message = `The service also ${this.#sends ? 'takes' : 'answers with'} ${name}.`
    this.#add('new', 'field_new', subject, { found: shape, message })
  }

  #field(subject: string, owner: string, name: string, knownField: Field, foundField: Field): void {
    const [expected, actual] = [shapeOf(knownField), shapeOf(foundField)]
    if (knownField.attribute !== foundField.attribute || containerOf(knownField) !== containerOf(foundField)) {
      const message = `The service has ${name} as ${fieldPlace(foundField)}; this tool has it as ${fieldPlace(knownField)}.`
      this.#add(
        'breaks',
        'type',
        subject,
        { expected: fieldPlace(knownField), found: fieldPlace(foundField), message },
        knownField,
      )
      return
    }
    this.#occurrence(subject, owner, name, knownField, foundField)
    this.#type(subject, name, knownField, { expected, found: actual }, foundField.type)
  }

  #occurrence(subject: string, owner: string, name: string, knownField: Field, foundField: Field): void {
    const [expected, actual] = [occurrenceOf(knownField), occurrenceOf(foundField)]
    if (expected === actual) return
    const add = (effect: Effect, kind: DifferenceKind, message: string): void =>
      this.#add(effect, kind, subject, { expected, found: actual, message })
    // A list that is left out and an empty one are the same to .NET and to the decoder.
    const one = containerOf(knownField) === 'one' && this.#sends
    if (one && knownField.nillable && !foundField.nillable) {
      const message = `The service does not take nil for ${name}; this tool sends an unset one as nil.`
      add(isNewerNil(owner, name) ? 'differs' : 'breaks', 'nil', message)
      // Here a field that must have a value there is one that this tool may leave out.
    } else if (one && foundField.min === 1 && !foundField.nillable) {
      add('breaks', 'field_required', `The service requires ${name}; this tool may leave it out.`)
    } else add('differs', 'occurrence', `${name} is ${actual} at the service, ${expected} in this tool.`)
  }

  #type(subject: string, name: string, field: Field, words: { expected: string; found: string }, actual: Type): void {
    const [one, other] = [resolved(field.type), resolved(actual)]
    if (one.kind === 'struct' && other.kind === 'struct') {
      if (this.#seenTypes.has(one)) return
      this.#seenTypes.add(one)
      this.compare(one.name, one.fields, other.fields)
      return
    }
    if (one.kind === 'list' && other.kind === 'list') {
      if (one.itemName !== other.itemName) {
        const message = `The service calls the entries of ${name} ${other.itemName}; this tool calls them ${one.itemName}.`
        this.#add('breaks', 'field_renamed', subject, { expected: one.itemName, found: other.itemName, message }, field)
        return
      }
      this.#type(subject, name, { ...field, type: one.item }, words, other.item)
      return
    }
    if ('values' in one && 'values' in other) this.#values(one.name, one.values, other.values)
    if (one.kind === other.kind) return
    const fits = this.#sends ? readsAs(one.kind, other.kind, false) : readsAs(other.kind, one.kind, true)
    const message = `The service has ${name} as ${words.found}; this tool has it as ${words.expected}.`
    this.#add(fits ? 'differs' : 'breaks', 'type', subject, { ...words, message }, field)
  }

  #values(name: string, expected: readonly string[], actual: readonly string[]): void {
    const [before, after] = [new Set(expected), new Set(actual)]
    for (const value of expected.filter((each) => !after.has(each))) {
      const message = `The service ${this.#sends ? 'does not know' : 'never answers with'} the ${name} "${value}".`
      this.#add(this.#sends ? 'breaks' : 'only_here', 'value_missing', `${name}.${value}`, { expected: value, message })
    }
    const addedValues = actual.filter((each) => !before.has(each))
    const message = `The service also knows the ${name} ${briefly(addedValues)}.`
    if (addedValues.length > 0) this.#add('new', 'value_new', name, { found: briefly(addedValues), message })
  }

  /** The service's sequences are ordered. A reply is read in any order. */
  #order(owner: string, expected: Fields, actual: Fields): void {
    const elements = (fields: Fields, other: Fields): string[] =>
      Object.entries(fields).flatMap(([name, { attribute }]) => (Object.hasOwn(other, name) && !attribute ? [name] : []))
    const [here, there] = [elements(expected, actual), elements(actual, expected)]
    const movedNames = movedIn(here, there)
    if (movedNames.length === 0) return
    const words = { expected: here.join(', '), found: there.join(', ') }
    const message = `The service has ${briefly(movedNames)} in another place.`
    this.#add(this.#sends ? 'breaks' : 'differs', 'field_order', `${owner}.${movedNames[0]}`, { ...words, message })
  }
}

/** The most fields of one type whose order is compared in full. */
const MAX_ORDERED = 500

/** The fewest names that would have to move to turn one order into the other. */
function movedIn(here: readonly string[], there: readonly string[]): string[] {
  if (here.join() === there.join()) return []
  // The time grows with the square of the number of fields.
  if (here.length > MAX_ORDERED) return here.filter((name, index) => name !== there[index]).slice(0, 1)
  const places = new Map(there.map((name, index) => [name, index]))
  const best: { names: string[]; last: number }[] = []
  for (const name of here) {
    const place = places.get(name) ?? -1
    let longest: string[] = []
    for (const { names, last } of best) if (last < place && names.length > longest.length) longest = names
    best.push({ names: [...longest, name], last: place })
  }
  const longestRun = best.reduce<string[]>((most, { names }) => (names.length > most.length ? names : most), [])
  return here.filter((name) => !longestRun.includes(name))
}

function fieldPlace(field: Field): string {
  return field.attribute ? `an attribute (${shapeOf(field)})` : shapeOf(field)
}

function occurrenceOf({ min, nillable }: Field): string {
  if (min === 1) return nillable ? 'required, may be nil' : 'required'
  return nillable ? 'optional, may be nil' : 'optional'
}
