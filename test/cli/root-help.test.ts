import { expect } from 'chai'
import { readManifest } from '../../src/cli/manifest.js'
import { showRootHelp } from '../../src/cli/root-help.js'
import { createTestHost } from '../../src/cli/test-host.js'
import { root } from '../e2e/product.js'

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
})
