/**
 * Bundles src into dist: one entry for each command, shared code in chunks. Then writes the manifest, the command reference and
 * the generated parts of docs/service.md from the build. `--bundle` makes only dist; `--tests` makes dist and compiles the tests;
 * `--if-newer` makes dist and the manifest if a source is newer than they are.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build as esbuild, transform } from 'esbuild'
import { buildIndex, readManifest } from '../src/cli/manifest.js'
import { SCHEMAS } from '../src/cli/schemas.js'
import { compileTests } from './compile-tests.js'
import { writeDocs } from './docs.js'
import { embeddedFiles } from './embedded.js'
import { writeErrorDocs } from './error-docs.js'
import { LEANER_DEFINES, laterImports, leaner } from './leaner.js'
import { bundledPackages, licenseTexts } from './licenses.js'
import { manPages } from './man.js'
import { manifestOf, writeManifest } from './manifest.js'
import { nativeEngine, sbomOf } from './sbom.js'
import { schemasText } from './schemas.js'
import { writeServiceDocs } from './service-docs.js'
import { writeSkill } from './skill.js'

export const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const TARGET = 'node20.19'
/** Modules of the bundle: `npm run package` reads it. */
const METAFILE = join(root, 'node_modules', '.cache', 'seller', 'metafile.json')

/** Every file under a directory. */
async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function entries(): Promise<Record<string, string>> {
  const commands = join(root, 'src', 'commands')
  const found = (await filesIn(commands)).filter((path) => path.endsWith('.ts')).sort()
  return {
    main: join(root, 'src', 'cli', 'main.ts'),
    ...Object.fromEntries(found.map((path) => [`commands/${relative(commands, path).replaceAll(sep, '/').slice(0, -3)}`, path])),
  }
}

/** @param keepsSchemas whether those that are there stay: sources that a tool has changed have other types */
export async function bundle(keepsSchemas = false): Promise<void> {
  const options = {
    absWorkingDir: root,
    outdir: dist,
    bundle: true,
    format: 'esm',
    outExtension: { '.js': '.cjs' },
    platform: 'node',
    target: TARGET,
    chunkNames: 'chunks/[hash]',
    legalComments: 'none',
    define: { 'import.meta.url': '__importMetaUrl', ...LEANER_DEFINES },
    inject: [join(root, 'scripts', 'later.mjs')],
    // Optional packages that oclif looks for to run TypeScript.
    external: ['typescript', 'ts-node', 'pnpapi'],
    plugins: [leaner(root), embeddedFiles],
    metafile: true,
    write: false,
    logLevel: 'warning',
  } satisfies BuildOptions
  // Node itself loads what finds the compiled code, and takes five times as long for each file that it asks for: it is one.
  const [{ metafile, outputFiles }, finder] = await Promise.all([
    esbuild({ ...options, entryPoints: await entries(), splitting: true }),
    esbuild({ ...options, entryPoints: { compiled: join(root, 'src', 'cli', 'compile-cache.ts') } }),
  ])
  const files = await Promise.all(
    [...outputFiles, ...finder.outputFiles].map(async ({ path, text }) => ({ path, text: await asCommonJs(laterImports(text)) })),
  )
  const hash = createHash('sha256')
  for (const { text } of files) hash.update(text)
  const build = hash.digest('hex').slice(0, 16)
  await Promise.all(files.map(({ path, text }) => writeOut(path, text.replaceAll('__BUILD__', build))))
  await writeOut(join(dist, 'licenses.txt'), licenseTexts(bundledPackages(metafile, root)))
  await writeOut(METAFILE, JSON.stringify(metafile))
  const product = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await writeOut(join(dist, 'bom.json'), sbomOf(product, bundledPackages(metafile, root), nativeEngine(root)))
  if (!keepsSchemas) await writeOut(join(root, SCHEMAS), await schemas())
}

/**
 * Removes what an earlier build left below a folder, once the files of this one are there: commands that run meanwhile find each
 * file, and of the same sources the same.
 */
async function sweep(folder: string): Promise<void> {
  for (const path of await filesIn(folder)) if (!written.has(path) && path !== join(root, SCHEMAS)) await rm(path)
}

/** The schemas of all results, made anew where a source has changed: the compiler takes some seconds. */
async function schemas(): Promise<string> {
  const hash = createHash('sha256')
  const folders = ['src', join('scripts', 'schemas')].map((folder) => filesIn(join(root, folder)))
  const paths = [...(await Promise.all(folders)).flat(), join(root, 'scripts', 'schemas.ts')].sort()
  for (const text of await Promise.all(paths.map((path) => readFile(path)))) hash.update(text)
  const key = hash.digest('hex')
  const cache = join(root, 'node_modules', '.cache', 'seller', 'schemas.json')
  const kept = await readFile(cache, 'utf8').then(JSON.parse, () => undefined)
  if (kept?.key === key) return kept.text
  const text = schemasText(root)
  await writeOut(cache, JSON.stringify({ key, text }))
  return text
}

/**
 * A file of the bundle as CommonJS. esbuild splits only ES modules, and Node takes about 1 ms for each of those (asynchronous
 * look-up, URLs, and a facade with all names of every built-in module that is imported), but a tenth of that for a CommonJS file.
 */
async function asCommonJs(text: string): Promise<string> {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: TARGET,
    minify: true,
    supported: { 'dynamic-import': false },
    banner: text.includes('__importMetaUrl') ? 'const __importMetaUrl=require("node:url").pathToFileURL(__filename).href;' : '',
  })
  return code
}

/** Files of this build. */
const written = new Set<string>()

/** In one step, so that a command that is being loaded never sees half a file. */
async function writeOut(path: string, text: string): Promise<void> {
  written.add(path)
  await mkdir(dirname(path), { recursive: true })
  const half = `${path}.${process.pid}`
  await writeFile(half, text)
  await rename(half, path)
}

/** Files that are made of the manifest, next to the bundle: the index that a start reads, and the man pages. */
async function writeFromManifest(): Promise<void> {
  const commands = readManifest(root)
  const { path, text } = buildIndex(commands)
  const pjson = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const pages = manPages(pjson, commands).map((page) => writeOut(join(dist, 'man', page.file), page.text))
  await Promise.all([writeOut(join(root, path), text), ...pages])
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
  const [mode] = process.argv.slice(2)
  if (mode !== '--if-newer' || !(await isCurrent())) {
    await bundle(process.argv.includes('--keep-schemas'))
    // The manifest is made of all commands that are there. Not where commands may be running from a build that is brought up to
    // date.
    if (mode !== '--if-newer') await sweep(join(dist, 'commands'))
    if (mode === '--tests') await compileTests(root)
    // --bundle and --tests do not touch committed files; the tests report stale ones.
    else if (mode !== '--bundle') await writeManifest(root)
    await writeFromManifest()
    if (mode !== '--if-newer') await sweep(dist)
    if (mode === undefined) {
      await writeDocs(root, (await manifestOf(root)).manifest)
      await writeServiceDocs(root)
      await writeErrorDocs(root)
      await writeSkill(root, readManifest(root))
    }
  }
}
