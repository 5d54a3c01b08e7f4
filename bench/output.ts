/** `npm run bench -- output`: 10,000 items in every form, beside JSON.stringify of each. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { FORMS } from '../src/format/output/index.js'
import { type Cost, measureProgram, median, plainEnvironment, printTable, ratio, takeTurns } from './measure.js'

const ROUNDS = 7
const PEER = 'JSON.stringify'

export async function benchOutput(): Promise<void> {
  const directory = fileURLToPath(new URL('../node_modules/.cache/seller-bench', import.meta.url))
  mkdirSync(directory, { recursive: true })
  const program = join(directory, 'output-one.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('output-one.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  })
  const bytes = new Map<string, number>()
  const contenders = [PEER, ...FORMS].map((name) => ({
    name,
    run: async (): Promise<Cost> => {
      const cost = await measureProgram([program, name], plainEnvironment())
      bytes.set(name, Number(cost.note))
      return cost
    },
  }))
  const costs = await takeTurns(contenders, ROUNDS)
  const of = (name: string, by: keyof Cost) => median((costs.get(name) ?? []).map((cost) => cost[by]))
  printTable(`Writing 10,000 items in a new process, median of ${ROUNDS} rounds taking turns; the table is 120 columns wide`, [
    ['', 'CPU ms', `times ${PEER}`, 'MB written', 'peak MB'],
    ...contenders.map(({ name }) => [
      name,
      of(name, 'cpuMs').toFixed(0),
      ratio(costs, name, PEER, 'cpuMs').toFixed(1),
      ((bytes.get(name) ?? 0) / 1e6).toFixed(1),
      of(name, 'peakMb').toFixed(0),
    ]),
  ])
}
