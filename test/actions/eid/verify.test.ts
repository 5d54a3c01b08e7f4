/** eid:verify from its beginning to its end, against a scripted service. */
import { expect } from 'chai'
import { type VerifyOptions, verifyEid } from '../../../src/actions/eid/verify.js'
import type { Context } from '../../../src/cli/context.js'
import { cleanUp, FakeClient, FakeClock, temporaryDirectory, temporaryLedger, thrown } from '../../jobs/harness.js'

const REF = '11111111-2222-3333-4444-555555555555'

describe('an eID verification', () => {
  afterEach(cleanUp)

  const verify = (looks: readonly (object | Error)[], options: Partial<VerifyOptions> = {}, embedded = false) => {
    const rest = [...looks]
    const service = new FakeClient({
      BeginEidVerification: () => ({ EidOrderRef: REF }),
      BeginEidOnFileVerification: () => ({ EidOrderRef: REF, AutoStartToken: 'abc' }),
      GetEidVerificationProgress: () => {
        const look = rest.shift()
        if (look instanceof Error) throw look
        return look
      },
      CancelEidVerification: () => null,
    })
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    const lines: string[] = []
    const ctx = {
      clock,
      dataDir: temporaryDirectory(),
      env: {},
      signal: new AbortController().signal,
      profile: { name: 'shop', embedded, settings: { user_id: 7 } },
      ledger: async () => ledger,
      client: async () => ({ call: service.call, callAny: service.call }),
      output: {
        human: false,
        note: (text: string) => lines.push(text),
        warn: (text: string) => lines.push(`! ${text}`),
        hint: (text: string) => lines.push(`? ${text}`),
        progress: ({ text }: { text: string }) => {
          lines.push(`… ${text}`)
          return { update: (now: { text: string }) => lines.push(`… ${now.text}`), stop: () => lines.push('… ended') }
        },
      },
    } as unknown as Context
    const run = () => verifyEid(ctx, { onFile: false, wait: true, timeoutMs: 60_000, ...options })
    const latest = () => ledger.eidSessions.latest({ profile: 'shop', userId: 7 })
    return { run, lines, service, latest }
  }
  const BEGUN = [`Order reference ${REF}`, '… Open your electronic-ID app']

  it('shows each progress that the service names, and ends with what it said last', async () => {
    const { run, lines, service } = verify([
      { IsCompleted: false, Progress: 'Öppna appen' },
      { IsCompleted: false, Progress: '' },
      { IsCompleted: false },
      { IsCompleted: true, Progress: 'Klart' },
    ])
    const { record, code } = await run()
    expect(code).to.equal(0)
    expect(record).to.deep.include({ EidOrderRef: REF, IsCompleted: true, Progress: 'Klart' })
    expect(lines).to.deep.equal([...BEGUN, '… Öppna appen', '… Klart', '… ended'])
    expect(service.names).to.not.include('CancelEidVerification')
  })

  it('ends the progress before it says that following was broken off, and cancels', async () => {
    const failure = new Error('broken')
    const { run, lines, service } = verify([{ IsCompleted: false }, failure])
    expect(await thrown(run)).to.equal(failure)
    expect(lines).to.deep.equal([...BEGUN, '… ended', '! The session was cancelled at the service.'])
    expect(service.names.at(-1)).to.equal('CancelEidVerification')
  })

  it('says why it failed, and what to do where the time is up', async () => {
    const failed = verify([{ IsCompleted: false, Error: 'Expired' }])
    expect((await failed.run()).code).to.equal(1)
    expect(failed.lines.at(-1)).to.equal('! You are not verified: Expired')
    const late = verify([{ IsCompleted: false }], { timeoutMs: 1 })
    expect((await late.run()).code).to.equal(8)
    expect(late.lines.slice(-2)).to.deep.equal([
      '! The time is up, but the verification has not ended.',
      '? See it with: seller eid:status. Cancel it with: seller eid:cancel',
    ])
    expect(late.latest()).to.include({ EidOrderRef: REF })
  })

  it('is left at once where nobody waits, with the link to start the app', async () => {
    const { run, lines, service, latest } = verify([], { wait: false, onFile: true }, true)
    expect((await run()).code).to.equal(0)
    expect(lines).to.deep.equal([
      `Order reference ${REF}`,
      'Start the app on this device: bankid:///?autostarttoken=abc&redirect=null',
      '? In the sandbox, approve it from another terminal with: seller sandbox:eid approve',
      '? Follow it with: seller eid:status. Cancel it with: seller eid:cancel',
    ])
    expect(service.names).to.deep.equal(['BeginEidOnFileVerification'])
    expect(latest()).to.include({ EidOrderRef: REF })
  })
})
