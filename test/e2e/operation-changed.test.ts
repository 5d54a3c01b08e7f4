/** A saved description that breaks what an operation sends: it is not sent, until the seller accepts it by name. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Break } from '../../src/cli/descriptions/file.js'
import { type Operation, operationsOf } from '../../src/contract/index.js'
import { EXIT } from '../../src/errors/index.js'
import { buildWsdl } from '../../src/sandbox/wsdl/document.js'
import { openedForEach } from '../opened.js'
import { changed, entries } from '../soap/description/support.js'
import { type ObservedHome, openObserved } from './observed.js'
import { ask } from './person.js'
import { pricesOf, stock } from './shop.js'

const WRITES = /^(Set|Add|Remove|Update|End)/

/** Changes each break of the saved description. */
function rewrite(home: ObservedHome, change: (each: Break) => Break): void {
  const directory = join(home.dataDir, 'descriptions')
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    const file = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...file, Breaks: file.Breaks.map(change) }))
  }
}

describe('an operation that the service describes differently', function () {
  this.timeout(60_000)
  const home = openedForEach(() => openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true, extended: true }))
  let ids: number[]
  beforeEach(async () => {
    ids = await stock(home, [100, 200])
    home.calls()
  })

  const sent = () => home.calls().filter((name) => WRITES.test(name))
  /** The description with a field under another name, or without it. */
  const described = async (owner: string, field: string, other?: string): Promise<string> => {
    const operations: Operation[] = changed(Object.values(operationsOf('RestrictedService', 'all')), owner, (fields) =>
      entries(fields, (list) => list.flatMap(([name, each]) => (name !== field ? [[name, each]] : other ? [[other, each]] : []))),
    )
    const url = `${home.sandbox.url}/v3/RestrictedService.asmx`
    return home.file('changed.wsdl', buildWsdl('RestrictedService', home.env.SELLER_NAMESPACE ?? '', url, operations))
  }
  const check = (file: string, ...more: string[]) => home.seller('service:check', '--file', file, '--save', '--yes', ...more)

  it('is not sent: prices stay unsent, and are sent by the same job once it is accepted', async () => {
    const file = await described('SetPriceShopItem', 'Price', 'OldPrice')
    const saved = await check(file)
    expect(saved.code, saved.stderr).to.equal(EXIT.validation)
    expect(saved.stderr).to.include('--accept')
    const run = await home.seller('shop:price', `${ids[0]}=110`, `${ids[1]}=210`, '--yes', '--json')
    expect([run.code, run.json().error.code], run.stdout).to.deep.equal([EXIT.usage, 'operation_changed'])
    expect(run.json().error.message).to.include('"OldPrice"')
    expect(sent()).to.deep.equal([])
    expect(await pricesOf(home, ids)).to.deep.equal([100, 200])

    const unknown = await check(file, '--accept', 'AddItem', '--json')
    expect([unknown.code, unknown.json().error.code]).to.deep.equal([EXIT.usage, 'wrong_usage'])
    const accepted = await check(file, '--accept', 'SetPriceOnShopItems')
    expect(accepted.code, accepted.stderr).to.equal(EXIT.ok)
    expect((await check(file)).code, 'what was accepted stays so').to.equal(EXIT.ok)
    expect((await home.seller('service:check', '--file', file)).code, 'each night').to.equal(EXIT.ok)
    // Another version has other words, and version 0.3 had no facts beside them.
    rewrite(home, (each) => ({ ...each, Message: 'In other words.' }))
    expect((await check(file)).code, 'in other words').to.equal(EXIT.ok)
    rewrite(home, ({ Operation, Stops, Field, Message }) => ({ Operation, Stops, Field, Message }))
    expect((await check(file)).code, 'saved by version 0.3').to.equal(EXIT.ok)
    await home.done('jobs:resume', '--wait')
    expect(await pricesOf(home, ids)).to.deep.equal([110, 210])

    const another = await check(await described('SetPriceShopItem', 'Price', 'NewPrice'))
    expect(another.code, 'it breaks by something else').to.equal(EXIT.validation)
  })

  for (const [what, owner, field, other, commands] of [
    [
      'names a price otherwise',
      'Item',
      'BuyItNowPrice',
      'OldPrice',
      [['items:list'], ['shop:price', '--all', '--set', '150', '--yes']],
    ],
    ['has no own references', 'Item', 'OwnReferences', undefined, [['items:list'], ['shop:export']]],
    ['has no number of pieces', 'Item', 'RemainingQuantity', undefined, [['shop:stock', '--all', '--set', '5', '--yes']]],
  ] as const)
    it(`is not sent where the reply ${what}, until it is accepted`, async () => {
      const file = await described(owner, field, other)
      expect((await check(file)).code).to.equal(EXIT.validation)
      for (const command of commands) {
        const run = await home.seller(...command, '--json')
        expect([run.code, run.json().error?.code], `${command}: ${run.stdout}`).to.deep.equal([EXIT.usage, 'operation_changed'])
        expect(run.json().error.message, command[0]).to.include(field)
      }
      expect(home.calls()).to.deep.equal([])
      expect((await check(file, '--accept', 'GetSellerItems', '--accept', 'GetItem')).code).to.equal(EXIT.ok)
      const run = await home.seller('items:list', '--json')
      expect([run.code, run.json().length > 2], run.stderr).to.deep.equal([EXIT.ok, true])
    })

  it('is sent where the reply lacks a field that nothing is concluded from', async () => {
    expect((await check(await described('Item', 'ThumbnailLink'))).code).to.equal(EXIT.ok)
    expect((await home.seller('items:list', '--json')).code).to.equal(EXIT.ok)
  })

  it('is sent without an optional field that the service does not know, which is not a break; it is refused with it', async () => {
    const file = await described('ItemRequest', 'CampaignCode')
    expect((await check(file)).code).to.equal(EXIT.ok)
    const item = ['itemRequest.Title=Vas', 'itemRequest.CategoryId=344481', 'itemRequest.Duration=7', 'itemRequest.Restarts=0']
    const more = ['StartPrice=10', 'ReservePrice=0', 'BuyItNowPrice=0', 'AcceptedBidderId=1', 'ItemType=1', 'AutoCommit=true']
    const add = ['call', 'AddItem', ...item, ...more.map((each) => `itemRequest.${each}`)]
    const given = await home.seller(...add, 'itemRequest.CampaignCode=HOST', '--json')
    expect([given.code, given.json().error?.code], given.stdout).to.deep.equal([EXIT.usage, 'operation_changed'])
    expect(sent()).to.deep.equal([])
    const without = await home.seller(...add)
    expect([without.code, sent()], without.stderr).to.deep.equal([EXIT.ok, ['AddItem']])
  })

  it('says of an older edition that an option is meant, where a provider of shipping is given', async () => {
    expect((await check(await described('ItemShipping', 'ShippingProviderId'))).code).to.equal(EXIT.ok)
    for (const [command, shipping] of [
      ['items:add', 'provider=12,cost=59'],
      ['shop:add', 'provider=12'],
    ] as const) {
      const args = [command, '--title', 'Vas', '--category', '344481', '--condition', 'used', '--shipping', shipping]
      const run = await home.seller(...args, command === 'shop:add' ? '--price' : '--opening', '10', '--json')
      expect([run.code, run.json().error?.code], run.stdout).to.deep.equal([EXIT.usage, 'operation_changed'])
      expect(run.json().error.hint).to.include('option=12 is meant, and not provider=12')
      await home.done(
        ...args.map((arg) => arg.replace('provider', 'option')),
        ...(command === 'shop:add' ? ['--price', '10'] : ['--opening', '10']),
      )
    }
    expect(sent()).to.deep.equal(['AddItem', 'AddShopItem'])
    const flags = ['--category', '344481', '--condition', 'used', '--description', 'x', '--payment', '4096', '--price', '9']
    const person = ask(home, ['shop:add', ...flags, '--quantity', '1'])
    await person.answers('Title', 'Fat')
    await person.sees('Shipping')
    await person.types('another')
    expect(await person.sees('Another option, by its id')).to.not.include('No shipping')
    await person.stops()
    const listed = await home.seller('reference:shipping', '--json')
    expect(listed.stdout + listed.stderr).to.not.include('undefined')
  })

  it('is sent where the field that changed is not given', async () => {
    expect((await check(await described('ShopItemData', 'Title', 'Heading'))).code).to.equal(EXIT.validation)
    const refused = await home.seller('shop:update', String(ids[0]), '--title', 'Annan', '--yes', '--json')
    expect([refused.code, refused.json().error.code], refused.stdout).to.deep.equal([EXIT.usage, 'operation_changed'])
    await home.done('shop:update', String(ids[0]), '--reference', 'R9', '--yes', '--json')
    expect(sent()).to.deep.equal(['UpdateShopItem'])
  })
})
