/** Every operation of the contract against the published types of the service, which stand in published-types.txt as data. */
import { expect } from 'chai'
import {
  ALL_SERVICES,
  EDITIONS,
  type Field,
  type Fields,
  hasOperation,
  headerNames,
  headers,
  isNewerField,
  isNewerNil,
  isUnpublished,
  type Operation,
  operationsOf,
  resolved,
  type Struct,
  type Type,
} from '../../src/contract/index.js'
import { published } from './published.js'

const PUBLISHED = published()

/** Fields that the contract reads as a looser type than published. */
const LOOSER: Readonly<Record<string, string>> = {
  // A GUID is text here.
  'SellerOrder.PurchaseOrderId guid 1 nil': 'PurchaseOrderId string 1 nil',
  // Missing where the published type says nil: accepted as well.
  'Product.VatPercent int 1 nil': 'VatPercent int ? nil',
}

/** A type as the data write it. An entry that may be nil where the published one may not is only more lenient. */
function typeText(type: Type, reached: (type: Struct) => void, lenient: boolean): string {
  const plain = resolved(type)
  if (plain.kind === 'list') {
    reachIn(plain.item, reached)
    const name = plain.itemName
    return `[${name}${plain.nillableItems && !lenient ? ' nil' : ''}]`
  }
  reachIn(type, reached)
  return 'name' in plain ? plain.name : plain.kind
}

function reachIn(type: Type, reached: (type: Struct) => void): void {
  const plain = resolved(type)
  if (plain.kind === 'struct') reached(plain)
}

function fieldText(name: string, field: Field, owner: string, reached: (type: Struct) => void, lenient: boolean): string {
  const occurs = field.repeated ? '*' : field.min === 1 ? '1' : '?'
  const nil = isNewerNil(owner, name) ? ' nil-newer' : ' nil'
  const marks = [field.nillable ? nil : '', isNewerField(owner, name) ? ' newer' : ''].join('')
  return `${field.attribute ? '@' : ''}${name} ${typeText(field.type, reached, lenient)} ${occurs}${marks}`
}

function fieldTexts(owner: string, fields: Fields, wanted: readonly string[], reached: (type: Struct) => void): string[] {
  return Object.entries(fields)
    .filter(([name]) => !isUnpublished(owner, name))
    .map(([name, field]) => {
      const lenient = wanted.some((line) => line.startsWith(`${name} [`) && !line.includes(' nil]'))
      return fieldText(name, field, owner, reached, lenient)
    })
}

describe('the contract by the published types', () => {
  const contract = new Map<string, Operation>(
    ALL_SERVICES.flatMap((service) =>
      Object.values(operationsOf(service, 'all')).map((operation) => [`${service}.${operation.name}`, operation] as const),
    ),
  )
  const seen = new Map<string, Struct>()
  const enumerations = new Map<string, string>()
  const reached = (type: Struct): void => {
    const known = seen.get(type.name)
    if (known !== undefined) return
    seen.set(type.name, type)
    for (const { type: inner } of Object.values(type.fields)) reachAll(inner)
  }
  const reachAll = (type: Type): void => {
    const plain = resolved(type)
    if (plain.kind === 'list') reachAll(plain.item)
    if (plain.kind === 'struct') reached(plain)
    if (plain.kind === 'enumeration') enumerations.set(plain.name, `enum ${plain.values.join(' ')}`)
    if (plain.kind === 'flags') enumerations.set(plain.name, `flags ${plain.values.join(' ')}`)
  }

  it('has the published operations and no other', () => {
    expect([...contract.keys()]).to.have.members([...PUBLISHED.operations.keys()])
  })

  it('has those of each edition in it', () => {
    for (const edition of EDITIONS.filter((each) => each !== 'document')) {
      const has = [...contract].filter(([, operation]) => hasOperation(edition, operation)).map(([name]) => name)
      const wanted = [...PUBLISHED.operations].filter(([, { newer }]) => edition !== '2022' || !newer).map(([name]) => name)
      expect(has, edition).to.have.members(wanted)
    }
  })

  for (const [name, { params, result, other }] of PUBLISHED.operations) {
    it(`${name} takes and answers what is published`, () => {
      const operation = contract.get(name)
      if (operation === undefined) throw new Error(`no ${name}`)
      for (const { type } of Object.values({ ...operation.params, ...operation.alsoAccepts })) reachAll(type)
      expect(fieldTexts(operation.name, operation.params, params, reached)).to.deep.equal(params)
      const also = operation.otherForm?.params ?? operation.alsoAccepts ?? {}
      expect(fieldTexts(operation.name, also, other ?? [], reached)).to.deep.equal(other ?? [])
      if (operation.result !== undefined) reachAll(operation.result.type)
      const lenient = result.startsWith('[') && !result.includes(' nil]')
      const answered =
        operation.result === undefined
          ? 'empty'
          : `${fieldText('', operation.result, '', reached, lenient).trim()}${operation.asSeller ? ' asSeller' : ''}`
      expect(answered).to.equal(result)
    })
  }

  it('every type has the published fields, in their order', () => {
    for (const header of Object.values(headers)) reached(header)
    expect([...seen.keys()]).to.have.members([...PUBLISHED.types.keys()])
    for (const [name, wanted] of PUBLISHED.types) {
      const type = seen.get(name) as Struct
      const fields = wanted.filter((line) => line !== 'open').map((line) => LOOSER[`${name}.${line}`] ?? line)
      expect(fieldTexts(name, type.fields, wanted, reached), name).to.deep.equal(fields)
    }
  })

  it('every enumeration has the published words', () => {
    expect([...enumerations].sort()).to.deep.equal([...PUBLISHED.words].sort())
  })

  it('every service takes the published headers, in their order', () => {
    for (const [service, wanted] of PUBLISHED.headed) {
      expect(headerNames(service as 'RestrictedService'), service).to.deep.equal(wanted)
    }
  })
})
