import { join } from 'node:path'
import { expect } from 'chai'
import { createBulkJob } from '../../src/jobs/bulk/index.js'
import { openLedger } from '../../src/jobs/index.js'
import { systemClock } from '../../src/soap/client/index.js'
import { opened } from '../opened.js'
import { CATEGORY, openObserved } from './observed.js'
import { ask } from './person.js'

interface ItemLike {
  Id: number
  OpeningBid: number
  ReservePrice: number | null
}

describe('items:price', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 } }))

  /** A new auction of the seller's. */
  async function auction(...flags: string[]): Promise<number> {
    const add = ['items:add', '--title', 'Vas', '--category', CATEGORY, '--opening', '100', '--shipping', 'pickup', '--json']
    const { ItemId } = (await home.seller(...add, ...flags)).json()
    // Anything that is due is carried out at the next call.
    await live(ItemId)
    home.calls()
    return ItemId
  }

  const live = async (id: number): Promise<ItemLike> => (await home.seller('call', 'GetItem', `itemId=${id}`)).json()

  it('asks for the opening price, and takes a yes, --accept fees or as much as the fee for it', async () => {
    const person = ask(home, ['items:price', String(await auction())])
    await person.answers('Opening price', '95')
    await person.answers('100 kr to 95 kr. Set it?', 'y')
    expect((await person.done).code).to.equal(0)
    for (const [flags, code] of [
      [['--accept', 'fees=39'], 6],
      [['--accept', 'fees=40'], 0],
      [['--yes'], 0],
    ] as const) {
      const run = await home.seller(
        'items:price',
        String(await auction()),
        '--opening',
        '100',
        '--reserve',
        '150',
        ...flags,
        '--json',
      )
      expect(run.code, flags.join(' ') + run.stdout).to.equal(code)
      if (code === 6)
        expect(run.json().error.message).to.include('A new reserve price of 150 kr costs 40 kr and cannot be removed later.')
    }
  })

  for (const [what, args, word] of [
    ['a tenth or less', ['--opening', '1'], 'OpeningPrice: 1 kr is a tenth or less of the current 100 kr'],
    ['ten times or more', ['--opening', '1000', '--buy-now', 'none'], 'OpeningPrice: 1 000 kr is ten times'],
    ['more than 50 %', ['--opening', '151'], '100 kr to 151 kr'],
    ['a buy-now price that lost a zero', ['--opening', '100', '--buy-now', '101'], 'BinPrice: 900 kr to 101 kr is -88.8 %'],
    ['a price below min_price', ['--opening', '90', '--allow', 'min_price=95'], 'below the minimum of 95 kr'],
  ] as const) {
    it(`holds ${what}, exit 6, though --yes is given, and sends nothing`, async () => {
      const id = await auction('--buy-now', '900')
      const run = await home.seller('items:price', String(id), ...args, '--yes', '--json')
      expect([run.code, run.json().error.code]).to.deep.equal([6, 'price_held'])
      expect(run.json().error.message).to.include(word)
      const dry = await home.done('items:price', String(id), ...args, '--dry-run', '--json')
      expect(dry.stderr).to.include(word)
      expect(home.calls()).to.deep.equal(['GetItem', 'GetItem'])
    })
  }

  it('sets a price that wider limits let through', async () => {
    const id = await auction()
    await home.done('items:price', String(id), '--opening', '180', '--allow', 'max_change=80%')
    await home.done('items:price', String(id), '--opening', '1', '--allow', 'max_change', '--allow', 'factor_ten')
    expect((await live(id)).OpeningBid).to.equal(1)
  })

  it('holds a price that small steps have moved too far in 14 days, in a file and alone, and lets it go back', async () => {
    const id = await auction()
    const many = (opening: number, ...flags: string[]) =>
      home.run(['items:price', '--file', '-', '--yes', '--json', ...flags], { stdin: `Id,OpeningPrice\n${id},${opening}\n` })
    expect((await many(140)).code).to.equal(0)
    const held = await many(190)
    expect([held.code, held.json().Counts.held], held.stderr).to.deep.equal([6, 1])
    expect(held.stderr).to.include('190 kr is +90 % from 100 kr, its first price in 14 days')
    const alone = await home.seller('items:price', String(id), '--opening', '190', '--json')
    expect([alone.code, alone.json().error.code]).to.deep.equal([6, 'price_held'])
    expect(alone.json().error.hint).to.include('--allow max_drift=PERCENT')
    expect((await live(id)).OpeningBid).to.equal(140)
    expect((await many(190, '--allow', 'max_drift')).code).to.equal(0)
    expect((await home.seller('items:price', String(id), '--opening', '100')).code, 'back to the first').to.equal(0)
    expect((await live(id)).OpeningBid).to.equal(100)
  })

  it('does not set a price that a stopped job may set otherwise, until that job is given up', async () => {
    const id = await auction()
    const store = openLedger(join(home.dataDir, 'ledger.db'), systemClock)
    const payload = { OpeningPrice: 110, ReservedPrice: null, BinPrice: null }
    const rows = [{ line: 2, id, payload, oldPayload: { ...payload, OpeningPrice: 100 } }]
    const form = { kind: 'arguments', columns: ['Id', 'OpeningPrice'] } as const
    const { JobId } = createBulkJob(store, { kind: 'auction-price', profile: 'default', userId: 1001, title: 't', form, rows })
    store.store.run('UPDATE bulk_states SET states = ?, unsent = 0, sending = 1 WHERE job_id = ?', new Uint8Array([1]), JobId)
    store.close()
    const held = await home.seller('items:price', String(id), '--opening', '120', '--json')
    expect([held.code, held.json().error.code]).to.deep.equal([6, 'price_held'])
    expect(held.json().error.message).to.include(`job ${JobId} was sending 110 kr when it was stopped`)
    expect(held.json().error.hint).to.include('jobs:drop')
    expect(home.calls()).to.not.include('SetPricesOnNonShopItems')
    expect((await home.seller('jobs:drop', String(JobId), '--yes')).code).to.equal(0)
    expect((await home.seller('items:price', String(id), '--opening', '120')).code).to.equal(0)
  })

  it('asks a person about the fee', async () => {
    const id = await auction()
    const person = ask(home, ['items:price', String(id), '--opening', '100', '--reserve', '300'])
    await person.answers('40 kr', 'y')
    const { code, stderr } = await person.done
    expect(code, stderr).to.equal(0)
    expect((await live(id)).ReservePrice).to.equal(300)
  })
})
