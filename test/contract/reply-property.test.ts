/**
 * The check of replies beside one that is written as plainly as can be: same verdict and same path, for any type and any value.
 */
import { expect } from 'chai'
import fc from 'fast-check'
import { checkReply, checkReplyEntry, type Field, type Operation } from '../../src/contract/index.js'
import {
  arrayOf,
  id,
  int,
  optional,
  reliedOn,
  reliedOnWhenThere,
  repeated,
  string,
  struct,
} from '../../src/contract/vocabulary.js'

const NAMES = ['A', 'B', 'C'] as const

/** Simple fields in each degree of reliance, structs, lists of structs, and repeated structs. */
const field: fc.Memo<Field> = fc.memo((depth) => {
  const simple = fc.constantFrom<Field>(
    optional(string),
    reliedOn(optional(string)),
    reliedOnWhenThere(optional(int)),
    id(optional(int)),
  )
  if (depth <= 1) return simple
  return fc.oneof({ weight: 3, arbitrary: simple }, structField(depth - 1))
})
const structField: fc.Memo<Field> = fc.memo((depth) =>
  fc
    .record({
      fields: fc.dictionary(fc.constantFrom(...NAMES), field(depth), { maxKeys: 3 }),
      how: fc.constantFrom('one', 'relied', 'list', 'repeated'),
    })
    .map(({ fields, how }): Field => {
      const type = struct('Inner', fields)
      if (how === 'list') return optional(arrayOf('Inner', type))
      if (how === 'repeated') return repeated(type)
      return how === 'relied' ? reliedOn(optional(type)) : optional(type)
    }),
)

const LEAVES = [undefined, null, '', 'text', '7', 0, -1, 1, 7] as const
const leaf = fc.constantFrom<unknown>(...LEAVES)

/** A value of the shape of a field, often damaged. */
function valuesFor(of: Field): fc.Arbitrary<unknown> {
  const { type } = of
  if (type.kind === 'list') return fc.oneof({ weight: 4, arbitrary: fc.array(inner(type.item), { maxLength: 3 }) }, gone)
  if (type.kind !== 'struct') return leaf
  const one = inner(type)
  return of.repeated ? fc.array(one, { maxLength: 3 }) : fc.oneof({ weight: 4, arbitrary: one }, gone)
}
const gone = fc.constantFrom(undefined, null)
function inner(type: Field['type']): fc.Arbitrary<unknown> {
  if (type.kind !== 'struct') return leaf
  return fc.record(Object.fromEntries(Object.entries(type.fields).map(([name, each]) => [name, valuesFor(each)])))
}

/** The first fault below a value, as `path message`. */
function plainly(path: string, of: Field, value: unknown): string | undefined {
  const { relied, type } = of
  const holder = type.kind === 'list' ? type.item : type
  const fields = holder.kind === 'struct' ? Object.entries(holder.fields) : []
  const within = (at: string, held: unknown): string | undefined => {
    for (const [name, each] of fields) {
      const found = plainly(`${at}.${name}`, each, (held as Record<string, unknown>)[name])
      if (found !== undefined) return found
    }
    return undefined
  }
  if (Array.isArray(value)) {
    const itemName = type.kind === 'list' ? `.${type.itemName}` : ''
    for (const [at, entry] of value.entries()) {
      const found = typeof entry === 'object' && entry !== null ? within(`${path}${itemName}[${at}]`, entry) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }
  if (relied === 'id' || relied === 'always') {
    if (value === undefined) return `${path} is missing`
    if (value === null) return `${path} is nil`
    if (value === '') return `${path} is empty`
  }
  if (relied === 'id' && (typeof value !== 'number' || value < 1)) return `${path} is below 1`
  return typeof value === 'object' && value !== null ? within(path, value) : undefined
}

const operationOf = (result: Field): Operation =>
  ({ name: 'Ask', service: 'RestrictedService', user: true, kind: 'read', queued: false, params: {}, result }) as Operation
const words = (fault: ReturnType<typeof checkReply>) => fault && `${fault.element} ${fault.message}`

describe('the check of a reply', () => {
  it('finds what a plain one finds, and nothing else', () => {
    const any = structField(3).chain((result) => valuesFor({ ...result, min: 1 }).map((value) => ({ result, value })))
    let [faulty, sound] = [0, 0]
    fc.assert(
      fc.property(any, ({ result, value }) => {
        const expected =
          value === null || value === undefined
            ? result.relied === 'always'
              ? 'AskResult is missing or nil'
              : undefined
            : plainly('AskResult', result, value)
        if (expected === undefined) sound++
        else faulty++
        expect(words(checkReply(operationOf(result), {}, value))).to.equal(expected)
      }),
      { numRuns: 3000 },
    )
    expect([faulty > 300, sound > 300], `${faulty} ${sound}`).to.deep.equal([true, true])
  })

  it('judges a result that is itself relied on', () => {
    for (const [result, value, fault] of [
      [reliedOn(optional(string)), '', 'AskResult is empty'],
      [reliedOn(optional(string)), 'text', undefined],
      [id(optional(int)), 0, 'AskResult is below 1'],
      [id(optional(int)), 1, undefined],
      [optional(string), '', undefined],
    ] as const) {
      expect(words(checkReply(operationOf(result), {}, value)), JSON.stringify(value)).to.equal(fault)
    }
  })

  it('finds the same in an entry alone, in the fields that were read', () => {
    const entries = fc.dictionary(fc.constantFrom(...NAMES), field(2), { minKeys: 1, maxKeys: 3 }).chain((fields) => {
      const type = struct('Inner', fields)
      return fc.record({ type: fc.constant(type), value: inner(type), read: fc.subarray([...NAMES]) })
    })
    fc.assert(
      fc.property(entries, ({ type, value, read }) => {
        const operation = operationOf(optional(arrayOf('Inner', type)))
        const path = 'AskResult.Inner'
        expect(words(checkReplyEntry(operation, value))).to.equal(plainly(path, optional(type), value))
        const some = struct(
          'Inner',
          Object.fromEntries(Object.entries(type.fields).filter(([name]) => read.includes(name as 'A'))),
        )
        expect(words(checkReplyEntry(operation, value, read))).to.equal(plainly(path, optional(some), value))
      }),
      { numRuns: 2000 },
    )
  })
})
