import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { FaultInjector } from '../../src/sandbox/server/fault-injection.js'
import { controlSandbox } from '../control-sandbox.js'
import { type Home, openHome } from './harness.js'
import { type ObservedHome, openObserved, PIXEL } from './observed.js'
import { ask } from './person.js'
import { stock } from './shop.js'

const ADD = ['items:add', '--category', '344481', '--start-price', '10', '--shipping', 'pickup', '--wait', '--json', '--title']

async function openExtended(): Promise<ObservedHome> {
  const home = await openObserved({ faults: { queueDelayMs: 0 }, extended: true })
  await home.seller('service:check', '--save')
  home.calls()
  return home
}

/**
 * Finds a seed of the fault injection with which the next calls end like this, if half of them are dropped after they are carried
 * out.
 */
function seedOf(...endings: string[]): number {
  for (let seed = 1; ; seed++) {
    const station = new FaultInjector({ dropAfter: 0.5, seed })
    if (endings.every((ending) => station.next().ending === ending)) return seed
  }
}

const addAuction = async (home: Home, title: string): Promise<number> => (await home.seller(...ADD, title)).json().ItemId

describe('a command whose operation the service may not have', () => {
  let home: ObservedHome
  before(async () => {
    home = await openObserved()
  })
  after(() => home.close())

  for (const line of [
    'items:end 1 --yes',
    'shop:update 1 --title Mugg',
    'shop:activate 1 --at 2099-01-01',
    'shop:stock 1=5',
    'transactions:mark 1 --paid',
  ]) {
    it(`${line}: says so before anything is sent, without a description and with one that lacks it`, async () => {
      const without = await home.seller(...line.split(' '), '--json')
      expect([without.code, without.json().error.code]).to.deep.equal([EXIT.usage, 'operation_not_offered'])
      expect(without.json().error.hint).to.include('service:check --save')
      await home.seller('service:check', '--save')
      home.calls()
      const lacking = await home.seller(...line.split(' '), '--json')
      expect([lacking.code, lacking.json().error.code]).to.deep.equal([EXIT.usage, 'operation_not_offered'])
      expect(lacking.json().error.message).to.include('does not have it')
      expect(home.calls()).to.deep.equal([])
    })
  }

  it('is not served by a sandbox that was not asked to', async () => {
    const run = await home.seller('call', 'EndItem', 'itemId=1', '--json')
    expect(run.code).to.not.equal(EXIT.ok)
    const wsdl = await (await fetch(`${home.sandbox.url}/v3/RestrictedService.asmx?WSDL`)).text()
    expect(wsdl).to.include('AddItemCommit').and.not.include('EndItem')
    const page = await (await fetch(`${home.sandbox.url}/v3/RestrictedService.asmx?op=EndItem`)).text()
    expect(page).to.include('No such operation')
  })
})

describe('the sandbox inside the command', () => {
  let home: Home
  before(async () => {
    home = await openHome()
  })
  after(() => home.close())

  it('offers what not every service has, with nothing saved and after a save', async () => {
    const sandbox = ['--profile', 'sandbox']
    const [item] = (
      await home.seller('items:list', '--type', 'shop', '--state', 'active', '--json', '--limit', '1', ...sandbox)
    ).json()
    const stocked = await home.seller('shop:stock', `${item.Id}=${item.RemainingQuantity + 3}`, '--yes', '--json', ...sandbox)
    expect(stocked.code, stocked.stderr + stocked.stdout).to.equal(EXIT.ok)
    const shown = (await home.seller('items:show', String(item.Id), '--json', ...sandbox)).json()
    expect(shown.RemainingQuantity).to.equal(item.RemainingQuantity + 3)
    const checked = await home.seller('service:check', '--save', ...sandbox)
    expect(checked.code, checked.stderr).to.equal(EXIT.ok)
    const updated = await home.seller('shop:update', String(item.Id), '--title', 'Ny mugg', '--wait', '--json', ...sandbox)
    expect(updated.code, updated.stderr + updated.stdout).to.equal(EXIT.ok)
  })
})

describe('items:end', () => {
  let home: ObservedHome
  before(async () => {
    home = await openExtended()
  })
  after(() => home.close())

  it('asks a person, by its title where it is one, and looks again where the service did not end it', async () => {
    const [one, two] = [await addAuction(home, 'Tratt'), await addAuction(home, 'Sil')]
    for (const [ids, question] of [
      [[one], `End item ${one} "Tratt" now? It cannot be undone.`],
      [[one, two], 'End 2 items now? It cannot be undone.'],
    ] as const) {
      const person = ask(home, ['items:end', ...ids.map(String)])
      await person.sees(question)
      await person.enters('n')
      expect((await person.done).code).to.equal(EXIT.held)
    }
    home.calls()
    await controlSandbox(home.sandbox.url, 'faults', { latency: '400ms..400ms' })
    const running = home.seller('items:end', String(one), '--yes', '--json')
    const seen: string[] = []
    while (!seen.includes('GetItem')) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      seen.push(...home.calls())
    }
    await controlSandbox(home.sandbox.url, 'bid', { itemId: one, amount: 50 })
    const refused = await running
    await controlSandbox(home.sandbox.url, 'faults', { latency: '0ms..0ms' })
    expect([refused.code, refused.json()[0]], refused.stderr).to.deep.equal([
      EXIT.validation,
      { ItemId: one, Title: 'Tratt', Ended: false, Reason: 'it has bids (1)' },
    ])
  })

  it('looks again where the reply was lost, and says that it is ended', async () => {
    const item = await addAuction(home, 'Lykta')
    home.calls()
    await controlSandbox(home.sandbox.url, 'faults', {
      'drop-after': '50%',
      seed: String(seedOf('served', 'dropped after', 'served', 'served')),
    })
    const run = await home.seller('items:end', String(item), '--yes', '--json')
    await controlSandbox(home.sandbox.url, 'faults', { 'drop-after': '0%' })
    expect([run.code, run.json()[0]?.Ended], run.stdout + run.stderr).to.deep.equal([EXIT.ok, true])
    expect(home.calls()).to.deep.equal(['GetItem', 'EndItem', 'EndItem', 'GetItem'])
  })
})

describe('shop:activate and shop:update', () => {
  let home: ObservedHome
  let ids: number[]
  before(async () => {
    home = await openExtended()
    ids = await stock(home, [100, 200, 300])
  })
  after(() => home.close())
  const show = async (id: number | undefined) => (await home.seller('items:show', String(id), '--json')).json()

  it('hide items until a date, in one call, and say which were refused', async () => {
    home.calls()
    const run = await home.seller(
      'shop:activate',
      String(ids[0]),
      String(ids[1]),
      '1',
      '--at',
      '2099-12-01T08:00Z',
      '--wait',
      '--json',
    )
    expect(run.code, run.stderr).to.equal(EXIT.validation)
    expect(run.stderr).to.include('Shop item 1:')
    expect(home.calls().filter((name) => name === 'SetActivateDateOnShopItems')).to.have.length(1)
    expect(run.json().map(({ State }: { State: string }) => State)).to.deep.equal(['ok', 'ok', 'refused'])
    expect(Date.parse((await show(ids[0])).StartDate)).to.equal(Date.parse('2099-12-01T08:00:00Z'))
    const many = Array.from({ length: 501 }, (_, at) => String(at + 1))
    const some = await home.seller('shop:activate', ...many, '--at', '2099-12-01', '--json')
    expect([some.code, some.json().length]).to.deep.equal([EXIT.validation, 501])
    expect(
      home.calls().filter((name) => name === 'SetActivateDateOnShopItems'),
      '500 in a call',
    ).to.have.length(2)
    await controlSandbox(home.sandbox.url, 'faults', { 'drop-after': '100%' })
    const lost = await home.seller('shop:activate', ...ids.slice(0, 2).map(String), '--at', '2099-12-01', '--json')
    await controlSandbox(home.sandbox.url, 'faults', { 'drop-after': '0%' })
    expect(lost.json().error.code, 'safe to run again').to.equal('connection_lost')
    const kept = (await home.seller('requests:list', '--limit', '2', '--json')).json()
    expect(kept.map(({ Subject, State }: Record<string, string>) => [Subject, State])).to.have.deep.members(
      ids.slice(0, 2).map((id) => [`item ${id}`, 'unknown']),
    )
    const past = await home.seller('shop:activate', String(ids[2]), '--at', '2020-01-01', '--json')
    expect([past.code, past.json().error.code]).to.deep.equal([EXIT.validation, 'invalid_input'])
  })

  it('change the fields that are given, and no other', async () => {
    const before = await show(ids[2])
    const file = await home.file('change.yaml', 'ShippingCondition: Skickas inom en vecka\nTitle: Fel\n')
    const image = await home.file('a.png', PIXEL.png)
    const run = await home.seller(
      ...[
        'shop:update',
        String(ids[2]),
        '--file',
        file,
        '--title',
        'Kopp, blå',
        '--quantity',
        '7',
        '--reference',
        'kopp-7',
        '--reference',
        'hylla-2',
        '--image',
        image,
        '--wait',
        '--json',
      ],
    )
    expect(run.code, run.stderr).to.equal(EXIT.ok)
    expect(run.json()).to.include({ Operation: 'UpdateShopItem', ItemId: ids[2], State: 'ok' })
    const after = await show(ids[2])
    expect(after).to.include({
      ShortDescription: 'Kopp, blå',
      ShippingCondition: 'Skickas inom en vecka',
      RemainingQuantity: 7,
      BuyItNowPrice: before.BuyItNowPrice,
      CategoryId: before.CategoryId,
      LongDescription: before.LongDescription,
    })
    expect(after.OwnReferences).to.deep.equal(['kopp-7', 'hylla-2'])
    expect(after.ImageLinks).to.have.length(1)
  })

  it('take 40 images at most, and show each in a dry run, before anything is sent', async () => {
    home.calls()
    const image = await home.file('b.png', PIXEL.png)
    const images = Array(41).fill(['--image', image]).flat()
    const refused = await home.seller('shop:update', String(ids[2]), ...images, '--json')
    expect(refused.json().error.message).to.include('--image').and.include('must be at most 40 images')
    const given = ['--title', 'Fat', '--image', image, '--mega-image', image]
    const dry = await home.seller('shop:update', String(ids[2]), ...given, '--dry-run', '--json')
    const file1 = { File: 'b.png', Format: 'Png', Bytes: PIXEL.png.length }
    expect(dry.json()).to.deep.equal({
      Operation: 'UpdateShopItem',
      Request: { ItemId: ids[2], Title: 'Fat' },
      Images: [false, true].map((HasMega) => ({ ...file1, HasMega })),
      CampaignCode: null,
      Calls: ['UpdateShopItem'],
    })
    expect(home.calls()).to.deep.equal([])
  })
})

describe('shop:stock', () => {
  let home: ObservedHome
  let ids: number[]
  let shelf = ''
  let shops = 0
  before(async () => {
    home = await openExtended()
  })
  beforeEach(async () => {
    shelf = `lager${++shops}`
    ids = await stock(home, [100, 200, 300], { reference: (at) => `${shelf}-${at}` })
    home.calls()
  })
  after(() => home.close())

  const left = async () => {
    const items: { Id: number; RemainingQuantity: number }[] = (
      await home.seller('items:list', '--type', 'shop', '--columns', 'Id,RemainingQuantity', '--json')
    ).json()
    return ids.map((id) => items.find(({ Id }) => Id === id)?.RemainingQuantity)
  }

  it('sets many by a rule, 500 by one call', async () => {
    await controlSandbox(home.sandbox.url, 'faults', { 'max-items': '2' })
    const run = await home.seller('shop:stock', '--reference', `${shelf}-*`, '--add', '-1000', '--yes', '--json')
    expect(run.code, run.stderr).to.equal(EXIT.ok)
    expect(await left()).to.deep.equal([0, 0, 0])
    await controlSandbox(home.sandbox.url, 'faults', { 'max-items': '500' })
  })

  it('goes on after a break, sets nothing twice wrong, and counts on what was live', async () => {
    const before = await left()
    await controlSandbox(home.sandbox.url, 'faults', { unavailable: '100%' })
    const plan = ['shop:stock', `${ids[0]}=5`, `${ids[1]}=6`, '--yes', '--json']
    expect((await home.seller(...plan)).code).to.equal(EXIT.failure)
    await controlSandbox(home.sandbox.url, 'faults', { unavailable: '0%' })
    const stopped = await home.seller(...plan.slice(0, 3), '--yes', '--max-calls', '1', '--json')
    expect(stopped.code).to.equal(EXIT.quota)
    expect(await left()).to.deep.equal(before)
    const [job] = (await home.seller('jobs:list', '--limit', '1', '--json')).json()
    const resumed = await home.seller('jobs:resume', String(job.JobId), '--json')
    expect(resumed.code, resumed.stderr).to.equal(EXIT.ok)
    expect(await left()).to.deep.equal([5, 6, before[2]])
  })
})
