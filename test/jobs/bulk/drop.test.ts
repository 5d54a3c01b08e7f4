import { expect } from 'chai'
import { bulkJob, dropJob, inFlight } from '../../../src/jobs/bulk/index.js'
import { createListing, JobsError, runListing } from '../../../src/jobs/index.js'
import { SoapError } from '../../../src/soap/client/index.js'
import { thrownBy } from '../../thrown.js'
import { LAMP } from '../service.js'
import { Bench, FakeService } from './support.js'

const refusal = (work: () => unknown) => thrownBy(JobsError, work)

describe('dropping a job', () => {
  let bench: Bench
  afterEach(() => bench.close())
  const drop = (jobId: number, certain = false) => dropJob(bench.ledger, jobId, { certain })

  it('ends it for good: what is unsent is never sent', async () => {
    bench = new Bench(FakeService.shop(3))
    const jobId = bench.price(3)
    expect(drop(jobId)).to.include({ State: 'cancelled', Running: false }).and.property('FinishedAt').not.equal(null)
    const error = await bench.run(jobId).catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(JobsError).and.include({ code: 'job_over' })
    expect(bench.service.calls).to.deep.equal([])
    expect(bulkJob(bench.ledger, jobId).Counts.unsent).to.equal(3)
    expect(refusal(() => drop(jobId))).to.include({ code: 'job_over', category: 'usage' })
    bench.ledger.jobs.lock(jobId).release()
  })

  it('is refused while a process works on it', () => {
    bench = new Bench(FakeService.shop(3))
    const jobId = bench.price(3)
    const lock = bench.ledger.jobs.lock(jobId)
    expect(refusal(() => drop(jobId, true)).code).to.equal('job_locked')
    lock.release()
    expect(bench.ledger.jobs.show(jobId).State).to.equal('open')
  })

  it('is refused where an outcome is unknown or results are to come, unless one is certain', async () => {
    bench = new Bench(new FakeService())
    bench.service.outcome = (call) => (call === 1 ? { kind: 'unknown-outcome' } : 'answered')
    const rows = [0, 1].map((at) => ({ line: at + 2, id: 0, payload: { Title: `Lampa ${at}`, CategoryId: 1, Price: 50 } }))
    const jobId = bench.job('add-shop', rows)
    await bench.run(jobId, { concurrency: 1 })
    expect(inFlight(bench.ledger, jobId)).to.deep.equal({ unknown: 1, queued: 1 })
    expect(refusal(() => drop(jobId))).to.include({ code: 'job_in_flight', category: 'guard' })
    expect(bench.ledger.jobs.show(jobId).State).to.equal('waiting')
    expect(drop(jobId, true).State).to.equal('cancelled')
    expect(bench.states(jobId)).to.deep.equal(['unknown', 'queued'])
  })

  it('ends a listing that was refused at its code', async () => {
    bench = new Bench(new FakeService())
    const { ledger } = bench
    const { JobId } = createListing({ ledger, profile: 'shop', itemRequest: LAMP, images: [], campaignCode: 'SLUT' })
    const operations: string[] = []
    const client = {
      call: (async (name: string) => {
        operations.push(name)
        if (name === 'AddItem') return { RequestId: 5, ItemId: null }
        throw new SoapError('fault', 'Invalid request ---> no', {
          operation: name,
          sent: true,
          faultCode: 'Client',
          faultString: 'no',
        })
      }) as never,
    }
    const listing = () => runListing({ client, ledger, jobId: JobId })
    const failed = await drain(listing())
    expect(failed).to.include({ kind: 'fault' })
    expect(ledger.jobs.show(JobId).State).to.equal('open')
    expect(inFlight(ledger, JobId)).to.deep.equal({ unknown: 0, queued: 0 })
    expect(drop(JobId).State).to.equal('cancelled')
    const over = await drain(listing())
    expect(over).to.include({ code: 'job_over' })
    expect((over as JobsError).hint).to.include('You dropped it')
    expect(operations).to.deep.equal(['AddItem', 'AddItemCampaignCode'])
  })
})

/** Runs to the end. @returns what was thrown, if anything */
async function drain(run: AsyncGenerator): Promise<unknown> {
  try {
    for await (const _ of run);
    return undefined
  } catch (error) {
    return error
  }
}
