import { expect } from 'chai'
import fc from 'fast-check'
import { pad, textWidth, truncate, wrap } from '../../src/format/output/width.js'

const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((drawn) => drawn.replaceAll(/\p{Cc}/gu, ' '))

describe('width', () => {
  it('looks at each character only where one may not be a column wide, and counts the same without', () => {
    for (let code = 0x20; code <= 0x3000; code++) {
      // A wide character makes it look at each one.
      const long = textWidth(`漢${String.fromCharCode(code)}`) - 2
      expect(textWidth(String.fromCharCode(code)), code.toString(16)).to.equal(long)
    }
    expect(truncate('Höganäs krus', 9)).to.equal('Höganäs…')
    expect(truncate('Höganäs\u2060 krus', 9), 'the long way').to.equal('Höganäs\u2060…')
  })

  for (const [sample, columns] of [
    ['', 0],
    ['abc', 3],
    ['Åäö', 3],
    ['A\u030a', 1],
    ['日本語', 6],
    ['ｱ', 1],
    ['Ａ', 2],
    ['한국', 4],
    ['😀', 2],
    ['👍🏽', 2],
    ['👨‍👩‍👧', 2],
    ['🇸🇪', 2],
    ['❤️', 2],
    ['❤', 1],
    ['😀\ufe0f', 2],
    ['a\ufe0f', 1],
    ['a\u200bb', 2],
    ['soft\u00adhyphen', 11],
    ['─│└', 3],
    ['…', 1],
    ['𠀀', 2],
    ...['ᄀ', '⺀', '〾', 'ꥠ', '豈', '︐', '﹏', '｠', '￦', '𛀀'].map((wide): [string, number] => [wide, 2]),
    ...['⹿', '꥟', '퟿', '￧'].map((narrow): [string, number] => [narrow, 1]),
  ] as readonly (readonly [string, number])[]) {
    it(`of "${sample}" is ${columns}`, () => {
      expect(textWidth(sample)).to.equal(columns)
    })
  }

  it('cuts to the column, never through a wide character or what belongs together', () => {
    expect(truncate('abcdef', 6)).to.equal('abcdef')
    expect(truncate('abcdef', 5)).to.equal('abcd…')
    expect(truncate('ab cdef', 4)).to.equal('ab…')
    expect(truncate('日本語', 5)).to.equal('日本…')
    expect(truncate('日本語', 4)).to.equal('日…')
    expect(truncate('ae\u0301bc', 3)).to.equal('ae\u0301…')
    expect(truncate('👨‍👩‍👧xyz', 3)).to.equal('👨‍👩‍👧…')
    expect(truncate('abc', 1)).to.equal('…')
    expect(truncate('abc', 0)).to.equal('')
  })

  it('pads to the left, to the right, and around colours', () => {
    expect(pad('日', 4)).to.equal('日  ')
    expect(pad('7', 3, 'right')).to.equal('  7')
    expect(pad('7', 3, 'right', '\u001b[31m7\u001b[39m')).to.equal('  \u001b[31m7\u001b[39m')
    expect(pad('abc', 2)).to.equal('abc')
  })

  it('wraps between words, and inside those that are too long', () => {
    expect(wrap('en vas från Kosta', 8)).to.deep.equal(['en vas', 'från', 'Kosta'])
    expect(wrap('a\n\nb', 8)).to.deep.equal(['a', '', 'b'])
    expect(wrap('abcdefghij kl', 4)).to.deep.equal(['abcd', 'efgh', 'ij', 'kl'])
    expect(wrap('日本', 1)).to.deep.equal(['日', '本'])
  })

  it('holds for any text', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 30 }), (sample, width) => {
        expect(textWidth(truncate(sample, width))).to.be.at.most(width)
        expect(textWidth(pad(truncate(sample, width), width))).to.equal(width)
        for (const line of wrap(sample, width)) expect(textWidth(line)).to.be.at.most(width)
        expect(wrap(sample, width).join('').replaceAll(' ', '')).to.equal(sample.replaceAll(' ', ''))
      }),
      { numRuns: 500 },
    )
  })
})
