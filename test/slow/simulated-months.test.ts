/** Months of shops in virtual time, more than `npm test` has: test/simulation. */
import { rmSync } from 'node:fs'
import { expect } from 'chai'
import { FATES } from '../simulation/network.js'
import type { Outcome } from '../simulation/shop-months.js'
import { outcomesOf, simulate, simulationFile } from '../simulation/start.js'

/** Each month has some 30 commands. */
const MONTH = ['--months', '1', '--workdays', '0.2']
const MONTHS = 500
/** Seeds of `npm test` come before them. */
const FIRST = 101
/** In a process; more would let its heap grow. */
const TOGETHER = 50
/** Fresh processes that live through the same month, and how often each does. */
const [PROCESSES, TIMES] = [20, 5]

/** Pairs of runs that are compared with both orders. */
const PAIRS = 50
/** More months, where a promise was not asked, or a fault not met: both are chance. */
const MOST = 800
/** The fates that a request may meet, and none. */
const FATES_AND_OK = FATES.length + 1

/** Promises that a few months may not ask. */
const SELDOM = [
  'a copy becomes the ledger',
  'an item has the images of its row',
  'the seller can open the shop',
  'the shop is closed in its time',
  'sold stock is not put back',
  'undo brings back what was there',
  'undo leaves what others have changed',
]

describe('months of shops in virtual time', function () {
  this.timeout(3_600_000)
  let file: string
  const run = async (...args: readonly string[]): Promise<Outcome[]> => outcomesOf(await simulate(file, args))
  const expectKept = (outcomes: readonly Outcome[], args: readonly string[]): void => {
    for (const { seed, failure } of outcomes)
      expect(failure, `npm run simulate -- --seed ${seed} ${args.join(' ')}`).to.equal(undefined)
  }
  before(() => {
    file = simulationFile()
  })
  after(() => rmSync(file, { force: true }))

  it(`keep every promise: ${MONTHS} of them`, async () => {
    const sum = { commands: 0, crashes: 0, interrupts: 0 }
    const [asked, fates] = [new Set<string>(), new Set<string>()]
    const isCovered = (): boolean => SELDOM.every((promise) => asked.has(promise)) && fates.size === FATES_AND_OK
    let months = 0
    for (; months < MONTHS || (months < MOST && !isCovered()); months += TOGETHER) {
      const outcomes = await run('--seed', String(FIRST + months), '--shops', String(TOGETHER), ...MONTH)
      expect(outcomes).to.have.length(TOGETHER)
      expectKept(outcomes, MONTH)
      for (const outcome of outcomes) {
        for (const name of ['commands', 'crashes', 'interrupts'] as const) sum[name] += outcome[name]
        for (const name of Object.keys(outcome.checks)) asked.add(name)
        for (const name of Object.keys(outcome.fates)) fates.add(name)
      }
    }
    expect([...asked]).to.include.members(SELDOM)
    expect([...fates]).to.have.length(FATES_AND_OK)
    console.log(`      ${months} months, ${sum.commands} commands, ${sum.crashes} crashes, ${sum.interrupts} times Ctrl-C`)
  })

  it(`end two runs at once as one after the other: ${PAIRS} pairs`, async () => {
    for (let seed = 1; seed <= PAIRS; seed += TOGETHER) {
      const args = ['--both-orders', '--shops', String(Math.min(TOGETHER, PAIRS))]
      expectKept(await run('--seed', String(seed), ...args), ['--both-orders'])
    }
  })

  it(`end the same, row for row, ${TIMES} times in each of ${PROCESSES} processes`, async () => {
    const digests: string[] = []
    for (let at = 0; at < PROCESSES; at++)
      for (const { digest } of await run('--seed', '7', '--same', '--shops', String(TIMES), ...MONTH)) digests.push(digest)
    expect(digests).to.have.length(PROCESSES * TIMES)
    expect([...new Set(digests)]).to.have.length(1)
  })
})
