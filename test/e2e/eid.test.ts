import { join } from 'node:path'
import { expect } from 'chai'
import { type Operation, operationsOf, Renamer, readNameMap, renaming } from '../../src/contract/index.js'
import { EidOrderRequest } from '../../src/contract/requests.js'
import { optional } from '../../src/contract/vocabulary.js'
import { openLedger } from '../../src/jobs/ledger/index.js'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { buildWsdl } from '../../src/sandbox/wsdl/document.js'
import { systemClock } from '../../src/system/clock.js'
import { controlSandbox } from '../control-sandbox.js'
import { closing, opened } from '../opened.js'
import { Hands } from './clock.js'
import type { Run } from './harness.js'
import { openObserved } from './observed.js'
import { hasTmux } from './terminal.js'

describe('eid', () => {
  const home = opened(openObserved)
  beforeEach(() => void home.calls())

  const phone = (outcome: string) => controlSandbox(home.sandbox.url, 'eid', { outcome })

  it('follows a session until the member has verified', async () => {
    const running = home.start(['eid:verify', '--json'])
    await running.prints(/Order reference ([0-9a-f-]{36})/)
    await phone('approve')
    const run = await running.done
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json()).to.include({ IsCompleted: true, Error: null, AutoStartToken: run.json().AutoStartToken })
    expect(run.stderr).to.include(run.json().EidOrderRef)
    expect(home.calls())
      .to.include.members(['BeginEidVerification', 'GetEidVerificationProgress'])
      .and.not.include('CancelEidVerification')
  })

  it('exits 1 when the verification fails, and shows the service’s reason', async () => {
    const running = home.start(['eid:verify', '--json'])
    await running.prints(/Order reference/)
    await phone('fail')
    const run = await running.done
    expect([run.code, run.json().IsCompleted]).to.deep.equal([1, false])
    expect(run.json().Error).to.be.a('string')
    expect(run.stderr).to.include(run.json().Error)
  })

  it('cancels the session at the service on Ctrl-C', async () => {
    const running = home.start(['eid:verify'])
    await running.prints(/Order reference/)
    running.interrupt('SIGINT')
    const run = await running.done
    expect(run.code).to.equal(130)
    expect(run.stderr).to.include('The session was cancelled at the service.')
    expect(run.stderr).to.match(/^Error: Interrupted\.\nRun the command again\.$/m)
    expect(home.calls()).to.include('CancelEidVerification')
    const status = await home.seller('eid:status', '--json')
    expect([status.code, status.json().Error]).to.deep.equal([1, 'Cancelled'])
    expect(status.stderr).to.include('Start again with: seller eid:verify')
  })

  it('exits 8 when the time is up, and leaves the session to eid:status and eid:cancel', async () => {
    const run = await home.seller('eid:verify', '--timeout', '1ms', '--json')
    expect([run.code, run.json().IsCompleted]).to.deep.equal([8, false])
    expect(run.stderr).to.include('seller eid:status')
    expect((await home.seller('eid:status', '--json')).code).to.equal(8)
    const second = await home.seller('eid:verify', '--json')
    expect([second.code, second.json().error.code]).to.deep.equal([1, 'eid_not_begun'])
    expect(second.json().error.message).to.include('already under way')
    expect(home.calls(), 'a session of another run is not cancelled').to.not.include('CancelEidVerification')
    const cancelled = await home.seller('eid:cancel', '--json')
    expect([cancelled.code, cancelled.json().Error]).to.deep.equal([0, 'Cancelled'])
    expect((await home.seller('eid:cancel')).code).to.equal(0)
  })

  it('looks after 2 s, then slower, at most every 5 s, and never sleeps past the time', async () => {
    const pauses: number[] = []
    const clock = new Hands()
    const sleep = clock.sleep
    clock.sleep = (ms, signal) => {
      pauses.push(ms)
      return sleep(Math.ceil(ms), signal)
    }
    const run = await home.run(['eid:verify', '--timeout', '25s', '--json'], { clock })
    expect([run.code, run.json().IsCompleted], run.stderr + run.stdout).to.deep.equal([8, false])
    expect(pauses).to.deep.equal([2000, 2500, 3125, 3906.25, 4882.8125, 5000, 3585])
    expect(home.calls().filter((name) => name === 'GetEidVerificationProgress')).to.have.lengthOf(8)
    await home.seller('eid:cancel')
  })

  it('cancels a session whose beginning was lost, or that it cannot follow any more, and says whether that worked', async () => {
    await controlSandbox(home.sandbox.url, 'faults', { latency: '1s..1s' })
    const begins = home.start(['eid:verify'])
    await new Promise((resolve) => setTimeout(resolve, 500))
    begins.interrupt('SIGINT')
    const interrupted = await begins.done
    await controlSandbox(home.sandbox.url, 'faults', { latency: '0ms..0ms', 'drop-after': '100%' })
    const lost = await home.run(['eid:verify'], { clock: new Hands() })
    await controlSandbox(home.sandbox.url, 'faults', { 'drop-after': '0%' })
    expect([interrupted.code, lost.code]).to.deep.equal([130, 9])
    expect(interrupted.stderr).to.include('The session was cancelled at the service.')
    expect(lost.stderr).to.include('The session could not be cancelled at the service.')
    // The cancellation is tried again where its answer is lost, the beginning is not.
    expect(home.calls().join(' ')).to.match(/^(BeginEidVerification CancelEidVerification ?){2}( CancelEidVerification)*$/)
    await home.seller('eid:cancel')
  })

  it('passes on why no session was begun', async () => {
    const env = { SELLER_USER_ID: '1005', SELLER_TOKEN: 'sandbox-token-of-member-1005' }
    const run = await home.run(['eid:verify', '--json'], { env })
    expect([run.code, run.json().error.code]).to.deep.equal([1, 'eid_not_begun'])
    expect(run.json().error.message).to.include('no personal number on file')
    expect(home.calls()).to.deep.equal(['BeginEidVerification'])
  })

  it('with --no-wait gives the order reference and goes', async () => {
    const run = await home.done('eid:verify', '--on-file', '--no-wait', '--json')
    const { EidOrderRef, AutoStartToken } = run.json()
    expect([EidOrderRef, AutoStartToken].every((text) => /^[0-9a-f-]{36}$/.test(text))).to.equal(true)
    expect(run.stderr).to.include(`bankid:///?autostarttoken=${AutoStartToken}`).and.not.include('▄')
    expect(home.calls()).to.deep.equal(['BeginEidOnFileVerification'])
    await home.seller('eid:cancel')
  })

  it('draws the link as a QR code on a terminal', async function () {
    if (!hasTmux) this.skip()
    const terminal = await home.terminal(['eid:verify', '--on-file', '--no-wait'], { height: 60 })
    const { code, screen } = await terminal.done()
    expect(code, screen).to.equal(0)
    expect(screen)
      .to.include('autostarttoken=')
      .and.match(/[▀▄█]{8}/)
    await home.seller('eid:cancel')
  })

  describe('order reference', () => {
    afterEach(() => home.seller('eid:cancel'))
    const begin = async (): Promise<string> => (await home.seller('eid:verify', '--no-wait', '--json')).json().EidOrderRef
    /** The references in the requests of a traced run. */
    const sent = ({ stderr }: Run): string[] =>
      stderr
        .split('--> POST')
        .slice(1)
        .flatMap((text) => /<EidOrderRef>([^<]*)</.exec(text.split('<-- ')[0] ?? '')?.[1] ?? [])
    const outcome = () => {
      const ledger = openLedger(join(home.dataDir, 'ledger.db'), systemClock)
      const row = ledger.eidSessions.latest({ profile: 'default', userId: SANDBOX_PROFILE.userId })
      ledger.close()
      return row?.Outcome
    }
    const save = async (place: boolean): Promise<void> => {
      const request = { request: optional(EidOrderRequest) }
      const operations = Object.values<Operation>(operationsOf('RestrictedService')).map((operation) =>
        place && /VerificationProgress|CancelEid/.test(operation.name) ? { ...operation, params: request } : operation,
      )
      const text = buildWsdl(
        'RestrictedService',
        SANDBOX_PROFILE.namespace,
        `${home.sandbox.url}/v3/RestrictedService.asmx`,
        operations,
      )
      const file = await home.file('restricted.wsdl', text)
      await home.done('service:check', '--file', file, '--save', '--yes')
    }

    it('survives the process, is shown, and is not sent where no description has a place for it', async () => {
      const ref = await begin()
      expect(outcome()).to.equal(null)
      const status = await home.seller('eid:status', '--json', '--trace')
      expect([status.code, status.json().EidOrderRef, sent(status)]).to.deep.equal([8, ref, []])
      const cancelled = await home.seller('eid:cancel', '--json', '--trace')
      expect([cancelled.json().EidOrderRef, cancelled.json().Error, sent(cancelled)]).to.deep.equal([ref, 'Cancelled', []])
      expect(outcome()).to.equal('cancelled')
    })

    it('names an older session with --order-ref', async () => {
      await save(true)
      const older = await begin()
      await home.seller('eid:cancel')
      const newer = await begin()
      const status = await home.seller('eid:status', '--order-ref', older, '--json', '--trace')
      expect([status.code, status.json().Error, sent(status)]).to.deep.equal([1, 'Cancelled', [older]])
      expect((await home.seller('eid:status', '--json')).json()).to.include({ EidOrderRef: newer, Error: null })
      await phone('approve')
      expect((await home.seller('eid:status')).code).to.equal(0)
      expect(outcome()).to.equal('completed')
    })

    it('is sent with every look and the cancellation where the saved description has a place for it', async () => {
      await save(true)
      const running = home.start(['eid:verify', '--json', '--trace'])
      await running.prints(/Order reference/)
      await phone('fail')
      const run = await running.done
      expect(run.code).to.equal(1)
      expect(new Set(sent(run))).to.deep.equal(new Set([run.json().EidOrderRef]))
      expect(outcome()).to.equal('failed')
      const ref = await begin()
      const status = await home.seller('eid:status', '--trace')
      const cancelled = await home.seller('eid:cancel', '--trace')
      expect([sent(status), sent(cancelled)]).to.deep.equal([[ref], [ref, ref]])
    })

    it('is refused where the saved description has no place for it', async () => {
      await save(false)
      const run = await home.seller('eid:status', '--order-ref', 'x', '--json')
      expect([run.code, run.json().error.code]).to.deep.equal([2, 'order_ref_not_taken'])
    })

    it('goes under the name that the service has for it', async () => {
      const names = readNameMap('Eid=Zed')
      await using own = closing(await openObserved({ names }))
      const request = { request: optional(EidOrderRequest) }
      const renamer = new Renamer(renaming(names), 'whole')
      const operations = Object.values<Operation>(operationsOf('RestrictedService')).map((operation) =>
        renamer.operation(/VerificationProgress|CancelEid/.test(operation.name) ? { ...operation, params: request } : operation),
      )
      const text = buildWsdl(
        'RestrictedService',
        SANDBOX_PROFILE.namespace,
        `${own.sandbox.url}/v3/RestrictedService.asmx`,
        operations,
      )
      const file = await own.file('renamed.wsdl', text)
      await own.done('auth:login', '--setting', 'names=Eid=Zed')
      await own.done('service:check', '--file', file, '--save', '--yes')
      const { EidOrderRef: ref } = (await own.seller('eid:verify', '--no-wait', '--json')).json()
      const status = await own.seller('eid:status', '--json', '--trace')
      expect(status.json().EidOrderRef).to.equal(ref)
      expect(status.stderr).to.include(`<ZedOrderRef>${ref}</ZedOrderRef>`)
      expect(own.calls()).to.include.members(['BeginZedVerification', 'GetZedVerificationProgress'])
    })
  })
})
