import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { makeDirectory } from '../../src/cli/directories.js'
import { SellerError } from '../../src/errors/index.js'
import { thrownBy } from '../thrown.js'

const refusal = (path: string) => thrownBy(SellerError, () => makeDirectory(path, 'SELLER_DATA_DIR'))

describe('a directory of our own', () => {
  const home = mkdtempSync(join(tmpdir(), 'seller-directory-'))
  after(() => rmSync(home, { recursive: true, force: true }))

  it('is made with those above it, for the user alone, and may be there already', () => {
    const path = join(home, 'a', 'b', 'c')
    makeDirectory(path, 'SELLER_DATA_DIR')
    makeDirectory(path, 'SELLER_DATA_DIR')
    expect(statSync(path).mode & 0o777).to.equal(0o700)
    expect(statSync(join(home, 'a')).mode & 0o777).to.equal(0o700)
  })

  it('is refused at once with the path, the reason and the way out', () => {
    const file = join(home, 'file')
    writeFileSync(file, '')
    for (const path of [file, join(file, 'x', 'y')]) {
      const { message, hint, exitCode } = refusal(path)
      expect(message).to.equal(`The directory "${path}" cannot be used: a part of the path is not a directory.`)
      expect(hint).to.equal('Set SELLER_DATA_DIR to a directory that you can write to.')
      expect(exitCode).to.equal(1)
    }
  })

  if (process.platform === 'linux') {
    it('is refused at once under /proc, where the recursive mkdir of Node never returns', () => {
      expect(refusal('/proc/x/y').message).to.equal(
        'The directory "/proc/x/y" cannot be used: no directory can be created there.',
      )
    })
  }
})
