import { expect } from 'chai'
import { LedgerError } from '../../src/jobs/ledger/errors.js'
import { failureOf, type NotDone, settleCall } from '../../src/jobs/ledger/outcome.js'
import { SoapError } from '../../src/soap/client/index.js'
import { cleanUp, temporaryLedger } from './harness.js'

describe('how a call ended', () => {
  afterEach(cleanUp)

  it('is refused by a proof that only its judge can make', () => {
    const { requests } = temporaryLedger()
    const { Row } = requests.begin({ operation: 'AddItem', subject: 'Lampa', profile: 'p' })
    // @ts-expect-error: a literal is not a proof; otherwise any code could call a write refused that was carried out.
    const forged: NotDone = { kind: 'refused', message: 'no', error: undefined }
    expect(forged.kind).to.equal('refused')
    const failure = failureOf(new SoapError('unreachable', 'no connection', { operation: 'AddItem', sent: false }))
    // @ts-expect-error: a failure may be unknown, and must be judged before it is recorded.
    const unjudged: NotDone = failure
    if (failure.kind === 'unknown') throw new Error('it never left')
    expect(requests.markRefused(Row, failure)).to.include({ State: 'refused', Message: 'no connection' })
    expect(unjudged).to.equal(failure)
  })

  it('is not sent where the record before the call failed, and unknown where anything else of ours did', async () => {
    const full = new LedgerError('full', '/ledger.db', 'The disk is full.', 'Free some space.')
    expect(failureOf(full)).to.include({ kind: 'not sent', error: full })
    expect(failureOf(new TypeError('undefined is not a function'))).to.include({ kind: 'unknown' })
    expect(failureOf('a word')).to.include({ kind: 'unknown', message: 'a word' })
    expect(await settleCall(async () => 7)).to.deep.equal({ kind: 'answered', value: 7 })
  })
})
