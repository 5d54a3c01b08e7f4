/** Types in words, and which of two types can replace the other on the wire. */
import { type Field, resolved, type Type, typeName } from '../../../contract/index.js'
import { someOf } from '../../../contract/some-of.js'

/** A field's type as a seller reads it: `int`, `list of SetPriceShopItem`, `one of Gif, Jpeg, Png`. */
export function shapeOf({ type, repeated }: Pick<Field, 'type' | 'repeated'>): string {
  return repeated ? `repeated ${typeWords(type)}` : typeWords(type)
}

function typeWords(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list of ${typeWords(type.item)}`
    case 'enumeration':
      return `one of ${briefly(type.values)}`
    case 'flags':
      return `some of ${briefly(type.values)}`
    case 'string':
      return 'text'
    case 'base64Binary':
      return 'bytes'
    case 'dateTime':
      return 'date and time'
    default:
      return typeName(type)
  }
}

/** The first ten of many words, each no longer than fits on a line. */
export function briefly(words: readonly string[]): string {
  const fitting = words.map((word) => (word.length > 60 ? `${word.slice(0, 59)}…` : word))
  return someOf(fitting, 10)
}

/** Container of an element's values: one, a wrapper around many, or itself many times. */
export function containerOf({ type, repeated }: Field): 'one' | 'list' | 'repeated' {
  if (repeated) return 'repeated'
  return type.kind === 'list' ? 'list' : 'one'
}

/** For each simple kind, the other kinds that can read its texts. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  int: ['long', 'decimal', 'string'],
  long: ['decimal', 'string'],
  decimal: ['string'],
  boolean: ['string'],
  dateTime: ['string'],
  base64Binary: ['string'],
  enumeration: ['string', 'flags'],
  flags: ['string'],
}

/** Kinds that keep any text, also a word that is not known. */
const OPEN = ['string', 'enumeration', 'flags']

/** True if texts written as `from` can be read as `to`, both simple kinds. */
export function readsAs(from: string, to: string, lenient: boolean): boolean {
  if (from === to) return true
  if ((WRITTEN_AS[from] ?? []).includes(to)) return true
  return lenient && OPEN.includes(to) && from !== 'struct' && from !== 'list'
}

/** True if one type could be the other under a new name: of the same kind, with much the same content. */
export function alike(expected: Type, actual: Type): boolean {
  const [one, other] = [resolved(expected), resolved(actual)]
  if (one.kind !== other.kind) return false
  if (one.kind === 'struct' && other.kind === 'struct') {
    const names = Object.keys(one.fields)
    const shared = names.filter((name) => Object.hasOwn(other.fields, name)).length
    return shared * 2 >= Math.max(names.length, Object.keys(other.fields).length)
  }
  if (one.kind === 'list' && other.kind === 'list') return typeName(resolved(one.item)) === typeName(resolved(other.item))
  if ('values' in one && 'values' in other) {
    const shared = one.values.filter((value) => (other.values as readonly string[]).includes(value)).length
    return shared * 2 >= Math.max(one.values.length, other.values.length)
  }
  return true
}
