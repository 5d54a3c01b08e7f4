/**
 * Compiles the tests and what they import for `npm test`, a file each. tsx compiles while it imports, but asks another thread at
 * every import, also of a module that is loaded: commands import lazily, so that was a sixth of the CPU time of all tests.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transform, version } from 'esbuild'

/** Modules that tests import: other sources, and those of the slow tests, are run by tsx. */
const SOURCES = ['src', 'scripts', 'test']
const LEFT = join('test', 'slow')
/** Source of each compiled file: an unchanged one is not compiled again. */
const DIGESTS = 'digests.json'

/**
 * @param root the project
 * @param out the directory that is written; by default the one that .mocharc.compiled.json names
 */
export async function compileTests(root: string, out = join(root, 'node_modules', '.cache', 'seller', 'tests')): Promise<void> {
  await mkdir(out, { recursive: true })
  const before = await digestsIn(out)
  const digests: Record<string, string> = {}
  const names = (await Promise.all(SOURCES.map((source) => filesIn(root, source)))).flat()
  await Promise.all(
    names
      .filter((name) => name.endsWith('.ts') && !name.startsWith(LEFT))
      .map(async (name) => {
        const path = join(root, name)
        const target = name.replace(/\.ts$/, '.js')
        const text = await readFile(path, 'utf8')
        const digest = createHash('sha1').update(`${version} ${path}\n${text}`).digest('hex')
        digests[target] = digest
        if (before[target] === digest) return
        await mkdir(dirname(join(out, target)), { recursive: true })
        await writeFile(join(out, target), await compiled(path, text))
      }),
  )
  await writeFile(join(out, 'package.json'), '{ "type": "module" }\n')
  await writeFile(join(out, DIGESTS), JSON.stringify(digests))
  // A test without a source must not run.
  const kept = new Set([...Object.keys(digests), 'package.json', DIGESTS])
  for (const name of await filesIn(out, '.')) if (!kept.has(name)) await rm(join(out, name))
}

/** `import.meta` names the source, beside which the files are that tests read; only `import.meta.filename` names what runs. */
async function compiled(path: string, text: string): Promise<string> {
  const { code } = await transform(text, {
    loader: 'ts',
    format: 'esm',
    target: 'node20.19',
    sourcefile: path,
    sourcemap: 'inline',
    sourcesContent: false,
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(path).href), 'import.meta.dirname': JSON.stringify(dirname(path)) },
  })
  return code
}

/** The files below a directory, as paths from `base`. */
async function filesIn(base: string, directory: string): Promise<string[]> {
  const entries = await readdir(join(base, directory), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(base, join(entry.parentPath, entry.name)))
}

async function digestsIn(out: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(join(out, DIGESTS), 'utf8'))
  } catch {
    return {}
  }
}
