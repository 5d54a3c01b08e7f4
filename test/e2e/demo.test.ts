/** `npm run demo`, as it is written in demo.golden.txt. UPDATE_GOLDEN=1 writes it anew. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { playDemo } from '../../scripts/demo/play.js'
import { remaining } from '../../scripts/demo/screen.js'
import { Hands } from './clock.js'
import { ensureBuilt, type Home, openHome } from './harness.js'

const GOLDEN = join(import.meta.dirname, 'demo.golden.txt')
const COLUMNS = 80

describe('the demo', () => {
  let home: Home
  before(async () => {
    ensureBuilt()
    home = await openHome()
  })
  after(() => home.close())

  async function played(terminal: boolean): Promise<string> {
    let text = ''
    const dir = join(home.dir, terminal ? 'terminal' : 'pipe')
    await mkdir(dir)
    await playDemo({
      dir,
      write: (piece) => {
        text += piece
      },
      terminal,
      columns: COLUMNS,
      clock: new Hands(),
      pauseMs: 0,
      env: { TERM: 'xterm-256color' },
    })
    return text
  }

  it('shows without a terminal the tables that a person sees, in plain text', async () => {
    const text = await played(false)
    if (process.env.UPDATE_GOLDEN) await writeFile(GOLDEN, text)
    expect(text).to.equal(await readFile(GOLDEN, 'utf8'))
    for (const control of ['\t', '\u001b']) expect(text).to.not.include(control)
    expect(text.split('\n').filter((line) => line.length > COLUMNS)).to.deep.equal([])
  })

  it('shows the same on a terminal, in colour', async () => {
    const text = await played(true)
    expect(text).to.include('\u001b[36m')
    expect(remaining(text)).to.equal(await readFile(GOLDEN, 'utf8'))
  })

  it('ends with three commands that work where nobody has logged in', async () => {
    const lines = [...(await readFile(GOLDEN, 'utf8')).matchAll(/^ {2}npx seller (.+)$/gm)].map(([, line = '']) => line)
    expect(lines).to.have.length(3)
    for (const line of lines) {
      const { code, stdout, stderr } = await home.run(line.replaceAll('"', '').split(' '), { terminal: 'stdout' })
      expect(code, stderr).to.equal(0)
      expect(stdout.split('\n').length, line).to.be.greaterThan(4)
    }
  })
})
