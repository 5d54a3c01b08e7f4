/** Looks at what is queued, while other processes work on the same ledger. */
import { expect } from 'chai'
import { lookAtAllQueued, lookAtQueued } from '../../../src/actions/jobs/look.js'
import type { Context } from '../../../src/cli/context.js'
import { bulkJob } from '../../../src/jobs/bulk/index.js'
import type { SoapClient } from '../../../src/soap/client/index.js'
import { Bench, FakeService } from '../../jobs/bulk/support.js'

describe('a look at what is queued', () => {
  let bench: Bench
  let jobId: number
  const ctx = () =>
    ({
      ledger: async () => bench.ledger,
      client: async () => bench.service.client,
      clock: bench.clock,
      profile: { name: 'shop', settings: { user_id: 7 } },
    }) as unknown as Context
  const client = () => bench.service.client as SoapClient
  const looks = (): number => bench.service.calls.filter(({ operation }) => operation === 'GetRequestResults').length

  beforeEach(async () => {
    bench = new Bench(FakeService.shop(3))
    jobId = bench.price(3)
    await bench.run(jobId)
  })
  afterEach(() => bench.close())

  it('asks once for the results of a job', async () => {
    expect(await lookAtQueued(ctx(), client(), bulkJob(bench.ledger, jobId))).to.equal(1)
    expect(bulkJob(bench.ledger, jobId).Counts).to.include({ queued: 0, ok: 3 })
    expect(await lookAtAllQueued(ctx())).to.equal(0)
  })

  it('leaves a job to another process that has taken it since it was read', async () => {
    const read = bulkJob(bench.ledger, jobId)
    const before = looks()
    const lock = bench.ledger.jobs.lock(jobId)
    expect(await lookAtQueued(ctx(), client(), read)).to.equal(0)
    lock.release()
    expect(looks()).to.equal(before)
    expect(bulkJob(bench.ledger, jobId).Counts).to.include({ queued: 3 })
  })

  it('asks nothing about a job that a run would send more of, that was dropped, or that runs', async () => {
    const read = bulkJob(bench.ledger, jobId)
    const before = bench.service.calls.length
    for (const job of [
      { ...read, Counts: { ...read.Counts, unsent: 1 } },
      { ...read, Counts: { ...read.Counts, sending: 1 } },
      { ...read, Counts: { ...read.Counts, queued: 0 } },
      { ...read, State: 'cancelled' as const },
      { ...read, Running: true },
    ]) {
      expect(await lookAtQueued(ctx(), client(), job)).to.equal(0)
    }
    expect(bench.service.calls).to.have.length(before)
    expect(await lookAtQueued(ctx(), client(), read)).to.equal(1)
  })

  it('asks about the jobs of this seller and profile, of the kinds that are wanted', async () => {
    await bench.run(jobId, { wait: true })
    const made = async (more: object): Promise<number> => {
      const id = bench.price({ 1: 150 + bench.service.calls.length }, more)
      await bench.run(id)
      return id
    }
    const own = await made({})
    const before = await made({ userId: undefined })
    const others = [await made({ userId: 8 }), await made({ profile: 'other' })]
    expect(await lookAtAllQueued(ctx(), ['stock'])).to.equal(0)
    expect(await lookAtAllQueued(ctx())).to.equal(2)
    for (const id of [own, before]) expect(bulkJob(bench.ledger, id).Counts.queued).to.equal(0)
    for (const id of others) expect(bulkJob(bench.ledger, id).Counts.queued).to.equal(1)
    const unnamed = { ...ctx(), profile: { name: 'shop', settings: {} } } as unknown as Context
    expect(await lookAtAllQueued(unnamed)).to.equal(1)
    expect(bulkJob(bench.ledger, others[0] ?? 0).Counts.queued).to.equal(0)
  })

  it('passes on any other fault', async () => {
    const read = bulkJob(bench.ledger, jobId)
    bench.service.outcome = () => ({ kind: 'refused' })
    const error = await lookAtQueued(ctx(), client(), read).catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(Error).and.have.property('kind', 'refused')
  })
})
