import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { checkOutputFile, requireFileName, unwritable, writeOutputFile } from '../../src/cli/output-file.js'
import { SellerError } from '../../src/errors/index.js'

describe('a file that a user names', () => {
  let dir: string
  const ctx = { path: (given: string) => join(dir, given) }
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'seller-output-'))
  })
  after(() => rm(dir, { recursive: true, force: true }))

  async function refusal(work: Promise<unknown>): Promise<SellerError> {
    const error = await work.catch((caught: unknown) => caught)
    expect(error).to.be.instanceOf(SellerError)
    return error as SellerError
  }

  it('is written below the directory of the command, and named as it was given', async () => {
    await writeOutputFile(ctx, 'out.txt', ['a', 'b'], { force: false })
    expect(await readFile(join(dir, 'out.txt'), 'utf8')).to.equal('ab')
    const error = await refusal(writeOutputFile(ctx, 'no/out.txt', 'x', { force: false }))
    expect(error).to.include({
      code: 'unwritable_file',
      exitCode: 2,
      hint: 'Create the directory first, or name a file elsewhere.',
    })
    expect(error.message).to.equal('The file "no/out.txt" cannot be written: its directory does not exist.')
  })

  it('has a name that Windows takes for that of a file, there', () => {
    for (const name of [
      'con',
      'NUL.txt',
      'out/aux.json',
      'C:\\x\\com1',
      'p:lan.json',
      'D:plan.json',
      'C:\\plan.json:x',
      'D:/a:b',
    ])
      expect(() => requireFileName(name, 'win32'), name).to.throw(SellerError, 'is not a valid file name on Windows')
    for (const name of ['console.csv', 'C:\\plan.json', 'com10.csv', 'min.con', '\\\\?\\C:\\x', '//./pipe/x', '.'])
      expect(requireFileName(name, 'win32')).to.equal(name)
    expect(requireFileName('p:lan.json', 'linux')).to.equal('p:lan.json')
  })

  it('is not replaced without --force, neither before nor after the call', async () => {
    await writeFile(join(dir, 'old.txt'), 'old')
    for (const work of [
      checkOutputFile(ctx, 'old.txt', { force: false }),
      writeOutputFile(ctx, 'old.txt', 'new', { force: false }),
    ]) {
      expect((await refusal(work)).message).to.equal('The file "old.txt" cannot be written: it already exists.')
    }
    await checkOutputFile(ctx, 'old.txt', { force: true })
    await writeOutputFile(ctx, 'old.txt', 'new', { force: true })
    expect(await readFile(join(dir, 'old.txt'), 'utf8')).to.equal('new')
  })

  it('is not a directory', async () => {
    for (const work of [checkOutputFile(ctx, '.', { force: true }), writeOutputFile(ctx, '.', 'x', { force: true })]) {
      expect((await refusal(work)).message).to.equal('The file "." cannot be written: it is a directory.')
    }
  })

  it('is as unwritable as the system says, each with what to do', () => {
    const said = (code: string) => {
      const { message, hint } = unwritable('a.csv', code)
      return [message, hint]
    }
    expect(said('ENOSPC')).to.deep.equal([
      'The file "a.csv" cannot be written: no space is left on the device.',
      'Free some space, or name a file on another disk.',
    ])
    expect(said('EACCES')[1]).to.equal('Check the owner and permissions of the file and its directory.')
    expect(said('EEXIST')[1]).to.equal('Choose another name, or replace it with --force.')
    expect(said('EISDIR')[1]).to.equal('Name a file in that directory.')
  })

  it('passes on what is not of the system', async () => {
    const mistake = new TypeError('no path')
    const failing = {
      path: () => {
        throw mistake
      },
    }
    expect(await writeOutputFile(failing, 'x', 'y', { force: false }).catch((error: unknown) => error)).to.equal(mistake)
  })
})
