/**
 * shop:sync of every field against a sandbox over real HTTP: what is sent, held, checked, taken back, and brought back by its
 * date.
 */
import { join } from 'node:path'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import type { Run } from './harness.js'
import { CATEGORY, type ObservedHome, openObserved } from './observed.js'
import { setFaults, stock } from './shop.js'

/** A row of a catalogue as JSON gives it. */
type Row = Readonly<Record<string, unknown>>

/** A live item with what the catalogue can change. */
interface Live {
  readonly Id: number
  readonly [field: string]: unknown
}

const HTML = '<p>En mugg av stengods, drejad för hand, med blå glasyr. Diskas för hand.</p>'
const WAYS = [{ ShippingProviderId: 2, Cost: 59, ShippingWeight: 1, ShippingProductId: 21 }]

/** A text that was emptied and one that was never there are the same to a buyer. */
const withoutEmpty = (item: Live) =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== '')) as unknown as Live

describe('shop:sync of fields', function () {
  this.timeout(120_000)
  let home: ObservedHome
  let ids: number[]
  const open = async (count: number): Promise<void> => {
    home = await openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true, extended: true, described: true })
    // The seeded items of the seller would be in every comparison.
    const store = openStore(join(home.dir, 'server.db'), 'process')
    store.exec('UPDATE items SET ends = starts')
    store.close()
    ids = await stock(home, Array<number>(count).fill(100), { reference: (at) => `R${at}` })
    home.calls()
  }
  afterEach(() => home.close())
  const sync = async (rows: readonly Row[], ...args: string[]): Promise<Run> => {
    const file = await home.file('catalogue.json', JSON.stringify(rows))
    return home.seller('shop:sync', '--file', file, '--json', ...args)
  }
  const live = async (): Promise<Map<number, Live>> => {
    const run = await home.seller('items:list', '--type', 'shop', '--state', 'active', '--json')
    return new Map((run.json() as Live[]).map((item) => [item.Id, withoutEmpty(item)]))
  }
  const fieldsOf = async (id: number | undefined): Promise<Live | undefined> => (await live()).get(id ?? 0)

  it('sets every field that UpdateShopItem knows, compares alike then, and takes all of it back', async () => {
    await open(2)
    const before = await fieldsOf(ids[0])
    const row = {
      OwnReferences: ['R0', 'hylla 7'],
      Title: 'Mugg, blå',
      Description: HTML,
      CategoryId: Number(CATEGORY),
      VAT: 12,
      PaymentOptionIds: [4096, 16],
      ShippingOptions: WAYS,
      ItemAttributes: [1],
      ShippingCondition: 'Skickas måndagar.',
      PaymentCondition: 'Inom tre dagar.',
      AcceptedBuyerId: 3,
    }
    const dry = await sync([row], '--dry-run')
    expect(dry.code, dry.stdout).to.equal(EXIT.ok)
    const planned = dry.json().Rows.map(({ Action, Field, State }: Row) => [Action, Field, State])
    const changed = Object.keys(row).filter((field) => field !== 'OwnReferences' && field !== 'CategoryId')
    expect(planned).to.have.deep.members([...changed, 'OwnReferences'].map((field) => ['update', field, 'change']))
    const run = await sync([row], '--yes', '--wait')
    expect(run.code, run.stderr).to.equal(EXIT.ok)
    expect(run.json()).to.deep.include({ State: 'ok', Updated: 1, Unchanged: 0, ByHand: [] })
    expect(await fieldsOf(ids[0])).to.deep.include({
      ShortDescription: 'Mugg, blå',
      LongDescription: HTML,
      VAT: 12,
      AcceptedBuyerId: 3,
    })
    expect((await sync([row], '--yes', '--wait')).json()).to.deep.include({ JobId: null, Unchanged: 1 })

    const [part] = run.json().Parts
    const undone = await home.seller('jobs:undo', String(part.JobId), '--yes', '--wait', '--verify', '--json')
    // Before there were no payments, ways of shipping and attributes: the service takes an empty list for nothing said.
    expect(undone.code, undone.stderr).to.equal(EXIT.ok)
    expect(undone.stderr).to.include('the service cannot empty it').and.to.include(' of 1 item')
    const after = { ...(await fieldsOf(ids[0])) }
    expect(after).to.deep.include({ ShortDescription: 'Vara 0', OwnReferences: ['R0'], AcceptedBuyerId: 1 })
    const kept = [
      'PaymentOptions',
      'PaymentTypeId',
      'ExternalPayment',
      'ShippingOptions',
      'AcceptsPickup',
      'ItemAttributes',
      'VAT',
    ]
    for (const field of kept) delete after[field]
    expect({ ...before, ...after }).to.deep.equal(before)
  })

  it('holds texts that are emptied or cut short and items that change branch, and lets them pass by their flags', async () => {
    await open(3)
    const long = { Description: HTML }
    const first = await sync(
      ['R0', 'R1', 'R2'].map((OwnReferences) => ({ OwnReferences, ...long })),
      '--yes',
      '--wait',
    )
    expect(first.code, first.stderr).to.equal(EXIT.ok)
    const rows = [
      { OwnReferences: 'R0', Description: '<p>&nbsp;</p>' },
      { OwnReferences: 'R1', Description: 'En mugg' },
      { OwnReferences: 'R2', CategoryId: 161213 },
    ]
    const held = await sync(rows, '--yes', '--wait')
    expect(held.code, held.stderr).to.equal(EXIT.held)
    expect(held.json().Counts).to.include({ ok: 0, held: 3 })
    const codes = (await sync(rows, '--dry-run')).json().Rows.map(({ Field, State, Code }: Row) => [Field, State, Code])
    expect(codes).to.deep.equal([
      ['Description', 'held', 'emptied_text'],
      ['Description', 'held', 'max_shortened'],
      ['CategoryId', 'held', 'other_branch'],
    ])
    const flags = ['--allow', 'emptied_text', '--allow', 'max_shortened', '--allow', 'other_branch']
    expect((await sync(rows, '--yes', '--wait', ...flags)).json()).to.deep.include({ State: 'ok', Updated: 3 })
  })

  it('sends nothing where many titles change, are those of other items, or become one', async () => {
    await open(12)
    const titled = (title: (at: number) => string) => ids.map((_, at) => ({ OwnReferences: `R${at}`, Title: title(at) }))
    const limit = async (rows: readonly Row[]) => {
      const run = await sync(rows, '--yes')
      expect(run.code, run.stderr).to.equal(EXIT.held)
      return run.json().error.limit
    }
    expect(await limit(titled((at) => `Vara ${(at + 1) % 12}`))).to.equal('titles_moved')
    expect(await limit(titled(() => 'Mugg'))).to.equal('max_same_title')
    expect(await limit(titled((at) => `Ny titel ${at}`))).to.equal('max_titles')
    expect(home.calls().filter((name) => name === 'UpdateShopItem')).to.deep.equal([])
    const run = await sync(
      titled((at) => `Ny titel ${at}`),
      '--yes',
      '--wait',
      '--allow',
      'max_titles',
    )
    expect(run.json(), run.stderr).to.deep.include({ State: 'ok', Updated: 12 })
  })

  it('undoes what is still as the job set it, brings all of a date back, and holds what somebody else has changed', async () => {
    await open(4)
    const rows = ids.map((_, at) => ({
      OwnReferences: `R${at}`,
      Title: `Fat ${at}`,
      Description: `<p>Fat nummer ${at}, tenn.</p>`,
    }))
    expect((await sync(rows, '--yes', '--wait')).code).to.equal(EXIT.ok)
    const between = new Date().toISOString()
    const then = await live()
    const others = ids.map((_, at) => ({
      ...{ OwnReferences: `R${at}`, Title: `Krus ${at}`, Price: 110 + at, AbsoluteQuantity: 9 },
      ...{ Description: `<p>Krus nummer ${at}, av stengods.</p>`, PaymentCondition: 'Swish.' },
    }))
    const run = await sync(others, '--yes', '--wait')
    expect(run.json(), run.stderr).to.deep.include({ State: 'ok', Updated: 4, Repriced: 4, Restocked: 4 })
    const restored = await home.seller('shop:restore', '--at', between, '--yes', '--wait', '--verify', '--json')
    expect(restored.code, restored.stderr).to.equal(EXIT.ok)
    expect(restored.stderr).to.include('Verified')
    expect(await live()).to.deep.equal(then)
    const again = await home.seller('shop:restore', '--at', between, '--yes', '--wait', '--json')
    expect(again.json(), again.stderr).to.deep.include({ JobId: null })

    const update = run.json().Parts.find(({ Kind }: Row) => Kind === 'update')
    const undone = await home.seller('jobs:undo', String(update.JobId), '--dry-run', '--json')
    expect(undone.json().Summary, undone.stderr).to.deep.include({ Change: 0, Held: 0, Unchanged: 4 })
    expect((await sync([{ OwnReferences: 'R0', Title: 'Någon annans' }], '--yes', '--wait')).code).to.equal(EXIT.ok)
    const held = await home.seller('jobs:undo', String(update.JobId), '--dry-run', '--json')
    expect(held.json().Rows.map(({ State, Code, Id }: Row) => [State, Code, Id])).to.deep.equal([
      ['held', 'fields_moved', ids[0]],
    ])
  })

  it('waits for a change that is on its way, and goes on after a lost reply with the same fields', async () => {
    await open(2)
    await setFaults(home, { 'queue-delay': '1h' })
    const rows = [{ OwnReferences: 'R0', Title: 'Mugg' }]
    expect((await sync(rows, '--yes')).json()).to.deep.include({ State: 'waiting', Updated: 1 })
    const again = await sync([{ OwnReferences: 'R0', Title: 'Kopp' }], '--yes')
    expect(again.json(), again.stderr).to.deep.include({ JobId: null, Pending: 1 })
    expect(again.stderr).to.include('on the way')
  })

  it('reads items of which the list leaves out a field, and holds those that it cannot read', async () => {
    await open(2)
    const rows = ids.map((_, at) => ({ OwnReferences: `R${at}`, PaymentCondition: 'Swish inom tre dagar.' }))
    const run = await sync(rows, '--yes', '--wait')
    expect(run.json(), run.stderr).to.deep.include({ State: 'ok', Updated: 2 })
    expect(home.calls().filter((name) => name === 'GetItem')).to.have.length(2)
  })
})
