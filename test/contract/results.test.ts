import { expect } from 'chai'
import { nearest, RESULT_CODE_MEANINGS, requestState, resultMeaning } from '../../src/contract/index.js'

describe('request results', () => {
  const states: [string | undefined, string][] = [
    [undefined, 'pending'],
    ['', 'pending'],
    ['WaitingToBeProcessed', 'pending'],
    ['Uncommited', 'pending'],
    ['Ok', 'ok'],
    ['Timeout', 'retryable'],
    ['Error TryAgain', 'retryable'],
    ['ImageProcessingError TryAgain', 'retryable'],
    ['Error', 'failed'],
    ['Ok ImageProcessingError', 'failed'],
    ['UpdateNotAllowed', 'failed'],
    ['SomethingNew', 'unknown'],
    ['Oi', 'unknown'],
    ['Error Oi', 'unknown'],
    ['TryAgain Oi', 'unknown'],
  ]
  for (const [text, state] of states) it(`"${text}" is ${state}`, () => expect(requestState(text)).to.equal(state))

  it('explain each of several codes, and one they do not know', () => {
    expect(resultMeaning('Error TryAgain')).to.equal(`${RESULT_CODE_MEANINGS.Error} ${RESULT_CODE_MEANINGS.TryAgain}`)
    expect(resultMeaning('SomethingNew')).to.match(/SomethingNew/)
  })
})

describe('the nearest known name', () => {
  const known = ['Title', 'CategoryId', 'StartPrice', 'ReservePrice']
  it('is found by case, by slip and by swap', () => {
    expect(nearest('title', known)).to.equal('Title')
    expect(nearest('Tilte', known)).to.equal('Title')
    expect(nearest('CategoryID', known)).to.equal('CategoryId')
    expect(nearest('StartPrize', known)).to.equal('StartPrice')
  })
  it('is nothing when nothing is near', () => expect(nearest('Colour', known)).to.equal(undefined))
})
