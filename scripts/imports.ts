/**
 * Decides which module may import which: one table for modules and one for packages. `npm run lint` fails on an import outside
 * them and on any cycle between files, including type-only imports. Written here, because the linter's rules need a copy of the
 * list for each folder, and its cycle rule ignores types.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A module (a folder below src) and the modules that it may import. A file belongs to the module with the longest matching name.
 */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  system: [],
  messages: ['contract', 'system'],
  errors: ['messages'],
  'soap/wire': ['contract', 'system'],
  'soap/client': ['contract', 'system', 'soap/wire'],
  'soap/server': ['contract', 'system', 'soap/wire'],
  'soap/description': ['contract', 'system', 'soap/wire'],
  workbook: [],
  images: [],
  rows: ['contract', 'workbook', 'holds'],
  'pricing/guards': ['contract', 'messages'],
  holds: ['contract', 'messages', 'pricing/guards'],
  pricing: ['contract', 'messages', 'rows', 'pricing/guards', 'holds'],
  'jobs/ledger': ['contract', 'system', 'messages', 'errors', 'soap/client', 'rows'],
  'jobs/quota': ['contract', 'system', 'messages', 'errors', 'soap/client', 'jobs/ledger'],
  jobs: [
    'contract',
    'system',
    'messages',
    'errors',
    'soap/client',
    'images',
    'rows',
    'pricing',
    'pricing/guards',
    'holds',
    'jobs/ledger',
  ],
  'format/output': ['contract', 'system', 'messages', 'workbook'],
  'format/views': ['contract', 'system', 'messages', 'holds', 'format/output'],
  'format/html': ['contract', 'system', 'messages', 'format/output', 'format/views'],
  cli: [
    'contract',
    'system',
    'messages',
    'errors',
    'soap/client',
    'soap/description',
    'jobs/ledger',
    'jobs/quota',
    'format/output',
    'pricing/guards',
    'holds',
    'workbook',
  ],
  actions: [
    'contract',
    'system',
    'messages',
    'errors',
    'soap/client',
    'soap/description',
    'images',
    'rows',
    'pricing',
    'pricing/guards',
    'holds',
    'workbook',
    'jobs/ledger',
    'jobs',
    'format/output',
    'format/views',
    'format/html',
    'cli',
  ],
  commands: ['contract', 'messages', 'errors', 'format/output', 'format/views', 'cli', 'actions'],
  sandbox: ['contract', 'system', 'soap/wire', 'soap/server'],
}

/** Exceptions from the table: only these open the sandbox. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'cli/context.ts': ['sandbox'],
  'cli/open-client.ts': ['sandbox'],
  'commands/sandbox/': ['sandbox'],
}

/** A file outside of src, for its type alone. */
const TYPES: Readonly<Record<string, string>> = { 'messages/command.ts': '../oclif.manifest.json' }

/** A package with a home, and the modules that may import it. Other packages may be imported anywhere. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  got: ['soap/client'],
  'proxy-agent': ['soap/client'],
  xml2js: ['soap/wire'],
  saxes: ['soap/server', 'soap/description', 'workbook'],
  yauzl: ['workbook'],
  yazl: ['workbook'],
  libsql: ['system'],
  '@redis/client': ['jobs/quota'],
  'csv-parse': ['rows', 'sandbox'],
  conf: ['cli'],
  inquirer: ['cli'],
  '@oclif/core': ['cli', 'actions', 'commands'],
  chalk: ['format/output'],
  'cli-table3': ['format/output'],
  qrcode: ['format/output'],
  uplot: ['format/html'],
  '@jsquash/jpeg': ['images'],
  '@cantoo/pdf-lib': ['actions'],
}

const src = join(fileURLToPath(new URL('..', import.meta.url)), 'src')
const IMPORT = /^(?:import|export)[^'"]*?from '([^']+)'|^import '([^']+)'|\b(?:import|require)\('([^']+)'\)/gm

/** Every file below src and what it imports, as written. */
function readImports(): Map<string, string[]> {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(src, file), 'utf8')
      return [file.replaceAll(sep, '/'), [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')]
    }),
  )
}

function moduleOf(file: string): string | undefined {
  return Object.keys(MODULES)
    .filter((name) => file.startsWith(`${name}/`))
    .sort((a, b) => b.length - a.length)[0]
}

/** The file below src that `./x.js` means in a file; undefined for a package. */
function targetOf(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  return join(dirname(file), specifier).replaceAll(sep, '/').replace(/\.js$/, '.ts')
}

/** Why this import is not allowed; undefined if it is. */
function breachOf(file: string, specifier: string): string | undefined {
  const from = moduleOf(file)
  if (from === undefined) return `${file}: is in no module of scripts/imports.ts`
  const target = targetOf(file, specifier)
  if (specifier === '@oclif/core') return `${file}: import a part of @oclif/core, as @oclif/core/flags: all of it loads semver`
  if (target === undefined) {
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
    const homes = PACKAGES[name]
    return homes === undefined || homes.includes(from) ? undefined : `${file}: only ${homes.join(', ')} may import ${name}`
  }
  if (TYPES[file] === target) return undefined
  if (target === 'format/views/index.ts')
    return `${file}: import the file of the view: the index brings all of them into each start`
  const to = moduleOf(target)
  if (to === undefined) return `${file}: ${specifier} is in no module of scripts/imports.ts`
  const also = Object.entries(ALSO).flatMap(([path, modules]) => (file.startsWith(path) ? modules : []))
  if (from === to) return from === 'commands' ? `${file}: a command may not import another (${target})` : undefined
  return MODULES[from]?.includes(to) || also.includes(to) ? undefined : `${file}: ${from} may not import ${to} (${specifier})`
}

/** Each cycle once, as the files on it. */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const state = new Map<string, 'open' | 'done'>()
  const path: string[] = []
  const cycles: string[][] = []
  const visit = (file: string): void => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      cycles.push([...path.slice(path.indexOf(file)), file])
      return
    }
    state.set(file, 'open')
    path.push(file)
    for (const next of graph.get(file) ?? []) visit(next)
    path.pop()
    state.set(file, 'done')
  }
  for (const file of graph.keys()) visit(file)
  return cycles
}

/** Every breach and every cycle, one line each. */
export function importFaults(imports: ReadonlyMap<string, readonly string[]> = readImports()): string[] {
  const breaches = [...imports].flatMap(([file, list]) => list.flatMap((specifier) => breachOf(file, specifier) ?? []))
  const graph = new Map([...imports].map(([file, list]) => [file, list.flatMap((specifier) => targetOf(file, specifier) ?? [])]))
  return [...new Set(breaches), ...cyclesIn(graph).map((cycle) => `cycle: ${cycle.join(' -> ')}`)]
}
