import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openLedger } from '../../src/jobs/index.js'
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
