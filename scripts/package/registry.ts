/** Packages of the npm registry, by npm's own client: downloaded once, and checked against what the registry says of them. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Fetched {
  /** The tarball. */
  readonly path: string
  /** As the registry gives it: `sha512-…` in base64. */
  readonly integrity: string
}

/**
 * @param cache where tarballs are kept between builds
 * @throws if the registry cannot be reached, or the tarball is not the one that the registry names
 */
export async function fetched(name: string, version: string, cache: string): Promise<Fetched> {
  const path = join(cache, `${name}-${version}.tgz`)
  const says = `${path}.integrity`
  await mkdir(cache, { recursive: true })
  if (!existsSync(path) || !existsSync(says)) {
    const view = await run('npm', ['view', `${name}@${version}`, 'dist.integrity', '--json'])
    const integrity: unknown = JSON.parse(view.stdout)
    if (typeof integrity !== 'string') throw new Error(`The registry names no integrity of ${name} ${version}.`)
    const half = join(cache, `half-${process.pid}`)
    await mkdir(half, { recursive: true })
    await run('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', half])
    await rename(join(half, `${name}-${version}.tgz`), path)
    await rm(half, { recursive: true })
    await writeFile(says, integrity)
  }
  const integrity = await readFile(says, 'utf8')
  const found = `sha512-${createHash('sha512')
    .update(await readFile(path))
    .digest('base64')}`
  if (found === integrity) return { path, integrity }
  await rm(path)
  throw new Error(
    `${name} ${version} is ${found}, and the registry says ${integrity}. It is removed; build again to download it anew.`,
  )
}

/** Takes files out of a tarball of the registry. @param names paths in the package; the program and the licence */
export async function unpacked(tarball: string, folder: string, names: readonly string[]): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', folder, ...names.map((name) => `package/${name}`)])
  return names.map((name) => join(folder, 'package', name))
}
