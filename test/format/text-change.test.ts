import { expect } from 'chai'
import { textChange } from '../../src/format/views/text-change.js'

describe('a change of a text', () => {
  it('is what was taken out and what was put in, in runs of words', () => {
    for (const [before, after, out, put] of [
      ['Mugg, blå', 'Mugg, röd', ['blå'], ['röd']],
      ['En vas av glas', 'En stor vas av lera', ['glas'], ['stor', 'lera']],
      ['a b c d', 'a c d', ['b'], []],
      ['', 'Ny text', [], ['Ny text']],
      ['samma  text', 'samma text', [], []],
    ] as const) {
      expect(textChange(before, after), `${before} → ${after}`).to.deep.equal({ out, in: put })
    }
  })

  it('is one piece each where the texts are too long to be compared word by word', () => {
    const words = (name: string) => Array.from({ length: 900 }, (_, at) => `${name}${at}`).join(' ')
    const { out, in: put } = textChange(`Först ${words('a')} sist`, `Först ${words('b')} sist`)
    expect([out, put]).to.deep.equal([[words('a')], [words('b')]])
  })
})
