import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { SellerError } from '../../src/cli/errors.js'
import { sandboxRefused } from '../../src/cli/sandbox-file.js'
import { resetSandbox } from '../../src/sandbox/index.js'
import { sqliteFault } from '../../src/system/sqlite.js'

async function refusal(work: Promise<unknown>): Promise<SellerError> {
  try {
    await work.catch(sandboxRefused)
  } catch (error) {
    if (error instanceof SellerError) return error
  }
  throw new Error('nothing was refused')
}

describe('a sandbox that cannot be had', () => {
  let dir = ''
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'seller-sandbox-'))
  })
  after(() => rm(dir, { recursive: true, force: true }))

  it('is no wrong usage where its file cannot be opened or written', async () => {
    const path = join(dir, 'taken.db')
    await mkdir(path)
    const error = await refusal(resetSandbox(path))
    expect(error).to.include({ category: 'internal', code: 'sandbox_unusable', exitCode: 1 })
    expect(error.message).to.contain(path)
  })

  for (const code of ['SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_IOERR_WRITE', 'ENOSPC']) {
    it(`is no wrong usage after ${code}`, async () => {
      const cause = sqliteFault('sandbox.db', Object.assign(new Error('database or disk is full'), { code }))
      const error = await refusal(Promise.reject(new Error('It cannot grow.', { cause })))
      expect(error).to.include({ category: 'internal', exitCode: 1, message: 'It cannot grow.' })
    })
  }

  it('is wrong usage where the file is something else, or the port is taken', async () => {
    const path = join(dir, 'notes.txt')
    await writeFile(path, 'no database at all, but long enough to be looked at. '.repeat(20))
    expect(await refusal(resetSandbox(path))).to.include({ category: 'usage', code: 'sandbox_refused', exitCode: 2 })
    const cause = Object.assign(new Error('listen'), { code: 'EADDRINUSE' })
    expect(await refusal(Promise.reject(new Error('Port 1 is taken.', { cause })))).to.include({ exitCode: 2 })
  })
})
