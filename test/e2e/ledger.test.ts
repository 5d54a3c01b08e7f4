import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openLedger } from '../../src/jobs/ledger/index.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { systemClock } from '../../src/system/clock.js'
import { closing, openedForEach } from '../opened.js'
import { openHome } from './harness.js'
import { ask } from './person.js'
import { pricesOf, stock } from './shop.js'
import { hasTmux } from './terminal.js'

const DAY = 24 * 60 * 60 * 1000

/** A module that collects memory all the time, and once more at the end. */
const COLLECTS = `require('node:v8').setFlagsFromString('--expose-gc')
const collect = require('node:vm').runInNewContext('gc')
setInterval(collect, 1).unref()
process.on('exit', collect)
`

describe('the ledger', function () {
  this.timeout(60_000)
  const home = openedForEach(() => openHome({ sandbox: { faults: { queueDelayMs: 0 }, emptyShops: true } }))
  const path = () => join(home.dataDir, 'ledger.db')
  const edit = (sql: string, at = path()) => {
    const store = openStore(at, 'power')
    store.exec(sql)
    store.close()
  }
  const price = async (...prices: string[]): Promise<number> => {
    const run = await home.done('shop:price', ...prices, '--yes', '--wait', '--json')
    return run.json().JobId
  }

  describe('is one file', () => {
    it('that can be copied when no command runs: the log beside it has counts of calls and lists that were read', async () => {
      const [id = 0] = await stock(home, [500])
      const job = await price(`${id}=510`)
      await home.done('items:list')
      const elsewhere = join(home.dir, 'elsewhere')
      mkdirSync(elsewhere)
      copyFileSync(path(), join(elsewhere, 'ledger.db'))
      const env = { SELLER_DATA_DIR: elsewhere }
      const shown = await home.run(['jobs:show', String(job), '--json'], { env })
      expect(shown.json().Rows[0]).to.include({ Id: id, OldPrice: 500, Price: 510, State: 'ok' })
      // The copy is a ledger: its jobs can be undone.
      expect((await home.run(['jobs:undo', String(job), '--yes', '--wait'], { env })).code).to.equal(0)
      expect(await pricesOf(home, [id])).to.deep.equal([500])
    })

    it('that a command which only reads does not write: nothing is flushed', async () => {
      await using own = closing(await openHome({ sandbox: { extended: true, faults: { queueDelayMs: 0 }, emptyShops: true } }))
      const [id = 0] = await stock(own, [500])
      await own.done('shop:price', `${id}=510`, '--yes', '--wait')
      const state = () => ['ledger.db', 'ledger.db-wal'].map((name) => statSync(join(own.dataDir, name)))
      for (const words of [
        'items:list',
        'orders:list',
        'today',
        'jobs:list',
        'shop:price --all --add 1kr --dry-run',
        'jobs:due',
      ]) {
        const [file, log] = state()
        const run = await own.spawn([...words.split(' '), '--json']).done
        expect(run.code, `${words}: ${run.stdout.slice(0, 400)}`).to.be.oneOf([0, 4])
        const [after, grown] = state()
        expect(after?.mtimeMs, words).to.equal(file?.mtimeMs)
        // A log that was begun again would be flushed for its head.
        expect(grown?.size ?? 0, words).to.be.at.least(log?.size ?? 0)
        expect(log?.size, words).to.be.above(0)
      }
    })

    it('whose log grows to half a megabyte, and is then folded into it', async () => {
      await home.done('items:list')
      const sizes = new Set<number>()
      const ledger = openLedger(path(), systemClock)
      const call = { appId: 1, profile: 'default', service: 'x', operation: 'GetItem', kind: 'read', attempt: 1 }
      for (let size = 0; size < 700_000; size = statSync(`${path()}-wal`).size) {
        await ledger.calls.begin([call])
        sizes.add(size)
      }
      ledger.close()
      expect(Math.max(...sizes)).to.be.above(600_000)
      expect(statSync(`${path()}-wal`).size).to.be.within(1, 20_000)
      expect((await home.seller('calls:show', '--json')).json().Used).to.be.at.least(sizes.size)
    })

    it('in whose place another one is refused while its log is there', async () => {
      const [id = 0] = await stock(home, [500])
      await price(`${id}=510`)
      const old = join(home.dir, 'old.db')
      copyFileSync(path(), old)
      await price(`${id}=520`)
      await home.spawn(['items:list']).done
      const kept = readFileSync(path())
      const log = readFileSync(`${path()}-wal`)
      const put = (at: number) => {
        rmSync(path())
        copyFileSync(old, path())
        utimesSync(path(), at / 1000, at / 1000)
        return readFileSync(path())
      }
      for (const later of [-3 * 3_600_000, 60_000, 3 * 3_600_000]) {
        const file = put(Date.now() + later)
        const run = await home.spawn(['jobs:list', '--json']).done
        expect([run.code, run.json().error.code], run.stdout).to.deep.equal([1, 'ledger_damaged'])
        expect(run.json().error.message).to.include('another file')
        expect([readFileSync(path()).equals(file), readFileSync(`${path()}-wal`).equals(log)]).to.deep.equal([true, true])
      }
      // As it says: the log is moved away.
      for (const end of ['-wal', '-shm']) renameSync(`${path()}${end}`, join(home.dir, `away${end}`))
      expect((await home.spawn(['jobs:list', '--json']).done).json()).to.have.length(1)
      expect((await home.spawn(['ledger:check', '--json']).done).json()).to.deep.equal([])
      // A whole data directory that was copied is as it was.
      const env = { SELLER_DATA_DIR: join(home.dir, 'moved') }
      mkdirSync(env.SELLER_DATA_DIR)
      writeFileSync(join(env.SELLER_DATA_DIR, 'ledger.db'), kept)
      writeFileSync(join(env.SELLER_DATA_DIR, 'ledger.db-wal'), log)
      expect((await home.spawn(['jobs:list', '--json'], { env }).done).json()).to.have.length(2)
    })

    it('also when another process has it open, whose work goes on', async () => {
      const [id = 0] = await stock(home, [500])
      await price(`${id}=505`)
      const other = openStore(path(), 'power')
      try {
        other.exec('BEGIN IMMEDIATE')
        other.run("UPDATE jobs SET title = 'kept'")
        // It may read. What it cannot merge stays, without waiting.
        expect((await home.seller('jobs:list')).code).to.equal(0)
        other.exec('COMMIT')
      } finally {
        other.close()
      }
      expect((await home.seller('jobs:list', '--json')).json()[0].Title).to.equal('kept')
    })
  })

  describe('is backed up', () => {
    it('to a file for its owner alone, which is a ledger', async () => {
      const [id = 0] = await stock(home, [500])
      const job = await price(`${id}=510`)
      const run = await home.done('ledger:backup', 'copy.db', '--json')
      const copy = join(home.dir, 'copy.db')
      expect(run.json()).to.deep.equal({ File: copy, Bytes: statSync(copy).size, Jobs: 1, Requests: 0, Faults: 0 })
      expect(statSync(copy).mode & 0o777).to.equal(0o600)
      const elsewhere = join(home.dir, 'elsewhere')
      mkdirSync(elsewhere)
      copyFileSync(copy, join(elsewhere, 'ledger.db'))
      const shown = await home.run(['jobs:show', String(job), '--json'], { env: { SELLER_DATA_DIR: elsewhere } })
      expect(shown.json().Rows[0]).to.include({ Id: id, OldPrice: 500, Price: 510 })
    })

    it('replaces another file only with --force and never itself, and leaves nothing behind', async () => {
      await home.seller('items:list')
      const precious = await home.file('precious', 'precious')
      expect((await home.seller('ledger:backup', 'precious')).code).to.equal(2)
      expect(readFileSync(precious, 'utf8')).to.equal('precious')
      expect((await home.seller('ledger:backup', 'precious', '--force')).code).to.equal(0)
      expect(readFileSync(precious).subarray(0, 15).toString()).to.equal('SQLite format 3')
      symlinkSync(path(), join(home.dir, 'link'))
      const itself = await home.seller('ledger:backup', 'link', '--force', '--json')
      expect([itself.code, itself.json().error.message]).to.deep.equal([
        2,
        'The file "link" cannot be written: it is the ledger itself.',
      ])
      expect((await home.seller('ledger:check')).code).to.equal(0)
      expect((await home.shell('ls -A')).stdout).to.not.include('.tmp')
    })

    it('whole while others write', async () => {
      const ids = await stock(
        home,
        Array.from({ length: 40 }, () => 500),
      )
      await price(`${ids[0]}=501`)
      const writers = ids.slice(1, 5).map((id) => home.spawn(['shop:price', `${id}=510`, '--yes']).done)
      const copies: string[] = []
      for (let at = 0; at < 5; at++) {
        const run = await home.done('ledger:backup', `${at}.db`, '--json')
        expect(run.json().Faults).to.equal(0)
        copies.push(run.json().File)
      }
      for (const { code, stderr } of await Promise.all(writers)) expect(code, stderr).to.equal(0)
      expect((await home.seller('ledger:check', '--json')).json()).to.deep.equal([])
      expect(copies).to.have.lengthOf(5)
    })
  })

  it('is left within a moment at Ctrl-C, with the truth, however long the work would take', async function () {
    if (!hasTmux) this.skip()
    await home.seller('jobs:list')
    edit(
      `INSERT INTO requests (operation, subject, profile, state, sent_at, finished_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) SELECT 'AddItem', 'x', 'shop', 'failed', 1, 1 FROM n;
       PRAGMA writable_schema = ON;
       UPDATE sqlite_schema SET sql = replace(sql, 'adds TEXT', 'adds TEXT CHECK (length(replace(hex(zeroblob(2000000)), 0, row)) > 0)')
         WHERE name = 'requests'`,
    )
    // A check takes minutes now, and as long as another process writes, nothing is removed.
    using other = closing(openStore(path(), 'power'))
    other.exec('BEGIN IMMEDIATE')
    for (const [args, working, truth] of [
      [['ledger:check'], 'Checking the ledger', 'the ledger was not checked to its end'],
      [['ledger:backup', 'copy.db'], 'Copying and checking', 'No copy was written.'],
      [['ledger:prune', '--older-than', '1d', '--yes'], 'Removing old records', 'All of it is removed, or nothing.'],
    ] as const) {
      const terminal = await home.terminal(args)
      await terminal.shows(working)
      await terminal.press('C-c')
      const { code, screen } = await terminal.done()
      expect([args[0], code], screen).to.deep.equal([args[0], 130])
      expect(screen.replace(/\s+/g, ' ')).to.include(truth)
    }
    expect(readdirSync(home.dir).filter((name) => name.startsWith('copy.db'))).to.deep.equal([])
    expect(other.first('SELECT count(*) AS n FROM requests')).to.deep.equal({ n: 4000 })
  })

  describe('is checked', () => {
    it('and every broken rule is listed: exit 1', async () => {
      const [one = 0, two = 0] = await stock(home, [500, 600])
      const job = await price(`${one}=510`, `${two}=610`)
      await home.seller('shop:remove', String(one))
      edit(`
        UPDATE bulk_states SET ok = 7;
        UPDATE bulk_batches SET prices = x'00', own_references = '{}';
        UPDATE requests SET request_id = NULL;
        UPDATE jobs SET finished_at = NULL;
        PRAGMA foreign_keys = OFF;
        UPDATE requests SET job_id = 77;
      `)
      const run = await home.seller('ledger:check', '--json')
      expect(run.code).to.equal(1)
      const problems = run.json().map(({ Check, Where, Problem }: Record<string, string>) => [Check, Where, Problem])
      expect(problems).to.deep.equal([
        ['references', 'requests 1', 'it names a row of jobs that is not there'],
        ['jobs', `job ${job}`, 'it is finished without a time, or unfinished with one'],
        ['requests', 'request row 1', 'it was taken by the service, and has no request id'],
        ['rows', `job ${job}, batch 1`, 'prices holds 0.25 values for 2 rows'],
        ['rows', `job ${job}, batch 1`, 'own_references is not a list of 2 values'],
        ['rows', `job ${job}, batch 1`, 'it counts 7 rows as ok, and has 2'],
      ])
      const backup = await home.seller('ledger:backup', 'copy.db', '--json')
      expect([backup.code, backup.json().Faults]).to.deep.equal([1, 6])
    })

    it('and damaged, or of a newer version: exit 1, and left as it is', async () => {
      await home.seller('items:list')
      edit('PRAGMA user_version = 99')
      const newer = await home.seller('ledger:check', '--json')
      expect([newer.code, newer.json()[0].Check]).to.deep.equal([1, 'file'])
      expect(newer.json()[0].Problem).to.include('newer version')
      // In separate processes: damage would also reach what this one still has open of the file.
      const dataDir = join(home.dir, 'damaged')
      const env = { SELLER_DATA_DIR: dataDir }
      const file = join(dataDir, 'ledger.db')
      await home.spawn(['items:list'], { env }).done
      const bytes = readFileSync(file).fill(0xff, 4096)
      writeFileSync(file, bytes)
      // Memory may be collected at any time, and what is collected is closed.
      const collects = await home.file('collects.cjs', COLLECTS)
      const collecting = { ...env, NODE_OPTIONS: `--require=${collects}` }
      const damaged = await home.spawn(['ledger:check', '--json'], { env: collecting }).done
      expect(damaged.code).to.equal(1)
      expect(damaged.json()[0].Problem).to.include('damaged')
      expect(readFileSync(file).equals(bytes)).to.equal(true)
    })

    it('not where it cannot be opened: that is no fault of the file', async () => {
      const dataDir = join(home.dir, 'blocked')
      mkdirSync(join(dataDir, 'ledger.db'), { recursive: true })
      const run = await home.run(['ledger:check', '--json'], { env: { SELLER_DATA_DIR: dataDir } })
      expect([run.code, run.json().error?.category]).to.deep.equal([1, 'internal'])
    })
  })

  describe('is pruned', () => {
    /** Makes everything in it older. */
    const age = (days: number) =>
      edit(`UPDATE jobs SET created_at = created_at - ${days * DAY}, finished_at = finished_at - ${days * DAY};
        UPDATE requests SET sent_at = sent_at - ${days * DAY}, finished_at = finished_at - ${days * DAY};
        UPDATE calls SET at = at - ${days * DAY};`)

    it('of what ended long ago, and never of unfinished work, last prices or what a kept job takes back', async () => {
      const [a = 0, b = 0, c = 0, d = 0] = await stock(home, [500, 600, 700, 800])
      const repeated = await price(`${a}=510`)
      const both = await price(`${a}=520`, `${b}=610`)
      const undo = (await home.seller('jobs:undo', String(both), '--yes', '--wait', '--json')).json().JobId
      const open = (await home.seller('shop:price', `${c}=710`, '--yes', '--json')).json().JobId
      await home.seller('shop:remove', String(d), '--wait')
      age(401)
      const fresh = await price(`${b}=605`)
      const dry = (await home.seller('ledger:prune', '--older-than', '400d', '--dry-run', '--json')).json()
      // The undo holds the last price of a, and undoes `both`.
      expect(dry).to.deep.include({ Jobs: [repeated], Rows: 1, Requests: 1, BytesAfter: null })
      expect(dry.Kept).to.deep.equal({ Unfinished: [], LastPrices: [undo], Referred: [both] })
      const shown = await home.seller('ledger:prune', '--older-than', '400d', '--dry-run', '-o', 'table')
      expect(shown.stdout)
        .to.match(/^Jobs +1$/m)
        .and.match(/^Older jobs kept +1 with the last known price of an item, 1 that a later job takes back$/m)
      const asked = await home.seller('ledger:prune', '--older-than', '400d', '--json')
      expect([asked.code, asked.json().error.code]).to.deep.equal([6, 'confirmation_missing'])
      const pruned = await home.done('ledger:prune', '--older-than', '400d', '--yes', '--json')
      expect(pruned.json()).to.deep.include({ Jobs: [repeated], Rows: 1, Requests: 1 })
      expect(pruned.json().BytesAfter).to.be.a('number')
      const left = (await home.seller('jobs:list', '--json')).json().map(({ JobId }: { JobId: number }) => JobId)
      expect(left).to.deep.equal([fresh, open, undo, both])
      expect((await home.seller('requests:list', '--json')).json()).to.deep.equal([])
      expect((await home.seller('ledger:check', '--json')).json()).to.deep.equal([])
      expect((await home.seller('jobs:resume', String(open), '--wait')).code).to.equal(0)
      const nothing = await home.seller('ledger:prune', '--older-than', '400d', '--yes', '--json')
      expect([nothing.code, nothing.json().Jobs, nothing.json().BytesAfter]).to.deep.equal([0, [], null])
    })

    it('after a question that says how much goes, and names twenty of the jobs', async () => {
      const empty = await home.seller('items:list').then(() => home.seller('ledger:prune', '--older-than', '400d', '--yes'))
      expect(empty.stderr).to.match(/^Nothing older than 20\d\d-\d\d-\d\d \d\d:\d\d can be removed\.\n$/)
      const jobs = (count: number) =>
        edit(`WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${count})
          INSERT INTO jobs (kind, profile, title, state, created_at, finished_at) SELECT 'price', 'default', '', 'ok', 0, 1 FROM n`)
      for (const [more, named, sum] of [
        [20, ' 19, 20.\n', '20 jobs with 0 rows'],
        [1, ' 19, 20 and 1 more.\n', '21 jobs with 0 rows'],
      ] as const) {
        jobs(more)
        const person = ask(home, ['ledger:prune', '--older-than', '400d'], { columns: 200 })
        const shown = await person.sees(`Remove ${sum}, all older than`)
        expect(shown).to.include('Jobs to remove: 1, 2, 3').and.to.include(named)
        await person.enters('n')
        expect((await person.done).code).to.equal(6)
      }
      const dry = await home.seller('ledger:prune', '--older-than', '400d', '--dry-run', '--json')
      expect([dry.stderr, dry.json().Jobs.length]).to.deep.equal(['Nothing was removed. This would be:\n', 21])
    })
  })

  describe('is missed', () => {
    const warning = /is empty, but the profile "default" has used one there since/

    it('where it was deleted: a warning, until the old one is back or the loss is accepted', async () => {
      // Processes: within one, SQLite shares what it keeps of a file among all that open it.
      const seller = (...args: string[]) => home.spawn(args).done
      expect((await seller('items:list')).stderr).to.not.match(warning)
      expect((await seller('items:list')).stderr).to.equal('')
      const kept = join(home.dir, 'kept.db')
      renameSync(path(), kept)
      for (const end of ['-wal', '-shm']) rmSync(`${path()}${end}`, { force: true })
      const run = await seller('jobs:list', '--json')
      expect([run.code, run.stdout]).to.deep.equal([0, '[]\n'])
      expect(run.stderr).to.match(warning).and.include('seller ledger:restore FILE')
      expect((await seller('jobs:list')).stderr).to.match(warning)
      expect((await seller('items:list')).stderr).to.match(warning)
      const anew =
        /was started again, empty, on \d{4}-\d\d-\d\d: it has nothing of what the profile "default" recorded there since/
      for (const _time of ['next', 'and the next']) expect((await seller('items:list')).stderr).to.match(anew)
      for (const end of ['', '-wal', '-shm']) renameSync(`${path()}${end}`, join(home.dir, `another.db${end}`))
      renameSync(kept, path())
      expect((await seller('items:list')).stderr, 'the old one is back').to.equal('')
      expect((await seller('items:list')).stderr).to.equal('')
      expect((await seller('ledger:check', '--accept', 'loss')).stderr).to.include('there is nothing to accept')
      rmSync(path())
      await seller('items:list')
      const accepted = await seller('ledger:check', '--accept', 'loss')
      expect([accepted.code, accepted.stderr.includes('The loss is accepted')], accepted.stderr).to.deep.equal([0, true])
      expect((await seller('items:list')).stderr).to.equal('')
      // The note is next to the settings, readable only by the owner.
      expect(statSync(join(home.configDir, 'ledgers.json')).mode & 0o777).to.equal(0o600)
    })

    it('where the data directory moved', async () => {
      await home.seller('items:list')
      const env = { SELLER_DATA_DIR: join(home.dir, 'new') }
      const run = await home.run(['jobs:list'], { env })
      expect(run.stderr).to.include(`which has used ${path()} since`).and.include(`SELLER_DATA_DIR=${home.dataDir}`)
      await home.run(['items:list'], { env })
      expect((await home.run(['items:list'], { env })).stderr).to.equal('')
      // Both have something of the profile by now.
      expect((await home.seller('items:list')).stderr).to.equal('')
    })

    it('not for the sandbox, nor where the note cannot be read or written', async () => {
      await home.seller('items:list', '-p', 'sandbox')
      expect(existsSync(join(home.configDir, 'ledgers.json'))).to.equal(false)
      mkdirSync(join(home.configDir, 'ledgers.json'), { recursive: true })
      expect((await home.seller('items:list')).stderr).to.equal('')
      expect((await home.seller('items:list')).code).to.equal(0)
    })
  })

  it('counts the calls of the sandbox apart from those of an application with the same id', async () => {
    await home.seller('items:list')
    for (let at = 0; at < 3; at++) await home.seller('items:list', '-p', 'sandbox')
    const real = (await home.seller('calls:show', '--json')).json()
    const sandbox = (await home.seller('calls:show', '-p', 'sandbox', '--json')).json()
    expect([real.AppId, real.Used]).to.deep.equal([SANDBOX_PROFILE.appId, 1])
    expect([sandbox.AppId, sandbox.Used]).to.deep.equal([SANDBOX_PROFILE.appId, 3])
    expect((await home.seller('calls:show', '--list', '--json')).json()).to.have.lengthOf(1)
  })
})
