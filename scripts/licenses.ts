/** The licence texts of the packages that are bundled, as their licences ask for. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/**
 * Texts for packages that ship none, by package name: the text of the licence that they name, with their authors as the holders.
 */
const OWN_TEXTS = 'scripts/licenses'

/**
 * @param root the base of the inputs' paths
 * @returns every package once, with its version and text
 * @throws {Error} that names each package without a text: a bundle must not be published without it
 */
export async function licenseTexts(metafile: Metafile, root: string): Promise<string> {
  const packages = new Set<string>()
  for (const input of Object.keys(metafile.inputs)) {
    // What scripts/leaner.ts puts in their place has a namespace before its path.
    const path = /^(?![a-z]+:)(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
    if (path !== undefined) packages.add(path)
  }
  const texts: string[] = []
  const missing: string[] = []
  for (const path of [...packages].sort()) {
    const { name, version, license } = JSON.parse(await readFile(join(root, path, 'package.json'), 'utf8'))
    const text = await textOf(join(root, path), join(root, OWN_TEXTS, `${name.replace('/', '__')}.txt`))
    if (text === undefined) missing.push(`${name} ${version} (${license})`)
    else texts.push(`${name} ${version}\n\n${text}\n`)
  }
  if (missing.length > 0) {
    throw new Error(`No licence text for ${missing.join(', ')}: put it into ${OWN_TEXTS}/NAME.txt, or leave the package out.`)
  }
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

async function textOf(directory: string, own: string): Promise<string | undefined> {
  const file = (await readdir(directory)).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry))
  if (file !== undefined) return (await readFile(join(directory, file), 'utf8')).trim()
  return existsSync(own) ? (await readFile(own, 'utf8')).trim() : undefined
}
