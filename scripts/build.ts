/**
 * Bundles src into dist: one entry for each command, what they share in chunks. Then the manifest and the command reference are
 * written from what was built. `--if-newer` does nothing when dist is newer than everything it is made of.
 */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'
import { writeDocs } from './docs.js'
import { writeManifest } from './manifest.js'

export const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

// Code from CommonJS packages asks for these; ES modules have none.
const BANNER = `import{createRequire as __createRequire}from'node:module';import{fileURLToPath as __toPath}from'node:url';import{dirname as __dirnameOf}from'node:path';const require=__createRequire(import.meta.url),__filename=__toPath(import.meta.url),__dirname=__dirnameOf(__filename);`

/**
 * got speaks HTTP/2 through http2-wrapper, which reads all root certificates when it is loaded (25 ms); SOAP here is HTTP/1.1.
 * oclif sorts all commands with localeCompare at every start, which loads ICU's collation (6 to 8 ms); their ids are ASCII.
 */
const leaner: Plugin = {
  name: 'leaner',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^http2-wrapper$/ }, () => ({ path: 'http2-wrapper', namespace: 'absent' }))
    onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'export default {}' }))
    onLoad({ filter: /@oclif[\\/]core[\\/]lib[\\/]config[\\/]plugin\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const contents = text.replace('a.id.localeCompare(b.id)', '(a.id < b.id ? -1 : a.id > b.id ? 1 : 0)')
      if (contents === text) throw new Error('oclif no longer sorts its commands with localeCompare: drop the replacement')
      return { contents }
    })
  },
}

/** Every file under a directory. */
async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function entries(): Promise<Record<string, string>> {
  const commands = join(root, 'src', 'commands')
  const found = (await filesIn(commands)).filter((path) => path.endsWith('.ts')).sort()
  // Completion comes from oclif's plugin, bundled: loading it as a plugin would cost every start its package.json and manifest.
  const plugin = dirname(createRequire(import.meta.url).resolve('@oclif/plugin-autocomplete'))
  const completion = ['index', 'create', 'script'].map((name) => [
    `commands/autocomplete/${name}`,
    join(plugin, 'commands', 'autocomplete', `${name}.js`),
  ])
  return {
    main: join(root, 'src', 'cli', 'main.ts'),
    help: join(root, 'src', 'cli', 'help.ts'),
    ...Object.fromEntries(found.map((path) => [`commands/${relative(commands, path).replaceAll(sep, '/').slice(0, -3)}`, path])),
    ...Object.fromEntries(completion),
  }
}

export async function bundle(): Promise<void> {
  await rm(dist, { recursive: true, force: true })
  const { metafile } = await build({
    entryPoints: await entries(),
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    chunkNames: 'chunks/[hash]',
    minify: true,
    legalComments: 'none',
    banner: { js: BANNER },
    // A native module: its binary comes with the package.
    external: ['libsql'],
    plugins: [leaner],
    metafile: true,
    logLevel: 'warning',
  })
  await writeFile(join(dist, 'licenses.txt'), await licenses(metafile))
}

/** The licences of the packages that were bundled, as they ask for. */
async function licenses(metafile: Metafile): Promise<string> {
  const packages = new Set<string>()
  for (const input of Object.keys(metafile.inputs)) {
    const name = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
    if (name !== undefined) packages.add(name)
  }
  const texts: string[] = []
  for (const path of [...packages].sort()) {
    const { name, version, license } = JSON.parse(await readFile(join(root, path, 'package.json'), 'utf8'))
    const file = (await readdir(join(root, path))).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file === undefined ? `License: ${license}` : (await readFile(join(root, path, file), 'utf8')).trim()
    texts.push(`${name} ${version}\n\n${text}\n`)
  }
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

async function isCurrent(): Promise<boolean> {
  const made = await stat(join(dist, 'licenses.txt')).catch(() => undefined)
  if (made === undefined) return false
  const sources = [
    ...(await filesIn(join(root, 'src'))),
    ...(await filesIn(join(root, 'scripts'))),
    join(root, 'package-lock.json'),
  ]
  const times = await Promise.all(sources.map(async (path) => (await stat(path)).mtimeMs))
  return Math.max(...times) < made.mtimeMs
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--if-newer') || !(await isCurrent())) {
    await mkdir(dist, { recursive: true })
    await bundle()
    const manifest = await writeManifest(root)
    await writeDocs(root, manifest)
  }
}
