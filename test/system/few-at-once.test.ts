import { expect } from 'chai'
import { AT_ONCE, bothAtOnce, fewAtOnce } from '../../src/system/few-at-once.js'

describe('a few reads at once', () => {
  it('give their results in the order of the entries, and are never more than a few', async () => {
    let [working, most] = [0, 0]
    const read = async (entry: number): Promise<number> => {
      most = Math.max(most, ++working)
      for (let turn = 10 - entry; turn > 0; turn--) await Promise.resolve()
      working--
      return entry * 2
    }
    const found: number[] = []
    for await (const each of fewAtOnce(Array(10).keys(), read)) found.push(each)
    expect(found).to.deep.equal([0, 2, 4, 6, 8, 10, 12, 14, 16, 18])
    expect([most, working]).to.deep.equal([AT_ONCE, 0])
  })

  it('end with the first error in this order, once what was begun has ended; nothing more is begun', async () => {
    const [begun, ended]: [number[], number[]] = [[], []]
    const read = async (entry: number): Promise<number> => {
      begun.push(entry)
      if (entry === 2) throw new Error('first')
      for (let turn = 0; turn < 50; turn++) await Promise.resolve()
      ended.push(entry)
      if (entry === 3) throw new Error('second')
      return entry
    }
    const found: number[] = []
    const all = async () => {
      for await (const each of fewAtOnce([1, 2, 3, 4, 5, 6, 7, 8], read)) found.push(each)
    }
    expect(await all().catch(({ message }) => message)).to.equal('first')
    expect(found).to.deep.equal([1])
    expect(ended).to.have.members([1, 3, 4, 5])
    expect(begun).to.deep.equal([1, 2, 3, 4, 5])
  })

  it('of two, the error of the first counts, and both have ended', async () => {
    let ended = false
    const late = async () => {
      for (let turn = 0; turn < 50; turn++) await Promise.resolve()
      ended = true
      return 1
    }
    expect(await bothAtOnce(Promise.reject(new Error('one')), late()).catch(({ message }) => message)).to.equal('one')
    expect(ended).to.equal(true)
    expect(await bothAtOnce(late(), Promise.resolve('b'))).to.deep.equal([1, 'b'])
  })
})
