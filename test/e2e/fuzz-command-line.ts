/**
 * Random command lines: known commands and flags with odd values, odd variables of the environment and damaged files of the
 * product, in a pipe and on a colour terminal. Whatever is typed, the end is one of the promised ones.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { ENVIRONMENT } from '../../src/cli/environment.js'
import type { ManifestCommand } from '../../src/cli/manifest.js'
import { EXIT_MEANINGS } from '../../src/errors/exit-codes.js'
import { EXIT } from '../../src/errors/index.js'
import { COLOUR, openColoured } from './coloured.js'
import type { Home } from './harness.js'
import { ask } from './person.js'

/** Flags that end the commands that wait: after one look, or soon. */
const ENDING: Readonly<Record<string, readonly string[]>> = {
  'transactions:watch': ['--once'],
  'orders:watch': ['--once'],
  'requests:wait': ['--timeout', '10ms'],
  'eid:verify': ['--timeout', '10ms'],
}

const ODD: readonly string[] = [
  '',
  ' ',
  '0',
  '-0',
  '-1',
  '1',
  '007',
  '1e3',
  '0x10',
  'NaN',
  'Infinity',
  '2147483647',
  '2147483648',
  '99999999999999999999',
  '1,5',
  '1.5',
  '10%',
  '-10%',
  '%',
  '101%',
  'off',
  'none',
  'now',
  'today',
  '2026-13-01',
  '2026-02-30',
  '0000-00-00',
  '275761-01-01',
  '9999-12-31T23:59:60',
  '+1d',
  '1h30m',
  '5x',
  '99999999d',
  '9999999999999999d',
  '+99999999d',
  '999999999999999h1ms',
  '-271764-01-01',
  '+275760-09-13',
  '-271821-04-20T00:00:00Z',
  '0000-01-01',
  '9999-12-31T23:59:59+14:00',
  '99:99',
  '/',
  '.',
  '~',
  '/proc/self/mem',
  '/proc/none/file.json',
  'none/../none/file.csv',
  'odd.json',
  'plan.json',
  'relists.ndjson',
  `${'n'.repeat(300)}.csv`,
  '{profile}.json',
  '/dev/null',
  '/dev/null/file',
  '-',
  '--',
  '=',
  'a=b=c',
  '*',
  '../..',
  'å ä ö',
  '😀',
  '\ud800',
  '\u0000',
  '\u001b[31m',
  '{}',
  '[]',
  '"',
  "'",
  '<a>&',
  'https://[::1',
  'redis://u:50%@h',
  '__proto__',
  'constructor',
  'x'.repeat(5000),
  'json',
  'id,ID',
  '-Id',
  'Id=1',
  '1001=499',
]

/** Documents that are no document of the product. */
const ODD_DOCUMENTS: readonly string[] = [
  '',
  '{',
  'null',
  '0',
  '"text"',
  '[]',
  '[null]',
  '{}',
  '{"files":[null]}',
  '{"version":{},"files":{}}',
  '\ufeff{}',
]

/** Stand-ins for something in a document of the product. */
const ODD_PARTS: readonly unknown[] = [null, [], {}, [null], '', 'x', -1, 1e300, true, '99999999d', { toString: 1 }]

/** The same sequence for the same seed (Lehmer, 1951). */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** A random command line of known words. The server of the sandbox is not among them: it runs until it is stopped. */
export function commandLine(commands: readonly ManifestCommand[], below: (most: number) => number): string[] {
  const odd = (): string => ODD[below(ODD.length)] ?? ''
  const usable = commands.filter(({ id, hidden }) => hidden !== true && id !== 'sandbox:start')
  const { id, flags } = usable[below(usable.length)] as ManifestCommand
  const words = [id]
  const names = Object.values(flags)
  for (let count = below(5); count > 0; count--) {
    const flag = names[below(names.length)]
    if (flag === undefined) break
    const name = flag.char !== undefined && below(3) === 0 ? `-${flag.char}` : `--${flag.name}`
    if (flag.type === 'boolean') words.push(name)
    else if (below(2) === 0 && name.startsWith('--')) words.push(`${name}=${odd()}`)
    else words.push(name, odd())
  }
  for (let count = below(3); count > 0; count--) words.push(odd())
  return words.concat(ENDING[id] ?? [])
}

/** A document with a part of it replaced or left out, or another one. */
function damaged(text: string, below: (most: number) => number): string {
  const odd = ODD_DOCUMENTS[below(ODD_DOCUMENTS.length * 3)]
  if (odd !== undefined) return odd
  const holders: [object: Record<string, unknown>, key: string][] = []
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      holders.push([value as Record<string, unknown>, key])
      walk((value as Record<string, unknown>)[key])
    }
  }
  let whole: unknown
  try {
    whole = JSON.parse(text)
  } catch {
    // Lines of documents, or what a random line has written with --out.
    const lines = text.split('\n')
    const at = below(lines.length)
    if (lines.length === 1) return text.slice(0, below(text.length + 1))
    return lines.with(at, damaged(lines[at] ?? '', below)).join('\n')
  }
  walk(whole)
  const [holder, key] = holders[below(holders.length)] ?? []
  if (holder !== undefined && key !== undefined) holder[key] = ODD_PARTS[below(ODD_PARTS.length + 1)]
  return JSON.stringify(whole)
}

/** Variables of the environment with odd values; directories stay below the home. */
function oddEnvironment(home: Home, below: (most: number) => number): Record<string, string> {
  const names = ENVIRONMENT.flatMap(([name]) => name.split(', ')).filter((name) => !/COLOR|PAGER|PROXY/.test(name))
  const chosen = Array.from({ length: below(3) }, () => names[below(names.length)] ?? '')
  return Object.fromEntries(
    chosen.map((name) => {
      // A process has no variable with a NUL in it, and reads all of them as UTF-8.
      const odd = Buffer.from((ODD[below(ODD.length)] ?? '').replaceAll('\0', '')).toString()
      const isFolder = name.endsWith('_DIR')
      return [name, isFolder ? (['/proc/none', '/dev/null/odd', join(home.dir, 'odd.json'), ''][below(4)] ?? '') : odd]
    }),
  )
}

/** The documents in a home: settings, marks, saved descriptions, kept references, plans, drafts. */
async function documentsOf(home: Home): Promise<string[]> {
  const found = await readdir(home.dir, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile() && /\.(?:nd)?json$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Lets the product write documents of each kind. */
async function prepare(home: Home): Promise<void> {
  await home.seller('auth:login', '--profile', 'fuzzed', '--no-verify', '--quiet', '--setting', 'default_vat=25')
  await home.seller('service:check', '--save', '--quiet')
  await home.seller('shop:price', '--all', '--add', '5%', '--save-plan', 'plan.json')
  await home.seller('reference:categories')
  // A saved description of version 0.3, of which more is read at each start.
  const folder = join(home.dataDir, 'descriptions')
  for (const name of await readdir(folder)) {
    const { Lacks, ...older } = JSON.parse(await readFile(join(folder, name), 'utf8'))
    if (name.includes('.PublicService.')) await writeFile(join(folder, name), JSON.stringify(older))
  }
  const relists = await home.seller('items:relist', '--unsold', '--save-plan', 'relists.ndjson')
  expect(relists.code, relists.stderr).to.equal(EXIT.ok)
  const flags = ['--category', '344481', '--condition', 'used', '--description', 'x', '--payment', '4096', '--price', '9']
  const person = ask(home, ['shop:add', ...flags, '--quantity', '1'])
  await person.answers('Title', 'Fat')
  await person.sees('Shipping')
  await person.stops()
  await home.file('odd.json', '{"Id":1}')
}

/**
 * Runs random command lines.
 * @param home a sandbox whose profile is the default
 */
export async function fuzzCommandLine(
  home: Home,
  commands: readonly ManifestCommand[],
  seed: number,
  runs: number,
): Promise<void> {
  const below = chance(seed)
  const codes = new Set(EXIT_MEANINGS.map(([code]) => code))
  const coloured = await openColoured()
  let release = '{"version":"9.9.9","files":[{"name":"seller-9.9.9-linux-x64.tar.xz","bytes":1,"sha256":"00"}]}'
  const releases = createServer((_asked, reply) => void reply.end(release)).listen(0, '127.0.0.1')
  try {
    await prepare(home)
    for (let run = 0; run < runs; run++) {
      const argv = commandLine(commands, below)
      if (argv[0] === 'update:check') argv.push(`--url=http://127.0.0.1:${(releases.address() as AddressInfo).port}/release.json`)
      const stdin = below(4) === 0 ? (ODD[below(ODD.length)] ?? '') : ''
      const onTerminal = below(2) === 0
      const documents = below(3) === 0 ? await documentsOf(home) : []
      const path = documents[below(documents.length || 1)]
      const before = path === undefined ? undefined : await readFile(path, 'utf8')
      const after = before === undefined ? undefined : damaged(before, below)
      if (path !== undefined && after !== undefined) await writeFile(path, after)
      const whole = release
      release = argv[0] === 'update:check' ? damaged(release, below) : release
      const served = release
      const env = { ...oddEnvironment(home, below), ...(onTerminal ? { ...COLOUR, PAGER: 'cat' } : {}) }
      const { code, stdout, stderr } = await home.run(argv, {
        ...{ stdin, env },
        ...(onTerminal ? { terminal: 'stdout', from: coloured.from } : {}),
      })
      release = whole
      if (path !== undefined && before !== undefined) await writeFile(path, before)
      const where = JSON.stringify({ env, path, after: after?.slice(0, 400), ...(argv[0] === 'update:check' && { served }) })
      const said = `seed ${seed}, run ${run}: ${JSON.stringify(argv).slice(0, 600)} <<< ${JSON.stringify(stdin).slice(0, 80)} ${where}\n${stdout.slice(-600)}${stderr.slice(-600)}`
      expect(codes.has(code as never), `exit ${code}, ${said}`).to.equal(true)
      // A schema that was asked for names every error.
      const told = argv[0] === 'schema' && code === 0 ? stderr : `${stdout}${stderr}`
      expect(told, said).not.to.match(/This is a bug in seller|Internal error|"unexpected"|\bat .+\.c?js:\d+/)
    }
  } finally {
    releases.close()
    await coloured.close()
  }
}
