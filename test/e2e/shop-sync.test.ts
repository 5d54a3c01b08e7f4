/** shop:sync and shop:export against a sandbox over real HTTP: every kind of difference, guards, and what the ledger knows. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { createWhole } from '../../src/jobs/bulk/index.js'
import { openLedger } from '../../src/jobs/index.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { FaultInjector } from '../../src/sandbox/server/fault-injection.js'
import { systemClock } from '../../src/soap/client/index.js'
import { controlSandbox } from '../control-sandbox.js'
import { closing } from '../opened.js'
import type { Home, Run } from './harness.js'
import { CATEGORY, type ObservedHome, openObserved } from './observed.js'
import { pricesOf, setFaults, stock } from './shop.js'

const HEAD = 'OwnReferences,Title,CategoryId,Price,AbsoluteQuantity'
const added = (reference: string, price = 149) => `${reference},Vara ${reference},${CATEGORY},${price},3`
const row = (reference: string, price: number | '' = '', quantity: number | '' = '') => `${reference},,,${price},${quantity}`

async function sync(home: Home, lines: readonly string[], ...args: string[]): Promise<Run> {
  const file = await home.file('catalogue.csv', `${[HEAD, ...lines].join('\n')}\n`)
  return home.seller('shop:sync', '--file', file, '--json', ...args)
}

/** Finds a seed of the fault injection with which the second of two calls loses its reply. */
function seedOfLostReply(): string {
  for (let seed = 1; ; seed++) {
    const station = new FaultInjector({ dropAfter: 0.5, seed })
    if (station.next().ending === 'served' && station.next().ending === 'dropped after') return String(seed)
  }
}

const items = async (
  home: Home,
): Promise<{ Id: number; OwnReferences: string[]; BuyItNowPrice: number; RemainingQuantity: number }[]> =>
  (await home.seller('items:list', '--type', 'shop', '--state', 'active', '--json')).json()

const jobs = async (home: Home): Promise<{ JobId: number; State: string }[]> => (await home.seller('jobs:list', '--json')).json()

/** Payment and shipping of a row as a hand writes them, and as ids. */
const PAYS = { words: 'Swish|Postförskott', numbers: '4096|16' }
const SHIPS = {
  words: 'Sandbudet,cost=59,weight=1,product=21|own-cost,cost=40|pickup',
  numbers: 'provider=2,cost=59,weight=1,product=21|option=10,cost=40|option=8,cost=0',
}

describe('shop:sync', function () {
  this.timeout(60_000)
  let home: ObservedHome
  let ids: number[]
  const open = async (prices: readonly number[], options: Parameters<typeof openObserved>[0] = {}): Promise<void> => {
    home = await openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true, extended: true, described: true, ...options })
    emptyShop()
    ids = await stock(home, prices, { reference: (at) => `R${at}` })
    home.calls()
  }
  /** The seeded items of the seller would be in every comparison. */
  const emptyShop = () => {
    const store = openStore(join(home.dir, 'server.db'), 'process')
    store.exec('UPDATE items SET ends = starts')
    store.close()
  }
  afterEach(() => home.close())

  it('adds, reprices, restocks and removes as one job; a second run has nothing to do', async () => {
    await open([100, 200, 300, 400])
    const lines = [row('R0', 110), row('R1', 200, 7), row('R2'), added('N1'), added('N2')]
    const dry = await sync(home, lines, '--remove-missing', '--dry-run')
    expect(dry.code, dry.stderr).to.equal(EXIT.ok)
    const { Summary, Rows, ByHand } = dry.json()
    expect(Summary).to.include({
      Rows: 5,
      Items: 4,
      Add: 2,
      Reprice: 1,
      Restock: 1,
      Remove: 1,
      Held: 0,
      Unchanged: 1,
      Missing: 1,
    })
    expect(Summary.Calls).to.equal(5)
    expect(
      Rows.map(({ Action, Id, OwnReference, Live, Wanted }: Record<string, unknown>) => [Action, Id, OwnReference, Live, Wanted]),
    ).to.deep.equal([
      ['reprice', ids[0], 'R0', 100, 110],
      ['restock', ids[1], 'R1', 1, 7],
      ['add', null, 'N1', null, 149],
      ['add', null, 'N2', null, 149],
      ['remove', ids[3], 'R3', 400, null],
    ])
    expect(ByHand).to.deep.equal([])
    expect(await jobs(home)).to.deep.equal([])
    const asked = await sync(home, lines, '--remove-missing')
    expect([asked.code, asked.json().error.code]).to.deep.equal([EXIT.held, 'confirmation_missing'])
    expect(asked.json().error.message).to.include('1 new price, 1 new stock level, 2 new items and 1 removal')
    home.calls()
    const run = await sync(home, lines, '--remove-missing', '--yes', '--wait')
    expect(run.code, run.stderr).to.equal(EXIT.ok)
    const record = run.json()
    expect(record).to.include({ Kind: 'sync', State: 'ok', Added: 2, Repriced: 1, Restocked: 1, Removed: 1, Unchanged: 1 })
    expect(record.Parts.map(({ Kind, State }: Record<string, string>) => [Kind, State])).to.deep.equal([
      ['price', 'ok'],
      ['stock', 'ok'],
      ['add-shop', 'ok'],
      ['remove', 'ok'],
    ])
    // Prices first, removals last.
    expect(home.calls().filter((name) => !name.startsWith('Get'))).to.deep.equal([
      'SetPriceOnShopItems',
      'SetQuantityOnShopItems',
      'AddShopItem',
      'AddShopItem',
      'RemoveShopItem',
    ])
    const live = new Map((await items(home)).map((item) => [item.OwnReferences[0], [item.BuyItNowPrice, item.RemainingQuantity]]))
    expect(Object.fromEntries(live)).to.deep.equal({ R0: [110, 1], R1: [200, 7], R2: [300, 1], N1: [149, 3], N2: [149, 3] })
    home.calls()
    const again = await sync(home, lines, '--remove-missing', '--yes', '--wait')
    expect([again.code, again.json().JobId, again.json().Unchanged]).to.deep.equal([EXIT.ok, null, 5])
    expect(again.stderr).to.include('Nothing to do.')
    expect(home.calls()).to.deep.equal(['GetSellerItems'])
    expect((await jobs(home)).map(({ JobId }) => JobId)).to.deep.equal([record.JobId])
    const shown = (await home.seller('jobs:show', String(record.JobId), '--json')).json()
    expect(shown.Rows.map(({ Kind, State }: Record<string, string>) => `${Kind} ${State}`)).to.deep.equal([
      'price ok',
      'stock ok',
      'add-shop ok',
      'add-shop ok',
      'remove ok',
    ])
    expect(shown.Parts).to.have.length(4)
  })

  it('holds what a guard holds and what names no item for certain, writes it back, and sends the rest', async () => {
    await open([100, 200, 300])
    await stock(home, [500], { reference: () => 'R2' })
    const run = await sync(
      home,
      [row('R0', 1), row('R1', 210), row('R2', 310), row('X', 5), added('D'), added('D'), row('', 3)],
      '--yes',
      '--wait',
    )
    expect(run.code, run.stderr).to.equal(EXIT.held)
    expect(run.json()).to.include({ State: 'partial', Repriced: 1, Added: 0 })
    expect(run.json().Counts).to.include({ held: 6, ok: 1 })
    expect(await pricesOf(home, ids)).to.deep.equal([100, 210, 300])
    const held = (await readFile(run.json().HeldFile, 'utf8')).trim().split('\n')
    expect(held[0]).to.equal(`${HEAD},_Reason`)
    expect(held.slice(1).map((line) => line.split(',').slice(0, 4).join())).to.deep.equal([
      'R0,,,1',
      'R2,,,310',
      'X,,,5',
      `D,Vara D,${CATEGORY},149`,
      `D,Vara D,${CATEGORY},149`,
      ',,,3',
    ])
    // Corrected, the file of held rows is a catalogue.
    const allowed = await home.file('allowed.csv', 'OwnReferences,Price,_Allow\nR0,1,1\n')
    const through = await home.seller('shop:sync', '--file', allowed, '--yes', '--wait', '--json')
    expect([through.code, (await pricesOf(home, ids))[0]]).to.deep.equal([EXIT.ok, 1])
  })

  it('shows every kind of row in the order of sending, then what is not sent, and says what it leaves alone', async () => {
    await open([100, 200, 300, 400, 500, 600])
    await stock(home, [300, 50], { reference: (at) => (at === 0 ? 'R2' : '') })
    const soldOut = `GONE,Borta,${CATEGORY},50,0`
    const lines = [
      'R0|Z0,,,110,',
      row('R1', 1),
      row('R3', 400, 7),
      added('N1'),
      row('X', 5),
      row('R2', 310),
      'R4,Ny titel,,500,1',
    ]
    const run = await sync(home, [...lines, soldOut], '--dry-run', '--allow', 'max_held')
    const { Rows, Summary } = run.json()
    const fields = ['Line', 'Action', 'Id', 'OwnReference', 'Title', 'Field', 'Live', 'Wanted', 'State', 'Limit']
    expect(Rows.map((shown: Record<string, unknown>) => fields.map((field) => shown[field]))).to.deep.equal([
      [2, 'reprice', ids[0], 'R0|Z0', 'Vara 0', 'Price', 100, 110, 'change', null],
      [3, 'reprice', ids[1], 'R1', 'Vara 1', 'Price', 200, 1, 'held', 'factor_ten'],
      [4, 'restock', ids[3], 'R3', 'Vara 3', 'AbsoluteQuantity', 1, 7, 'change', null],
      [2, 'update', ids[0], 'R0|Z0', 'Vara 0', 'OwnReferences', ['R0'], ['R0', 'Z0'], 'change', null],
      [8, 'update', ids[4], 'R4', 'Vara 4', 'Title', 'Vara 4', 'Ny titel', 'change', null],
      [5, 'add', null, 'N1', 'Vara N1', 'Price', null, 149, 'change', null],
      [6, null, null, 'X', null, null, null, null, 'held', null],
      [7, null, null, 'R2', null, null, null, null, 'held', null],
    ])
    const counts = {
      Add: 1,
      Reprice: 1,
      Restock: 1,
      Update: 2,
      Remove: 0,
      Held: 3,
      Pending: 0,
      ByHand: 0,
      Unchanged: 1,
      Missing: 1,
    }
    const Compared = [
      { Field: 'Price', Rows: 4 },
      { Field: 'AbsoluteQuantity', Rows: 2 },
      { Field: 'Title', Rows: 1 },
    ]
    const compared = { NotCompared: 1, Compared, UnreadColumns: [] }
    expect(Summary).to.deep.equal({ Rows: 8, Items: 8, ...counts, ...compared, WithoutReference: 1, Calls: 5, Stopped: null })
    expect(run.stderr.split('\n').slice(1, 8)).to.deep.equal([
      'Sum of the prices that change: 100 kr to 110 kr (+10 %).',
      'In stock: 1 to 7 (+600 %).',
      'Nothing was sent. Sending takes 5 calls.',
      'Compared: Price in 4 rows; AbsoluteQuantity in 2 rows; Title in 1 row.',
      '1 live item is not in the catalogue and stays; --remove-missing removes it.',
      '1 live item has no own reference and is left alone.',
      '1 row with a stock of 0 names an item that is not live, so it is not added.',
    ])
    await stock(home, [60])
    const more = ['', 'y'.repeat(60)].map((title, at) => `R${at + 4},${title},,${500 + at * 100},1`)
    const file = await home.file(
      'more.csv',
      `${[HEAD, ...lines.slice(0, 6), ...more, soldOut, soldOut.replace('GONE', 'GONE2')].join('\n')}\n`,
    )
    const person = await home.seller('shop:sync', '--file', file, '--dry-run', '--allow', 'max_held', '-o', 'table')
    expect(person.stdout.split('Not to be sent\n')[1]).to.match(/^ {2}line 3, item \d+ "Vara 1": 1 kr is a tenth/)
    expect(person.stderr.split('\n')).to.include.members([
      '2 live items have no own reference and are left alone.',
      '2 rows with a stock of 0 name items that are not live, so they are not added.',
    ])
  })

  it('exports what has an own reference as a catalogue, with an end only where the seller chose one', async () => {
    await open([100])
    const ship = ['--shipping', 'pickup', '--vat', '25']
    const about = ['--title', 'Mugg', '--category', CATEGORY, '--price', '149', '--quantity', '3', '--description', 'Röd']
    const end = ['--until', '2027-06-01T12:00:00Z']
    await home.done('shop:add', ...about, ...ship, ...end, '--reference', 'A', '--reference', 'B', '--wait', '--json')
    const exported = async () => {
      const run = await home.seller('shop:export', '--json')
      return { rows: run.json(), said: run.stderr }
    }
    const { rows, said } = await exported()
    expect(said).to.equal('')
    const [own, plain] = rows[0].Title === 'Mugg' ? rows : rows.reverse()
    expect(own).to.deep.include({ OwnReferences: ['A', 'B'], Price: 149, AbsoluteQuantity: 3, Description: 'Röd', VAT: 25 })
    expect(own).to.deep.include({ ShippingOptions: [{ ShippingOptionId: 8, Cost: 0 }] })
    expect(Date.parse(own.DeactivateDate)).to.equal(Date.parse('2027-06-01T12:00:00Z'))
    const empty = { VAT: null, ShippingOptions: null, ShippingCondition: null, ItemAttributes: null, DeactivateDate: null }
    expect(plain).to.deep.include({ OwnReferences: ['R0'], ...empty })
    for (const words of ['1 item has no own reference and is not', '2 items have no own reference and are not']) {
      await stock(home, [200])
      const again = await exported()
      expect(again.rows).to.have.length(2)
      expect(again.said).to.equal(`${words} exported: a catalogue cannot name such an item.\n`)
    }
  })

  it('exports normal prices during a discount, so that a sync after its end changes none', async () => {
    await open([100, 200, 300])
    const discount = ['Rea', `${ids[0]}=80`, `${ids[1]}=150`, '--from', 'now', '--until', '+2h', '--yes']
    await home.done('shop:discount', ...discount)
    await home.done('jobs:due', '--wait')
    // Another price than the discount's: somebody else has set it, and nobody knows a better one.
    const store = openStore(join(home.dir, 'server.db'), 'process')
    store.exec(`UPDATE items SET price = 140 WHERE id = ${ids[1]}`)
    store.close()
    expect(await pricesOf(home, ids)).to.deep.equal([80, 140, 300])
    const exported = await home.done('shop:export', '--output', 'csv')
    expect(exported.stderr).to.equal('1 item is in a discount: its row has the normal price.\n')
    const file = await home.file('during.csv', exported.stdout)
    const ended = await home.seller('discounts:end', '1', '--yes', '--wait')
    expect([ended.code, await pricesOf(home, ids)]).to.deep.equal([EXIT.held, [100, 140, 300]])
    const run = await home.seller('shop:sync', '--file', file, '--json')
    expect([run.code, run.json().JobId, run.json().Unchanged], run.stderr).to.deep.equal([EXIT.ok, null, 3])
  })

  it('sends nothing where a guard over all prices stops the file', async () => {
    await open(Array.from({ length: 30 }, (_, at) => 100 + at * 10))
    // The prices of the row above: a sorted column beside an unsorted one.
    const lines = ids.map((_, at) => row(`R${at}`, at === 0 ? 390 : 100 + (at - 1) * 10))
    const run = await sync(home, [...lines, added('N')], '--yes')
    expect([run.code, run.json().error.code]).to.deep.equal([EXIT.held, 'sync_held'])
    expect(home.calls()).to.deep.equal(['GetSellerItems'])
    const dry = await sync(home, lines, '--dry-run')
    expect([dry.code, dry.json().Summary.Stopped.Limit]).to.deep.equal([EXIT.ok, run.json().error.limit])
  })

  it('never removes more than a share of the shop, and says what is missing where it removes nothing', async () => {
    await open(Array.from({ length: 30 }, () => 100))
    const lines = ids.slice(0, 10).map((_, at) => row(`R${at}`))
    const kept = await sync(home, lines)
    expect([kept.code, kept.json().Missing]).to.deep.equal([EXIT.ok, 20])
    expect(kept.stderr).to.include('20 live items are not in the catalogue and stay')
    const refused = await sync(home, lines, '--remove-missing', '--yes')
    expect([refused.code, refused.json().error.code]).to.deep.equal([EXIT.held, 'sync_held'])
    const dry = await sync(home, lines, '--remove-missing', '--dry-run')
    expect(dry.json().Summary).to.include({ Remove: 0, Held: 20, Calls: 0 })
    expect(dry.json().Rows.map(({ Action, State }: { Action: string; State: string }) => `${Action} ${State}`)).to.deep.equal(
      Array(20).fill('remove held'),
    )
    expect(dry.json().Summary.Stopped.Limit).to.equal('max_removed')
    const run = await sync(home, lines, '--remove-missing', '--allow', 'max_removed=70%', '--yes', '--wait')
    expect([run.code, run.json().Removed]).to.deep.equal([EXIT.ok, 20])
    expect(await items(home)).to.have.length(10)
  })

  it('counts every kind of change as held where a guard over all removals stops the file', async () => {
    await open(Array.from({ length: 30 }, () => 100))
    const lines = [row('R0', 110), row('R1', '', 7), 'R2,Ny titel,,,', row('R3'), added('N1'), added('N2', 150)]
    const run = await sync(home, lines, '--remove-missing', '--dry-run')
    expect(run.json().Summary.Stopped.Limit).to.equal('max_removed')
    // A price, a number in stock, a title, two new items, and the 26 items that no row names.
    expect(run.json().Summary).to.include({
      ...{ Add: 0, Reprice: 0, Restock: 0, Update: 0, Remove: 0, Calls: 0 },
      ...{ Held: 31, Pending: 0, Unchanged: 1, Missing: 26 },
    })
  })

  it('names the sums of what changes, and none of prices where none changes', async () => {
    await open([100, 200])
    const said = async (line: string) => (await sync(home, [line, row('R1')], '--dry-run')).stderr
    expect(await said(row('R0', '', 7)))
      .to.include('In stock: 1 to 7')
      .and.not.include('Sum of the prices')
    expect(await said(row('R0', 110)))
      .to.include('Sum of the prices that change: 100 kr to 110 kr')
      .and.not.include('In stock')
  })

  it('counts items without an own reference and never removes them', async () => {
    await open([100])
    await stock(home, [200, 300])
    const run = await sync(home, [row('R0', 110)], '--remove-missing', '--yes', '--wait')
    expect([run.code, run.json().WithoutReference, run.json().Removed]).to.deep.equal([EXIT.ok, 2, 0])
    expect(await items(home)).to.have.length(3)
  })

  it('lists numbers in stock where the service sets none', async () => {
    home = await openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true })
    emptyShop()
    ids = await stock(home, [100], { reference: (at) => `R${at}` })
    const run = await sync(home, [row('R0', 110, 9)], '--yes', '--wait')
    expect(run.code, run.stderr).to.equal(EXIT.ok)
    expect(run.json().ByHand).to.deep.equal([
      { Line: 2, Id: ids[0], OwnReference: 'R0', Title: 'Vara 0', Field: 'AbsoluteQuantity', Live: 1, Wanted: 9 },
    ])
    expect(run.stderr).to.include('on the website')
    // The first 38 characters of a long text are named, with the quote in front of them.
    const named = async (title: string) => (await sync(home, [`R0,${title},,,`], '--dry-run')).stderr
    expect(await named('x'.repeat(38))).to.include(`Title is "Vara 0", not "${'x'.repeat(38)}"`)
    expect(await named('x'.repeat(39))).to.include(`Title is "Vara 0", not "${'x'.repeat(38)}…`)
  })

  it('does not add again what is queued, nor remove or change what is being removed', async () => {
    await open([100, 200, 300], { faults: { queueDelayMs: 3_600_000 } })
    const lines = [row('R0', 110), row('R1'), added('N')]
    const first = await sync(home, lines, '--remove-missing', '--yes')
    expect([first.code, first.json().State]).to.deep.equal([EXIT.ok, 'waiting'])
    home.calls()
    const second = await sync(home, [...lines, row('R2', 310)], '--remove-missing', '--yes')
    expect(second.code, second.stderr).to.equal(EXIT.ok)
    expect(second.json()).to.include({ Pending: 2, Added: 0, Removed: 0, Repriced: 0 })
    expect(second.stderr).to.match(/2 rows on the way already, not sent again:\n {2}line \d, /)
    expect(home.calls().filter((name) => !name.startsWith('Get'))).to.deep.equal([])
    const left = await sync(home, lines.slice(1), '--dry-run')
    expect(left.stderr)
      .to.include('1 live item is not in the catalogue and stays; --remove-missing removes it.')
      .and.include('1 live item not in the catalogue is being removed already.')
    // A queued price holds a row that wants another one.
    const other = await sync(home, [row('R0', 120)], '--yes')
    expect([other.code, other.json().Counts.held]).to.deep.equal([EXIT.held, 1])
    await controlSandbox(home.sandbox.url, 'clock', { advance: '2h' })
    const third = await sync(home, lines, '--remove-missing', '--yes')
    expect([third.code, third.json().JobId, third.json().Unchanged]).to.deep.equal([EXIT.ok, null, 3])
  })

  it('continues as one job after the quota, and plans anew what an earlier one had not sent', async () => {
    await open([100, 200, 300])
    const lines = [row('R0', 110), row('R1', 210, 5), added('N1'), added('N2'), added('N3')]
    const stopped = await sync(home, lines, '--yes', '--max-calls', '4')
    expect([stopped.code, stopped.json().error.code], stopped.stdout).to.deep.equal([EXIT.quota, 'max_calls_reached'])
    const { jobId } = stopped.json().error
    expect(stopped.json().error.hint).to.include(`seller jobs:resume ${jobId}`)
    expect((await jobs(home))[0]).to.include({ JobId: jobId, State: 'open' })
    const part = (await home.seller('jobs:show', String(jobId), '--json')).json().Parts[2].JobId
    const resumed = await home.seller('jobs:resume', String(part), '--wait', '--max-calls', '2', '--json')
    expect([resumed.code, resumed.json().error.jobId]).to.deep.equal([EXIT.quota, jobId])
    const other = { SELLER_USER_ID: '1002', SELLER_TOKEN: 'sandbox-token-of-member-1002' }
    const file = await home.file('other.csv', `${HEAD}\n${added('O')}\n`)
    const theirs = await home.run(['shop:sync', '--file', file, '--dry-run', '--json'], { env: other })
    expect(theirs.stderr, 'the unfinished sync of another seller').to.not.include('planned anew')
    const anew = await sync(home, [...lines, added('N4')], '--yes', '--wait')
    expect([anew.code, anew.json().State], anew.stderr).to.deep.equal([EXIT.ok, 'ok'])
    expect(anew.stderr).to.match(
      new RegExp(`Job ${jobId} was not finished. The \\d rows? that it had not sent (are|is) planned anew.`),
    )
    const references = (await items(home)).flatMap(({ OwnReferences }) => OwnReferences).sort()
    expect(references).to.deep.equal(['N1', 'N2', 'N3', 'N4', 'R0', 'R1', 'R2'])
    // Requests of the earlier one still get their results.
    expect((await jobs(home)).map(({ State }) => State)).to.deep.equal(['ok', 'waiting'])
    const again = await sync(home, lines, '--yes')
    expect([again.code, again.json().JobId]).to.deep.equal([EXIT.ok, null])
    expect((await jobs(home)).map(({ State }) => State)).to.deep.equal(['ok', 'partial'])
    const nothing = await home.seller('jobs:resume', '--json')
    expect([nothing.code, nothing.json().JobId]).to.deep.equal([EXIT.ok, null])
  })

  it('holds a row whose reply was lost until the seller has decided, and shows what to check', async () => {
    await open([100])
    await setFaults(home, { 'drop-after': '50%', seed: seedOfLostReply() })
    const lost = await sync(home, [added('N1')], '--yes')
    expect(lost.code, lost.stdout).to.equal(EXIT.unknownOutcome)
    await setFaults(home, { 'drop-after': '0%' })
    const store = openStore(join(home.dataDir, 'ledger.db'), 'power')
    const [job] = store.all<{ id: number }>("SELECT id FROM jobs WHERE kind = 'sync'")
    store.close()
    // It did arrive: once it is live, it is an item like any other.
    const seen = await sync(home, [added('N1')], '--yes')
    expect([seen.code, seen.json().Unchanged], seen.stderr).to.deep.equal([EXIT.ok, 1])
    const shown = await home.seller('jobs:resume', String(job?.id), '--json')
    expect(shown.code).to.equal(EXIT.unknownOutcome)
    expect(shown.json().Unknown[0].Candidates).to.have.length(1)
    const decided = await home.seller('jobs:resume', String(job?.id), '--unknown', 'sent', '--row', '1', '--json')
    expect([decided.code, decided.json().State, decided.json().Added]).to.deep.equal([EXIT.ok, 'ok', 1])
  })

  it('is undone by its prices or as a whole, dropped as a whole, and refuses flags that it does not have', async () => {
    await open([100, 200])
    const run = await sync(home, [row('R0', 110), row('R1', '', 4)], '--yes', '--wait')
    const { JobId, Parts } = run.json()
    const both = await home.seller('jobs:undo', String(JobId), '--dry-run', '--json')
    expect(both.json().Summary).to.include({ Change: 2, Held: 0 })
    const undone = await home.seller('jobs:undo', String(Parts[0].JobId), '--yes', '--wait', '--json')
    expect([undone.code, await pricesOf(home, ids)]).to.deep.equal([EXIT.ok, [100, 200]])
    const priced = await sync(home, [row('R0', 120)], '--yes', '--wait')
    const whole = await home.seller('jobs:undo', String(priced.json().JobId), '--yes', '--wait', '--json')
    expect([whole.code, await pricesOf(home, ids)]).to.deep.equal([EXIT.ok, [100, 200]])
    const open1 = await sync(home, [added('N1'), added('N2')], '--yes', '--max-calls', '2')
    const { jobId } = open1.json().error
    const stray = await home.seller('jobs:resume', String(jobId), '--verify', '--json')
    expect([stray.code, stray.json().error.code]).to.deep.equal([EXIT.usage, 'stray_flag'])
    const part = (await home.seller('jobs:show', String(jobId), '--json')).json().Parts[0].JobId
    expect((await home.seller('jobs:drop', String(part), '--yes', '--json')).json().error.code).to.equal('job_of_another_kind')
    const dropped = await home.seller('jobs:drop', String(jobId), '--yes', '--json')
    expect([dropped.code, dropped.json().State]).to.deep.equal([EXIT.ok, 'cancelled'])
    const over = await home.seller('jobs:resume', String(jobId), '--json')
    expect([over.code, over.json().error.code]).to.deep.equal([EXIT.usage, 'job_over'])
    const emptied = await sync(home, [row('R0')], '--remove-missing', '--max-removed', 'off', '--yes', '--wait')
    const nothing = await home.seller('jobs:undo', String(emptied.json().JobId), '--json')
    expect(nothing.json().error.code).to.equal('undo_impossible')
  })

  it('refuses a plan that another process has overtaken, and a sync that is at work', async () => {
    await open([100])
    const file = await home.file('one.csv', `${HEAD}\n${added('N1')}\n`)
    using ledger = closing(openLedger(join(home.dataDir, 'ledger.db'), systemClock))
    const shop = { profile: 'default', userId: 1001, title: 't', form: { kind: 'rule', columns: [] } } as const
    const other = () =>
      createWhole(ledger, { ...shop, parts: [{ kind: 'add-shop', rows: [{ line: 2, id: 0, payload: {} }] }] }, () => {})
    // Made while the live list is read.
    await setFaults(home, { latency: '3s..3s' })
    const running = home.seller('shop:sync', '--file', file, '--yes', '--json')
    // The call is in the ledger before it is sent.
    const listed = () => ledger.calls.list({ limit: 1 })[0]?.Operation === 'GetSellerItems'
    while (!listed()) await new Promise((resolve) => setTimeout(resolve, 10))
    const { JobId } = other()
    const overtaken = await running
    expect([overtaken.code, overtaken.json().error.code]).to.deep.equal([EXIT.held, 'job_locked'])
    expect(overtaken.json().error.message).to.include(`job ${JobId}`)
    await setFaults(home, { latency: '0ms..0ms' })
    const lock = ledger.jobs.lock(JobId)
    const busy = await home.seller('shop:sync', '--file', file, '--yes', '--json')
    expect([busy.code, busy.json().error.jobId]).to.deep.equal([EXIT.held, JobId])
    lock.release()
    expect(await items(home)).to.have.length(1)
  })

  it('has nothing to do for an export, in every form', async () => {
    await open([100, 200, 300])
    const head = `${HEAD},ShippingOptions,PaymentOptionIds`
    const given = `N|shelf,"Mugg = ""blå""\t1",${CATEGORY},149,2`
    const numbers = await home.file('n.csv', `${head}\n${given},"${SHIPS.numbers}",${PAYS.numbers}\n`)
    await home.done('shop:sync', '--file', numbers, '--yes', '--wait', '--json')
    const words = await home.file('w.csv', `${head}\n${given},"${SHIPS.words}",${PAYS.words}\n`)
    const both = await Promise.all(
      [numbers, words].map((file) => home.seller('shop:add', '--file', file, '--again', '--dry-run', '--json')),
    )
    const [one, other] = both.map((run) => run.json().Rows[0].Request)
    expect(one.ShippingOptions).to.have.lengthOf(3)
    expect(other).to.deep.equal(one)
    for (const form of ['csv', 'tsv', 'xlsx', 'json', 'ndjson', 'yaml']) {
      const exported = await home.done('shop:export', '--output', form)
      if (form === 'csv') expect(exported.stdout).to.include(`,149,2,,,"${SHIPS.words}",${PAYS.words},`)
      const file = await home.file(`export.${form}`, form === 'xlsx' ? exported.bytes : exported.stdout)
      const run = await home.seller('shop:sync', '--file', file, '--remove-missing', '--json')
      expect([run.code, run.json().JobId, run.json().Unchanged, run.json().ByHand], run.stderr).to.deep.equal([
        EXIT.ok,
        null,
        4,
        [],
      ])
    }
  })
})
