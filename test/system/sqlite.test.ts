import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { errnoWords } from '../../src/system/errno.js'
import { type SqliteFault, Store, sqliteFault } from '../../src/system/sqlite.js'
import { scratch } from '../scratch.js'
import { thrownBy } from '../thrown.js'

class Translated extends Error {
  constructor(readonly fault: SqliteFault) {
    super(fault.kind)
  }
}

describe('a SQLite file', () => {
  let folder = ''
  let serial = 0
  const stores: Store[] = []
  before(() => {
    folder = mkdtempSync(join(scratch(), 'sqlite-'))
  })
  afterEach(() => {
    for (const store of stores.splice(0)) store.close()
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  function open(path = join(folder, `${++serial}.db`), durability: 'power' | 'process' = 'process', foreignKeys = true): Store {
    const store = new Store(path, { durability, foreignKeys, errorOf: (fault) => new Translated(fault) })
    stores.push(store)
    return store
  }

  const faultOf = (work: () => unknown): SqliteFault => thrownBy(Translated, work).fault

  it('keeps what it was opened with', () => {
    const settings = (store: Store) =>
      ['synchronous', 'foreign_keys', 'busy_timeout'].map((name) => Object.values(store.first<object>(`PRAGMA ${name}`) ?? {})[0])
    expect(settings(open(undefined, 'power', true))).to.deep.equal([2, 1, 10_000])
    expect(settings(open(undefined, 'process', false))).to.deep.equal([1, 0, 10_000])
  })

  it('binds booleans as 1 and 0, undefined as null, and keeps texts and bytes', () => {
    const row = open().first<Record<string, unknown>>(
      'SELECT ? AS yes, ? AS no, ? AS unset, ? AS empty, ? AS words, hex(?) AS bytes',
      ...[true, false, undefined, null, 'åäö 🙂', new Uint8Array([0, 1, 255]).subarray(1)],
    )
    expect(row).to.deep.equal({ yes: 1, no: 0, unset: null, empty: null, words: 'åäö 🙂', bytes: '01FF' })
  })

  it('gives rows as objects, as arrays, or the first alone', () => {
    const store = open()
    store.exec('CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2), (3, 4)')
    expect(store.all('SELECT * FROM t')).to.deep.equal([
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ])
    expect(store.rows('SELECT * FROM t')).to.deep.equal([
      [1, 2],
      [3, 4],
    ])
    expect(store.first('SELECT * FROM t ORDER BY a DESC LIMIT 1')).to.deep.equal({ a: 3, b: 4 })
    expect(store.first('SELECT * FROM t WHERE a = ?', 9)).to.equal(undefined)
    // The same text again in the other form: raw statements are kept separately.
    expect(store.all('SELECT * FROM t LIMIT 1')).to.deep.equal([{ a: 1, b: 2 }])
  })

  it('says how many rows changed and which was inserted', () => {
    const store = open()
    store.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, a)')
    expect(store.run('INSERT INTO t (a) VALUES (?)', 'x')).to.deep.equal({ changes: 1, id: 1 })
    expect(store.run('INSERT INTO t (a) VALUES (?), (?)', 'y', 'z')).to.deep.equal({ changes: 2, id: 3 })
    expect(store.run('UPDATE t SET a = ? WHERE id > 9', 'w').changes).to.equal(0)
  })

  it('refuses to run what returns rows, before it has an effect', () => {
    const store = open()
    store.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)')
    expect(() => store.run('UPDATE t SET a = 2 RETURNING a')).to.throw(RangeError, 'returns rows')
    expect(store.all('SELECT a FROM t')).to.deep.equal([{ a: 1 }])
    expect(store.first('UPDATE t SET a = 2 RETURNING a')).to.deep.equal({ a: 2 })
  })

  it('leaves a long work in pieces now and then to others, for longer than SQLite pauses between two looks at a file in use', () => {
    const store = open()
    const lastOf = (pieces: readonly number[]) => {
      const starts = pieces.map((ms) =>
        store.piece(() => {
          const start = performance.now()
          while (performance.now() - start < ms);
          return { start, end: performance.now() }
        }),
      )
      const [before, last] = starts.slice(-2)
      return (last?.start ?? 0) - (before?.end ?? 0)
    }
    expect(lastOf([300, 1])).to.be.lessThan(100)
    expect(lastOf([250, 1])).to.be.at.least(100)
    expect(lastOf([300, 1]), 'a while after a pause').to.be.lessThan(100)
  })

  it('takes back all of a transaction that fails, those inside it too', () => {
    const store = open()
    store.exec('CREATE TABLE t (a)')
    const insert = () => store.transaction(() => store.run('INSERT INTO t VALUES (1)'))
    const count = () => store.first<{ n: number }>('SELECT count(*) AS n FROM t')?.n
    expect(() =>
      store.transaction(() => {
        insert()
        throw new Error('half way')
      }),
    ).to.throw('half way')
    expect(count()).to.equal(0)
    store.transaction(() => {
      insert()
      insert()
    })
    expect(count()).to.equal(2)
  })

  it('throws the first error where SQLite has rolled back by itself', () => {
    const store = open()
    store.exec('CREATE TABLE t (a UNIQUE ON CONFLICT ROLLBACK); INSERT INTO t VALUES (1)')
    const work = () => store.transaction(() => store.run('INSERT INTO t VALUES (1)'))
    expect(work).to.throw(/UNIQUE constraint failed/)
    expect(store.transaction(() => store.first('SELECT a FROM t'))).to.deep.equal({ a: 1 })
  })

  it('writes after another connection has, whatever was read before', () => {
    const store = open()
    store.useWriteAheadLog()
    store.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)')
    store.first('SELECT a FROM t')
    store.rows('SELECT a FROM t')
    open(store.path).run('INSERT INTO t VALUES (3)')
    store.transaction(() => store.run('INSERT INTO t VALUES (4)'))
    expect(store.first('SELECT count(*) AS n FROM t')).to.deep.equal({ n: 4 })
    expect(store.first('PRAGMA journal_mode')).to.deep.equal({ journal_mode: 'wal' })
  })

  it('lets its opener say what is wrong with the file', () => {
    const notes = join(folder, 'notes.txt')
    writeFileSync(notes, 'No database, but long enough to be taken for one by its first bytes. '.repeat(20))
    expect(faultOf(() => open(notes))).to.include({ kind: 'damaged', path: notes })
    expect(faultOf(() => open(join(folder, 'no', 'such.db'))).kind).to.equal('unusable')
    expect(faultOf(() => open(folder)).kind).to.equal('unusable')
    // The driver would end the process.
    expect(faultOf(() => open(join(folder, 'a\0b.db'))).kind).to.equal('unusable')
    const full = open()
    full.exec('CREATE TABLE t (a); PRAGMA max_page_count = 2')
    expect(faultOf(() => full.run('INSERT INTO t VALUES (zeroblob(100000))')).kind).to.equal('full')
  })

  it('tells a file that is held by another from one that cannot be used', () => {
    const store = open()
    const other = open(store.path)
    other.exec('PRAGMA busy_timeout = 1')
    store.transaction(() => {
      expect(faultOf(() => other.transaction(() => undefined)).kind).to.equal('busy')
    })
    expect(other.transaction(() => 'free')).to.equal('free')
  })

  it('leaves errors that are not about the file as they are', () => {
    const store = open()
    expect(() => store.all('SELEC')).to.throw(/syntax error/)
    store.exec('CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)')
    expect(() => store.run('INSERT INTO t VALUES (1)')).to.throw(/UNIQUE constraint failed/)
  })

  it('may be closed twice, and carries nothing out when closed', () => {
    const store = open()
    store.all('SELECT 1')
    store.close()
    store.close()
    expect(store.open).to.equal(false)
    expect(() => store.all('SELECT 1')).to.throw('not open')
  })

  it('takes a file whose header names a format of the future for damaged', () => {
    const path = join(folder, 'future.db')
    const store = open(path)
    store.exec('CREATE TABLE t (a)')
    store.close()
    const bytes = readFileSync(path)
    // The schema format number: https://www.sqlite.org/fileformat2.html, 1.3.
    bytes.writeUInt32BE(9, 44)
    writeFileSync(path, bytes)
    expect(() => open(path).all('SELECT * FROM t')).to.throw(Translated, 'damaged')
  })

  const WORDS: Readonly<Record<string, string | undefined>> = {
    SQLITE_CORRUPT_VTAB: 'damaged',
    SQLITE_BUSY_SNAPSHOT: 'busy',
    SQLITE_LOCKED: 'busy',
    ENOSPC: 'full',
    EDQUOT: 'full',
    SQLITE_READONLY_DBMOVED: 'unusable',
    SQLITE_IOERR_WRITE: 'unusable',
    EACCES: 'unusable',
    SQLITE_CONSTRAINT: undefined,
    ERR_INVALID_ARG_TYPE: undefined,
  }
  for (const [code, kind] of Object.entries(WORDS)) {
    it(`takes ${code} for ${kind ?? 'an error of the program'}`, () => {
      const cause = Object.assign(new Error('in words'), { code })
      const fault = sqliteFault('file.db', cause)
      expect(fault?.kind).to.equal(kind)
      if (fault !== undefined) expect(fault).to.include({ cause, reason: code.startsWith('E') ? errnoWords(code) : 'in words' })
    })
  }

  for (const [rawCode, kind] of [
    [1544, 'unusable'],
    [3 + 256, 'unusable'],
    [10 + 50 * 256, 'unusable'],
    [14 + 256, 'unusable'],
    [5 + 9 * 256, 'busy'],
    [6 + 256, 'busy'],
    [11 + 256, 'damaged'],
    [13 + 256, 'full'],
    [19 + 256, undefined],
  ] as const) {
    it(`takes an extended code ${rawCode} without a name for ${kind ?? 'an error of the program'}`, () => {
      const code = `UNKNOWN_SQLITE_ERROR_${rawCode}`
      expect(sqliteFault('file.db', Object.assign(new Error('in words'), { code, rawCode }))?.kind).to.equal(kind)
    })
  }
})
