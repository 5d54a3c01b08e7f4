import { expect } from 'chai'
import { joinWords, signSort, unknownFlags, wantsJson } from '../../src/cli/argv.js'

describe('whether errors must be JSON', () => {
  for (const argv of [
    ['--json'],
    ['a', '--json', 'b'],
    ['--output', 'json'],
    ['--output=json'],
    ['-o', 'json'],
    ['-ojson'],
    ['-o=json'],
  ]) {
    it(argv.join(' '), () => expect(wantsJson(argv)).to.equal(true))
  }
  for (const argv of [[], ['json'], ['--', '--json'], ['--output', 'csv'], ['-o', 'ndjson'], ['--jsonx'], ['--output']]) {
    it(`not ${argv.join(' ')}`, () => expect(wantsJson(argv)).to.equal(false))
  }
})

describe('unknown flags', () => {
  const flags = {
    profile: { type: 'option', char: 'p' },
    quiet: { type: 'boolean', char: 'q' },
    'dry-run': { type: 'boolean', char: 'n' },
    colour: { type: 'boolean', allowNo: true },
    old: { type: 'option', aliases: ['older'] },
  } as const

  for (const argv of [
    ['-p', 'x', '--quiet'],
    ['--profile=x'],
    ['-qnp', 'x'],
    ['-px'],
    ['--no-colour'],
    ['--older', '3'],
    ['--', '--nonsense'],
    ['-5'],
    ['-'],
    ['--profile', '--dry-rum'],
    [],
  ]) {
    it(`none in "${argv.join(' ')}"`, () => expect(unknownFlags(argv, flags)).to.equal(undefined))
  }

  for (const [argv, message, hint] of [
    [['--qiet'], 'Unknown flag: --qiet.', 'Did you mean --quiet? See --help.'],
    [['--no-quiet'], 'Unknown flag: --no-quiet.', undefined],
    [['--a=1', '-z', '--bb', '2'], 'Unknown flag: --a, -z, --bb.', undefined],
    [['-qx'], 'Unknown flag: -q.', undefined],
    [['--token=very-secret'], 'Unknown flag: --token.', undefined],
    [['-kvery-secret'], 'Unknown flag: -k.', undefined],
  ] as const) {
    it(`named in "${argv.join(' ')}", without values`, () => {
      const error = unknownFlags(argv, flags)
      expect(error?.message).to.equal(message)
      if (hint !== undefined) expect(error?.hint).to.equal(hint)
      expect(`${error?.message}${error?.hint}`).not.to.contain('very-secret')
    })
  }
})

describe('both spellings', () => {
  const known = new Set(['items', 'items:list', 'help', 'shop', 'shop:price'])
  const join = (...argv: string[]) => joinWords(argv, (id) => known.has(id))
  it('join words while they name a command', () => {
    expect(join('items', 'list', '--json')).to.deep.equal(['items:list', '--json'])
    expect(join('items:list', 'list')).to.deep.equal(['items:list', 'list'])
    expect(join('shop', 'price', '1001=499')).to.deep.equal(['shop:price', '1001=499'])
  })
  it('leave the rest alone', () => {
    expect(join('items', 'lits')).to.deep.equal(['items', 'lits'])
    expect(join('help', 'items', 'list')).to.deep.equal(['help', 'items', 'list'])
    expect(join('--json', 'items', 'list')).to.deep.equal(['--json', 'items', 'list'])
    expect(join()).to.deep.equal([])
  })
})

describe('the order of --sort', () => {
  it('may begin with a hyphen and a letter that is a flag', () => {
    expect(signSort(['--sort', '-price', '-p', 'sandbox'])).to.deep.equal(['--sort', '\u2212price', '-p', 'sandbox'])
    expect(signSort(['--sort=-price'])).to.deep.equal(['--sort=\u2212price'])
  })
  for (const argv of [['--sort', 'Price'], ['--sort', '--json'], ['--sort'], ['--', '--sort', '-price'], ['--sort=']])
    it(`stays as it is: ${argv.join(' ')}`, () => expect(signSort(argv)).to.deep.equal(argv))
})

describe('the words of a command', () => {
  it('are joined while they name a topic or a command', () => {
    const isKnown = (id: string) => ['items', 'items:list', 'items:list:all', 'doctor'].includes(id)
    expect(joinWords(['items', 'list', 'all', '--json'], isKnown)).to.deep.equal(['items:list:all', '--json'])
    expect(joinWords(['items', '--json', 'list'], isKnown)).to.deep.equal(['items', '--json', 'list'])
    expect(joinWords(['doctor', 'items'], isKnown)).to.deep.equal(['doctor', 'items'])
    expect(joinWords(['nosuch', 'list'], isKnown)).to.deep.equal(['nosuch', 'list'])
    expect(joinWords(['items', 'list'], isKnown)).to.deep.equal(['items:list'])
  })

  it('are none where nothing was given, whatever is known', () => {
    expect(joinWords([], () => true)).to.deep.equal([])
  })
})
