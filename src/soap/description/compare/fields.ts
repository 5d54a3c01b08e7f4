/** The fields of one operation, header or type against those of the description. */
import {
  type Field,
  type Fields,
  isNewerField,
  isNewerNil,
  resolved,
  type ServiceName,
  type Type,
} from '../../../contract/index.js'
import type { Difference, DifferenceKind, Direction, Effect } from './difference.js'
import { type Located, locate } from './located.js'
import { briefly, containerOf, readsAs, shapeOf } from './shapes.js'

/** One operation's request, reply or header that is compared. */
export interface Comparison {
  readonly service: ServiceName
  readonly operation: string
  readonly direction: Direction
  readonly add: (difference: Difference) => void
}

type Words = Omit<Difference, 'service' | 'operation' | 'direction' | 'kind' | 'effect' | 'subject'>

export class FieldComparer {
  /** Types that refer to themselves are gone through once. */
  private readonly seen = new Set<Type>()

  constructor(private readonly comparison: Comparison) {}

  /** @param owner the operation or type whose fields they are */
  compare(owner: string, known: Fields, found: Fields): void {
    const located = locate(known, found)
    const taken = new Set([...located.values()].flatMap(({ by }) => by))
    for (const [name, field] of Object.entries(known)) {
      const other = Object.hasOwn(found, name) ? found[name] : undefined
      if (other !== undefined) this.field(`${owner}.${name}`, owner, name, field, other)
      else this.missing(owner, name, field, located.get(name))
    }
    for (const [name, field] of Object.entries(found)) {
      if (!Object.hasOwn(known, name) && !taken.has(name)) this.added(`${owner}.${name}`, name, field)
    }
    this.order(owner, known, found)
  }

  private get sends(): boolean {
    return this.comparison.direction !== 'reply'
  }

  private add(effect: Effect, kind: DifferenceKind, subject: string, words: Words): void {
    const { service, operation, direction } = this.comparison
    this.comparison.add({ effect, kind, service, operation, direction, subject, ...words })
  }

  private missing(owner: string, name: string, field: Field, located: Located | undefined): void {
    const subject = `${owner}.${name}`
    const expected = shapeOf(field)
    if (located !== undefined) {
      const message =
        located.kind === 'renamed' ? `${name} is called ${located.path} there.` : `${name} stands as ${located.path} there.`
      this.add('breaks', `field ${located.kind}`, subject, { expected: name, found: located.path, message })
      return
    }
    if (isNewerField(owner, name)) {
      const message = this.sends ? `An older edition: it ignores ${name}.` : `An older edition: it does not answer with ${name}.`
      this.add('differs', 'field missing', subject, { expected, message })
      return
    }
    if (this.sends) {
      this.add('breaks', 'field missing', subject, {
        expected,
        message: `${name} is not known there: what is sent in it is ignored.`,
      })
      return
    }
    const message = `Replies do not have ${name} there.`
    this.add(field.min === 1 && !field.repeated ? 'breaks' : 'only here', 'field missing', subject, { expected, message })
  }

  private added(subject: string, name: string, field: Field): void {
    const found = shapeOf(field)
    if (this.sends && field.min === 1 && !field.nillable) {
      this.add('breaks', 'field required', subject, { found, message: `${name} must be sent there; no command sends it.` })
      return
    }
    this.add('new', 'field new', subject, {
      found,
      message: this.sends ? `${name} can be sent there.` : `Replies have ${name} there.`,
    })
  }

  private field(subject: string, owner: string, name: string, known: Field, found: Field): void {
    const [expected, actual] = [shapeOf(known), shapeOf(found)]
    if (known.attribute !== found.attribute || containerOf(known) !== containerOf(found)) {
      const message = `${name} is ${placed(found)} there, ${placed(known)} here.`
      this.add('breaks', 'type', subject, { expected: placed(known), found: placed(found), message })
      return
    }
    this.occurrence(subject, owner, name, known, found)
    this.type(subject, name, known.type, found.type, { expected, found: actual })
  }

  private occurrence(subject: string, owner: string, name: string, known: Field, found: Field): void {
    const [expected, actual] = [occurrenceOf(known), occurrenceOf(found)]
    if (expected === actual) return
    const words = { expected, found: actual }
    // A list or repetition that is left out and one that is empty are the same to .NET and to the decoder.
    if (containerOf(known) !== 'one' || !this.sends) {
      this.add('differs', 'occurrence', subject, { ...words, message: `${name} is ${actual} there, ${expected} here.` })
      return
    }
    if (known.nillable && !found.nillable) {
      const effect = isNewerNil(owner, name) ? 'differs' : 'breaks'
      this.add(effect, 'nil', subject, { ...words, message: `${name} cannot be nil there; unset, it is sent as nil.` })
      return
    }
    if (!known.nillable && known.min === 0 && found.min === 1 && !found.nillable) {
      this.add('breaks', 'field required', subject, {
        ...words,
        message: `${name} must be sent there; here it may be left out.`,
      })
      return
    }
    this.add('differs', 'occurrence', subject, { ...words, message: `${name} is ${actual} there, ${expected} here.` })
  }

  private type(subject: string, name: string, known: Type, found: Type, words: { expected: string; found: string }): void {
    const [one, other] = [resolved(known), resolved(found)]
    if (one.kind === 'struct' && other.kind === 'struct') {
      if (this.seen.has(one)) return
      this.seen.add(one)
      this.compare(one.name, one.fields, other.fields)
      return
    }
    if (one.kind === 'list' && other.kind === 'list') {
      if (one.itemName !== other.itemName) {
        const message = `Entries of ${name} are called ${other.itemName} there, ${one.itemName} here.`
        this.add('breaks', 'field renamed', subject, { expected: one.itemName, found: other.itemName, message })
        return
      }
      this.type(subject, name, one.item, other.item, words)
      return
    }
    if ('values' in one && 'values' in other) this.values(one.name, one.values, other.values)
    if (one.kind === other.kind) return
    const fits = this.sends ? readsAs(one.kind, other.kind, false) : readsAs(other.kind, one.kind, true)
    const message = `${name} is ${words.found} there, ${words.expected} here.`
    this.add(fits ? 'differs' : 'breaks', 'type', subject, { ...words, message })
  }

  private values(name: string, known: readonly string[], found: readonly string[]): void {
    const [before, after] = [new Set(known), new Set(found)]
    for (const value of known.filter((each) => !after.has(each))) {
      const message = this.sends ? `${name} has no ${value} there.` : `${name} is never ${value} there.`
      this.add(this.sends ? 'breaks' : 'only here', 'value missing', `${name}.${value}`, { expected: value, message })
    }
    const added = found.filter((each) => !before.has(each))
    if (added.length > 0)
      this.add('new', 'value new', name, { found: briefly(added), message: `${name} can also be ${briefly(added)} there.` })
  }

  /** The service's sequences are ordered. A reply is read in any order. */
  private order(owner: string, known: Fields, found: Fields): void {
    const elements = (fields: Fields, other: Fields): string[] =>
      Object.keys(fields).filter((name) => Object.hasOwn(other, name) && fields[name]?.attribute === false)
    const [here, there] = [elements(known, found), elements(found, known)]
    const moved = movedIn(here, there)
    if (moved.length === 0) return
    const words = { expected: here.join(', '), found: there.join(', ') }
    const message = `${moved.join(', ')} ${moved.length === 1 ? 'stands' : 'stand'} in another place there.`
    this.add(this.sends ? 'breaks' : 'differs', 'field order', `${owner}.${moved[0]}`, { ...words, message })
  }
}

/** Fields of one type whose order is looked at in full. */
const MAX_ORDERED = 500

/** The fewest names that would have to move to turn one order into the other. */
function movedIn(here: readonly string[], there: readonly string[]): string[] {
  if (here.join() === there.join()) return []
  // The time grows with the square of the number.
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
