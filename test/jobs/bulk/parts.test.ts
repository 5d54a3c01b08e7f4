import { expect } from 'chai'
import {
  bulkRows,
  createWhole,
  dropJob,
  inFlight,
  listParts,
  type NewPart,
  recoverParts,
  runBulkJob,
  supersede,
  wholeJob,
} from '../../../src/jobs/bulk/index.js'
import type { Ledger } from '../../../src/jobs/index.js'
import { findRemovals } from '../../../src/jobs/removed.js'
import { findFaults } from '../../../src/jobs/upkeep/check.js'
import { planPrune, pruneLedger } from '../../../src/jobs/upkeep/prune.js'
import { said } from '../../said.js'
import { cleanUp, FakeClock, temporaryLedger } from '../harness.js'
import { add, FakeService, FORM, price, remove } from './support.js'

const SHOP = { profile: 'shop', userId: 7 }
const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

describe('a job with parts', () => {
  afterEach(cleanUp)

  const make = () => {
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    const create = (...parts: NewPart[]) =>
      createWhole(ledger, { ...SHOP, title: 'shop:sync', form: FORM, parts }, () => {}).JobId
    const service = FakeService.shop({ 1: 100, 2: 100, 3: 100 })
    const run = (jobId: number, wait = true) => runBulkJob({ ledger, client: service.client, clock, jobId, wait })
    return { clock, ledger, create, service, run }
  }
  const states = (ledger: Ledger, jobId: number) => listParts(ledger, jobId).map(({ Kind, State }) => `${Kind} ${State}`)
  const sending = (ledger: Ledger, jobId: number) =>
    ledger.store.run("UPDATE bulk_states SET states = x'01', unsent = 0, sending = 1 WHERE job_id = ?", jobId)

  it('has the state of all its rows together, whichever part was run', async () => {
    const { ledger, create, run } = make()
    const jobId = create(remove(3), add('N'), price(1, 2))
    expect(states(ledger, jobId)).to.deep.equal(['price open', 'add-shop open', 'remove open'])
    const [prices, additions, removals] = listParts(ledger, jobId).map((part) => part.JobId)
    await run(prices ?? 0)
    expect(ledger.jobs.show(jobId)).to.include({ State: 'open', FinishedAt: null })
    await run(additions ?? 0)
    await run(removals ?? 0, false)
    expect(ledger.jobs.show(jobId).State).to.equal('waiting')
    await run(removals ?? 0)
    expect(ledger.jobs.show(jobId).State).to.equal('ok')
    expect(wholeJob(ledger, jobId).Counts).to.include({ ok: 4, unsent: 0 })
    expect(ledger.jobs.list({ partOf: null }).map(({ JobId }) => JobId)).to.deep.equal([jobId])
    expect(await findFaults(ledger.store)).to.deep.equal([])
  })

  it('is written whole or not at all', () => {
    const { ledger } = make()
    const fail = () => {
      throw new Error('another process')
    }
    expect(() => createWhole(ledger, { ...SHOP, title: 't', form: FORM, parts: [price(1)] }, fail)).to.throw('another process')
    const broken = {
      kind: 'remove',
      rows: [
        { line: 0, id: 1 },
        { line: 0, id: 1 },
      ],
    } as const
    expect(() => createWhole(ledger, { ...SHOP, title: 't', form: FORM, parts: [price(1), broken] }, () => {})).to.throw()
    expect(ledger.jobs.list()).to.deep.equal([])
  })

  it('is superseded: what was not sent is held, what was sent stays, a lost single write stays unknown', async () => {
    const { ledger, create, run } = make()
    const jobId = create(price(1, 2), add('N'), remove(3))
    const [prices, additions] = listParts(ledger, jobId).map((part) => part.JobId)
    await run(prices ?? 0, false)
    sending(ledger, additions ?? 0)
    supersede(ledger, jobId)
    expect(states(ledger, jobId)).to.deep.equal(['price waiting', 'add-shop unknown', 'remove partial'])
    expect(wholeJob(ledger, jobId).Counts).to.include({ queued: 2, unknown: 1, held: 1, unsent: 0, sending: 0 })
    const [, , removals] = listParts(ledger, jobId)
    expect([...bulkRows(ledger, removals?.JobId ?? 0)].map(said)).to.deep.equal(['planned again by a later shop:sync'])
    expect(await findFaults(ledger.store)).to.deep.equal([])
  })

  it('is recovered: repeatable rows of a dead process are unsent again, single writes unknown', () => {
    const { ledger, create } = make()
    const jobId = create(price(1), add('N'))
    for (const { JobId } of listParts(ledger, jobId)) sending(ledger, JobId)
    recoverParts(ledger, jobId)
    expect(wholeJob(ledger, jobId).Counts).to.include({ unsent: 1, unknown: 1, sending: 0 })
    const lock = ledger.jobs.lock(jobId)
    expect(() => recoverParts(ledger, jobId)).to.throw('in use')
    lock.release()
  })

  it('is dropped with all its parts, and asked about as one', async () => {
    const { ledger, create, run } = make()
    const jobId = create(price(1), remove(2, 3))
    const [prices] = listParts(ledger, jobId)
    await run(prices?.JobId ?? 0, false)
    expect(inFlight(ledger, jobId)).to.deep.equal({ unknown: 0, queued: 1 })
    expect(() => dropJob(ledger, jobId, { certain: false })).to.throw('not dropped')
    expect(dropJob(ledger, jobId, { certain: true }).State).to.equal('cancelled')
    expect(states(ledger, jobId)).to.deep.equal(['price cancelled', 'remove cancelled'])
    // Nothing that happens to a part brings the whole back.
    supersede(ledger, jobId)
    expect(ledger.jobs.show(jobId).State).to.equal('cancelled')
  })

  it('is kept or pruned as a whole', async () => {
    const { clock, ledger, create, run } = make()
    const removing = create(remove(3))
    // A part that set a last known price stays, and with it the whole.
    const pricing = create(price(1), remove(2))
    for (const jobId of [removing, pricing]) for (const { JobId } of listParts(ledger, jobId)) await run(JobId)
    clock.time += 400 * DAY
    const plan = await planPrune(ledger, clock.time - DAY)
    const [prices, others] = listParts(ledger, pricing).map(({ JobId }) => JobId)
    expect(plan.Jobs).to.deep.equal([removing, ...listParts(ledger, removing).map(({ JobId }) => JobId)])
    expect(plan.Kept).to.deep.equal({ Unfinished: [], LastPrices: [prices], Referred: [pricing, others] })
    await pruneLedger(ledger, clock.time - DAY)
    expect(ledger.jobs.list().map(({ JobId }) => JobId)).to.have.members([pricing, prices, others])
    expect(await findFaults(ledger.store)).to.deep.equal([])
  })

  it('shows as a fault where it lost its parts, or a part is older than it', async () => {
    const { ledger, create } = make()
    const jobId = create(price(1))
    const [part] = listParts(ledger, jobId)
    ledger.store.run('UPDATE jobs SET part_of = id WHERE id = ?', part?.JobId)
    expect((await findFaults(ledger.store)).map(({ Problem }) => Problem)).to.have.members([
      'it is a part of a job that came after it',
      'it is a sync without parts',
    ])
  })

  it('names the items that its removals and single calls take away', async () => {
    const { clock, ledger, create, run } = make()
    const jobId = create(remove(1, 2))
    const [part] = listParts(ledger, jobId)
    const found = () => [...findRemovals(ledger, SHOP, 0)].map(([id, { jobId: by, state }]) => [id, by, state])
    expect(found()).to.deep.equal([
      [1, jobId, 'unsent'],
      [2, jobId, 'unsent'],
    ])
    await run(part?.JobId ?? 0, false)
    expect(found().map(([, , state]) => state)).to.deep.equal(['queued', 'queued'])
    await run(part?.JobId ?? 0)
    expect(found().map(([, , state]) => state)).to.deep.equal(['removed', 'removed'])
    const request = ledger.requests.begin({ operation: 'RemoveShopItem', subject: 'item 3', ...SHOP })
    ledger.requests.markQueued(request.Row, { RequestId: 77, ItemId: 3 })
    expect(findRemovals(ledger, SHOP, 0).get(3)).to.include({ jobId: null, requestId: 77, state: 'queued' })
    expect(findRemovals(ledger, { ...SHOP, profile: 'other' }, 0).size).to.equal(0)
    expect(findRemovals(ledger, { ...SHOP, userId: 8 }, 0).size).to.equal(0)
    expect(findRemovals(ledger, SHOP, clock.time + HOUR).size).to.equal(0)
    dropJob(ledger, create(remove(9)), { certain: true })
    expect(findRemovals(ledger, SHOP, 0).has(9)).to.equal(false)
  })
})
