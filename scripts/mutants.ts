/**
 * `npm run mutants -- PATH…`: changes one point of the sources at a time and sees whether a test fails. A mutant that lives shows
 * behaviour that no test holds.
 *
 *   npm run mutants -- src/pricing --sample 60 --seed 1
 *   npm run mutants -- src/jobs/bulk/run.ts --tests test/jobs/bulk
 *   npm run mutants -- src/jobs/bulk/run.ts:40-52 --sample 999      (every mutant of these lines, after a test was written)
 *
 * The points come from Stryker's instrumenter, which puts all mutants into one copy of the sources, switched by a variable of the
 * environment. Stryker itself cannot run these tests: its runner needs the compiler's old API and an older mocha (docs/decisions.md,
 * "Mutants by a script").
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { Dice } from '../src/system/random.js'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Golden files and people check texts: a changed word is not worth a run. */
const EXCLUDED = ['StringLiteral']
/** How long a test may take before it counts as hanging, so that a mutant that loops for ever is killed. */
const LEAST_TIMEOUT_MS = 30_000
const TIMES_SLOWER = 5
/** Test files that share a process after the quickest few had one each: starting one costs as much as most files. */
const FILES_AT_ONCE = 8
const FILES_ALONE = 2
/** Characters of a failing run's output that are shown. */
const SAID_CHARS = 3000

interface Mutant {
  readonly id: string
  readonly status?: string
  readonly fileName: string
  readonly mutatorName: string
  readonly replacement: string
  readonly location: {
    readonly start: { readonly line: number; readonly column: number }
    readonly end: { readonly line: number; readonly column: number }
  }
}

interface TestFile {
  readonly path: string
  readonly ms: number
  readonly covers: ReadonlySet<string>
  /** How many mutants of this run it has killed: files that kill are run early. */
  kills: number
}

/** A path to mutate, and its lines (from 1); all lines by default. */
interface Place {
  readonly path: string
  readonly lines?: readonly [from: number, to: number]
}

/** The outcome of a mutant. */
type Outcome = 'killed' | 'timed out' | 'survived' | 'not covered'

/** The test files of a source: those of its module, and for commands also the end-to-end tests. */
function testsOf(paths: readonly string[]): string[] {
  const places = paths.flatMap((path) => {
    const [, module = ''] = path.split('/')
    const own = ['soap', 'format', 'sandbox', 'jobs', 'pricing', 'contract', 'system', 'cli', 'actions'].includes(module)
      ? [join('test', module)]
      : []
    const ends = ['jobs', 'pricing', 'actions', 'cli', 'commands', 'format', 'errors'].includes(module)
    return [...own, ...(ends ? [join('test', 'actions'), join('test', 'e2e'), join('test', 'errors')] : [])]
  })
  return [...new Set(places)]
}

/** The files with an ending below a folder, or the file itself, as paths from `base`. */
function filesBelow(base: string, path: string, ending: string): string[] {
  if (statSync(join(base, path)).isFile()) return [path]
  const names = readdirSync(join(base, path), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith(ending)).map((name) => join(path, name))
}

/** A copy of the project whose sources at `paths` contain every mutant. */
async function instrumentedCopy(places: readonly Place[]): Promise<{ copy: string; mutants: Mutant[] }> {
  const copy = await mkdtemp(join(tmpdir(), 'seller-mutants-'))
  for (const name of [
    'src',
    'test',
    'scripts',
    'bench',
    'bin',
    'docs',
    'dist',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'oclif.manifest.json',
    '.mocharc.json',
  ]) {
    if (existsSync(join(root, name))) await cp(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true })
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  // What tests start as a process is built before there are mutants, and is newer than they are, so it is not built again from
  // them.
  spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--if-newer'], { cwd: copy, stdio: 'inherit' })
  const names = [...new Set(places.flatMap(({ path }) => filesBelow(root, path, '.ts')))]
  const files = await Promise.all(
    names.map(async (name) => ({ name, content: await readFile(join(root, name), 'utf8'), mutate: true as const })),
  )
  const silent = () => {}
  const off = () => false
  const logger = {
    isTraceEnabled: off,
    isDebugEnabled: off,
    isInfoEnabled: off,
    isWarnEnabled: off,
    isErrorEnabled: off,
    isFatalEnabled: off,
    trace: silent,
    debug: silent,
    info: silent,
    warn: silent,
    error: silent,
    fatal: silent,
  }
  const result = await new Instrumenter(logger).instrument(files, { plugins: null, excludedMutations: EXCLUDED, ignorers: [] })
  for (const { name, content } of result.files) await writeFile(join(copy, name), content)
  await writeFile(join(copy, 'covered.mjs'), COVERAGE_HOOK)
  const later = new Date(Date.now() + 60_000)
  await utimes(join(copy, 'dist', 'licenses.txt'), later, later)
  // An excluded one is in the list, marked as ignored.
  const wanted = (result.mutants as Mutant[]).filter(({ status }) => status === undefined)
  return { copy, mutants: wanted.filter((mutant) => places.some((place) => holds(place, mutant))) }
}

function holds({ path, lines: [from, to] = [1, Number.POSITIVE_INFINITY] }: Place, { fileName, location }: Mutant): boolean {
  const line = location.start.line + 1
  return (fileName === path || fileName.startsWith(`${path}/`)) && line >= from && line <= to
}

function placeOf(given: string): Place {
  const [, path = given, from, to] = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/.exec(given) ?? []
  const named = relative(root, join(root, path))
  return from === undefined ? { path: named } : { path: named, lines: [Number(from), Number(to ?? from)] }
}

/** Records which mutants the tests of a run reach. */
const COVERAGE_HOOK = `import { writeFileSync } from 'node:fs'
export const mochaHooks = {
  afterAll() {
    const out = process.env.SELLER_COVERED_OUT
    if (out) writeFileSync(out, JSON.stringify(Object.keys(globalThis.__stryker__?.mutantCoverage?.static ?? {})))
  },
}
`

/** Runs test files in the copy. @returns the exit code; null if it did not end in time */
function mocha(
  copy: string,
  files: readonly string[],
  env: Record<string, string>,
  timeoutMs: number,
): Promise<{ code: number | null; said: string }> {
  const args = [
    '--import',
    'tsx/esm',
    join('node_modules', 'mocha', 'bin', 'mocha.js'),
    '--require',
    './covered.mjs',
    '--no-config',
    '--bail',
    '--exit',
    '--timeout',
    String(timeoutMs),
    ...files,
  ]
  const child = spawn(process.execPath, args, { cwd: copy, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-SAID_CHARS)
    })
  }
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      resolve({ code: null, said })
    }, timeoutMs)
    // Not 'close': a process that a test left behind would hold the pipes open.
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve({ code: code ?? 1, said })
    })
  })
}

/** Runs each test file once without a mutant: how long it takes, and which mutants it reaches. */
async function survey(copy: string, places: readonly string[]): Promise<TestFile[]> {
  const files = places.flatMap((place) => filesBelow(copy, place, '.test.ts'))
  return pooled([...new Set(files)], async (path) => {
    const out = join(copy, `${path.replaceAll(/[\\/]/g, '_')}.covered.json`)
    const started = performance.now()
    const { code, said } = await mocha(copy, [path], { SELLER_COVERED_OUT: out }, 600_000)
    if (code !== 0) {
      console.log(`Left out: ${path} fails without a mutant (exit ${code}).\n${said}`)
      return { path, ms: 0, covers: new Set<string>(), kills: 0 }
    }
    const covers = new Set(JSON.parse(await readFile(out, 'utf8')) as string[])
    return { path, ms: performance.now() - started, covers, kills: 0 }
  })
}

/**
 * Test files of a mutant in the order in which they run: those that have killed before first, then the quickest; most mutants die
 * early.
 */
function inOrder(tests: readonly TestFile[]): TestFile[][] {
  const sorted = [...tests].sort((a, b) => a.ms / (1 + a.kills) - b.ms / (1 + b.kills))
  const groups = sorted.slice(0, FILES_ALONE).map((file) => [file])
  for (let at = FILES_ALONE; at < sorted.length; at += FILES_AT_ONCE) groups.push(sorted.slice(at, at + FILES_AT_ONCE))
  return groups
}

async function outcomeOf(copy: string, mutant: Mutant, tests: readonly TestFile[]): Promise<{ outcome: Outcome; by?: string }> {
  const covering = tests.filter(({ covers }) => covers.has(mutant.id))
  if (covering.length === 0) return { outcome: 'not covered' }
  for (const files of inOrder(covering)) {
    const usual = files.reduce((sum, { ms }) => sum + ms, 0)
    const paths = files.map(({ path }) => path)
    const env = { __STRYKER_ACTIVE_MUTANT__: mutant.id }
    const { code, said } = await mocha(copy, paths, env, Math.max(LEAST_TIMEOUT_MS, usual * TIMES_SLOWER))
    if (code === 0) continue
    // Mocha names the file of a failing test in its stack.
    const killer = files.length === 1 ? files[0] : files.find(({ path }) => said.includes(path))
    if (killer !== undefined) killer.kills++
    return { outcome: code === null ? 'timed out' : 'killed', by: killer?.path }
  }
  return { outcome: 'survived' }
}

async function pooled<T, R>(list: readonly T[], work: (entry: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(list.length)
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < list.length; at = next++) results[at] = await work(list[at] as T)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return results
}

function drawn(mutants: readonly Mutant[], sample: number, seed: number): Mutant[] {
  const dice = new Dice(seed)
  const left = [...mutants]
  const taken: Mutant[] = []
  while (taken.length < sample && left.length > 0) taken.push(...left.splice(dice.int(0, left.length - 1), 1))
  return taken
}

async function shownMutant({ fileName, location: { start, end }, replacement, mutatorName }: Mutant): Promise<string> {
  const lines = (await readFile(join(root, fileName), 'utf8')).split('\n')
  const original =
    start.line === end.line ? lines[start.line]?.slice(start.column, end.column) : `${lines[start.line]?.slice(start.column)} …`
  const short = (text = ''): string => text.replaceAll(/\s+/g, ' ').slice(0, 100)
  return `  ${fileName}:${start.line + 1} ${mutatorName}\n    - ${short(original)}\n    + ${short(replacement)}`
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', multiple: true },
    least: { type: 'string', default: '0' },
  },
})
if (positionals.length === 0) {
  console.error(
    'Name what to mutate: npm run mutants -- src/pricing[/FILE.ts[:FROM-TO]] [--sample 50] [--seed 1] [--tests PATH] [--least 92]',
  )
  process.exit(2)
}
const places = positionals.map(placeOf)
const paths = places.map(({ path }) => path)
const { copy, mutants } = await instrumentedCopy(places)
try {
  const tests = await survey(copy, values.tests ?? testsOf(paths))
  const sample = drawn(mutants, Number(values.sample), Number(values.seed))
  console.log(
    `${mutants.length} mutants in ${positionals.join(', ')}; ${sample.length} drawn with seed ${values.seed}; ${tests.length} test files.`,
  )
  // Printed as soon as it is known, so that a stopped run has shown something.
  const outcomes = await pooled(sample, async (mutant) => {
    const { outcome, by } = await outcomeOf(copy, mutant, tests)
    console.error(`${outcome} ${(await shownMutant(mutant)).trimStart().split('\n', 1)}${by === undefined ? '' : ` by ${by}`}`)
    return outcome
  })
  const count = (outcome: Outcome): number => outcomes.filter((entry) => entry === outcome).length
  const dead = count('killed') + count('timed out')
  for (const outcome of ['survived', 'not covered'] as const) {
    const living = sample.filter((_, at) => outcomes[at] === outcome)
    if (living.length > 0) console.log(`\n${outcome}:\n${(await Promise.all(living.map(shownMutant))).join('\n')}`)
  }
  const share = (100 * dead) / Math.max(1, sample.length)
  console.log(
    `\n${dead} of ${sample.length} died (${share.toFixed(1)} %): ${count('killed')} by a failing test, ${count('timed out')} by time. ${count('survived')} survived, ${count('not covered')} not covered.`,
  )
  process.exitCode = share < Number(values.least) ? 1 : 0
} finally {
  await rm(copy, { recursive: true, force: true, maxRetries: 5 })
}
