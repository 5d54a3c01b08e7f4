/** The chain of an auction that was restarted, by GetItemRestarts. */
import { expect } from 'chai'
import { checkReply, operations, restartChain } from '../../src/contract/index.js'

const step = (RestartedItemId: number, RestartedAsItemId: number) => ({ RestartedItemId, RestartedAsItemId })
/** 1 → 2 → 3. */
const WHOLE = { LastRestartedItemId: 3, AncestorItemId: 1, RestartedItems: [step(2, 3), step(1, 2)] }

describe('the chain of a restarted auction', () => {
  for (const [what, answer, itemId, before, after] of [
    ['nothing', null, 1, [], []],
    ['an object without anything', {}, 1, [], []],
    ['an object of zeros', { LastRestartedItemId: 0, AncestorItemId: 0, RestartedItems: [] }, 1, [], []],
    ['the first of three', WHOLE, 1, [], [2, 3]],
    ['the second of three', WHOLE, 2, [1], [3]],
    ['the last of three', WHOLE, 3, [1, 2], []],
    ['no list, seen from the first', { LastRestartedItemId: 3, AncestorItemId: 1 }, 1, [], [3]],
    ['no list, seen from the last', { LastRestartedItemId: 3, AncestorItemId: 1 }, 3, [1], []],
    ['one that was put up twice', { AncestorItemId: 1, RestartedItems: [step(1, 2), step(1, 4)] }, 1, [], [2, 4]],
    // The last that was restarted, where a host means the old one by it.
    ['an older last', { LastRestartedItemId: 2, AncestorItemId: 1, RestartedItems: [step(1, 2), step(2, 3)] }, 3, [1, 2], []],
    ['only where it came from', { LastRestartedItemId: 1, AncestorItemId: 1 }, 2, [1], []],
    ['a circle', { RestartedItems: [step(1, 2), step(2, 1)] }, 1, [2], [2]],
  ] as const) {
    it(`of ${what}`, () => {
      expect(restartChain(answer, itemId)).to.deep.equal({ before, after })
    })
  }

  it('is not taken from an answer that names other fields, or that is about another item', () => {
    const { GetItemRestarts } = operations
    const check = (value: object) => checkReply(GetItemRestarts, { itemId: 9 }, { RestartedItems: [], ...value })
    expect(check({})).to.equal(undefined)
    expect(check({ int: '5' })?.element).to.equal('GetItemRestartsResult.int')
    expect(check(WHOLE)?.message).to.equal('does not name the item asked for, 9')
    expect(check({ ...WHOLE, LastRestartedItemId: 9 })).to.equal(undefined)
    expect(check({ LastRestartedItemId: 3, AncestorItemId: 1 })).to.equal(undefined)
  })
})
