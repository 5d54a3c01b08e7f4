import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openLedger } from '../../src/jobs/index.js'
import { logBefore, refuseOtherLog } from '../../src/jobs/ledger/log.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { systemClock } from '../../src/soap/client/index.js'
import { scratch } from '../scratch.js'

describe('a ledger opened again by a process that has it open', () => {
  it('keeps its locks: another process that closes it does not take the log away', () => {
    const directory = mkdtempSync(join(scratch(), 'seller-reopen-'))
    const path = join(directory, 'ledger.db')
    const first = openLedger(path, systemClock)
    try {
      openLedger(path, systemClock).close()
      const visit = `const db = new (require('libsql'))(${JSON.stringify(path)}); db.exec('SELECT count(*) FROM jobs'); db.close()`
      execFileSync(process.execPath, ['-e', visit], { cwd: process.cwd() })
      expect(existsSync(`${path}-wal`)).to.equal(true)
      first.jobs.create({ kind: 'price', profile: 'p', title: 't' })
      const count = `const db = new (require('libsql'))(${JSON.stringify(path)}); console.log(db.prepare('SELECT count(*) AS n FROM jobs').all()[0].n)`
      expect(execFileSync(process.execPath, ['-e', count], { cwd: process.cwd() }).toString().trim()).to.equal('1')
    } finally {
      first.close()
      rmSync(directory, { recursive: true, force: true })
    }
  })
})

describe('the times of a ledger and its log', () => {
  const job = { kind: 'price', profile: 'p', title: 't' } as const
  let directory: string
  let path: string

  beforeEach(() => {
    directory = mkdtempSync(join(scratch(), 'seller-times-'))
    path = join(directory, 'ledger.db')
    openLedger(path, systemClock).close()
  })

  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  it('are read again where another run ends between two looks', () => {
    const at = Date.now() / 1000 - 3600
    const store = openStore(path, 'power')
    store.run("UPDATE bulk_settings SET value = ? WHERE name = 'log_of_time'", at * 1000)
    utimesSync(path, at, at)
    const before = logBefore(path)
    const other = openLedger(path, systemClock)
    other.jobs.create(job)
    other.close()
    expect(() => refuseOtherLog(store, before)).to.not.throw()
    store.close()
  })

  it('agree after a fold that another reader left half done, of a run that had waited', () => {
    const run = openLedger(path, systemClock)
    run.jobs.create(job)
    const reader = openStore(path, 'power')
    reader.exec('BEGIN')
    expect(reader.number('SELECT count(*) FROM jobs')).to.equal(1)
    const at = Date.now() / 1000 - 60
    utimesSync(`${path}-wal`, at, at)
    run.close()
    reader.exec('COMMIT')
    reader.leave()
    const next = openLedger(path, systemClock)
    expect(next.jobs.list()).to.have.length(1)
    next.close()
  })
})
