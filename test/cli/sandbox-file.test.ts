import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { sandboxFile, sandboxRefused } from '../../src/cli/sandbox-file.js'
import { SellerError } from '../../src/errors/index.js'
import { resetSandbox } from '../../src/sandbox/index.js'
import { sqliteFault } from '../../src/system/sqlite.js'
import { rejectedBy } from '../thrown.js'

const refusal = (work: Promise<unknown>) => rejectedBy(SellerError, work.catch(sandboxRefused))

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

  it('says what to change: the port, or the file', async () => {
    const hint = async (error: unknown) => (await refusal(Promise.reject(error))).hint
    const cause = Object.assign(new Error('listen'), { code: 'EADDRINUSE' })
    expect(await hint(new Error('It is taken.', { cause }))).to.equal('Name another port with --port.')
    expect(await hint(new Error('It is no sandbox.'))).to.equal('Name another file with --db.')
    const fault = sqliteFault('port.db', Object.assign(new Error('file is not a database'), { code: 'SQLITE_NOTADB' }))
    expect(await hint(new Error('The file "port 80" is no sandbox.', { cause: fault }))).to.equal('Name another file with --db.')
  })

  it('leaves what is explained already, and what is no error, as it is', async () => {
    for (const thrown of [new SellerError('price_held', 'Held.', 'Look.'), 'a text', undefined]) {
      expect(
        await Promise.reject(thrown)
          .catch(sandboxRefused)
          .catch((error: unknown) => error),
      ).to.equal(thrown)
    }
  })

  it('has its file in a directory that is made, and that the message names the way to change', () => {
    const ctx = { sandboxPath: join(dir, 'own', 'sandbox.db'), path: (given: string) => join(dir, 'here', given) }
    expect(sandboxFile(ctx, undefined)).to.equal(join(dir, 'own', 'sandbox.db'))
    expect(sandboxFile(ctx, 'a/b.db')).to.equal(join(dir, 'here', 'a', 'b.db'))
    expect([existsSync(join(dir, 'own')), existsSync(join(dir, 'here', 'a'))]).to.deep.equal([true, true])
    writeFileSync(join(dir, 'in-the-way'), '')
    const blocked = { sandboxPath: join(dir, 'in-the-way', 'x.db'), path: ctx.path }
    expect(() => sandboxFile(blocked, undefined))
      .to.throw(SellerError)
      .with.property('hint')
      .that.matches(/SELLER_DATA_DIR/)
    expect(() => sandboxFile(ctx, '../in-the-way/x.db'))
      .to.throw(SellerError)
      .with.property('hint')
      .that.matches(/--db/)
  })
})
