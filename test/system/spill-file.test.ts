import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { SpillFile } from '../../src/system/spill-file.js'
import { scratch } from '../scratch.js'

describe('a file for what is too much for memory', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(scratch(), 'spill-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('gives back the bytes from where they were put, and none from beyond its end', () => {
    const spill = new SpillFile(folder)
    const [one, other] = [Buffer.from('first'), Buffer.alloc(300_000, 'second')]
    expect([spill.append(one), spill.append(Buffer.alloc(0)), spill.append(other)]).to.deep.equal([0, 5, 5])
    const back = Buffer.alloc(300_005)
    expect(spill.read(back, 0)).to.equal(300_005)
    expect(back.equals(Buffer.concat([one, other]))).to.equal(true)
    const end = Buffer.alloc(10)
    expect([spill.read(end, 300_002), end.subarray(0, 3).toString()]).to.deep.equal([3, other.subarray(-3).toString()])
    expect(spill.read(end, 300_005)).to.equal(0)
  })

  it('makes nothing before it is needed, and has no name after', () => {
    const inner = join(folder, 'data', 'deeper')
    const spill = new SpillFile(inner)
    expect(spill.read(Buffer.alloc(1), 0)).to.equal(0)
    expect(existsSync(inner)).to.equal(false)
    spill.append(Buffer.from('x'))
    expect(readdirSync(inner)).to.deep.equal([])
  })
})
