import { expect } from 'chai'
import {
  COMMANDS,
  commandFirst,
  commandsMeaning,
  FLAGS,
  joinWords,
  signSort,
  unknownFlags,
  wantsJson,
} from '../../src/cli/argv.js'
import { readManifest } from '../../src/cli/manifest.js'
import { root } from '../e2e/harness.js'

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
  for (const argv of [
    [],
    ['json'],
    ['--', '--json'],
    ['--output', 'csv'],
    ['-o', 'ndjson'],
    ['--jsonx'],
    ['--output'],
    ['--title', 'json'],
  ]) {
    it(`not ${argv.join(' ')}`, () => expect(wantsJson(argv)).to.equal(false))
  }
})

describe('unknown flags', () => {
  const SECRETS =
    'Secrets are never flags: give them by prompt, by --stdin or by environment (seller auth:login --help). See --help.'
  const flags = {
    profile: { type: 'option', char: 'p' },
    quiet: { type: 'boolean', char: 'q' },
    'dry-run': { type: 'boolean', char: 'n' },
    'base-url': { type: 'option' },
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
    ['-p', '--dry-rum'],
    ['-qp', '--dry-rum'],
    ['--old', '-x', 'a-b'],
    [],
  ]) {
    it(`none in "${argv.join(' ')}"`, () => expect(unknownFlags(argv, flags)).to.equal(undefined))
  }

  for (const [argv, message, hint] of [
    [['--qiet'], 'Unknown flag: --qiet.', 'Did you mean --quiet? See --help.'],
    [['--url', 'x'], 'Unknown flag: --url.', 'Did you mean --base-url? See --help.'],
    [['--no-quiet'], 'Unknown flag: --no-quiet.', 'See --help.'],
    [['--no-such-thing'], 'Unknown flag: --no-such-thing.', 'See --help.'],
    [['--a=1', '-z', '--bb', '2'], 'Unknown flag: --a, -z, --bb.', 'See --help.'],
    [['-qx'], 'Unknown flag: -q.', 'See --help.'],
    [['-quiet'], 'Unknown flag: -q.', 'See --help.'],
    [['--quiet', '--zz'], 'Unknown flag: --zz.', 'See --help.'],
    [['--profile=x', '--zz'], 'Unknown flag: --zz.', 'See --help.'],
    [['-px', '--zz'], 'Unknown flag: --zz.', 'See --help.'],
    [['-q', '--zz'], 'Unknown flag: --zz.', 'See --help.'],
    [['--token=very-secret'], 'Unknown flag: --token.', SECRETS],
    [['--a-KEY', 'x', '--password=very-secret'], 'Unknown flag: --a-KEY, --password.', SECRETS],
    [['-kvery-secret'], 'Unknown flag: -k.', SECRETS],
  ] as const) {
    it(`named in "${argv.join(' ')}", without values`, () => {
      const error = unknownFlags(argv, flags)
      expect(error?.message).to.equal(message)
      expect(error?.hint).to.equal(hint)
      expect(`${error?.message}${error?.hint}`).not.to.contain('very-secret')
    })
  }

  it('none in short flags of a command that has no other', () => {
    expect(unknownFlags(['-q'], { quiet: { type: 'boolean', char: 'q' } })).to.equal(undefined)
  })
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
  it('join no word that was not given', () => {
    expect(joinWords([], () => true)).to.deep.equal([])
    expect(joinWords(['items'], (id) => id.startsWith('items'))).to.deep.equal(['items'])
  })
})

describe('the order of --sort', () => {
  it('may begin with a hyphen and a letter that is a flag', () => {
    expect(signSort(['--sort', '-price', '-p', 'sandbox'])).to.deep.equal(['--sort', '\u2212price', '-p', 'sandbox'])
    expect(signSort(['--sort=-price'])).to.deep.equal(['--sort=\u2212price'])
    expect(signSort(['--sort', '-price', '--', '-x'])).to.deep.equal(['--sort', '\u2212price', '--', '-x'])
  })
  for (const argv of [
    ['--sort', 'Price'],
    ['--sort', '--json'],
    ['--sort'],
    ['--', '--sort', '-price'],
    ['--sort='],
    ['x--sort=-price'],
    ['--sort', 'a-b'],
  ])
    it(`stays as it is: ${argv.join(' ')}`, () => expect(signSort(argv)).to.deep.equal(argv))
})

describe('words of other tools', () => {
  const commands = readManifest(root)
  const ids = commands.map(({ id }) => id)
  const flags = new Set(commands.flatMap((command) => Object.keys(command.flags)))

  it('lead to commands that there are, by the words themselves or behind a topic', () => {
    for (const [word, meant] of Object.entries(COMMANDS)) {
      expect(meant.length, word).to.be.above(0)
      expect(commandsMeaning(word, ids), word).to.have.members(meant)
      expect(commandsMeaning(`shop:${word}`, ids), word).to.have.members(meant)
    }
  })

  it('lead to flags that some command has', () => {
    for (const [word, meant] of Object.entries(FLAGS)) {
      expect(meant.length, word).to.be.above(0)
      for (const flag of meant) expect([word, flag, flags.has(flag)]).to.deep.equal([word, flag, true])
    }
  })
})

describe('flags in front of a command', () => {
  const { flags = {} } = readManifest(root).find(({ id }) => id === 'items:list') ?? {}
  const everywhere = Object.fromEntries(Object.entries(flags).filter(([, { helpGroup }]) => helpGroup === 'GLOBAL'))
  for (const [line, moved] of [
    ['-p shop orders list --json', 'orders list --json -p shop'],
    ['--profile shop --json items:list', 'items:list --profile shop --json'],
    ['--profile=shop items:list 1 -- -x', 'items:list 1 --profile=shop -- -x'],
    ['-pshop -q --output csv --max-calls 3 items:list', 'items:list -pshop -q --output csv --max-calls 3'],
    ['-qp shop items:list', 'items:list -qp shop'],
    ['--yes shop:price', undefined],
    ['--json --token=x doctor', undefined],
    ['-- items:list', undefined],
    ['-p shop', undefined],
  ] as const) {
    it(`${line} ${moved === undefined ? 'stays as it is' : `is ${moved}`}`, () => {
      expect(commandFirst(line.split(' '), everywhere)?.join(' ')).to.equal(moved)
    })
  }
})
