/** ledger:restore: a copy becomes the ledger again, and nothing is sent twice that was sent since it was made. */
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../src/jobs/ledger/store.js'
import { thisProcess } from '../../src/system/process-owner.js'
import { Hands } from './clock.js'
import { type Home, openHome, root } from './harness.js'
import { letGo } from './let-go.js'
import { pricesOf, stock } from './shop.js'

interface Look {
  readonly What: string
  readonly Id: number | null
  readonly Words: string
  readonly Command: string | null
}

describe('ledger:restore', function () {
  this.timeout(60_000)
  const clock = new Hands()
  let home: Home
  beforeEach(async () => {
    clock.time = Date.parse('2026-11-22T09:00:00+01:00')
    home = await openHome({ sandbox: { clock, faults: { queueDelayMs: 0 }, emptyShops: true } })
  })
  afterEach(() => home.close())
  const ledger = () => join(home.dataDir, 'ledger.db')
  const run = async (...args: string[]) => home.run([...args, '--json'], { clock })
  const done = async (...args: string[]) => {
    const ended = await run(...args)
    expect(ended.code, ended.stderr + ended.stdout).to.equal(0)
    return ended.json()
  }
  const restore = async (...args: string[]) => {
    await letGo(home.dataDir)
    return run('ledger:restore', 'copy.db', '--yes', ...args)
  }
  /** The rest of the ledger is gone, as after a lost disk. */
  const lose = async () => {
    await letGo(home.dataDir)
    for (const end of ['', '-wal', '-shm']) rmSync(ledger() + end, { force: true })
  }
  const titles = async (): Promise<string[]> =>
    (await done('items:list', '--type', 'shop'))
      .map(({ ShortDescription }: { ShortDescription: string }) => ShortDescription)
      .filter((title: string) => title.startsWith('Drill'))
  const addThree = () =>
    home.file('new.csv', 'Title;CategoryId;Price\nDrill 1;344481;100\nDrill 2;344481;100\nDrill 3;344481;100\n')

  it('does not list again what was listed after the copy was made, and says which rows that is about', async () => {
    const file = await addThree()
    const begun = await run('shop:add', '--file', file, '--yes', '--max-calls', '2', '--concurrency', '1')
    expect(begun.code, begun.stderr).to.equal(7)
    await done('ledger:backup', 'copy.db')
    const [job] = await done('jobs:list')
    await done('jobs:resume', String(job.JobId))
    expect(await titles()).to.have.length(3)
    await lose()
    const restored = await restore()
    expect(restored.code, restored.stderr).to.equal(0)
    const { Look, KeptAs, TakenOver, ReplacedReadable } = restored.json()
    expect([KeptAs, TakenOver?.Jobs, ReplacedReadable]).to.deep.equal([null, undefined, null])
    const look: Look | undefined = Look.find(({ What }: Look) => What === 'job')
    expect(look?.Words).to.match(/may have been sent since/)
    const shown = await done('jobs:show', String(job.JobId))
    expect(shown.State).to.equal('unknown')
    const resumed = await run('jobs:resume', String(job.JobId), '--wait')
    expect(resumed.code, resumed.stderr).to.equal(9)
    expect((await titles()).sort()).to.deep.equal(['Drill 1', 'Drill 2', 'Drill 3'])
    expect((await run('ledger:check')).json()).to.deep.equal([])
  })
  it('takes over what only the present ledger has, with ids of its own where both went on', async () => {
    const [a = 0, b = 0] = await stock(home, [500, 600])
    await done('shop:price', `${a}=510`, '--yes', '--wait')
    await done('ledger:backup', 'copy.db')
    await done('shop:price', `${b}=610`, '--yes', '--wait')
    await done('shop:discount', 'Black', `${a}=450`, '--from', 'now', '--until', '+2h', '--yes')
    await done('jobs:due')
    clock.time += 60_000
    const dry = await run('ledger:restore', 'copy.db', '--dry-run')
    expect(dry.json().TakenOver).to.deep.include({ Jobs: 2, Discounts: 1 })
    expect(existsSync(`${ledger()}.replaced`)).to.equal(false)
    const restored = await restore()
    expect(restored.stderr).to.include('The copy lacks 2 jobs, 1 discount')
    const { KeptAs } = restored.json()
    expect(statSync(KeptAs).mode & 0o777).to.equal(0o600)
    clock.time += 3 * 3_600_000
    await done('jobs:due')
    expect(await pricesOf(home, [a, b])).to.deep.equal([510, 610])
    await done('jobs:undo', '2', '--yes', '--wait')
    expect(await pricesOf(home, [b])).to.deep.equal([600])
    // The replaced one and this one have gone on differently: both have a job 4.
    await letGo(home.dataDir)
    copyFileSync(KeptAs, join(home.dir, 'copy.db'))
    const [newest] = await done('jobs:list')
    const forked = await restore()
    expect(forked.code, forked.stderr).to.equal(0)
    const jobs: { JobId: number; Title: string; UndoOf: number | null }[] = await done('jobs:list')
    expect(jobs.some(({ Title, UndoOf }) => Title === newest.Title && UndoOf === 2)).to.equal(true)
    expect(await done('ledger:check')).to.deep.equal([])
  })

  it('ends discounts whose start and end the copy does not know of', async () => {
    const [a = 0, b = 0] = await stock(home, [500, 600])
    await done('shop:discount', 'Black', `${a}=450`, `${b}=550`, '--from', '+1h', '--until', '+4h', '--yes')
    await done('ledger:backup', 'copy.db')
    clock.time += 2 * 3_600_000
    await done('jobs:due')
    expect(await pricesOf(home, [a, b])).to.deep.equal([450, 550])
    await lose()
    clock.time += 48 * 3_600_000
    const restored = await restore()
    const look = restored.json().Look.find(({ What }: Look) => What === 'discount')
    expect([look?.Words.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'MINUTE'), look?.Command]).to.deep.equal([
      'discount 1 "Black" ended at MINUTE: prices that are still those of the discount are restored',
      'seller jobs:due',
    ])
    await done('jobs:due')
    expect(await pricesOf(home, [a, b])).to.deep.equal([500, 600])
  })

  it('brings back nobody who was forgotten since, whatever else is left out', async () => {
    await home.close()
    home = await openHome({ sandbox: { clock, faults: { queueDelayMs: 0 }, emptyShops: true, extended: true } })
    const named = async (...files: string[]): Promise<boolean[]> => {
      await letGo(home.dataDir)
      return files.map((file) => /Persson|Larsson/.test(readFileSync(file, 'latin1')))
    }
    await done('orders:list')
    await done('ledger:backup', 'copy.db', '--with', 'personal')
    await done('orders:forget', '--all', '--yes')
    expect(await named(join(home.dir, 'copy.db'), ledger())).to.deep.equal([true, false])
    const restored = await restore('--no-take-over')
    expect(restored.code, restored.stderr).to.equal(0)
    expect(await named(ledger())).to.deep.equal([false])
    await done('orders:list')
    expect(await named(ledger())).to.deep.equal([false])
    const again = await run('orders:forget', '--all', '--yes')
    expect(again.stderr)
      .to.include('Ledgers that were replaced may still have names of buyers')
      .and.include(restored.json().KeptAs)
  })

  it('keeps the files of the old one, also the log that a killed run has left, and reads none of it into the copy', async () => {
    const [id = 0] = await stock(home, [500])
    await done('shop:price', `${id}=510`, '--yes', '--wait')
    await done('ledger:backup', 'copy.db')
    const other = openStore(ledger(), 'power')
    other.exec("UPDATE jobs SET title = 'of the log'")
    copyFileSync(`${ledger()}-wal`, join(home.dir, 'log'))
    other.close()
    await lose()
    copyFileSync(join(home.dir, 'log'), `${ledger()}-wal`)
    const restored = await restore()
    expect(restored.code, restored.stderr).to.equal(0)
    expect((await done('jobs:list'))[0].Title).to.include('shop:price')
    const kept = readdirSync(home.dataDir).filter((name) => name.includes('.replaced'))
    expect(kept).to.have.length(1)
    expect(kept[0]).to.match(/-wal$/)
  })

  it('refuses what is no copy: exit 2, and the ledger is as it was', async () => {
    await done('items:list')
    await letGo(home.dataDir)
    const before = readFileSync(ledger())
    const store = openStore(join(home.dir, 'newer.db'), 'power')
    store.exec('PRAGMA application_id = 1397050450; PRAGMA user_version = 99; CREATE TABLE jobs (id)')
    store.close()
    const another = openStore(join(home.dir, 'another.db'), 'power')
    another.exec('CREATE TABLE notes (id)')
    another.close()
    await home.file('text.db', 'a text')
    await home.file('empty.db', '')
    await done('ledger:backup', 'half.db')
    await letGo(home.dataDir)
    const half = readFileSync(join(home.dir, 'half.db'))
    writeFileSync(join(home.dir, 'half.db'), half.subarray(0, half.length / 2))
    for (const [file, why] of [
      ['text.db', 'it is not a database'],
      ['empty.db', 'it is empty'],
      ['another.db', 'it is a database of another program'],
      ['newer.db', 'newer version'],
      ['half.db', ''],
      [ledger(), 'is the ledger itself'],
    ] as const) {
      const refused = await run('ledger:restore', file, '--yes')
      expect([file, refused.code, refused.json().error.code], refused.stdout).to.deep.equal([file, 2, 'no_ledger_copy'])
      expect(refused.json().error.message).to.include(why)
    }
    const missing = await run('ledger:restore', 'missing.db', '--yes')
    expect([missing.code, missing.json().error.code]).to.deep.equal([2, 'unreadable_file'])
    await done('ledger:backup', 'copy.db')
    expect((await run('ledger:restore', 'copy.db')).json().error.code).to.equal('confirmation_missing')
    await letGo(home.dataDir)
    expect(readFileSync(ledger()).equals(before) || readFileSync(ledger()).length === before.length).to.equal(true)
    expect(readdirSync(home.dataDir).filter((name) => /restor|replaced/.test(name))).to.deep.equal([])
  })

  it('upgrades a copy of an older version', async () => {
    const store = openStore(join(home.dir, 'copy.db'), 'power')
    store.exec(readFileSync(join(root, 'test', 'jobs', 'layouts', '0.2.0.sql'), 'utf8'))
    store.close()
    const restored = await restore()
    expect(restored.code, restored.stderr).to.equal(0)
    expect((await done('jobs:list', '--all-profiles')).length).to.be.above(4)
    expect(await done('ledger:check')).to.deep.equal([])
  })

  it('refuses while another process has the ledger, and lets none in meanwhile', async () => {
    await done('items:list')
    await done('ledger:backup', 'copy.db')
    const other = openStore(ledger(), 'power')
    other.exec('SELECT 1 FROM jobs')
    const refused = await restore()
    expect([refused.code, refused.json().error.code], refused.stdout).to.deep.equal([1, 'ledger_busy'])
    other.close()
    const mark = `${ledger()}.restoring`
    const owner = (pid: number) => JSON.stringify({ ...JSON.parse(thisProcess()), pid })
    writeFileSync(mark, JSON.stringify({ owner: owner(process.pid), at: clock.time }))
    const kept = await run('jobs:list')
    expect([kept.code, kept.json().error.message]).to.deep.equal([
      1,
      `The ledger ${ledger()} is being restored by process ${process.pid} on ${hostname()}.`,
    ])
    // It died before it had changed anything.
    writeFileSync(mark, JSON.stringify({ owner: owner(2 ** 22 + 1), at: clock.time }))
    await done('jobs:list')
    expect(existsSync(mark)).to.equal(false)
  })

  it('is ended by the next command where it was killed in between, at any moment', async () => {
    const [id = 0] = await stock(home, [500])
    await done('shop:price', `${id}=510`, '--yes', '--wait')
    await done('ledger:backup', 'copy.db')
    await done('shop:price', `${id}=520`, '--yes', '--wait')
    await letGo(home.dataDir)
    for (const stage of ['nothing was moved', 'the old one was moved', 'the new one has its name']) {
      const file = join(home.dataDir, 'whole.db')
      const aside = `${ledger()}.aside-${stage.length}`
      copyFileSync(join(home.dir, 'copy.db'), file)
      const owner = JSON.stringify({ ...JSON.parse(thisProcess()), pid: 2 ** 22 + 1 })
      writeFileSync(`${ledger()}.restoring`, JSON.stringify({ owner, at: clock.time, swap: { file, aside } }))
      if (stage !== 'nothing was moved') renameSync(ledger(), aside)
      if (stage === 'the new one has its name') renameSync(file, ledger())
      expect(await done('jobs:list'), stage).to.have.length(1)
      expect([existsSync(aside), existsSync(`${ledger()}.restoring`), existsSync(file)], stage).to.deep.equal([
        true,
        false,
        false,
      ])
      await letGo(home.dataDir)
    }
  })

  it('leaves the ledger as it was where the disk is full', async () => {
    await done('items:list')
    await done('ledger:backup', 'copy.db')
    await letGo(home.dataDir)
    // A file may not grow over 64 kB: as a full disk, but for the name of the error.
    const full = await home.shell("trap '' XFSZ; ulimit -f 64; seller ledger:restore copy.db --yes")
    expect(full.code, full.stderr).to.not.equal(0)
    expect(readdirSync(home.dataDir).filter((name) => /restor|replaced/.test(name))).to.deep.equal([])
    expect((await done('calls:show')).Used).to.be.above(0)
  })
})
