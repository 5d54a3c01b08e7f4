/**
 * The bill of materials (CycloneDX 1.6) of what is shipped: the packages of which something stands in the bundle, and what is
 * installed or packed beside it. Without times, random numbers and paths, so that two builds are equal.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BundledPackage } from './licenses.js'

export interface Component {
  readonly type: 'library' | 'application'
  readonly name: string
  readonly version: string
  /** An SPDX expression; undefined if its text stands beside it. */
  readonly license?: string | undefined
  /** `sha512-…` in base64, as the registry has it. */
  readonly integrity?: string | undefined
  /** `optional`: one of them is installed, by the system. */
  readonly scope?: 'required' | 'optional'
  /** Its address, if it is not the package of npm with its name. */
  readonly purl?: string
  /** Its name in lists of holes (NVD). */
  readonly cpe?: string
}

/**
 * The engine that npm installs beside the bundle, from package-lock.json: libsql with what it needs, and its native file for each
 * system.
 */
export function nativeEngine(root: string): Component[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; license?: string; integrity?: string; dev?: boolean; optional?: boolean }>
  }
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version, license, integrity, optional }]) => {
      const name = path.slice('node_modules/'.length)
      return { type: 'library', name, version, license, integrity, scope: optional === true ? 'optional' : 'required' }
    })
}

/** @param product name, version and licence of package.json */
export function sbomOf(
  product: { readonly name: string; readonly version: string; readonly license: string },
  bundled: readonly BundledPackage[],
  beside: readonly Component[],
): string {
  // A package may be both: the code of libsql stands in the bundle, and npm installs it for its native file.
  const own = [...bundled.map((found): Component => ({ type: 'library', ...found })), ...beside].map(entry)
  const components = [...new Map(own.map((component) => [component['bom-ref'], component])).values()]
  components.sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const { name, version, license } = product
  const main = entry({ type: 'application', name, version, license })
  const dependsOn = components.map((component) => component['bom-ref'])
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: main },
    components,
    dependencies: [{ ref: main['bom-ref'], dependsOn }, ...dependsOn.map((ref) => ({ ref }))],
  }
  return `${JSON.stringify(bom, undefined, 1)}\n`
}

function entry({ type, name, version, license, integrity, scope, cpe, ...given }: Component) {
  const purl = given.purl ?? `pkg:npm/${name.replace('@', '%40')}@${version}`
  const [algorithm, digest] = integrity?.split('-') ?? []
  return {
    type,
    'bom-ref': purl,
    name,
    version,
    ...(scope === undefined ? {} : { scope }),
    ...(digest === undefined || algorithm !== 'sha512'
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }),
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(cpe === undefined ? {} : { cpe }),
    purl,
  }
}
