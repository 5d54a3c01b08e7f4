/** The readings of live lists as the ledger keeps them. */
import { expect } from 'chai'
import type { NewReading } from '../../../src/jobs/ledger/price-history.js'
import { cleanUp, temporaryLedger } from '../harness.js'

const OWNER = { profile: 'shop', userId: 7 }
const bytes = (...values: number[]) => new Uint8Array(values)

describe('readings in the ledger', () => {
  afterEach(cleanUp)

  const open = () => {
    const { history, store } = temporaryLedger()
    history.begin(OWNER, { at: 100, lastJob: 4, openJob: null, items: 1, prices: bytes(1) })
    const shop = () => {
      const found = history.shop(OWNER)
      if (found === undefined) throw new Error('The shop is not there.')
      return found
    }
    const add = (more: Partial<NewReading> = {}) =>
      history.add(shop(), {
        ...{
          at: 200,
          lastJob: 6,
          openJob: 5,
          whole: true,
          changed: { count: 1, moves: bytes(9), items: 2, prices: bytes(2, 2) },
        },
        ...more,
      })
    const readings = (filter?: { since?: number }) => [...history.readings(shop().shopId, filter)]
    return { history, store, shop, add, readings }
  }

  it('begin with all prices, and are begun once', () => {
    const { history, shop } = open()
    const first = {
      ...{ shopId: 1, knownFrom: 100, firstJob: 4, seenAt: 100, lastJob: 4, openJob: null, version: 1, items: 1 },
      prices: bytes(1),
      referenced: null,
    }
    expect(shop()).to.deep.equal(first)
    history.begin(OWNER, { at: 150, lastJob: 5, openJob: 5, items: 3, prices: bytes(3) })
    expect(shop()).to.deep.equal(first)
    expect(history.shop({ ...OWNER, userId: 8 })).to.equal(undefined)
    expect(history.shop({ ...OWNER, profile: 'other' })).to.equal(undefined)
  })

  it('of the whole list move on what was seen; a reading of a category does not', () => {
    const { shop, add, readings } = open()
    expect(add({ whole: false })).to.equal(true)
    expect(shop()).to.deep.include({ seenAt: 100, lastJob: 4, openJob: null, version: 2, items: 2 })
    expect(shop().prices).to.deep.equal(bytes(2, 2))
    expect(add({ at: 300, changed: { count: 2, moves: bytes(8, 8), items: 3, prices: bytes(3) } })).to.equal(true)
    expect(shop()).to.deep.include({ knownFrom: 100, seenAt: 300, lastJob: 6, openJob: 5, version: 3, items: 3 })
    expect(readings()).to.deep.equal([
      { readingId: 1, at: 200, lastJob: 6, whole: false, count: 1, moves: bytes(9) },
      { readingId: 2, at: 300, lastJob: 6, whole: true, count: 2, moves: bytes(8, 8) },
    ])
    expect(readings({ since: 201 }).map(({ readingId }) => readingId)).to.deep.equal([2])
    expect(readings({ since: 300 }).map(({ readingId }) => readingId)).to.deep.equal([2])
    expect(readings({ since: 301 })).to.deep.equal([])
  })

  it('that found nothing leave the prices alone', () => {
    const { shop, add, readings } = open()
    expect(add({ changed: undefined })).to.equal(true)
    expect(shop()).to.deep.include({ seenAt: 200, version: 2, items: 1 })
    expect(readings()).to.deep.equal([])
  })

  it('of a shop that another process has read since are dropped', () => {
    const { history, shop, add, readings } = open()
    const before = shop()
    add({ changed: undefined })
    expect(history.add(before, { at: 400, lastJob: 9, openJob: null, whole: true })).to.equal(false)
    expect(history.add({ shopId: 99, version: 1 }, { at: 400, lastJob: 9, openJob: null, whole: true })).to.equal(false)
    expect(shop()).to.deep.include({ seenAt: 200, version: 2 })
    expect(readings()).to.deep.equal([])
  })

  it('are rewritten or deleted, and what was forgotten never comes back', () => {
    const { history, store, shop, add, readings } = open()
    add()
    add({ at: 300 })
    const shorten = (readingId: number, at: number, lastJob: number, kept?: { count: number; bytes: Uint8Array }) => {
      const reading = { readingId, at, lastJob, whole: true, count: 0, moves: bytes() }
      for (const [sql, ...values] of history.shortened(shop().shopId, reading, kept)) store.run(sql, ...values)
    }
    shorten(1, 250, 9, { count: 5, bytes: bytes(7) })
    shorten(2, 200, 3)
    expect(readings().map(({ readingId, count, moves }) => [readingId, count, [...moves]])).to.deep.equal([[1, 5, [7]]])
    expect(shop()).to.deep.include({ knownFrom: 250, firstJob: 9 })
    history.begin({ ...OWNER, userId: 8 }, { at: 1, lastJob: 1, openJob: null, items: 0, prices: bytes() })
    expect(history.shops()).to.deep.equal([1, 2])
  })
})
