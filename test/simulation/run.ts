/** One process of the simulation: shops one after the other, each by its seed. Prints a line of JSON for each. */
// biome-ignore assist/source/organizeImports: first, because the driver of SQLite takes its functions when it is loaded
import { isFirst } from './native.js'
import { parseArgs } from 'node:util'
import { liveBothOrders } from './both-orders.js'
import { type Settings, scriptOf } from './script.js'
import { live, type Outcome } from './shop-months.js'
import { shrink } from './shrink.js'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    shops: { type: 'string', default: '1' },
    months: { type: 'string', default: '1' },
    workdays: { type: 'string', default: '1' },
    crashes: { type: 'string', default: '0.5' },
    pairs: { type: 'string', default: '0.2' },
    faults: { type: 'string', default: '0.12' },
    // Ends at the first failure, or after so many CPU seconds.
    'cpu-seconds': { type: 'string' },
    'first-failure': { type: 'boolean', default: false },
    // Two runs at once, compared with both orders.
    'both-orders': { type: 'boolean', default: false },
    // Lives the same shop again and again.
    same: { type: 'boolean', default: false },
    'no-shrink': { type: 'boolean', default: false },
    // A failure is explained on stderr.
    explain: { type: 'boolean', default: false },
    // Gets the files of the shop where a promise broke, shortened.
    keep: { type: 'string' },
  },
})

/** Every fourth shop has a clock that is wrong at times, every third one a small quota, half of them a very small one. */
const settingsOf = (seed: number): Settings => ({
  days: Math.round(Number(values.months) * 30),
  workdays: Number(values.workdays),
  crashes: Number(values.crashes),
  pairs: Number(values.pairs),
  faults: Number(values.faults),
  power: true,
  skew: seed % 4 === 3,
  budget: seed % 3 === 2 ? [30, 12][seed % 2] : undefined,
})

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

async function main(): Promise<number> {
  if (!isFirst) throw new Error('The driver of SQLite was loaded before its functions were replaced.')
  const outcomes: Outcome[] = []
  for (let shop = 0; shop < Number(values.shops); shop++) {
    const seed = Number(values.seed) + (values.same ? 0 : shop)
    const settings = settingsOf(seed)
    const steps = scriptOf(seed, settings)
    const outcome = values['both-orders'] ? await liveBothOrders(seed) : await live(seed, steps, settings)
    outcomes.push(outcome)
    console.log(JSON.stringify({ ...outcome, cpuSeconds: cpuSeconds() }))
    if (outcome.failure !== undefined) {
      if (values.explain) await explain(seed, steps, settings, outcome)
      if (values['first-failure']) break
    }
    if (values['cpu-seconds'] !== undefined && cpuSeconds() > Number(values['cpu-seconds'])) break
  }
  return outcomes.some(({ failure }) => failure !== undefined) ? 1 : 0
}

/** A failure in words, with the shortest script that shows it. */
async function explain(seed: number, steps: ReturnType<typeof scriptOf>, settings: Settings, outcome: Outcome): Promise<void> {
  const { failure } = outcome
  console.error(`\nSeed ${seed}, step ${failure?.step}: ${failure?.invariant}\n${failure?.message}`)
  if (values['no-shrink'] || values['both-orders']) {
    if (values.keep !== undefined) await live(seed, steps, settings, values.keep)
    return
  }
  const { outcome: shortest, steps: left, tries } = await shrink(seed, steps, settings, outcome)
  if (values.keep !== undefined) await live(seed, left, settings, values.keep)
  const crashes = left.filter(({ crash }) => crash !== undefined).length
  const faults = left.filter(({ faults: share }) => share > 0).length
  console.error(
    `Shortened in ${tries} runs to ${left.length} of ${steps.length} steps, ${crashes} with a crash, ${faults} with faults of the network:`,
  )
  console.error(shortest.lines.join('\n'))
  console.error(shortest.failure?.message)
}

void main().then((code) => process.exit(code))
