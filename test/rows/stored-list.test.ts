/** Lists that are too many for memory. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { IntMap, type Spill, StoredList, TextPlaces } from '../../src/rows/stored-list.js'
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

describe('numbers by number', () => {
  it('are those of a Map, in its order, whatever the keys are', () => {
    const keys = [...Array(3000).keys()].flatMap((at) => [at * 1024, 2_147_483_647 - at * 7, 4_294_967_296 + (at % 50), -at])
    const [map, wanted] = [new IntMap(), new Map<number, number>()]
    for (const [at, key] of keys.entries()) {
      map.set(key, at)
      wanted.set(key, at)
    }
    expect(map.size).to.equal(wanted.size)
    expect([...map.keys()]).to.deep.equal([...wanted.keys()].map((key) => key + 0))
    for (const [key, value] of wanted) expect([map.has(key), map.get(key)], `${key}`).to.deep.equal([true, value])
    for (const key of [5, 4_294_967_296 + 50, -3000, 0.5]) expect([map.has(key), map.get(key)]).to.deep.equal([false, undefined])
  })
})

describe('texts by what they are', () => {
  it('are found at the first place of each', () => {
    const texts = [...Array(5000).keys()].map((at) => `REF-${at % 4000}${'å'.repeat(at % 3)}`)
    const [places, wanted] = [new TextPlaces((at) => texts[at]), new Map<string, number>()]
    for (const [at, text] of texts.entries()) {
      expect(places.add(text, at)).to.equal(wanted.get(text) ?? -1)
      if (!wanted.has(text)) wanted.set(text, at)
    }
    for (const [text, at] of wanted) expect(places.find(text), text).to.equal(at)
    for (const text of ['', 'REF-', 'REF-1å', 'ref-1']) expect(places.find(text), text).to.equal(wanted.get(text) ?? -1)
  })
})
