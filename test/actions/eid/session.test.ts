import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import {
  autoStartLink,
  beginEid,
  cancelledOnError,
  eidOutcome,
  followEid,
  UNNAMED as order,
} from '../../../src/actions/eid/session.js'
import { createPaint } from '../../../src/format/output/colour.js'
import { qrCode } from '../../../src/format/output/index.js'
import { type SoapClient, SoapError } from '../../../src/soap/client/index.js'

/** A client that answers from a list, and the calls it got. */
function scripted(answers: unknown[]): { client: SoapClient; calls: string[] } {
  const calls: string[] = []
  const call = async (name: string) => {
    calls.push(name)
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }
  return { client: { call, callAny: call } as unknown as SoapClient, calls }
}

function clockOf(sleeps: number[]) {
  let now = 0
  return {
    now: () => now,
    random: () => 0.5,
    sleep: async (ms: number) => {
      sleeps.push(ms)
      now += ms
    },
  }
}

const { signal } = new AbortController()
const lost = (kind: 'aborted' | 'fault') => new SoapError(kind, kind, { operation: 'BeginEidVerification', sent: true })

describe('an eID session', () => {
  it('is looked at after 2 s, then slower, at most every 5 s, until it has ended', async () => {
    const sleeps: number[] = []
    const pending = Array.from({ length: 7 }, () => ({ IsCompleted: false, Progress: 'wait' }))
    const { client } = scripted([...pending, { IsCompleted: true }])
    const seen = []
    for await (const look of followEid({ client, order, clock: clockOf(sleeps), signal, timeoutMs: 60_000 }))
      seen.push(eidOutcome(look))
    expect(seen).to.deep.equal([...Array(7).fill(undefined), 'completed'])
    expect(sleeps).to.deep.equal([2000, 2500, 3125, 3906.25, 4882.8125, 5000, 5000])
  })

  it('is left when the time is up, never slept past', async () => {
    const sleeps: number[] = []
    const { client, calls } = scripted(Array.from({ length: 9 }, () => ({ IsCompleted: false })))
    for await (const _look of followEid({ client, order, clock: clockOf(sleeps), signal, timeoutMs: 5000 }));
    expect(sleeps.reduce((sum, ms) => sum + ms, 0)).to.equal(5000)
    expect(calls).to.have.lengthOf(4)
  })

  it('has failed as soon as the service names an error, completed or not', () => {
    expect(eidOutcome({ IsCompleted: true, Error: 'Expired' })).to.equal('failed')
    expect(eidOutcome({ IsCompleted: false, Error: '' })).to.equal(undefined)
  })

  it('is cancelled when following it throws, and the error goes on', async () => {
    const told: boolean[] = []
    const taken = scripted([null])
    const error = new Error('lost')
    const thrown = await cancelledOnError(
      taken.client,
      order,
      () => Promise.reject(error),
      (cancelled) => told.push(cancelled),
    ).catch((e) => e)
    const refused = scripted([new Error('no')])
    await cancelledOnError(
      refused.client,
      order,
      () => Promise.reject(error),
      (cancelled) => told.push(cancelled),
    ).catch(() => {})
    expect(thrown).to.equal(error)
    expect(told).to.deep.equal([true, false])
    expect(taken.calls).to.deep.equal(['CancelEidVerification'])
  })

  it('is cancelled when its beginning was interrupted, not when it was refused', async () => {
    for (const [kind, calls] of [
      ['aborted', ['BeginEidVerification', 'CancelEidVerification']],
      ['fault', ['BeginEidVerification']],
    ] as const) {
      const service = scripted([lost(kind), null])
      await beginEid(service.client, false, signal, () => {}).catch(() => {})
      expect(service.calls).to.deep.equal(calls)
    }
  })

  it('has a link that any token fits in, and a QR code of it', async () => {
    expect(autoStartLink('a&b=c')).to.equal('bankid:///?autostarttoken=a%26b%3Dc&redirect=null')
    const plain = await qrCode(autoStartLink('1234'), await createPaint(0))
    const painted = await qrCode(autoStartLink('1234'), await createPaint(1))
    expect(plain.split('\n')).to.have.lengthOf(painted.split('\n').length)
    // The margin is light: drawn on a dark terminal without colour, white where there is colour.
    expect(plain.split('\n')[0]).to.match(/^█+$/)
    const [first = ''] = painted.split('\n')
    expect([stripVTControlCharacters(first).trim(), first.includes('[107m')]).to.deep.equal(['', true])
  })
})
