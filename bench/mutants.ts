/**
 * `npm run mutants -- PATH…`: changes one point of the sources at a time and sees whether a test fails. A mutant that lives shows
 * behaviour that no test holds.
 *
 *   npm run mutants -- src/pricing --sample 60 --seed 1
 *   npm run mutants -- src/pricing src/jobs --sample 40             (40 of each)
 *   npm run mutants -- src/jobs/bulk/run.ts --tests test/jobs/bulk
 *   npm run mutants -- src/jobs/bulk/run.ts:40-52 --sample 999      (every mutant of these lines, after a test was written)
 *
 * The points come from Stryker's instrumenter, which puts all mutants into one copy of the sources, switched by a variable of the
 * environment. Stryker itself cannot run these tests: its runner needs the compiler's old API and an older mocha.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { chmod, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { compileTests } from '../scripts/compile-tests.js'
import { Dice } from '../src/system/random.js'
import { scratch } from '../test/scratch.js'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Golden files and people check texts: a changed word is not worth a run. */
const EXCLUDED = ['StringLiteral']
/** Time a test may take before it counts as hanging, so that a mutant that loops for ever is killed. */
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

/** A test, and the mutants that only it and its own hooks reach. */
interface Test {
  readonly title: string
  readonly ms: number
  readonly reached: readonly string[]
}

interface TestFile {
  readonly path: string
  /** Time of the file, with the start of its process. */
  readonly ms: number
  /** Code that it reaches outside of its tests: while modules load, and in hooks that run once. */
  readonly always: ReadonlySet<string>
  readonly tests: readonly Test[]
  /** Number of mutants of this run that it has killed: files that kill are run early. */
  kills: number
}

/** Tests of a file that a mutant needs. */
interface Part {
  readonly file: TestFile
  readonly ms: number
  /** The tests that reach it; undefined: all, because what it changes may be kept for later tests. */
  readonly titles?: readonly string[]
}

/** A path to mutate, and its lines (from 1); all lines by default. */
interface Place {
  readonly path: string
  readonly lines?: readonly [from: number, to: number]
}

/** The outcome of a mutant. */
type Outcome = 'killed' | 'timed out' | 'survived' | 'not covered'

/** The test files of a source: those of its module, and the end-to-end tests, which run the bundle with all modules. */
function testsOf(paths: readonly string[]): string[] {
  const own = paths.map((path) => join('test', path.split('/')[1] ?? '')).filter((place) => existsSync(join(root, place)))
  return [...new Set([...own, join('test', 'actions'), join('test', 'e2e')])]
}

/** The files with an ending below a folder, or the file itself, as paths from `base`. */
function filesBelow(base: string, path: string, ending: string): string[] {
  if (statSync(join(base, path)).isFile()) return [path]
  const names = readdirSync(join(base, path), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith(ending)).map((name) => join(path, name))
}

/** A copy of the project whose sources at `places` contain some mutants, for some tests, and how many there could be. */
async function instrumentedCopy(
  places: readonly Place[],
  tests: readonly string[],
  draw: (mutants: readonly Mutant[]) => Mutant[],
): Promise<{ copy: string; all: number; sample: Mutant[] }> {
  const copy = await mkdtemp(join(tmpdir(), 'seller-mutants-'))
  for (const name of [
    'src',
    'test',
    'scripts',
    'bench',
    'bin',
    'docs',
    'examples',
    'README.md',
    'CHANGELOG.md',
    'SKILL.md',
    'dist/schemas.json',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'oclif.manifest.json',
    '.mocharc.json',
  ]) {
    if (existsSync(join(root, name))) await cp(join(root, name), join(copy, name), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
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
  // An excluded one is in the list, marked as ignored.
  const wanted = (result.mutants as Mutant[]).filter(({ status }) => status === undefined)
  const mutants = wanted.filter((mutant) => places.some((place) => holds(place, mutant)))
  const sample = draw(mutants)
  const ids = new Set(sample.map(({ id }) => id))
  for (const { name, content } of result.files) await writeFile(join(copy, name), onlyWith(ids, content))
  await compileTests(copy, join(copy, COMPILED))
  // End-to-end tests run the bundle, so it has the mutants too. Processes of tests do not get the variable that switches one on.
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--bundle', '--keep-schemas'], {
    cwd: copy,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The bundle with the mutants could not be built.')
  await writeFile(join(copy, 'hooks.mjs'), HOOKS)
  // Tests that read sources must find them as they were written. What runs is compiled by now, but for slow tests.
  if (tests.every((path) => runnable(copy, path).endsWith('.js')))
    for (const { name, content } of files) await writeFile(join(copy, name), content)
  return { copy, all: mutants.length, sample }
}

/**
 * Takes the switches and counters of other mutants out of a source: with those of all mutants, some tests take ten times as long.
 */
function onlyWith(ids: ReadonlySet<string>, source: string): string {
  return source
    .replaceAll(/stryMutAct_9fa48\("(\d+)"\)/g, (call, id: string) => (ids.has(id) ? call : 'false'))
    .replaceAll(/stryCov_9fa48\(("[^)]*")\)/g, (_, list: string) => {
      const kept = list.split(', ').filter((id) => ids.has(id.slice(1, -1)))
      return kept.length === 0 ? '0' : `stryCov_9fa48(${kept})`
    })
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

/** Where the copy's compiled files are. */
const COMPILED = 'compiled'

/** The file that mocha runs for a test file: compiled, or a slow test's source, which tsx compiles. */
function runnable(copy: string, path: string): string {
  const compiled = join(copy, COMPILED, path.replace(/\.ts$/, '.js'))
  return existsSync(compiled) ? compiled : join(copy, path)
}

/** Records which mutants each test of a run reaches, and how long it takes; leaves out tests that are not wanted. */
const HOOKS = `import { readFileSync, writeFileSync } from 'node:fs'
const space = (globalThis.__stryker__ ??= {})
const took = {}
const wanted = process.env.SELLER_WANTED_TESTS && JSON.parse(readFileSync(process.env.SELLER_WANTED_TESTS, 'utf8'))
function narrow(suite) {
  suite.tests = suite.tests.filter((test) => wanted[test.file]?.includes(test.fullTitle()) ?? true)
  suite.suites.forEach(narrow)
}
export const mochaHooks = {
  beforeAll() {
    if (wanted) narrow(this.test.parent)
  },
  beforeEach() {
    space.currentTestId = this.currentTest.fullTitle()
  },
  afterEach() {
    took[this.currentTest.fullTitle()] = this.currentTest.duration ?? 0
    space.currentTestId = undefined
  },
  afterAll() {
    const out = process.env.SELLER_COVERED_OUT
    if (!out) return
    const { static: always = {}, perTest = {} } = space.mutantCoverage ?? {}
    const tests = Object.entries(took).map(([title, ms]) => ({ title, ms, reached: Object.keys(perTest[title] ?? {}) }))
    writeFileSync(out, JSON.stringify({ always: Object.keys(always), tests }))
  },
}
`

/** Runs test files in the copy. @returns the exit code; null if it did not end in time */
async function mocha(
  copy: string,
  files: readonly string[],
  env: Record<string, string>,
  timeoutMs: number,
): Promise<{ code: number | null; said: string }> {
  const programs = files.map((path) => runnable(copy, path))
  const args = [
    ...(programs.some((path) => path.endsWith('.ts')) ? ['--import', 'tsx/esm'] : []),
    join('node_modules', 'mocha', 'bin', 'mocha.js'),
    '--require',
    './hooks.mjs',
    '--no-config',
    '--bail',
    '--exit',
    '--timeout',
    String(timeoutMs),
    ...programs,
  ]
  // A run that is killed cannot remove what it wrote.
  const own = await mkdtemp(join(scratch(), 'run-'))
  await chmod(own, 0o711)
  const child = spawn(process.execPath, args, {
    cwd: copy,
    env: { ...process.env, ...env, SELLER_TEST_SCRATCH: own },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-SAID_CHARS)
    })
  }
  const code = await new Promise<number | null>((resolve) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      resolve(null)
    }, timeoutMs)
    // Not 'close': a process that a test left behind would hold the pipes open.
    child.once('exit', (status) => {
      clearTimeout(timer)
      resolve(status ?? 1)
    })
  })
  await rm(own, { recursive: true, force: true, maxRetries: 5 })
  return { code, said }
}

/** Runs each test file once without a mutant: how long its tests take, and which mutants they reach. */
async function survey(copy: string, files: readonly string[]): Promise<TestFile[]> {
  const surveyed = await pooled(files, async (path) => {
    const out = join(copy, `${path.replaceAll(/[\\/]/g, '_')}.covered.json`)
    let started = performance.now()
    const run = () => mocha(copy, [path], { SELLER_COVERED_OUT: out }, 600_000)
    let { code, said } = await run()
    if (code !== 0) {
      // A file that is left out lets mutants live: on a busy machine it gets a second chance.
      started = performance.now()
      ;({ code, said } = await run())
    }
    if (code !== 0) {
      console.log(`Left out: ${path} fails without a mutant (exit ${code}).\n${said}`)
      return []
    }
    const { always, tests } = JSON.parse(await readFile(out, 'utf8')) as { always: string[]; tests: Test[] }
    return [{ path, ms: performance.now() - started, always: new Set(always), tests, kills: 0 }]
  })
  return surveyed.flat()
}

/** Tests of a file that a mutant needs; none if the file does not reach it. */
function partFor(mutant: Mutant, file: TestFile): Part[] {
  const reaching = file.tests.filter(({ reached }) => reached.includes(mutant.id))
  if (file.always.has(mutant.id)) return [{ file, ms: file.ms }]
  if (reaching.length === 0) return []
  // One test alone may have loaded a module, or filled a cache, that the tests after it use.
  if (reaching.length === 1 || reaching.length === file.tests.length) return [{ file, ms: file.ms }]
  const other = file.tests.reduce((sum, { ms }) => sum + ms, 0) - reaching.reduce((sum, { ms }) => sum + ms, 0)
  return [{ file, ms: Math.max(1, file.ms - other), titles: reaching.map(({ title }) => title) }]
}

/**
 * The parts of a mutant in the order in which they run: of files that have killed before first, then the quickest; most mutants
 * die early.
 */
function inOrder(parts: readonly Part[]): Part[][] {
  const sorted = [...parts].sort((a, b) => a.ms / (1 + a.file.kills) - b.ms / (1 + b.file.kills))
  const groups = sorted.slice(0, FILES_ALONE).map((part) => [part])
  for (let at = FILES_ALONE; at < sorted.length; at += FILES_AT_ONCE) groups.push(sorted.slice(at, at + FILES_AT_ONCE))
  return groups
}

let lists = 0

/** Runs parts of test files, with a mutant or without. */
async function runParts(copy: string, parts: readonly Part[], id?: string): Promise<{ code: number | null; said: string }> {
  const wanted = parts.flatMap(({ file, titles }) => (titles === undefined ? [] : [[runnable(copy, file.path), titles]]))
  const list = join(copy, `wanted-${++lists}.json`)
  await writeFile(list, JSON.stringify(Object.fromEntries(wanted)))
  const usual = parts.reduce((sum, { ms }) => sum + ms, 0)
  return mocha(
    copy,
    parts.map(({ file }) => file.path),
    { SELLER_WANTED_TESTS: list, ...(id === undefined ? {} : { __STRYKER_ACTIVE_MUTANT__: id }) },
    Math.max(LEAST_TIMEOUT_MS, usual * TIMES_SLOWER),
  )
}

async function outcomeOf(
  copy: string,
  mutant: Mutant,
  files: readonly TestFile[],
): Promise<{ outcome: Outcome; by?: string | undefined }> {
  const parts = files.flatMap((file) => partFor(mutant, file))
  if (parts.length === 0) return { outcome: 'not covered' }
  for (const some of inOrder(parts)) {
    const first = await runParts(copy, some, mutant.id)
    if (first.code === 0) continue
    // Tests that fail because their neighbours did not run would kill every mutant.
    const isNarrowed = some.some(({ titles }) => titles !== undefined)
    const isHonest = !isNarrowed || (await runParts(copy, some)).code === 0
    const whole = some.map(({ file }) => ({ file, ms: file.ms }))
    const { code, said } = isHonest ? first : await runParts(copy, whole, mutant.id)
    if (code === 0) continue
    // Mocha names the file of a failing test in its stack.
    const killer =
      some.length === 1
        ? some[0]?.file
        : some.map(({ file }) => file).find(({ path }) => said.includes(path.replace(/\.ts$/, '.')))
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
const chosen = [...new Set((values.tests ?? testsOf(paths)).flatMap((place) => filesBelow(root, place, '.test.ts')))]
// Each path gets its own share of the sample: a large module must not hide a small one.
const { copy, all, sample } = await instrumentedCopy(places, chosen, (mutants) => [
  ...new Set(
    places.flatMap((place) =>
      drawn(
        mutants.filter((mutant) => holds(place, mutant)),
        Number(values.sample),
        Number(values.seed),
      ),
    ),
  ),
])
try {
  console.log(`${all} mutants in ${positionals.join(', ')}; ${sample.length} drawn with seed ${values.seed}.`)
  const tests = await survey(copy, chosen)
  console.log(`${tests.length} test files.`)
  // Printed as soon as it is known, so that a stopped run has shown something.
  const outcomes = await pooled(sample, async (mutant) => {
    const { outcome, by } = await outcomeOf(copy, mutant, tests)
    console.error(`${outcome} ${(await shownMutant(mutant)).trimStart().split('\n', 1)}${by === undefined ? '' : ` by ${by}`}`)
    return outcome
  })
  for (const outcome of ['survived', 'not covered'] as const) {
    const living = sample.filter((_, at) => outcomes[at] === outcome)
    if (living.length > 0) console.log(`\n${outcome}:\n${(await Promise.all(living.map(shownMutant))).join('\n')}`)
  }
  const shares = places.map((place, at) => {
    const own = outcomes.filter((_, of) => holds(place, sample[of] as Mutant))
    const count = (outcome: Outcome): number => own.filter((entry) => entry === outcome).length
    const share = (100 * (count('killed') + count('timed out'))) / Math.max(1, own.length)
    console.log(
      `\n${positionals[at]}: ${count('killed') + count('timed out')} of ${own.length} died (${share.toFixed(1)} %): ${count('killed')} by a failing test, ${count('timed out')} by time. ${count('survived')} survived, ${count('not covered')} not covered.`,
    )
    return share
  })
  process.exitCode = Math.min(...shares) < Number(values.least) ? 1 : 0
} finally {
  await rm(copy, { recursive: true, force: true, maxRetries: 5 })
}
