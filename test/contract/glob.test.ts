/** Patterns of names. */
import { expect } from 'chai'
import fc from 'fast-check'
import { globPattern, isGlob, unquoted } from '../../src/contract/glob.js'

describe('globPattern', () => {
  const matches = (glob: string, text: string): boolean => globPattern(glob).test(text)

  it('matches the whole text: * is any text, ? one character', () => {
    for (const [glob, yes, no] of [
      ['shop-*', ['shop-', 'shop-a', 'shop-a-b'], ['shop', 'my-shop-a', 'Shop-a']],
      ['*-se', ['a-se', '-se'], ['a-sex', 'se']],
      ['sh?p', ['shop', 'ship', 'sh🎁p'], ['shp', 'shoop']],
      ['a*b*c', ['abc', 'a1b2c', 'abbc'], ['ab', 'acb']],
      ['**', ['', 'x\ny'], []],
    ] as const) {
      for (const text of yes) expect(matches(glob, text), `${glob} ${text}`).to.equal(true)
      for (const text of no) expect(matches(glob, text), `${glob} ${text}`).to.equal(false)
    }
  })

  it('is given without the quotes that the shell of Windows leaves', () => {
    for (const [given, glob] of [
      ["'EX-*'", 'EX-*'],
      ["''", "''"],
      ["'a", "'a"],
      ["it's", "it's"],
    ] as const)
      expect(unquoted(given)).to.equal(glob)
  })

  it('takes every other character as it is', () => {
    expect(matches('a.b', 'axb')).to.equal(false)
    expect(matches('[ab]', 'a')).to.equal(false)
    const plain = fc.string().filter((text) => !isGlob(text))
    fc.assert(fc.property(plain, (text) => matches(text, text) && !matches(text, `${text}x`) && matches(`${text}*`, `${text}x`)))
  })
})
