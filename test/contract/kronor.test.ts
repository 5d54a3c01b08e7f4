import { expect } from 'chai'
import { readKronor } from '../../src/contract/index.js'
import { readAmount } from '../../src/rows/number.js'

describe('an amount in whole kronor', () => {
  it('may be 0 where the caller allows it', () => {
    expect(readKronor('0', 0)).to.deep.equal({ value: 0 })
    expect(readKronor('0 kr', 0)).to.deep.equal({ value: 0 })
    expect(readKronor('0', 1)).to.deep.equal({ why: 'is 0; a price is at least 1' })
    expect(readKronor('00', 0)).to.deep.equal({ why: 'begins with a zero; write 0', kind: 'begins with a zero' })
    expect(readKronor('0499', 1)).to.deep.equal({ why: 'begins with a zero; write 499', kind: 'begins with a zero' })
    expect(readKronor('499', 1)).to.deep.equal({ value: 499 })
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

  it('with decimals, or in the form of a large number, is refused with what may be meant', () => {
    for (const [text, why] of [
      ['0012,50', '12 or 13, or 1250 if that was meant'],
      ['1.234', '1234, or 1 or 2 if that was meant'],
      ['1.25E+05', 'is in the form of a spreadsheet for large numbers; write all its digits'],
    ] as const) {
      expect(readKronor(text, 1)).to.have.property('why').that.includes(why)
    }
  })

  it('is refused in another currency than that of the account', () => {
    for (const [account, text, read] of [
      ['SEK', '499 SEK', 499],
      ['SEK', '499 EUR', 'is in EUR, and the account is in SEK; write an amount in SEK'],
      ['SEK', '€ 499', 'is in EUR, and the account is in SEK; write an amount in SEK'],
      ['EUR', '499', 499],
      ['EUR', '€499', 499],
      ['EUR', '1 499,00 eur', 1499],
      ['EUR', '499 kr', 'is in SEK, and the account is in EUR; write an amount in EUR'],
      ['EUR', 'SEK 499', 'is in SEK, and the account is in EUR; write an amount in EUR'],
      ['DKK', '499 kr', 499],
      ['DKK', '499 SEK', 'is in SEK, and the account is in DKK; write an amount in DKK'],
    ] as const) {
      const found = readKronor(text, 1, account)
      expect('value' in found ? found.value : found.why, `${account}: ${text}`).to.equal(read)
      const amount = readAmount(text, account)
      expect('value' in amount ? amount.value / 100 : amount.why, `${account}: ${text}`).to.equal(read)
    }
  })
})
