import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { readManifest } from '../../src/cli/manifest.js'
import { showRootHelp } from '../../src/cli/root-help.js'
import { root } from '../e2e/product.js'
import { scratch } from '../scratch.js'
import { createTestHost } from '../test-host.js'

describe('help of the whole program', () => {
  const shown = async (options: Parameters<typeof createTestHost>[0] = {}): Promise<string> => {
    const host = createTestHost(options)
    await showRootHelp(root, readManifest(root), host)
    return host.written.stdout
  }

  it('lists every topic, and every visible command without one', async () => {
    const text = await shown()
    const listed = text.split('\n').flatMap((line) => /^ {2}([a-z-]+) {2,}\S/.exec(line)?.[1] ?? [])
    const visible = readManifest(root).filter(({ hidden }) => hidden !== true)
    const names = visible.map(({ id }) => id.split(':')[0] ?? id)
    expect(listed).to.have.members([...new Set(names)])
  })

  it('has no colour and 80 columns in a pipe', async () => {
    const text = await shown()
    expect(text).not.to.contain('\u001b')
    expect(Math.max(...text.split('\n').map((line) => line.length))).to.be.within(70, 80)
  })

  for (const columns of [40, 60, 100]) {
    it(`fits a terminal of ${columns} columns`, async () => {
      const text = await shown({ terminal: true, columns, env: { NO_COLOR: '1' } })
      expect(Math.max(...text.split('\n').map((line) => line.length))).to.be.at.most(columns)
      expect(text.replace(/\s+/g, ' ')).to.contain('the outcome of a write is unknown; the ledger has recorded it')
    })
  }

  it('has headings in bold where there is colour', async () => {
    expect(await shown({ env: { FORCE_COLOR: '1' } })).to.contain('\u001b[1mEXIT CODES\u001b[22m')
  })

  describe('of a program of two topics', () => {
    let dir: string
    before(async () => {
      dir = await mkdtemp(join(scratch(), 'seller-help-'))
      const about = { name: 'tool', version: '1.2.3', description: 'Does it.' }
      const topics = { a: { description: 'First.' }, 'long-topic': { description: 'One two three four five six seven.' } }
      await writeFile(join(dir, 'package.json'), JSON.stringify({ ...about, oclif: { topics } }))
    })
    after(() => rm(dir, { recursive: true, force: true }))
    const commands = [
      { id: 'a:list', summary: 'Not here.', hidden: false },
      { id: 'doctor', summary: 'Check.', hidden: false },
      { id: 'hidden', summary: 'Not here.', hidden: true },
      { id: 'plain', hidden: false },
    ]
    const lines = async (options: Parameters<typeof createTestHost>[0]) => {
      const host = createTestHost(options)
      await showRootHelp(dir, commands, host)
      return host.written.stdout.split('\n')
    }
    const topicsAt = async (columns: number) => {
      const all = await lines({ terminal: true, columns, env: { NO_COLOR: '1' } })
      return all.slice(all.indexOf('TOPICS') + 1, all.indexOf('COMMANDS') - 1)
    }

    it('has its version, its usage, topics, and commands without a topic', async () => {
      const all = await lines({})
      expect(all.slice(0, 16)).to.deep.equal([
        'Does it.',
        '',
        'VERSION',
        `  tool/1.2.3 test node-${process.version}`,
        '',
        'USAGE',
        '  $ tool [COMMAND]',
        '',
        'TOPICS',
        '  a           First.',
        '  long-topic  One two three four five six seven.',
        '',
        'COMMANDS',
        '  doctor  Check.',
        '  plain   ',
        '',
      ])
    })

    it('has meanings beside the names from 20 columns on, and below them in fewer', async () => {
      // Two columns of margin, and 12 for the names.
      expect(await topicsAt(34)).to.deep.equal([
        '  a           First.',
        '  long-topic  One two three four',
        '              five six seven.',
      ])
      expect(await topicsAt(33)).to.deep.equal([
        '  a',
        '    First.',
        '  long-topic',
        '    One two three four five six',
        '    seven.',
      ])
      expect(await topicsAt(48)).to.deep.equal(['  a           First.', '  long-topic  One two three four five six seven.'])
      expect((await topicsAt(47)).length).to.equal(3)
      // A meaning has one column at the least.
      expect(await topicsAt(4)).to.include('  a')
    })

    it('takes the width of a pipe for 80, whatever columns it has', async () => {
      const host = createTestHost({})
      Object.assign(host.stdout, { columns: 20 })
      await showRootHelp(dir, commands, host)
      expect(host.written.stdout).to.equal((await lines({ terminal: true, columns: 80, env: { NO_COLOR: '1' } })).join('\n'))
    })
  })
})
