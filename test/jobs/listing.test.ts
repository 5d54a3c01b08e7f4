import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { noCounts } from '../../src/jobs/ledger/counts.js'
import { BudgetError, JobsError } from '../../src/jobs/ledger/errors.js'
import type { Ledger } from '../../src/jobs/ledger/ledger.js'
import { inspectImages } from '../../src/jobs/listing/images.js'
import { createListing, type NewListing, showListing } from '../../src/jobs/listing/listing.js'
import { type RunListingOptions, runListing } from '../../src/jobs/listing/run.js'
import { SoapError } from '../../src/soap/client/index.js'
import { cleanUp, drain, FakeClock, GIF, JPEG, PNG, temporaryDirectory, temporaryLedger, thrown } from './harness.js'
import { FakeService, LAMP } from './service.js'

const fault = (operation = 'AddItemImage') =>
  new SoapError('fault', 'Invalid request ---> no', {
    operation,
    sent: true,
    faultCode: 'Client',
    faultString: 'no',
    httpStatus: 500,
  })
const quota = new SoapError('quota', 'too many calls', { operation: 'AddItemImage', sent: true, httpStatus: 429 })

describe('a listing', () => {
  let ledger: Ledger
  let service: FakeService
  let directory: string

  beforeEach(() => {
    ledger = temporaryLedger(new FakeClock())
    service = new FakeService()
    directory = temporaryDirectory()
  })
  afterEach(cleanUp)

  const pictures = async () => {
    const files = [GIF, JPEG, PNG].map((bytes, index) => {
      const path = join(directory, `${index}`)
      writeFileSync(path, bytes)
      return { path, mega: index === 2 }
    })
    return (await inspectImages(files)).images
  }
  const create = async (changes: Partial<NewListing> = {}) =>
    createListing({
      ledger,
      profile: 'p',
      userId: 5,
      itemRequest: LAMP,
      images: await pictures(),
      campaignCode: 'VINTER',
      ...changes,
    } as NewListing)
  const run = (options: Partial<RunListingOptions> = {}) =>
    drain(runListing({ client: service.client, ledger, jobId: 1, ...options }))
  const states = () => showListing(ledger, 1).Steps.map(({ State }) => State)
  const stopped = async (options: Partial<RunListingOptions> = {}) => {
    const error = await thrown(() => run(options))
    expect(error, String(error)).to.be.instanceOf(JobsError)
    return error as JobsError
  }
  const all = ['Gif 42', 'Jpeg 50', 'Png+ 70']
  const STEPS = ['AddItem', 'AddItemImage', 'AddItemImage', 'AddItemImage', 'AddItemCampaignCode', 'AddItemCommit']

  it('is on disk with all its steps before anything is sent', async () => {
    const record = await create()
    expect(record).to.include({ JobId: 1, Kind: 'listing', Title: 'Lampa', State: 'open', RequestId: null, UserId: 5 })
    expect(record.Counts).to.deep.equal({ ...noCounts(), unsent: 6 })
    expect(record.Steps.map(({ Operation }) => Operation)).to.deep.equal(STEPS)
    expect(record.Steps[3]).to.include({
      Step: 4,
      Subject: join(directory, '2'),
      State: 'waiting',
      Bytes: PNG.length,
      Format: 'Png',
      Mega: true,
    })
    expect(record.Steps[4]?.Subject).to.equal('VINTER')
    expect(service.client.calls).to.deep.equal([])
  })

  it('that breaks a rule is not written at all', async () => {
    const images = await pictures()
    const error = await thrown(() =>
      createListing({ ledger, profile: 'p', images, itemRequest: { ...LAMP, Title: '', StartPrice: 0 } }),
    )
    expect(error).to.be.instanceOf(SoapError).with.property('kind', 'input')
    expect((error as SoapError).message).to.match(/^AddItem was not sent: itemRequest\.Title .+; itemRequest\.StartPrice .+\.$/)
    expect((error as SoapError).faults?.map(({ field }) => field)).to.deep.equal(['itemRequest.Title', 'itemRequest.StartPrice'])
    expect(ledger.jobs.list()).to.deep.equal([])
  })

  it('takes one call for each step, in order, and waits for the result', async () => {
    await create()
    const { yielded, returned } = await run({ wait: true })
    expect(service.writes).to.deep.equal(STEPS)
    expect(service.items).to.deep.equal([{ title: 'Lampa', images: all, campaignCode: 'VINTER', commits: 1 }])
    expect(returned).to.include({ JobId: 1, State: 'ok', RequestId: 900, ItemId: 9000, TimedOut: false })
    expect(returned.Request).to.include({ State: 'ok', Subject: 'Lampa', JobId: 1 })
    const steps = yielded.flatMap((progress) => (progress.phase === 'step' ? [progress.step.State] : []))
    expect(steps).to.deep.equal(STEPS.flatMap(() => ['sending', 'done']))
    expect(yielded.at(-1)).to.have.nested.property('wait.pending', 0)
    expect(ledger.jobs.show(1)).to.include({ State: 'ok', Running: false }).and.to.have.property('FinishedAt').that.is.a('string')
    expect(ledger.jobs.show(1).Counts).to.deep.equal({ ...noCounts(), ok: 6 })
  })

  it('that is not waited for ends when its result is seen, by whichever command', async () => {
    await create()
    expect((await run()).returned).to.include({ State: 'waiting', TimedOut: false })
    expect(service.client.names).not.to.include('GetRequestResults')
    ledger.requests.result({ RequestId: 900, ResultCode: 'ImageProcessingError', Message: 'bad' }, { profile: 'p' })
    expect(ledger.jobs.show(1)).to.include({ State: 'failed', Message: 'bad' })
  })

  it('tells that the time is up, and goes on waiting when it is resumed', async () => {
    await create()
    service.code = undefined
    expect((await run({ wait: true, timeoutMs: 5000 })).returned).to.include({ State: 'waiting', TimedOut: true })
    expect((await run()).returned).to.include({ State: 'waiting', TimedOut: false })
    service.code = 'Ok'
    expect((await run()).returned).to.include({ State: 'ok' })
    expect((await run({ wait: true })).returned).to.include({ State: 'ok' })
    expect(service.writes).to.deep.equal(STEPS)
  })

  it('fails with its result', async () => {
    await create()
    service.code = 'Error'
    expect((await run({ wait: true })).returned).to.include({ State: 'failed' })
    expect(await stopped()).to.include({ code: 'job_over' })
  })

  describe('resumed after a step that did not leave', () => {
    for (let call = 1; call <= 6; call += 1) {
      it(`${STEPS[call - 1]} (call ${call}) ends as an undisturbed one`, async () => {
        await create()
        service.mishaps.set(call, new SoapError('unreachable', 'no way', { operation: 'x', sent: false }))
        expect(await thrown(() => run({ wait: true }))).to.have.property('kind', 'unreachable')
        expect(states()[call - 1]).to.equal('waiting')
        expect(ledger.jobs.show(1)).to.include({ State: 'open', Message: 'no way', Running: false })
        expect((await run({ wait: true })).returned.State).to.equal('ok')
        expect(service.items).to.deep.equal([{ title: 'Lampa', images: all, campaignCode: 'VINTER', commits: 1 }])
      })
    }
  })

  it('goes on after a quota and a spent budget where it stood', async () => {
    await create()
    service.mishaps.set(3, quota)
    expect(await thrown(() => run())).to.equal(quota)
    const spent = new BudgetError('max-calls', 3, 3, 'no more', 'later')
    service.mishaps.set(4, spent)
    expect(await thrown(() => run())).to.equal(spent)
    service.mishaps.set(5, new SoapError('aborted', 'stop', { operation: 'AddItemImage', sent: false }))
    expect(await thrown(() => run())).to.have.property('kind', 'aborted')
    expect(states().slice(0, 4)).to.deep.equal(['done', 'done', 'waiting', 'waiting'])
    await run()
    expect(service.items[0]?.images).to.deep.equal(all)
  })

  describe('with an image whose answer is lost', () => {
    const lose = async () => {
      await create()
      service.mishaps.set(3, 'lost')
      return stopped({ wait: true })
    }

    it('stops before the commit and asks for a choice', async () => {
      const error = await lose()
      expect(error).to.include({ code: 'image_outcome_unknown', category: 'unknown_outcome' })
      expect(error.message).to.contain(join(directory, '1'))
      expect(error.hint).to.contain('--unknown sent').and.to.contain('--unknown again')
      expect(states()).to.deep.equal(['done', 'done', 'unknown', 'waiting', 'waiting', 'waiting'])
      expect(ledger.jobs.show(1).State).to.equal('unknown')
      expect(service.items).to.deep.equal([])
    })

    it('is not sent again by itself, however often it is resumed', async () => {
      await lose()
      const before = service.writes.length
      expect(await stopped()).to.include({ code: 'image_outcome_unknown' })
      expect(await stopped({ wait: true })).to.include({ code: 'image_outcome_unknown' })
      expect(service.writes).to.have.length(before)
    })

    it('goes on with the next when the seller takes it as sent', async () => {
      await lose()
      expect((await run({ choice: 'assume-sent', wait: true })).returned.State).to.equal('ok')
      expect(service.items[0]?.images).to.deep.equal(all)
    })

    it('sends it once more when the seller says so', async () => {
      await lose()
      await run({ choice: 'send-again' })
      expect(service.items[0]?.images).to.deep.equal(['Gif 42', 'Jpeg 50', 'Jpeg 50', 'Png+ 70'])
    })

    it('is committed as it is when the seller says to commit anyway', async () => {
      await lose()
      const { returned } = await run({ commitAnyway: true })
      expect(returned.Steps.map(({ State }) => State)).to.deep.equal(['done', 'done', 'unknown', 'done', 'done', 'done'])
    })

    it('passes an interruption on as one, and is unknown all the same', async () => {
      await create()
      const aborted = new SoapError('aborted', 'stop', { operation: 'AddItemImage', sent: true })
      service.mishaps.set(2, aborted)
      expect(await thrown(() => run())).to.equal(aborted)
      expect(await stopped()).to.include({ code: 'image_outcome_unknown' })
    })
  })

  describe('with a lost answer to AddItem', () => {
    const lose = async () => {
      await create()
      service.mishaps.set(1, 'lost')
      return stopped({ wait: true })
    }

    it('stops and tells what to look for', async () => {
      const error = await lose()
      expect(error).to.include({ code: 'item_outcome_unknown', category: 'unknown_outcome' })
      expect(error.message).to.contain('"Lampa"').and.to.contain('2026-11-02 09:00')
      expect(error.hint).to.contain('items:list').and.to.contain('--unknown again')
      expect(ledger.requests.list()[0]).to.include({ State: 'unknown', JobId: 1 })
      expect(await stopped({ choice: 'assume-sent' })).to.include({ code: 'item_outcome_unknown' })
      expect(service.writes).to.deep.equal(['AddItem'])
    })

    it('makes one item also when the seller sends it again', async () => {
      await lose()
      expect((await run({ choice: 'send-again', wait: true })).returned).to.include({ State: 'ok', RequestId: 901 })
      expect(service.items).to.have.length(1)
      expect(service.items[0]?.images).to.deep.equal(all)
    })

    it('goes on with the request id the seller has learnt', async () => {
      await lose()
      expect((await run({ requestId: 900, wait: true })).returned).to.include({ State: 'ok', RequestId: 900 })
      expect(service.writes).to.deep.equal(STEPS)
    })
  })

  it('is over when the service refuses the item', async () => {
    await create()
    service.mishaps.set(1, fault('AddItem'))
    expect(await thrown(() => run())).to.have.property('kind', 'fault')
    expect(ledger.jobs.show(1)).to.include({ State: 'failed' }).and.to.have.property('FinishedAt').that.is.a('string')
    expect(ledger.requests.list()[0]).to.include({ State: 'refused', JobId: 1 })
    const error = await stopped()
    expect(error).to.include({ code: 'job_over', category: 'usage' })
    expect(error.message).to.contain('Invalid request ---> no')
    expect(service.writes).to.deep.equal(['AddItem'])
    ledger.store.run("UPDATE jobs SET state = 'cancelled', message = NULL")
    const dropped = await stopped()
    expect(dropped.message).to.match(/ is over \(cancelled\) and cannot be resumed\.$/)
    expect(dropped.hint).to.contain('You dropped it.')
  })

  describe('with an image that is refused', () => {
    it('is not committed, and tries that image again when it is resumed', async () => {
      await create()
      service.mishaps.set(2, fault())
      expect(await thrown(() => run())).to.have.property('kind', 'fault')
      expect(states()).to.deep.equal(['done', 'failed', 'waiting', 'waiting', 'waiting', 'waiting'])
      expect(service.items).to.deep.equal([])
      await run()
      expect(service.items[0]?.images).to.deep.equal(all)
    })

    it('is committed without it only when told', async () => {
      await create()
      service.mishaps.set(2, fault())
      const { returned } = await run({ commitAnyway: true, wait: true })
      expect(returned.State).to.equal('ok')
      expect(states()).to.deep.equal(['done', 'skipped', 'done', 'done', 'done', 'done'])
      expect(service.items[0]?.images).to.deep.equal(['Jpeg 50', 'Png+ 70'])
    })
  })

  describe('that may be committed without what is refused', () => {
    it('is not committed without an image that was only not taken now', async () => {
      await create()
      service.mishaps.set(2, quota)
      expect(await thrown(() => run({ commitAnyway: true }))).to.equal(quota)
      const [item, image] = showListing(ledger, 1).Steps
      expect(image).to.include({ State: 'waiting', FinishedAt: null })
      expect([item?.StartedAt, item?.FinishedAt].map((time) => typeof time)).to.deep.equal(['string', 'string'])
      expect(states()).to.deep.equal(['done', 'waiting', 'waiting', 'waiting', 'waiting', 'waiting'])
      const spent = new BudgetError('max-calls', 3, 3, 'no more', 'later')
      service.mishaps.set(3, spent)
      expect(await thrown(() => run({ commitAnyway: true }))).to.equal(spent)
      expect(states().slice(0, 2)).to.deep.equal(['done', 'waiting'])
      expect(service.items).to.deep.equal([])
    })

    it('ends where the commit itself is refused', async () => {
      await create({ images: [], campaignCode: undefined })
      service.mishaps.set(2, fault('AddItemCommit'))
      expect(await thrown(() => run({ commitAnyway: true }))).to.have.property('kind', 'fault')
      expect(states()).to.deep.equal(['done', 'failed'])
      expect(service.items).to.deep.equal([])
    })
  })

  describe('with a lost answer to a repeatable step', () => {
    it('attaches the campaign code again', async () => {
      await create()
      service.mishaps.set(5, 'lost')
      expect(await thrown(() => run())).to.have.property('kind', 'interrupted')
      await run()
      expect(service.writes.filter((name) => name === 'AddItemCampaignCode')).to.have.length(2)
      expect(service.items[0]?.campaignCode).to.equal('VINTER')
    })

    it('looks whether it was committed before it commits again', async () => {
      await create()
      service.mishaps.set(6, 'lost')
      expect(await thrown(() => run())).to.have.property('kind', 'interrupted')
      expect((await run({ wait: true })).returned.State).to.equal('ok')
      expect(service.items[0]?.commits).to.equal(1)
    })

    it('looks also when a retry of the commit was stopped before it left', async () => {
      await create()
      const stop = new BudgetError('max-calls', 7, 7, 'no more', 'later')
      service.mishaps.set(6, { after: stop })
      expect(await thrown(() => run())).to.equal(stop)
      await run()
      expect(service.items[0]?.commits).to.equal(1)
    })

    for (const [what, answer] of [
      ['nothing', null],
      ['no result', []],
      ['a result of another request', [{ RequestId: 901, ResultCode: 'Ok' }]],
    ] as const) {
      it(`commits again where the service gives ${what}`, async () => {
        await create()
        service.mishaps.set(6, new SoapError('interrupted', 'lost on the way', { operation: 'AddItemCommit', sent: true }))
        await thrown(() => run())
        const call = (name: string, params: never, options: never) =>
          name === 'GetRequestResults' ? Promise.resolve(answer) : service.client.call(name as never, params, options)
        await run({ client: { call } as unknown as RunListingOptions['client'] })
        expect(service.items[0]?.commits).to.equal(1)
      })
    }
  })

  it('refuses a file that changed, before anything is sent, and names it', async () => {
    await create()
    writeFileSync(join(directory, '1'), PNG)
    const error = await stopped()
    expect(error).to.include({ code: 'image_changed', category: 'validation' })
    expect(error.message).to.contain(join(directory, '1'))
    expect(service.client.calls).to.deep.equal([])
    writeFileSync(join(directory, '1'), JPEG)
    await run()
    expect(service.items[0]?.images).to.deep.equal(all)
  })

  it('refuses a file that changed after its image had failed', async () => {
    await create()
    service.mishaps.set(2, fault())
    await thrown(() => run())
    const before = service.client.calls.length
    writeFileSync(join(directory, '0'), PNG)
    expect(await stopped()).to.include({ code: 'image_changed' })
    expect(service.client.calls.length).to.equal(before)
  })

  it('does not need the files of images that were sent', async () => {
    await create()
    service.mishaps.set(3, quota)
    await thrown(() => run())
    rmSync(join(directory, '0'))
    await run()
    expect(service.items[0]?.images).to.deep.equal(all)
  })

  it('never takes an answer that could not be recorded for one that was not given', async () => {
    await create()
    service.mishaps.set(2, quota)
    await thrown(() => run())
    ledger.store.exec(
      "CREATE TEMP TRIGGER full BEFORE UPDATE ON listing_steps WHEN NEW.state = 'done' BEGIN SELECT RAISE(ABORT, 'no space'); END",
    )
    expect(await thrown(() => run()))
      .to.have.property('message')
      .that.contains('no space')
    ledger.store.exec('DROP TRIGGER full')
    expect(states()[1]).to.equal('sending')
    expect(await stopped()).to.include({ code: 'image_outcome_unknown' })
    await run({ choice: 'assume-sent' })
    expect(service.items[0]?.images).to.deep.equal(all)
  })

  it('is run by one process at a time', async () => {
    await create()
    const first = runListing({ client: service.client, ledger, jobId: 1 })
    await first.next()
    expect(await stopped()).to.include({ code: 'job_locked' })
    await first.return(undefined as never)
    await run()
    expect(service.items[0]?.images).to.deep.equal(all)
  })

  it('is not any other kind of job', async () => {
    ledger.jobs.create({ kind: 'price', profile: 'p', title: 'x' })
    expect(await stopped()).to.include({ code: 'job_of_another_kind' })
  })

  describe('of images for a request that is there', () => {
    const draft = async () => {
      await create({ images: [], campaignCode: undefined })
      service.mishaps.set(2, quota)
      await thrown(() => run())
      return createListing({ ledger, profile: 'p', requestId: 900, images: await pictures(), commit: false })
    }
    const second = (options: Partial<RunListingOptions> = {}) => run({ jobId: 2, ...options })

    it('sends them, and by default neither commits nor waits', async () => {
      const { Steps, Title, RequestId } = await draft()
      expect(Steps.map(({ Operation }) => Operation)).to.deep.equal(['AddItemImage', 'AddItemImage', 'AddItemImage'])
      expect([Title, RequestId]).to.deep.equal(['Images for request 900', 900])
      expect((await second({ wait: true })).returned).to.include({ State: 'ok', RequestId: 900 })
      expect(service.drafts.get(900)).to.deep.include({ images: all, commits: 0 })
    })

    it('never sends one twice by itself', async () => {
      await draft()
      service.mishaps.set(4, 'lost')
      expect(await thrown(() => second())).to.include({ code: 'image_outcome_unknown' })
      expect(await thrown(() => second())).to.include({ code: 'image_outcome_unknown' })
      await second({ choice: 'assume-sent' })
      expect(service.drafts.get(900)?.images).to.deep.equal(all)
    })

    it('go on without a refused one, when told, only where the service says that the request waits for its commit', async () => {
      const uncommitted = (RequestId: number) => ({ RequestId, ResultCode: 'Uncommited' })
      await draft()
      for (const [look, State] of [
        [() => null, 'failed'],
        [() => [], 'failed'],
        [() => [uncommitted(901)], 'failed'],
        [() => [uncommitted(901), { RequestId: 900, ResultCode: 'Ok' }], 'failed'],
        [() => Promise.reject(new SoapError('unreachable', 'gone', { operation: 'GetRequestResults', sent: false })), 'failed'],
        [() => [{ RequestId: 901, ResultCode: 'Ok' }, uncommitted(900)], 'skipped'],
      ] as const) {
        let refusals = 1
        const call = async (name: string, params: never, options: never) => {
          if (name === 'GetRequestResults') return look()
          if (name === 'AddItemImage' && refusals-- > 0) throw fault()
          return service.client.call(name as never, params, options)
        }
        const client = { call } as unknown as RunListingOptions['client']
        const run = second({ client, commitAnyway: true })
        if (State === 'failed') expect(await thrown(() => run)).to.have.property('kind', 'fault')
        else await run
        expect(showListing(ledger, 2).Steps[0]?.State).to.equal(State)
      }
      expect(service.drafts.get(900)?.images).to.deep.equal(all.slice(1))
    })

    it('tell how far each upload is to whoever listens', async () => {
      await draft()
      type Options = { onUploadProgress?: (sent: number, total: number) => void }
      let calls = 0
      const call = async (name: string, params: never, options: Options) => {
        if (name === 'AddItemImage') options.onUploadProgress?.(5, 42)
        if (++calls === 2) throw fault()
        return service.client.call(name as never, params, options as never)
      }
      const client = { call } as unknown as RunListingOptions['client']
      const told: unknown[] = []
      const onUploadProgress: RunListingOptions['onUploadProgress'] = ({ Step }, sent, total) => told.push([Step, sent, total])
      await second({ client, onUploadProgress, commitAnyway: true })
      expect(told).to.deep.equal([
        [1, 5, 42],
        [2, 5, 42],
        [3, 5, 42],
      ])
      // Three uploads, and the look whether the request still waits.
      expect(calls).to.equal(4)
      createListing({ ledger, profile: 'p', requestId: 900, images: await pictures(), commit: false })
      expect((await run({ jobId: 3, client })).returned.State).to.equal('ok')
    })

    it('do not ask whether the request waits where nobody said to go on without one', async () => {
      await draft()
      service.mishaps.set(service.writes.length + 1, fault())
      expect(await thrown(() => second())).to.have.property('kind', 'fault')
      expect(service.client.names).to.not.include('GetRequestResults')
    })

    it('are never left out where a failure inside the service may have come after the work, and do not ask', async () => {
      await draft()
      const details = { operation: 'AddItemImage', sent: true, faultCode: 'Server', faultString: 'no', httpStatus: 500 }
      service.mishaps.set(service.writes.length + 1, new SoapError('fault', 'broken down', details))
      expect(await thrown(() => second({ commitAnyway: true }))).to.include({ code: 'image_outcome_unknown' })
      expect(showListing(ledger, 2).Steps[0]?.State).to.equal('unknown')
      expect(service.client.names).to.not.include('GetRequestResults')
    })

    it('commits and waits when told', async () => {
      await draft()
      createListing({ ledger, profile: 'p', requestId: 900, images: await pictures() })
      expect((await run({ jobId: 3, wait: true })).returned).to.include({ State: 'ok' })
      expect(service.items).to.have.length(1)
      expect(ledger.requests.byRequestId(900)?.State).to.equal('ok')
    })
  })
})
