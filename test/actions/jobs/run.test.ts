/** A run of a job: what it sends, what it reports at its end, and its exit code. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { type JobRun, listOf, recordOfNoRun, refuseOtherShop, runJob } from '../../../src/actions/jobs/run.js'
import { EXIT } from '../../../src/cli/errors.js'
import { bulkJob, bulkRows, createBulkJob } from '../../../src/jobs/bulk/index.js'
import { SoapError } from '../../../src/soap/client/index.js'
import { FakeService, FORM } from '../../jobs/bulk/support.js'
import { FakeContext, thrownBy } from '../support.js'

const FLAGS = { wait: false, timeout: 60_000 }

describe('the run of a job', () => {
  let fake: FakeContext
  beforeEach(() => {
    fake = new FakeContext(FakeService.shop(3))
  })
  afterEach(() => fake.close())
  const run = (jobId: number, more: Partial<JobRun> = {}) =>
    runJob(fake.ctx, fake.client, { jobId, flags: FLAGS, callsBefore: 0, ...more })
  const operations = (): string[] => fake.bench.service.calls.map(({ operation }) => operation)

  it('sends the rows, leaves their results to a later command, and reports both', async () => {
    const jobId = fake.bench.price(3)
    const { record, code } = await run(jobId)
    expect(code).to.equal(EXIT.ok)
    expect(operations()).to.deep.equal(['SetPriceOnShopItems'])
    const { Counts } = bulkJob(fake.bench.ledger, jobId)
    expect(Counts).to.include({ queued: 3 })
    expect(record).to.deep.equal({
      JobId: jobId,
      Kind: 'price',
      Title: 'test',
      State: 'waiting',
      Message: null,
      Counts,
      Unchanged: 0,
      Calls: 1,
      Fees: 0,
      UndoOf: null,
      HeldFile: null,
      FailedFile: null,
      Differences: null,
      Unknown: null,
    })
    expect(fake.said).to.deep.equal([
      `? Queued. Wait for the outcome with: seller jobs:resume ${jobId} --wait -p shop`,
      '1 call in this run, 4 in the last 24 hours.',
      `? Restore the old prices with: seller jobs:undo ${jobId} -p shop`,
    ])
    expect(fake.progress.at(-1)).to.equal('stop')
    expect(fake.interruptions.at(-1)?.next).to.equal(`seller jobs:resume ${jobId} -p shop`)
  })

  it('counts the calls that the plan took, and passes on what only the plan knows', async () => {
    const { record } = await run(fake.bench.price(1), { callsBefore: 2, unchanged: 5, fees: 40, heldFile: 'held.csv' })
    expect(record).to.include({ Calls: 3, Unchanged: 5, Fees: 40, HeldFile: 'held.csv' })
    expect(fake.said).to.include('3 calls in this run, 4 in the last 24 hours.')
  })

  it('waits for the results where it was asked to', async () => {
    const jobId = fake.bench.price(2)
    const { record, code } = await run(jobId, { flags: { ...FLAGS, wait: true } })
    expect(code).to.equal(EXIT.ok)
    expect(record).to.include({ State: 'ok', Calls: 2, Differences: null })
    expect(fake.lists).to.deep.equal([])
    expect(fake.interruptions.at(-1)?.next).to.equal(`seller jobs:resume ${jobId} --wait -p shop`)
  })

  it('waits no longer than it was told to', async () => {
    fake.bench.service.looks = 1000
    const { code, record } = await run(fake.bench.price(1), { flags: { wait: true, timeout: 5000 } })
    expect(code).to.equal(EXIT.pending)
    expect(record.State).to.equal('waiting')
    expect(fake.said[0]).to.equal('! Still waiting for 1 result when the time was up.')
  })

  it('reads the list again for --verify, which waits too, and counts that call', async () => {
    const { record, code } = await run(fake.bench.price(2), { flags: { ...FLAGS, verify: true } })
    expect(code).to.equal(EXIT.ok)
    expect(record).to.deep.include({ State: 'ok', Calls: 3, Differences: [] })
    expect(fake.lists).to.have.length(1)
    expect(fake.lists[0]).to.include({ filterItemType: 'ShopItem', filterActive: 'Active' })
    expect(fake.said).to.include('Verified: all 2 rows are live as they should be.')
  })

  it('reports every difference that --verify finds, with the exit code of failed rows', async () => {
    const jobId = fake.bench.price({ 1: 150, 2: 160 })
    const client = { ...fake.client }
    client.stream = (() => {
      fake.bench.service.put(2, 99)
      return fake.bench.service.live
    }) as never
    const { record, code } = await runJob(fake.ctx, client, {
      jobId,
      flags: { ...FLAGS, verify: true },
      callsBefore: 0,
    })
    expect(code).to.equal(EXIT.someRowsFailed)
    expect(record.Differences).to.have.length(1)
    expect(record.Differences?.[0]).to.include({ Id: 2, State: 'ok' })
    expect(fake.said[0]).to.equal('! 1 difference in 2 rows:\n  item 2: BuyItNowPrice is 99, not 160')
  })

  it('takes a difference of a row that is still queued for no failure of it', async () => {
    fake.bench.service.looks = 1000
    const { record, code } = await run(fake.bench.price(1), { flags: { wait: true, timeout: 1000, verify: true } })
    expect(record.Differences).to.have.nested.property('[0].State', 'queued')
    expect(code).to.equal(EXIT.pending)
  })

  it('says so where the list cannot be read for --verify: what was sent stays sent', async () => {
    fake.listFails = new SoapError('unreachable', 'nobody answers', { operation: 'GetSellerItems', sent: false })
    const { record, code } = await run(fake.bench.price(1), { flags: { ...FLAGS, verify: true } })
    expect(record).to.include({ State: 'ok', Differences: null, Calls: 3 })
    expect(code).to.equal(EXIT.failure)
    expect(fake.said[0]).to.match(/^! The result could not be verified, because the live list could not be read: /)
  })

  it('ends at Ctrl-C while the list is read for --verify', async () => {
    fake.listFails = new SoapError('aborted', 'stopped', { operation: 'GetSellerItems', sent: false })
    const error = await thrownBy(() => run(fake.bench.price(1), { flags: { ...FLAGS, verify: true } }))
    expect(error.exitCode).to.equal(EXIT.interrupted)
  })

  it('writes failed rows to the file that was named for them, and offers to send them again by kind', async () => {
    fake.bench.service.invalid = (id) => (id === 2 ? 'It is not yours.' : undefined)
    const jobId = fake.bench.price({ 1: 150, 2: 160 })
    const { record, code } = await run(jobId, { flags: { ...FLAGS, 'failed-file': 'failed.csv' } })
    expect(code).to.equal(EXIT.someRowsFailed)
    expect(record.FailedFile).to.equal('failed.csv')
    expect(await readFile(join(fake.directory, 'failed.csv'), 'utf8')).to.match(/^Id,Price,_Reason\n2,160,.*It is not yours/)
    expect(fake.said).to.include('? They are in failed.csv, with the reason.')
  })

  it('sends failed rows again only where it was asked to', async () => {
    let refuse = true
    fake.bench.service.invalid = () => (refuse ? 'Not now.' : undefined)
    const jobId = fake.bench.price(1)
    await run(jobId)
    refuse = false
    await run(jobId)
    expect(bulkJob(fake.bench.ledger, jobId).Counts).to.include({ failed: 1, queued: 0 })
    await run(jobId, { retryFailed: true })
    expect(bulkJob(fake.bench.ledger, jobId).Counts).to.include({ failed: 0, queued: 1 })
  })

  it('sends one at a time where it may', async () => {
    const rows = [1, 2, 3].map((id) => ({ line: id, id }))
    for (const [concurrency, most] of [
      [1, 1],
      [3, 3],
    ] as const) {
      const job = { kind: 'remove', profile: 'shop', userId: 7, title: 'away', form: FORM, rows } as const
      const { JobId } = createBulkJob(fake.bench.ledger, job)
      fake.bench.service.mostAtOnce = 0
      await run(JobId, { flags: { ...FLAGS, concurrency } })
      expect(fake.bench.service.mostAtOnce, String(concurrency)).to.be.at.most(most)
      if (most === 1) expect(fake.bench.service.mostAtOnce).to.equal(1)
    }
  })

  describe('that has rows of unknown outcome', () => {
    const added = async (): Promise<number> => {
      const rows = [1, 2].map((line) => ({ line, id: 0, title: `Kopp ${line}`, payload: { Title: `Kopp ${line}`, Price: 5 } }))
      const job = { kind: 'add-shop', profile: 'shop', userId: 7, title: 'new', form: FORM, rows } as never
      const { JobId } = createBulkJob(fake.bench.ledger, job)
      fake.bench.service.outcome = () => 'lost'
      const { code } = await run(JobId).catch((error: { exitCode: number }) => ({ code: error.exitCode }))
      fake.bench.service.outcome = () => 'answered'
      expect(code).to.equal(EXIT.unknownOutcome)
      return JobId
    }
    const counts = (jobId: number) => bulkJob(fake.bench.ledger, jobId).Counts

    it('leaves them alone by default, and says what to do', async () => {
      const jobId = await added()
      const { unknown } = counts(jobId)
      expect(unknown).to.equal(2)
      const before = operations().length
      expect((await run(jobId)).code).to.equal(EXIT.unknownOutcome)
      expect(operations().slice(before)).to.not.include('AddShopItem')
      expect(counts(jobId)).to.include({ unknown })
    })

    it('sends them again, or takes them as sent, as the seller says', async () => {
      const jobId = await added()
      await run(jobId, { unknown: 'send-again', unknownRows: new Set([1]) })
      expect(counts(jobId)).to.include({ unknown: 1, queued: 1 })
      const before = operations().length
      await run(jobId, { unknown: 'assume-sent' })
      expect(counts(jobId)).to.include({ unknown: 0 })
      expect(operations().slice(before)).to.not.include('AddShopItem')
    })
  })

  it('holds rows whose price has changed since the plan, where the list is read', async () => {
    const jobId = fake.bench.price({ 1: 150, 2: 160 })
    fake.bench.service.put(2, 333)
    const { code } = await run(jobId, { live: () => fake.bench.service.live as never })
    expect(code).to.equal(EXIT.held)
    expect([...bulkRows(fake.bench.ledger, jobId, ['held'])].map(({ Id }) => Id)).to.deep.equal([2])
    expect(fake.said[0]).to.equal('! 1 row held, not sent: the live price has changed since the job was planned.')
  })

  it('says nothing of moved rows where none moved', async () => {
    const jobId = fake.bench.price(2)
    await run(jobId, { live: () => fake.bench.service.live as never })
    expect(fake.said.join('\n')).to.not.contain('held')
  })

  it('says why it stopped, how many calls it made, and how to continue', async () => {
    fake.bench.service.outcome = () => ({ kind: 'quota', sent: true })
    const jobId = fake.bench.price(3)
    const error = await thrownBy(() => run(jobId, { callsBefore: 2, flags: { ...FLAGS, verify: true } }))
    expect(error.exitCode).to.equal(EXIT.quota)
    expect(error.message).to.contain(`Job ${jobId}: the service has answered for 0 of 3 rows`)
    expect(error.hint).to.contain(`seller jobs:resume ${jobId} --wait -p shop`)
    expect(fake.said).to.deep.equal(['3 calls in this run, 4 in the last 24 hours.'])
    expect(fake.lists).to.deep.equal([])
    expect(fake.progress.at(-1)).to.equal('stop')
  })

  it('puts its progress away where it cannot begin', async () => {
    const jobId = fake.bench.price(1)
    const lock = fake.bench.ledger.jobs.lock(jobId)
    expect(await thrownBy(() => run(jobId))).to.have.property('code', 'job_locked')
    lock.release()
    expect(fake.progress.at(-1)).to.equal('stop')
  })

  it('ends at Ctrl-C, also while it waits', async () => {
    fake.signal = AbortSignal.abort()
    const flags = { ...FLAGS, wait: true }
    expect((await thrownBy(() => run(fake.bench.price(1), { flags }))).exitCode).to.equal(EXIT.interrupted)
  })
})

describe('the result of a run with nothing to send', () => {
  it('has the kind, the calls and what stays as it is', () => {
    const record = recordOfNoRun('stock', 'a title', { calls: 2, unchanged: 3 })
    expect(record).to.include({ JobId: null, Kind: 'stock', Title: 'a title', State: 'ok', Calls: 2, Unchanged: 3, Fees: 0 })
    expect(Object.values(record.Counts).every((count) => count === 0)).to.equal(true)
  })
})

describe('the list that shows what a job did', () => {
  it('is the shop for its items, what runs for auctions, and everything for what was added', () => {
    for (const [kind, filter] of [
      ['price', { filterItemType: 'ShopItem', filterActive: 'Active' }],
      ['remove', { filterItemType: 'ShopItem', filterActive: 'Active' }],
      ['stock', { filterItemType: 'ShopItem', filterActive: 'Active', stock: true }],
      ['auction-price', { filterItemType: 'All', filterActive: 'Active' }],
      ['add-shop', { filterItemType: 'All', filterActive: 'All' }],
      ['add-item', { filterItemType: 'All', filterActive: 'All' }],
    ] as const) {
      expect(listOf(kind), kind).to.deep.equal(filter)
    }
  })
})

describe('a job of another shop', () => {
  const refused = (job: { Profile: string; UserId: number | null }, user?: number) => () =>
    refuseOtherShop({ profile: { name: 'shop', settings: { user_id: user } } } as never, { JobId: 9, ...job })

  it('is one of another profile, or of another seller of the same one', () => {
    for (const [job, user] of [
      [{ Profile: 'shop', UserId: 7 }, 7],
      [{ Profile: 'shop', UserId: null }, 7],
      [{ Profile: 'shop', UserId: 7 }, undefined],
      [{ Profile: 'shop', UserId: null }, undefined],
    ] as const) {
      expect(refused(job, user), JSON.stringify([job, user])).to.not.throw()
    }
    expect(refused({ Profile: 'other', UserId: 8 }, 7)).to.throw(
      'Job 9 belongs to the profile "other", seller 8, but the current profile is "shop", seller 7.',
    )
    expect(refused({ Profile: 'other', UserId: null })).to.throw(
      'Job 9 belongs to the profile "other", but the current profile is "shop".',
    )
    expect(refused({ Profile: 'shop', UserId: 8 }, 7)).to.throw('Job 9 belongs to the profile "shop", seller 8')
    expect(refused({ Profile: 'other', UserId: 7 }, 7)).to.throw('"other"')
  })

  it('is refused with both in the details', async () => {
    const error = await thrownBy(refused({ Profile: 'other', UserId: 8 }, 7))
    expect(error).to.include({ code: 'wrong_profile', hint: 'Use --profile other with the credentials of that seller.' })
    expect(error.details).to.deep.equal({ jobId: 9, profile: 'other' })
  })
})
