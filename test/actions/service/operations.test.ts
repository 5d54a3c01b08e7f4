/** Operations as they are listed and shown, with example calls. */
import { expect } from 'chai'
import { exampleCall, operationRecord, operationShown } from '../../../src/actions/service/operations.js'
import { commandUses, contractName } from '../../../src/actions/service/uses.js'
import { type Field, type Operation, operations, type Rule, type Type } from '../../../src/contract/index.js'

const field = (type: Type, more: Partial<Field> = {}): Field =>
  ({ type, min: 1, nillable: false, repeated: false, attribute: false, ...more }) as Field
const struct = (fields: Record<string, Field>): Type => ({ kind: 'struct', name: 'S', fields })
const list = (item: Type): Type => ({ kind: 'list', name: 'L', itemName: 'I', item, nillableItems: false })
const operation = (params: Record<string, Field>, more: Partial<Operation> = {}): Operation =>
  ({
    name: 'DoIt',
    service: 'RestrictedService',
    user: true,
    kind: 'read',
    queued: false,
    params,
    result: undefined,
    summary: 'Does it.',
    ...more,
  }) as Operation
const INT = { kind: 'int' } as const
const TEXT = { kind: 'string' } as const

describe('the example of a call', () => {
  const args = (params: Record<string, Field>): string => exampleCall(operation(params), 'DoIt')

  for (const [rule, value] of [
    [undefined, 1001],
    [{ oneOf: [3, 4] }, 3],
    [{ oneOf: [] }, 1001],
    [{ min: 5000 }, 5000],
    [{ min: 1 }, 1001],
    [{ max: 14 }, 14],
    [{ min: 1, max: 5 }, 5],
    [{ max: 9999 }, 1001],
  ] as const) {
    it(`has ${value} for a number with the limits ${JSON.stringify(rule)}`, () =>
      expect(args({ a: field(INT, { rule: rule as Rule }) })).to.equal(`seller call DoIt a=${value}`))
  }

  it('has a word of a set, and a text, a fraction or a yes', () => {
    expect(
      args({
        a: field(TEXT),
        b: field({ kind: 'decimal' }),
        c: field({ kind: 'boolean' }),
        d: field({ kind: 'flags', name: 'F', values: ['One', 'Two'] }),
        e: field({ kind: 'enumeration', name: 'E', values: [] }),
      }),
    ).to.equal('seller call DoIt a=text b=0.5 c=true d=One e=')
  })

  it('leaves out what may be nil, unless there is nothing else', () => {
    expect(args({ a: field(INT, { nillable: true }), b: field(INT, { min: 0 }) })).to.equal('seller call DoIt b=1001')
    expect(args({ a: field(INT, { nillable: true }), b: field(INT, { nillable: true }) })).to.equal('seller call DoIt a=1001')
  })

  it('of a struct has its required fields and lists, else its first field', () => {
    const inner = { a: field(INT, { min: 0 }), b: field(INT), c: field(INT, { nillable: true }), d: field(list(INT), { min: 0 }) }
    expect(args({ x: field(struct(inner)) })).to.equal('seller call DoIt x.b=1001 x.d=1001')
    expect(args({ x: field(struct({ a: field(INT, { min: 0 }), b: field(INT, { min: 0 }) })) })).to.equal(
      'seller call DoIt x.a=1001',
    )
  })

  it('counts the entries of a list or repetition of structs', () => {
    const inner = struct({ a: field(INT) })
    expect(args({ x: field(list(inner)) })).to.equal('seller call DoIt x.0.a=1001')
    expect(args({ x: field(inner, { repeated: true }) })).to.equal('seller call DoIt x.0.a=1001')
    expect(args({ x: field(INT, { repeated: true }) })).to.equal('seller call DoIt x=1001')
  })

  it('has an end in a type that contains itself', () => {
    const self: { kind: 'struct'; name: string; fields: Record<string, Field> } = { kind: 'struct', name: 'S', fields: {} }
    self.fields.s = field({ kind: 'recursive', name: 'S', resolve: () => self } as unknown as Type)
    self.fields.n = field(INT)
    expect(args({ x: field(self) })).to.equal('seller call DoIt x.s.s.s.n=1001 x.s.s.n=1001 x.s.n=1001 x.n=1001')
  })

  it('is a file where a struct has more than ten fields', () => {
    const many = (count: number) => struct(Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, field(INT)])))
    expect(args({ x: field(many(10)) })).to.match(/x\.f0=1001/)
    expect(args({ x: field(many(11)) })).to.equal('seller call DoIt --input request.yaml')
    expect(args({ y: field(INT), x: field(many(11)) })).to.equal('seller call DoIt --input request.yaml')
  })
})

describe('an operation that is shown', () => {
  const uses = commandUses([
    { id: 'b', operations: ['GetItem'] },
    { id: 'a', operations: ['GetItem', 'PublicService.GetItem'] },
    { id: 'hidden', hidden: true, operations: ['GetItem'] },
    { id: 'none' },
  ] as never)
  const shown = (params: Record<string, Field>, more: Partial<Operation> = {}, contract?: Operation) =>
    operationShown({ operation: operation(params, more), contract, source: 'description' }, uses)

  it('names the commands that use it, in order and without hidden ones', () => {
    expect(uses.of('RestrictedService', 'GetItem')).to.deep.equal(['a', 'b'])
    expect(uses.of('PublicService', 'GetItem')).to.deep.equal(['a'])
    expect(uses.of('RestrictedService', 'GetItems')).to.deep.equal([])
    expect(uses.of('RestrictedService', 'AddItem')).to.deep.equal([])
    expect(uses.ofService('RestrictedService')).to.deep.equal(['a', 'b'])
    expect(uses.ofService('PublicService')).to.deep.equal(['a'])
    expect(contractName('PublicService', 'GetItem')).to.equal('PublicService.GetItem')
    expect(contractName('RestrictedService', 'GetItem')).to.equal('GetItem')
    expect(contractName('PublicService', 'AddItem')).to.equal(undefined)
  })

  it('has a record with counts, and one with every field', () => {
    const { GetItem } = operations
    expect(operationRecord({ operation: GetItem, contract: GetItem, source: 'contract' }, uses)).to.deep.include({
      Service: 'RestrictedService',
      Operation: 'GetItem',
      Kind: 'read',
      Parameters: 1,
      Commands: ['a', 'b'],
      Source: 'contract',
    })
    expect(operationRecord({ operation: operation({}), contract: undefined, source: 'description' }, uses)).to.include({
      Result: null,
    })
    const whole = operationShown({ operation: GetItem, contract: GetItem, source: 'contract' }, uses)
    expect(whole).to.deep.include({
      Queued: false,
      User: true,
      Parameters: [{ Name: 'itemId', Type: 'int', Required: true, Nillable: false, Limits: 'at least 1' }],
      Example: 'seller call GetItem itemId=1001',
    })
    expect(whole.Result.slice(0, 3).map(({ Name, Required }) => [Name, Required])).to.deep.equal([
      ['ShippingOptions[]', false],
      ['ShippingOptions[].ShippingOptionId', false],
      ['ShippingOptions[].Cost', true],
    ])
  })

  for (const [rule, words] of [
    [{}, null],
    [{ min: 1 }, 'at least 1'],
    [{ max: 9 }, 'at most 9'],
    [{ min: 1, max: 9 }, '1 to 9'],
    [{ oneOf: [1, 2] }, 'one of 1, 2'],
    [{ maxLength: 20 }, 'at most 20 characters'],
    [{ maxBytes: 30 }, 'at most 30 bytes'],
    [{ maxItems: 4 }, 'at most 4 entries'],
    [{ why: 'so it is' }, 'so it is'],
    [
      { oneOf: [1], min: 0, max: 1, maxLength: 2, maxItems: 3, why: 'so' },
      'one of 1, 0 to 1, at most 2 characters, at most 3 entries (so)',
    ],
  ] as const) {
    it(`has the limits ${words} for ${JSON.stringify(rule)}`, () =>
      expect(shown({ a: field(INT, { rule: rule as Rule }) }).Parameters[0]?.Limits).to.equal(words))
  }

  it('has fields inside fields, with [] where there may be several, and whether each is needed', () => {
    const inner = struct({ b: field(INT, { nillable: true }), c: field(TEXT, { min: 0 }) })
    const { Parameters } = shown({
      a: field(inner),
      l: field(list(inner)),
      r: field(inner, { repeated: true }),
      t: field(list(INT)),
    })
    expect(Parameters.map(({ Name, Required, Nillable }) => [Name, Required, Nillable])).to.deep.equal([
      ['a', true, false],
      ['a.b', false, true],
      ['a.c', false, false],
      ['l[]', true, false],
      ['l[].b', false, true],
      ['l[].c', false, false],
      ['r[]', true, false],
      ['r[].b', false, true],
      ['r[].c', false, false],
      ['t[]', true, false],
    ])
  })

  it('has a type that holds itself once', () => {
    const self: { kind: 'struct'; name: string; fields: Record<string, Field> } = { kind: 'struct', name: 'S', fields: {} }
    self.fields.n = field(INT)
    self.fields.s = field({ kind: 'recursive', name: 'S', resolve: () => self } as unknown as Type)
    expect(shown({ x: field(self) }).Parameters.map(({ Name }) => Name)).to.deep.equal(['x', 'x.n', 'x.s'])
    expect(shown({}, { result: field(self) }).Result.map(({ Name }) => Name)).to.deep.equal(['n', 's'])
  })

  it('has the fields of its result, or one without a name for a plain one', () => {
    const inner = struct({ a: field(INT), b: field(TEXT) })
    expect(shown({}, { result: field(list(inner)) }).Result.map(({ Name }) => Name)).to.deep.equal(['a', 'b'])
    expect(shown({}, { result: field(INT) }).Result).to.deep.equal([
      { Name: '', Type: 'int', Required: true, Nillable: false, Limits: null },
    ])
    expect(shown({}).Result).to.deep.equal([])
  })

  it('has at most 500 fields', () => {
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`f${at}`, field(INT)]))
    expect(shown(many).Parameters).to.have.lengthOf(500)
    expect(shown({ x: field(struct(many)), y: field(INT) }).Parameters).to.have.lengthOf(500)
  })

  it('has limits and example of the contract, where the contract knows it', () => {
    const limited = operation({
      a: field(INT, { rule: { min: 3, max: 5 } }),
      x: field(struct({ b: field(INT, { rule: { max: 2 } }) })),
    })
    const plain = {
      a: field(INT, { rule: { max: 9, maxLength: 7 } }),
      x: field(struct({ b: field(INT), toString: field(INT) })),
      z: field(INT),
    }
    const { Parameters, Example } = shown(plain, {}, limited)
    expect(Parameters.map(({ Name, Limits }) => [Name, Limits])).to.deep.equal([
      ['a', '3 to 5, at most 7 characters'],
      ['x', null],
      ['x.b', 'at most 2'],
      ['x.toString', null],
      ['z', null],
    ])
    expect(Example).to.equal('seller call DoIt a=5 x.b=2')
    expect(shown({ toString: field(INT) }, {}, limited).Parameters[0]?.Limits).to.equal(null)
    const answering = { ...limited, result: field(struct({ r: field(INT, { rule: { min: 1 } }) })) } as Operation
    expect(shown({}, { result: field(struct({ r: field(INT) })) }, answering).Result[0]?.Limits).to.equal('at least 1')
    expect(shown({}, { result: field(struct({ r: field(INT) })) }, limited).Result[0]?.Limits).to.equal(null)
  })

  it('is called by its service too where only a description of the public one has it', () => {
    expect(shown({}).Example).to.equal('seller call DoIt')
    expect(shown({}, { service: 'PublicService' }).Example).to.equal('seller call PublicService.DoIt')
  })
})
