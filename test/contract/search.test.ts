/** The search for words in titles. */
import { expect } from 'chai'
import { searchWords, wordSearch } from '../../src/contract/search.js'

describe('wordSearch', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['vas', 'Golvvas i glas', true],
    ['VAS blå', 'Blå vas', true],
    ['blå vas', 'Vas i blått glas', true],
    ['blå vas', 'Röd vas', false],
    ['bla', 'Blå vas', false],
    ['ol', 'Öl', false],
    ['ängel', 'ÄNGEL i trä', true],
    // Decomposed, as files of a Mac have it.
    ['bl\u0061\u030a', 'Blå vas', true],
    ['blå', 'Bl\u0061\u030a vas', true],
    ['cafe', 'Skylt "Café"', true],
    ['café', 'CAFE', true],
    ['muller', 'Müller', true],
    ['1900', 'Vykort 1900-tal', true],
    ['  blå   vas ', 'blå vas', true],
  ]
  for (const [text, title, found] of cases)
    it(`${found ? 'finds' : 'does not find'} "${text}" in "${title}"`, () => {
      expect(wordSearch(text)(title)).to.equal(found)
    })

  it('finds words in several texts, each in any of them', () => {
    expect(wordSearch('kopp blå')('Blå mugg', 'KOPP-1')).to.equal(true)
    expect(wordSearch('kopp röd')('Blå mugg', 'KOPP-1')).to.equal(false)
  })

  it('has no words in a text of spaces', () => {
    expect(searchWords(' \u00a0 ')).to.deep.equal([])
  })
})
