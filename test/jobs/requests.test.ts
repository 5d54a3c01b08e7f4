import { hostname } from 'node:os'
import { expect } from 'chai'
import { refusedEntry } from '../../src/jobs/index.js'
import { Requests } from '../../src/jobs/ledger/requests.js'
import { cleanUp, FakeClock, temporaryLedger } from './harness.js'

describe('the requests in the ledger', () => {
  afterEach(cleanUp)

  const lamp = { operation: 'AddItem', subject: 'Lampa', profile: 'p', userId: 5 }
  const begun = (changes = {}) => ({
    Row: 1,
    RequestId: null,
    ItemId: null,
    Operation: 'AddItem',
    Subject: 'Lampa',
    Profile: 'p',
    UserId: 5,
    State: 'sending',
    ResultCode: null,
    Message: null,
    SentAt: '2026-11-02T08:00:00.000Z',
    FinishedAt: null,
    JobId: null,
    ...changes,
  })

  it('go from sending over queued to their result', () => {
    const clock = new FakeClock()
    const { requests } = temporaryLedger(clock)
    expect(requests.begin(lamp)).to.deep.equal(begun())
    expect(requests.markQueued(1, { RequestId: 900, ItemId: 42 })).to.deep.equal(
      begun({ State: 'queued', RequestId: 900, ItemId: 42 }),
    )
    clock.time += 60_000
    expect(requests.result({ RequestId: 900, ResultCode: 'Ok', Message: '' })).to.deep.equal(
      begun({ State: 'ok', RequestId: 900, ItemId: 42, ResultCode: 'Ok', FinishedAt: '2026-11-02T08:01:00.000Z' }),
    )
    expect(requests.byRequestId(900)).to.have.property('State', 'ok')
    expect(requests.byRow(1)).to.have.property('State', 'ok')
    expect(requests.byRow(2)).to.equal(undefined)
  })

  for (const [code, state] of [
    ['Error', 'failed'],
    ['Error TryAgain', 'retryable'],
    ['WaitingToBeProcessed', 'queued'],
  ] as const) {
    it(`are ${state} when the service says "${code}"`, () => {
      const { requests } = temporaryLedger()
      requests.begin(lamp)
      requests.markQueued(1, { RequestId: 900, ItemId: 42 })
      const row = requests.result({ RequestId: 900, ResultCode: code, Message: 'why' })
      expect(row).to.include({ State: state, ResultCode: code, Message: 'why' })
      expect(row?.FinishedAt === null).to.equal(state === 'queued')
      expect(requests.pending('p').map(({ RequestId }) => RequestId)).to.deep.equal(state === 'queued' ? [900] : [])
    })
  }

  it('are refused or unknown with the reason', () => {
    const { requests } = temporaryLedger()
    requests.begin(lamp)
    requests.begin(lamp)
    expect(requests.markRefused(1, refusedEntry('Title is missing'))).to.include({
      State: 'refused',
      Message: 'Title is missing',
    })
    expect(requests.markUnknown(2, 'lost')).to.include({ State: 'unknown', Message: 'lost' })
    expect(requests.pending('p')).to.deep.equal([])
  })

  it('keep the answer that comes while another process gives them up', () => {
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    const { Row } = ledger.requests.begin(lamp)
    ledger.store.run('UPDATE requests SET owner = ?', JSON.stringify({ host: 'elsewhere', pid: 1, started: 'x' }))
    clock.time += 60 * 60_000
    const late = {
      now: () => {
        ledger.requests.markQueued(Row, { RequestId: 900, ItemId: 42 })
        return clock.time
      },
      sleep: clock.sleep,
      random: () => 0.5,
    }
    expect(new Requests(ledger.store, late).markAbandoned()).to.equal(1)
    expect(ledger.requests.byRow(Row)).to.include({ State: 'queued', RequestId: 900, ItemId: 42, FinishedAt: null })
  })

  it('take a result for the newest row with the id, of the profile when it is given', () => {
    const { requests } = temporaryLedger()
    for (const profile of ['p', 'q', 'p']) {
      const { Row } = requests.begin({ ...lamp, profile })
      requests.markQueued(Row, { RequestId: 900, ItemId: 1 })
    }
    expect(requests.result({ RequestId: 900, ResultCode: 'Ok' }, { profile: 'q' })?.Row).to.equal(2)
    expect(requests.result({ RequestId: 900, ResultCode: 'Ok' }, { profile: 'p' })?.Row).to.equal(3)
    expect(requests.byRow(1)?.State).to.equal('queued')
    expect(requests.result({ RequestId: 900, ResultCode: 'Error' })?.Row).to.equal(3)
  })

  it('take one result for every item that its request id stands for', () => {
    const clock = new FakeClock()
    const { requests } = temporaryLedger(clock)
    const queue = (ItemId: number) => requests.markQueued(requests.begin(lamp).Row, { RequestId: 900, ItemId })
    queue(4)
    clock.time += 2 * 60 * 60 * 1000
    for (const item of [1, 2, 3]) queue(item)
    const rows = requests.results([{ RequestId: 900, ResultCode: 'Error', Message: 'no' }], { profile: 'p' })
    expect(rows.map(({ Row, State, Message }) => [Row, State, Message])).to.deep.equal([
      [4, 'failed', 'no'],
      [3, 'failed', 'no'],
      [2, 'failed', 'no'],
    ])
    expect(requests.byRow(1)?.State, 'of a service that was reset since').to.equal('queued')
  })

  it('take one result for several rows only where they are of one work', () => {
    const clock = new FakeClock()
    const { requests, jobs } = temporaryLedger(clock)
    const { JobId } = jobs.create({ kind: 'listing', profile: 'p', title: 'Lampa' })
    const queue = (ItemId: number | null, more: Partial<Parameters<typeof requests.begin>[0]> = {}) =>
      requests.markQueued(requests.begin({ ...lamp, ...more }).Row, { RequestId: 900, ItemId }).Row
    const early = queue(1)
    clock.time += 1
    const inTime = queue(2)
    const other = [
      queue(3, { profile: 'q' }),
      queue(3, { operation: 'AddShopItem' }),
      queue(3, { jobId: JobId }),
      queue(9),
      requests.markUnknown(queue(4), 'lost').Row,
    ]
    const nameless = queue(null)
    clock.time += 60 * 60 * 1000 - 1
    const newest = queue(9)
    const entered = requests.results([{ RequestId: 900, ResultCode: 'Ok' }], { profile: 'p' })
    expect(entered.map(({ Row }) => Row)).to.deep.equal([newest, nameless, inTime])
    for (const row of [early, ...other]) expect(requests.byRow(row)?.State, `${row}`).to.not.equal('ok')
    expect(requests.result({ RequestId: 900, ResultCode: 'Ok' })?.Row, 'the newest of them').to.equal(newest)
  })

  it('take a final result again where the service has changed its mind, and only then', () => {
    const clock = new FakeClock()
    const { requests } = temporaryLedger(clock)
    requests.begin(lamp)
    requests.markQueued(1, { RequestId: 900, ItemId: 1 })
    requests.result({ RequestId: 900, ResultCode: 'Error', Message: 'no' })
    const first = requests.byRow(1)
    clock.time += 1000
    expect(requests.result({ RequestId: 900, ResultCode: 'Error', Message: 'never' })).to.deep.equal(first)
    expect(requests.result({ RequestId: 900, ResultCode: 'Ok' })).to.deep.include({
      ...{ State: 'ok', ResultCode: 'Ok', Message: null, FinishedAt: '2026-11-02T08:00:01.000Z' },
    })
    clock.time += 1000
    const waits = requests.result({ RequestId: 900, ResultCode: 'WaitingToBeProcessed' })
    expect(waits).to.include({ State: 'queued', FinishedAt: null })
  })

  it('that wait may say so again with other words', () => {
    const { requests } = temporaryLedger()
    requests.begin(lamp)
    requests.markQueued(1, { RequestId: 900, ItemId: 1 })
    requests.result({ RequestId: 900, ResultCode: 'WaitingToBeProcessed', Message: 'soon' })
    const again = requests.result({ RequestId: 900, ResultCode: 'WaitingToBeProcessed', Message: 'later' })
    expect(again).to.include({ State: 'queued', Message: 'later' })
  })

  it('end the listing that waits for them, and no other job', () => {
    const clock = new FakeClock()
    const { requests, jobs } = temporaryLedger(clock)
    const job = (kind: 'listing' | 'price', state: 'waiting' | 'open') => {
      const { JobId } = jobs.create({ kind, profile: 'p', title: 'x' })
      jobs.update(JobId, { state })
      const { Row } = requests.begin({ ...lamp, jobId: JobId })
      requests.markQueued(Row, { RequestId: 900 + JobId, ItemId: JobId })
      return JobId
    }
    const [ok, failed] = [job('listing', 'waiting'), job('listing', 'waiting')]
    const others = [job('listing', 'open'), job('price', 'waiting')]
    requests.result({ RequestId: 901, ResultCode: 'WaitingToBeProcessed' })
    expect(jobs.show(ok).State).to.equal('waiting')
    clock.time += 1000
    for (const id of [ok, ...others]) requests.result({ RequestId: 900 + id, ResultCode: 'Ok', Message: 'fine' })
    requests.result({ RequestId: 900 + failed, ResultCode: 'Error', Message: 'no' })
    expect(jobs.show(ok)).to.include({ State: 'ok', Message: 'fine', FinishedAt: '2026-11-02T08:00:01.000Z' })
    expect(jobs.show(failed)).to.include({ State: 'failed', Message: 'no' })
    expect(others.map((id) => jobs.show(id).State)).to.deep.equal(['open', 'waiting'])
    expect(requests.list().map(({ State }) => State)).to.deep.equal(['ok', 'ok', 'failed', 'ok'])
  })

  it('keep what an item is added with, where there is an own reference to know it by', () => {
    const { requests, store } = temporaryLedger()
    for (const adds of [
      undefined,
      {},
      { OwnReferences: null },
      { OwnReferences: [], ActivateDate: '2026-11-03T08:00:00Z' },
      { OwnReferences: ['L-1'] },
      { OwnReferences: ['L-1', 'L-2'], ActivateDate: '2026-11-03T08:00:00Z' },
    ]) {
      requests.begin({ operation: 'AddShopItem', subject: 'x', profile: 'p', adds })
    }
    expect(store.rows('SELECT adds, user_id FROM requests ORDER BY row')).to.deep.equal([
      [null, null],
      [null, null],
      [null, null],
      ['{"OwnReferences":[],"ActivateDate":"2026-11-03T08:00:00Z"}', null],
      ['{"OwnReferences":["L-1"],"ActivateDate":null}', null],
      ['{"OwnReferences":["L-1","L-2"],"ActivateDate":"2026-11-03T08:00:00Z"}', null],
    ])
  })

  it('accept the result of a request made elsewhere, once it is final', () => {
    const { requests } = temporaryLedger()
    expect(requests.result({ RequestId: 5, ResultCode: 'WaitingToBeProcessed' }, { profile: 'p' })).to.equal(undefined)
    expect(requests.list()).to.deep.equal([])
    const row = requests.result({ RequestId: 5, ResultCode: 'Error', Message: 'no' }, { profile: 'p' })
    expect(row).to.include({ RequestId: 5, Operation: 'Unknown', Profile: 'p', State: 'failed', Message: 'no' })
    requests.result({ RequestId: 5, ResultCode: 'Error', Message: 'no' }, { profile: 'p' })
    expect(requests.list()).to.have.length(1)
    const nobody = requests.result({ RequestId: 6, ResultCode: 'Ok', Message: '' })
    expect(nobody).to.include({ Profile: '', Message: null, SentAt: row?.FinishedAt, FinishedAt: row?.FinishedAt })
  })

  it('give back of several results those that are final', () => {
    const { requests } = temporaryLedger()
    for (const RequestId of [1, 2, 3]) {
      const { Row } = requests.begin(lamp)
      requests.markQueued(Row, { RequestId, ItemId: RequestId })
    }
    const rows = requests.results([
      { RequestId: 1, ResultCode: 'Ok' },
      { RequestId: 2, ResultCode: 'WaitingToBeProcessed' },
      { RequestId: 3, ResultCode: 'Error' },
    ])
    expect(rows.map(({ RequestId }) => RequestId)).to.deep.equal([1, 3])
    expect(requests.results([])).to.deep.equal([])
  })

  it('are listed by state, profile, operation, job and time, the newest first; pending ones the oldest first', () => {
    const clock = new FakeClock()
    const { requests, jobs } = temporaryLedger(clock)
    const { JobId } = jobs.create({ kind: 'listing', profile: 'p', title: 'Lampa' })
    requests.begin(lamp)
    requests.begin({ ...lamp, operation: 'AddShopItem', profile: 'q' })
    clock.time += 5000
    requests.begin({ ...lamp, jobId: JobId })
    requests.markQueued(1, { RequestId: 11, ItemId: 1 })
    requests.markQueued(3, { RequestId: 13, ItemId: 1 })
    const rows = (filter: Parameters<typeof requests.list>[0]) => requests.list(filter).map(({ Row }) => Row)
    expect(rows({})).to.deep.equal([3, 2, 1])
    expect(rows({ state: 'sending' })).to.deep.equal([2])
    expect(rows({ state: ['sending', 'queued'] })).to.deep.equal([3, 2, 1])
    expect(rows({ profile: 'q' })).to.deep.equal([2])
    expect(rows({ operation: 'AddShopItem' })).to.deep.equal([2])
    expect(rows({ jobId: JobId })).to.deep.equal([3])
    expect(rows({ since: clock.time })).to.deep.equal([3])
    expect(rows({ limit: 1 })).to.deep.equal([3])
    expect(requests.pending('p').map(({ Row }) => Row)).to.deep.equal([1, 3])
    expect(requests.pending('p', { jobId: JobId }).map(({ Row }) => Row)).to.deep.equal([3])
    expect(requests.pending('q')).to.deep.equal([])
    expect(requests.pending('p', { since: clock.time }).map(({ Row }) => Row)).to.deep.equal([3])
    expect(rows({ since: clock.time + 1 })).to.deep.equal([])
    expect(rows({ limit: 0 })).to.deep.equal([])
    expect(rows({ state: [] })).to.deep.equal([])
    expect([requests.byRequestId(11)?.Row, requests.byRequestId(11, 'q')]).to.deep.equal([1, undefined])
  })

  it('of a row that is not there are a mistake of this program', () => {
    const { requests } = temporaryLedger()
    expect(() => requests.markUnknown(7, 'lost')).to.throw('no such request row')
  })

  describe('left "sending"', () => {
    const left = (ledger: ReturnType<typeof temporaryLedger>, owner: object | string) => {
      const { Row } = ledger.requests.begin(lamp)
      ledger.store.run(
        'UPDATE requests SET owner = ? WHERE row = ?',
        typeof owner === 'string' ? owner : JSON.stringify(owner),
        Row,
      )
    }

    it('stay so while the process that sends them lives', () => {
      const clock = new FakeClock()
      const { requests } = temporaryLedger(clock)
      requests.begin(lamp)
      clock.time += 60 * 60_000
      expect(requests.markAbandoned()).to.equal(0)
      expect(requests.list()[0]?.State).to.equal('sending')
    })

    // Only Linux reports when a process started; elsewhere, such a row waits for its time-out.
    if (process.platform === 'linux') {
      it('are unknown when another process has its id by now', () => {
        const ledger = temporaryLedger()
        left(ledger, { host: hostname(), pid: process.pid, started: 'an-earlier-boot:1' })
        expect(ledger.requests.list()[0]).to.include({ State: 'unknown' })
        expect(ledger.requests.list()[0]?.Message).to.contain('may or may not')
      })
    }

    it('are unknown when there is no such process', () => {
      const ledger = temporaryLedger()
      left(ledger, { host: hostname(), pid: 2 ** 22 + 1, started: 'x' })
      left(ledger, 'no owner at all')
      expect(ledger.requests.markAbandoned()).to.equal(2)
      expect(ledger.requests.list({ state: 'unknown' })).to.have.length(2)
    })

    it('on another machine are unknown when no call can last so long', () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      left(ledger, { host: 'elsewhere', pid: 1, started: 'x' })
      clock.time += 15 * 60_000 - 1
      expect(ledger.requests.list()[0]?.State).to.equal('sending')
      clock.time += 1
      expect(ledger.requests.list()[0]?.State).to.equal('unknown')
    })

    it('are marked when the ledger is opened', () => {
      const ledger = temporaryLedger()
      left(ledger, { host: hostname(), pid: 2 ** 22 + 1, started: 'x' })
      ledger.close()
      expect(temporaryLedger(new FakeClock(), ledger.path).requests.byRow(1)?.State).to.equal('unknown')
    })
  })
})
