import { expect } from 'chai'
import { OVERLAP_MS, openWatch, type SaleWatch, type WatchedSale } from '../../src/jobs/ledger/sale-watches.js'
import { removalAfterOldSales } from '../../src/jobs/upkeep/tables.js'
import { thisProcess } from '../../src/system/process-owner.js'
import { cleanUp, FakeClock, temporaryLedger } from './harness.js'

const OWNER = { profile: 'shop', address: 'https://api.example.com', userId: 7 }
/** A process that has ended. */
const GONE = JSON.stringify({ ...JSON.parse(thisProcess()), pid: 999_999_999 })
const sale = (Id: number, At = Id * 100) => ({ Id, At })
/** @returns how many times it was tried before; undefined where it was not taken */
const take = (watch: SaleWatch, one: WatchedSale): number | undefined => watch.take([one]).get(one.Id)

describe('a watch of sales', () => {
  afterEach(cleanUp)

  const open = () => {
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    const watch = openWatch(ledger, OWNER, 'till')
    return { ledger, watch, clock }
  }

  it('begins once: what was there is never delivered, and a second begin changes nothing', () => {
    const { watch } = open()
    expect(watch.state()).to.equal(undefined)
    watch.start(50, [sale(1)])
    watch.start(60, [sale(2)])
    expect(watch.state()).to.deep.equal({ since: 50, lookedAt: null })
    expect([take(watch, sale(1)), take(watch, sale(2))]).to.deep.equal([undefined, 0])
    watch.noteLook(700)
    expect(watch.state()).to.deep.equal({ since: 50, lookedAt: 700 })
  })

  it('delivers a sale once, and again only what failed, counting the tries', () => {
    const { watch } = open()
    watch.start(0, [])
    expect(take(watch, sale(1))).to.equal(0)
    expect(take(watch, sale(1)), 'it is being delivered').to.equal(undefined)
    watch.failed(1, false)
    expect(watch.oldestFailed()).to.equal(100)
    expect(take(watch, sale(1))).to.equal(1)
    expect(watch.oldestFailed()).to.equal(undefined)
    watch.release([1])
    expect(take(watch, sale(1)), 'a try that was none does not count').to.equal(1)
    watch.done([1])
    expect(take(watch, sale(1))).to.equal(undefined)
    expect(watch.open()).to.deep.equal({ unknown: [], givenUp: [] })
  })

  it('keeps what is unknown or given up until it is asked for again', () => {
    const { watch } = open()
    watch.start(0, [])
    for (const id of [3, 2, 1]) take(watch, sale(id))
    watch.unknown(3)
    watch.failed(2, true)
    watch.done([1])
    expect(watch.open()).to.deep.equal({ unknown: [sale(3)], givenUp: [sale(2)] })
    for (const id of [1, 2, 3]) expect(take(watch, sale(id))).to.equal(undefined)
    expect(watch.again([1, 2, 3, 4]), 'those that are neither').to.deep.equal([1, 4])
    expect(watch.open()).to.deep.equal({ unknown: [], givenUp: [] })
    expect(watch.oldestFailed()).to.equal(200)
    expect([take(watch, sale(2)), take(watch, sale(3))], 'the tries begin anew').to.deep.equal([0, 0])
  })

  it('marks what a dead process has left, and nothing of one that lives', () => {
    const { ledger, watch } = open()
    watch.start(0, [])
    take(watch, sale(1))
    take(watch, sale(2))
    expect(watch.markAbandoned()).to.deep.equal([])
    ledger.store.run('UPDATE watched_sales SET owner = ? WHERE id = 2', GONE)
    expect(watch.markAbandoned()).to.deep.equal([sale(2)])
    expect(watch.markAbandoned()).to.deep.equal([])
    expect(watch.open()).to.deep.equal({ unknown: [sale(2)], givenUp: [] })
    watch.done([1])
    expect(take(watch, sale(1))).to.equal(undefined)
  })

  it('believes for a quarter of an hour in a process that it cannot judge, and not for ever', () => {
    const { ledger, watch, clock } = open()
    const own = JSON.parse(thisProcess())
    for (const [name, other] of [
      ['a new container', { ...own, host: 'another' }],
      ['an id in use, on a system without start times', { ...own, started: '' }],
    ]) {
      const there = openWatch(ledger, OWNER, name)
      there.start(0, [])
      take(there, sale(1))
      ledger.store.run('UPDATE watched_sales SET owner = ? WHERE name = ?', JSON.stringify(other), name)
      clock.time += 15 * 60_000 - 1
      expect(there.markAbandoned(), name).to.deep.equal([])
      clock.time += 1
      expect(there.markAbandoned(), name).to.deep.equal([sale(1)])
      there.done([1])
      expect(there.open().unknown, 'it was only slow').to.deep.equal([])
    }
    watch.start(0, [])
    take(watch, sale(1))
    ledger.store.run('UPDATE watched_sales SET owner = ? WHERE name = ?', JSON.stringify({ ...own, host: 'another' }), 'till')
    watch.done([1])
    expect(take(watch, sale(1)), 'what another process has taken is its own').to.equal(undefined)
    clock.time += 15 * 60_000
    expect(watch.markAbandoned()).to.deep.equal([sale(1)])
  })

  it('keeps the marks of delivered sales at a prune, but for those that the next look does not reach', () => {
    const { ledger, watch } = open()
    watch.start(0, [])
    for (const id of [1, 2, 3]) take(watch, sale(id))
    watch.failed(1, false)
    watch.done([2, 3])
    const lookedAt = sale(3).At + OVERLAP_MS
    watch.noteLook(lookedAt)
    const prune = (before: number) => {
      ledger.store.transaction(() => {
        for (const [sql, ...values] of removalAfterOldSales(before))
          if (/^(?:UPDATE sale_watches|DELETE FROM watched_sales WHERE)/.test(sql)) ledger.store.run(sql, ...values)
      })
      return ledger.store.all<{ id: number }>('SELECT id FROM watched_sales ORDER BY id').map(({ id }) => id)
    }
    // The next look reads from sale 1 on, and would deliver 2 and 3 once more.
    expect(prune(lookedAt + 1)).to.deep.equal([1, 2, 3])
    watch.done([1])
    expect(prune(lookedAt), 'it is run').to.deep.equal([1, 2, 3])
    // It reads from a day before its last look: that is sale 3. What is older, and comes again because it has changed, is not
    // delivered.
    expect(prune(lookedAt + 1)).to.deep.equal([3])
    expect(watch.state()?.since).to.equal(sale(3).At)
  })

  it('leaves what was delivered, refused, given up or unknown as it is when its process dies', () => {
    const { ledger, watch } = open()
    watch.start(0, [])
    for (const id of [5, 4, 3, 2, 1]) take(watch, sale(id))
    watch.done([1])
    watch.failed(2, false)
    watch.failed(3, true)
    watch.unknown(4)
    watch.release([5])
    const states = () =>
      ledger.store
        .all<{ state: string; owner: string | null }>('SELECT state, owner FROM watched_sales ORDER BY id')
        .map(({ state, owner }) => [state, owner])
    const ended = ['done', 'failed', 'given up', 'unknown', 'failed'].map((state) => [state, null])
    expect(states()).to.deep.equal(ended)
    expect(watch.markAbandoned()).to.deep.equal([])
    expect(states()).to.deep.equal(ended)
    expect(watch.oldestFailed()).to.equal(200)
    take(watch, sale(2))
    expect(watch.oldestFailed()).to.equal(500)
  })

  it('names what is open, and what a dead process has left, the oldest sale first', () => {
    const { ledger, watch } = open()
    watch.start(0, [])
    const sales = [sale(1, 300), sale(2, 100), sale(4, 200), sale(3, 200)]
    for (const one of sales) take(watch, one)
    ledger.store.run('UPDATE watched_sales SET owner = ?', GONE)
    const inOrder = [sale(2, 100), sale(3, 200), sale(4, 200), sale(1, 300)]
    expect(watch.markAbandoned()).to.deep.equal(inOrder)
    expect(watch.open()).to.deep.equal({ unknown: inOrder, givenUp: [] })
  })

  it('is apart from one of another name, and of another shop', () => {
    const { ledger, watch } = open()
    watch.start(0, [])
    take(watch, sale(1))
    for (const other of [openWatch(ledger, OWNER, 'stock'), openWatch(ledger, { ...OWNER, userId: 8 }, 'till')]) {
      expect(other.state()).to.equal(undefined)
      other.start(0, [])
      expect(take(other, sale(1))).to.equal(0)
      other.unknown(1)
      expect(other.open().unknown).to.deep.equal([sale(1)])
    }
    expect(watch.open().unknown).to.deep.equal([])
  })
})
