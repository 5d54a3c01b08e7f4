import { expect } from 'chai'
import { BudgetError } from '../../src/jobs/ledger/errors.js'
import { type PollOptions, pollResults, waitForRequests } from '../../src/jobs/poller.js'
import { SoapError, type SoapErrorKind } from '../../src/soap/client/index.js'
import { cleanUp, drain, FakeClient, FakeClock, temporaryLedger, thrown } from './harness.js'

const HOUR = 3_600_000

describe('waiting for requests', () => {
  afterEach(cleanUp)

  type Asked = { requestIds: number[] }
  const problem = (kind: SoapErrorKind, faultString?: string, httpStatus?: number) =>
    new SoapError(kind, `${kind} it is`, { operation: 'GetRequestResults', sent: true, faultString, httpStatus })
  const ok = (ids: readonly number[]) => ids.map((RequestId) => ({ RequestId, ResultCode: 'Ok' }))
  /** Gives one answer per look; the last answer is repeated. */
  const client = (...answers: ((ids: number[]) => unknown)[]) => {
    let look = 0
    return new FakeClient({
      GetRequestResults: ({ requestIds }: Asked) => {
        const answer = answers[Math.min(look, answers.length - 1)]
        look += 1
        return answer?.(requestIds)
      },
    })
  }
  /** Waits an hour at most, by a clock of its own. */
  const poll = (asked: FakeClient, requestIds: readonly number[], more: Partial<PollOptions> = {}) =>
    pollResults({ client: asked, requestIds, timeoutMs: HOUR, clock: new FakeClock(), ...more })
  const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

  it('takes what holds of a broken answer, and asks for the rest again', async () => {
    const broken = new SoapError('broken', 'no', { operation: 'GetRequestResults', sent: true, intact: ok([1, 3]) })
    const answers = client(() => {
      throw broken
    }, ok)
    const { yielded, returned } = await drain(poll(answers, [1, 2, 3]))
    expect(yielded.map(({ results, problem }) => [results.map(({ RequestId }) => RequestId), problem])).to.deep.equal([
      [[1, 3], broken],
      [[2], undefined],
    ])
    expect(returned).to.deep.equal({ pending: [], timedOut: false })
  })

  it('looks three times at a word that nobody knows: one damaged bit made it of another', async () => {
    const strange = (ids: readonly number[]) => ids.map((RequestId) => ({ RequestId, ResultCode: 'Oi' }))
    const mended = await drain(poll(client(strange, strange, ok), [1]))
    expect(mended.yielded.flatMap(({ results }) => results.map(({ ResultCode }) => ResultCode))).to.deep.equal(['Ok'])
    const lasting = await drain(poll(client(strange), [1]))
    expect(lasting.yielded.map(({ results }) => results.length)).to.deep.equal([0, 0, 1])
  })

  it('takes the worst of several results for one id', async () => {
    const results = (...codes: string[]) => codes.map((ResultCode) => ({ RequestId: 1, ResultCode }))
    for (const [codes, worst] of [
      [['Ok', 'Error', 'Ok'], 'Error'],
      [['Ok', 'TryAgain'], 'TryAgain'],
      [['Ok', 'Ok'], 'Ok'],
      // The first of equally bad ones, as the service gave them.
      [['TryAgain', 'Timeout'], 'TryAgain'],
      [['Timeout', 'Ok', 'TryAgain'], 'Timeout'],
    ] as const) {
      const { yielded } = await drain(
        poll(
          client(() => results(...codes)),
          [1],
        ),
      )
      expect(yielded[0]?.results).to.deep.equal(results(worst))
    }
    const waiting = poll(
      client(() => results('Ok', 'WaitingToBeProcessed')),
      [1],
      { timeoutMs: 0 },
    )
    expect((await drain(waiting)).returned).to.deep.equal({ pending: [1], timedOut: true })
  })

  describe('its schedule', () => {
    const looks = async (timeoutMs: number, chance = 0.5) => {
      const clock = new FakeClock()
      clock.chance = chance
      const { returned } = await drain(
        poll(
          client(() => []),
          [1],
          { timeoutMs, clock },
        ),
      )
      expect(returned).to.deep.equal({ pending: [1], timedOut: true })
      return clock.slept.map((ms) => ms / 1000)
    }

    it('is 1, 2, 4, … 60 s, and ends with a look at the deadline, never after it', async () => {
      expect(await looks(400_000)).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 37])
    })

    it('looks once at the deadline when that comes before the first look, and at once when no time is given', async () => {
      expect(await looks(300)).to.deep.equal([0.3])
      expect(await looks(0)).to.deep.equal([])
    })

    it('ends, where asked to, once two looks in a row found nothing but uncommitted requests', async () => {
      const uncommitted = (RequestId: number) => ({ RequestId, ResultCode: 'Uncommited' })
      const waiting = (endsUncommitted: boolean) => {
        const clock = new FakeClock()
        const answers = client(
          () => [uncommitted(1)],
          () => [uncommitted(1), ...ok([2])],
          () => [uncommitted(1)],
        )
        const outcome = drain(poll(answers, [1, 2], { timeoutMs: 60_000, clock, endsUncommitted }))
        return outcome.then(({ returned }) => ({ returned, slept: clock.slept.length }))
      }
      const ended = await waiting(true)
      expect(ended).to.deep.equal({ returned: { pending: [1], timedOut: true, uncommitted: [1] }, slept: 3 })
      expect((await waiting(false)).slept).to.be.greaterThan(3)
    })

    it('ends, where asked to, for ids that the first answer says nothing of; a look that failed decides nothing', async () => {
      const clock = new FakeClock()
      const answers = client(
        () => {
          throw new SoapError('unavailable', 'busy', { operation: 'GetRequestResults', sent: true })
        },
        () => [{ RequestId: 2, ResultCode: 'WaitingToBeProcessed' }],
        () => ok([1, 2]),
      )
      const endsUnknown = new Set([2, 3])
      const waiting = poll(answers, [1, 2, 3], { timeoutMs: 60_000, clock, endsUnknown })
      expect((await drain(waiting)).returned).to.deep.equal({ pending: [], timedOut: false, unknown: [3] })
      expect(clock.slept).to.have.lengthOf(3)
    })

    it('gives or takes a tenth by chance', async () => {
      expect((await looks(HOUR, 0)).slice(0, 8)).to.deep.equal([0.9, 1.8, 3.6, 7.2, 14.4, 28.8, 54, 54])
      expect((await looks(HOUR, 1)).slice(0, 8)).to.deep.equal([1.1, 2.2, 4.4, 8.8, 17.6, 35.2, 66, 66])
    })

    it('tells each time what is pending and when it looks again', async () => {
      const clock = new FakeClock()
      const { yielded, returned } = await drain(
        poll(
          client(
            () => [],
            () => ok([1]),
            () => ok([2]),
          ),
          [1, 2],
          { clock },
        ),
      )
      expect(
        yielded.map(({ pending, results, nextLookMs, elapsedMs }) => [pending, results.length, nextLookMs, elapsedMs]),
      ).to.deep.equal([
        [2, 0, 2000, 1000],
        [1, 1, 4000, 3000],
        [0, 1, 0, 7000],
      ])
      expect(returned).to.deep.equal({ pending: [], timedOut: false })
    })

    it('takes the time of the look itself off the time left', async () => {
      const clock = new FakeClock()
      const slow = client(() => {
        clock.time += 5000
        return []
      })
      await drain(poll(slow, [1], { timeoutMs: 10_000, clock }))
      expect(clock.slept).to.deep.equal([1000, 2000])
      expect(slow.calls).to.have.length(2)
    })
  })

  it('asks for nothing when there is nothing to wait for', async () => {
    const asked = client(() => [])
    const clock = new FakeClock()
    const { yielded, returned } = await drain(poll(asked, [], { clock }))
    expect([yielded, returned, asked.calls, clock.slept]).to.deep.equal([[], { pending: [], timedOut: false }, [], []])
  })

  it('asks for all pending ids in one call, and no more for those that are final', async () => {
    const asked = client(
      (ids) => ok(ids.filter((id) => id % 2 === 0)),
      (ids) => ids.map((RequestId) => ({ RequestId, ResultCode: RequestId === 1 ? 'WaitingToBeProcessed' : 'Error TryAgain' })),
      (ids) => ok(ids),
    )
    await drain(poll(asked, range(5000)))
    expect(asked.calls.map(({ params }) => (params as Asked).requestIds.length)).to.deep.equal([5000, 2500, 1])
  })

  it('leaves aside results of ids it did not ask for, and repeated ones', async () => {
    const asked = client(() => ok([1, 1, 99]))
    const { yielded } = await drain(poll(asked, [1]))
    expect(yielded.flatMap(({ results }) => results)).to.have.length(1)
  })

  describe('a service that refuses so many ids', () => {
    const limited = (most: number, refusal: SoapError) =>
      client((ids) => {
        if (ids.length > most) throw refusal
        return ok(ids)
      })
    const sizes = async (asked: FakeClient, count: number, chunk?: number) => {
      const { returned } = await drain(poll(asked, range(count), { chunk }))
      expect(returned.pending).to.deep.equal([])
      return asked.calls.map(({ params }) => (params as Asked).requestIds.length)
    }

    it('is asked for half as many, and that is remembered', async () => {
      expect(await sizes(limited(300, problem('fault', 'no')), 1000)).to.deep.equal([1000, 500, 250, 250, 250, 250])
    })

    it('is understood by its words, by HTTP 413 and by a reply over the limit also for few', async () => {
      expect(await sizes(limited(2, problem('fault', 'Too many request ids')), 8)).to.deep.equal([8, 4, 2, 2, 2, 2])
      expect(await sizes(limited(1, problem('not-soap', undefined, 413)), 2)).to.deep.equal([2, 1, 1])
      expect(await sizes(limited(4, problem('too-large')), 8)).to.deep.equal([8, 4, 4])
    })

    it('is asked for no more than the chunk given', async () => {
      expect(await sizes(limited(1000, problem('fault')), 10, 4)).to.deep.equal([4, 4, 2])
    })

    it('is not asked again and again when the fault is about something else', async () => {
      const refusal = problem('fault', 'Invalid application id')
      const asked = limited(0, refusal)
      const looks = poll(asked, range(1000))
      expect(await thrown(() => drain(looks))).to.equal(refusal)
      expect(asked.calls.length).to.be.below(8)
      const one = limited(0, problem('fault', 'too many'))
      await thrown(() => drain(poll(one, [1])))
      expect(one.calls).to.have.length(1)
    })
  })

  for (const kind of ['unreachable', 'interrupted', 'unavailable', 'not-soap'] as const) {
    it(`goes on, and tells, when the service is ${kind} for a while`, async () => {
      const failure = problem(kind)
      const asked = client(() => {
        throw failure
      }, ok)
      const { yielded, returned } = await drain(poll(asked, [1]))
      expect(yielded.map((look) => look.problem)).to.deep.equal([failure, undefined])
      expect(returned).to.deep.equal({ pending: [], timedOut: false })
    })
  }

  it('tells the last problem when the time is up', async () => {
    const failure = problem('unreachable')
    const asked = client(() => {
      throw failure
    })
    const { returned } = await drain(poll(asked, [1], { timeoutMs: 5000 }))
    expect(returned).to.deep.equal({ pending: [1], timedOut: true, problem: failure })
  })

  it('still knows what is uncommitted after a look that failed in part', async () => {
    const asked = client((ids) => {
      if (ids[0] === 2) throw problem('unreachable')
      return ids.map((RequestId) => ({ RequestId, ResultCode: 'Uncommited' }))
    })
    const { returned } = await drain(poll(asked, [1, 2], { timeoutMs: 0, chunk: 1 }))
    expect(returned).to.deep.include({ pending: [1, 2], timedOut: true, uncommitted: [1] })
  })

  for (const failure of [problem('quota'), problem('refused'), new BudgetError('max-calls', 1, 1, 'no', 'no')]) {
    it(`ends at once with ${failure.message}: ${failure.name}`, async () => {
      const asked = client(() => {
        throw failure
      })
      const looks = poll(asked, range(100))
      expect(await thrown(() => drain(looks))).to.equal(failure)
      expect(asked.calls).to.have.length(1)
    })
  }

  it('hands on the results it has before it ends with a failure', async () => {
    let calls = 0
    const failure = problem('quota')
    const asked = client((ids) => {
      calls += 1
      if (calls > 1) throw failure
      return ok(ids)
    })
    const looks = poll(asked, [1, 2], { chunk: 1 })
    expect((await looks.next()).value).to.deep.include({ pending: 1, problem: failure, results: ok([1]) })
    expect(await thrown(() => looks.next())).to.equal(failure)
  })

  it('stops when it is interrupted, asleep or not', async () => {
    const stop = new AbortController()
    const asked = client(() => {
      stop.abort()
      return []
    })
    const clock = new FakeClock()
    const options = { client: asked, requestIds: [1], timeoutMs: HOUR, clock, signal: stop.signal }
    const error = await thrown(() => drain(pollResults(options)))
    expect(error).to.be.instanceOf(SoapError).with.property('kind', 'aborted')
    expect(asked.calls).to.have.length(1)
    expect(await thrown(() => drain(pollResults(options)))).to.have.property('kind', 'aborted')
    expect(asked.calls).to.have.length(1)
  })

  describe('with the ledger', () => {
    const queued = (ledger: ReturnType<typeof temporaryLedger>, ids: readonly number[], profile = 'p') => {
      for (const RequestId of ids) {
        const { Row } = ledger.requests.begin({ operation: 'AddItem', subject: `${RequestId}`, profile })
        ledger.requests.markQueued(Row, { RequestId, ItemId: RequestId })
      }
    }

    it('writes results as they come, and gives a row for each id', async () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      queued(ledger, [1, 2])
      const asked = client(
        () => ok([1]),
        () => [{ RequestId: 2, ResultCode: 'Error', Message: 'no' }],
      )
      const waiting = waitForRequests({ client: asked, ledger, requestIds: [1, 2, 2], timeoutMs: HOUR, clock, profile: 'p' })
      const first = await waiting.next()
      expect(first.value).to.deep.include({ pending: 1, nextLookMs: 2000, elapsedMs: 1000 })
      expect(ledger.requests.byRequestId(1)?.State).to.equal('ok')
      expect(ledger.requests.byRequestId(2)?.State).to.equal('queued')
      const { returned } = await drain(waiting)
      expect(returned.results.map(({ RequestId, State, Message }) => [RequestId, State, Message])).to.deep.equal([
        [1, 'ok', null],
        [2, 'failed', 'no'],
      ])
      expect(returned).to.include({ timedOut: false })
    })

    it('does not ask again for what the ledger knows', async () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      queued(ledger, [1])
      ledger.requests.result({ RequestId: 1, ResultCode: 'Timeout' })
      const asked = client(() => [])
      const { yielded, returned } = await drain(
        waitForRequests({ client: asked, ledger, requestIds: [1], timeoutMs: HOUR, clock }),
      )
      expect([yielded, asked.calls]).to.deep.equal([[], []])
      expect(returned.results[0]).to.include({ State: 'retryable' })
    })

    it('waits for ids that were made elsewhere', async () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      const { returned } = await drain(
        waitForRequests({ client: client(() => [], ok), ledger, requestIds: [77], timeoutMs: HOUR, clock, profile: 'p' }),
      )
      expect(returned.results[0]).to.include({ RequestId: 77, Operation: 'Unknown', State: 'ok', Profile: 'p' })
    })

    it('works for thousands', async () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      const ids = range(6000)
      ledger.store.transaction(() => queued(ledger, ids))
      const { returned } = await drain(
        waitForRequests({ client: client(ok), ledger, requestIds: ids, timeoutMs: HOUR, clock, profile: 'p' }),
      )
      expect(returned.results).to.have.length(6000)
      expect(ledger.requests.pending('p')).to.deep.equal([])
    })

    it('takes the results of one profile for its own rows', async () => {
      const clock = new FakeClock()
      const ledger = temporaryLedger(clock)
      queued(ledger, [1], 'p')
      queued(ledger, [1], 'q')
      await drain(waitForRequests({ client: client(ok), ledger, requestIds: [1], timeoutMs: HOUR, clock, profile: 'p' }))
      expect(ledger.requests.byRequestId(1, 'p')?.State).to.equal('ok')
      expect(ledger.requests.byRequestId(1, 'q')?.State).to.equal('queued')
    })
  })
})
