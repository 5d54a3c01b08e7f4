import { expect } from 'chai'
import { controlSandbox } from '../../src/sandbox/index.js'
import { type ObservedHome, openObserved } from './observed.js'
import { hasTmux } from './terminal.js'

describe('eid', () => {
  let home: ObservedHome
  before(async () => {
    home = await openObserved()
  })
  beforeEach(() => void home.calls())
  after(() => home.close())

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
    expect(home.calls()).to.include('CancelEidVerification')
    const status = await home.seller('eid:status', '--json')
    expect([status.code, status.json().Error]).to.deep.equal([1, 'Cancelled'])
    expect(status.stderr).to.include('Begin anew with: seller eid:verify')
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

  it('passes on why no session was begun', async () => {
    const env = { SELLER_USER_ID: '1005', SELLER_TOKEN: 'sandbox-token-of-member-1005' }
    const run = await home.run(['eid:verify', '--json'], { env })
    expect([run.code, run.json().error.code]).to.deep.equal([1, 'eid_not_begun'])
    expect(run.json().error.message).to.include('no personal number on file')
    expect(home.calls()).to.deep.equal(['BeginEidVerification'])
  })

  it('with --no-wait gives the order reference and goes', async () => {
    const run = await home.seller('eid:verify', '--on-file', '--no-wait', '--json')
    expect(run.code).to.equal(0)
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
})
