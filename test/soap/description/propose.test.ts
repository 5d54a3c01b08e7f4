/** Names that a description may have for names of the contract. */
import { expect } from 'chai'
import fc from 'fast-check'
import { type NameMap, Renamer, readNameMap, renaming } from '../../../src/contract/index.js'
import { buildWsdl } from '../../../src/sandbox/wsdl/document.js'
import { inDocumentNames, proposeNames, readDescription } from '../../../src/soap/description/index.js'
import { changed, entries, NS, operationsIn, SERVICES } from './support.js'

/** The descriptions of services that use these names. */
const described = (names: NameMap, change: typeof operationsIn = operationsIn) =>
  SERVICES.map((service) => {
    const renamer = new Renamer(renaming(names), 'whole')
    const operations = change(service).map((operation) => renamer.operation(operation))
    return readDescription(buildWsdl(service, NS, `http://127.0.0.1:1/v3/${service}.asmx`, operations), { service })
  })

const written = (pairs: NameMap) => pairs.map((pair) => pair.join('=')).sort()

describe('names that are proposed', () => {
  it('are none for the contract itself', () => {
    expect(proposeNames(described([]), [])).to.deep.equal([])
  })

  it('are those that a service uses, one word or two', () => {
    for (const text of ['Eid=Zed', 'ExternalPayment=OuterPayment', 'Eid=Zed,ExternalPayment=Wallet']) {
      const names = readNameMap(text)
      expect(written(proposeNames(described(names), [])), text).to.deep.equal(text.split(',').sort())
    }
  })

  it('give back the contract when they are used, whatever the word', () => {
    fc.assert(
      fc.property(fc.constantFrom('Eid', 'Campaign', 'Feedback'), fc.stringMatching(/^Q[a-z]{2,8}$/), (ours, theirs) => {
        const descriptions = described([[ours, theirs]])
        const found = proposeNames(descriptions, [])
        const known = SERVICES.flatMap(operationsIn).map(({ name }) => name)
        const back = descriptions.flatMap((description) => [...inDocumentNames(description, found).operations.keys()])
        expect(back).to.deep.equal(known)
      }),
      { numRuns: 5 },
    )
  })

  it('are not proposed again where the profile has them, and added to where it has some', () => {
    const descriptions = described(readNameMap('Eid=Zed,ExternalPayment=OuterPayment'))
    expect(proposeNames(descriptions, readNameMap('Eid=Zed,ExternalPayment=OuterPayment'))).to.deep.equal([])
    expect(written(proposeNames(descriptions, readNameMap('Eid=Zed')))).to.deep.equal(['ExternalPayment=OuterPayment'])
  })

  it('are as short as they can be without changing a word that the service uses elsewhere', () => {
    for (const [ours, theirs, pair] of [
      ['GetShopSettings', 'GetStallSettings', 'ShopSettings=StallSettings'],
      ['GetShopSettings', 'GetMyShopSettings', 'ShopSettings=MyShopSettings'],
      ['GetPaymentTypes', 'GetPaymentTypesNow', 'PaymentTypes=PaymentTypesNow'],
      ['GetItemTypes', 'GetItemKinds', 'GetItemTypes=GetItemKinds'],
    ] as const) {
      const other = (service: (typeof SERVICES)[number]) =>
        operationsIn(service).map((operation) => (operation.name === ours ? { ...operation, name: theirs } : operation))
      expect(written(proposeNames(described([], other), []))).to.deep.equal([pair])
    }
  })

  it('are looked for first where they explain the most, among more names than are tried', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const others = letters.flatMap((one) => ['a', 'b'].map((other) => `GetQ${one}${other}`))
    const noisy = (service: (typeof SERVICES)[number]) => {
      const all = operationsIn(service)
      const addItem = all.find(({ name }) => name === 'AddItem')
      if (addItem === undefined) return all
      return [...all.filter(({ name }) => name !== 'GetUserInfo'), ...others.map((name) => ({ ...addItem, name }))]
    }
    expect(written(proposeNames(described([['Eid', 'Zed']], noisy), []))).to.deep.equal(['Eid=Zed'])
  })

  it('are not proposed where the types disagree: another operation is not the one that is gone', () => {
    const other = (service: (typeof SERVICES)[number]) =>
      changed(operationsIn(service), 'LeaveFeedback', (fields) =>
        entries(fields, (list) => [...list, ['secret', { ...list[0]![1] }]]),
      ).map((operation) => (operation.name === 'LeaveFeedback' ? { ...operation, name: 'LeaveRating' } : operation))
    expect(proposeNames(described([], other), [])).to.deep.equal([])
  })
})
