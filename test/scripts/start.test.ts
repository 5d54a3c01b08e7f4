import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type Home, openHome } from '../e2e/harness.js'
import { opened } from '../opened.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = join(root, 'bin', 'run.js')

interface Output {
  readonly imports: readonly { readonly path: string; readonly kind: string }[]
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>
}
type Outputs = Readonly<Record<string, Output>>

/** Files that a command loads before it does anything: its own, and all that these import. */
function filesOf(outputs: Outputs, command: string): Set<string> {
  const files = new Set(['dist/main.cjs', `dist/commands/${command}.cjs`])
  for (const file of files)
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === 'import-statement' && path in outputs) files.add(path)
  return files
}

/** Modules in files of the bundle, with their bytes. */
function modulesIn(outputs: Outputs, files: Iterable<string>): Map<string, number> {
  const modules = new Map<string, number>()
  for (const file of files)
    for (const [module, { bytesInOutput }] of Object.entries(outputs[file]?.inputs ?? {}))
      modules.set(module, (modules.get(module) ?? 0) + bytesInOutput)
  return modules
}

function kilobytesOf(modules: ReadonlyMap<string, number>, isCounted: (module: string) => boolean): number {
  return [...modules].reduce((sum, [module, bytes]) => sum + (isCounted(module) ? bytes : 0), 0) / 1000
}

/** Everything that a real run has loaded when it first connects, or ends. */
interface Loaded {
  /** Files of the bundle, from the root. */
  readonly files: readonly string[]
  /** Modules of Node that a bare start does not load, without those that Node keeps to itself. */
  readonly ofNode: readonly string[]
  /** Properties of `process` that were read and take Node long to make. */
  readonly slow: readonly string[]
}

/** A program that runs the command line after it, and writes what is loaded when it first connects, or at its end. */
const WATCHING = `
const { writeSync } = require('node:fs')
const { Socket } = require('node:net')
const vm = require('node:vm')
const [files, slow, before] = [[], [], new Set(process.moduleLoadList)]
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options)
    files.push(options.filename)
  }
}
for (const [object, name] of [[process, 'allowedNodeEnvironmentFlags'], [process.report, 'getReport']]) {
  const { get, value } = Object.getOwnPropertyDescriptor(object, name)
  const read = get ?? (() => value)
  Object.defineProperty(object, name, { get: () => (slow.push(name), read.call(object)) })
}
process.on('exit', () => {
  const own = process.moduleLoadList.filter((name) => !before.has(name))
  const ofNode = own.flatMap((name) => /^NativeModule ((?!internal[/]|_)\\S+)$/.exec(name)?.[1] ?? [])
  writeSync(1, '\\0' + JSON.stringify({ files, ofNode, slow }))
})
Socket.prototype.connect = () => process.exit(0)
process.argv.splice(1, 0, ${JSON.stringify(bin)})
require(${JSON.stringify(bin)})
`

async function loadedBy(home: Home, args: readonly string[]): Promise<Loaded> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', WATCHING, '--', ...args], { env: home.env })
  const { files, ...loaded } = JSON.parse(stdout.split('\0')[1] ?? stdout) as Loaded
  return { ...loaded, files: files.map((file) => file.slice(root.length).replaceAll(sep, '/')) }
}

describe('what a start loads', () => {
  const home = opened(() => openHome({ sandbox: true }))
  const { outputs } = JSON.parse(readFileSync(join(root, 'node_modules', '.cache', 'seller', 'metafile.json'), 'utf8'))
  // Commands that scripts start by hundreds. A view of another result comes by an import of the index of a folder, which brings
  // all that it names: import the file. docs/decisions.md, "A start loads what it uses".
  const COMMANDS = {
    'items/list': { views: ['columns', 'items', 'not-read'], kilobytes: 500 },
    'jobs/list': { views: ['columns', 'jobs', 'not-read', 'plans'], kilobytes: 668 },
  }
  for (const [command, { views, kilobytes }] of Object.entries(COMMANDS)) {
    it(`is for ${command.replace('/', ':')} the views of what it shows, and little else`, () => {
      const modules = modulesIn(outputs, filesOf(outputs, command))
      const found = [...modules.keys()].flatMap((module) => /^src\/format\/views\/(.*)\.ts$/.exec(module)?.[1] ?? [])
      expect(found.sort()).to.deep.equal(views)
      expect(kilobytesOf(modules, (module) => module.startsWith('src/'))).to.be.within(100, kilobytes)
    })
  }

  // Bounds for a real run until it first connects or ends: the modules that it imports later are among them.
  const RUNS: Readonly<Record<string, { ours: number; all: number; ofNode: readonly string[] }>> = {
    'items:list --json': {
      ours: 585,
      all: 1_740,
      ofNode: ['crypto', 'dns', 'http', 'os', 'process', 'sea', 'timers/promises', 'zlib'],
    },
    'jobs:list --json': { ours: 680, all: 1_350, ofNode: ['os', 'sea', 'sqlite'] },
    '--help': { ours: 74, all: 76, ofNode: ['sea'] },
  }
  for (const [words, { ours, all, ofNode }] of Object.entries(RUNS)) {
    it(`is for a run of ${words} what it uses`, async () => {
      const loaded = await loadedBy(home, words.split(' '))
      const modules = modulesIn(outputs, loaded.files)
      expect(loaded.ofNode.filter((name) => !ofNode.includes(name))).to.deep.equal([])
      expect(loaded.slow).to.deep.equal([])
      expect(
        [...modules.keys()].filter((module) => /node_modules\/(?:sax|inquirer|conf|cli-table3)\//.test(module)),
      ).to.deep.equal([])
      expect(kilobytesOf(modules, (module) => module.startsWith('src/'))).to.be.within(50, ours)
      expect(kilobytesOf(modules, () => true)).to.be.within(50, all)
    })
  }
})
