import { expect } from 'chai'
import { readKronor } from '../../src/contract/index.js'

describe('an amount in whole kronor', () => {
  it('may be 0 where the caller allows it', () => {
    expect(readKronor('0', 0)).to.deep.equal({ value: 0 })
    expect(readKronor('0 kr', 0)).to.deep.equal({ value: 0 })
    expect(readKronor('0', 1)).to.deep.equal({ why: 'is 0; a price is at least 1' })
    expect(readKronor('00', 0)).to.deep.equal({ why: 'begins with a zero; write 0' })
  })

  it('is read the same otherwise, and refused with the same reason', () => {
    for (const text of [
      '499',
      '1 234',
      '1\u00a0234 kr',
      '1234kr',
      '199,90',
      '1.234',
      '1e3',
      '12 34',
      '007',
      'kr',
      '',
      '2147483648',
    ]) {
      expect(readKronor(text, 0), text).to.deep.equal(readKronor(text, 1))
    }
    expect(readKronor('-5', 0)).to.deep.equal({ why: 'is negative; a price is at least 0 kr' })
  })
})
