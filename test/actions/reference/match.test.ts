/** Meaning of a seller's words. */
import { expect } from 'chai'
import { folded, foldedWords, holdsAll, leavesFor, namedBy, rankedLeaves, theOne } from '../../../src/actions/reference/match.js'
import type { Leaf } from '../../../src/actions/reference/names.js'
import { SellerError } from '../../../src/errors/index.js'

const leaf = (id: number, path: string): Leaf => ({ id, path, name: path.split(' > ').at(-1) ?? '' })
const ids = (leaves: readonly { readonly id: number }[]): number[] => leaves.map(({ id }) => id)

describe('words that name something', () => {
  it('are compared without case, space around them and accents', () => {
    expect(folded('  Kök ')).to.equal('kok')
    expect(folded('Ko\u0308k')).to.equal('kok')
    expect(foldedWords(' Glas >  Vaser\t>Höga ')).to.deep.equal(['glas', 'vaser', 'hoga'])
    expect(foldedWords('')).to.deep.equal([])
    expect(holdsAll('Glas > Vaser', ['vas', 'gla'])).to.equal(true)
    expect(holdsAll('Glas > Vaser', ['vas', 'sten'])).to.equal(false)
    expect(holdsAll('Glas', [])).to.equal(true)
  })

  const LEAVES = [
    leaf(1, 'Glas > Vaser'),
    leaf(2, 'Keramik > Vaser'),
    leaf(3, 'Väskor'),
    leaf(4, 'Hem > Kök > Glas'),
    leaf(5, 'Vaser'),
    leaf(6, 'Glas > Vaser > Höga'),
  ]

  for (const [text, found] of [
    ['glas > VASER', [1]],
    ['glas vaser', [1]],
    ['vaser', [5]],
    ['vas', [1, 2, 5]],
    ['kok', [4]],
    ['kök', [4]],
    ['Ko\u0308k', [4]],
    ['vask', [3]],
    ['höga', [6]],
    ['keramik vas', [2]],
    ['väser', []],
    ['bord', []],
  ] as const) {
    it(`find ${found.length === 0 ? 'no category' : `the categories ${found.join(', ')}`} for "${text}"`, () =>
      expect(ids(leavesFor(LEAVES, text))).to.deep.equal(found))
  }

  for (const [text, found] of [
    ['vas', [1, 2, 5, 3, 6]],
    ['glas', [4, 1, 6]],
    ['ser', [1, 2, 5, 6]],
    ['väs', [3]],
    ['hem', [4]],
    ['lampa', []],
  ] as const) {
    it(`offer ${found.length === 0 ? 'nothing' : found.join(', ')} while "${text}" is typed`, () =>
      expect(ids(rankedLeaves(LEAVES, text))).to.deep.equal(found))
  }

  const COUNTIES = [
    { id: 1, name: 'Stockholm', more: 'AB' },
    { id: 2, name: 'Västra Götaland', more: 'O' },
    { id: 3, name: 'Västmanland', more: 'U' },
    { id: 4, name: 'Gotland', more: 'I' },
  ]
  const named = (text: string): number[] => ids(namedBy(COUNTIES, text, ({ name, more }) => [name, more]))

  it('name one by its whole name or another of its names, else all that have the words', () => {
    expect(named('gotland')).to.deep.equal([4])
    expect(named('ab')).to.deep.equal([1])
    expect(named('u')).to.deep.equal([3])
    expect(named('o')).to.deep.equal([2])
    expect(named('väst')).to.deep.equal([2, 3])
    expect(named('gota väst')).to.deep.equal([])
    expect(named('gotaland vast')).to.deep.equal([2])
    expect(named('norr')).to.deep.equal([])
  })

  describe('that must name one', () => {
    const all = Array.from({ length: 30 }, (_, at) => ({ id: at * 5 + 1, name: `Vas ${at}` }))
    const search = (text: string, matches: readonly { id: number; name: string }[], from = all) => ({
      where: '--category',
      text,
      noun: 'leaf category',
      all: from,
      matches,
      shown: ({ name }: { name: string }) => `<${name}>`,
      look: 'Look here.',
    })
    const refused = (given: ReturnType<typeof search>): SellerError => {
      try {
        theOne(given)
      } catch (error) {
        return error as SellerError
      }
      throw new Error('It was found.')
    }

    it('do, where there is one match', () => expect(theOne(search('x', all.slice(3, 4)))).to.equal(all[3]))

    it('are refused with the nearest name, where there is none', () => {
      const error = refused(search('Vas 99999', [], [{ id: 1, name: 'Lampor' }]))
      expect(error).to.be.instanceOf(SellerError)
      expect(error).to.deep.include({ code: 'unknown_name', hint: 'Look here.', details: { matches: [] } })
      expect(error.message).to.equal('--category: no leaf category matches "Vas 99999".')
      expect(refused(search('Lampar', [], [{ id: 1, name: 'Lampor' }])).hint).to.equal('Did you mean Lampor? Look here.')
    })

    it('are refused with twenty of those that they may mean, their ids in a column', () => {
      const two = refused(search('vas', [all[0], all[3]] as typeof all))
      expect(two).to.include({ code: 'ambiguous_name', message: '--category: "vas" matches 2 leaf categories.' })
      expect(two.hint.split('\n')).to.deep.equal(['Give one of these ids, or more words:', ' 1  <Vas 0>', '16  <Vas 3>'])
      expect(two.details).to.deep.equal({
        matches: [
          { id: 1, name: '<Vas 0>' },
          { id: 16, name: '<Vas 3>' },
        ],
      })
      expect(refused(search('vas', all.slice(0, 20))).hint.split('\n')).to.have.lengthOf(21)
      const many = refused(search('vas', all.slice(0, 21)))
      expect(many.hint.split('\n')).to.have.lengthOf(22)
      expect(many.hint.split('\n').at(-1)).to.equal('… and 1 more')
      expect((many.details as { matches: unknown[] }).matches).to.have.lengthOf(20)
    })
  })
})
