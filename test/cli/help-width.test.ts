/** Help on terminals of any width: broken between words, and never inside a command that is there to be copied. */
import { expect } from 'chai'
import { readManifest } from '../../src/cli/manifest.js'
import { root, runOn } from '../e2e/product.js'
import { createTestHost } from '../test-host.js'

async function helpAt(columns: number, ...argv: string[]): Promise<string[]> {
  const host = createTestHost({ terminal: true, columns, env: { NO_COLOR: '1' } })
  const { code, stderr, stdout } = await runOn(host, argv)
  expect([code, stderr]).to.deep.equal([0, ''])
  return stdout.split('\n')
}

/** Reasons for a longer line: one word, or a command with its arguments. */
const WHOLE = /^\s*(?:\$ )?(?:\S+|.*\bseller\b.*|-.*|[A-Z_]+, [A-Z_]+)$/
const PAGES = [
  ['--help'],
  ['items', '--help'],
  ['items:list', '--help'],
  ['shop:price', '--help-all'],
  ['help', 'exit-codes'],
  ['help', 'environment'],
  ['help', 'agents'],
]

describe('help', () => {
  for (const argv of PAGES) {
    it(`of "${argv.join(' ')}" fits terminals of 12 to 100 columns, and says the same on each`, async () => {
      const words = (lines: readonly string[]) => lines.join(' ').match(/[a-z]{2,}/gi) ?? []
      const wide = words(await helpAt(100, ...argv))
      for (const columns of [12, 20, 30, 39, 60]) {
        const lines = await helpAt(columns, ...argv)
        expect(
          lines.filter((line) => line.length > columns && !WHOLE.test(line)),
          `${columns} columns`,
        ).to.deep.equal([])
        // Narrower, long words are broken too. A short page cuts what its wide form has on one line.
        if (columns >= 20 && argv.includes('--help-all')) expect(words(lines)).to.include.members(wide)
      }
    })
  }

  it('of every command is at most 45 lines of 80 columns, and cuts no sentence', async () => {
    for (const { id } of readManifest(root)) {
      const lines = await helpAt(80, id, '--help')
      expect(lines.length, id).to.be.at.most(45)
      expect(
        lines.filter((line) => line.length > 80 && !/^ {2}\$ /.test(line)),
        id,
      ).to.deep.equal([])
      expect(
        lines.filter((line) => /…$|\be\.g\.?$/.test(line)),
        id,
      ).to.deep.equal([])
      expect(lines.join(' '), id).to.match(/--help-all, or +man +seller/)
    }
  })

  it('in full has every flag, the description, the operations and every example of a command', async () => {
    for (const { id, flags, description = '', examples = [] } of readManifest(root)) {
      const text = (await helpAt(100, id, '--help-all')).join('\n')
      for (const { name, hidden } of Object.values(flags))
        if (hidden !== true) expect(text, id).to.match(new RegExp(`--(\\[no-\\])?${name}\\b`))
      expect(text.replace(/\s+/g, ' '), id).to.contain(description.split(' ').slice(0, 6).join(' '))
      expect(text.match(/^ {2}\$ /gm) ?? [], id).to.have.length.at.least(examples.length)
    }
  })

  it('has --call-timeout where a command makes a call, or --timeout where it waits', async () => {
    const without = readManifest(root).filter(
      ({ operations = [], flags }) => operations.length > 0 && !('timeout' in flags || 'call-timeout' in flags),
    )
    // A login sets it by a setting, which its own calls go by.
    expect(without.map(({ id }) => id)).to.deep.equal(['auth:login'])
  })

  it('has the guards, how a run goes on and what every command has in the full page alone', async () => {
    const short = (await helpAt(80, 'shop:price', '--help')).join('\n')
    const whole = (await helpAt(80, 'shop:price', '--help-all')).join('\n')
    for (const flag of ['--allow', '--concurrency', '--trace']) {
      expect(short).not.to.contain(flag)
      expect(whole).to.contain(flag)
    }
    expect(short).to.contain('--file FILE')
  })

  it('takes a terminal without a size, and a pipe, for one of 80 columns', async () => {
    expect(await helpAt(0, '--help')).to.deep.equal(await helpAt(80, '--help'))
    const host = createTestHost({})
    Object.assign(host.stdout, { columns: 20 })
    expect((await runOn(host, ['items:list', '--help'])).stdout.split('\n')).to.deep.equal(
      await helpAt(80, 'items:list', '--help'),
    )
  })

  it('of the program lists every topic and every visible command without one, in groups', async () => {
    const listed = (await helpAt(80, '--help')).flatMap((line) => /^ {2}([a-z]+) {2,}\S/.exec(line)?.[1] ?? [])
    const visible = readManifest(root).filter(({ hidden }) => hidden !== true)
    expect(listed).to.have.members([...new Set(visible.map(({ id }) => id.split(':')[0] ?? id))])
    expect((await helpAt(80, '--help')).filter((line) => /^[A-Z]/.test(line)).slice(1)).to.deep.equal([
      'USAGE',
      'EVERY DAY',
      'OVER TIME',
      'SET-UP',
      'FOR PROGRAMS',
      'MORE',
    ])
  })

  it('has headings in bold where there is colour, and none in a pipe', async () => {
    const shown = async (env: Record<string, string>) => (await runOn(createTestHost({ env }), ['items:list', '--help'])).stdout
    expect(await shown({ FORCE_COLOR: '1' })).to.contain('\u001b[1mEXAMPLES\u001b[22m')
    expect(await shown({})).not.to.contain('\u001b')
  })
})
