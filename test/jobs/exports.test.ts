/** Exports of new orders that are killed -9 at a step of their file, by what the next one finds. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openExports } from '../../src/jobs/ledger/exports.js'
import { programOf } from '../program.js'
import { cleanUp, FakeClock, temporaryDirectory, temporaryLedger } from './harness.js'

const CHILD = programOf(new URL('exports-child.ts', import.meta.url))

describe('an export of new orders', () => {
  afterEach(cleanUp)

  /** Exports orders 7 and 8, by a process that is killed after a step. */
  async function killedAfter(step: 'made' | 'begun' | 'renamed') {
    const directory = temporaryDirectory()
    const [path, file] = [join(directory, 'ledger.db'), join(directory, 'orders.csv')]
    const child = fork(CHILD.path, [step, path, file], { execArgv: CHILD.execArgv })
    const [, signal] = await once(child, 'exit')
    expect(signal).to.equal('SIGKILL')
    const ledger = temporaryLedger(new FakeClock(), path)
    const exports = openExports(ledger, { profile: 'p', address: 'a', userId: 1 }, 'rows')
    return { directory, file, exports, halves: () => readdirSync(directory).filter((name) => name.endsWith('.tmp')) }
  }

  it('leaves no half file when it is killed before its orders are entered, and they are new', async () => {
    const { exports, halves } = await killedAfter('made')
    expect([halves().length, exports.all()]).to.deep.equal([1, []])
    expect([exports.recover(), halves(), exports.all(), exports.last()]).to.deep.equal([[], [], [], undefined])
  })

  it('removes no file that is not the one it made, whatever its name', async () => {
    const { directory, exports, halves } = await killedAfter('made')
    const [half = ''] = halves()
    const mine = `mine.csv${half.slice('orders.csv'.length)}`
    writeFileSync(join(directory, mine), 'mine')
    // Written before the other is gone: its number is not given again.
    rmSync(join(directory, half))
    renameSync(join(directory, mine), join(directory, half))
    writeFileSync(join(directory, mine), 'mine too')
    expect(exports.recover()).to.deep.equal([])
    expect(halves()).to.have.members([half, mine])
  })

  it('has new orders again when its file has no name, and leaves no half file', async () => {
    const { exports, file, halves } = await killedAfter('begun')
    expect([halves().length, exports.all().length]).to.deep.equal([1, 2])
    expect([exports.recover(), halves(), exports.all(), existsSync(file)]).to.deep.equal([[], [], [], false])
  })

  it('has exported its orders when its file has its name', async () => {
    const { exports, file } = await killedAfter('renamed')
    expect([exports.recover(), [...exports.ids()], existsSync(file)]).to.deep.equal([[], [7, 8], true])
  })

  it('is told of by every command until somebody has its orders, when its file is nowhere', async () => {
    const { exports, file } = await killedAfter('renamed')
    rmSync(file)
    const told = exports.recover().map((one) => [one.file, one.orders])
    expect(told).to.deep.equal([[file, 2]])
    const unsure = exports.recover()
    expect(unsure, 'the command that was told may have been killed').to.have.length(1)
    const later = exports.entry([9], { at: Date.parse('2030-01-01') })
    later.begun(`${file}.later`, `${file}.later`)
    later.named()
    expect([exports.last(unsure)?.ids, exports.last()?.ids]).to.deep.equal([[7, 8], [9]])
    exports.settle(unsure)
    expect([exports.recover(), [...exports.ids()]]).to.deep.equal([[], [7, 8, 9]])
  })
})
