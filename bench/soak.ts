/**
 * `npm run soak [reader|sales] [SEED]`: the long form of what the tests do briefly. First the reader of replies (which, like the year
 * of sales, can be run alone) for three minutes against other parsers. Then processes killed -9 at 50 random moments of repricings of 5,000 rows, at
 * 20 of as many numbers in stock, at 20 of additions, and the command itself 50 times from its start on, with a sandbox that drops connections before and after
 * answering. Then a year with 26 sales, whose runs of jobs:due are killed, and another whose runs stop at any call. Then a repricing of
 * 5,000 rows and 60 additions with a service that damages half of its replies. Exits 1 if a price
 * is wrong or an item exists twice.
 */

import { simulateYear } from '../test/e2e/discounts-year.js'
import { damagedRuns } from '../test/slow/damaged-runs.js'
import { killAddJobs, killPriceJobs, killStockJobs } from '../test/slow/killed-jobs.js'
import { killRuns } from '../test/slow/killed-runs.js'
import { soakReader } from './soak-reader.js'

const only = ['reader', 'sales'].find((word) => word === process.argv[2])
const seed = Number(process.argv[only === undefined ? 2 : 3] ?? Date.now() % 1_000_000)
const say = (text: string) => console.log(`  ${text}`)

console.log(`Soak with seed ${seed}`)
if (only === 'sales') {
  await soakSales()
  process.exit(0)
}
console.log('Replies and other documents by chance, read beside saxes and libxml2, for 3 minutes:')
soakReader(seed, 3, say)
console.log('It accepted nothing that they refuse, and read the same, cut anywhere.')
if (only === 'reader') process.exit(0)
console.log('Repricing 5,000 rows, killed at 50 random moments:')
const prices = await killPriceJobs({ rows: 5000, kills: 50, seed, longestLifeMs: 600, say })
console.log(`${prices.kills} kills over ${prices.jobs} jobs: the prices are those of undisturbed runs.`)
console.log('Setting 5,000 numbers in stock, killed at 20 random moments:')
const stock = await killStockJobs({ rows: 5000, kills: 20, seed: seed + 3, longestLifeMs: 400, say })
console.log(`${stock.kills} kills over ${stock.jobs} jobs: the numbers are those of undisturbed runs.`)
console.log('Adding 40 items at a time, killed at 20 random moments:')
const adds = await killAddJobs({ rows: 40, kills: 20, seed: seed + 1, longestLifeMs: 1500, say })
console.log(
  `${adds.kills} kills over ${adds.jobs} jobs: no item is there twice; ${adds.unknown} rows were left unknown, for the seller to look at.`,
)
console.log('The command itself, repricing 5,000 rows, killed at 50 random moments:')
const runs = await killRuns({ rows: 5000, kills: 50, seed: seed + 2, longestLifeMs: 1500 })
console.log(`${runs.kills} kills over ${runs.repricings} repricings: the prices are those of undisturbed runs.`)
await soakSales()
console.log('Repricing 5,000 rows and adding 60 items, half of the replies damaged:')
const {
  runs: commands,
  damaged,
  ledgerBytes,
  undisturbedBytes,
  peakMB,
  unknown,
} = await damagedRuns({
  rows: 5000,
  additions: 60,
  seed: seed + 3,
  share: 0.5,
})
console.log(`  ${JSON.stringify(damaged)}`)
console.log(
  `${commands} commands: the prices are those of an undisturbed run, no item is there twice, ${unknown} rows were left unknown; ` +
    `the ledger has ${ledgerBytes} bytes (undisturbed ${undisturbedBytes}), the largest process had ${Math.round(peakMB)} MB.`,
)
if (ledgerBytes > 3 * undisturbedBytes || peakMB > 200) process.exitCode = 1

/** What is wrong is thrown. */
async function soakSales(): Promise<void> {
  for (const [disturbance, how] of [
    ['kills', 'killed at random moments'],
    ['stops', 'stopped at any call, or without a connection'],
  ] as const) {
    console.log(`A year with 26 sales, every other jobs:due ${how}:`)
    const figures = await simulateYear({ seed, discounts: 26, items: 12, days: 365, disturbance })
    say(JSON.stringify(figures))
    console.log('Every price is the normal one, and every item that was held says why.')
  }
}
