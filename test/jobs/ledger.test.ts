import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { LedgerError } from '../../src/jobs/ledger/errors.js'
import { LAYOUT_VERSION } from '../../src/jobs/ledger/layout.js'
import { openLedger } from '../../src/jobs/ledger/ledger.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { Store } from '../../src/system/sqlite.js'
import { closing } from '../opened.js'
import { cleanUp, FakeClock, tablesOf, temporaryDirectory, temporaryLedger, thrown } from './harness.js'

describe('the ledger file', () => {
  afterEach(cleanUp)

  const refused = async (path: string) => {
    const error = await thrown(() => openLedger(path, new FakeClock()))
    expect(error).to.be.instanceOf(LedgerError)
    return error as LedgerError
  }

  it('is made for its owner alone, with its directory and its side files', () => {
    const directory = join(temporaryDirectory(), 'a', 'b')
    const ledger = temporaryLedger(new FakeClock(), join(directory, 'ledger.db'))
    ledger.requests.begin({ operation: 'AddItem', subject: 'Lampa', profile: 'p' })
    expect(statSync(directory).mode & 0o777).to.equal(0o700)
    for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm']) {
      expect(statSync(join(directory, name)).mode & 0o777, name).to.equal(0o600)
    }
  })

  it('flushes each commit, uses the write-ahead log and holds its foreign keys', () => {
    const { store } = temporaryLedger()
    expect(store.first('PRAGMA synchronous')).to.deep.equal({ synchronous: 2 })
    expect(store.first('PRAGMA journal_mode')).to.deep.equal({ journal_mode: 'wal' })
    expect(() =>
      store.run(
        "INSERT INTO requests (operation, subject, profile, state, sent_at, job_id) VALUES ('AddItem', '', '', 'queued', 0, 77)",
      ),
    ).to.throw(/FOREIGN KEY/)
  })

  it('has a number of its own, by which others know it, as long as it lives', () => {
    const path = join(temporaryDirectory(), 'ledger.db')
    const first = temporaryLedger(new FakeClock(), path)
    const id = first.id()
    first.close()
    expect(id).to.be.above(0)
    expect(temporaryLedger(new FakeClock(), path).id()).to.equal(id)
    expect(temporaryLedger().id()).to.not.equal(id)
  })

  it('is laid out once where another process does it between two looks', () => {
    const path = join(temporaryDirectory(), 'ledger.db')
    const { number } = Store.prototype
    let looks = 0
    Store.prototype.number = function (sql, ...values) {
      const found = number.call(this, sql, ...values)
      if (sql === 'PRAGMA user_version' && ++looks === 1) openLedger(path, new FakeClock()).close()
      return found
    }
    try {
      expect(temporaryLedger(new FakeClock(), path).id()).to.be.above(0)
    } finally {
      Store.prototype.number = number
    }
    expect(looks).to.be.above(1)
  })

  it('keeps what was written when it is opened again, and is laid out once', () => {
    const path = join(temporaryDirectory(), 'ledger.db')
    const first = temporaryLedger(new FakeClock(), path)
    first.requests.begin({ operation: 'AddItem', subject: 'Lampa', profile: 'p' })
    first.close()
    const second = temporaryLedger(new FakeClock(), path)
    expect(second.requests.list()).to.have.length(1)
    expect(second.store.first('PRAGMA user_version')).to.deep.equal({ user_version: LAYOUT_VERSION })
  })

  it('counts calls apart that a ledger of version 0.1 counted with those of the sandbox', () => {
    const path = join(temporaryDirectory(), 'old.db')
    const store = openStore(path, 'power')
    store.exec(tablesOf('0.1.0'))
    const insert = (profile: string) =>
      store.run(
        "INSERT INTO calls (app_id, profile, service, operation, kind, attempt, at) VALUES (1, ?, 's', 'GetItem', 'read', 1, ?)",
        profile,
        new FakeClock().now(),
      )
    for (const profile of ['default', 'sandbox', 'sandbox']) insert(profile)
    store.close()
    const { calls } = temporaryLedger(new FakeClock(), path)
    expect([calls.usage(1).Used, calls.usage(1, { sandbox: true }).Used]).to.deep.equal([1, 2])
  })

  it('may be closed when its file is closed already, by an interrupt between', () => {
    const ledger = temporaryLedger()
    ledger.store.close()
    expect(() => ledger.close()).to.not.throw()
  })

  it('holds everything in the one file once it is closed', async () => {
    const path = join(temporaryDirectory(), 'ledger.db')
    const ledger = temporaryLedger(new FakeClock(), path)
    ledger.jobs.create({ kind: 'price', profile: 'p', title: 't' })
    await ledger.calls.begin([{ appId: 1, profile: 'p', service: 's', operation: 'GetItem', kind: 'read', attempt: 1 }])
    ledger.close()
    const copy = join(temporaryDirectory(), 'ledger.db')
    copyFileSync(path, copy)
    const found = temporaryLedger(new FakeClock(), copy)
    expect([found.jobs.list().length, found.calls.list().length]).to.deep.equal([1, 1])
  })

  it('is closed at once, and whole, while another connection reads an older state of it', () => {
    const path = join(temporaryDirectory(), 'ledger.db')
    const ledger = temporaryLedger(new FakeClock(), path)
    using reader = closing(openStore(path, 'power'))
    reader.exec('BEGIN')
    expect(reader.all('SELECT id FROM jobs')).to.deep.equal([])
    ledger.jobs.create({ kind: 'price', profile: 'p', title: 't' })
    ledger.close()
    expect(reader.all('SELECT id FROM jobs')).to.deep.equal([])
    reader.exec('COMMIT')
    expect(reader.all('SELECT id FROM jobs')).to.deep.equal([{ id: 1 }])
  })

  it('is named and left alone when it is damaged', async () => {
    const path = join(temporaryDirectory(), 'ledger.db')
    const text = 'no database at all, but precious. '.repeat(200)
    writeFileSync(path, text)
    const error = await refused(path)
    expect(error.kind).to.equal('damaged')
    expect(error.message).to.contain(path)
    expect(error.hint).to.contain('move the file and its -wal and -shm files away')
    expect(readFileSync(path, 'utf8')).to.equal(text)
  })

  it('is named when a page inside is broken, and not cleared', async () => {
    const path = join(temporaryDirectory(), 'ledger.db')
    const ledger = temporaryLedger(new FakeClock(), path)
    for (let i = 0; i < 300; i += 1) ledger.requests.begin({ operation: 'AddItem', subject: 'x'.repeat(200), profile: 'p' })
    ledger.store.all('PRAGMA wal_checkpoint(TRUNCATE)')
    ledger.close()
    const bytes = readFileSync(path)
    bytes.fill(0xff, 4096)
    writeFileSync(path, bytes)
    const error = await thrown(() => openLedger(path, new FakeClock()).requests.list())
    expect(error).to.be.instanceOf(LedgerError).with.property('kind', 'damaged')
    expect(readFileSync(path).equals(bytes)).to.equal(true)
  })

  it('is refused when it is the database of another program', async () => {
    const path = join(temporaryDirectory(), 'cookies.db')
    const store = openStore(path, 'power')
    store.exec('CREATE TABLE cookies (name TEXT)')
    store.close()
    const before = readFileSync(path)
    expect(await refused(path)).to.include({ kind: 'foreign', code: 'ledger_foreign' })
    expect(readFileSync(path).equals(before)).to.equal(true)
  })

  it('is named when the directory cannot be made or the file is not a ledger', async () => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'file'), '')
    expect((await refused(join(directory, 'file', 'ledger.db'))).kind).to.equal('unreadable')
    mkdirSync(join(directory, 'ledger.db'))
    const error = await refused(join(directory, 'ledger.db'))
    expect(error.kind).to.equal('unreadable')
    expect(error.message).to.contain('it is a directory')
    expect(error.hint).to.contain('SELLER_DATA_DIR')
  })

  it('tells a disk that is full', async () => {
    const ledger = temporaryLedger()
    const { page_count } = ledger.store.first<{ page_count: number }>('PRAGMA page_count') ?? { page_count: 0 }
    ledger.store.all(`PRAGMA max_page_count = ${page_count}`)
    const error = await thrown(() => ledger.requests.begin({ operation: 'AddItem', subject: 'x'.repeat(100_000), profile: 'p' }))
    expect(error).to.be.instanceOf(LedgerError).with.property('kind', 'full')
    expect(ledger.requests.list()).to.deep.equal([])
  })
})
