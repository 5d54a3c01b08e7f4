/** The run of a sync: one part after another, one wait for all, one result. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { type PartsRun, runParts } from '../../../src/actions/jobs/parts.js'
import { EXIT } from '../../../src/cli/errors.js'
import { createWhole, dropJob, type NewPart, partsOf, wholeJob } from '../../../src/jobs/bulk/index.js'
import { add, FakeService, FORM, price, remove } from '../../jobs/bulk/support.js'
import { FakeContext, thrownBy } from '../support.js'

const FLAGS = { wait: false, timeout: 60_000 }

describe('the run of a sync', () => {
  let fake: FakeContext
  beforeEach(() => {
    fake = new FakeContext(FakeService.shop(6))
  })
  afterEach(() => fake.close())
  const make = (...parts: NewPart[]): number =>
    createWhole(fake.bench.ledger, { profile: 'shop', userId: 7, title: 'shop:sync', form: FORM, parts }, () => {}).JobId
  const run = (jobId: number, more: Partial<PartsRun> = {}) =>
    runParts(fake.ctx, fake.client, { jobId, flags: FLAGS, callsBefore: 0, ...more })
  const operations = (): string[] => fake.bench.service.calls.map(({ operation }) => operation)
  const counts = (jobId: number) => partsOf(fake.bench.ledger, jobId).map(({ Counts }) => Counts)

  it('sends prices, then new items, then removals, and has one result', async () => {
    const jobId = make(remove(5, 6), add('N'), price(1, 2, 3))
    const { record, code } = await run(jobId, { callsBefore: 2, heldFile: 'held.csv' })
    expect(code).to.equal(EXIT.ok)
    expect(operations()).to.deep.equal(['SetPriceOnShopItems', 'AddShopItem', 'RemoveShopItem', 'RemoveShopItem'])
    const parts = partsOf(fake.bench.ledger, jobId)
    expect(record).to.deep.equal({
      JobId: jobId,
      Kind: 'sync',
      Title: 'shop:sync',
      State: 'waiting',
      Message: null,
      Added: 1,
      Repriced: 3,
      Restocked: 0,
      Removed: 2,
      Counts: wholeJob(fake.bench.ledger, jobId).Counts,
      Unchanged: null,
      Pending: null,
      Missing: null,
      WithoutReference: null,
      ByHand: null,
      Calls: 6,
      HeldFile: 'held.csv',
      FailedFile: null,
      Parts: parts.map(({ JobId, Kind, State, Counts }) => ({ JobId, Kind, State, Counts })),
      Unknown: null,
    })
    expect(fake.said).to.deep.equal([
      `? Queued. Wait for the outcome with: seller jobs:resume ${jobId} --wait -p shop`,
      '6 calls in this run, 4 in the last 24 hours.',
      `? Restore the old prices with: seller jobs:undo ${parts[0]?.JobId} -p shop`,
    ])
  })

  it('counts what was carried out and what is queued, and nothing else', async () => {
    fake.bench.service.invalid = (id) => (id === 2 ? 'It is not yours.' : undefined)
    const { record, code } = await run(make(price(1, 2, 3)), { flags: { ...FLAGS, wait: true } })
    expect(code).to.equal(EXIT.someRowsFailed)
    expect(record).to.include({ Repriced: 2, Added: 0, Removed: 0, HeldFile: null, State: 'partial' })
  })

  it('names the part and the job while it sends, for Ctrl-C', async () => {
    const jobId = make(price(1), add('N'))
    await run(jobId)
    const said = fake.interruptions.map(({ sent }) => sent)
    expect(said[0]).to.equal(`Job ${jobId}, prices: 0 of 1 row were sent. The ledger has recorded them.`)
    expect(said.at(-1)).to.equal(`Job ${jobId}, new items: 1 of 1 row were sent. The ledger has recorded them.`)
    expect(fake.interruptions.every(({ next }) => next === `seller jobs:resume ${jobId} -p shop`)).to.equal(true)
    expect(fake.progress.filter((entry) => entry === 'stop')).to.have.length(2)
  })

  it('sends everything before it waits for anything, and then waits for all', async () => {
    const jobId = make(price(1), remove(5))
    const { record, code } = await run(jobId, { flags: { ...FLAGS, wait: true } })
    expect(code).to.equal(EXIT.ok)
    expect(operations()).to.deep.equal(['SetPriceOnShopItems', 'RemoveShopItem', 'GetRequestResults', 'GetRequestResults'])
    expect(record).to.include({ State: 'ok', Calls: 4 })
    expect(fake.interruptions.at(-1)?.next).to.equal(`seller jobs:resume ${jobId} --wait -p shop`)
  })

  it('has one time for the wait of all parts', async () => {
    fake.bench.service.looks = 100_000
    const jobId = make(price(1), remove(5))
    const before = fake.bench.clock.time
    const { code } = await run(jobId, { flags: { wait: true, timeout: 10_000 } })
    expect(code).to.equal(EXIT.pending)
    expect(fake.bench.clock.time - before)
      .to.be.at.least(9000)
      .and.at.most(15_000)
    expect(fake.said[0]).to.equal('! Still waiting for 2 results when the time was up.')
  })

  it('asks once for what is queued where nothing is to be sent and nobody waits', async () => {
    const jobId = make(price(1))
    await run(jobId)
    await run(jobId)
    expect(operations()).to.deep.equal(['SetPriceOnShopItems', 'GetRequestResults'])
    const { record } = await run(jobId)
    expect(operations()).to.have.length(2)
    expect(record).to.include({ Calls: 0, State: 'ok' })
  })

  it('does not ask twice in a run that waits', async () => {
    const jobId = make(price(1))
    await run(jobId)
    await run(jobId, { flags: { ...FLAGS, wait: true } })
    expect(operations()).to.deep.equal(['SetPriceOnShopItems', 'GetRequestResults'])
  })

  it('ends with the first part that stops: those after it are not sent', async () => {
    fake.bench.service.outcome = (_, operation) =>
      operation === 'SetPriceOnShopItems' ? { kind: 'quota', sent: true } : 'answered'
    const jobId = make(price(1), remove(5))
    const error = await thrownBy(() => run(jobId, { flags: { ...FLAGS, wait: true } }))
    expect(error.exitCode).to.equal(EXIT.quota)
    expect(error.message).to.contain(`Job ${jobId}: the service has answered for 0 of 2 rows`)
    expect(error.hint).to.contain(`seller jobs:resume ${jobId} --wait -p shop`)
    expect(new Set(operations())).to.deep.equal(new Set(['SetPriceOnShopItems']))
    expect(counts(jobId)[1]).to.include({ unsent: 1 })
    expect(fake.said).to.deep.equal(['1 call in this run, 4 in the last 24 hours.'])
  })

  it('sends failed rows again only where it was asked to, and once where it waits too', async () => {
    fake.bench.service.invalid = () => 'It is not yours.'
    const jobId = make(price(1))
    await run(jobId)
    await run(jobId)
    expect(operations()).to.have.length(1)
    await run(jobId, { retryFailed: true, flags: { ...FLAGS, wait: true } })
    expect(operations()).to.have.length(2)
    expect(counts(jobId)[0]).to.include({ failed: 1 })
    fake.bench.service.invalid = () => undefined
    await run(jobId, { retryFailed: true })
    expect(counts(jobId)[0]).to.include({ queued: 1 })
  })

  it('sends rows once more that the service refused for the time being, where it waits for them', async () => {
    fake.bench.service.code = () => 'TryAgain'
    const jobId = make(price(1))
    await run(jobId, { flags: { ...FLAGS, wait: true } })
    const sent = () => fake.bench.service.of('SetPriceOnShopItems').length
    const before = sent()
    await run(jobId, { retryFailed: true, flags: { ...FLAGS, wait: true } })
    expect(sent()).to.equal(before + 1)
  })

  it('does with rows of unknown outcome what the seller decides, for the rows that were named', async () => {
    fake.bench.service.outcome = (_, operation) => (operation === 'AddShopItem' ? 'lost' : 'answered')
    const jobId = make(price(1), add('A', 'B'))
    expect((await run(jobId)).code).to.equal(EXIT.unknownOutcome)
    fake.bench.service.outcome = () => 'answered'
    const additions = () => counts(jobId)[1]
    expect(additions()).to.include({ unknown: 2 })
    await run(jobId)
    expect(additions()).to.include({ unknown: 2 })
    await run(jobId, { unknown: 'send-again', unknownRows: new Set([2]), flags: { ...FLAGS, wait: true } })
    expect(additions()).to.include({ unknown: 1, ok: 1 })
    const sent = fake.bench.service.of('AddShopItem').length
    await run(jobId, { unknown: 'assume-sent' })
    expect(additions()).to.include({ unknown: 0 })
    expect(fake.bench.service.of('AddShopItem')).to.have.length(sent)
  })

  it('compares an old plan with the live list before prices are sent, and counts that call', async () => {
    const jobId = make(price(1, 2))
    fake.bench.clock.time += 11 * 60_000
    fake.bench.service.put(2, 333)
    const { record, code } = await run(jobId)
    expect(code).to.equal(EXIT.held)
    expect(record).to.include({ Calls: 2, Repriced: 1 })
    expect(fake.said).to.include('! 1 row held, not sent: the live price has changed since the job was planned.')
    expect(fake.said).to.include(
      `? See both prices with: seller jobs:show ${jobId} --failed -p shop. If the old plan is right, send those rows as a new change.`,
    )
  })

  it('sends an old plan as it was planned where it was asked to', async () => {
    const jobId = make(price(1))
    fake.bench.clock.time += 11 * 60_000
    expect((await run(jobId, { asPlanned: true })).record).to.include({ Calls: 1, Repriced: 1 })
    expect(fake.lists).to.deep.equal([])
    expect(fake.said.join('\n')).to.not.contain('held')
  })

  it('writes the failed rows of all parts to one file', async () => {
    fake.bench.service.invalid = (id) => (id === 5 || id === 1 ? 'It is not yours.' : undefined)
    const { record } = await run(make(price(1), remove(5)), { flags: { ...FLAGS, 'failed-file': 'failed.csv' } })
    expect(record.FailedFile).to.equal('failed.csv')
    expect((await readFile(join(fake.directory, 'failed.csv'), 'utf8')).trimEnd().split('\n')).to.have.length(3)
    expect(fake.said[0]).to.match(/^! 2 rows failed\.\n.*\n.*/)
  })

  it('leaves a part alone that has nothing to send, whatever the seller has decided', async () => {
    const jobId = make(price(1), remove(5))
    await run(jobId, { flags: { ...FLAGS, wait: true } })
    const before = operations().length
    for (const choice of [{ retryFailed: true }, { unknown: 'send-again' }, { unknown: 'assume-sent' }] as const) {
      fake.progress = []
      fake.interruptions = []
      await run(jobId, choice)
      expect(fake.progress, JSON.stringify(choice)).to.deep.equal([])
    }
    expect(operations()).to.have.length(before)
  })

  it('goes on with what an ended process left in the middle of a call', async () => {
    const jobId = make(price(1))
    const [part] = partsOf(fake.bench.ledger, jobId)
    fake.bench.ledger.store.run("UPDATE bulk_states SET states = x'01', unsent = 0, sending = 1 WHERE job_id = ?", part?.JobId)
    await run(jobId)
    expect(operations()).to.deep.equal(['SetPriceOnShopItems'])
  })

  it('takes rows that may be sent again for those to send', async () => {
    const jobId = make(price(1))
    const [part] = partsOf(fake.bench.ledger, jobId)
    fake.bench.ledger.store.run("UPDATE bulk_states SET states = x'05', unsent = 0, retryable = 1 WHERE job_id = ?", part?.JobId)
    await run(jobId)
    expect(operations()).to.deep.equal([])
    await run(jobId, { retryFailed: true })
    expect(operations()).to.deep.equal(['SetPriceOnShopItems'])
  })

  it('is refused where it was dropped, or another process runs it', async () => {
    const jobId = make(price(1))
    const lock = fake.bench.ledger.jobs.lock(jobId)
    expect(await thrownBy(() => run(jobId))).to.have.property('code', 'job_locked')
    lock.release()
    dropJob(fake.bench.ledger, jobId, { certain: true })
    expect(await thrownBy(() => run(jobId))).to.have.property('code', 'job_over')
    expect(operations()).to.deep.equal([])
    // The lock is given back, whatever happened.
    fake.bench.ledger.jobs.lock(jobId).release()
  })
})
