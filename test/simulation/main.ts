/** `npm run simulate -- --seed N --shops S --months M`, or `-- --planted [WORDS [CPU-SECONDS]]` (CONTRIBUTING.md). */
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { PLANTED, search } from './planted.js'
import { report } from './report.js'
import { type Lived, outcomesOf, simulate, simulationFile } from './start.js'

/** The most that the search for a planted fault may take, CPU seconds. */
const SEARCH_CPU_S = 600

/** Shops in a process: its heap grows with each. */
const TOGETHER = 50

const args = process.argv.slice(2)
const file = simulationFile()
try {
  if (args[0] === '--planted') await planted(args[1] ?? '', Number(args[2] ?? SEARCH_CPU_S))
  else process.exitCode = await months()
} finally {
  rmSync(file, { force: true })
}

/** Lives through shops, some in each process. @returns the exit code */
async function months(): Promise<number> {
  const { values } = parseArgs({
    ...{ args, strict: false, allowPositionals: true },
    options: { seed: { type: 'string' }, shops: { type: 'string' }, 'cpu-seconds': { type: 'string' } },
  })
  const [first, shops, most] = [Number(values.seed ?? 1), Number(values.shops ?? 1), Number(values['cpu-seconds'] ?? Infinity)]
  const lived: Lived[] = []
  const failed = (): boolean => lived.some(({ failure }) => failure !== undefined)
  let cpuSeconds = 0
  for (let done = 0; done < shops && cpuSeconds < most; done += TOGETHER) {
    const some = ['--seed', String(first + done), '--shops', String(Math.min(TOGETHER, shops - done))]
    const left = most === Infinity ? [] : ['--cpu-seconds', String(most - cpuSeconds)]
    const outcomes = outcomesOf(await simulate(file, [...args, ...some, ...left, '--explain']))
    lived.push(...outcomes)
    cpuSeconds += outcomes.at(-1)?.cpuSeconds ?? 0
    if (failed() && values['first-failure'] !== undefined) break
  }
  report(lived, cpuSeconds)
  return failed() ? 1 : 0
}

/** Says of each planted fault which promise finds it, in which shop. */
async function planted(words: string, mostCpuSeconds: number): Promise<void> {
  const chosen = PLANTED.filter(({ name }) => name.includes(words))
  let found = 0
  for (const fault of chosen) {
    const { name, invariant, seed, commands, cpuSeconds } = await search(fault, file, mostCpuSeconds)
    if (invariant !== undefined) found++
    const how = invariant === undefined ? 'not found' : `${invariant}, seed ${seed}`
    console.log(`${name}\n  ${how}, after ${commands} commands, ${cpuSeconds.toFixed(1)} CPU s`)
  }
  console.log(`${found} of ${chosen.length} found`)
  if (found < chosen.length) process.exitCode = 1
}
