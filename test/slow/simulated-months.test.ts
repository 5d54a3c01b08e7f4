/** Months of shops in virtual time, more than `npm test` has: test/simulation. */
import { rmSync } from 'node:fs'
import { expect } from 'chai'
import { FATES } from '../simulation/network.js'
import type { Outcome } from '../simulation/shop-months.js'
import { outcomesOf, simulate, simulationFile } from '../simulation/start.js'

/** Each month has some 30 commands. */
const MONTH = ['--months', '1', '--workdays', '0.2']
const MONTHS = 200
/** Seeds of `npm test` come before them. */
const FIRST = 101
/** In a process; more would let its heap grow. */
const TOGETHER = 50
/** Fresh processes that live through the same month. */
const AGAIN = 20

/** Pairs of runs that are compared with both orders. */
const PAIRS = 50
/** More months, where a promise was not asked, or a fault not met: both are chance. */
const MOST = 600
/** The fates that a request may meet, and none. */
const FATES_AND_OK = FATES.length + 1

/** Promises that a few months may not ask. */
const SELDOM = [
  'a copy becomes the ledger',
  'sold stock is not put back',
  'undo brings back what was there',
  'undo leaves what others have changed',
]

describe('months of shops in virtual time', function () {
  this.timeout(3_600_000)
  let file: string
  const run = async (...args: readonly string[]): Promise<Outcome[]> => outcomesOf(await simulate(file, args))
  /** A seed that fails beside others is lived again alone, as its command line does: a month must not depend on what its process did before. */
  const expectKept = async (outcomes: readonly Outcome[], args: readonly string[]): Promise<void> => {
    for (const { seed, failure } of outcomes) {
      if (failure === undefined) continue
      const alone = ['--seed', String(seed), '--shops', '1', ...args]
      const [again] = await run(...alone)
      expect(again?.failure, `npm run simulate -- ${alone.join(' ')}`).to.equal(undefined)
      console.log(`      seed ${seed} failed beside others, and not alone: ${JSON.stringify(failure).slice(0, 400)}`)
    }
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
      await expectKept(outcomes, MONTH)
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
      await expectKept(await run('--seed', String(seed), ...args), ['--both-orders'])
    }
  })

  it(`end the same, row for row, in ${AGAIN} processes`, async () => {
    const digests = new Set<string | undefined>()
    for (let at = 0; at < AGAIN; at++) digests.add((await run('--seed', '7', ...MONTH))[0]?.digest)
    expect([...digests]).to.have.length(1)
  })
})
