import { expect } from 'chai'
import type { ParamsOf } from '../../src/contract/index.js'
import type { Ledger } from '../../src/jobs/index.js'
import { BudgetError, LedgerError } from '../../src/jobs/ledger/errors.js'
import { recordQueued } from '../../src/jobs/send.js'
import { type SoapClient, SoapError, type SoapErrorKind } from '../../src/soap/client/index.js'
import { cleanUp, FakeClient, temporaryLedger, thrown } from './harness.js'

type Sent = Omit<Parameters<typeof recordQueued>[1], 'operation'> & {
  readonly name: 'RemoveShopItem'
  readonly params: ParamsOf<'RemoveShopItem'>
  readonly client: Pick<SoapClient, 'call'>
  readonly ledger: Pick<Ledger, 'requests'>
}

const attemptQueued = ({ name, params, client, ledger, ...about }: Sent) =>
  recordQueued(ledger, { ...about, operation: name }, () => client.call(name, params))

/** Sends, and throws the failure. */
async function sendQueued(options: Sent) {
  const { row, error } = await attemptQueued(options)
  if (error !== undefined) throw error
  return row
}

describe('sending a queued operation', () => {
  afterEach(cleanUp)

  const params: ParamsOf<'RemoveShopItem'> = { shopItemId: 4 }
  const common = { name: 'RemoveShopItem', params, subject: '4', profile: 'p', userId: 5 } as const

  it('records it before it is sent, and its ids after', async () => {
    const ledger = temporaryLedger()
    const { JobId } = ledger.jobs.create({ kind: 'remove', profile: 'p', title: 'x' })
    const client = new FakeClient({
      RemoveShopItem: () => {
        expect(ledger.requests.byRow(1)).to.include({ State: 'sending', Operation: 'RemoveShopItem', Subject: '4', JobId })
        return { RequestId: 900, ItemId: 1 }
      },
    })
    const row = await sendQueued({ ...common, client, ledger, jobId: JobId })
    expect(row).to.include({ State: 'queued', RequestId: 900, ItemId: 1, UserId: 5, JobId })
    expect(client.calls).to.deep.equal([{ name: 'RemoveShopItem', params }])
  })

  it('is of unknown outcome where the answer has no ids that can be', async () => {
    const ids = { RequestId: 900, ItemId: 4 }
    for (const answer of [null, {}, { ...ids, RequestId: 0 }, { ...ids, ItemId: null }, { ...ids, RequestId: '900' }]) {
      const ledger = temporaryLedger()
      const { row, error } = await attemptQueued({ ...common, client: new FakeClient({ RemoveShopItem: () => answer }), ledger })
      expect([row.State, (error as { code?: string }).code], JSON.stringify(answer)).to.deep.equal(['unknown', 'unknown_outcome'])
    }
  })

  const failing = (error: unknown) => {
    const ledger = temporaryLedger()
    const client = new FakeClient({
      RemoveShopItem: () => {
        throw error
      },
    })
    return { ledger, client }
  }

  const cases: [SoapErrorKind, boolean, 'refused' | 'unknown'][] = [
    ['input', false, 'refused'],
    ['unreachable', false, 'refused'],
    ['fault', true, 'unknown'],
    ['quota', true, 'refused'],
    ['broken', true, 'unknown'],
    ['aborted', false, 'refused'],
    ['aborted', true, 'unknown'],
    ['unknown-outcome', true, 'unknown'],
    ['interrupted', true, 'unknown'],
    ['unavailable', true, 'unknown'],
    ['not-soap', true, 'unknown'],
    ['too-large', true, 'unknown'],
  ]
  for (const [kind, sent, state] of cases) {
    it(`leaves it ${state} after "${kind}", ${sent ? 'sent' : 'not sent'}`, async () => {
      const error = new SoapError(kind, `why: ${kind}`, { operation: 'RemoveShopItem', sent })
      const { ledger, client } = failing(error)
      expect(await thrown(() => sendQueued({ ...common, client, ledger }))).to.equal(error)
      expect(ledger.requests.list()[0]).to.include({ State: state, Message: `why: ${kind}` })
      expect(client.calls).to.have.length(1)
    })
  }

  it('leaves it refused only where the service itself said no', async () => {
    const of = { operation: 'RemoveShopItem', sent: true }
    const stateAfter = async (error: SoapError, lostBefore = false) => {
      if (lostBefore) error.lostBefore = true
      const { ledger, client } = failing(error)
      await thrown(() => sendQueued({ ...common, client, ledger }))
      return ledger.requests.list()[0]?.State
    }
    const said = (faultCode: string, faultString: string) => new SoapError('fault', 'no', { ...of, faultCode, faultString })
    expect(await stateAfter(said('Client', 'No.'))).to.equal('refused')
    expect(await stateAfter(said('Server', 'Invalid request ---> Title is missing'))).to.equal('refused')
    expect(await stateAfter(said('Server', 'Server was unable to process request. ---> Time-out'))).to.equal('unknown')
    // The attempt before may have been carried out, whatever the answer to the last one.
    expect(await stateAfter(said('Client', 'There is no such item.'), true)).to.equal('unknown')
    for (const [httpStatus, state] of [
      [401, 'refused'],
      [403, 'refused'],
      [308, 'refused'],
      [302, 'unknown'],
      [303, 'unknown'],
    ] as const) {
      expect(await stateAfter(new SoapError('refused', 'no', { ...of, httpStatus })), String(httpStatus)).to.equal(state)
    }
    for (const [httpStatus, state] of [
      [405, 'refused'],
      [408, 'unknown'],
      [409, 'unknown'],
      [425, 'unknown'],
    ] as const) {
      expect(await stateAfter(new SoapError('not-soap', 'no', { ...of, httpStatus })), String(httpStatus)).to.equal(state)
    }
  })

  it('takes an error that is not of the client for unknown: it may come from reading the answer', async () => {
    const { ledger, client } = failing(new TypeError('undefined is not a function'))
    await thrown(() => sendQueued({ ...common, client, ledger }))
    expect(ledger.requests.list()[0]?.State).to.equal('unknown')
  })

  it('leaves it refused after a page of HTTP 404, and unknown after one of HTTP 500 or 200', async () => {
    for (const [httpStatus, state] of [
      [404, 'refused'],
      [500, 'unknown'],
      [200, 'unknown'],
    ] as const) {
      const { ledger, client } = failing(
        new SoapError('not-soap', 'a page', { operation: 'RemoveShopItem', sent: true, httpStatus }),
      )
      await thrown(() => sendQueued({ ...common, client, ledger }))
      expect(ledger.requests.list()[0]?.State).to.equal(state)
    }
  })

  it('leaves it refused when a call budget stopped it', async () => {
    const error = new BudgetError('budget', 1, 1, 'spent', 'wait')
    const { ledger, client } = failing(error)
    expect(await thrown(() => sendQueued({ ...common, client, ledger }))).to.equal(error)
    expect(ledger.requests.list()[0]).to.include({ State: 'refused', Message: 'spent' })
  })

  it('gives the failure beside the row, for many', async () => {
    const error = new SoapError('fault', 'no', { operation: 'RemoveShopItem', sent: true, faultCode: 'Client' })
    const { ledger, client } = failing(error)
    const attempt = await attemptQueued({ ...common, client, ledger })
    expect(attempt.error).to.equal(error)
    expect(attempt.row).to.include({ State: 'refused' })
  })

  it('sends nothing that cannot be recorded', async () => {
    const ledger = temporaryLedger()
    ledger.store.all(`PRAGMA max_page_count = 1`)
    const client = new FakeClient({ RemoveShopItem: () => ({ RequestId: 1, ItemId: 1 }) })
    const error = await thrown(() => sendQueued({ ...common, subject: 'x'.repeat(100_000), client, ledger }))
    expect(error).to.be.instanceOf(LedgerError)
    expect(client.calls).to.deep.equal([])
  })

  it('does not take an answer that could not be recorded for a refusal', async () => {
    const ledger = temporaryLedger()
    const client = new FakeClient({
      RemoveShopItem: () => {
        ledger.store.exec("CREATE TEMP TRIGGER full BEFORE UPDATE ON requests BEGIN SELECT RAISE(ABORT, 'no space'); END")
        return { RequestId: 1, ItemId: 1 }
      },
    })
    await thrown(() => sendQueued({ ...common, client, ledger }))
    expect(ledger.requests.byRow(1)?.State).to.equal('sending')
  })
})
