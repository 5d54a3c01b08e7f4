import { expect } from 'chai'
import fc from 'fast-check'
import { readPrice } from '../../src/rows/index.js'
import { readPriceValue } from '../../src/rows/number.js'

const why = (text: string) => {
  const read = readPrice(text, 'SEK')
  if ('value' in read) throw new Error(`"${text}" was read as ${read.value}`)
  return read.why
}

describe('reading whole kronor', () => {
  for (const [text, value] of [
    ['499', 499],
    [' 499 ', 499],
    ['1 234', 1234],
    ['1234 kr', 1234],
    ['1 234 kr', 1234],
    ['1234kr', 1234],
    ['1234 KR', 1234],
    ['1\u00a0234', 1234],
    ['1\u202f234\u00a0kr', 1234],
    ['12 345 678', 12345678],
    ['2147483647', 2147483647],
    ['54,00', 54],
    ['54,00 kr', 54],
    ['54.0', 54],
    ['54,0', 54],
    ['1 234,00 kr', 1234],
    ['99:-', 99],
    ['99,-', 99],
    ['SEK 200', 200],
    ['200 SEK', 200],
    ['kr 200', 200],
    ['200 kronor', 200],
  ] as const) {
    it(`reads "${text}"`, () => {
      expect(readPrice(text)).to.deep.equal({ value })
    })
  }

  for (const [text, part] of [
    ['199,90', 'comma'],
    ['1,234', 'comma'],
    ['1.234', 'point'],
    ['499.000', 'point'],
    ['1e3', 'spreadsheet'],
    ['1.5E+3', 'spreadsheet'],
    ['-5', 'negative'],
    ['−5', 'negative'],
    ['+5', 'sign'],
    ['', 'empty'],
    ['   ', 'empty'],
    ['0', 'at least 1'],
    ['0499', 'begins with a zero'],
    ['1 23', 'thousands'],
    ['12 34', 'thousands'],
    ['2147483648', 'too large'],
    ['99999999999', 'too large'],
    ['free', 'not a price'],
    ['499 EUR', 'is in EUR, and the account is in SEK'],
    ['499 ABC', 'not a price'],
    ['0x1F', 'not a price'],
    ['１２', 'not a price'],
    ['4 9 9', 'thousands'],
  ] as const) {
    it(`refuses "${text}": ${part}`, () => {
      expect(why(text)).to.contain(part)
    })
  }

  for (const [text, advice] of [
    ['199,90', 'write 199 or 200, or 19990 if that was meant'],
    ['1 199.5 kr', 'write 1199 or 1200, or 11995 if that was meant'],
    ['1.234', 'write 1234, or 1 or 2 if that was meant'],
    ['499.000', 'write 499000, or 499 if that was meant'],
    ['SEK 199,90', 'write 199 or 200, or 19990 if that was meant'],
    ['0,50', 'write 1, or 50 if that was meant'],
    ['0,01', 'write 1'],
  ] as const) {
    it(`says which whole prices "${text}" may have meant`, () => {
      expect(why(text)).to.match(new RegExp(`prices are whole kronor: ${advice}$`))
    })
  }

  it('reads every whole price back from the ways it is written', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2147483647 }),
        fc.constantFrom('', ' kr', 'kr', '\u00a0kr'),
        fc.constantFrom('', ' ', '\u00a0'),
        (price, unit, space) => {
          const grouped = String(price).replace(/\B(?=(\d{3})+$)/g, space)
          expect(readPrice(grouped + unit)).to.deep.equal({ value: price })
        },
      ),
    )
  })

  it('never reads a text with anything but digits, spaces and kr', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readPrice(text, 'SEK')
        if ('value' in read)
          expect(text).to.match(/^\s*(kr|sek)?[\d \u00a0\u202f]+([.,]0{1,2}|[:,.][-–—])?\s*(kr|sek|kronor)?\s*$/i)
      }),
    )
  })
})

describe('reading numbers of JSON', () => {
  it('takes whole numbers and texts', () => {
    expect(readPriceValue(499)).to.deep.equal({ value: 499 })
    expect(readPriceValue('1 234 kr')).to.deep.equal({ value: 1234 })
    expect(readPriceValue(499, '499.0')).to.deep.equal({ value: 499 })
  })
})
