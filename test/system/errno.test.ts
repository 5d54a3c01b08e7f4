import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { errnoOf, errnoWords } from '../../src/system/errno.js'

describe('errors of the system', () => {
  it('are known by their code, which other errors do not have', () => {
    let caught: unknown
    try {
      readFileSync(join(tmpdir(), randomUUID()))
    } catch (error) {
      caught = error
    }
    expect(errnoOf(caught)).to.equal('ENOENT')
    for (const other of [
      Object.assign(new Error(), { code: 'ERR_INVALID_ARG_TYPE' }),
      { code: 2 },
      new Error('EACCES'),
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
  })
})
