import { spawnSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { expect } from 'chai'
import { type Home, openHome } from './harness.js'
import { hasTmux } from './terminal.js'

describe('the pager', () => {
  let home: Home
  let counting: string
  before(async function () {
    if (!hasTmux) this.skip()
    home = await openHome({ sandbox: true })
    counting = await home.file('pager.sh', '#!/bin/sh\nlines=$(cat | wc -l)\necho "paged $lines lines, LESS=$LESS"\n')
    await chmod(counting, 0o755)
  })
  after(() => home?.close())

  it('takes what a list writes, and notes come when it has ended', async () => {
    const terminal = await home.terminal(['items:list', '--limit', '30', '--sort', 'Id'], { env: { PAGER: counting } })
    const { code, screen } = await terminal.done()
    expect(code).to.equal(0)
    // Two of the header, and the footer.
    expect(screen).to.match(/paged 33 lines, LESS=FRX\n[\s\S]*--limit 30/)
    expect(screen).not.to.match(/^ +Id +Title/m)
  })

  it('is not there off a terminal, with --no-pager, or where PAGER is cat', async () => {
    const pipe = await home.run(['items:list', '--limit', '1'], { env: { PAGER: counting } })
    expect(pipe.stdout).not.to.include('paged')
    const [flag, cat] = await Promise.all([
      home.terminal(['items:list', '--limit', '1', '--no-pager'], { env: { PAGER: counting } }),
      home.terminal(['items:list', '--limit', '1'], { env: { PAGER: 'cat' } }),
    ])
    for (const terminal of [flag, cat]) expect((await terminal.done()).screen).to.match(/^ +Id +Title/m)
  })

  it('is not there for a command that sends, or that delivers each sale once', async () => {
    const env = { PAGER: counting }
    const [sending, watching, reading] = await Promise.all([
      home.terminal(['shop:remove', '2001', '--yes'], { env }),
      home.terminal(['transactions:watch', '--once', '--since', '30d'], { env }),
      home.terminal(['doctor'], { env }),
    ])
    expect((await sending.done()).screen)
      .to.include('2001')
      .and.not.include('paged')
    expect((await watching.done()).screen)
      .to.match(/\d kr /)
      .and.not.include('paged')
    expect((await reading.done()).screen).to.include('paged')
  })

  it('may be left early', async () => {
    const terminal = await home.terminal(['items:list'], { env: { PAGER: 'head -n 3' } })
    const { code, screen } = await terminal.done()
    expect(code).to.equal(0)
    expect(screen.split('\n').filter((line) => /^\d/.test(line))).to.have.length(1)
    expect(screen).not.to.match(/error/i)
  })

  it('is less where PAGER names none: what fits is printed, what does not waits for q', async function () {
    if (spawnSync('less', ['-V']).status !== 0) this.skip()
    const short = await home.terminal(['items:list', '--limit', '2'], { env: { PAGER: undefined } })
    expect((await short.done()).screen).to.match(/^ +Id +Title/m)
    const long = await home.terminal(['items:list'], { env: { PAGER: undefined }, height: 20 })
    await long.shows(/\n:/)
    await long.press('q')
    const { code, screen } = await long.done()
    expect(code).to.equal(0)
    expect(screen).to.match(/^ +Id +Title/m)
  })

  it('that is not there, or fails, costs no list', async () => {
    for (const PAGER of ['no-pager-of-this-name', 'no-pager-of-this-name -FRX', 'false', counting.replace('.sh', '.gone')]) {
      const { code, screen } = await (await home.terminal(['items:list', '--limit', '2'], { env: { PAGER } })).done()
      expect(code, PAGER).to.equal(0)
      expect(screen, PAGER)
        .to.match(/^ +Id +Title/m)
        .and.match(/2 items/)
        .and.include('ended with an error')
    }
  })

  it('shows what it is given although the list ends in an error', async () => {
    const terminal = await home.terminal(['items:show', '2147483646', '2147483647'], { env: { PAGER: counting } })
    const { code, screen } = await terminal.done()
    expect(code).to.equal(1)
    expect(screen).to.include('There are no items 2147483646, 2147483647.').and.not.include('paged')
  })
})
