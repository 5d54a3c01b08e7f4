/** jobs:resume: which job is continued, with which flags, and what is written about it. */
import { expect } from 'chai'
import { type ResumeFlags, resumeJob } from '../../../src/actions/jobs/resume.js'
import { refuseIdOfMany, resumeAll } from '../../../src/actions/jobs/resume-all.js'
import { EXIT, worseExitCode } from '../../../src/cli/errors.js'
import { jobRunView, requestView, syncRunView, uploadView } from '../../../src/format/views/index.js'
import { bulkJob, createBulkJob, createWhole, type NewPart, partsOf } from '../../../src/jobs/bulk/index.js'
import { createListing } from '../../../src/jobs/index.js'
import type { SoapClient } from '../../../src/soap/client/index.js'
import { FakeService, FORM } from '../../jobs/bulk/support.js'
import { FakeContext, thrownBy } from '../support.js'

const FLAGS: ResumeFlags = { wait: false, timeout: 60_000 }
const MINUTE = 60_000

describe('jobs:resume', () => {
  let fake: FakeContext
  beforeEach(() => {
    fake = new FakeContext(FakeService.shop(6))
  })
  afterEach(() => fake.close())
  const resume = (jobId: number | undefined, flags: Partial<ResumeFlags> = {}) =>
    resumeJob(fake.ctx, jobId, { ...FLAGS, ...flags })
  const operations = (): string[] => fake.bench.service.calls.map(({ operation }) => operation)
  const counts = (jobId: number) => bulkJob(fake.bench.ledger, jobId).Counts
  const refusal = (jobId: number | undefined, flags: Partial<ResumeFlags> = {}) => thrownBy(() => resume(jobId, flags))

  const price = (...ids: number[]): NewPart => ({
    kind: 'price',
    rows: ids.map((id) => ({ line: id, id, price: 90, oldPrice: 100 })),
  })
  const add = (...names: string[]): NewPart => ({
    kind: 'add-shop',
    rows: names.map((name, at) => ({
      line: at + 2,
      id: 0,
      title: name,
      payload: { Title: name, Price: 5, OwnReferences: [name] },
    })),
  })
  const whole = (...parts: NewPart[]): number =>
    createWhole(fake.bench.ledger, { profile: 'shop', userId: 7, title: 'shop:sync', form: FORM, parts }, () => {}).JobId
  const adding = (...names: string[]): number =>
    createBulkJob(fake.bench.ledger, { ...add(...names), profile: 'shop', userId: 7, title: 'new', form: FORM }).JobId
  const listing = (): number =>
    createListing({ ledger: fake.bench.ledger, profile: 'shop', userId: 7, requestId: 44, images: [], commit: true }).JobId

  describe('without an id', () => {
    it('says that there is none to continue, with a result for scripts alone', async () => {
      expect(await resume(undefined)).to.equal(EXIT.ok)
      expect(fake.said).to.deep.equal(['There is no unfinished job. See all jobs with: seller jobs:list'])
      expect(fake.written).to.have.length(1)
      expect(fake.written[0]?.view).to.equal(jobRunView)
      expect(fake.written[0]?.record).to.include({ JobId: null, Kind: null, Title: null, Calls: 0, Unchanged: 0 })
      fake.human = true
      fake.written = []
      expect(await resume(undefined)).to.equal(EXIT.ok)
      expect(fake.written).to.deep.equal([])
    })

    it('takes the newest, and names it', async () => {
      fake.bench.price({ 1: 150 })
      const jobId = fake.bench.price({ 2: 160 })
      expect(await resume(undefined)).to.equal(EXIT.ok)
      expect(counts(jobId)).to.include({ queued: 1 })
      expect(fake.said[0]).to.equal(`Job ${jobId}: test`)
      expect(fake.written[0]?.record).to.include({ JobId: jobId })
    })

    it('takes one that no other process runs before one that runs', async () => {
      const older = fake.bench.price({ 1: 150 })
      const newer = fake.bench.price({ 2: 160 })
      const lock = fake.bench.ledger.jobs.lock(newer)
      await resume(undefined)
      expect(counts(older)).to.include({ queued: 1 })
      lock.release()
    })

    it('takes one of this profile and seller, and of no other', async () => {
      fake.bench.price({ 1: 150 }, { userId: 8 })
      fake.bench.price({ 1: 150 }, { profile: 'other' })
      await resume(undefined)
      expect(operations()).to.deep.equal([])
      const own = fake.bench.price({ 1: 150 }, { userId: undefined })
      await resume(undefined)
      expect(counts(own)).to.include({ queued: 1 })
    })
  })

  it('does not name a job whose id was given', async () => {
    const jobId = fake.bench.price({ 1: 150 })
    await resume(jobId)
    expect(fake.said.join('\n')).to.not.contain(': test')
  })

  it('continues the whole job where one of its parts was named', async () => {
    const jobId = whole(price(1), add('N'))
    const [part] = partsOf(fake.bench.ledger, jobId)
    expect(await resume(part?.JobId)).to.equal(EXIT.ok)
    expect(fake.said[0]).to.equal(`Job ${part?.JobId} is a part of job ${jobId}, which is continued.`)
    expect(fake.written[0]?.record).to.include({ JobId: jobId })
    expect(operations()).to.deep.equal(['SetPriceOnShopItems', 'AddShopItem'])
  })

  it('refuses a job of another profile before any call', async () => {
    const jobId = fake.bench.price({ 1: 150 }, { profile: 'other' })
    expect(await refusal(jobId)).to.have.property('code', 'wrong_profile')
    expect(operations()).to.deep.equal([])
  })

  for (const [name, make, flags, words] of [
    ['a job of rows', () => fake.bench.price(1), { 'request-id': 3 }, 'is a job of rows, so --request-id does not apply.'],
    [
      'a job of rows',
      () => fake.bench.price(1),
      { 'request-id': 3, 'commit-anyway': true },
      'is a job of rows, so --request-id, --commit-anyway does not apply.',
    ],
    ['a sync', () => whole(price(1)), { verify: true }, 'is a sync, so --verify does not apply.'],
    ['a sync', () => whole(price(1)), { 'commit-anyway': true }, 'is a sync, so --commit-anyway does not apply.'],
    ['a listing', listing, { 'retry-failed': true }, 'is a listing, so --retry-failed does not apply.'],
    ['a listing', listing, { row: [1] }, 'is a listing, so --row does not apply.'],
    ['a listing', listing, { 'failed-file': 'a' }, 'is a listing, so --failed-file does not apply.'],
    ['a listing', listing, { concurrency: 2 }, 'is a listing, so --concurrency does not apply.'],
    ['a listing', listing, { verify: true, 'as-planned': true }, 'is a listing, so --verify, --as-planned does not apply.'],
  ] as const) {
    it(`refuses what does not apply to ${name}: ${Object.keys(flags).join(', ')}`, async () => {
      const jobId = make()
      const error = await refusal(jobId, flags as Partial<ResumeFlags>)
      expect(error).to.include({ code: 'stray_flag', exitCode: EXIT.usage, message: `Job ${jobId} ${words}` })
      expect(operations()).to.deep.equal([])
    })
  }

  it('takes a flag that was turned off for none', async () => {
    const jobId = fake.bench.price({ 1: 150 })
    expect(await resume(jobId, { 'commit-anyway': false, 'request-id': undefined })).to.equal(EXIT.ok)
  })

  it('refuses a binding that cannot carry the rows, of a job and of each part', async () => {
    fake.profile.settings.binding = 'get'
    expect(await refusal(fake.bench.price({ 1: 150 }))).to.have.property('code', 'binding_too_narrow')
    expect(await refusal(whole(price(2)))).to.have.property('code', 'binding_too_narrow')
    expect(operations()).to.deep.equal([])
  })

  describe('of rows', () => {
    it('compares an old plan with the live list first, and counts that call', async () => {
      const jobId = fake.bench.price({ 1: 150, 2: 160 })
      fake.bench.clock.time += 11 * MINUTE
      fake.bench.service.put(2, 333)
      expect(await resume(jobId)).to.equal(EXIT.held)
      expect(fake.said[0]).to.equal(`Job ${jobId} was planned 11 min ago: comparing its rows with the live list first.`)
      expect(fake.lists.map(({ filterItemType }) => filterItemType)).to.deep.equal(['ShopItem'])
      expect(fake.written[0]?.record).to.include({ Calls: 2 })
      expect(counts(jobId)).to.include({ held: 1, queued: 1 })
    })

    it('does not compare a plan that is fresh, or that is to be sent as it was planned', async () => {
      const jobId = fake.bench.price({ 1: 150 })
      await resume(jobId)
      const other = fake.bench.price({ 2: 150 })
      fake.bench.clock.time += 11 * MINUTE
      await resume(other, { 'as-planned': true })
      expect(fake.lists).to.deep.equal([])
      expect(fake.written[1]?.record).to.include({ Calls: 1 })
    })

    it('compares one that another job of the shop is newer than', async () => {
      const jobId = fake.bench.price({ 1: 150 })
      fake.bench.price({ 2: 150 })
      await resume(jobId)
      expect(fake.said[0]).to.equal(
        `Job ${jobId} is older than another job of this shop: comparing its rows with the live list first.`,
      )
    })

    it('offers to send failed rows again, where they are not offered already and were not just sent', async () => {
      fake.bench.service.invalid = () => 'It is not yours.'
      const jobId = fake.bench.price({ 1: 150 })
      const offer = `? Send the failed rows again with: seller jobs:resume ${jobId} --retry-failed -p shop`
      expect(await resume(jobId)).to.equal(EXIT.someRowsFailed)
      expect(fake.said).to.include(offer)
      fake.said = []
      expect(await resume(jobId, { 'retry-failed': true })).to.equal(EXIT.someRowsFailed)
      expect(fake.said).to.not.include(offer)
      fake.bench.service.invalid = () => undefined
      fake.said = []
      await resume(jobId, { 'retry-failed': true })
      expect(counts(jobId)).to.include({ failed: 0, queued: 1 })
      expect(fake.said).to.not.include(offer)
    })

    it('offers it once where the service says that rows may be sent again', async () => {
      fake.bench.service.code = (id) => (id === 1 ? 'TryAgain' : 'Error')
      const jobId = fake.bench.price({ 1: 150, 2: 160 })
      await resume(jobId, { wait: true })
      expect(counts(jobId)).to.include({ retryable: 1, failed: 1 })
      expect(fake.said.filter((line) => line.includes('--retry-failed'))).to.deep.equal([
        `? Send them again with: seller jobs:resume ${jobId} --retry-failed -p shop`,
      ])
    })

    it('compares before failed rows of an old plan are sent again', async () => {
      fake.bench.service.invalid = () => 'It is not yours.'
      const jobId = fake.bench.price({ 1: 150 })
      await resume(jobId)
      fake.bench.clock.time += 11 * MINUTE
      await resume(jobId)
      expect(fake.lists).to.have.length(0)
      await resume(jobId, { 'retry-failed': true })
      expect(fake.lists).to.have.length(1)
    })
  })

  describe('with rows of unknown outcome', () => {
    const lost = async (jobId: number): Promise<void> => {
      fake.bench.service.outcome = (_, operation) => (operation === 'AddShopItem' ? 'lost' : 'answered')
      await resume(jobId).catch(() => undefined)
      fake.bench.service.outcome = () => 'answered'
      fake.said = []
      fake.written = []
      fake.lists = []
    }

    it('lists them with what the live list has, counts that call, and says both ways on', async () => {
      const jobId = adding('Kopp', 'Fat')
      await lost(jobId)
      const ids = [901_000, 901_001, 901_002, 901_003, 901_004, 901_005]
      for (const id of ids) fake.bench.service.put(id, 5, { ShortDescription: 'Kopp', OwnReferences: ['Kopp'] })
      fake.bench.service.settle()
      for (const [id, item] of fake.bench.service.items) if (item.ShortDescription === 'Fat') fake.bench.service.items.delete(id)
      for (const [id, item] of fake.bench.service.items)
        if (item.ShortDescription === 'Kopp' && !ids.includes(id)) fake.bench.service.items.delete(id)
      expect(await resume(jobId)).to.equal(EXIT.unknownOutcome)
      expect(fake.lists.map(({ filterItemType, filterActive }) => [filterItemType, filterActive])).to.deep.equal([['All', 'All']])
      const record = fake.written[0]?.record
      expect(fake.written[0]?.view).to.equal(jobRunView)
      expect(record).to.include({ Calls: 1 })
      expect(record?.Unknown).to.have.length(2)
      const said = fake.said.join('\n')
      expect(said).to.contain(
        '! Check these rows. The live list was read; it does not show items that start later.\n  row 1 (line 2) ',
      )
      expect(said).to.contain('"Kopp", Kopp: it may be item 901000, 901001, 901002, 901003, 901004\n')
      expect(said).to.contain('row 2 (line 3) "Fat", Fat: no such item is listed')
      expect(said).to.contain(
        `? For rows that arrived: seller jobs:resume ${jobId} -p shop --assume-sent --row N (without --row: all of them). For rows that did not: seller jobs:resume ${jobId} -p shop --send-again --row N.`,
      )
    })

    it('names rows without a title by their references alone, and rows with neither by their line', async () => {
      const rows = [
        { line: 4, id: 0, payload: { Price: 5, OwnReferences: ['R-1', 'R-2'] } },
        { line: 5, id: 0, payload: { Price: 5 } },
      ]
      const common = { kind: 'add-shop', profile: 'shop', userId: 7, title: 'new', form: FORM } as const
      const { JobId } = createBulkJob(fake.bench.ledger, { ...common, rows } as never)
      await lost(JobId)
      fake.bench.service.items.clear()
      await resume(JobId)
      const said = fake.said.join('\n')
      expect(said).to.contain('row 1 (line 4) R-1, R-2: no such item is listed')
      expect(said).to.contain('row 2 (line 5) : no such item is listed')
    })

    it('does for the rows that were named what the seller decides, and for all by default', async () => {
      const jobId = adding('A', 'B', 'C')
      await lost(jobId)
      expect(counts(jobId)).to.include({ unknown: 3 })
      await resume(jobId, { 'assume-sent': true, row: [2] })
      expect(counts(jobId)).to.include({ unknown: 2 })
      await resume(jobId, { 'send-again': true })
      expect(counts(jobId)).to.include({ unknown: 0, queued: 2 })
      expect(fake.written.at(-1)?.record).to.include({ Unknown: null })
    })

    it('are those of new items in a sync', async () => {
      const jobId = whole(price(1), add('A', 'B'))
      await lost(jobId)
      expect(await resume(jobId)).to.equal(EXIT.unknownOutcome)
      expect(fake.written[0]?.view).to.equal(syncRunView)
      expect(fake.written[0]?.record?.Unknown).to.have.length(2)
      expect(fake.written[0]?.record).to.include({ Calls: 2 })
      expect(fake.lists).to.have.length(1)
      expect(fake.said.join('\n')).to.contain(`seller jobs:resume ${jobId} -p shop --assume-sent`)
      await resume(jobId, { 'send-again': true, row: [1] })
      const [, additions] = partsOf(fake.bench.ledger, jobId)
      expect(additions?.Counts).to.include({ unknown: 1, queued: 1 })
      expect(await resume(jobId, { 'assume-sent': true })).to.equal(EXIT.ok)
      expect(fake.written.at(-1)?.record).to.include({ Unknown: null })
    })
  })

  it('passes on to a sync that failed rows are sent again, or rows as they were planned', async () => {
    fake.bench.service.invalid = () => 'It is not yours.'
    const jobId = whole(price(1))
    await resume(jobId)
    fake.bench.service.invalid = () => undefined
    fake.bench.clock.time += 11 * MINUTE
    await resume(jobId, { 'retry-failed': true, 'as-planned': true })
    expect(partsOf(fake.bench.ledger, jobId)[0]?.Counts).to.include({ failed: 0, queued: 1 })
    expect(fake.lists).to.deep.equal([])
  })

  it('continues the steps of a listing, as the command would have ended that began it', async () => {
    const jobId = listing()
    const sent: string[] = []
    const client = {
      call: async (operation: string) => {
        sent.push(operation)
        return operation === 'AddItemCommit' ? null : []
      },
    } as unknown as SoapClient
    const ctx = { ...fake.ctx, client: async () => client }
    const code = await resumeJob(ctx, jobId, FLAGS)
    expect(code).to.equal(EXIT.ok)
    expect(sent).to.include('AddItemCommit')
    expect(fake.written).to.have.length(1)
    expect([uploadView, requestView]).to.include(fake.written[0]?.view)
  })

  describe('of several shops', () => {
    it('takes no id', () => {
      expect(() => refuseIdOfMany(3, 'a')).to.throw('Job 3 is of one shop')
      for (const [id, profiles] of [
        [3, undefined],
        [undefined, 'a'],
        [undefined, undefined],
      ] as const)
        expect(() => refuseIdOfMany(id, profiles)).to.not.throw()
    })

    it('continues all jobs of a shop, the oldest first, and warns of those at work', async () => {
      const jobs = [fake.bench.price({ 1: 150 }), fake.bench.price({ 2: 150 }), fake.bench.price({ 3: 150 })]
      const lock = fake.bench.ledger.jobs.lock(jobs[1] ?? 0)
      expect(await resumeAll(fake.ctx, { ...FLAGS, 'as-planned': true })).to.equal(EXIT.ok)
      lock.release()
      expect(fake.written.map(({ record }) => record?.JobId)).to.deep.equal([jobs[0], jobs[2]])
      expect(fake.said).to.include(`! Job ${jobs[1]} is at work in another process.`)
    })

    it('gives each kind of job the flags that concern it', async () => {
      const sync = whole(price(1))
      const rows = fake.bench.price({ 2: 150 })
      expect(await resumeAll(fake.ctx, { ...FLAGS, verify: true })).to.equal(EXIT.ok)
      expect(fake.written.map(({ record }) => record?.JobId)).to.deep.equal([sync, rows])
      expect(fake.written[1]?.record?.Differences).to.deep.equal([])
      const steps = listing()
      const ctx = { ...fake.ctx, client: async () => ({ call: async () => [] }) as unknown as SoapClient }
      fake.written = []
      fake.bench.clock.time += 1000
      await resumeAll(ctx, { ...FLAGS, verify: true, 'retry-failed': true, row: [1] }).catch(() => undefined)
      expect(fake.bench.ledger.jobs.show(steps).State).to.not.equal('open')
    })

    it('goes on after a job that cannot, and ends with the first error and the most serious code', async () => {
      const [first, second] = [fake.bench.price({ 1: 150 }), fake.bench.price({ 2: 150 })]
      const rows = [3, 99].map((id) => ({ line: id, id }))
      const job = { kind: 'remove', profile: 'shop', userId: 7, title: 'away', form: FORM, rows } as const
      const { JobId: third } = createBulkJob(fake.bench.ledger, job)
      fake.profile.settings.binding = 'get'
      const error = await thrownBy(() => resumeAll(fake.ctx, FLAGS))
      expect(error).to.include({ code: 'binding_too_narrow', exitCode: worseExitCode(EXIT.usage, EXIT.someRowsFailed) })
      expect(counts(first)).to.include({ unsent: 1 })
      expect(counts(second)).to.include({ unsent: 1 })
      expect(counts(third)).to.include({ failed: 1, queued: 1 })
      // One error alone can be thrown: those after it are said.
      expect(fake.said.filter((line) => line.startsWith('! SetPriceOnShopItems sends more'))).to.deep.equal([
        `! ${error.message}\n${error.hint}`,
      ])
    })

    it('ends with the most serious code of jobs that went on to their ends', async () => {
      fake.bench.service.invalid = (id) => (id === 1 ? 'It is not yours.' : undefined)
      fake.bench.price({ 1: 150 })
      fake.bench.price({ 2: 150 })
      expect(await resumeAll(fake.ctx, { ...FLAGS, 'as-planned': true })).to.equal(EXIT.someRowsFailed)
    })

    for (const kind of ['quota', 'unreachable', 'refused'] as const) {
      it(`ends at once where a call ends as ${kind}: the next job would too`, async () => {
        const first = fake.bench.price({ 1: 150 })
        const second = fake.bench.price({ 2: 150 })
        fake.bench.service.outcome = () => ({ kind })
        const error = await thrownBy(() => resumeAll(fake.ctx, { ...FLAGS, 'as-planned': true }))
        expect(error.message).to.contain(`Job ${first}: `)
        expect(fake.bench.service.calls.some(({ params }) => params.request?.ShopItems[0]?.Id === 2)).to.equal(false)
        expect(counts(second)).to.include({ unsent: 1 })
      })
    }

    it('ends at once at Ctrl-C', async () => {
      fake.bench.price({ 1: 150 })
      const second = fake.bench.price({ 2: 150 })
      fake.signal = AbortSignal.abort()
      const error = await thrownBy(() => resumeAll(fake.ctx, { ...FLAGS, wait: true, 'as-planned': true }))
      expect(error.exitCode).to.equal(EXIT.interrupted)
      expect(counts(second)).to.include({ unsent: 1 })
    })
  })
})
