/** Consequences of a failed call for its rows and for the calls after it. */
import { expect } from 'chai'
import { classifyTrouble } from '../../../src/jobs/bulk/trouble.js'
import { BudgetError } from '../../../src/jobs/index.js'
import { SoapError, type SoapErrorKind } from '../../../src/soap/client/index.js'
import { type CallOutcome, failure } from './support.js'

const many = { rows: 10, taken: 10, single: false }
const one = { rows: 1, taken: 1, single: true }
const judged = (ending: Exclude<CallOutcome, string>, call = many) => classifyTrouble(failure('AddItem', ending), call)

describe('the trouble of a call', () => {
  it('is not the service’s where the error is not: it is thrown on', () => {
    expect(classifyTrouble(new TypeError('a mistake of this program'), many)).to.equal(undefined)
    expect(classifyTrouble('no error at all', one)).to.equal(undefined)
  })

  it('ends the sending before the call where the budget is spent', () => {
    const trouble = classifyTrouble(new BudgetError('budget', 2, 2, 'spent', 'more'), one)
    expect(trouble).to.include({ rows: 'back', stop: 'budget', severity: 'ends', proven: true, message: 'spent' })
  })

  for (const [kind, sent, ofPrices, ofAdditions, stop, severities] of [
    ['quota', true, 'back', 'back', 'quota', ['ends', 'ends']],
    ['refused', true, 'back', 'back', 'refused', ['ends', 'ends']],
    ['aborted', false, 'back', 'back', 'interrupted', ['ends', 'ends']],
    ['aborted', true, 'again', 'unknown', 'interrupted', ['ends', 'ends']],
    ['unreachable', false, 'back', 'back', 'network', ['ends', 'ends']],
    ['interrupted', true, 'again', 'unknown', 'network', ['ends', 'counts']],
    ['unknown-outcome', true, 'again', 'unknown', 'network', ['ends', 'counts']],
    ['too-large', true, 'again', 'unknown', 'network', ['ends', 'counts']],
    ['broken', true, 'again', 'unknown', 'fault', ['ends', 'counts']],
    ['namespace', true, 'again', 'unknown', 'fault', ['ends', 'counts']],
  ] as const) {
    it(`of kind ${kind}${sent ? ', sent,' : ' '} leaves prices "${ofPrices}" and additions "${ofAdditions}"`, () => {
      const [prices, additions] = [judged({ kind, sent }), judged({ kind, sent }, one)]
      expect(prices).to.include({ rows: ofPrices, stop, severity: severities[0], sure: false, proven: ofPrices === 'back' })
      expect(additions).to.include({
        rows: ofAdditions,
        stop,
        severity: severities[1],
        sure: false,
        proven: ofAdditions === 'back',
      })
    })
  }

  it('is of the rows alone where the input is wrong, with every fault in words', () => {
    const wrong = (faults: { field: string; message: string }[]) =>
      classifyTrouble(
        new SoapError('input' satisfies SoapErrorKind, 'wrong input', { operation: 'AddItem', sent: false, faults } as never),
        one,
      )
    const both = wrong([
      { field: 'Title', message: 'is missing' },
      { field: 'Price', message: 'is below 1' },
    ])
    expect(both).to.include({ rows: 'failed', stop: undefined, severity: 'none', message: 'Title is missing; Price is below 1' })
    expect(wrong([])).to.include({ rows: 'failed', message: 'wrong input' })
  })

  it('of a fault fails the rows, and says whether the service may have carried them out', () => {
    const refusal = { kind: 'fault', faultCode: 'Client', faultString: 'Invalid request ---> no' } as const
    const inside = { kind: 'fault', faultCode: 'Server', faultString: 'Server was unable to process request. ---> Oops' } as const
    expect(judged(refusal)).to.include({ rows: 'failed', stop: 'fault', severity: 'counts', proven: true })
    expect(judged(refusal, one)).to.include({ rows: 'failed', proven: true, message: 'no' })
    expect(judged(inside)).to.include({ rows: 'failed', stop: 'fault', severity: 'counts', proven: false })
    expect(judged(inside, one)).to.include({ rows: 'unknown', stop: 'fault', severity: 'counts', proven: false })
  })

  it('is cured by fewer rows where the service says so, or where so many were never taken', () => {
    const said = { kind: 'fault', faultCode: 'Client', faultString: 'Invalid request ---> Too many shop items: 10' } as const
    expect(judged(said)).to.include({ rows: 'split', stop: undefined, severity: 'none', sure: true })
    const bare = { kind: 'fault', faultCode: 'Client', faultString: 'Invalid request' } as const
    expect(judged(bare, { rows: 500, taken: 0, single: false })).to.include({ rows: 'split', severity: 'none', sure: false })
    const inside = { ...bare, faultCode: 'Server', faultString: 'Server was unable to process request.' } as const
    expect(judged(inside, { rows: 500, taken: 0, single: false })).to.include({ rows: 'failed', severity: 'counts' })
  })
})
