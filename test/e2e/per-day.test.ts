/** Jobs that are sent by the day (--per-day), and one undo for all parts of a sync. */
import { join } from 'node:path'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { Hands } from './clock.js'
import type { Run } from './harness.js'
import { CATEGORY, type ObservedHome, openObserved } from './observed.js'
import { stock } from './shop.js'

const DAY = 24 * 60 * 60 * 1000
const HEAD = 'OwnReferences,Title,CategoryId,Price,AbsoluteQuantity,ShippingCondition'
const added = (reference: string, price = 149) => `${reference},Vara ${reference},${CATEGORY},${price},3,`

describe('a job that is sent by the day', function () {
  this.timeout(60_000)
  let home: ObservedHome
  let clock: Hands
  const run = (...args: string[]): Promise<Run> => home.run(args, { clock })
  const json = async (...args: string[]) => {
    const ended = await run(...args, '--json')
    expect(ended.code, ended.stdout + ended.stderr).to.equal(EXIT.ok)
    return ended.json()
  }
  const sync = async (lines: readonly string[], ...args: string[]): Promise<Run> => {
    const file = await home.file('catalogue.csv', `${[HEAD, ...lines].join('\n')}\n`)
    return run('shop:sync', '--file', file, '--json', ...args)
  }
  const idOf = async (reference: string): Promise<number> => {
    const items = (await json('items:list', '--type', 'shop', '--state', 'active')) as { Id: number; OwnReferences: string[] }[]
    return items.find(({ OwnReferences }) => OwnReferences.includes(reference))?.Id ?? 0
  }
  const references = async (): Promise<string[]> =>
    (await json('items:list', '--type', 'shop', '--state', 'active')).flatMap(
      ({ OwnReferences }: { OwnReferences: string[] }) => OwnReferences,
    )

  beforeEach(async () => {
    clock = new Hands()
    home = await openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true, extended: true, described: true, clock })
    const store = openStore(join(home.dir, 'server.db'), 'process')
    store.exec('UPDATE items SET ends = starts')
    store.close()
    await stock(home, [100, 200], { reference: (at) => `R${at}` })
    home.calls()
  })
  afterEach(() => home.close())

  const NEW = ['N1', 'N2', 'N3', 'N4', 'N5']

  it('sends so many calls a day, and jobs:due the rest, once each, however often it runs', async () => {
    const lines = ['R0,,,110,,', ...NEW.map((reference) => added(reference))]
    const dry = await sync(lines, '--per-day', '2', '--dry-run')
    expect(dry.stderr).to.include('With 2 calls a day it takes 3 days, until 2026-11-24.')
    const first = await sync(lines, '--per-day', '2', '--yes', '--wait')
    expect(first.code, first.stderr).to.equal(EXIT.ok)
    const { JobId, State, Message, Counts } = first.json()
    expect([State, Counts.ok, Counts.unsent]).to.deep.equal(['scheduled', 2, 4])
    expect(Message).to.equal('4 to be sent by 2 calls a day, the next at 2026-11-23 09:00')
    expect(await references()).to.have.members(['R0', 'R1', 'N1'])
    // Nothing is due, and nothing is asked of the service.
    home.calls()
    for (const time of [60_000, DAY / 2]) {
      clock.time += time
      const early = await run('jobs:due')
      expect([early.code, early.stdout, home.calls()]).to.deep.equal([EXIT.ok, '', []])
    }
    const today = (await json('today')).find(({ Kind }: { Kind: string }) => Kind === 'by_day')
    expect(today).to.deep.include({ Count: 4, Words: '4 rows are sent by the day, the next 2026-11-23 09:00' })
    expect(today.Command).to.equal(`seller jobs:show ${JobId}`)
    expect((await json('jobs:show', String(JobId))).State).to.equal('scheduled')
    expect((await run('jobs:list')).stderr).to.include(`Job ${JobId} is scheduled: the next rows are sent at 2026-11-23 09:00`)
    clock.time += DAY / 2
    const due = await json('jobs:due', '--wait')
    expect(due).to.have.length(1)
    expect(due[0]).to.include({ Part: 'rows', JobId, State: 'scheduled' })
    expect(due[0].next[0].command).to.equal('seller jobs:due')
    const again = await Promise.all([run('jobs:due'), run('jobs:due', '--json')])
    expect(again.map(({ code }) => code)).to.deep.equal([EXIT.ok, EXIT.ok])
    expect(await references()).to.have.members(['R0', 'R1', 'N1', 'N2', 'N3'])
    clock.time += DAY + 60_000
    expect((await json('jobs:due', '--wait'))[0]).to.include({ State: 'ok' })
    expect(await references()).to.have.members(['R0', 'R1', ...NEW])
    clock.time += DAY + 60_000
    expect(await json('jobs:due')).to.deep.equal([])
    expect((await sync(lines, '--yes')).json()).to.include({ JobId: null, Unchanged: 6 })
  })

  it('compares the rows of each day with the shop: what has come, left or changed meanwhile is held', async () => {
    const lines = [...NEW.map((reference) => added(reference)), 'R0,,,,,Hämtas i butiken.']
    const first = await sync(lines, '--per-day', '1', '--remove-missing', '--max-removed', 'off', '--yes', '--wait')
    expect(first.code, first.stderr).to.equal(EXIT.ok)
    const id = String(first.json().JobId)
    clock.time += 60_000
    // Somebody adds one by another tool, and removes the one that this job is to remove.
    await stock(home, [149], { reference: () => 'N3' })
    const gone = await idOf('R1')
    const store = openStore(join(home.dir, 'server.db'), 'process')
    store.run('UPDATE items SET ends = starts WHERE id = ?', gone)
    store.close()
    const exits: (number | null)[] = []
    for (let day = 0; day < 6; day++) {
      clock.time += DAY
      exits.push((await run('jobs:due', '--wait')).code)
    }
    const rows = (await json('jobs:show', id)).Rows as { State: string; OwnReference: string | null; Code: string | null }[]
    expect(rows.filter(({ State }) => State === 'held').map(({ OwnReference, Code }) => [OwnReference, Code])).to.deep.equal([
      ['N3', 'reference_live'],
      ['R1', 'gone'],
    ])
    expect(await references()).to.have.members(['R0', ...NEW])
    expect(exits, exits.join()).to.include(EXIT.held)
  })

  it('waits a day, and no more, after a clock that was ahead is set right', async () => {
    const first = await sync(
      NEW.map((reference) => added(reference)),
      '--per-day',
      '2',
      '--yes',
      '--wait',
    )
    const id = String(first.json().JobId)
    // A clock that was wrong by a year, and is set right again.
    clock.time += 365 * DAY
    await json('jobs:due', '--wait')
    clock.time -= 365 * DAY
    expect(await json('jobs:due')).to.deep.equal([])
    clock.time += DAY - 1000
    expect(await json('jobs:due')).to.deep.equal([])
    clock.time += 2000
    expect((await json('jobs:due', '--wait'))[0]).to.include({ JobId: Number(id), State: 'ok' })
    expect(home.calls().filter((operation) => operation === 'AddShopItem')).to.have.length(NEW.length)
  })

  it('takes another pace or none, and is not undone before it is dropped', async () => {
    const first = await sync(
      NEW.map((reference) => added(reference)),
      '--per-day',
      '1',
      '--yes',
      '--wait',
    )
    const id = String(first.json().JobId)
    const early = await run('jobs:undo', id, '--yes', '--json')
    expect([early.code, early.json().error.code]).to.deep.equal([EXIT.usage, 'undo_impossible'])
    expect(early.json().error.hint).to.include(`jobs:drop ${id}`)
    const more = await json('jobs:resume', id, '--per-day', '3', '--wait')
    expect([more.State, more.Counts.ok]).to.deep.equal(['scheduled', 3])
    const rest = await json('jobs:resume', id, '--per-day', 'off', '--wait')
    expect([rest.State, rest.Counts.ok]).to.deep.equal(['ok', 5])
    const undone = await json('jobs:undo', id, '--yes', '--wait')
    expect([undone.Kind, undone.Removed]).to.deep.equal(['sync', 5])
    expect(await references()).to.have.members(['R0', 'R1'])
  })

  it('shares the day with other jobs of the shop, and with the one whose place a later sync takes', async () => {
    await sync(
      NEW.slice(0, 3).map((reference) => added(reference)),
      '--per-day',
      '2',
      '--yes',
      '--wait',
    )
    const later = await sync(
      NEW.map((reference) => added(reference)),
      '--per-day',
      '2',
      '--yes',
      '--wait',
    )
    expect(later.json().Counts, later.stderr).to.include({ ok: 0, unsent: 3 })
    clock.time += DAY + 1
    await json('jobs:due', '--wait')
    expect(await references()).to.have.length(6)
  })

  it('is undone as a whole: prices, numbers, fields and additions by one plan; what was removed is named', async () => {
    const lines = ['R0,,,110,7,Hämtas i butiken.', added('N1'), added('N2')]
    const shop = async () =>
      (await json('items:list', '--type', 'shop', '--state', 'active')).map((item: Record<string, unknown>) => [
        item.OwnReferences,
        item.BuyItNowPrice,
        item.RemainingQuantity,
      ])
    const before = await shop()
    const made = await sync(lines, '--remove-missing', '--max-removed', 'off', '--yes', '--wait')
    expect(made.code, made.stderr).to.equal(EXIT.ok)
    const id = String(made.json().JobId)
    expect(made.stderr).to.include(`Take back what it did with: seller jobs:undo ${id}`)
    // One of the additions is changed by hand: it is somebody's by now.
    const own = await idOf('N2')
    await json('shop:price', `${own}=159`, '--yes', '--wait')
    const dry = await run('jobs:undo', id, '--dry-run', '--json')
    expect(
      dry.json().Rows.map((row: Record<string, unknown>) => [row.Action, row.OwnReference, row.State]),
    ).to.deep.include.members([
      ['remove', 'N1', 'change'],
      ['remove', 'N2', 'held'],
    ])
    expect(dry.json().Summary).to.include({ Change: 4, Held: 1 })
    expect(dry.stderr).to.include('1 removed item stays removed, because the service cannot bring one back: R1')
    const undone = await run('jobs:undo', id, '--yes', '--wait', '--json')
    expect(undone.code, undone.stdout).to.equal(EXIT.held)
    expect(undone.json()).to.include({ Kind: 'sync', Repriced: 1, Restocked: 1, Updated: 1, Removed: 1 })
    expect(await shop()).to.deep.include.members(before.filter(([own]: [string[]]) => own[0] === 'R0'))
    expect(await references()).to.have.members(['R0', 'N2'])
    // The undo is a job as others: it is undone by one command, too.
    const back = await run('jobs:undo', String(undone.json().JobId), '--yes', '--wait', '--json')
    expect(back.json(), back.stderr).to.include({ Repriced: 1, Restocked: 1, Updated: 1, Removed: 0 })
  })
})
