/** Lists that are too many for memory. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Spill, StoredList } from '../../src/rows/stored-list.js'
import { SpillFile } from '../../src/system/spill-file.js'
import { cleanUp, temporaryDirectory } from '../jobs/harness.js'

interface Row {
  readonly id: number
  readonly text: string
}
/** 40 MB, of values that differ in length. */
const rowAt = (at: number): Row => ({ id: at, text: `${at} å ${'x'.repeat(200_000 + (at % 7))}` })
const VALUES = 400
const filled = (spill: Spill) => {
  const list = new StoredList<Row>(spill)
  for (let at = 0; at < VALUES; at++) expect(list.push(rowAt(at))).to.equal(at)
  return list
}
const isSame = (list: StoredList<Row>, at: number) => {
  const { id, text } = list.at(at) ?? {}
  expect([id, text === rowAt(at).text]).to.deep.equal([at, true])
}

describe('the values of a list beyond those that stay in memory', () => {
  afterEach(cleanUp)

  it('go into a file without a name, and are read from it in any order', () => {
    const folder = join(temporaryDirectory(), 'new')
    const file = new SpillFile(folder)
    let reads = 0
    const list = filled({
      append: (bytes) => file.append(bytes),
      read: (into, at) => {
        reads++
        return file.read(into, at)
      },
    })
    expect(readdirSync(folder)).to.deep.equal([])
    for (const at of [399, 300, 301, 299, 3, 0, 60, 399]) isSame(list, at)
    expect(reads, 'some of them').to.be.within(2, 6)
    expect(Array.from(list, ({ id }) => id)).to.deep.equal(Array.from({ length: VALUES }, (_, at) => at))
    expect([list.length, list.at(VALUES), list.at(-1)]).to.deep.equal([VALUES, undefined, undefined])
  })

  it('stay in memory where no file can be written, or no more of it', () => {
    const folder = join(temporaryDirectory(), 'a-file')
    writeFileSync(folder, '')
    isSame(filled(new SpillFile(folder)), 390)
    const file = new SpillFile(temporaryDirectory())
    let appended = 0
    const list = filled({
      append: (bytes) => {
        if (++appended > 2) throw new Error('full')
        return file.append(bytes)
      },
      read: (into, at) => file.read(into, at),
    })
    expect(appended, 'it is tried once').to.equal(3)
    for (const at of [0, 255, 256, 257, 258, 259, 399]) isSame(list, at)
  })

  it('are an error where less can be read back than was written, and never half a value', () => {
    const file = new SpillFile(temporaryDirectory())
    const list = filled({
      append: (bytes) => file.append(bytes),
      read: (into, at) => file.read(into.subarray(0, 1000), at),
    })
    expect(() => list.at(390)).to.throw('bytes could not be read back: 1000 are there')
  })
})
