/** Files in the place of the ledger that are not a complete one: each has its own message, and stays as it is. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { LedgerError } from '../../src/jobs/ledger/errors.js'
import { LAYOUT_VERSION } from '../../src/jobs/ledger/layout.js'
import { type Ledger, openLedger, openLedgerToRead } from '../../src/jobs/ledger/ledger.js'
import { ledgerError, openStore } from '../../src/jobs/ledger/store.js'
import { SqliteFault } from '../../src/system/sqlite.js'
import { cleanUp, FakeClock, temporaryDirectory, thrown } from './harness.js'

const LAMP = { operation: 'AddItem', subject: 'Lampa', profile: 'p' }

describe('an odd ledger', () => {
  afterEach(cleanUp)

  let path: string
  beforeEach(() => {
    path = join(temporaryDirectory(), 'ledger.db')
  })

  const refused = async () => {
    const error = await thrown(() => openLedger(path, new FakeClock()))
    expect(error).to.be.instanceOf(LedgerError)
    return error as LedgerError
  }
  const make = () => {
    const ledger = openLedger(path, new FakeClock())
    ledger.requests.begin(LAMP)
    ledger.close()
  }
  const change = (sql: string) => {
    const store = openStore(path, 'power')
    store.exec(sql)
    store.close()
  }

  it('that is a FIFO is refused at once: nobody waits for its other end', async () => {
    execFileSync('mkfifo', [path])
    const error = await refused()
    expect(error).to.include({ kind: 'unreadable' })
    expect(error.message).to.include('it is a FIFO')
  })

  it('that is a directory is called one', async () => {
    mkdirSync(path)
    expect((await refused()).message).to.include('it is a directory')
  })

  it('of layout 0 with tables is not taken for a new one', async () => {
    make()
    change('PRAGMA user_version = 0')
    const before = readFileSync(path)
    const error = await refused()
    expect(error).to.include({ kind: 'damaged' })
    expect(error.message).to.include('tables and no layout version')
    expect(readFileSync(path).equals(before)).to.equal(true)
  })

  it('without one of its tables is named, and the table is not made anew', async () => {
    make()
    change('DROP TABLE listing_steps')
    const error = await refused()
    expect(error).to.include({ kind: 'damaged' })
    expect(error.message).to.include('it lacks the table listing_steps')
    expect((await refused()).message, 'still').to.include('it lacks the table listing_steps')
  })

  it('without several of its tables names them all', async () => {
    make()
    change('DROP TABLE listing_steps; DROP TABLE bulk_states')
    expect((await refused()).message).to.match(/it lacks the tables (listing_steps, bulk_states|bulk_states, listing_steps)\./)
  })

  it('that is a link whose file is not there yet is made where the link points', () => {
    const target = join(temporaryDirectory(), 'target.db')
    symlinkSync(target, path)
    make()
    expect(existsSync(target)).to.equal(true)
  })

  it('of no bytes is begun anew, and says so unless it was made just now', () => {
    const states = [0, 60, 61].map((secondsAgo) => {
      path = join(temporaryDirectory(), 'ledger.db')
      writeFileSync(path, '')
      const clock = new FakeClock()
      const made = new Date(clock.now() - secondsAgo * 1000)
      utimesSync(path, made, made)
      const ledger = openLedger(path, clock)
      ledger.close()
      return ledger.state
    })
    expect(states).to.deep.equal(['as found', 'as found', 'emptied'])
  })

  it('of no bytes beside a log was not emptied: all of it may be in the log still', () => {
    const clock = new FakeClock()
    writeFileSync(path, '')
    writeFileSync(`${path}-wal`, '')
    const made = new Date(clock.now() - 3_600_000)
    utimesSync(path, made, made)
    const ledger = openLedger(path, clock)
    ledger.close()
    expect(ledger.state).to.equal('as found')
  })

  it('with something in it was not emptied, however old', () => {
    openLedger(path, new FakeClock()).close()
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
    utimesSync(path, new Date(0), new Date(0))
    const ledger = openLedger(path, new FakeClock())
    ledger.close()
    expect(ledger.state).to.equal('as found')
  })

  for (const [kind, make] of [
    ['newer', () => change('PRAGMA user_version = 999')],
    ['damaged', () => writeFileSync(path, 'no database at all. '.repeat(500))],
    ['foreign', () => change('PRAGMA application_id = 5')],
  ] as const) {
    it(`that is ${kind} is not read either, and is named itself, not a copy of it`, async () => {
      if (kind === 'newer') openLedger(path, new FakeClock()).close()
      make()
      const error = (await thrown(() => openLedgerToRead(path, new FakeClock()))) as LedgerError
      expect(error).to.include({ kind, path })
      expect(error.details).to.deep.equal({ path })
      expect(error.message).to.include(path)
    })
  }

  it('that only its owner may use keeps its mode', () => {
    make()
    for (const mode of [0o600, 0o700]) {
      chmodSync(path, mode)
      make()
      expect(statSync(path).mode & 0o777).to.equal(mode)
    }
    for (const mode of [0o610, 0o601, 0o640, 0o604]) {
      chmodSync(path, mode)
      make()
      expect(statSync(path).mode & 0o777).to.equal(0o600)
    }
  })

  for (const [version, kind, words] of [
    [LAYOUT_VERSION + 1, 'newer', `(layout ${LAYOUT_VERSION + 1})`],
    [1, 'damaged', 'no version of this tool writes layout 1'],
    [-1, 'damaged', 'no version of this tool writes layout -1'],
  ] as const) {
    it(`of layout ${version} is refused and stays as it is`, async () => {
      make()
      change(`PRAGMA user_version = ${version}`)
      const before = readFileSync(path)
      const error = await refused()
      expect(error).to.include({ kind })
      expect(error.message).to.include(words)
      expect(readFileSync(path).equals(before)).to.equal(true)
    })
  }

  for (const [fault, kind, message] of [
    ['damaged', 'damaged', 'The ledger /l.db is damaged: why.'],
    ['busy', 'busy', 'The ledger /l.db was locked by another process for more than 10 s.'],
    ['full', 'full', 'The ledger /l.db cannot grow: the disk is full.'],
    ['unusable', 'unreadable', 'The ledger /l.db cannot be opened or written: why.'],
  ] as const) {
    it(`has words of its own for a file that is ${fault}`, () => {
      const error = ledgerError(new SqliteFault(fault, '/l.db', 'why', new Error('of the driver')))
      expect(error).to.deep.include({ kind, message, path: '/l.db', code: `ledger_${kind}` })
      expect(error.details).to.deep.equal({ path: '/l.db' })
      expect(error.hint).to.match(/\.$/)
    })
  }

  describe('that cannot be written', () => {
    /** Does the work as a user to whom file modes apply; they do not keep root from writing. */
    function unprivileged<T>(directory: string, work: () => T): T {
      if (process.getuid?.() !== 0) return work()
      const somebody = 65_534
      for (const name of readdirSync(directory)) chownSync(join(directory, name), somebody, somebody)
      chownSync(directory, somebody, somebody)
      process.seteuid?.(somebody)
      try {
        return work()
      } finally {
        process.seteuid?.(0)
      }
    }
    const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('seller-ledger-'))

    // Without the index of the log (-shm), SQLite must write in order to read, and no process has the file open.
    for (const [ends, whose] of [
      [['', '-wal'], 'of a killed process'],
      [['', '-wal', '-shm'], 'that another may be writing'],
    ] as const)
      it(`is read from a copy, which is gone afterwards, with what its log holds: one ${whose}`, () => {
        const writer = openLedger(path, new FakeClock())
        writer.requests.begin(LAMP)
        // The rows of a dead process are marked, so the ledger must be written.
        writer.store.run("UPDATE requests SET owner = 'gone'")
        const directory = temporaryDirectory()
        for (const name of ends.map((end) => `ledger.db${end}`)) {
          copyFileSync(join(path, '..', name), join(directory, name))
          chmodSync(join(directory, name), 0o400)
        }
        writer.close()
        path = join(directory, 'ledger.db')
        chmodSync(directory, 0o500)
        const before = copies()
        try {
          unprivileged(directory, () => {
            expect(() => openLedger(path, new FakeClock())).to.throw(LedgerError, 'cannot be opened')
            const ledger: Ledger = openLedgerToRead(path, new FakeClock())
            expect(ledger).to.include({ state: 'copy', path })
            expect(ledger.requests.list().map(({ Subject }) => Subject)).to.deep.equal(['Lampa'])
            expect(copies().length).to.equal(before.length + 1)
            ledger.close()
          })
          expect(copies()).to.deep.equal(before)
        } finally {
          chmodSync(directory, 0o700)
        }
      })

    it('is read from a copy also where it has no log', () => {
      make()
      const directory = temporaryDirectory()
      copyFileSync(path, join(directory, 'ledger.db'))
      path = join(directory, 'ledger.db')
      chmodSync(path, 0o400)
      chmodSync(directory, 0o500)
      const before = copies()
      try {
        unprivileged(directory, () => {
          const ledger = openLedgerToRead(path, new FakeClock())
          expect(ledger.state).to.equal('copy')
          expect(ledger.requests.list()).to.have.length(1)
          ledger.close()
        })
      } finally {
        chmodSync(directory, 0o700)
      }
      expect(copies()).to.deep.equal(before)
    })

    it('is not taken for an empty one where it is not there', () => {
      const directory = join(path, '..')
      chmodSync(directory, 0o500)
      const before = copies()
      try {
        unprivileged(directory, () => {
          expect(() => openLedgerToRead(path, new FakeClock())).to.throw(LedgerError, `The ledger ${path} cannot be opened`)
        })
      } finally {
        chmodSync(directory, 0o700)
      }
      expect(copies()).to.deep.equal(before)
    })

    it('is still refused to who cannot read it', () => {
      make()
      const directory = join(path, '..')
      for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0)
      const before = copies()
      unprivileged(directory, () => {
        expect(() => openLedgerToRead(path, new FakeClock())).to.throw(LedgerError, 'cannot be opened')
      })
      expect(copies()).to.deep.equal(before)
      expect(existsSync(path)).to.equal(true)
    })
  })
})
