/**
 * The small vocabulary in which the service is described. A type or an operation is plain data made by the constructors below;
 * everything else (TypeScript types, XML both ways, input checks, WSDL, `call`) is derived from it.
 */

/** The value of each scalar. */
export interface ScalarValues {
  int: number
  decimal: number
  /** A whole number of any size: text, where a number does not keep its digits. */
  long: number | string
  string: string
  boolean: boolean
  /** ISO 8601 text, kept as the service gave it (docs/service.md, Conventions). */
  dateTime: string
  base64Binary: Uint8Array
}

export type ScalarName = keyof ScalarValues

export interface Scalar<N extends ScalarName = ScalarName> {
  readonly kind: N
}

/** A closed set of words; case-sensitive on the wire. */
export interface Enumeration<V extends string = string> {
  readonly kind: 'enumeration'
  readonly name: string
  readonly values: readonly V[]
}

/**
 * A .NET flags enum: an XSD list of an enumeration, with words separated by white space (docs/service.md, Result codes). Its
 * value here is the service's text, so that scripts can compare `ResultCode` with `Ok`.
 */
export interface Flags<V extends string = string> {
  readonly kind: 'flags'
  readonly name: string
  readonly values: readonly V[]
}

export interface Struct<F extends Fields = Fields> {
  readonly kind: 'struct'
  readonly name: string
  /** In wire order: the service's sequences are ordered, and it checks the order. */
  readonly fields: F
  /** The type identifies a person. Fields beyond these that a service sends are shown only if asked for. */
  readonly personal?: true
}

/** A wrapper element `name` holding any number of `itemName` elements (ArrayOfInt and the like). */
export interface List<T extends Type = Type> {
  readonly kind: 'list'
  readonly name: string
  readonly itemName: string
  readonly item: T
  /** True if an entry may be nil according to the schema. A nil entry carries nothing and is left out when read. */
  readonly nillableItems: boolean
}

/** A type that refers to itself (Category). Its value type cannot be inferred, so the type parameter gives it. */
export interface Recursive<V = unknown> {
  readonly kind: 'recursive'
  readonly name: string
  readonly resolve: () => Struct
  /** Never set; carries the value type for inference. */
  readonly value?: V
}

export type Type = Scalar | Enumeration | Flags | Struct | List | Recursive

/** Rule for an input beyond its type. Lengths in UTF-16 units as .NET counts them, sizes in bytes. */
export interface Rule {
  readonly min?: number
  readonly max?: number
  readonly maxLength?: number
  readonly maxBytes?: number
  readonly oneOf?: readonly number[]
  readonly maxItems?: number
  /** The reason of the limit, shown with the refusal. */
  readonly why?: string
}

export interface Field<
  T extends Type = Type,
  Min extends 0 | 1 = 0 | 1,
  Nil extends boolean = boolean,
  Rep extends boolean = boolean,
> {
  readonly type: T
  /** minOccurs. */
  readonly min: Min
  /** With min 1, an unset value is sent as the element with xsi:nil="true". */
  readonly nillable: Nil
  /** Unwrapped repetition: the element itself occurs 0..unbounded times. */
  readonly repeated: Rep
  /** An XML attribute instead of an element. */
  readonly attribute: boolean
  readonly rule?: Rule | undefined
  /** For a field of a reply: how decisions depend on it. Absent if none do. */
  readonly relied?: Reliance | undefined
  /** Name of the element or attribute, if the service has its own name for it (names.ts). */
  readonly wireName?: string
  /** Value written for an unset one that can be neither left out nor nil: .NET's default of its type. */
  readonly unset?: number
  /**
   * For a field of a reply: a value that cannot be read is left out, and whoever decides by the record holds it (`unreadFields`).
   */
  readonly heldUnread?: true
  /** For a text in a reply: the service's words for a person, which are shortened, shown on one line and stored. */
  readonly said?: true
}

/**
 * Reliance of decisions on a field of a reply. All kinds are refused if repeated or in another namespace than their
 * parent. `id` must be present and at least 1; `always` must be present and not empty; `when there` may be missing or nil, as in
 * replies of another edition; `whole` is a list whose absence means none to a caller that only shows it, and is no answer to one
 * that concludes something from it (docs/service.md, Absent lists).
 */
export type Reliance = 'id' | 'always' | 'when there' | 'whole'

export type Fields = { readonly [name: string]: Field }

export const int: Scalar<'int'> = { kind: 'int' }
export const decimal: Scalar<'decimal'> = { kind: 'decimal' }
export const long: Scalar<'long'> = { kind: 'long' }
export const string: Scalar<'string'> = { kind: 'string' }
export const boolean: Scalar<'boolean'> = { kind: 'boolean' }
export const dateTime: Scalar<'dateTime'> = { kind: 'dateTime' }
export const base64Binary: Scalar<'base64Binary'> = { kind: 'base64Binary' }

export function enumeration<const V extends string>(name: string, values: readonly V[]): Enumeration<V> {
  return { kind: 'enumeration', name, values }
}

export function flags<const V extends string>(name: string, values: readonly V[]): Flags<V> {
  return { kind: 'flags', name, values }
}

export function struct<const F extends Fields>(name: string, fields: F): Struct<F> {
  return { kind: 'struct', name, fields }
}

/** A struct that identifies a person. */
export function personal<const F extends Fields>(name: string, fields: F): Struct<F> {
  return { kind: 'struct', name, fields, personal: true }
}

/** `ArrayOf<Item>`: the wrapper's schema name follows .NET's habit (ArrayOfInt, ArrayOfItemShipping). */
export function arrayOf<T extends Type>(itemName: string, item: T, nillableItems = item.kind === 'struct'): List<T> {
  const name = `ArrayOf${itemName.charAt(0).toUpperCase()}${itemName.slice(1)}`
  return { kind: 'list', name, itemName, item, nillableItems }
}

/** A wrapped list whose wrapper type has its own name. */
export function listNamed<T extends Type>(name: string, itemName: string, item: T): List<T> {
  return { kind: 'list', name, itemName, item, nillableItems: item.kind === 'struct' }
}

export function recursive<V>(name: string, resolve: () => Struct): Recursive<V> {
  return { kind: 'recursive', name, resolve }
}

/** minOccurs 1, never nil. */
export function required<T extends Type>(type: T, rule?: Rule): Field<T, 1, false, false> {
  return { type, min: 1, nillable: false, repeated: false, attribute: false, rule }
}

/** minOccurs 0: left out if unset. */
export function optional<T extends Type>(type: T, rule?: Rule): Field<T, 0, false, false> {
  return { type, min: 0, nillable: false, repeated: false, attribute: false, rule }
}

/** minOccurs 1, nillable: an unset value travels as xsi:nil. */
export function nillable<T extends Type>(type: T, rule?: Rule): Field<T, 1, true, false> {
  return { type, min: 1, nillable: true, repeated: false, attribute: false, rule }
}

/** minOccurs 0 and nillable. */
export function optionalNillable<T extends Type>(type: T, rule?: Rule): Field<T, 0, true, false> {
  return { type, min: 0, nillable: true, repeated: false, attribute: false, rule }
}

/** Unwrapped repeats of the element itself. */
export function repeated<T extends Type>(type: T, rule?: Rule): Field<T, 0, false, true> {
  return { type, min: 0, nillable: false, repeated: true, attribute: false, rule }
}

export function attribute<T extends Scalar>(type: T): Field<T, 1, false, false> {
  return { type, min: 1, nillable: false, repeated: false, attribute: true }
}

export function optionalAttribute<T extends Scalar>(type: T): Field<T, 0, false, false> {
  return { type, min: 0, nillable: false, repeated: false, attribute: true }
}

/** A field of a reply that names an item, a request, a user or a transaction. */
export function id<F extends Field>(field: F): F & { readonly relied: 'id' } {
  return { ...field, relied: 'id' }
}

/** A field of a reply that is needed for every decision. */
export function reliedOn<F extends Field>(field: F): F & { readonly relied: 'always' } {
  return { ...field, relied: 'always' }
}

/**
 * The result of an operation from whose list something is concluded when an entry is absent: what is not live is added, what is
 * gone has left. Or a struct around such a list alone.
 */
export function whole<T extends List | Struct>(type: T) {
  return { ...optional(type), relied: 'whole' } as const
}

/** A field of a reply that decisions depend on if it is present. */
export function reliedOnWhenThere<F extends Field>(field: F): F & { readonly relied: 'when there' } {
  return { ...field, relied: 'when there' }
}

/** The same, for a record that is held where a value of it cannot be read. */
export function reliedOnWhenRead<F extends Field>(field: F): F & { readonly relied: 'when there' } {
  return { ...reliedOnWhenThere(field), heldUnread: true }
}

/** The service's words for a person: a message, a reason, a progress text. */
export function forPeople<F extends Field>(field: F): F & { readonly said: true } {
  return { ...field, said: true }
}
