/** items:relist: unsold auctions again, with everything that they had, once each, over real HTTP. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { controlSandbox } from '../control-sandbox.js'
import { closing } from '../opened.js'
import { Hands } from './clock.js'
import { words } from './harness.js'
import { CATEGORY, type ObservedHome, openObserved, PIXEL } from './observed.js'
import { ask } from './person.js'
import { setFaults } from './shop.js'

interface Row {
  Id: number
  OpeningPrice: number
  ReservedPrice: number | null
  Images: number
  Relists: number
  StartsAt: string | null
  State: string
  Reason: string | null
}
// biome-ignore lint/suspicious/noExplicitAny: an item as a script reads it.
type Item = any

/** Values of the old listing that a new one has. */
const KEPT = [
  ...[
    'ShortDescription',
    'LongDescription',
    'CategoryId',
    'Duration',
    'OwnReferences',
    'ShippingOptions',
    'PaymentOptions',
    'ItemAttributes',
  ],
  ...[
    'AttributeValues',
    'VAT',
    'ShippingCondition',
    'PaymentCondition',
    'AcceptedBuyerId',
    'ReservePrice',
    'BuyItNowPrice',
    'AcceptsPickup',
  ],
] as const

describe('items:relist', () => {
  let home: ObservedHome
  let clock: Hands
  let named = 0
  const run = (...args: string[]) => home.run([...args, '--json'], { clock })
  const relist = (...args: string[]) => run('items:relist', ...args)
  const rows = async (...args: string[]): Promise<Row[]> => (await relist(...args, '--dry-run')).json().Rows
  const row = async (id: number, ...args: string[]): Promise<Row | undefined> => (await rows(...args)).find(({ Id }) => Id === id)
  const item = async (id: number): Promise<Item> => (await run('items:show', String(id))).json()
  const live = async (): Promise<Item[]> => (await run('items:list', '--state', 'active', '--type', 'auction')).json()

  /** An auction that ended without a bid. */
  async function unsold(more: object = {}): Promise<number> {
    const file = await home.file(
      'new.json',
      JSON.stringify({
        ...{
          Title: `Vas nr ${++named} – åäö & "märkt"`,
          CategoryId: Number(CATEGORY),
          StartPrice: 100,
          ReservePrice: 300,
          BuyItNowPrice: 500,
        },
        ...{
          Duration: 3,
          Restarts: 1,
          Description: 'Grön.<br>Fin.',
          OwnReferences: [`UNSOLD-${named}`],
          VAT: 25,
          ItemAttributes: [2],
        },
        ...{
          PaymentOptionIds: [4096],
          ShippingOptions: [{ ShippingProviderId: 3, Cost: 59, ShippingWeight: 1.5, ShippingOptionId: null }],
        },
        ...{ AcceptedBidderId: 3, ShippingCondition: 'Inom två dagar.', PaymentCondition: 'Swish.' },
        AttributeValues: { Terms: [{ Id: 103, Values: ['blå'] }], Numbers: [{ Id: 202, Values: [0.5] }] },
        ...more,
      }),
    )
    const images = [await home.file('a.png', PIXEL.png), await home.file('b.gif', PIXEL.gif)].flatMap((path) => ['--image', path])
    const added = await run('items:add', '--file', file, ...images, '--yes', '--wait')
    expect(added.code, added.stdout + added.stderr).to.equal(0)
    const { ItemId } = added.json()
    expect((await run('items:end', String(ItemId), '--yes')).code).to.equal(0)
    clock.time += 60_000
    return ItemId
  }

  before(async () => {
    clock = new Hands()
    home = await openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true, extended: true, clock })
  })
  after(() => home.close())
  beforeEach(() => void home.calls())

  it('by rule: everything is kept, images too, and the item is followed to its new id', async () => {
    const [id, other] = [await unsold(), await unsold({ StartPrice: 52, ReservePrice: 0, OwnReferences: [] })]
    home.calls()
    const plan = await relist('--unsold', '--since', '1h', '--add', '-10%', '--floor', '50', '--dry-run')
    expect(plan.code, plan.stderr).to.equal(0)
    expect(plan.json().Rows.map((each: Row) => [each.Id, each.OpeningPrice, each.Images, each.State])).to.deep.equal([
      [id, 90, 2, 'change'],
      [other, 50, 2, 'change'],
    ])
    expect([plan.json().Summary.Fees, plan.json().Summary.Calls]).to.deep.equal([40, 10])
    expect(home.calls()).not.to.include('AddItem')
    const unasked = await relist('--unsold', '--since', '1h', '--add', '-10%', '--floor', '50')
    expect([unasked.code, home.calls().includes('AddItem')]).to.deep.equal([EXIT.held, false])
    const sent = await relist('--unsold', '--since', '1h', '--add', '-10%', '--floor', '50', '--yes', '--wait')
    expect([sent.code, sent.json().Kind, sent.json().Counts.ok], sent.stderr).to.deep.equal([0, 'relist', 2])
    expect(home.calls().filter((name) => name.startsWith('AddItem'))).to.have.length(8)
    const shown = (await run('jobs:show', String(sent.json().JobId))).json()
    const [one, two] = shown.Rows.map(({ Id }: { Id: number }) => Id)
    const [old, again] = [await item(id), await item(one)]
    for (const key of KEPT) expect(again[key], key).to.deep.equal(old[key])
    expect([again.OpeningBid, again.Restarts, again.Status.Ended, again.ImageLinks.length]).to.deep.equal([90, 0, false, 2])
    const bytes = await Promise.all(
      [old, again].map(async ({ ImageLinks }) =>
        Promise.all(ImageLinks.map(async (link: string) => Buffer.from(await (await fetch(link)).arrayBuffer()).toString('hex'))),
      ),
    )
    expect(bytes[1]).to.deep.equal(bytes[0])
    expect((await run('call', 'GetItemRestarts', `itemId=${id}`)).stdout).to.include(String(one))
    expect((await item(two)).OpeningBid).to.equal(50)
    const history = (await run('prices:history', String(one))).json()
    expect(history.map((event: Item) => [event.ItemId, event.OldPrice, event.NewPrice, event.Source])).to.deep.equal([
      [one, 100, 90, 'job'],
    ])
    expect((await run('prices:history', String(id))).json()).to.deep.equal(history)
    await controlSandbox(home.sandbox.url, 'bid', { itemId: two, amount: 60 })
    await controlSandbox(home.sandbox.url, 'buy', { itemId: one })
    const sales = (await run('transactions:list')).json() as Item[]
    const sale = sales.find(({ Item: { Id } }) => Id === one)
    for (const command of ['transactions:list', 'feedback:pending']) {
      for (const each of [id, one]) {
        const found = (await run(command, '--item', String(each))).json()
        expect(
          found.map(({ Id }: { Id: number }) => Id),
          `${command} ${each}`,
        ).to.deep.equal([sale.Id])
      }
    }
    const twice = await rows('--unsold', '--since', '1h')
    expect(twice.map(({ State }) => State)).to.deep.equal(['held', 'held'])
    expect(twice[1]?.Reason).to.match(new RegExp(`^job \\d+ has relisted it, as item ${two}$`))
  })

  it('holds what is up elsewhere, was sold, is live by its reference, or went up often enough', async () => {
    const id = await unsold()
    const reference = `UNSOLD-${named}`
    const why = async (...args: string[]) => (await row(id, '--unsold', '--since', '1h', ...args))?.Reason
    expect(await why()).to.equal(null)
    const first = await relist(String(id), '--yes', '--wait')
    const [{ Id: next }] = (await run('jobs:show', String(first.json().JobId))).json().Rows
    await run('items:end', String(next), '--yes')
    clock.time += 60_000
    const chain = (...args: string[]) => row(next, '--unsold', '--since', '1h', ...args)
    expect([(await chain('--max-relists', '1'))?.Reason, (await chain('--max-relists', '2'))?.Relists]).to.deep.equal([
      'it has been relisted 1 time; the limit is 1 (--max-relists)',
      1,
    ])
    // By hand, in another tool: this ledger knows nothing of it.
    const elsewhere = await unsold({ OwnReferences: [] })
    expect((await row(elsewhere, String(elsewhere)))?.State).to.equal('change')
    const request = { Title: 'På annat håll', CategoryId: Number(CATEGORY), StartPrice: 10, RestartedFromItemId: elsewhere }
    expect(
      (await run('items:add', '--file', await home.file('by-hand.json', JSON.stringify(request)), '--yes', '--wait')).code,
    ).to.equal(0)
    expect((await row(elsewhere, String(elsewhere)))?.Reason).to.match(/^it has already been relisted, as item \d+$/)
    expect((await row(elsewhere, String(elsewhere), '--again'))?.State).to.equal('change')
    // Live by its own reference.
    const added = await run(
      ...words`items:add --title Samma --category ${CATEGORY} --opening 5 --reference ${reference} --again --yes --wait`,
    )
    expect(added.code, added.stdout + added.stderr).to.equal(0)
    expect((await chain())?.Reason).to.equal(`own reference "${reference}" is already live as item ${added.json().ItemId}`)
    const open = (await live())[0]
    expect((await row(open.Id, String(open.Id)))?.Reason).to.equal('it has not ended')
    // Sold: that one is, so the reference was sold since.
    await controlSandbox(home.sandbox.url, 'bid', { itemId: added.json().ItemId, amount: 50 })
    clock.time += 8 * 86_400_000
    expect((await row(next, String(next)))?.Reason).to.match(/was sold since, as item|it was sold/)
    const notUnsold = await rows(String(added.json().ItemId), String(next), '999')
    expect(notUnsold.map(({ State, Reason }) => [State, Reason?.slice(0, 11)])).to.deep.include.members([
      ['held', 'it was sold'],
      ['unknown', 'there is no'],
    ])
  })

  it('by file: a saved plan and start prices of its own; an image that is gone sends nothing', async () => {
    const [one, two] = [await unsold(), await unsold()]
    const path = join(home.dir, 'plan.ndjson')
    const saved = await relist('--unsold', '--since', '150s', '--add', '-20%', '--save-plan', path)
    expect(
      [
        saved.code,
        (await readFile(path, 'utf8'))
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line).OpeningPrice),
      ],
      saved.stderr,
    ).to.deep.equal([0, [80, 80]])
    const planned = await rows('--file', path)
    expect(planned.map(({ Id, OpeningPrice }) => [Id, OpeningPrice])).to.deep.equal([
      [one, 80],
      [two, 80],
    ])
    const sent = await relist('--file', await home.file('two.csv', `Id;Startpris\n${one};70\n${two};\n`), '--yes', '--wait')
    expect([sent.code, sent.json().Counts.ok], sent.stderr).to.deep.equal([0, 2])
    const prices = (await run('jobs:show', String(sent.json().JobId)))
      .json()
      .Rows.map(({ Payload }: Item) => Payload.OpeningPrice)
    expect(prices).to.deep.equal([70, 100])
    // A reserve price of a row counts before that of the flag; an empty one leaves it to the flag.
    const [three, four, five] = [await unsold(), await unsold(), await unsold()]
    const reserved = await home.file('reserved.csv', `Id;Reservationspris\n${three};350\n${four};none\n${five};\n`)
    const plan = await rows('--file', reserved, '--reserve', '400')
    expect(plan.map(({ Id, ReservedPrice }) => [Id, ReservedPrice])).to.deep.equal([
      [three, 350],
      [four, null],
      [five, 400],
    ])
    const keep = join(home.dir, 'reserved.ndjson')
    await relist('--file', reserved, '--reserve', '400', '--save-plan', keep)
    expect((await rows('--file', keep)).map(({ ReservedPrice }) => ReservedPrice)).to.deep.equal([350, null, 400])
    const low = await home.file('low.csv', `Id;Startpris;Reservationspris;_Egen\n${three};450;300;x\n`)
    const back = await relist('--file', low, '--yes', '--held-file', 'low-held.csv')
    expect(back.code, back.stderr).to.equal(EXIT.held)
    const [, heldRow = ''] = (await readFile(join(home.dir, 'low-held.csv'), 'utf8')).split('\n')
    expect(heldRow).to.match(new RegExp(`^${three};450;300;x;`))
    const twice = await relist('--file', await home.file('bad.csv', `Id;Reservationspris\n${three};x\n`), '--dry-run')
    expect(twice.code).to.equal(3)
    const gone = await unsold()
    const images = (await item(gone)).ImageLinks.map((link: string) => /(\d+)\D*$/.exec(link)?.[1])
    const store = openStore(join(home.dir, 'server.db'), 'process')
    for (const id of images) store.run('DELETE FROM images WHERE image_id = ?', Number(id))
    store.close()
    home.calls()
    const none = await relist(String(gone), '--yes', '--wait')
    expect([none.code, none.json().Counts.failed, home.calls().includes('AddItem')]).to.deep.equal([
      EXIT.someRowsFailed,
      1,
      false,
    ])
    expect(none.stderr).to.match(/nothing was sent: its image could not be fetched: \S+ answers HTTP 404, not a picture/)
    for (const [args, code] of [
      [['--unsold', '--file', path], 'wrong_usage'],
      [[String(one), '--unsold'], 'several_inputs'],
      [[], 'missing_argument'],
    ] as const) {
      const refused = await relist(...args)
      expect([refused.code, refused.json().error.code], args.join(' ')).to.deep.equal([EXIT.usage, code])
    }
  })

  it('starts later: jobs:due sends each when its time has come, once', async () => {
    const ids = [await unsold(), await unsold(), await unsold()].map(String)
    const sent = await relist(...ids, '--interval', '10m', '--from', '18:00', '--yes')
    expect([sent.code, sent.json().State, sent.json().Counts.unsent], sent.stderr).to.deep.equal([0, 'scheduled', 3])
    expect(sent.stderr).to.include('seller jobs:due')
    const from = (await rows(...ids, '--interval', '10m', '--from', '18:00', '--again')).map(({ Reason }) => Reason)
    expect(
      from.every((reason) => reason?.includes('relists it')),
      from.join(),
    ).to.equal(true)
    const today = (await run('today')).json() as { Kind: string }[]
    expect(today.some(({ Kind }) => Kind === 'jobs')).to.equal(false)
    home.calls()
    expect([(await run('jobs:due')).json(), home.calls()]).to.deep.equal([[], []])
    const states: number[] = []
    for (const minutes of [0, 9, 11, 21]) {
      const at = clock.time
      clock.time = Date.parse(`${new Date(at).toISOString().slice(0, 10)}T17:${String(minutes).padStart(2, '0')}:30Z`)
      const [due] = (await run('jobs:due')).json()
      states.push(due?.Counts.unsent ?? -1)
    }
    expect(states).to.deep.equal([2, -1, 1, 0])
    const end = await run('jobs:resume', String(sent.json().JobId), '--wait')
    expect([end.code, end.json().Counts.ok], end.stderr).to.deep.equal([0, 3])
    expect(home.calls().filter((name) => name === 'AddItemCommit')).to.have.length(3)
  })

  it('is sold after the days since its first start', async () => {
    const id = await unsold()
    clock.time += 2 * 86_400_000
    const sent = await relist(String(id), '--yes', '--wait')
    const [{ Id: next }] = (await run('jobs:show', String(sent.json().JobId))).json().Rows
    await controlSandbox(home.sandbox.url, 'buy', { itemId: next })
    clock.time += 3_600_000
    const { Rows } = (await run('sales:report', '--since', '1d', '--by', 'item', '--compare', 'none')).json()
    expect(Rows.find(({ Key }: { Key: string }) => Key === String(next)).MedianDaysToSell).to.equal(2)
  })

  it('makes each once where replies are lost, damaged or refused', async () => {
    const ids = [await unsold(), await unsold(), await unsold()]
    const faults = { 'drop-after': '25%', 'drop-before': '10%', unavailable: '10%', seed: '7' }
    await setFaults(home, faults)
    await relist(...ids.map(String), '--yes')
    let counts: Record<string, number> = {}
    for (let tries = 0; tries < 60 && counts.ok !== 3; tries++) {
      counts = ((await run('jobs:resume', '--wait', '--unknown', 'again', '--retry-failed')).json()?.Counts ?? counts) as Record<
        string,
        number
      >
      if (counts.ok === undefined) counts = (await run('jobs:list', '--limit', '1')).json()[0].Counts
    }
    await setFaults(home, { 'drop-after': '0%', 'drop-before': '0%', unavailable: '0%' })
    expect(counts.ok).to.equal(3)
    const own = (await live()).filter(({ OwnReferences }) => [0, 1, 2].some((at) => OwnReferences[0] === `UNSOLD-${named - at}`))
    expect(own.map(({ ImageLinks }) => ImageLinks.length)).to.deep.equal([2, 2, 2])
  })

  it('asks on a terminal, takes a list from stdin, and is dropped before its time', async () => {
    const id = await unsold()
    home.calls()
    const person = ask(home, ['items:relist', String(id), '--add', '-10%'], { clock })
    expect(await person.sees('Put up 1 auction?')).to.match(/100 kr\s+90 kr/)
    await person.enters('n')
    expect([(await person.done).code, home.calls().includes('AddItem')]).to.deep.equal([EXIT.held, false])
    const list = (await run('items:list', '--type', 'auction', '--state', 'ended', '--ends-after=-2m', '--ends-before', 'now'))
      .stdout
    const args = ['items:relist', '--file', '-', '--from', '+1h', '--yes', '--json']
    const piped = await home.run(args, { clock, stdin: list })
    expect(piped.json().Counts?.unsent, piped.stdout + piped.stderr).to.equal(1)
    expect((await run('jobs:drop', String(piped.json().JobId))).code).to.equal(0)
    clock.time += 2 * 3_600_000
    home.calls()
    expect([(await run('jobs:due')).json(), home.calls()]).to.deep.equal([[], []])
  })

  it('makes one auction of two runs at once', async () => {
    const id = await unsold()
    await Promise.all([1, 2, 3].map(() => relist(String(id), '--yes', '--wait')))
    expect((await live()).filter(({ OwnReferences }) => OwnReferences[0] === `UNSOLD-${named}`)).to.have.length(1)
  })

  it('makes one auction of two machines that plan it at the same moment: each asks again right before it sends', async () => {
    const id = await unsold({ OwnReferences: [] })
    const title = (await item(id)).ShortDescription
    const machines = [{ clock }, { clock, env: { SELLER_DATA_DIR: join(home.dir, 'another-machine') } }]
    const made: number[] = []
    for (const machine of machines) {
      const planned = await home.run(['items:relist', String(id), '--from', '+1s', '--yes', '--json'], machine)
      expect([planned.code, planned.json().Counts.unsent], planned.stderr).to.deep.equal([0, 1])
      made.push(planned.json().JobId)
    }
    clock.time += 2000
    const ends = []
    for (const [at, machine] of machines.entries())
      ends.push(await home.run(['jobs:resume', String(made[at]), '--wait', '--json'], machine))
    expect(
      ends.map(({ code }) => code),
      ends[1]?.stderr,
    ).to.deep.equal([0, EXIT.held])
    expect(ends[1]?.json().Counts.held, ends[1]?.stdout).to.equal(1)
    expect((await live()).filter(({ ShortDescription }) => ShortDescription === title)).to.have.length(1)
  })

  it('a start that was put up elsewhere meanwhile is held', async () => {
    const id = await unsold()
    const reference = `UNSOLD-${named}`
    expect((await relist(String(id), '--from', '+1h', '--yes')).code).to.equal(0)
    await run(...words`items:add --title Samma --category ${CATEGORY} --opening 5 --reference ${reference} --again --yes --wait`)
    clock.time += 2 * 3_600_000
    home.calls()
    const [due] = (await run('jobs:due')).json()
    expect([due.Counts.held, home.calls().includes('AddItem')]).to.deep.equal([1, false])
  })
})

describe('items:relist without the listing service', () => {
  it('says so once, and goes by own references and sales', async () => {
    await using home = closing(await openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true }))
    const run = await home.seller('items:relist', '--unsold', '--json', '--yes', '--wait')
    expect(run.json().Counts.ok, run.stderr).to.be.above(1)
    expect(run.stderr.match(/The service has no GetItemRestarts/g)).to.have.length(1)
    expect(home.calls().filter((name) => name === 'GetItemRestarts')).to.have.length.at.most(1)
  })
})

describe('items:relist, killed', () => {
  it('makes each auction once, with all its images, wherever it is killed', async () => {
    await using home = closing(await openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true, extended: true }))
    const image = await home.file('a.png', PIXEL.png)
    const ids: number[] = []
    for (let at = 0; at < 3; at++) {
      const args = [
        '--title',
        `Krus ${at}`,
        '--category',
        CATEGORY,
        '--opening',
        '10',
        '--reference',
        `KRUS-${at}`,
        '--shipping',
        'pickup',
      ]
      const added = await home.seller('items:add', ...args, '--image', image, '--image', image, '--yes', '--wait', '--json')
      ids.push(added.json().ItemId)
      await home.seller('items:end', String(added.json().ItemId), '--yes')
    }
    await setFaults(home, { latency: '150ms' })
    const first = ['items:relist', ...ids.map(String), '--yes', '--concurrency', '1']
    for (const [stage, args] of [
      ['AddItem', first],
      ['AddItemImage', ['jobs:resume']],
      ['AddItemCommit', ['jobs:resume']],
      ['AddItemImage', ['jobs:resume']],
    ] as const) {
      home.calls()
      const running = home.spawn([...args])
      const seen: string[] = []
      while (!seen.includes(stage)) {
        seen.push(...home.calls())
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      running.kill('SIGKILL')
      await running.done
    }
    await setFaults(home, { latency: '0ms' })
    const end = await home.seller('jobs:resume', '--wait', '--json')
    expect([end.code, end.json().Counts.ok], end.stdout + end.stderr).to.deep.equal([0, 3])
    const live = (await home.seller('items:list', '--state', 'active', '--type', 'auction', '--json')).json() as Item[]
    const own = live.filter(({ OwnReferences }) => OwnReferences.some((text: string) => text.startsWith('KRUS-')))
    expect(own.map(({ OwnReferences, ImageLinks }) => [OwnReferences[0], ImageLinks.length]).sort()).to.deep.equal(
      [0, 1, 2].map((at) => [`KRUS-${at}`, 2]),
    )
  })
})
