import { expect } from 'chai'
import { faultText, reasonText, ValueError } from '../../src/errors/index.js'

describe('the error of a value', () => {
  it('is a sentence made of its parts', () => {
    const error = new ValueError('invalid_date', { name: '--since', value: 'soon', why: 'is not a date' }, 'Give a date.')
    expect(error.message).to.equal('--since: "soon" is not a date.')
    expect([faultText(error.fault), reasonText(error.fault)]).to.deep.equal([
      '--since: "soon" is not a date',
      '"soon" is not a date',
    ])
    expect(new ValueError('invalid_setting', { name: 'SELLER_X', why: 'It is empty' }, 'Give it.').message).to.equal(
      'SELLER_X: It is empty.',
    )
  })

  it('can be told without the value, also where its reason quotes it', () => {
    const fault = { name: 'SELLER_X', value: 'k-1234', why: 'is not one of a, b; "k-1234" looks like a key' }
    const withheld = new ValueError('invalid_setting', fault, 'Look.').withheld('k-1234', 'the value (not shown)')
    expect(withheld.message).to.equal(
      'SELLER_X: the value (not shown) is not one of a, b; the value (not shown) looks like a key.',
    )
    expect(JSON.stringify(withheld)).to.not.include('k-1234')
  })
})
