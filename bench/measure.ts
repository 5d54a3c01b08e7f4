/** Measures on machines whose speed varies: contenders take turns within one run, and only ratios between them are quoted. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'

/** The cost of one finished process: wall and CPU time in ms, peak memory in MB. */
export interface Cost {
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakMb: number
}

export interface Contender {
  readonly name: string
  /** Runs it once to its end. */
  readonly run: () => Promise<Cost>
}

/** The Node to measure: `SELLER_BENCH_NODE=/path/to/node` for another than this one. */
export const node = process.env.SELLER_BENCH_NODE ?? process.execPath

/** The environment of every measured process: NODE_EXTRA_CA_CERTS alone adds about 35 ms to each start of Node. */
export function plainEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...env } = process.env
  return { ...env, ...extra }
}

/**
 * Runs a Node program, or another one, to its end and reads its cost from the last line of JSON that `reportCost` printed.
 * @throws if the program fails, with its stderr
 */
export async function measureProgram(
  args: readonly string[],
  env = plainEnvironment(),
  command = node,
): Promise<Cost & { note?: string }> {
  const started = performance.now()
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${err}`)
  const cost = JSON.parse(out.trim().split('\n').at(-1) ?? '') as { cpuMs: number; peakMb: number; note?: string }
  return { wallMs: performance.now() - started, ...cost }
}

/** The path of the built command. */
export const BIN = new URL('../bin/run.js', import.meta.url).pathname
const REPORT = new URL('report-cost.cjs', import.meta.url).pathname

/**
 * Runs the built command to its end. Its stdout is discarded, or written to a file descriptor.
 * @throws if its exit code is not 0, with its stderr
 */
export async function measureCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  stdout: 'ignore' | number = 'ignore',
): Promise<Cost> {
  const started = performance.now()
  const child = spawn(node, ['-r', REPORT, BIN, ...args], { env, stdio: ['ignore', stdout, 'pipe', 'pipe'] })
  let [cost, err] = ['', '']
  child.stdio[3]?.on('data', (chunk) => {
    cost += chunk
  })
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`seller ${args.join(' ')} ended with ${code}: ${err}`)
  return { wallMs: performance.now() - started, ...(JSON.parse(cost) as { cpuMs: number; peakMb: number }) }
}

/** Prints the cost of this process so far, for `measureProgram`. */
export function reportCost(note?: string): void {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  console.log(JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: maxRSS / 1024, note }))
}

/** Lets the contenders take turns, `rounds` times after one round that is not counted. */
export async function takeTurns(contenders: readonly Contender[], rounds: number): Promise<Map<string, Cost[]>> {
  const costs = new Map<string, Cost[]>(contenders.map(({ name }) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (const { name, run } of contenders) {
      const cost = await run()
      if (round >= 0) costs.get(name)?.push(cost)
    }
  }
  return costs
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

/** Median of the ratios of two contenders' costs, round by round. */
export function ratio(costs: Map<string, Cost[]>, of: string, to: string, by: keyof Cost): number {
  const [above, below] = [costs.get(of) ?? [], costs.get(to) ?? []]
  return median(above.map((cost, round) => cost[by] / (below[round]?.[by] ?? Number.NaN)))
}

/** The name of the file of results. */
const RESULTS = 'results'

/** Figures so far, as Markdown. */
const found: string[] = []

/** Prints a finding, and keeps it for the results. */
export function say(text: string): void {
  console.log(`  ${text}`)
  found.push(`- ${text}`)
}

/** Names the others that take less than ours, or that none does. @param share what one of them takes, as a share of ours */
export function sayFaster(others: readonly { readonly name: string }[], share: (name: string) => number, what: string): void {
  const faster = others.filter(({ name }) => share(name) < 1)
  const words = faster.map(({ name }) => `${name} (${share(name).toFixed(2)} of ours)`).join(', ')
  say(faster.length === 0 ? `None of them ${what} in less CPU time.` : `Less CPU time, where it ${what}: ${words}.`)
}

/** The major version in "v20.20.2". */
function majorOf(version: string): string {
  return version.slice(0, version.indexOf('.'))
}

/**
 * Writes the results as Markdown next to this file, with the Node, cores and commit of this run, so that the next run can be
 * compared. Results of other major versions of Node stay in it.
 * @param parts the parts that were run
 * @param some whether there are others, whose tables stay
 */
export function writeResults(parts: readonly string[], some: boolean): void {
  const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim()
  const changed =
    git('status', '--porcelain', '--', 'src', 'bench', 'scripts', `:!bench/${RESULTS}.md`) === '' ? '' : ', with changes'
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
  const [load = 0] = loadavg()
  const busy =
    load > cpus().length / 2 ? ` The machine was busy (${load.toFixed(1)} processes wanted a core): compare ratios only.` : ''
  const head = [
    `## Node ${version}`,
    '',
    `\`npm run bench -- ${parts.join(' ')}\`, ${new Date().toISOString().slice(0, 10)}, commit ${git('rev-parse', '--short', 'HEAD')}${changed}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}).${busy}`,
  ]
  const file = new URL(`${RESULTS}.md`, import.meta.url)
  const written = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split(/^(?=## Node )/m)
        .slice(1)
    : []
  const others = written.filter((section) => majorOf(section.slice('## Node '.length)) !== majorOf(version))
  const titles = found.filter((line) => line.startsWith('### '))
  const before = written.find((section) => !others.includes(section))?.split(/^(?=### )/m) ?? []
  const kept = some ? before.slice(1).filter((block) => !titles.some((title) => block.startsWith(`${title}\n`))) : []
  const lead = kept.length === 0 ? head : [(before[0] ?? '').trim(), '', ...head.slice(2)]
  const own = [...lead, '', ...kept.map((block) => `${block.trim()}\n`), ...found].join('\n').replaceAll(/\n{3,}/g, '\n\n')
  const sections = [...others, own].map((section) => section.trim()).sort()
  writeFileSync(file, `# Measurements\n\n${sections.join('\n\n')}\n`)
}

/** Prints rows of cells in aligned columns under a title, and keeps them for the results. */
export function printTable(title: string, rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const [first = [], ...others] = rows
  found.push(
    '',
    `### ${title}`,
    '',
    line(first),
    line(first.map((_, at) => (at === 0 ? '---' : '---:'))),
    ...others.map(line),
    '',
  )
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  console.log(`\n${title}`)
  for (const row of rows) {
    console.log(
      `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')}`,
    )
  }
}
