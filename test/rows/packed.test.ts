import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { IdIndex } from '../../src/rows/indexes.js'
import { IntColumn, TextColumn } from '../../src/rows/packed.js'
import { SpillFile } from '../../src/system/spill-file.js'
import { cleanUp, temporaryDirectory } from '../jobs/harness.js'
import { faultsOf, readCut } from '../pricing/support.js'

describe('columns of rows', () => {
  it('know each id once, in whatever order ids come and are looked up', () => {
    const step = fc.record({ id: fc.integer({ min: 1, max: 60 }), look: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const ids: number[] = []
        const index = new IdIndex((row) => ids[row] ?? 0)
        for (const { id, look } of steps) {
          const known = ids.indexOf(id)
          if (look) expect(index.find(id)).to.equal(known)
          expect(index.add(id, ids.length)).to.equal(known)
          if (known < 0) ids.push(id)
        }
        for (let id = -1; id <= 61; id++) expect(index.find(id)).to.equal(ids.indexOf(id))
      }),
    )
  })

  it('know ids beyond the room they begin with', () => {
    for (const order of [(at: number) => at + 1, (at: number) => 10_000 - at, (at: number) => ((at * 7919) % 10_007) + 1]) {
      const ids: number[] = []
      const index = new IdIndex((row) => ids[row] ?? 0)
      for (let at = 0; at < 5000; at++) {
        expect(index.add(order(at), at)).to.equal(-1)
        ids.push(order(at))
      }
      for (let at = 0; at < 5000; at++) expect(index.add(order(at), 5000)).to.equal(at)
    }
  })

  it('refuse an item that comes twice among ids that do not ascend', async () => {
    expect((await faultsOf(readCut('Id,Price\n5,10\n3,20\n3,30\n')))[0]).to.match(/^4\|.*line 3/)
  })

  describe('of texts that are too many for memory', () => {
    afterEach(cleanUp)
    /** 80 MB, of texts that differ in length. */
    const text = (at: number) => `${at} å ${'x'.repeat(400_000 + (at % 7))}`
    const filled = (spill: ConstructorParameters<typeof TextColumn>[0]) => {
      const column = new TextColumn(spill)
      for (let at = 0; at < 200; at++) column.push(at === 3 ? undefined : text(at))
      return column
    }

    it('go into a file without a name, and are read from it in any order', () => {
      const folder = join(temporaryDirectory(), 'new')
      const file = new SpillFile(folder)
      const read: number[] = []
      const column = filled({
        append: (bytes) => file.append(bytes),
        read: (into, at) => {
          read.push(at)
          return file.read(into, at)
        },
      })
      expect(readdirSync(folder)).to.deep.equal([])
      const same = (at: number) => expect(column.get(at) === (at === 3 ? undefined : text(at)), `text ${at}`).to.equal(true)
      for (const at of [199, 150, 151, 149, 3, 0, 60]) same(at)
      expect(read.length, 'some of them').to.be.within(2, 6)
      for (let at = 0; at < 200; at++) same(at)
    })

    it('stay in memory where no file can be written, or no more of it', () => {
      const folder = join(temporaryDirectory(), 'a-file')
      writeFileSync(folder, '')
      expect(filled(new SpillFile(folder)).get(190)).to.equal(text(190))
      const file = new SpillFile(temporaryDirectory())
      let appended = 0
      const column = filled({
        append: (bytes) => {
          if (++appended > 2) throw new Error('full')
          return file.append(bytes)
        },
        read: (into, at) => file.read(into, at),
      })
      expect(appended, 'it is tried once').to.equal(3)
      for (const at of [0, 130, 132, 134, 199]) expect(column.get(at) === text(at), `text ${at}`).to.equal(true)
    })

    it('are an error where less can be read back than was written, and never half a text', () => {
      const file = new SpillFile(temporaryDirectory())
      const column = filled({
        append: (bytes) => file.append(bytes),
        read: (into, at) => file.read(into.subarray(0, 1000), at),
      })
      expect(() => column.get(150)).to.throw('bytes could not be read back: 1000 are there')
    })
  })

  it('of numbers have as many as were added, and 0 beyond', () => {
    const column = new IntColumn()
    for (let at = 0; at < 70_000; at++) column.push(-at)
    expect(column.length).to.equal(70_000)
    for (const at of [0, 1, 65_535, 65_536, 69_999]) expect(column.get(at)).to.equal(-at + 0)
    column.set(65_536, 7)
    column.set(70_000, 7)
    column.set(1_000_000, 7)
    expect([65_536, 70_000, 1_000_000].map((at) => column.get(at))).to.deep.equal([7, 0, 0])
  })

  it('of numbers are set where there are some, and nowhere else', () => {
    const column = new IntColumn()
    expect([column.length, column.get(0)]).to.deep.equal([0, 0])
    for (const value of [1, 2, 3]) column.push(value)
    for (const at of [0, 2, 3, 65_536]) column.set(at, 7)
    column.push(4)
    expect([0, 1, 2, 3, 4, 65_536].map((at) => column.get(at))).to.deep.equal([7, 2, 7, 4, 0, 0])
    column.set(4, 7)
    expect(column.get(4)).to.equal(0)
    column.push(0)
    expect([column.get(4), column.length]).to.deep.equal([0, 5])
  })

  it('of texts have those that fill a piece to its last byte', () => {
    const [piece, column] = [1 << 20, new TextColumn()]
    const texts = ['a'.repeat(piece - 1), 'b', 'c', 'd'.repeat(piece), 'e', 'f'.repeat(piece + 1), 'g', '']
    for (const text of texts) column.push(text)
    expect(texts.map((text, at) => column.get(at) === text)).to.deep.equal(texts.map(() => true))
    const none = new TextColumn()
    expect([none.length, none.get(0)]).to.deep.equal([0, undefined])
    none.push(undefined)
    expect([none.length, none.get(0)]).to.deep.equal([1, undefined])
  })

  it('know no id below 1, and look an id up after the last one', () => {
    const ids = [2, 4, 6]
    const index = new IdIndex((row) => ids[row] ?? 0)
    expect([index.find(1), index.find(0)]).to.deep.equal([-1, -1])
    for (const [row, id] of ids.entries()) index.add(id, row)
    expect([6, 2, 6, 4, 1, 3, 5, 7, 0, -1].map((id) => index.find(id))).to.deep.equal([2, 0, 2, 1, -1, -1, -1, -1, -1, -1])
    ids.push(3)
    index.add(3, 3)
    expect([6, 2, 3, 1, 0, -1].map((id) => index.find(id))).to.deep.equal([2, 0, 3, -1, -1, -1])
  })

  it('of texts have them as they were, also those that are larger than a piece', () => {
    const column = new TextColumn()
    const texts = ['', undefined, 'r\u00f6d', 'x'.repeat((1 << 20) - 4), 'abc', 'y'.repeat(1 << 21), 'z', undefined]
    for (const text of texts) column.push(text)
    expect(column.length).to.equal(texts.length)
    expect(texts.map((_, at) => column.get(at) === texts[at])).to.deep.equal(texts.map(() => true))
    expect([column.get(texts.length), column.get(99)]).to.deep.equal([undefined, undefined])
  })
})
