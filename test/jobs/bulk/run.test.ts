import { expect } from 'chai'
import { resultMeaning } from '../../../src/contract/index.js'
import { bulkJob, bulkRows, itemsPerCall, refusedRows } from '../../../src/jobs/bulk/index.js'
import { BudgetError } from '../../../src/jobs/index.js'
import { textOf } from '../../../src/messages/index.js'
import { SoapError } from '../../../src/soap/client/index.js'
import { because, said } from '../../said.js'
import { Bench, FakeService } from './support.js'

describe('bulk jobs', () => {
  let bench: Bench
  afterEach(() => bench.close())

  it('send 500 rows a call, two calls at once, and are queued', async () => {
    bench = new Bench(FakeService.shop(2600))
    const outcome = await bench.run(bench.price(2600))
    expect(bench.service.calls.map((call) => call.rows)).to.deep.equal([500, 500, 500, 500, 500, 100])
    expect(bench.service.mostAtOnce).to.equal(2)
    expect(outcome).to.include({ calls: 6, stop: null, timedOut: false, verdict: 'ok' })
    expect(outcome.job).to.deep.include({ State: 'waiting', FinishedAt: null })
    expect(outcome.job.Counts.queued).to.equal(2600)
  })

  it('end, all rows of a request id that stands for several, with its result', async () => {
    bench = new Bench(FakeService.shop(1200))
    bench.service.oneRequest = true
    const jobId = bench.price(1200)
    const outcome = await bench.run(jobId, { wait: true })
    expect(outcome).to.include({ verdict: 'ok', timedOut: false })
    expect(outcome.job.Counts).to.include({ ok: 1200, queued: 0 })
  })

  it('that are still queued after the wait are pending, whatever the clock says', async () => {
    bench = new Bench(FakeService.shop(10))
    bench.service.looks = 1_000_000
    const outcome = await bench.run(bench.price(10), { wait: true, timeoutMs: 0 })
    expect(outcome).to.include({ verdict: 'pending' })
    expect(outcome.job.Counts).to.include({ queued: 10 })
  })

  it('keep rows that a failure inside the service may have carried out as sent, those of all calls in a row', async () => {
    bench = new Bench(FakeService.shop(2000))
    const ending = { kind: 'fault', faultCode: 'Server', faultString: 'Server was unable to process request. ---> Oops' } as const
    bench.service.outcome = () => ending
    const jobId = bench.price(2000)
    const outcome = await bench.run(jobId, { concurrency: 1 })
    expect(outcome).to.include({ stop: 'fault', verdict: 'stopped' })
    expect(outcome.job.Counts).to.include({ sending: 1500, unsent: 500, failed: 0 })
    bench.service.outcome = () => 'answered'
    expect((await bench.run(jobId, { wait: true })).verdict).to.equal('ok')
  })

  it('go on after an answer that broke the contract: the same rows are sent again', async () => {
    bench = new Bench(FakeService.shop(700))
    bench.service.outcome = (call) => (call === 1 ? { kind: 'broken', before: false } : 'answered')
    const jobId = bench.price(700)
    const outcome = await bench.run(jobId, { concurrency: 1 })
    expect(outcome).to.include({ stop: 'fault', verdict: 'stopped' })
    expect(outcome.job.Counts).to.include({ sending: 500, unsent: 200 })
    expect((await bench.run(jobId, { wait: true })).verdict).to.equal('ok')
  })

  it('are on disk one call ahead, so that nothing comes between a reply and the next call', async () => {
    bench = new Bench(FakeService.shop(2000))
    const jobId = bench.price(2000)
    const seen: number[] = []
    const expected = [1000, 1000, 1000, 500]
    bench.service.before = async (operation) => {
      if (operation !== 'SetPriceOnShopItems') return
      const sending = () => bulkJob(bench.ledger, jobId).Counts.sending
      // The rows of the next call are written while this one is on its way, however slow the machine is.
      for (let round = 0; round < 400 && sending() !== expected[seen.length]; round++) {
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      seen.push(sending())
    }
    await bench.run(jobId, { concurrency: 1, wait: true })
    expect(seen).to.deep.equal(expected)
  })

  it('are unsent again when the run ends before the call that was put on disk ahead', async () => {
    bench = new Bench(FakeService.shop(2000))
    bench.service.outcome = () => ({ kind: 'quota' })
    const jobId = bench.price(2000)
    const outcome = await bench.run(jobId, { concurrency: 2 })
    expect(outcome.stop).to.equal('quota')
    expect(bulkJob(bench.ledger, jobId).Counts).to.include({ sending: 0, unsent: 2000 })
    bench.service.outcome = () => 'answered'
    expect((await bench.run(jobId, { wait: true })).verdict).to.equal('ok')
    expect(
      bench.service.calls.filter(({ operation }) => operation === 'SetPriceOnShopItems').map(({ rows }) => rows),
    ).to.have.length(6)
  })

  it('are sent in smaller calls, also those put on disk ahead, when the service refuses the size', async () => {
    bench = new Bench(FakeService.shop(1600))
    const sizes: number[] = []
    bench.service.maxItems = 200
    bench.service.before = (_, { request }) => {
      if (request !== undefined) sizes.push(request.ShopItems.length)
    }
    const outcome = await bench.run(bench.price(1600), { concurrency: 2, wait: true })
    expect(outcome.verdict).to.equal('ok')
    expect(outcome.job.Counts).to.include({ ok: 1600 })
    expect(Math.max(...sizes.slice(-4))).to.be.at.most(200)
  })

  it('send as many calls at once as asked', async () => {
    bench = new Bench(FakeService.shop(5000))
    await bench.run(bench.price(5000), { concurrency: 8 })
    expect(bench.service.mostAtOnce).to.equal(8)
    await bench.run(bench.price(1000), { concurrency: 1 })
    expect(bench.service.of('SetPriceOnShopItems')).to.have.length(12)
  })

  it('find their own pace where none is given: more at once while that goes well, and every row is sent when it does not', async () => {
    bench = new Bench(FakeService.shop(40_000))
    await bench.run(bench.price(40_000), {})
    expect(bench.service.mostAtOnce).to.be.within(3, 8)
    expect(bench.service.of('SetPriceOnShopItems')).to.have.length(80)
    // Calls fail again and again, so that workers leave and come back.
    bench.service.outcome = (call) => (call % 5 === 0 ? { kind: 'fault', faultString: 'Busy.', before: true } : 'answered')
    const outcome = await bench.run(bench.price(20_000), {})
    expect(outcome.job.Counts, String(outcome.error)).to.include({ unsent: 0, failed: 4000 })
    expect(outcome.stop).to.equal(null)
  })

  it('wait for all ids together and end', async () => {
    bench = new Bench(FakeService.shop(1200))
    bench.service.looks = 3
    const outcome = await bench.run(bench.price(1200), { wait: true })
    expect(bench.service.of('GetRequestResults').map((call) => call.rows)).to.deep.equal([1200, 1200, 1200])
    expect(outcome).to.include({ verdict: 'ok', calls: 6 })
    expect(outcome.job).to.include({ State: 'ok' })
    expect(outcome.job.FinishedAt).not.to.equal(null)
    expect(bench.service.price(8)).to.equal(200)
  })

  it('wait in chunks that halve where there are too many ids', async () => {
    bench = new Bench(FakeService.shop(1000))
    bench.service.maxIds = 300
    const outcome = await bench.run(bench.price(1000), { wait: true })
    expect(bench.service.of('GetRequestResults').map((call) => call.rows)).to.deep.equal([1000, 500, 250, 250, 250, 250])
    expect(outcome.verdict).to.equal('ok')
  })

  it('fail rows that are refused by validation, and only those', async () => {
    bench = new Bench(FakeService.shop(10))
    const jobId = bench.price({ 1: 150, 2: 150, 77: 150, 3: 150, 88: 150 })
    const outcome = await bench.run(jobId, { wait: true })
    expect(bench.states(jobId)).to.deep.equal(['ok', 'ok', 'ok', 'failed', 'failed'])
    expect([...bulkRows(bench.ledger, jobId, ['failed'])].map(({ Id, Hold }) => [Id, said({ Hold })])).to.deep.equal([
      [77, 'Shop item with id 77 does not exist.'],
      [88, 'Shop item with id 88 does not exist.'],
    ])
    expect(outcome).to.include({ verdict: 'rows_failed', stop: null })
    expect(outcome.job.State).to.equal('partial')
  })

  it('tell rows that failed for good from those that may be sent again', async () => {
    bench = new Bench(FakeService.shop(4))
    bench.service.code = (id) => ({ 2: 'UpdateNotAllowed', 3: 'Error TryAgain', 4: 'Timeout' })[id] ?? 'Ok'
    const jobId = bench.price(4)
    await bench.run(jobId, { wait: true })
    expect(bench.states(jobId)).to.deep.equal(['ok', 'failed', 'retryable', 'retryable'])
    expect(said([...bulkRows(bench.ledger, jobId, ['failed'])][0])).to.equal('UpdateNotAllowed: because')
    bench.service.code = () => 'Ok'
    expect((await bench.run(jobId, { wait: true })).calls).to.equal(0)
    const again = await bench.run(jobId, { wait: true, retryFailed: true })
    expect(
      bench.service
        .of('SetPriceOnShopItems')
        .at(-1)
        ?.params.request?.ShopItems.map((item) => item.Id),
    ).to.deep.equal([2, 3, 4])
    expect(again.job).to.deep.include({ State: 'ok' })
    expect([...bulkRows(bench.ledger, jobId)].map(said)).to.deep.equal([null, null, null, null])
  })

  describe('when a call holds too many items', () => {
    it('halve the batch, and remember it for the next job', async () => {
      bench = new Bench(FakeService.shop(1000))
      bench.service.maxItems = 200
      const outcome = await bench.run(bench.price(1000), { concurrency: 1, wait: true })
      expect(bench.service.of('SetPriceOnShopItems').map((call) => call.rows)).to.deep.equal([
        500, 250, 125, 125, 125, 125, 125, 125, 125, 125,
      ])
      expect(outcome.verdict).to.equal('ok')
      expect(itemsPerCall(bench.ledger, 'shop')).to.equal(125)
      expect(itemsPerCall(bench.ledger, 'other')).to.equal(500)
      bench.service.calls.length = 0
      await bench.run(bench.price(300))
      expect(bench.service.calls.map((call) => call.rows)).to.deep.equal([125, 125, 50])
    })
    it('halve each batch once where several are under way', async () => {
      bench = new Bench(FakeService.shop(2000))
      bench.service.maxItems = 250
      await bench.run(bench.price(2000), { concurrency: 4 })
      expect(bench.service.of('SetPriceOnShopItems').filter((call) => call.rows === 500)).to.have.length(4)
      expect(bench.service.of('SetPriceOnShopItems').filter((call) => call.rows === 250)).to.have.length(8)
      expect(itemsPerCall(bench.ledger, 'shop')).to.equal(250)
    })
    it('halve a large batch that is refused without words, but remember nothing', async () => {
      bench = new Bench(FakeService.shop(500))
      bench.service.outcome = (_, operation, params) =>
        operation === 'SetPriceOnShopItems' && (params.request?.ShopItems.length ?? 0) > 300
          ? { kind: 'fault', faultString: 'Invalid request' }
          : 'answered'
      const outcome = await bench.run(bench.price(500))
      expect(bench.service.calls.map((call) => call.rows)).to.deep.equal([500, 250, 250])
      expect(outcome.job.Counts.queued).to.equal(500)
      expect(itemsPerCall(bench.ledger, 'shop')).to.equal(500)
    })
  })

  it('send again what was lost, for a price twice is a price', async () => {
    bench = new Bench(FakeService.shop(1000))
    bench.service.outcome = (call) => (call === 1 ? 'lost' : 'answered')
    const jobId = bench.price(1000)
    const first = await bench.run(jobId, { concurrency: 1 })
    expect(first).to.include({ stop: 'network', verdict: 'stopped' })
    expect(first.job).to.deep.include({ State: 'open' })
    expect(first.job.Counts).to.deep.include({ sending: 500, unsent: 500 })
    const second = await bench.run(jobId, { wait: true })
    expect(second.verdict).to.equal('ok')
    expect(bench.service.of('SetPriceOnShopItems').map((call) => call.rows)).to.deep.equal([500, 500, 500])
  })

  for (const [name, ending, stop, verdict] of [
    ['a quota', { kind: 'quota' }, 'quota', 'quota'],
    ['a refusal', { kind: 'refused' }, 'refused', 'stopped'],
    ['no connection', { kind: 'unreachable' }, 'network', 'stopped'],
    ['an interruption', { kind: 'aborted', sent: false }, 'interrupted', 'interrupted'],
  ] as const) {
    it(`stop sending at ${name}, keep the rest unsent, and go on from there`, async () => {
      bench = new Bench(FakeService.shop(3000))
      bench.service.outcome = (call) => (call === 3 ? ending : 'answered')
      const jobId = bench.price(3000)
      const outcome = await bench.run(jobId, { wait: true })
      expect(outcome).to.include({ stop, verdict })
      expect(outcome.error).to.be.instanceOf(Error)
      // One more may have been on its way.
      expect(bench.service.calls.length).to.be.within(3, 4)
      const { queued, unsent } = outcome.job.Counts
      expect([queued + unsent, queued % 500]).to.deep.equal([3000, 0])
      expect(outcome.job.Message).to.be.a('string')
      const again = await bench.run(jobId, { wait: true })
      expect(again.verdict).to.equal('ok')
      const sent = bench.service.of('SetPriceOnShopItems')
      expect(sent.reduce((sum, call) => sum + call.rows, 0)).to.equal(3500)
    })
  }

  it('stop at a spent budget', async () => {
    bench = new Bench(FakeService.shop(2000))
    let calls = 0
    bench.service.before = () => {
      if (++calls > 2) throw new BudgetError('max-calls', 2, 2, 'spent', 'more')
    }
    const jobId = bench.price(2000)
    const outcome = await bench.run(jobId, { wait: true })
    expect(outcome).to.include({ stop: 'budget', verdict: 'quota' })
    expect(outcome.job.Counts).to.deep.include({ queued: 1000, unsent: 1000 })
  })

  it('give their rows back when the service fails call after call', async () => {
    bench = new Bench(FakeService.shop(3000))
    bench.service.outcome = () => ({
      kind: 'fault',
      faultCode: 'Server',
      faultString: 'Server was unable to process request. ---> Invalid application id',
    })
    const jobId = bench.price(3000)
    const outcome = await bench.run(jobId, { concurrency: 1 })
    expect(outcome).to.include({ stop: 'fault', verdict: 'stopped', calls: 3 })
    expect(outcome.job.Counts.unsent).to.equal(3000)
    bench.service.outcome = () => 'answered'
    expect((await bench.run(jobId, { wait: true })).verdict).to.equal('ok')
  })

  it('fail the rows of a single faulty call and go on', async () => {
    bench = new Bench(FakeService.shop(1500))
    bench.service.outcome = (call) =>
      call === 2 ? { kind: 'fault', faultCode: 'Server', faultString: 'Server was unable' } : 'answered'
    const outcome = await bench.run(bench.price(1500), { concurrency: 1 })
    expect(outcome).to.include({ stop: null, verdict: 'rows_failed' })
    expect(outcome.job.Counts).to.deep.include({ queued: 1000, failed: 500 })
  })

  it('go on where failed calls have others between them', async () => {
    bench = new Bench(FakeService.shop(3000))
    const server = { kind: 'fault', faultCode: 'Server', faultString: 'Server was unable' } as const
    bench.service.outcome = (call) => (call % 2 === 1 ? server : 'answered')
    const outcome = await bench.run(bench.price(3000), { concurrency: 1 })
    expect(outcome).to.include({ stop: null, calls: 6 })
    expect(outcome.job.Counts).to.deep.include({ queued: 1500, failed: 1500 })
  })

  it('do not take a fault for "too many" once as many were taken', async () => {
    bench = new Bench(FakeService.shop(1500))
    bench.service.outcome = (call) => (call === 2 ? { kind: 'fault', faultString: 'Invalid request ---> No.' } : 'answered')
    const outcome = await bench.run(bench.price(1500), { concurrency: 1 })
    expect(bench.service.calls.map((call) => call.rows)).to.deep.equal([500, 500, 500])
    expect(outcome.job.Counts).to.deep.include({ queued: 1000, failed: 500 })
  })

  it('keep held rows and tell them at the end', async () => {
    bench = new Bench(FakeService.shop(10))
    const rows = [
      { line: 2, id: 1, price: 150, oldPrice: 100 },
      { line: 3, id: 2, price: 1500, oldPrice: 100, held: because('ten times'), extra: ['note'] },
      { line: 4, id: 0, ownReference: 'X', price: 5, held: because('no live item') },
    ]
    const jobId = bench.job('price', rows)
    const outcome = await bench.run(jobId, { wait: true })
    expect(outcome).to.include({ verdict: 'held' })
    expect(outcome.job).to.deep.include({ State: 'partial', Rows: 3 })
    expect(
      [...bulkRows(bench.ledger, jobId, ['held'])].map(({ Line, Id, OwnReference, Hold, Extra }) => [
        Line,
        Id,
        OwnReference,
        said({ Hold }),
        Extra,
      ]),
    ).to.deep.equal([
      [3, 2, null, 'ten times', ['note']],
      [4, null, 'X', 'no live item', []],
    ])
    expect(bench.service.of('SetPriceOnShopItems')[0]?.rows).to.equal(1)
  })

  it('are run by one process at a time', async () => {
    bench = new Bench(FakeService.shop(2000))
    const jobId = bench.price(2000)
    const one = bench.run(jobId)
    let refused: unknown
    await bench.run(jobId).catch((error) => {
      refused = error
    })
    expect(refused).to.have.property('code', 'job_locked')
    expect((await one).verdict).to.equal('ok')
    await bench.run(jobId)
  })

  it('tell how far they are', async () => {
    bench = new Bench(FakeService.shop(1000))
    const seen: { phase: string; sent: number; pending: number; calls: number; rowsPerSecond: number; leftMs: number | null }[] =
      []
    bench.service.before = () => {
      bench.clock.time += 100
    }
    await bench.run(bench.price(1000), {
      concurrency: 1,
      wait: true,
      onProgress: (progress) => seen.push({ ...progress }),
    })
    expect(seen.map(({ phase, sent, pending, calls, leftMs }) => [phase, sent, pending, calls, leftMs])).to.deep.equal([
      ['sending', 500, 500, 1, 100],
      ['sending', 1000, 1000, 2, 0],
      ['waiting', 1000, 0, 3, null],
    ])
    expect(seen[1]?.rowsPerSecond).to.equal(5000)
  })

  it('count rows of unknown outcome among those in trouble', async () => {
    bench = new Bench(FakeService.shop(0))
    const jobId = bench.job(
      'add-shop',
      ['Kopp', 'Fat', 'Vas'].map((Title, at) => ({ line: at + 2, id: 0, payload: { Title, Price: 10 } })),
    )
    bench.service.outcome = (_call, _operation, params) => (params.shopItemData?.Title === 'Vas' ? 'answered' : 'lost')
    const failed: number[] = []
    await bench.run(jobId, { concurrency: 1, onProgress: (progress) => failed.push(progress.failed) })
    expect(bulkJob(bench.ledger, jobId).Counts).to.include({ unknown: 2, queued: 1 })
    expect(failed).to.deep.equal([1, 2, 2])
  })

  it('count all rows to the end, also those that may be sent again', async () => {
    bench = new Bench(FakeService.shop(3))
    bench.service.code = (id) => (id === 1 ? 'TryAgain' : id === 2 ? 'Error' : 'Ok')
    const seen: (readonly number[])[] = []
    const jobId = bench.price(3)
    await bench.run(jobId, {
      wait: true,
      onProgress: ({ rows, sent, pending, failed }) => seen.push([rows, sent, pending, failed]),
    })
    expect(bench.states(jobId)).to.deep.equal(['retryable', 'failed', 'ok'])
    expect(seen.at(-1)).to.deep.equal([3, 3, 0, 2])
    expect(seen.every(([rows]) => rows === 3)).to.equal(true)
  })

  it('say why a look brought nothing while they wait on', async () => {
    bench = new Bench(FakeService.shop(2))
    const problems: (string | null)[] = []
    let looks = 0
    bench.service.before = (operation) => {
      if (operation === 'GetRequestResults' && ++looks === 1)
        throw new SoapError('unreachable', 'Nobody answers there.', { operation, sent: false })
    }
    const outcome = await bench.run(bench.price(2), { wait: true, onProgress: ({ problem }) => problems.push(problem) })
    expect(outcome.verdict).to.equal('ok')
    expect(problems).to.deep.equal([null, 'Nobody answers there.', null])
  })

  it('throw on what is not of the service while they wait, and leave the rows queued', async () => {
    bench = new Bench(FakeService.shop(2))
    const jobId = bench.price(2)
    await bench.run(jobId)
    const mistake = new TypeError('a mistake of this program')
    const client = { call: (() => Promise.reject(mistake)) as never }
    const thrown = await bench.run(jobId, { client, wait: true }).catch((error: unknown) => error)
    expect(thrown).to.equal(mistake)
    expect(bulkJob(bench.ledger, jobId)).to.include({ Running: false })
    expect(bulkJob(bench.ledger, jobId).Counts).to.include({ queued: 2 })
  })

  it('throw on what is not of the service while they send, and leave the rows as sent', async () => {
    bench = new Bench(FakeService.shop(1200))
    const jobId = bench.price(1200)
    const mistake = new TypeError('a mistake of this program')
    const client = { call: (() => Promise.reject(mistake)) as never }
    const thrown = await bench.run(jobId, { client, concurrency: 1 }).catch((error: unknown) => error)
    expect(thrown).to.equal(mistake)
    expect(bulkJob(bench.ledger, jobId).Counts).to.include({ sending: 500, unsent: 700 })
    expect((await bench.run(jobId, { wait: true })).verdict).to.equal('ok')
  })

  it('say what a code means where the service says nothing', async () => {
    bench = new Bench(FakeService.shop(3))
    const { call } = bench.service.client
    const messages: Record<number, string | undefined> = { 0: undefined, 1: '   ', 2: ' why ' }
    const client = {
      call: (async (...args: Parameters<typeof call>) => {
        if (args[0] !== 'GetRequestResults') return call(...args)
        const { requestIds } = args[1] as { requestIds: number[] }
        return requestIds.map((RequestId, at) => ({ RequestId, ResultCode: 'UpdateNotAllowed', Message: messages[at] }))
      }) as never,
    }
    const jobId = bench.price(3)
    await bench.run(jobId, { client, wait: true })
    const meaning = resultMeaning('UpdateNotAllowed')
    expect(meaning).to.match(/\w{3}/)
    expect([...bulkRows(bench.ledger, jobId)].map(said)).to.deep.equal([
      `UpdateNotAllowed: ${meaning}`,
      `UpdateNotAllowed: ${meaning}`,
      'UpdateNotAllowed: why',
    ])
  })

  it('give a row back with its state where no reason was kept', async () => {
    bench = new Bench(FakeService.shop(1))
    const jobId = bench.price(1)
    bench.service.code = () => 'UpdateNotAllowed'
    await bench.run(jobId, { wait: true })
    bench.ledger.store.run('UPDATE bulk_states SET reasons = NULL')
    expect([...refusedRows(bench.ledger, jobId, textOf)].map(({ reason }) => reason)).to.deep.equal(['failed'])
  })
})
