/** One file with Node and the whole product in it (Node's single executable applications), for whoever wants one file to copy. */
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { filesUnder } from './archives.js'

export interface Single {
  /** The checkout, with the bundle. */
  readonly root: string
  /** A Node that runs here, and builds it. */
  readonly by: string
  /** The Node that goes into it, of the same version. */
  readonly program: string
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

export async function singleOf({ root, by, program, own, to }: Single): Promise<void> {
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
    await writeFile(
      config,
      JSON.stringify({ main: 'main.cjs', executable: program, output: to, assets, disableExperimentalSEAWarning: true }),
    )
    await promisify(execFile)(by, ['--build-sea', config], { cwd: work })
    await chmod(to, 0o755)
  } finally {
    await rm(work, { recursive: true })
  }
}
