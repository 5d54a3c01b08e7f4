/**
 * Months of shops in virtual time, each by its seed: in a process of its own, since Node's clock and files are replaced there.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { root } from '../e2e/product.js'
import { PLANTED } from './planted.js'
import type { Outcome } from './shop-months.js'
import { outcomesOf, simulate, simulationFile } from './start.js'

/** Months of some 30 commands, a CPU second each. */
const MONTH = ['--months', '1', '--workdays', '0.2']
/**
 * Numbers of shops: which commands come, and what each meets, depends on each call of the product. Where a promise was not asked,
 * more are lived, so many at most. If that takes long, choose the first seed again: the few that ask every promise.
 */
const [FIRST, SHOPS, MORE, MOST] = [19, 5, 4, 60]
/** Lived again: the shop with the fewest commands. */
const AGAIN = 22
/** Pairs of runs that are compared with both orders. */
const PAIRS = 1

/** Promises that must have been asked: one that is never asked cannot be broken. */
const ASKED = [
  'a row before each write',
  'all of the money is booked',
  'calls at most the quota',
  'each krona in the books once',
  'each order exported',
  'each order exported once',
  'each sale delivered once',
  'each sale delivered or named',
  'every stop names the command that goes on',
  'exit 0 means that it is so',
  'no field that no plan had',
  'no price that no plan had',
  'nothing added twice',
  'nothing at a discount price after its end',
  'the command that a stop names works',
  'the ledger is in order',
  'the shop is open after its time, with the message of before',
  'the lowest of the normal price and of discounts that run',
  'what was sent is in the ledger',
]

describe('the simulation', function () {
  this.timeout(600_000)
  let file: string
  let outcomes: Outcome[]
  const run = async (...args: readonly string[]): Promise<Outcome[]> => outcomesOf(await simulate(file, args))
  const names = (of: 'checks' | 'fates' | 'exits'): Set<string> =>
    new Set(outcomes.flatMap((outcome) => Object.keys(outcome[of])))
  const unasked = (): string[] => ASKED.filter((promise) => !names('checks').has(promise))
  before(async () => {
    file = simulationFile()
    outcomes = await run('--seed', String(FIRST), '--shops', String(SHOPS), ...MONTH)
    while (unasked().length > 0 && outcomes.length < MOST)
      outcomes.push(...(await run('--seed', String(FIRST + outcomes.length), '--shops', String(MORE), ...MONTH)))
  })
  after(() => rmSync(file, { force: true }))

  it('keeps every promise in every shop', () => {
    expect(outcomes).to.have.length.at.least(SHOPS)
    for (const { seed, failure, lines } of outcomes) {
      expect(
        failure,
        `seed ${seed}: npm run simulate -- --seed ${seed} ${MONTH.join(' ')}\n${lines.slice(-6).join('\n')}`,
      ).to.equal(undefined)
    }
  })

  it('meets faults and crashes, and asks the promises', () => {
    expect(unasked()).to.deep.equal([])
    expect([...names('fates')]).to.have.length.above(4)
    expect([...names('exits')]).to.include.members(['0', 'left'])
  })

  it('ends two runs at once as one after the other', async () => {
    const pairs = await run('--both-orders', '--seed', '1', '--shops', String(PAIRS))
    expect(pairs).to.have.length(PAIRS)
    for (const { seed, failure } of pairs) expect(failure, `npm run simulate -- --both-orders --seed ${seed}`).to.equal(undefined)
  })

  it('can plant each known fault: its place is in the sources just once', () => {
    for (const { name, file, from } of PLANTED) expect(readFileSync(join(root, file), 'utf8').split(from), name).to.have.length(2)
  })

  it('ends in the same state from the same seed', async () => {
    const [again] = await run('--seed', String(AGAIN), ...MONTH)
    expect(again?.digest).to.equal(outcomes.find(({ seed }) => seed === AGAIN)?.digest)
  })
})
