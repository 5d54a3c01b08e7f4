/** The licence texts of the packages that are bundled, as their licences ask for. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/**
 * Texts for packages that ship none, by package name: the text of the licence that they name, with their authors as the holders.
 */
const OWN_TEXTS = 'scripts/licenses'

/** A package of which something stands in the bundle. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
  /** An SPDX expression. */
  readonly license: string
  readonly text: string
}

/**
 * @param root the base of the inputs' paths
 * @returns every package of which bytes are in the bundle, once
 * @throws {Error} that names each package without a text: a bundle must not be published without it
 */
export function bundledPackages(metafile: Metafile, root: string): BundledPackage[] {
  const packages = new Set<string>()
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      // A package that scripts/leaner.ts puts in their place has a namespace before its path.
      const path = /^(?![a-z]+:)(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
      if (path !== undefined && bytesInOutput > 0) packages.add(path)
    }
  }
  const found: BundledPackage[] = []
  const missing: string[] = []
  for (const path of [...packages].sort()) {
    const { name, version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
    const text = textOf(join(root, path), join(root, OWN_TEXTS, `${name.replace('/', '__')}.txt`))
    if (text === undefined) missing.push(`${name} ${version} (${license})`)
    else found.push({ name, version, license, text })
  }
  if (missing.length > 0) {
    throw new Error(`No licence text for ${missing.join(', ')}: put it into ${OWN_TEXTS}/NAME.txt, or leave the package out.`)
  }
  return found
}

/** The text of licenses.txt. */
export function licenseTexts(packages: readonly BundledPackage[]): string {
  const texts = packages.map(({ name, version, text }) => `${name} ${version}\n\n${text}\n`)
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

function textOf(directory: string, own: string): string | undefined {
  const file = readdirSync(directory).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry))
  if (file !== undefined) return readFileSync(join(directory, file), 'utf8').trim()
  return existsSync(own) ? readFileSync(own, 'utf8').trim() : undefined
}
