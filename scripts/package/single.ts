/** One file with Node and the whole product in it (Node's single executable applications), for whoever wants one file to copy. */
import { execFile } from 'node:child_process'
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { filesUnder } from './archives.js'
import { fetched, unpacked } from './registry.js'

/** postject writes the rest into Node's program: Node itself can do that from 25.5 on. */
const INJECTOR = ['postject', '1.0.0-alpha.6'] as const

export interface Single {
  /** The checkout, with the bundle. */
  readonly root: string
  /** A Node that runs here, and builds it. */
  readonly by: string
  /** The Node that goes into it, of the same version. */
  readonly program: string
  /** Where packages of the registry are kept between builds. */
  readonly cache: string
  /** The package.json of the product. */
  readonly own: string
  readonly to: string
}

/** What the program begins with: the loader of the bundle, which takes all other files from the program. */
const START = `
const { dirname, join } = require('node:path')
const { getAsset } = require('node:sea')
const read = (name) => getAsset('dist/' + name.replaceAll('\\\\', '/'), 'utf8')
const load = (name) => {
  const module = { exports: {} }
  const near = (id) => (id.startsWith('.') ? load(join(dirname(name), id)) : require(id))
  new Function('module', 'exports', 'require', read(name))(module, module.exports, near)
  return module.exports
}
// A process that the product starts beside itself, as it starts Node elsewhere (src/system/sqlite-driver.ts).
if (process.send !== undefined && process.argv[2] === '-e') new Function('require', process.argv[3])(require)
else {
  const root = dirname(process.execPath)
  const dist = join(root, 'dist')
  load('compiled.cjs').requireKept(dist, process.env, read)(join(dist, 'main.cjs')).main({ root })
}
`

/** The mark in Node's program that says whether it carries another one (Node's documents, Single executable applications). */
const FUSE = { sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2' }

export async function singleOf({ root, by, program, cache, own, to }: Single): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'seller-single-'))
  try {
    await writeFile(join(work, 'main.cjs'), START)
    await writeFile(join(work, 'package.json'), own)
    const dist = (await filesUnder(join(root, 'dist'))).filter((name) => /\.(?:cjs|json)$/.test(name) && name !== 'bom.json')
    const assets: Record<string, string> = {
      'package.json': join(work, 'package.json'),
      'oclif.manifest.json': join(root, 'oclif.manifest.json'),
      ...Object.fromEntries(dist.map((name) => [`dist/${name}`, join(root, 'dist', name)])),
    }
    const config = join(work, 'single.json')
    await writeFile(config, JSON.stringify({ main: 'main.cjs', output: 'carried', assets, disableExperimentalSEAWarning: true }))
    await promisify(execFile)(by, ['--experimental-sea-config', config], { cwd: work })
    const { path } = await fetched(...INJECTOR, cache)
    const [injector = ''] = await unpacked(path, join(cache, INJECTOR.join('-')), ['dist/api.js'])
    await cp(program, to)
    await chmod(to, 0o755)
    await createRequire(import.meta.url)(injector).inject(to, 'NODE_SEA_BLOB', await readFile(join(work, 'carried')), FUSE)
  } finally {
    await rm(work, { recursive: true })
  }
}
