import { expect } from 'chai'
import { SandboxError } from '../../../src/sandbox/marketplace/index.js'
import { openedForEach } from '../../opened.js'
import { Market, MINUTE, member, NO_EID, SECOND } from './market.js'

describe('sandbox/marketplace: electronic-ID verification', () => {
  const market = openedForEach(() => new Market())
  const progress = (orderRef?: string, who?: number) =>
    market.call(
      'GetEidVerificationProgress',
      orderRef === undefined ? {} : { request: { EidOrderRef: orderRef } },
      who === undefined ? undefined : member(who),
    )
  const begin = () => market.call('BeginEidVerification', {})?.EidOrderRef ?? ''

  it('begins with an order reference and no error', () => {
    const begun = market.call('BeginEidVerification', {})
    expect(begun?.EidOrderRef).to.match(/^[0-9a-f-]{36}$/)
    expect(begun?.QrData).to.be.a('string')
    expect(begun).to.not.have.property('Error')
    expect(market.marketplace.console.eidSessions()[0]?.onFile).to.equal(false)
  })

  it('on file begins with an auto-start token', () => {
    const begun = market.call('BeginEidOnFileVerification', {})
    expect(begun?.AutoStartToken).to.match(/^[0-9a-f-]{36}$/)
    expect(begun).to.not.have.any.keys('Error', 'QrData')
    expect(market.marketplace.console.eidSessions()[0]).to.include({
      orderRef: begun?.EidOrderRef,
      onFile: true,
      userId: 1001,
      userName: 'Åsa Öberg',
    })
  })

  it('fails to begin with an error and no reference for a member it is not for', () => {
    for (const name of ['BeginEidVerification', 'BeginEidOnFileVerification'] as const) {
      const begun = market.call(name, {}, member(NO_EID))
      expect(begun).to.deep.equal({ Error: 'The member has no personal number on file.' })
    }
  })

  it('fails to begin while another runs; a new one may follow when it is over', () => {
    begin()
    const second = market.call('BeginEidOnFileVerification', {})
    expect(second).to.deep.equal({ Error: 'A verification is already under way; complete or cancel it first.' })
    expect(market.call('BeginEidVerification', {}, member(SECOND))).to.have.property('EidOrderRef')
    market.call('CancelEidVerification', {})
    expect(begin()).to.not.equal('')
  })

  it('goes through its steps with time, a new QR code each second, and expires', () => {
    begin()
    const seen = [progress()]
    for (let step = 0; step < 3; step++) {
      market.pass(1500)
      seen.push(progress())
    }
    expect(new Set(seen.map((answer) => answer?.Progress)).size).to.equal(3)
    expect(new Set(seen.map((answer) => answer?.QrData)).size).to.equal(4)
    expect(seen.every((answer) => answer?.IsCompleted === false && answer.Error === undefined)).to.equal(true)
    market.pass(3 * MINUTE)
    expect(progress()).to.include({ IsCompleted: false, Error: 'Expired' })
    expect(begin()).to.not.equal('')
  })

  for (const [outcome, completed, error] of [
    ['approve', true, undefined],
    ['fail', false, 'VerificationFailed'],
    ['cancel', false, 'Cancelled'],
  ] as const) {
    it(`ends by ${outcome} on the phone`, () => {
      const orderRef = begin()
      expect(market.marketplace.control.completeEid(undefined, outcome)).to.equal(orderRef)
      for (const answer of [progress(), progress(orderRef)]) {
        expect(answer?.IsCompleted).to.equal(completed)
        expect(answer?.Error).to.equal(error)
        expect(answer).to.not.have.property('QrData')
      }
      expect(() => market.marketplace.control.completeEid(undefined, 'approve')).to.throw(
        SandboxError,
        /No electronic-ID session is open/,
      )
    })
  }

  it('is cancelled by the caller; again, or with none to cancel, nothing happens', () => {
    expect(market.call('CancelEidVerification', {})).to.equal(null)
    const orderRef = begin()
    market.call('CancelEidVerification', {}, member(SECOND))
    expect(progress()?.Error).to.equal(undefined)
    expect(market.call('CancelEidVerification', { request: { EidOrderRef: orderRef } })).to.equal(null)
    expect(progress()?.Error).to.equal('Cancelled')
    market.call('CancelEidVerification', {})
    expect(progress()?.Error).to.equal('Cancelled')
  })

  it('tells of no session, and of none but the caller’s, by an error', () => {
    expect(progress()).to.deep.equal({ IsCompleted: false, Error: 'NoVerificationStarted' })
    const orderRef = begin()
    expect(progress(orderRef, SECOND)?.Error).to.equal('NoVerificationStarted')
    expect(progress('unknown')?.Error).to.equal('NoVerificationStarted')
    expect(() => market.marketplace.control.completeEid('unknown', 'fail')).to.throw(
      SandboxError,
      new RegExp(`open are ${orderRef}`),
    )
  })

  it('approves itself when told to', () => {
    market.marketplace.settings.eidApproveAfterMs = 5000
    begin()
    market.pass(4999)
    expect(progress()?.IsCompleted).to.equal(false)
    market.pass(1)
    expect(progress()?.IsCompleted).to.equal(true)
    expect(market.marketplace.console.eidSessions()[0]?.state).to.equal('approved')
  })
})
