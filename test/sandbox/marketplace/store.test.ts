import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { operations } from '../../../src/contract/index.js'
import { openMarketplace, SandboxError } from '../../../src/sandbox/marketplace/index.js'
import { MIGRATIONS } from '../../../src/sandbox/marketplace/store/schema.js'
import { openMarketStore, takeNumbers } from '../../../src/sandbox/marketplace/store/store.js'
import { Store } from '../../../src/system/sqlite.js'
import { integrityFaults } from '../../grow.js'
import { openedForEach } from '../../opened.js'
import { programOf } from '../../program.js'
import { scratch } from '../../scratch.js'
import { ALL, Market, ME, SHOP_ITEM, START } from './market.js'

const WORKER = programOf(new URL('worker.ts', import.meta.url))
const clock = { now: () => START }

function worker(...args: (string | number)[]): ChildProcess {
  return spawn(process.execPath, [...WORKER.execArgv, WORKER.path, ...args.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] })
}

describe('sandbox/marketplace: the file', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(scratch(), 'marketplace-file-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('is made and seeded on first use, and the same afterwards', () => {
    const path = join(folder, 'new.db')
    const first = openMarketplace({ path, clock })
    const items = first.console.items(1000, 0)
    first.close()
    const again = openMarketplace({ path, clock: { now: () => START + 5 } })
    expect(again.console.items(1000, 0)).to.deep.equal(items)
    again.close()
  })

  it('is refused by name when it is not a sandbox, lies nowhere, or was made by a newer version', () => {
    const text = join(folder, 'notes.txt')
    writeFileSync(text, 'Not a database, and long enough to be taken for one by its first hundred bytes.'.repeat(20))
    expect(() => openMarketplace({ path: text, clock })).to.throw(SandboxError, /notes\.txt" is not a sandbox, or is damaged/)
    const nowhere = join(folder, 'no', 'such', 'folder.db')
    expect(() => openMarketplace({ path: nowhere, clock })).to.throw(
      SandboxError,
      /folder\.db" cannot be used: .*Check that its folder exists/,
    )
    const newer = join(folder, 'newer.db')
    const store = openMarketStore(newer, () => {})
    store.run('PRAGMA user_version = 99')
    store.close()
    expect(() => openMarketplace({ path: newer, clock })).to.throw(
      SandboxError,
      /made by a newer version \(99; this one knows \d+\)/,
    )
    expect(existsSync(newer)).to.equal(true)
  })

  it('of an older version is copied before it is upgraded', () => {
    const older = join(folder, 'older.db')
    const store = new Store(older, { durability: 'process', foreignKeys: false, errorOf: (fault) => fault })
    for (const migration of MIGRATIONS.slice(0, 2)) store.exec(migration)
    store.exec('PRAGMA user_version = 2')
    store.close()
    openMarketplace({ path: older, clock }).close()
    const copy = new Store(`${older}.layout-2`, { durability: 'process', foreignKeys: false, errorOf: (fault) => fault })
    expect(copy.number('PRAGMA user_version')).to.equal(2)
    copy.close()
  })

  it('may be closed twice, and carries nothing out when closed', () => {
    const marketplace = openMarketplace({ path: join(folder, 'closed.db'), clock })
    marketplace.close()
    marketplace.close()
    expect(() => marketplace.perform(operations.GetOfficalTime, {}, ME)).to.throw(SandboxError, 'closed')
  })

  it('takes back all of a transaction that fails', () => {
    const store = openMarketStore(join(folder, 'back.db'), () => {})
    const count = () => store.first<{ n: number }>('SELECT count(*) AS n FROM meta')?.n
    expect(() =>
      store.transaction(() => {
        store.run("INSERT INTO meta (key, value) VALUES ('a', 1)")
        store.transaction(() => store.run("INSERT INTO meta (key, value) VALUES ('b', 1)"))
        throw new Error('half way')
      }),
    ).to.throw('half way')
    expect(count()).to.equal(0)
    store.transaction(() => store.run("INSERT INTO meta (key, value) VALUES ('a', 1)"))
    expect(count()).to.equal(1)
    expect(() => store.transaction(() => takeNumbers(store, 'item'))).to.throw(SandboxError, /lacks its counter of items/)
    store.close()
  })
})

describe('sandbox/marketplace: several on one file', () => {
  const market = openedForEach(() => new Market())

  it('sees what another has done, time and reset included', () => {
    const other = market.another({ queueDelayMs: 0 })
    const added = other.perform(operations.AddShopItem, { shopItemData: SHOP_ITEM }, ME) as { RequestId: number; ItemId: number }
    expect(market.result(added.RequestId)?.ResultCode).to.equal('Ok')
    expect(market.item(added.ItemId).ShortDescription).to.equal(SHOP_ITEM.Title)
    other.control.advance(60_000)
    expect(market.marketplace.now()).to.equal(START + 60_000)
    market.marketplace.control.reset()
    expect(other.now()).to.equal(START)
    expect([...(other.perform(operations.GetSellerItems, { ...ALL }, ME) as Iterable<unknown>)]).to.have.length(202)
    const next = other.perform(operations.AddShopItem, { shopItemData: SHOP_ITEM }, ME) as { RequestId: number }
    expect(next.RequestId).to.be.greaterThan(added.RequestId)
    other.close()
  })

  it('lets processes write at once: every call of each is carried out once', async () => {
    const { first } = market.grow(100)
    const workers = [worker(market.path, first, 100, 40), worker(market.path, first + 50, 1000, 40)]
    const codes = await Promise.all(workers.map((child) => once(child, 'exit')))
    expect(codes.map(([code]) => code)).to.deep.equal([0, 0])
    market.now = Date.now() + 60_000
    expect(market.item(first).BuyItNowPrice).to.equal(139)
    expect(market.item(first + 50).BuyItNowPrice).to.equal(1039)
    const requests = market.marketplace.console.requests(1000)
    expect(requests).to.have.length(80)
    expect(requests.every((request) => request.resultCode === 'Ok' && request.count === 50)).to.equal(true)
    const ids = requests.map((request) => request.requestId).sort((a, b) => a - b)
    expect(ids.every((id, index) => index === 0 || id === (ids[index - 1] ?? 0) + 50)).to.equal(true)
    expect(integrityFaults(market.path)).to.deep.equal([])
  })

  it('is whole after a process was killed in the midst: each call is done or not at all', async () => {
    const { first } = market.grow(50)
    const child = worker(market.path, first, 100, 100_000)
    let reported = 0
    child.stdout?.on('data', (text: Buffer) => {
      reported += text.toString().split('\n').length - 1
      if (reported > 20) child.kill('SIGKILL')
    })
    await once(child, 'close')
    market.now = Date.now() + 60_000
    const prices = new Set(Array.from({ length: 50 }, (_, index) => market.item(first + index).BuyItNowPrice))
    expect(prices.size).to.equal(1)
    const done = market.marketplace.console.requests(1_000_000)
    expect(done.length).to.be.at.least(reported)
    expect([...prices][0]).to.equal(99 + done.length)
    expect(done.every((request) => request.resultCode === 'Ok')).to.equal(true)
    expect(integrityFaults(market.path)).to.deep.equal([])
  })
})
