import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { errnoOf, errnoWords, whenFree } from '../../src/system/errno.js'

describe('errors of the system', () => {
  it('are known by their code, which other errors do not have', () => {
    let caught: unknown
    try {
      readFileSync(join(tmpdir(), randomUUID()))
    } catch (error) {
      caught = error
    }
    expect(errnoOf(caught)).to.equal('ENOENT')
    expect(errnoOf(new Error('Too many open files (os error 24)'))).to.equal('EMFILE')
    for (const other of [
      Object.assign(new Error(), { code: 'ERR_INVALID_ARG_TYPE' }),
      { code: 2 },
      new Error('EACCES'),
      new Error('Cross-device link (os error 18)'),
      null,
      'EACCES',
    ]) {
      expect(errnoOf(other)).to.equal(undefined)
    }
  })

  it('are put in words, or keep their code', () => {
    expect(errnoWords('EACCES')).to.equal('permission denied')
    expect(errnoWords('ENOENT')).to.equal('it does not exist')
    expect(errnoWords('EXDEV')).to.equal('EXDEV')
    expect(errnoWords('constructor')).to.equal('constructor')
    const open = 'it is open in another program, such as Excel'
    expect([errnoWords('EBUSY', 'win32'), errnoWords('EPERM', 'win32')]).to.deep.equal([open, `permission denied, or ${open}`])
  })

  it('that pass are waited for on Windows, for about a second, and nothing else is', async () => {
    for (const [platform, code, fails, tries] of [
      ['win32', 'EBUSY', 3, 4],
      ['win32', 'EPERM', 99, 8],
      ['win32', 'ENOENT', 99, 1],
      ['linux', 'EBUSY', 99, 1],
    ] as const) {
      let tried = 0
      const work = async (): Promise<number> => {
        if (tried++ < fails) throw Object.assign(new Error(code), { code })
        return tried
      }
      const ended = await whenFree(work, platform).catch((error: NodeJS.ErrnoException) => error.code)
      expect([ended, tried]).to.deep.equal([fails < tries ? tries : code, tries])
    }
  })
})
