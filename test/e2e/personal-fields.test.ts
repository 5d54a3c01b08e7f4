/** Fields of persons from a newer service: the decoder keeps them, and they are shown only if asked for. */
import { expect } from 'chai'
import { User } from '../../src/contract/index.js'
import { EXIT } from '../../src/errors/index.js'
import { opened } from '../opened.js'
import { fullReplyOf } from '../soap/damage.js'
import { openHostile } from './hostile.js'

/** A made-up birth number. */
const NUMBER = '19000101-0000'
const UNKNOWN = `<BirthNumber>${NUMBER}</BirthNumber>`

/** Commands, with the place of a person in their records. */
const COMMANDS: readonly (readonly [line: string, operation: string, column: string])[] = [
  ['account:show', 'GetUserInfo', 'BirthNumber'],
  ['items:show 7', 'GetItem', 'Seller.BirthNumber'],
  ['items:show 7 8', 'GetItem', 'Buyers.BirthNumber'],
  ['items:list', 'GetSellerItems', 'MaxBidder.BirthNumber'],
  ['transactions:list', 'GetSellerTransactions', 'Buyer.BirthNumber'],
  ['transactions:show 7', 'GetSellerTransactions', 'Buyer.BirthNumber'],
  ['feedback:pending', 'GetSellerTransactions', 'Buyer.BirthNumber'],
]

/** The parameters that the command needs. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  GetItem: ['itemId=7'],
  GetSellerItems: ['categoryId=0', 'filterActive=Active', 'filterItemType=All'],
  GetSellerTransactions: ['request.Filter=New'],
}

describe('fields of persons that the contract does not have', () => {
  const home = opened(openHostile)
  before(async () => {
    home.answer((operation, request) => {
      const id = /<itemId>(\d+)</.exec(request)?.[1] ?? '7'
      return (
        fullReplyOf(operation, 'ord')
          // Every person ends with it, and so do some other elements.
          .replaceAll('</TransactionId>', `</TransactionId>${UNKNOWN}`)
          .replaceAll('</Restarts>', '</Restarts><Novelty>new</Novelty>')
          .replace('<Id>7</Id><VAT>', `<Id>${id}</Id><VAT>`)
          .replaceAll('<IsFeedbackLeftBySeller>true', '<IsFeedbackLeftBySeller>false')
      )
    })
  })

  for (const [line, operation, column] of COMMANDS) {
    const args = line.split(' ')
    it(`${line}: left out of every form by default, there by --columns`, async () => {
      for (const form of ['json', 'ndjson', 'yaml', 'csv', 'tsv', 'table']) {
        const run = await home.seller(...args, '--output', form)
        expect([run.code, run.stdout === ''], run.stderr).to.deep.equal([EXIT.ok, false])
        expect(run.stdout, form).to.not.include(NUMBER).and.not.include('BirthNumber')
      }
      for (const form of ['json', 'ndjson', 'yaml', 'csv', 'tsv', 'table']) {
        const asked = await home.done(...args, '--output', form, '--columns', `Id,${column}`)
        expect(asked.stdout, form).to.include(NUMBER)
        expect(asked.stderr).to.not.include('no record has')
      }
    })

    it(`${operation} by call: left out, there by --raw`, async () => {
      const call = (...more: string[]) => home.seller('call', operation, ...(NEEDED[operation] ?? []), ...more)
      const [bare, raw] = [await call(), await call('--raw')]
      expect([bare.code, raw.code], bare.stderr).to.deep.equal([EXIT.ok, EXIT.ok])
      expect(bare.stdout).not.to.include(NUMBER)
      expect(raw.stdout).to.include(NUMBER)
    })
  }

  it('are left out beside what is known, which stays, and so does what is unknown of an item', async () => {
    const [item] = (await home.seller('items:list', '--json')).json()
    expect(item.Novelty).to.equal('new')
    expect(item.Seller).to.include({ Id: 7, Alias: 'ord', PersonalNumber: 'ord', TransactionId: 7 })
    expect(Object.keys(item.Seller)).to.deep.equal(Object.keys(User.fields))
  })

  it('that no record has are a warning, and one that is near a known field is refused before a call', async () => {
    const none = await home.seller('transactions:list', '--columns', 'Id,Buyer.Nothing', '--json')
    expect([none.code, none.json()[0]['Buyer.Nothing']]).to.deep.equal([EXIT.ok, null])
    expect(none.stderr).to.include('no record has Buyer.Nothing').and.include('seller call')
    const alone = await home.seller('account:show', '--columns', 'Id,Nothing', '--json')
    expect([alone.code, alone.json().error.code], 'one record').to.deep.equal([EXIT.usage, 'unknown_column'])
    home.calls()
    const near = await home.seller('transactions:list', '--columns', 'Id,Buyer.Alis', '--json')
    expect(near.code).to.equal(EXIT.usage)
    expect(near.json().error.hint).to.include('Did you mean Buyer.Alias?')
    for (const name of ['Nothing', 'Item.Nothing', 'Buyer.No thing']) {
      const other = await home.seller('transactions:list', '--columns', name, '--json')
      expect([other.code, other.json().error.code], name).to.deep.equal([EXIT.usage, 'unknown_column'])
    }
    const sorted = await home.seller('transactions:list', '--sort', 'Buyer.BirthNumber', '--json')
    expect([sorted.code, sorted.json().error.code]).to.deep.equal([EXIT.usage, 'unknown_column'])
    expect(home.calls()).to.deep.equal([])
  })
})
