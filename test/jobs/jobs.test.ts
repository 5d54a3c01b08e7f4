import { hostname } from 'node:os'
import { expect } from 'chai'
import { noCounts, readCounts } from '../../src/jobs/ledger/counts.js'
import { JobsError } from '../../src/jobs/ledger/errors.js'
import { cleanUp, FakeClock, temporaryLedger, thrown, withNotedTimers } from './harness.js'

describe('the jobs in the ledger', () => {
  afterEach(cleanUp)

  const repricing = {
    kind: 'price',
    profile: 'p',
    userId: 5,
    title: 'prices.csv',
    counts: { unsent: 3 },
    detail: { a: [1] },
  } as const

  it('are created open, changed, and finished', () => {
    const clock = new FakeClock()
    const { jobs } = temporaryLedger(clock)
    const created = jobs.create(repricing)
    expect(created).to.deep.equal({
      JobId: 1,
      Kind: 'price',
      Profile: 'p',
      UserId: 5,
      Title: 'prices.csv',
      State: 'open',
      Message: null,
      Counts: { ...noCounts(), unsent: 3 },
      UndoOf: null,
      DiscountId: null,
      PartOf: null,
      CreatedAt: '2026-11-02T08:00:00.000Z',
      FinishedAt: null,
      Running: false,
    })
    expect(jobs.detail(1, {})).to.deep.equal({ a: [1] })
    clock.time += 1000
    expect(jobs.update(1, { state: 'waiting', message: 'm', counts: { queued: 3 } })).to.deep.equal({
      ...created,
      State: 'waiting',
      Message: 'm',
      Counts: { ...noCounts(), queued: 3 },
    })
    expect(jobs.finish(1, { state: 'ok', message: null })).to.deep.equal({
      ...created,
      State: 'ok',
      Counts: { ...noCounts(), queued: 3 },
      FinishedAt: '2026-11-02T08:00:01.000Z',
    })
    expect(jobs.update(1, { state: 'open' }).FinishedAt).to.equal(null)
  })

  it('are listed by kind, state, profile and time, the newest first', () => {
    const clock = new FakeClock()
    const { jobs } = temporaryLedger(clock)
    jobs.create(repricing)
    jobs.create({ kind: 'listing', profile: 'q', title: 'Lampa' })
    clock.time += 1000
    jobs.create({ ...repricing, undoOf: 1 })
    jobs.finish(2, { state: 'failed' })
    const ids = (filter: Parameters<typeof jobs.list>[0]) => jobs.list(filter).map(({ JobId }) => JobId)
    expect(ids({})).to.deep.equal([3, 2, 1])
    expect(ids({ kind: 'listing' })).to.deep.equal([2])
    expect(ids({ kind: ['listing', 'price'], limit: 2 })).to.deep.equal([3, 2])
    expect(ids({ state: 'failed' })).to.deep.equal([2])
    expect(ids({ state: ['open', 'waiting'] })).to.deep.equal([3, 1])
    expect(ids({ profile: 'q' })).to.deep.equal([2])
    expect(ids({ since: clock.time })).to.deep.equal([3])
    expect(ids({ since: clock.time + 1 })).to.deep.equal([])
    expect(ids({ limit: 0 })).to.deep.equal([])
    jobs.create({ ...repricing, partOf: 1 })
    expect(ids({ partOf: 1 })).to.deep.equal([4])
    expect(ids({ partOf: null })).to.deep.equal([3, 2, 1])
    expect(jobs.show(4).PartOf).to.equal(1)
    expect(jobs.show(3).UndoOf).to.equal(1)
  })

  it('are made with nothing but a kind, a profile and a title', () => {
    const { jobs } = temporaryLedger()
    jobs.create({ kind: 'listing', profile: 'p', title: 'Lampa' })
    expect(jobs.show(1)).to.include({ UserId: null, UndoOf: null, PartOf: null, Message: null })
    expect(jobs.show(1).Counts).to.deep.equal(noCounts())
    expect(() => jobs.detail(1, {})).to.throw('Job 1 cannot be read: nothing is kept of it.')
  })

  it('change only in what is given', () => {
    const { jobs } = temporaryLedger()
    jobs.create(repricing)
    jobs.update(1, { message: 'm' })
    const before = jobs.show(1)
    expect(before).to.include({ State: 'open', Message: 'm' })
    expect(jobs.update(1, {})).to.deep.equal(before)
    expect(jobs.detail(1, {})).to.deep.equal({ a: [1] })
    expect(jobs.update(1, { message: null }).Message).to.equal(null)
  })

  it('that are not there are named', async () => {
    const { jobs } = temporaryLedger()
    for (const work of [
      () => jobs.show(4),
      () => jobs.detail(4, {}),
      () => jobs.update(4, {}),
      () => jobs.finish(4, { state: 'ok' }),
      () => jobs.lock(4),
    ]) {
      const error = await thrown(work)
      expect(error).to.be.instanceOf(JobsError).and.to.include({ code: 'job_not_found', category: 'not_found' })
      expect((error as JobsError).details).to.deep.equal({ jobId: 4 })
      expect((error as JobsError).message).to.contain('4')
    }
  })

  describe('and their lock', () => {
    const hold = (ledger: ReturnType<typeof temporaryLedger>, owner: object) => {
      const { JobId } = ledger.jobs.create(repricing)
      ledger.store.run(
        'UPDATE jobs SET lock_owner = ?, lock_beat = ? WHERE id = ?',
        JSON.stringify(owner),
        ledger.clock.now(),
        JobId,
      )
      return JobId
    }
    const refused = async (work: () => unknown) => {
      const error = await thrown(work)
      expect(error).to.be.instanceOf(JobsError).and.to.include({ code: 'job_locked' })
      return error as JobsError
    }

    it('let one at a time work on a job', async () => {
      const { jobs } = temporaryLedger()
      jobs.create(repricing)
      const lock = jobs.lock(1)
      expect(jobs.show(1).Running).to.equal(true)
      const error = await refused(() => jobs.lock(1))
      expect(error.message).to.contain('prices.csv').and.to.contain(String(process.pid))
      lock.beat()
      lock.release()
      lock.release()
      expect(jobs.show(1).Running).to.equal(false)
      jobs.lock(1).release()
    })

    it('hold for another ledger of the same process too', async () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      ledger.jobs.create(repricing)
      ledger.jobs.lock(1)
      const other = temporaryLedger(clock, ledger.path)
      expect(other.jobs.show(1).Running).to.equal(true)
      await refused(() => other.jobs.lock(1))
      ledger.close()
      other.jobs.lock(1)
    })

    it('of another ledger of the same process are taken over after its silence', async () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      ledger.jobs.create(repricing)
      const lost = ledger.jobs.lock(1)
      const other = temporaryLedger(clock, ledger.path)
      clock.time += 119_999
      await refused(() => other.jobs.lock(1))
      await refused(() => ledger.jobs.lock(1))
      clock.time += 1
      expect(other.jobs.show(1).Running).to.equal(false)
      expect(ledger.jobs.show(1).Running, 'it holds it itself').to.equal(true)
      await refused(() => ledger.jobs.lock(1))
      other.jobs.lock(1).release()
      ledger.jobs.lock(1)
      ledger.store.run("UPDATE jobs SET lock_owner = 'another'")
      expect(await thrown(() => lost.beat())).to.deep.include({ code: 'job_lock_lost', details: { jobId: 1 } })
    })

    it('are no more once they are released', async () => {
      const { jobs, store } = temporaryLedger()
      jobs.create(repricing)
      const lock = jobs.lock(1)
      lock.release()
      expect(store.rows('SELECT lock_owner, lock_beat FROM jobs')).to.deep.equal([[null, null]])
      expect(await thrown(() => lock.beat())).to.include({ code: 'job_lock_lost' })
    })

    it('never hide an error of the work by one of their release, and neither do those of discounts', () => {
      const ledger = temporaryLedger(new FakeClock())
      const locks = [ledger.jobs.lock(ledger.jobs.create(repricing).JobId), ledger.discounts.claim({ profile: 'p', userId: 5 })]
      ledger.store.exec('PRAGMA query_only = 1')
      for (const lock of locks) lock?.release()
      ledger.store.exec('PRAGMA query_only = 0')
    })

    it('all end when the ledger is closed', () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      for (const id of [1, 2, 3]) {
        ledger.jobs.create(repricing)
        ledger.jobs.lock(id)
      }
      ledger.close()
      const { jobs } = temporaryLedger(clock, ledger.path)
      expect(jobs.list().map(({ Running }) => Running)).to.deep.equal([false, false, false])
    })

    it('name their holder as far as it is known', async () => {
      const ledger = temporaryLedger()
      const id = hold(ledger, { host: 'elsewhere', pid: 1, started: 'x' })
      expect((await refused(() => ledger.jobs.lock(id))).details).to.deep.equal({ jobId: id, pid: 1, host: 'elsewhere' })
      ledger.jobs.create(repricing)
      ledger.jobs.lock(2)
      ledger.store.run("UPDATE jobs SET lock_owner = 'nobody knows' WHERE id = 2")
      const error = await refused(() => ledger.jobs.lock(2))
      expect(error.message).to.equal('Job 2 ("prices.csv") is in use by another process.')
      expect(error.details).to.deep.equal({ jobId: 2 })
    })

    it('without a beat are of a process that fell silent', () => {
      const ledger = temporaryLedger()
      const id = hold(ledger, { host: 'elsewhere', pid: 1, started: 'x' })
      expect(ledger.jobs.show(id).Running).to.equal(true)
      ledger.store.run('UPDATE jobs SET lock_beat = NULL')
      expect(ledger.jobs.show(id).Running).to.equal(false)
    })

    it('are taken over from a dead process', () => {
      const ledger = temporaryLedger()
      const id = hold(ledger, { host: hostname(), pid: 2 ** 22 + 1, started: 'x' })
      expect(ledger.jobs.show(id).Running).to.equal(false)
      ledger.jobs.lock(id)
      expect(ledger.jobs.show(id).Running).to.equal(true)
    })

    it('are taken over from another machine only after its silence', async () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      const id = hold(ledger, { host: 'elsewhere', pid: 1, started: 'x' })
      clock.time += 119_000
      expect((await refused(() => ledger.jobs.lock(id))).message).to.contain('process 1 on elsewhere')
      clock.time += 1000
      ledger.jobs.lock(id)
    })

    it('beat by themselves while a long call lasts, until they are released', async () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      ledger.jobs.create(repricing)
      await withNotedTimers((timers, cleared, timer) => {
        const lock = ledger.jobs.lock(1)
        const beaten = () => ledger.store.first<{ lock_beat: number }>('SELECT lock_beat FROM jobs')?.lock_beat
        expect(timers.map(({ ms }) => ms)).to.deep.equal([15_000])
        clock.time += 15_000
        timers[0]?.run()
        expect(beaten()).to.equal(clock.time)
        lock.release()
        expect(cleared).to.deep.equal([timer])
      })
    })

    it('stop beating by themselves once the ledger takes no more, and leave the word to the work itself', async () => {
      const ledger = temporaryLedger()
      ledger.jobs.create(repricing)
      await withNotedTimers((timers, cleared, timer) => {
        ledger.jobs.lock(1)
        ledger.store.exec("CREATE TRIGGER no BEFORE UPDATE ON jobs BEGIN SELECT RAISE(FAIL, 'no'); END")
        timers[0]?.run()
        expect(cleared).to.deep.equal([timer])
        ledger.store.exec('DROP TRIGGER no')
      })
    })

    it('beat no more often than needed, and tell when they were lost', async () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      ledger.jobs.create(repricing)
      const lock = ledger.jobs.lock(1)
      const beaten = () => ledger.store.first<{ lock_beat: number }>('SELECT lock_beat FROM jobs')?.lock_beat
      const first = clock.time
      clock.time += 14_000
      lock.beat()
      expect(beaten()).to.equal(first)
      clock.time += 1000
      lock.beat()
      expect(beaten()).to.equal(clock.time)
      ledger.store.run('UPDATE jobs SET lock_owner = ?', JSON.stringify({ host: 'elsewhere', pid: 1, started: 'x' }))
      clock.time += 15_000
      expect(await thrown(() => lock.beat())).to.include({ code: 'job_lock_lost' })
      lock.release()
      expect(ledger.jobs.show(1).Running).to.equal(true)
    })
  })

  it('have counts of one shape, those of version 0.1 too', () => {
    expect(readCounts('{"Steps":6,"Done":4}')).to.deep.equal({ ...noCounts(), unsent: 2, ok: 4 })
    expect(readCounts('{"ok":3,"failed":1}')).to.deep.equal({ ...noCounts(), ok: 3, failed: 1 })
    expect(readCounts('{}')).to.deep.equal(noCounts())
  })
})
