/**
 * Assumptions about the SQLite driver. If one of these fails after an update, system/sqlite can be made simpler, or must be
 * made safer.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Database, default as Libsql } from 'libsql'

const require = createRequire(import.meta.url)
const Driver = require('libsql') as typeof Libsql

describe('the SQLite driver', () => {
  let folder = ''
  let serial = 0
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'libsql-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** Two connections to one file in WAL mode, with three rows in `t`. */
  function two(): [Database, Database] {
    const path = join(folder, `${++serial}.db`)
    const first = new Driver(path)
    first.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)')
    return [first, new Driver(path)]
  }

  /** True if a process that binds these parameters ends in the middle, rather than throw. */
  function dies(parameters: string): boolean {
    const code = `const D = require(${JSON.stringify(require.resolve('libsql'))}); try { new D(':memory:').prepare('SELECT ?').all(${parameters}) } catch {}`
    return spawnSync(process.execPath, ['-e', code]).status !== 0
  }

  it('ends the process on a boolean, and on a lone buffer, but not on a buffer in an array', () => {
    expect(dies('[true]')).to.equal(true)
    expect(dies("Buffer.from('a')")).to.equal(true)
    expect(dies("[Buffer.from('a')]")).to.equal(false)
  })

  it('takes a lone null for something else than the one parameter', () => {
    const [database] = two()
    expect(() => database.prepare('SELECT ?').all(null)).to.throw(TypeError)
    expect(database.prepare('SELECT ? AS x').all([null])).to.deep.equal([{ x: null }])
  })

  it('binds undefined as null, fewer values as null, and passes over more', () => {
    const [database] = two()
    expect(database.prepare('SELECT ? AS x, ? AS y').all([undefined])).to.deep.equal([{ x: null, y: null }])
    expect(database.prepare('SELECT ? AS x').all([1, 2])).to.deep.equal([{ x: 1 }])
  })

  it('binds every number as a real: a column of text makes 5.0 of 5', () => {
    const [database] = two()
    expect(database.prepare('SELECT typeof(?) AS type').all([5])).to.deep.equal([{ type: 'real' }])
    database.exec('CREATE TABLE texts (a TEXT, b INTEGER)')
    database.prepare('INSERT INTO texts VALUES (?, ?)').run([5, 5])
    expect(database.prepare('SELECT a, typeof(b) AS type FROM texts').all([])).to.deep.equal([{ a: '5.0', type: 'integer' }])
  })

  it('cuts a text at its first NUL', () => {
    const [database] = two()
    expect(database.prepare('SELECT ? AS x').all(['a\0b'])).to.deep.equal([{ x: 'a' }])
  })

  it('binds the bytes of a view, and refuses other arrays', () => {
    const [database] = two()
    const view = new Uint8Array([9, 8, 7, 6]).subarray(1, 3)
    expect(database.prepare('SELECT hex(?) AS x').all([view])).to.deep.equal([{ x: '0807' }])
    expect(() => database.prepare('SELECT ?').all([new Int32Array([1])])).to.throw(/can only bind/)
  })

  it('gives a blob as ArrayBuffer in rows of objects, as Buffer in raw rows and by get', () => {
    const [database] = two()
    const blob = [Buffer.from('ab')]
    const [row] = database.prepare('SELECT ? AS x').all(blob) as { x: unknown }[]
    const [raw] = database.prepare('SELECT ? AS x').raw(true).all(blob) as unknown[][]
    expect(row?.x).to.be.instanceOf(ArrayBuffer)
    expect(raw?.[0]).to.be.instanceOf(Buffer)
    expect((database.prepare('SELECT ? AS x').get(blob) as { x: unknown }).x).to.be.instanceOf(Buffer)
  })

  it('adds _metadata to the row of get, not to those of all', () => {
    const [database] = two()
    expect(database.prepare('SELECT a FROM t').get([])).to.have.property('_metadata')
    expect(database.prepare('SELECT a FROM t').all([])).to.deep.equal([{ a: 1 }, { a: 2 }, { a: 3 }])
  })

  it('keeps its view of the file while an iterator is open, so that a later write fails', () => {
    const [database, other] = two()
    // Rows are read ahead by the hundred, and three would be at their end at once.
    database.exec('WITH RECURSIVE n (i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n LIMIT 997) INSERT INTO t SELECT i FROM n')
    const rows = database.prepare('SELECT a FROM t').iterate([])
    rows.next()
    other.exec('INSERT INTO t VALUES (1001)')
    expect(database.prepare('SELECT count(*) AS n FROM t').all([])).to.deep.equal([{ n: 1000 }])
    expect(() => database.exec('BEGIN IMMEDIATE'))
      .to.throw()
      .with.property('code', 'SQLITE_BUSY_SNAPSHOT')
  })

  it('does the same after run of a statement that returns rows, which says that it is a reader', () => {
    const [database, other] = two()
    const select = database.prepare('SELECT a FROM t')
    select.run([])
    expect(select.reader).to.equal(true)
    other.exec('INSERT INTO t VALUES (4)')
    expect(() => database.exec('BEGIN IMMEDIATE'))
      .to.throw()
      .with.property('code', 'SQLITE_BUSY_SNAPSHOT')
  })

  it('does not commit after run of an update with RETURNING, and counts none of its changes', () => {
    const [database, other] = two()
    const update = database.prepare('UPDATE t SET a = a + 10 RETURNING a')
    expect(update.run([]).changes).to.equal(0)
    expect(update.reader).to.equal(true)
    expect(other.prepare('SELECT a FROM t').all([])).to.deep.equal([{ a: 1 }, { a: 2 }, { a: 3 }])
  })

  it('reads to the end by all, so that another process may write in between', () => {
    const [database, other] = two()
    database.prepare('SELECT a FROM t').all([])
    other.exec('INSERT INTO t VALUES (4)')
    database.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (5); COMMIT')
    expect(other.prepare('SELECT count(*) AS n FROM t').all([])).to.deep.equal([{ n: 5 }])
  })

  it('says whether a transaction is open, and keeps a prepared statement alive after close', () => {
    const [database] = two()
    const count = database.prepare('SELECT count(*) AS n FROM t')
    database.exec('BEGIN IMMEDIATE')
    expect(database.inTransaction).to.equal(true)
    database.exec('ROLLBACK')
    expect(database.inTransaction).to.equal(false)
    database.close()
    expect(database.open).to.equal(false)
    expect(count.all([])).to.deep.equal([{ n: 3 }])
    expect(() => database.prepare('SELECT 1')).to.throw(TypeError, 'not open')
  })

  it('does not wait for a lock when the journal mode changes', () => {
    const path = join(folder, 'mode.db')
    const [database, other] = [new Driver(path), new Driver(path)]
    database.exec('CREATE TABLE t (a); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)')
    other.exec('PRAGMA busy_timeout = 600000')
    expect(() => other.exec('PRAGMA journal_mode = WAL'))
      .to.throw()
      .with.property('code', 'SQLITE_BUSY')
  })

  it('runs only the first of several prepared statements, and has foreign keys on by default', () => {
    const [database] = two()
    database.prepare('DELETE FROM t WHERE a = 1; DELETE FROM t').run([])
    expect(database.prepare('SELECT count(*) AS n FROM t').all([])).to.deep.equal([{ n: 2 }])
    expect(database.prepare('PRAGMA foreign_keys').all([])).to.deep.equal([{ foreign_keys: 1 }])
  })
})
