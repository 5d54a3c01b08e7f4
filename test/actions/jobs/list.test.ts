/** Jobs as jobs:list and jobs:show write them, and jobs:drop. */
import { expect } from 'chai'
import { confirmAndDrop } from '../../../src/actions/jobs/drop.js'
import { goOn, listedJobs, newestUnfinished, shownJob, unfinishedJobs, writeJob } from '../../../src/actions/jobs/list.js'
import { type JobListFlags, writeJobs } from '../../../src/actions/jobs/list-shown.js'
import { EXIT } from '../../../src/cli/errors.js'
import { jobsView, jobView, listingStepsView } from '../../../src/format/views/index.js'
import { createBulkJob, createWhole, type NewPart, partsOf } from '../../../src/jobs/bulk/index.js'
import { createListing } from '../../../src/jobs/index.js'
import { FakeService, FORM } from '../../jobs/bulk/support.js'
import { FakeContext, thrownBy } from '../support.js'

const price = (...ids: number[]): NewPart => ({
  kind: 'price',
  rows: ids.map((id) => ({ line: id, id, price: 90, oldPrice: 100 })),
})
const remove = (...ids: number[]): NewPart => ({ kind: 'remove', rows: ids.map((id) => ({ line: 0, id })) })

describe('jobs of the ledger', () => {
  let fake: FakeContext
  beforeEach(() => {
    fake = new FakeContext(FakeService.shop(5))
  })
  afterEach(() => fake.close())
  const ledger = () => fake.bench.ledger
  const whole = (...parts: NewPart[]): number =>
    createWhole(ledger(), { profile: 'shop', userId: 7, title: 'shop:sync', form: FORM, parts }, () => {}).JobId
  const listing = (): number =>
    createListing({ ledger: ledger(), profile: 'shop', userId: 7, requestId: 44, images: [], commit: true }).JobId
  /** A job with one row that failed and one that is queued. */
  const halfDone = async (): Promise<number> => {
    fake.bench.service.invalid = (id) => (id === 2 ? 'It is not yours.' : undefined)
    const jobId = fake.bench.price({ 1: 150, 2: 160 })
    await fake.bench.run(jobId)
    return jobId
  }

  describe('in a list', () => {
    const listed = async (flags: JobListFlags = {}): Promise<number[]> => {
      fake.written = []
      fake.said = []
      expect(await writeJobs(fake.ctx, flags)).to.equal(EXIT.ok)
      return (fake.written[0]?.rows ?? []).map(({ JobId }) => Number(JobId))
    }

    it('are those of this profile, the newest first, without parts', async () => {
      const first = fake.bench.price({ 1: 150 })
      const sync = whole(price(2), remove(3))
      fake.bench.price({ 4: 150 }, { profile: 'other' })
      expect(await listed()).to.deep.equal([sync, first])
      expect(fake.written[0]?.view).to.equal(jobsView)
      expect(await listed({ 'all-profiles': true })).to.have.length(3)
      expect(await listed({ 'all-profiles': false })).to.have.length(2)
    })

    it('are those that are not finished, where only these are wanted', async () => {
      const done = fake.bench.price({ 1: 150 })
      await fake.bench.run(done, { wait: true })
      const open = fake.bench.price({ 2: 150 })
      const waiting = fake.bench.price({ 3: 150 })
      await fake.bench.run(waiting)
      expect(await listed()).to.deep.equal([waiting, open, done])
      expect(await listed({ unfinished: true })).to.deep.equal([waiting, open])
      expect(await listed({ unfinished: false })).to.have.length(3)
    })

    it('are at most 50 by default', async () => {
      for (let number = 0; number < 51; number++) {
        createBulkJob(ledger(), { ...remove(1), profile: 'shop', userId: 7, title: 't', form: FORM })
      }
      expect(await listed()).to.have.length(50)
      expect(await listed({ limit: 51 })).to.have.length(51)
      expect(await listed({ limit: 2 })).to.have.length(2)
    })

    it('have the hint of the newest that is open and that nobody runs', async () => {
      const jobId = fake.bench.price({ 1: 150 })
      const running = fake.bench.price({ 2: 150 })
      const lock = ledger().jobs.lock(running)
      await listed()
      expect(fake.said).to.deep.equal([
        `? Job ${jobId} is not finished. Continue with: seller jobs:resume ${jobId} -p shop. Or drop it with: seller jobs:drop ${jobId} -p shop`,
      ])
      lock.release()
      const { JobId } = ledger().jobs.show(running)
      await listed()
      expect(fake.said[0]).to.contain(`Job ${JobId} is not finished.`)
    })

    it('have no hint where all are finished', async () => {
      await fake.bench.run(fake.bench.price({ 1: 150 }), { wait: true })
      await listed()
      expect(fake.said).to.deep.equal([])
    })

    it('have the counts that their rows have now', async () => {
      const jobId = fake.bench.price({ 1: 150, 2: 150 })
      ledger().store.run("UPDATE bulk_states SET states = x'0101', unsent = 0, sending = 2 WHERE job_id = ?", jobId)
      const [job] = [...listedJobs(ledger(), {})]
      expect(job?.Counts).to.include({ unsent: 0, sending: 2 })
      expect(job).to.not.have.property('Rows')
      const sync = whole(price(3), remove(4))
      const part = partsOf(ledger(), sync)[0]?.JobId
      ledger().store.run("UPDATE bulk_states SET states = x'01', unsent = 0, sending = 1 WHERE job_id = ?", part)
      expect(shownJob(ledger(), ledger().jobs.show(sync)).Counts).to.include({ unsent: 1, sending: 1 })
      const steps = ledger().jobs.show(listing())
      expect(shownJob(ledger(), steps)).to.equal(steps)
    })
  })

  describe('that are unfinished', () => {
    it('are of this profile and seller, or of a time when the seller was not known', () => {
      const own = fake.bench.price({ 1: 150 })
      fake.bench.price({ 1: 150 }, { userId: 8 })
      const unknown = fake.bench.price({ 1: 150 }, { userId: undefined })
      const ids = () => unfinishedJobs(fake.ctx, ledger()).map(({ JobId }) => JobId)
      expect(ids()).to.deep.equal([unknown, own])
      fake.profile.settings = {}
      expect(ids()).to.have.length(3)
    })

    it('are continued by the newest; one that runs only where there is no other', () => {
      expect(newestUnfinished(fake.ctx, ledger())).to.equal(undefined)
      const older = fake.bench.price({ 1: 150 })
      const newer = fake.bench.price({ 1: 150 })
      expect(newestUnfinished(fake.ctx, ledger())?.JobId).to.equal(newer)
      const locks = [ledger().jobs.lock(newer)]
      expect(newestUnfinished(fake.ctx, ledger())?.JobId).to.equal(older)
      locks.push(ledger().jobs.lock(older))
      expect(newestUnfinished(fake.ctx, ledger())?.JobId).to.equal(newer)
      for (const lock of locks) lock.release()
    })
  })

  describe('one by one', () => {
    const write = (jobId: number, failed = false) => writeJob(fake.ctx, ledger(), jobId, failed)

    it('are one document with their rows', async () => {
      const jobId = await halfDone()
      await write(jobId)
      expect(fake.written).to.have.length(1)
      const [{ view, rows, record } = { view: undefined, rows: [], record: {} }] = fake.written
      expect(view?.within?.key).to.equal('Rows')
      expect(record).to.deep.include({ JobId: jobId, Kind: 'price' })
      expect(rows?.map(({ Id, State }) => [Id, State])).to.deep.equal([
        [1, 'queued'],
        [2, 'failed'],
      ])
      expect(fake.beside).to.deep.equal([])
    })

    it('are for a person a card above the rows', async () => {
      fake.human = true
      await write(await halfDone())
      expect(fake.written.map(({ view }) => view === (jobView as never))).to.deep.equal([true, false])
      expect(fake.beside).to.deep.equal([''])
    })

    it('have with --failed only rows that were not carried out, and their reasons in full for a person', async () => {
      const jobId = await halfDone()
      await write(jobId, true)
      expect(fake.written[0]?.rows?.map(({ Id }) => Id)).to.deep.equal([2])
      expect(fake.beside).to.deep.equal([])
      fake.human = true
      await write(jobId, true)
      expect(fake.beside[1]).to.match(/^\n {2}line 3, item 2.*It is not yours\./)
      fake.beside = []
      await write(jobId, false)
      expect(fake.beside).to.deep.equal([''])
    })

    it('take held rows and rows that are not live for not carried out', async () => {
      const rows = [
        { line: 2, id: 1, price: 5, held: 'too far' },
        { line: 3, id: 2, price: 5, skipped: 'not live' },
        { line: 4, id: 3, price: 5 },
      ]
      const common = { kind: 'price', profile: 'shop', userId: 7, title: 't', form: FORM } as const
      await write(createBulkJob(ledger(), { ...common, rows }).JobId, true)
      expect(fake.written[0]?.rows?.map(({ State }) => State)).to.have.members(['held', 'skipped'])
    })

    it('have of a sync the rows of all parts, each with its part', async () => {
      fake.bench.service.invalid = (id) => (id === 2 ? 'It is not yours.' : undefined)
      const jobId = whole(remove(3), price(1, 2))
      const [prices, removals] = partsOf(ledger(), jobId)
      await fake.bench.run(prices?.JobId ?? 0)
      await write(jobId)
      const rows = fake.written[0]?.rows
      const record = fake.written[0]?.record ?? {}
      expect(rows?.map(({ JobId, Kind, Id }) => [JobId, Kind, Id])).to.deep.equal([
        [prices?.JobId, 'price', 1],
        [prices?.JobId, 'price', 2],
        [removals?.JobId, 'remove', 3],
      ])
      expect(record).to.include({ JobId: jobId })
      expect((record.Parts as object[]).map((part) => Object.keys(part))).to.deep.equal(
        Array(2).fill(['JobId', 'Kind', 'State', 'Counts']),
      )
      expect(fake.beside).to.deep.equal([])
      fake.human = true
      fake.written = []
      await write(jobId, true)
      expect(fake.written[1]?.rows?.map(({ Id }) => Id)).to.deep.equal([2])
      expect(fake.beside[1]).to.contain('It is not yours.')
      fake.beside = []
      await write(jobId)
      expect(fake.beside).to.deep.equal([''])
      fake.human = false
      fake.beside = []
      await write(jobId, true)
      expect(fake.beside).to.deep.equal([])
    })

    it('have of a listing its steps, with --failed those that were not done', async () => {
      const jobId = listing()
      await write(jobId)
      expect(fake.written[0]?.view.within?.key).to.equal('Steps')
      expect(fake.written[0]?.view.columns).to.equal(listingStepsView.columns as never)
      expect(fake.written[0]?.rows?.map(({ State }) => State)).to.deep.equal(['waiting'])
      expect(fake.written[0]?.record).to.not.have.property('Steps')
      for (const [state, shown] of [
        ['done', 0],
        ['failed', 1],
        ['unknown', 1],
        ['skipped', 1],
        ['waiting', 0],
      ] as const) {
        fake.written = []
        ledger().store.run('UPDATE listing_steps SET state = ? WHERE job_id = ?', state, jobId)
        await write(jobId, true)
        expect(fake.written[0]?.rows, state).to.have.length(shown)
      }
    })

    it('end with the way on, of a part that of its whole; none where they are finished or at work', async () => {
      const jobId = fake.bench.price({ 1: 150 })
      const way = (id: number) =>
        `? Continue with: seller jobs:resume ${id} -p shop. Or drop it with: seller jobs:drop ${id} -p shop`
      await write(jobId)
      expect(fake.said).to.deep.equal([way(jobId)])
      fake.said = []
      const lock = ledger().jobs.lock(jobId)
      await write(jobId)
      lock.release()
      expect(fake.said).to.deep.equal([])
      await fake.bench.run(jobId, { wait: true })
      await write(jobId)
      expect(fake.said).to.deep.equal([])
      const sync = whole(price(1), remove(2))
      await write(partsOf(ledger(), sync)[0]?.JobId ?? 0)
      expect(fake.said).to.deep.equal([way(sync)])
    })

    it('name their profile in the way on, where it is another', () => {
      expect(goOn(fake.ctx, { JobId: 3, Profile: 'other' })).to.equal(
        'Continue with: seller jobs:resume 3 --profile other. Or drop it with: seller jobs:drop 3 --profile other',
      )
    })
  })

  describe('that are dropped', () => {
    const drop = (jobId: number, yes?: boolean) => confirmAndDrop(fake.ctx, jobId, yes)

    it('are dropped without a question where nothing is under way', async () => {
      const jobId = fake.bench.price({ 1: 150 })
      expect(await drop(jobId)).to.include({ JobId: jobId, State: 'cancelled' })
      expect(fake.questions).to.deep.equal([])
    })

    it('need a yes where rows are queued or their outcome is unknown', async () => {
      const jobId = fake.bench.price({ 1: 150, 2: 150 })
      await fake.bench.run(jobId)
      fake.yes = false
      expect(await thrownBy(() => drop(jobId))).to.have.property('exitCode', EXIT.held)
      expect(ledger().jobs.show(jobId).State).to.equal('waiting')
      const message = `The service has queued 2 requests and will carry it out anyway. Drop job ${jobId}?`
      expect(fake.questions).to.deep.equal([{ message, flag: '--yes', given: undefined }])
      expect((await drop(jobId, true)).State).to.equal('cancelled')
    })

    it('name what is unknown in rows, or in steps', async () => {
      const jobId = fake.bench.price({ 1: 150 })
      ledger().store.run("UPDATE bulk_states SET states = x'01', unsent = 0, sending = 1 WHERE job_id = ?", jobId)
      expect((await drop(jobId)).State).to.equal('cancelled')
      const sync = whole(price(2))
      const part = partsOf(ledger(), sync)[0]?.JobId
      ledger().store.run("UPDATE bulk_states SET states = x'01', unsent = 0, sending = 1 WHERE job_id = ?", part)
      await drop(sync)
      const steps = listing()
      ledger().store.run("UPDATE listing_steps SET state = 'unknown' WHERE job_id = ?", steps)
      await drop(steps)
      expect(fake.questions.map(({ message }) => message)).to.deep.equal([
        `The outcome of 1 row is unknown. Drop job ${jobId}?`,
        `The outcome of 1 row is unknown. Drop job ${sync}?`,
        `The outcome of 1 step is unknown. Drop job ${steps}?`,
      ])
    })

    it('are refused without a question where they are finished or at work', async () => {
      const done = fake.bench.price({ 1: 150 })
      await fake.bench.run(done, { wait: true })
      expect(await thrownBy(() => drop(done))).to.have.property('code', 'job_over')
      const waiting = fake.bench.price({ 2: 150 })
      await fake.bench.run(waiting)
      const lock = ledger().jobs.lock(waiting)
      expect(await thrownBy(() => drop(waiting))).to.have.property('code', 'job_locked')
      lock.release()
      expect(fake.questions).to.deep.equal([])
    })

    it('are refused where they are of another profile, or a part of another job', async () => {
      const other = fake.bench.price({ 1: 150 }, { profile: 'other' })
      expect(await thrownBy(() => drop(other, true))).to.have.property('code', 'wrong_profile')
      const sync = whole(price(2), remove(3))
      const part = partsOf(ledger(), sync)[0]?.JobId ?? 0
      const error = await thrownBy(() => drop(part, true))
      expect(error).to.include({ code: 'job_of_another_kind', hint: `Drop the whole job with: seller jobs:drop ${sync} -p shop` })
      expect(error.details).to.deep.equal({ jobId: part, kind: 'part' })
    })
  })
})
