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
  readonly #seen = new Set<Type>()

  readonly #sends: boolean
  readonly #note: Add

  constructor(direction: Direction, note: Add) {
    this.#sends = direction !== 'reply'
    this.#note = note
  }

  /** @param owner the operation or type that has the fields */
  compare(owner: string, known: Fields, found: Fields): void {
    const located = locate(known, found)
    const taken = new Set([...located.values()].flatMap(({ by }) => by))
    for (const [name, field] of Object.entries(known)) {
      const other = Object.hasOwn(found, name) ? found[name] : undefined
      if (other !== undefined) this.#field(`${owner}.${name}`, owner, name, field, other)
      else this.#missing(owner, name, field, located.get(name))
    }
    for (const [name, field] of Object.entries(found)) {
      if (!Object.hasOwn(known, name) && !taken.has(name)) this.#added(`${owner}.${name}`, name, field)
    }
    this.#order(owner, known, found)
  }

  /** @param known the field of this tool that differs */
  #add(effect: Effect, kind: DifferenceKind, subject: string, words: Words, known?: Field): void {
    const relied = !this.#sends && known !== undefined && isRelied(known) ? { relied: true as const } : {}
    this.#note(effect, kind, { subject, ...relied, ...words })
  }

  #missing(owner: string, name: string, field: Field, located: Located | undefined): void {
    const subject = `${owner}.${name}`
    const expected = shapeOf(field)
    if (located !== undefined) {
      const message = this.#sends
        ? `The service takes "${located.path}"; this tool sends "${name}".`
        : `The service answers with "${located.path}"; this tool reads "${name}".`
      this.#add('breaks', `field_${located.kind}`, subject, { expected: name, found: located.path, message }, field)
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
    const found = shapeOf(field)
    if (this.#sends && field.min === 1 && !field.nillable) {
      this.#add('breaks', 'field_required', subject, { found, message: `The service requires ${name}; no command sends it.` })
      return
    }
    const message = `The service also ${this.#sends ? 'takes' : 'answers with'} ${name}.`
    this.#add('new', 'field_new', subject, { found, message })
  }

  #field(subject: string, owner: string, name: string, known: Field, found: Field): void {
    const [expected, actual] = [shapeOf(known), shapeOf(found)]
    if (known.attribute !== found.attribute || containerOf(known) !== containerOf(found)) {
      const message = `The service has ${name} as ${placed(found)}; this tool has it as ${placed(known)}.`
      this.#add('breaks', 'type', subject, { expected: placed(known), found: placed(found), message }, known)
      return
    }
    this.#occurrence(subject, owner, name, known, found)
    this.#type(subject, name, known, { expected, found: actual }, found.type)
  }

  #occurrence(subject: string, owner: string, name: string, known: Field, found: Field): void {
    const [expected, actual] = [occurrenceOf(known), occurrenceOf(found)]
    if (expected === actual) return
    const add = (effect: Effect, kind: DifferenceKind, message: string): void =>
      this.#add(effect, kind, subject, { expected, found: actual, message })
    // A list that is left out and an empty one are the same to .NET and to the decoder.
    const one = containerOf(known) === 'one' && this.#sends
    if (one && known.nillable && !found.nillable) {
      const message = `The service does not take nil for ${name}; this tool sends an unset one as nil.`
      add(isNewerNil(owner, name) ? 'differs' : 'breaks', 'nil', message)
      // Here a field that must have a value there is one that this tool may leave out.
    } else if (one && found.min === 1 && !found.nillable) {
      add('breaks', 'field_required', `The service requires ${name}; this tool may leave it out.`)
    } else add('differs', 'occurrence', `${name} is ${actual} at the service, ${expected} in this tool.`)
  }

  #type(subject: string, name: string, field: Field, words: { expected: string; found: string }, found: Type): void {
    const [one, other] = [resolved(field.type), resolved(found)]
    if (one.kind === 'struct' && other.kind === 'struct') {
      if (this.#seen.has(one)) return
      this.#seen.add(one)
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

  #values(name: string, known: readonly string[], found: readonly string[]): void {
    const [before, after] = [new Set(known), new Set(found)]
    for (const value of known.filter((each) => !after.has(each))) {
      const message = `The service ${this.#sends ? 'does not know' : 'never answers with'} the ${name} "${value}".`
      this.#add(this.#sends ? 'breaks' : 'only_here', 'value_missing', `${name}.${value}`, { expected: value, message })
    }
    const added = found.filter((each) => !before.has(each))
    const message = `The service also knows the ${name} ${briefly(added)}.`
    if (added.length > 0) this.#add('new', 'value_new', name, { found: briefly(added), message })
  }

  /** The service's sequences are ordered. A reply is read in any order. */
  #order(owner: string, known: Fields, found: Fields): void {
    const elements = (fields: Fields, other: Fields): string[] =>
      Object.entries(fields).flatMap(([name, { attribute }]) => (Object.hasOwn(other, name) && !attribute ? [name] : []))
    const [here, there] = [elements(known, found), elements(found, known)]
    const moved = movedIn(here, there)
    if (moved.length === 0) return
    const words = { expected: here.join(', '), found: there.join(', ') }
    const message = `The service has ${briefly(moved)} in another place.`
    this.#add(this.#sends ? 'breaks' : 'differs', 'field_order', `${owner}.${moved[0]}`, { ...words, message })
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
  const kept = best.reduce<string[]>((most, { names }) => (names.length > most.length ? names : most), [])
  return here.filter((name) => !kept.includes(name))
}

function placed(field: Field): string {
  return field.attribute ? `an attribute (${shapeOf(field)})` : shapeOf(field)
}

function occurrenceOf({ min, nillable }: Field): string {
  if (min === 1) return nillable ? 'required, may be nil' : 'required'
  return nillable ? 'optional, may be nil' : 'optional'
}
