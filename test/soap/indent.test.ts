import { expect } from 'chai'
import { indented } from '../../src/soap/wire/indent.js'

const lines = (...pieces: string[]) => [...indented(pieces)].join('').split('\r\n')

describe('indented markup', () => {
  it('has a line for every element with elements, and one for each with text', () => {
    expect(lines('<A x="1"><B><C>one\ntwo</C><D /></B><E>a &gt; b/</E></A>')).to.deep.equal([
      '<A x="1">',
      '  <B>',
      '    <C>one\ntwo</C>',
      '    <D />',
      '  </B>',
      '  <E>a &gt; b/</E>',
      '</A>',
    ])
  })

  it('goes on from piece to piece, whether their tags open or close', () => {
    expect(lines('<A>', '<B>1</B>', '<B><C /></B>', '</A>')).to.deep.equal([
      '<A>',
      '  <B>1</B>',
      '  <B>',
      '    <C />',
      '  </B>',
      '</A>',
    ])
    expect(lines('<A />')).to.deep.equal(['<A />'])
  })
})
