import { expect } from 'chai'
import fc from 'fast-check'
import {
  type Field,
  type Fields,
  NameMapError,
  type Operation,
  operations,
  otherFormsIn,
  parameterPaths,
  Renamer,
  readNameMap,
  renaming,
  renamingBack,
  resolved,
  Speaker,
  type Type,
  writeNameMap,
} from '../../src/contract/index.js'

const MAP = readNameMap('Eid=Zed, ExternalPayment=OuterPayment,Item=Thing')

/** Every name that an operation has on the wire. */
function namesOf(operation: Operation): string[] {
  const names = new Set([operation.name])
  const seen = new Set<Type>()
  const walk = (type: Type): void => {
    if (seen.has(type)) return
    seen.add(type)
    const plain = resolved(type)
    if (plain.kind === 'struct') fields(plain.fields)
    if (plain.kind === 'list') {
      names.add(plain.itemName)
      walk(plain.item)
    }
  }
  const fields = (all: Fields): void => {
    for (const [name, field] of Object.entries<Field>(all)) {
      names.add(name)
      walk(field.type)
    }
  }
  fields(operation.params)
  if (operation.result !== undefined) walk(operation.result.type)
  return [...names]
}

describe("a service's own names", () => {
  it('replace whole words of names, and nothing within a word', () => {
    const rename = renaming(MAP)
    expect(
      ['BeginEidVerification', 'EidOrderRef', 'GetEid', 'Eider', 'Reid', 'Item', 'ItemId', 'Items'].map(rename),
    ).to.deep.equal(['BeginZedVerification', 'ZedOrderRef', 'GetZed', 'Eider', 'Reid', 'Thing', 'ThingId', 'Items'])
    expect(['ExternalPayment', 'ExternalId'].map(rename)).to.deep.equal(['OuterPayment', 'ExternalId'])
  })

  it('come back as they were, for every name of the contract', () => {
    const names = Object.values<Operation>(operations).flatMap(namesOf)
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom('Eid', 'Shop', 'Payment', 'Seller', 'Order'), { minLength: 1 }), (words) => {
        const map = words.map((word, at) => [word, `Qx${'abcde'[at]}`] as const)
        const [there, back] = [renaming(map), renamingBack(map)]
        for (const name of names) expect(back(there(name))).to.equal(name)
      }),
    )
  })

  it('are read from pairs and written back, and refused where they say two things', () => {
    expect(writeNameMap(MAP)).to.equal('Eid=Zed,ExternalPayment=OuterPayment,Item=Thing')
    expect(readNameMap('')).to.deep.equal([])
    for (const text of [
      'Eid',
      'Eid=',
      'eid=zed',
      'Eid=Z ed',
      'Eid=Zed=Yed',
      'Eid=Zed,Eid=Yed',
      'Eid=Zed,Ferry=Zed',
      'Eid=Eid',
      'E.d=Zed',
    ])
      expect(() => readNameMap(text), text).to.throw(NameMapError)
  })

  it('change only what is on the wire: keys, kinds and rules stay', () => {
    const spoken = new Speaker({ names: MAP }).operationNames(operations.GetItem)
    const { operation } = spoken
    expect([operation.name, operation.wireName]).to.deep.equal(['GetItem', 'GetThing'])
    const type = operation.result?.type
    const fields = type?.kind === 'struct' ? type.fields : {}
    expect(Object.keys(fields)).to.deep.equal(Object.keys((operations.GetItem.result.type as { fields: Fields }).fields))
    expect([fields.ExternalPayment?.wireName, fields.ItemType?.wireName, fields.Title?.wireName]).to.deep.equal([
      'OuterPayment',
      'ThingType',
      undefined,
    ])
  })

  it('rename a type that holds itself once, and for good', () => {
    const renamer = new Renamer(renaming([['Category', 'Kind']]), 'whole')
    const one = renamer.operation(operations.GetCategories)
    expect(renamer.operation(operations.GetCategories)).to.equal(one)
    expect(one.name).to.equal('GetCategories')
    expect(JSON.stringify(namesOf(one)))
      .to.include('"Kind"')
      .and.not.include('"Category"')
  })

  it("turn a fault's words into the known names where they are names, and leave other words alone", () => {
    const speaker = new Speaker({ names: MAP })
    expect(speaker.words('BeginZedVerificationResponse lacks ZedOrderRef; Zed is closed, Zedfoo too.')).to.equal(
      'BeginEidVerificationResponse lacks EidOrderRef; Zed is closed, Zedfoo too.',
    )
    expect(new Speaker().words('ZedOrderRef')).to.equal('ZedOrderRef')
  })
})

describe('the other form of auction prices', () => {
  const { otherForm, params } = operations.SetPricesOnNonShopItems as Operation
  const amount = fc.option(fc.integer({ min: 1, max: 1_000_000 }))

  it('says the same there and back', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), amount, amount, (itemId, openingPrice, ReservedPrice, BinPrice) => {
        const given = { itemId, openingPrice, ReservedPrice, BinPrice }
        expect(otherForm?.back(otherForm.of(given))).to.deep.equal(given)
      }),
    )
    expect(otherForm?.back({ request: null })).to.equal(undefined)
  })

  it('is taken where a service has all of it and none of the document, in its own names too', () => {
    const [nested, leaves] = [parameterPaths(otherForm!.params), parameterPaths(params)]
    expect(nested).to.deep.equal(['request', 'request/NonShopItem'])
    const forms = (paths: string[], names = readNameMap('')) =>
      otherFormsIn('RestrictedService', { [renaming(names)('SetPricesOnNonShopItems')]: paths }, names)
    expect(forms(nested)).to.deep.equal(['SetPricesOnNonShopItems'])
    expect(forms(leaves)).to.deep.equal([])
    expect(forms([...nested, ...leaves])).to.deep.equal([])
    expect(forms([...nested, leaves[0] ?? ''])).to.deep.equal([])
    expect(forms(['request'])).to.deep.equal([])
    expect(forms(['request', 'request/NonStallItem'], readNameMap('ShopItem=StallItem'))).to.deep.equal([
      'SetPricesOnNonShopItems',
    ])
  })
})
