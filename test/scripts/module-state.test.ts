import { expect } from 'chai'
import { stateIn } from '../../scripts/module-state.js'

const found = (...lines: string[]) => stateIn('a.ts', lines.join('\n')).map(({ name, line }) => `${line}: ${name}`)

describe('state of a module', () => {
  it('is found where a variable is assigned, filled or handed out empty', () => {
    expect(found('let last: string | undefined', 'export const all = new Map<string, number>()')).to.deep.equal([
      '1: last',
      '2: all',
    ])
    expect(found("const list = ['a']", 'export const add = (one: string) => list.push(one)')).to.deep.equal(['1: list'])
    expect(found('const box = { a: 1 }', 'export function set() { box.a = 2; delete box.a }')).to.deep.equal(['1: box'])
    expect(found('const PATTERN = /a/g', 'export function from(at: number) { PATTERN.lastIndex = at }')).to.deep.equal([
      '1: PATTERN',
    ])
    expect(found('export class Client {', '  static kept = new Set<string>()', '}')).to.deep.equal(['2: Client.kept'])
  })

  it('is not what stays as it was made, nor what a function or an object has of its own', () => {
    expect(found("const WORDS = new Set(['a'])", 'export const has = (word: string) => WORDS.has(word)')).to.deep.equal([])
    expect(
      found('export function count() {', '  let number = 0', '  const all = new Map()', '  return () => number++', '}'),
    ).to.deep.equal([])
    expect(found('export class Client {', '  readonly #kept = new Map()', '}')).to.deep.equal([])
  })
})
