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

/** Beginning of the program: the loader of the bundle, which takes all other files from the program. */
const START = `
const { existsSync } = require('node:fs')
const { delimiter, dirname, isAbsolute, join, resolve } = require('node:path')
// Without /proc, Linux tells a program only how it was called.
const called = process.execPath
if (!isAbsolute(called)) {
  const places = called.includes('/') ? ['.'] : (process.env.PATH || '').split(delimiter)
  process.execPath = places.map((place) => resolve(place, called)).find(existsSync) || resolve(called)
  process.argv = process.argv.map((word, at) => (at < 2 && word === called ? process.execPath : word))
}
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

/**
 * Cuts what is left of the signature of Node's program, which no longer fits: the entry of the certificate table, and the table
 * where it ends the file; and sets the checksum anew (PE format, learn.microsoft.com).
 */
export function withoutSignature(program: Buffer): Buffer {
  const header = program.readUInt32LE(60)
  const optional = header + 24
  const directories = optional + (program.readUInt16LE(optional) === 0x20b ? 112 : 96)
  const entry = directories + 4 * 8
  const [at, size] = [program.readUInt32LE(entry), program.readUInt32LE(entry + 4)]
  const cut = Buffer.from(at > 0 && at + size === program.length ? program.subarray(0, at) : program)
  cut.fill(0, entry, entry + 8)
  const checksum = optional + 64
  cut.writeUInt32LE(0, checksum)
  let sum = 0
  for (let word = 0; word < cut.length; word += 2) {
    sum += word + 1 < cut.length ? cut.readUInt16LE(word) : (cut[word] ?? 0)
    sum = (sum & 0xffff) + (sum >>> 16)
  }
  cut.writeUInt32LE(sum + cut.length, checksum)
  return cut
}

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
    if (to.endsWith('.exe')) await writeFile(to, withoutSignature(await readFile(to)))
  } finally {
    await rm(work, { recursive: true })
  }
}
