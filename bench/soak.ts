/**
 * `npm run soak [reader|restore] [SEED]`: the long form of what the tests do briefly. First the reader of replies (which can be
 * run alone) for three minutes against other parsers. Then a command that reprices 5,000 rows is killed -9 at 50 random moments,
 * with a sandbox that drops connections before and after answering (`npm run simulate` has crashes of everything else). Then a
 * repricing of 5,000 rows and 60 additions with a service that damages half of its replies. Exits 1 if a price is wrong or an
 * item exists twice.
 */

import { damagedRuns } from '../test/slow/damaged-runs.js'
import { killRuns } from '../test/slow/killed-runs.js'
import { restoreDrill } from '../test/slow/restore-drills.js'
import { soakReader } from './soak-reader.js'

const only = ['reader', 'restore'].find((word) => word === process.argv[2])
const seed = Number(process.argv[only === undefined ? 2 : 3] ?? Date.now() % 1_000_000)
const say = (text: string) => console.log(`  ${text}`)

console.log(`Soak with seed ${seed}`)
if (only === 'restore') {
  const drills = 40
  let named = 0
  for (let at = 0; at < drills; at++) {
    const { loss, steps, look, lostDiscounts } = await restoreDrill(seed + at)
    named += look
    say(
      `seed ${seed + at}, ${loss}: ${steps.length} steps, ${look} to look at, ${lostDiscounts} discounts that only the lost ledger knew`,
    )
  }
  console.log(
    `${drills} copies restored: nothing is there twice, no discount is left, and ${named} things were named to look at.`,
  )
  process.exit(0)
}
console.log('Replies and other documents by chance, read beside saxes and libxml2, for 3 minutes:')
soakReader(seed, 3, say)
console.log('It accepted nothing that they refuse, and read the same, cut anywhere.')
if (only === 'reader') process.exit(0)
console.log('A command that reprices 5,000 rows, killed at 50 random moments:')
const runs = await killRuns({ rows: 5000, kills: 50, seed, longestLifeMs: 1500 })
console.log(`${runs.kills} kills over ${runs.repricings} repricings: the prices are those of undisturbed runs.`)
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
