/**
 * TypeScript types made from the vocabulary: what the decoder gives, what the encoder takes, parameters and results of
 * operations.
 */
import type { Operation } from './operation.js'
import type { Enumeration, Field, Fields, Flags, List, Recursive, Scalar, ScalarValues, Struct, Type } from './vocabulary.js'

type Flat<T> = { [K in keyof T]: T[K] } & {}

/** The value of a type from the decoder. */
export type Output<T extends Type> =
  T extends Scalar<infer N>
    ? ScalarValues[N]
    : T extends Enumeration<infer V>
      ? V
      : T extends Flags
        ? string
        : T extends Recursive<infer V>
          ? V
          : T extends List<infer I>
            ? Output<I>[]
            : T extends Struct<infer F>
              ? OutputFields<F>
              : never

type AlwaysThere<F extends Fields> = {
  [K in keyof F]: F[K]['repeated'] extends true ? K : F[K]['type'] extends List ? K : F[K]['min'] extends 1 ? K : never
}[keyof F]

type OutputField<D extends Field> = D['repeated'] extends true
  ? Output<D['type']>[]
  : D['nillable'] extends true
    ? Output<D['type']> | null
    : Output<D['type']>

/** Decoded fields: lists are always arrays, nil is null, an absent optional element is an absent key. */
export type OutputFields<F extends Fields> = Flat<
  { -readonly [K in AlwaysThere<F>]: OutputField<F[K]> } & {
    -readonly [K in Exclude<keyof F, AlwaysThere<F>>]?: OutputField<F[K]>
  }
>

/** The value of a type from a caller: lists may be left out, an unset nillable may be null or left out. */
export type Input<T extends Type> =
  T extends Scalar<infer N>
    ? ScalarValues[N]
    : T extends Enumeration<infer V>
      ? V
      : T extends Flags
        ? string
        : T extends Recursive<infer V>
          ? V
          : T extends List<infer I>
            ? readonly Input<I>[]
            : T extends Struct<infer F>
              ? InputFields<F>
              : never

type MustBeGiven<F extends Fields> = {
  [K in keyof F]: F[K]['min'] extends 1 ? (F[K]['nillable'] extends true ? never : K) : never
}[keyof F]

type InputField<D extends Field> = D['repeated'] extends true
  ? readonly Input<D['type']>[]
  : D['nillable'] extends true
    ? Input<D['type']> | null
    : Input<D['type']>

export type InputFields<F extends Fields> = Flat<
  { readonly [K in MustBeGiven<F>]: InputField<F[K]> } & {
    readonly [K in Exclude<keyof F, MustBeGiven<F>>]?: InputField<F[K]>
  }
>

export type Params<O extends Operation> = O extends Operation<infer P, Field | undefined> ? InputFields<P> : never

/**
 * The answer of an operation: its value; null if the service left the result out (docs/service.md, How replies are written) or it
 * has none.
 */
export type Result<O extends Operation> =
  O extends Operation<Fields, infer R>
    ? R extends Field
      ? R['type'] extends List
        ? Output<R['type']>
        : R extends { readonly relied: 'always' | 'whole' }
          ? Output<R['type']>
          : R['min'] extends 1
            ? Output<R['type']>
            : Output<R['type']> | null
      : null
    : never

/** The entries of an operation that answers with a list. */
export type Entry<O extends Operation> =
  O extends Operation<Fields, infer R> ? (R extends Field<List<infer I>> ? Output<I> : never) : never
