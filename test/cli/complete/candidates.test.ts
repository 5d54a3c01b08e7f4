import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { completionOf, type Manifest } from '../../../src/cli/complete/candidates.js'
import { keptByBash, wordsOf } from '../../../src/cli/complete/line.js'

const manifest = JSON.parse(readFileSync(new URL('../../../oclif.manifest.json', import.meta.url), 'utf8')) as Manifest
const topics = {
  items: 'Items.',
  jobs: 'Jobs.',
  auth: 'Profiles.',
  sandbox: 'The sandbox.',
  shop: 'The shop.',
  requests: 'Requests.',
}

describe('completion', () => {
  const complete = (...words: string[]) => completionOf(manifest, topics, words)
  const words = (...line: string[]): string[] => {
    const completion = complete(...line)
    return completion.kind === 'words' ? completion.candidates.map(({ value }) => value) : [completion.kind]
  }

  it('offers topics first, and the commands of the only one left', () => {
    expect(words('')).to.include.members(['items', 'jobs', 'call']).and.not.include('items:list')
    expect(words('ite')).to.include.members(['items', 'items:list', 'items:add'])
    expect(words('items:l')).to.deep.equal(['items:list'])
    expect(words('s'), 'several topics').to.include.members(['sandbox', 'shop']).and.not.include('shop:add')
  })

  it('offers words in the order of the alphabet', () => {
    for (const start of ['', 'ite', 's']) expect(words(start), start).to.deep.equal([...words(start)].sort())
  })

  it('offers the second word of a command written with a space', () => {
    expect(words('items', '')).to.include.members(['add', 'list', 'price', 'show'])
    expect(words('items', 'l')).to.deep.equal(['list'])
  })

  for (const spelling of [['items:list'], ['items', 'list']]) {
    it(`offers flags and their values after "${spelling.join(' ')}"`, () => {
      expect(words(...spelling, '--st')).to.deep.equal(['--state', '--started-before'])
      expect(words(...spelling, '--output', 'c')).to.deep.equal(['csv'])
      expect(words(...spelling, '-o', 'n')).to.deep.equal(['ndjson'])
      expect(words(...spelling, '--output=t')).to.deep.equal(['--output=table', '--output=tsv'])
    })
  }

  it('offers a flag once, but one that may be repeated again', () => {
    expect(words('items:list', '--json', '--js')).to.deep.equal([])
    expect(words('items:add', '--image', 'a.jpg', '--imag')).to.deep.equal(['--image'])
  })

  it('offers columns for --columns, also behind a comma, and for --sort with its minus sign', () => {
    expect(words('items:list', '--columns', 'Id,Tit')).to.deep.equal(['Id,Title'])
    expect(words('items:list', '--columns', 'Id,I')).to.not.include('Id,Id')
    expect(words('items:list', '--sort', '-Pric')).to.deep.equal(['-Price'])
  })

  it('says where ids, profiles, operations and files come from', () => {
    expect(complete('jobs:show', '')).to.include({ kind: 'values', source: 'jobs' })
    expect(complete('jobs', 'resume', '1')).to.include({ kind: 'values', source: 'unfinished jobs' })
    expect(complete('requests:wait', '17', '')).to.include({ kind: 'values', source: 'requests' })
    expect(complete('items:list', '-p', '')).to.include({ kind: 'values', source: 'profiles' })
    expect(complete('call', 'Get')).to.include({ kind: 'values', source: 'operations' })
    expect(complete('shop:price', '--file', '')).to.deep.equal({ kind: 'files', prefix: '' })
    expect(complete('shop:price', '--file=a')).to.deep.equal({ kind: 'files', prefix: '--file=' })
    expect(complete('images:upload', '17', 'a')).to.deep.equal({ kind: 'files', prefix: '' })
  })

  it('offers the values of an argument, and nothing behind a command that takes no more', () => {
    expect(words('sandbox:eid', 'a')).to.deep.equal(['approve'])
    expect(words('items:show', '1', '2', '')).to.deep.equal([])
    expect(words('items:list', '--', '--st')).to.deep.equal([])
    expect(words('nosuch', '')).to.deep.equal([])
  })

  describe('of a line of bash', () => {
    const lines: [string, string[]][] = [
      ['seller items:l', ['seller', 'items:l']],
      ['seller items list ', ['seller', 'items', 'list', '']],
      [`seller --title 'Höganäs krus' "a \\" b" c\\ d`, ['seller', '--title', 'Höganäs krus', 'a " b', 'c d']],
      ['seller "open quo', ['seller', 'open quo']],
      ["seller ''", ['seller', '']],
    ]
    for (const [line, expected] of lines) {
      it(`splits ${line}`, () => expect(wordsOf(line)).to.deep.equal(expected))
    }

    it('knows what bash leaves standing', () => {
      expect(keptByBash('items:l', ':=')).to.equal('items:')
      expect(keptByBash('--output=c', ':=')).to.equal('--output=')
      expect(keptByBash('items:l', ' ')).to.equal('')
    })
  })
})
