import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { FaultInjector } from '../../src/sandbox/server/fault-injection.js'
import { controlSandbox } from '../control-sandbox.js'
import { opened } from '../opened.js'
import { type Home, openHome, words } from './harness.js'
import { type ObservedHome, openObserved, PIXEL } from './observed.js'
import { ask } from './person.js'
import { stock } from './shop.js'

const ADD = ['items:add', '--category', '344481', '--opening', '10', '--shipping', 'pickup', '--wait', '--json', '--title']

async function openExtended(): Promise<ObservedHome> {
  const home = await openObserved({ faults: { queueDelayMs: 0 }, extended: true, described: true })
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
  const home = opened(openObserved)

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
    const run = await home.seller('call', 'EndItem', 'itemId=1', '--yes', '--json')
    expect(run.code).to.not.equal(EXIT.ok)
    const wsdl = await (await fetch(`${home.sandbox.url}/v3/RestrictedService.asmx?WSDL`)).text()
    expect(wsdl).to.include('AddItemCommit').and.not.include('EndItem')
    const page = await (await fetch(`${home.sandbox.url}/v3/RestrictedService.asmx?op=EndItem`)).text()
    expect(page).to.include('No such operation')
  })
})

describe('the sandbox inside the command', () => {
  const home = opened(openHome)

  it('offers what not every service has, with nothing saved and after a save', async () => {
    const sandbox = ['--profile', 'sandbox']
    const [item] = (
      await home.seller('items:list', '--type', 'shop', '--state', 'active', '--json', '--limit', '1', ...sandbox)
    ).json()
    await home.done('shop:stock', `${item.Id}=${item.RemainingQuantity + 3}`, '--yes', '--json', ...sandbox)
    const shown = (await home.seller('items:show', String(item.Id), '--json', ...sandbox)).json()
    expect(shown.RemainingQuantity).to.equal(item.RemainingQuantity + 3)
    await home.done('service:check', '--save', ...sandbox)
    await home.done(
      'shop:update',
      String(item.Id),
      '--title',
      'Ny mugg',
      '--allow',
      'max_shortened',
      '--yes',
      '--wait',
      '--json',
      ...sandbox,
    )
  })
})

describe('items:end', () => {
  const home = opened(openExtended)

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

  it('is asked about by call too, before anything is sent', async () => {
    const item = await addAuction(home, 'Kvast')
    home.calls()
    for (const more of [[], ['--raw']]) {
      const run = await home.seller('call', 'EndItem', `itemId=${item}`, ...more, '--json')
      expect([run.code, run.json().error.message]).to.deep.equal([
        EXIT.held,
        `End item ${item} now? It cannot be undone. Not confirmed; nothing was done.`,
      ])
    }
    const person = ask(home, ['call', 'EndItem', `itemId=${item}`])
    await person.sees(`End item ${item} now? It cannot be undone.`)
    await person.enters('n')
    expect((await person.done).code).to.equal(EXIT.held)
    expect(home.calls()).to.deep.equal([])
    const ended = await home.seller('call', 'EndItem', `itemId=${item}`, '--yes', '--json')
    expect(ended.json()).to.deep.equal({ EndItemResult: true })
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
  const home = opened(openExtended)
  let ids: number[]
  before(async () => {
    ids = await stock(home, [100, 200, 300])
  })
  const show = async (id: number | undefined) => (await home.seller('items:show', String(id), '--json')).json()

  it('hide items until a date, in one call, and say which were refused', async () => {
    home.calls()
    const run = await home.seller(...words`shop:activate ${ids[0]} ${ids[1]} 1 --at 2099-12-01T08:00Z --yes --wait --json`)
    expect(run.code, run.stderr).to.equal(EXIT.ok)
    expect(run.stderr).to.include('no live shop item has id 1')
    expect(home.calls().filter((name) => name === 'SetActivateDateOnShopItems')).to.have.length(1)
    expect([run.json().Counts.ok, run.json().Counts.skipped]).to.deep.equal([2, 1])
    expect(Date.parse((await show(ids[0])).StartDate)).to.equal(Date.parse('2099-12-01T08:00:00Z'))
    const unasked = await home.seller('shop:activate', String(ids[0]), '--at', '2099-12-02', '--json')
    expect([unasked.code, unasked.json().error.code]).to.deep.equal([EXIT.held, 'confirmation_missing'])
    // The two looks, and then every attempt of the one call.
    const seed = String(seedOf('served', 'served', ...Array<string>(5).fill('dropped after')))
    await controlSandbox(home.sandbox.url, 'faults', { 'drop-after': '50%', seed })
    const lost = await home.seller('shop:activate', ...ids.slice(0, 2).map(String), '--at', '2099-12-03', '--yes', '--json')
    await controlSandbox(home.sandbox.url, 'faults', { 'drop-after': '0%' })
    expect(lost.json().error?.code, lost.stdout + lost.stderr).to.equal('connection_lost')
    const resumed = await home.seller('jobs:resume', String(lost.json().error.jobId), '--wait', '--json')
    expect([resumed.code, resumed.json().Counts.ok], resumed.stderr).to.deep.equal([EXIT.ok, 2])
    expect(Date.parse((await show(ids[1])).StartDate)).to.equal(Date.parse('2099-12-03T00:00:00+01:00'))
    const past = await home.seller('shop:activate', String(ids[2]), '--at', '2020-01-01', '--json')
    expect([past.code, past.json().error.code]).to.deep.equal([EXIT.validation, 'invalid_input'])
  })

  it('change the fields that are given, and no other', async () => {
    const before = await show(ids[2])
    const file = await home.file('change.yaml', 'ShippingCondition: Skickas inom en vecka\nTitle: Fel\n')
    const image = await home.file('a.png', PIXEL.png)
    const run = await home.done(
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
        '--yes',
        '--wait',
        '--json',
      ],
    )
    expect(run.json()).to.include({ Kind: 'update', State: 'ok' })
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
    const shown = dry.json().Rows.map(({ Field, Wanted }: Record<string, unknown>) => [Field, Wanted])
    const png = { Name: 'b.png', Format: 'Png', Bytes: PIXEL.png.length }
    expect(shown).to.deep.equal([
      ['Title', 'Fat'],
      ['ItemImages', [false, true].map((HasMega) => ({ ...png, HasMega }))],
    ])
    expect(home.calls()).to.deep.equal(['GetItem'])
  })
})

describe('shop:stock', () => {
  const home = opened(openExtended)
  let ids: number[]
  let shelf = ''
  let shops = 0
  beforeEach(async () => {
    shelf = `lager${++shops}`
    ids = await stock(home, [100, 200, 300], { reference: (at) => `${shelf}-${at}` })
    home.calls()
  })

  const left = async () => {
    const items: { Id: number; RemainingQuantity: number }[] = (
      await home.seller('items:list', '--type', 'shop', '--columns', 'Id,RemainingQuantity', '--json')
    ).json()
    return ids.map((id) => items.find(({ Id }) => Id === id)?.RemainingQuantity)
  }

  it('sets many by a rule, 500 by one call', async () => {
    await controlSandbox(home.sandbox.url, 'faults', { 'max-items': '2' })
    await home.done('shop:stock', '--reference', `${shelf}-*`, '--add', '-1000', '--yes', '--json')
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
    await home.done('jobs:resume', String(job.JobId), '--json')
    expect(await left()).to.deep.equal([5, 6, before[2]])
  })
})
