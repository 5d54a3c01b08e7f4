import { expect } from 'chai'
import { answersIn, findAnswerFault, flagsIn } from '../../../src/actions/guided/answers.js'
import { choicesFor } from '../../../src/actions/guided/choices.js'
import { plainPath } from '../../../src/actions/guided/images.js'
import { ITEM_INPUT, SHOP_INPUT } from '../../../src/actions/input/kinds.js'
import type { Leaf } from '../../../src/actions/reference/names.js'
import { systemClock } from '../../../src/system/clock.js'

const NOW = Date.UTC(2026, 10, 22, 12)

describe('the questions of a guided listing', () => {
  const leaf = (id: number, path: string): Leaf => ({ id, path, name: path.split(' > ').at(-1) ?? path })
  const LEAVES = [
    leaf(1, 'Foto > Väskor'),
    leaf(2, 'Hem > Vaser'),
    leaf(3, 'Glas > Vaser & fat > Kosta'),
    leaf(4, 'Hem > Golvvaser'),
    leaf(21, 'Skor > Sandaler'),
  ]
  const found = (term: string, title = '') => choicesFor(LEAVES, term, title).map(({ value }) => Number(value))

  it('offer leaves whose name begins with the words first, then by name, then by path; letters before accents', () => {
    expect(found('vas')).to.deep.equal([2, 1, 4, 3])
    expect(found('väs')).to.deep.equal([1])
    expect(found('glas vaser')).to.deep.equal([3])
    expect(found('2')).to.deep.equal([2, 21])
    expect(found('zzz')).to.deep.equal([])
  })

  it('suggest leaves by the words of the title before anything is typed', () => {
    expect(found('', 'Blå sandaler i storlek 38')[0]).to.equal(21)
    expect(found('', '')).to.deep.equal([1, 2, 3, 4, 21])
  })

  it('say how many more leaves there are, and cannot choose that', () => {
    const many = Array.from({ length: 130 }, (_, at) => leaf(at + 1, `Hem > Vas ${at}`))
    const choices = choicesFor(many, 'vas', '')
    expect(choices).to.have.lengthOf(101)
    expect(choices.at(-1)?.disabled).to.equal('and 30 more: type another word')
  })

  for (const [typed, plain] of [
    ["'/home/ann/my photos/a.jpg'", '/home/ann/my photos/a.jpg'],
    ['"/tmp/a b.jpg" ', '/tmp/a b.jpg'],
    ['/tmp/a\\ b\\(1\\).jpg', '/tmp/a b(1).jpg'],
    ['~/a.jpg', '/home/ann/a.jpg'],
    ['~', '/home/ann'],
    ['~ann/a.jpg', '~ann/a.jpg'],
    ['a~/b.jpg', 'a~/b.jpg'],
    ["it's.jpg", "it's.jpg"],
  ] as const) {
    it(`read the path ${typed} as terminals type a file that is dropped on them`, () => {
      expect(plainPath(typed, '/home/ann')).to.equal(plain)
    })
  }

  it('take flags of fields and images as answers, and give those back that are not empty', () => {
    const answers = answersIn(ITEM_INPUT, { title: 'Vas', wait: true, timeout: 600, image: ['a.png'], file: 'x' })
    expect(answers).to.deep.equal({ title: 'Vas', image: ['a.png'] })
    expect(flagsIn({ ...answers, reserve: '', payment: [] })).to.deep.equal({ title: 'Vas', image: ['a.png'] })
  })

  for (const [kind, flag, given, says] of [
    [ITEM_INPUT, 'reserve', '100', 'Must be greater than the opening price of 100.'],
    [ITEM_INPUT, 'buy-now', '150', undefined],
    [ITEM_INPUT, 'days', '15', 'Must be at most 14 days.'],
    [ITEM_INPUT, 'title', 'a\u0001', 'Holds the character U+0001, which XML cannot carry. Remove it and try again.'],
    [ITEM_INPUT, 'shipping', ['provider=1', 'provider=2', 'provider=3'], 'at most 2 are allowed'],
    [ITEM_INPUT, 'shipping', ['provider=1', 'provider=2', 'pickup'], undefined],
    [ITEM_INPUT, 'until', '2026-11-21', 'Lies in the past.'],
    [SHOP_INPUT, 'quantity', '-1', 'Must be at least 0.'],
    [SHOP_INPUT, 'price', '9,90', 'Prices are whole kronor'],
    [SHOP_INPUT, 'title', '', undefined],
  ] as const) {
    it(`${says === undefined ? 'accept' : 'refuse'} ${JSON.stringify(given)} for --${flag} of ${kind.operation}`, () => {
      const others = { title: 'Vas', category: '1', ...(kind === ITEM_INPUT ? { opening: '100' } : { price: '5' }) }
      const fault = findAnswerFault<unknown>(kind, others, flag, given, {
        clock: { ...systemClock, now: () => NOW },
        currency: 'SEK',
      })
      if (says === undefined) expect(fault).to.equal(undefined)
      else expect(fault).to.include(says)
    })
  }
})
