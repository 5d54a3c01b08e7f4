/** A small program that finds, runs and explains its commands. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { showHelp } from '../../src/cli/dispatch.js'
import type { LoadCommand, ManifestCommand, Product } from '../../src/cli/manifest.js'
import { run as runOn } from '../../src/cli/run.js'
import { scratch } from '../scratch.js'
import { createTestHost } from '../test-host.js'

const ENDLESS = 'What it is for and whatever else somebody may want to know of it'

describe('a program of a few commands and one topic', () => {
  let root: string
  let product: Product
  const flag = { type: 'option', summary: 'What it is for. In a few words.', helpValue: 'AMOUNT-OF' }
  const list = {
    id: 'a:list',
    summary: 'Lists all things, for 5 $ each, that there are in this shop.',
    hidden: false,
    aliases: [],
    hiddenAliases: [],
    args: {},
    examples: ['tool a:list --first-long-option --second-long-option'],
    flags: { long: { ...flag, name: 'long', char: 'l' }, other: { ...flag, name: 'other', char: 'o' } },
  }
  const commands = [
    list,
    { ...list, id: 'doctor', summary: 'Check.', flags: {}, examples: [] },
    { ...list, id: 'ghost', hidden: true, summary: 'Hidden.', flags: { whole: { ...flag, name: 'whole', summary: ENDLESS } } },
    { ...list, id: 'a:ghost', hidden: true, summary: 'Hidden.' },
  ] as unknown as ManifestCommand[]

  before(() => {
    root = mkdtempSync(join(scratch(), 'seller-dispatch-'))
    const about = { name: 'tool', version: '1.2.3', description: 'Does it.' }
    const oclif = { bin: 'tool', topicSeparator: ':', topics: { a: { description: 'First things.' } } }
    writeFileSync(join(root, 'package.json'), JSON.stringify({ ...about, oclif }))
    const named = Object.fromEntries(commands.map((command) => [command.id, command]))
    writeFileSync(join(root, 'oclif.manifest.json'), JSON.stringify({ commands: named }))
    const load = async (id: string) =>
      class {
        declare readonly host: ReturnType<typeof createTestHost>
        exitCode = id === 'doctor' ? undefined : 6
        constructor(readonly argv: string[]) {}
        async _run(): Promise<void> {
          this.host.stdout.write(`${[id, ...this.argv].join(' ')}\n`)
          if (this.argv.includes('boom')) throw new RangeError('secret')
        }
      }
    product = { root, commands, load: load as unknown as LoadCommand }
  })
  after(() => rmSync(root, { recursive: true, force: true }))

  const run = async (argv: readonly string[], { columns = 0, env = {} as Record<string, string> } = {}) => {
    const host = createTestHost({ terminal: columns > 0, columns, env: { SELLER_CONFIG_DIR: root, ...env } })
    const code = await runOn(argv, host, product)
    const { stdout, stderr } = host.written
    return { code, stdout, stderr }
  }

  for (const [argv, stdout, code] of [
    [['a:list', 'x'], 'a:list x\n', 6],
    [['a', 'list', 'x'], 'a:list x\n', 6],
    [['a:list', '--', '--help'], 'a:list -- --help\n', 6],
    [['a:list', '--', '-h'], 'a:list -- -h\n', 6],
    [['doctor'], 'doctor\n', 0],
    [['ghost'], 'ghost\n', 6],
    [['a', 'ghost', 'x'], 'a:ghost x\n', 6],
  ] as const) {
    it(`runs ${argv.join(' ')}: exit ${code}`, async () => {
      expect(await run(argv)).to.deep.equal({ code, stdout, stderr: '' })
    })
  }

  for (const [argv, message, hint] of [
    [['a:lst'], 'Unknown command "a lst".', 'Did you mean seller a:list? See seller a --help.'],
    [['a', 'lst', 'x'], 'Unknown command "a lst".', 'Did you mean seller a:list? See seller a --help.'],
    [['a', 'xyz'], 'Unknown command "a xyz".', 'See seller a --help.'],
    [['a', '--json'], 'Unknown command "a".', 'See seller a --help.'],
    [['doctr', 'x'], 'Unknown command "doctr x".', 'Did you mean seller doctor? See seller --help.'],
    [['doctr', '--token=x'], 'Unknown command "doctr".', 'Did you mean seller doctor? See seller --help.'],
    [['ghos'], 'Unknown command "ghos".', 'See seller --help.'],
    [['--token=x'], 'A command is missing before the flags.', 'See every command with: seller --help'],
    [
      ['--token=x', '--yes', 'a', 'list'],
      'A command is missing before the flags.',
      'Flags of a command stand behind it. See them with: seller a:list --help',
    ],
    [['zzzzz', '--help'], 'Unknown command "zzzzz".', 'See seller --help.'],
  ] as const) {
    it(`says of ${argv.join(' ')} what it may have meant, and never a flag's value`, async () => {
      const { code, stdout, stderr } = await run(argv)
      if (argv.includes('--json' as never)) {
        expect(JSON.parse(stdout).error).to.include({ code: 'unknown_command', message, hint, exitCode: 2 })
      } else expect({ stdout, stderr }).to.deep.equal({ stdout: '', stderr: `Error: ${message}\n${hint}\n` })
      expect(code).to.equal(2)
    })
  }

  it('reports a bug of a command without its message, as JSON where that is asked for', async () => {
    const { code, stdout, stderr } = await run(['doctor', 'boom'])
    expect([code, stdout]).to.deep.equal([1, 'doctor boom\n'])
    expect(stderr)
      .to.match(/^Error: Internal error \(RangeError\)\. This is a bug in seller\.\n/)
      .and.not.include('secret')
    const json = await run(['doctor', 'boom', '--json'])
    expect(JSON.parse(json.stdout.slice('doctor boom --json\n'.length)).error).to.include({ code: 'unexpected' })
    expect(json.stderr).to.equal('')
  })

  it('shows its version, its help and what to type next', async () => {
    for (const word of ['--version', '-v', 'version'])
      expect((await run([word, 'x'])).stdout).to.equal(`tool/1.2.3 test node-${process.version}\n`)
    const { stdout: whole } = await run(['--help'])
    expect(whole).to.match(/^Does it\.\n\nUSAGE\n/)
    for (const argv of [['-h'], ['help'], ['--json', '--help'], ['-h', 'doctor']])
      expect((await run(argv)).stdout, argv.join(' ')).to.equal(whole)
    expect((await run([])).stdout).to.match(/^seller runs your marketplace shop .*\n\n {2}seller items:list -p sandbox /)
  })

  it('shows the commands of a topic, for the topic alone and by the flag', async () => {
    const { code, stdout } = await run(['a'])
    expect(code).to.equal(0)
    expect(stdout.split('\n')).to.deep.equal([
      'First things.',
      '',
      'COMMANDS',
      '  a:list  Lists all things, for 5 $ each, that there are in this shop.',
      '',
      'How one works: seller a:list --help. All of them: man seller-a.',
      '',
    ])
    expect((await run(['a', '--help'])).stdout).to.equal(stdout)
    expect((await run(['a', 'x', '-h'])).stdout).to.equal(stdout)
    expect((await run(['ghost', '--help'])).stdout, 'hidden, and asked for').to.match(/^Hidden\.\n/)
  })

  it('completes a word, and does not take "help" with more words for the help of the whole', async () => {
    expect((await run(['__complete', 'zsh', 'a', 'li'])).stdout).to.equal(`list\t${list.summary}\n`)
    expect(await run(['help', 'a:list'])).to.include({ code: 2, stdout: '' })
  })

  it('looks for what to explain behind flags', async () => {
    const host = createTestHost()
    const error = await showHelp(product, host, { words: ['--long', 'zzzzz'] }).catch((reason: Error) => reason)
    expect(error).to.include({ message: 'Unknown command "zzzzz".' })
  })

  describe('explains a command', () => {
    const help = async (columns: number, flag = '--help') => {
      const { code, stdout, stderr } = await run(['a:list', flag], { columns, env: { NO_COLOR: '1' } })
      expect([code, stderr]).to.deep.equal([0, ''])
      return stdout.trimEnd().split('\n')
    }
    const EXAMPLE = '  $ tool a:list --first-long-option --second-long-option'

    it('in short: what it does, examples, usage and flags, a line each', async () => {
      expect(await help(50)).to.deep.equal([
        'Lists all things, for 5 $ each, that there are in',
        'this shop.',
        '',
        'EXAMPLES',
        EXAMPLE,
        '',
        'USAGE',
        '  seller a:list [FLAGS]',
        '',
        'FLAGS',
        '  -l, --long AMOUNT-OF   What it is for.',
        '  -o, --other AMOUNT-OF  What it is for.',
        '',
        'More: seller a:list --help-all, or man seller-a.',
      ])
    })

    it('with a sign where a meaning has no part that fits', async () => {
      const { stdout } = await run(['ghost', '--help'], { columns: 50 })
      expect(stdout).to.match(/^ {6}--whole AMOUNT-OF {2}What it is for and whate…$/m)
    })

    it('in full, with meanings below the names where there is no room beside them', async () => {
      expect(await help(40, '--help-all')).to.deep.equal([
        'Lists all things, for 5 $ each, that',
        'there are in this shop.',
        '',
        'USAGE',
        '  seller a:list [FLAGS]',
        '',
        'FLAGS',
        '  -l, --long AMOUNT-OF',
        '    What it is for. In a few words.',
        '  -o, --other AMOUNT-OF',
        '    What it is for. In a few words.',
        '',
        'EXAMPLES',
        EXAMPLE,
      ])
    })
  })
})
