/**
 * Files that a command writes: never through a link, never over another one, and for their owner alone where they may name
 * persons.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { thisProcess } from '../../src/system/process-owner.js'
import { opened } from '../opened.js'
import { openHome } from './harness.js'

/** Commands that write a file, with a form of its name. */
const WRITERS: readonly (readonly [line: string, file: string])[] = [
  ['items:list --type shop --out', 'list.csv'],
  ['orders:list --out', 'orders.json'],
  ['transactions:list --out', 'sales.csv'],
  ['orders:slips --out', 'slips.html'],
  ['orders:labels --no-sent --out', 'labels.pdf'],
  ['sales:report --since 30d --html', 'report.html'],
  ['shop:price --all --add 1kr --save-plan', 'plan.json'],
  ['shop:price --all --add 1kr --dry-run --html', 'plan.html'],
  ['ledger:backup', 'copy.db'],
]
const NAMING_PERSONS = /^(?:orders|transactions|sales|ledger):/

describe('files that are written', function () {
  this.timeout(60_000)
  const home = opened(() => openHome({ sandbox: { faults: { queueDelayMs: 0 }, extended: true } }))

  for (const [line, file] of WRITERS) {
    it(`by ${line}: not through a link, and ${NAMING_PERSONS.test(line) ? 'for their owner alone' : 'as the umask says'}`, async () => {
      const precious = await home.file(`precious-${file}`, 'precious')
      symlinkSync(precious, join(home.dir, `link-${file}`))
      symlinkSync(join(home.dir, `nowhere-${file}`), join(home.dir, `dangling-${file}`))
      for (const link of ['link', 'dangling']) {
        const run = await home.seller(...line.split(' '), `${link}-${file}`, '--force', '--json')
        expect([link, run.code, run.json().error?.code], run.stderr).to.deep.equal([link, 2, 'unwritable_file'])
      }
      expect([readFileSync(precious, 'utf8'), existsSync(join(home.dir, `nowhere-${file}`))]).to.deep.equal(['precious', false])
      expect(lstatSync(join(home.dir, `link-${file}`)).isSymbolicLink()).to.equal(true)
      const there = await home.seller(...line.split(' '), `precious-${file}`, '--json')
      expect([there.code, there.json().error?.code]).to.deep.equal([2, 'unwritable_file'])
      const written = await home.seller(...line.split(' '), file)
      expect(written.code, written.stderr).to.be.oneOf([0, 5])
      const mode = statSync(join(home.dir, file)).mode & 0o777
      expect(mode.toString(8)).to.equal(NAMING_PERSONS.test(line) ? '600' : (0o666 & ~process.umask()).toString(8))
    })
  }

  it('with rows of orders are noted while they are written: the next command removes what a killed one left', async () => {
    const { child, done } = home.spawn(['orders:list', '--out', 'killed.csv'])
    let isOver = false
    void done.then(() => {
      isOver = true
    })
    const left = () => readdirSync(home.dir).filter((name) => name.startsWith('killed.csv'))
    while (left().length === 0 && !isOver) await new Promise((resolve) => setTimeout(resolve, 1))
    child.kill('SIGKILL')
    await done
    expect(left()).to.have.length(1)
    expect(left()).to.not.include('killed.csv')
    await home.seller('jobs:list')
    expect(left()).to.deep.equal([])
  })

  it('are found by the next command where a killed one left them half', async () => {
    const folder = join(home.dataDir, 'writing')
    mkdirSync(folder, { recursive: true })
    const half = join(home.dir, 'labels.pdf.99-x.tmp')
    const own = join(home.dir, 'labels.pdf.98-x.tmp')
    const dead = JSON.stringify({ ...JSON.parse(thisProcess()), pid: 2 ** 22 + 1 })
    for (const [path, owner] of [
      [half, dead],
      [own, thisProcess()],
    ] as const) {
      writeFileSync(path, 'a buyer')
      writeFileSync(join(folder, path.split('/').at(-1) ?? ''), JSON.stringify({ beside: path, owner }))
    }
    await home.seller('jobs:list')
    expect([existsSync(half), existsSync(own), readdirSync(folder)]).to.deep.equal([false, true, ['labels.pdf.98-x.tmp']])
  })
})
