import { expect } from 'chai'
import { findCompletion } from '../../../src/cli/complete/candidates.js'
import { keptByBash, splitLine } from '../../../src/cli/complete/complete.js'
import { type ManifestCommand, readManifest } from '../../../src/cli/manifest.js'
import { root } from '../../e2e/product.js'

/** As far as completion looks at commands and topics. */
const completed = (
  commands: Readonly<Record<string, object>>,
  topics: Readonly<Record<string, string>>,
  words: readonly string[],
) =>
  findCompletion(
    Object.values(commands) as ManifestCommand[],
    Object.fromEntries(Object.entries(topics).map(([name, description]) => [name, { description }])),
    words,
  )
const all = Object.fromEntries(readManifest(root).map((command) => [command.id, command]))
const topics = {
  items: 'Items.',
  jobs: 'Jobs.',
  auth: 'Profiles.',
  sandbox: 'The sandbox.',
  shop: 'The shop.',
  requests: 'Requests.',
}

describe('completion', () => {
  const complete = (...words: string[]) => completed(all, topics, words)
  const words = (...line: string[]): string[] => {
    const completion = complete(...line)
    return completion.kind === 'words' ? completion.candidates.map(({ value }) => value) : [completion.kind]
  }

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

  it('offers the names that a flag takes, those of this command alone, and the values of one', () => {
    expect(words('shop:price', '--allow', 'max_d')).to.deep.equal(['max_drift'])
    expect(words('shop:price', '--allow', 'stock_')).to.deep.equal([])
    expect(words('shop:stock', '--allow=stock_t')).to.deep.equal(['--allow=stock_tenfold'])
    expect(words('shop:price', '--allow', 'max_drift', '--allow', 'sam')).to.deep.equal(['same_price'])
    expect(words('auth:login', '--setting', 'quota_u')).to.deep.equal(['quota_url=', 'quota_url_command='])
    expect(words('auth:login', '--setting', 'quota_away=r')).to.deep.equal(['quota_away=refuse'])
    expect(words('auth:login', '--setting=quota_away=')).to.deep.equal([
      '--setting=quota_away=refuse',
      '--setting=quota_away=local',
    ])
    expect(words('auth:login', '--setting', 'app_k')).to.deep.equal([])
    expect(words('shop:price', '--max-ch')).to.deep.equal([])
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
      ['  seller  \t items ', ['seller', 'items', '']],
      ['seller \'a b\'c "d"e', ['seller', 'a bc', 'de']],
      [`seller 'a\\' "b'c"`, ['seller', 'a\\', "b'c"]],
      ['seller a\\', ['seller', 'a']],
      ['seller \\', ['seller', '']],
      ['', ['']],
    ]
    for (const [line, expected] of lines) {
      it(`splits ${line}`, () => expect(splitLine(line)).to.deep.equal(expected))
    }

    it('knows what bash leaves standing', () => {
      expect(keptByBash('items:l', ':=')).to.equal('items:')
      expect(keptByBash('--output=c', ':=')).to.equal('--output=')
      expect(keptByBash('items:l', ' ')).to.equal('')
      expect(keptByBash('--columns=a:b=c:d', ':='), 'up to the last break').to.equal('--columns=a:b=c:')
      expect(keptByBash('--columns=a:b', '=')).to.equal('--columns=')
      expect(keptByBash('items', ':=')).to.equal('')
    })
  })

  describe('of a program of a few commands', () => {
    const flag = (name: string, rest: object = {}) => ({ name, type: 'option' as const, summary: `${name}.`, ...rest })
    const few = {
      commands: {
        doctor: { id: 'doctor', summary: 'Check.', flags: {}, args: {} },
        hidden: { id: 'hidden', summary: 'Hidden.', hidden: true, flags: {}, args: {} },
        // Both a topic and a command.
        price: {
          id: 'price',
          summary: 'Price.',
          flags: { json: { name: 'json', type: 'boolean' } },
          args: { what: { name: 'what', options: ['high', 'low'] } },
        },
        'price:all': { id: 'price:all', summary: 'All.', flags: {}, args: { file: { name: 'file' } } },
        'price:secret': { id: 'price:secret', hidden: true, flags: {}, args: {} },
        'item:list': {
          id: 'item:list',
          summary: 'List.',
          flags: {
            json: { name: 'json', type: 'boolean', char: 'j', summary: 'JSON.' },
            colour: { name: 'colour', type: 'boolean', allowNo: true, summary: 'Colour.' },
            output: flag('output', { char: 'o', options: ['csv', 'json'] }),
            file: flag('file', { helpValue: 'FILE', multiple: true }),
            text: flag('text', { helpValue: 'TEXT' }),
            columns: flag('columns'),
            sort: flag('sort'),
            profile: flag('profile', { char: 'p' }),
            silent: flag('silent', { hidden: true }),
          },
          args: { state: { name: 'state', options: ['live', 'ended'] }, rest: { name: 'rest', options: ['x', 'y'] } },
          columns: ['Id', 'Title', 'Price', 'ItemPrice'],
        },
        'item:show': {
          id: 'item:show',
          flags: { columns: flag('columns') },
          args: { kind: { name: 'kind', options: ['a', 'b'], multiple: true } },
        },
        'requests:wait': { id: 'requests:wait', flags: {}, args: { id: { name: 'id', multiple: true } } },
        help: { id: 'help', flags: {}, args: { words: { name: 'words', multiple: true } } },
      },
    }
    const ofTopics = { item: 'Items.', price: 'Prices.', requests: 'Requests.' }
    const follows = (...line: string[]) => completed(few.commands, ofTopics, line)
    const offered = (...line: string[]) => {
      const completion = follows(...line)
      return completion.kind === 'words' ? completion.candidates.map(({ value }) => value) : completion
    }

    it('offers topics and visible commands without one, each once, with what they are', () => {
      expect(follows('')).to.deep.equal({
        kind: 'words',
        candidates: [
          { value: 'doctor', description: 'Check.' },
          { value: 'help', description: undefined },
          { value: 'item', description: 'Items.' },
          { value: 'price', description: 'Prices.' },
          { value: 'requests', description: 'Requests.' },
        ],
      })
      expect(follows()).to.deep.equal(follows(''))
      expect(offered('x')).to.deep.equal([])
    })

    it('adds the commands of a topic once no other is left', () => {
      expect(follows('i')).to.deep.equal({
        kind: 'words',
        candidates: [
          { value: 'item', description: 'Items.' },
          { value: 'item:list', description: 'List.' },
          { value: 'item:show', description: undefined },
        ],
      })
      expect(offered('price:')).to.deep.equal(['price:all'])
      expect(offered('d')).to.deep.equal(['doctor'])
      const only = { commands: { 'a:b': { id: 'a:b', flags: {}, args: {} } } }
      expect(completed(only.commands, { a: 'A.' }, ['']), 'not before a letter').to.deep.equal({
        kind: 'words',
        candidates: [{ value: 'a', description: 'A.' }],
      })
    })

    it('offers the values of a command that is a topic too, when they come from elsewhere', () => {
      const both = {
        commands: {
          call: { id: 'call', flags: {}, args: { operation: { name: 'operation' } } },
          'call:again': { id: 'call:again', flags: {}, args: {} },
        },
      }
      expect(completed(both.commands, { call: 'Calls.' }, ['call', ''])).to.deep.equal({
        kind: 'values',
        source: 'operations',
        prefix: '',
      })
    })

    it('offers what may follow a topic, and what may follow a command that is one', () => {
      expect(follows('item', '')).to.deep.equal({
        kind: 'words',
        candidates: [
          { value: 'list', description: 'List.' },
          { value: 'show', description: undefined },
        ],
      })
      expect(offered('item', 's')).to.deep.equal(['show'])
      expect(offered('price', '')).to.deep.equal(['all', 'high', 'low'])
      expect(offered('price', 'h')).to.deep.equal(['high'])
      expect(offered('price', 'high', ''), 'the topic is behind it').to.deep.equal([])
      expect(offered('price', 'all', '')).to.deep.equal([])
      expect(offered('nosuch', 'x', '')).to.deep.equal([])
    })

    it('offers flags once, in the order of the manifest, and their opposites', () => {
      const all = ['--json', '--colour', '--no-colour', '--output', '--file', '--text', '--columns', '--sort', '--profile']
      expect(offered('item:list', '-')).to.deep.equal(all)
      expect(follows('item:list', '--no')).to.deep.equal({
        kind: 'words',
        candidates: [{ value: '--no-colour', description: 'Colour.' }],
      })
      const without = (...names: string[]) => all.filter((name) => !names.includes(name))
      expect(offered('item:list', '-j', '--')).to.deep.equal(without('--json'))
      expect(offered('item:list', '--no-colour', '--')).to.deep.equal(without('--colour', '--no-colour'))
      expect(offered('item:list', '--output', 'csv', '--')).to.deep.equal(without('--output'))
      expect(offered('item:list', '--output=csv', '--text', 'a', '--')).to.deep.equal(without('--output', '--text'))
      expect(offered('item:list', '-jo', 'csv', '--')).to.deep.equal(without('--output'))
      expect(offered('item:list', '--file', 'a', '--f'), 'may be repeated').to.deep.equal(['--file'])
      expect(offered('item:list', '--unknown', '-x', '--json', '--j')).to.deep.equal([])
    })

    it('offers the values of a flag in either spelling', () => {
      expect(offered('item:list', '--output', '')).to.deep.equal(['csv', 'json'])
      expect(offered('item:list', '-o', 'j')).to.deep.equal(['json'])
      expect(offered('item:list', '--output=')).to.deep.equal(['--output=csv', '--output=json'])
      expect(offered('item:list', '--output=c')).to.deep.equal(['--output=csv'])
      expect(offered('item:list', '--nosuch=')).to.deep.equal([])
      expect(offered('item:list', '--text', '')).to.deep.equal([])
      expect(offered('item:list', '--text=')).to.deep.equal([])
      expect(offered('item:list', '--text', '--j'), 'a value, also one with hyphens').to.deep.equal([])
      expect(offered('item:list', '--file', '')).to.deep.equal({ kind: 'files', prefix: '' })
      expect(offered('item:list', '--file=a')).to.deep.equal({ kind: 'files', prefix: '--file=' })
      expect(offered('item:list', '--profile', '')).to.deep.equal({ kind: 'values', source: 'profiles', prefix: '' })
      expect(offered('item:list', '--profile=s')).to.deep.equal({ kind: 'values', source: 'profiles', prefix: '--profile=' })
    })

    it('takes no word for the value of a flag that has none, or has one already', () => {
      expect(offered('item:list', '--json', '')).to.deep.equal(['live', 'ended'])
      expect(offered('item:list', '-j', 'l')).to.deep.equal(['live'])
      expect(offered('item:list', '--text=a', '')).to.deep.equal(['live', 'ended'])
      expect(offered('item:list', '--text', 'a', '')).to.deep.equal(['live', 'ended'])
      expect(offered('item:list', '-', ''), 'a hyphen alone is a value').to.deep.equal(['x', 'y'])
      expect(offered('item:list', 'li-ve', ''), 'so is one with a hyphen').to.deep.equal(['x', 'y'])
    })

    it('offers columns, whatever their case, and no column twice', () => {
      expect(offered('item:list', '--columns', '')).to.deep.equal(['Id', 'Title', 'Price', 'ItemPrice'])
      expect(offered('item:list', '--columns', 'i')).to.deep.equal(['Id', 'ItemPrice'])
      expect(offered('item:list', '--columns', 'Title,Id,')).to.deep.equal(['Title,Id,Price', 'Title,Id,ItemPrice'])
      expect(offered('item:list', '--columns=Title,I')).to.deep.equal(['--columns=Title,Id', '--columns=Title,ItemPrice'])
      expect(offered('item:list', '--columns', '-I'), 'only an order has a sign').to.deep.equal([])
      expect(offered('item:show', '--columns', ''), 'of a command that lists none').to.deep.equal([])
      expect(offered('item:list', '--sort', '')).to.deep.equal(['Id', 'Title', 'Price', 'ItemPrice'])
      expect(offered('item:list', '--sort', 'P')).to.deep.equal(['Price'])
      expect(offered('item:list', '--sort', '-t')).to.deep.equal(['-Title'])
      expect(offered('item:list', '--sort', 'Id,-')).to.deep.equal(['Id,-Title', 'Id,-Price', 'Id,-ItemPrice'])
      expect(offered('item:list', '--sort=-I')).to.deep.equal(['--sort=-Id', '--sort=-ItemPrice'])
    })

    it('offers the values of the argument that is next', () => {
      expect(offered('item:list', 'e')).to.deep.equal(['ended'])
      expect(offered('item:list', 'live', '')).to.deep.equal(['x', 'y'])
      expect(offered('item:list', 'live', 'e'), 'another argument').to.deep.equal([])
      expect(offered('item:list', 'live', 'x', 'e'), 'there are two').to.deep.equal([])
      expect(offered('item:show', 'a', 'b', '')).to.deep.equal(['a', 'b'])
      expect(offered('requests:wait', '1', '2', '')).to.deep.equal({ kind: 'values', source: 'requests', prefix: '' })
      expect(offered('help', 'i')).to.deep.equal(['item', 'item:list', 'item:show'])
      expect(offered('item:list', '--', '--j'), 'no flag any more').to.deep.equal([])
      expect(offered('item:list', '--', 'l')).to.deep.equal(['live'])
      expect(offered('item:list', '--', '--output', '')).to.deep.equal(['x', 'y'])
      expect(offered('item:list', '--', '--output=')).to.deep.equal([])
    })
  })
})
