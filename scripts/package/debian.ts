/**
 * Content of a Debian package beside the folder of the product, as Debian's policy wants it: lintian finds no error
 * (test/slow/packages.test.ts).
 */
import { chmod, cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { filesUnder } from './archives.js'
import type { Target } from './targets.js'

interface Product {
  readonly name: string
  readonly version: string
  readonly description: string
}

/** Whoever publishes the package is its maintainer: example.org is nobody's (RFC 2606). */
const maintainerOf = ({ name }: Pick<Product, 'name'>): string => `The maintainers of ${name} <${name}@example.org>`

/** The control file (deb-control(5)). @param kib what it takes when installed */
function control(product: Product, target: Target, kib: number): string {
  const { name, version, description } = product
  return `Package: ${name}
Version: ${version}
Architecture: ${architectureOf(target)}
Maintainer: ${maintainerOf(product)}
Installed-Size: ${kib}
Depends: libc6 (>= 2.28), libstdc++6
Section: utils
Priority: optional
Description: ${description.replace(/\.$/, '')}
 ${name} lists, prices and sells from a terminal or a script, over the
 SOAP service of the marketplace.
`
}

export const architectureOf = ({ name }: Target): string => (name === 'linux-x64' ? 'amd64' : 'arm64')

/** In Debian's own form (deb-changelog(5)). @param date of the newest release, `2026-11-28` */
function changelog(product: Product, date: string): string {
  const day = new Date(`${date}T12:00:00Z`).toUTCString().replace('GMT', '+0000')
  return `${product.name} (${product.version}) unstable; urgency=medium

  * All that is new is in /usr/lib/${product.name}/CHANGELOG.md.

 -- ${maintainerOf(product)}  ${day}
`
}

/** Debian has this licence in one place (Debian Policy, 12.5). */
const APACHE = / *Apache License\s+Version 2\.0, January 2004[\s\S]*?limitations under the License\.\n/g
const APACHE_HERE = `Licensed under the Apache License, Version 2.0. On Debian systems, its
text is in /usr/share/common-licenses/Apache-2.0.
`

/** Findings of lintian that are meant so, with the reason. */
const overridesOf = (name: string): string => `# The Node of its publisher, byte for byte, so that its sum can be compared.
${name}: unstripped-binary-or-object [usr/lib/${name}/node]
${name}: embedded-library *
${name}: hardening-no-pie *
`

const PLACES = {
  'seller.bash': 'bash-completion/completions/seller',
  _seller: 'zsh/vendor-completions/_seller',
  'seller.fish': 'fish/vendor_completions.d/seller.fish',
}

/** Every run makes the same bytes. */
const packed = (text: string | Buffer): Buffer => gzipSync(text, { level: 9 })

/**
 * Lays out a package: the folder under /usr/lib, and what shells, man and the command line look for in their places.
 * @param tree gets `data` and `DEBIAN`
 * @param folder the product for Linux
 */
export async function layOutDebian(
  tree: string,
  folder: string,
  { product, target, date }: { readonly product: Product; readonly target: Target; readonly date: string },
): Promise<void> {
  const { name } = product
  const data = join(tree, 'data', 'usr')
  const put = async (place: string, text: string | Buffer): Promise<void> => {
    await mkdir(dirname(join(data, place)), { recursive: true })
    await writeFile(join(data, place), text)
  }
  await cp(folder, join(data, 'lib', name), { recursive: true })
  // The launcher runs it by the Node beside it, and no other one is asked for.
  const script = join('lib', name, 'bin', 'run.js')
  await put(script, (await readFile(join(data, script), 'utf8')).replace(/^#!.*\n/, ''))
  await chmod(join(data, script), 0o644)
  await put(`bin/${name}`, `#!/bin/sh\nexec /usr/lib/${name}/seller "$@"\n`)
  await chmod(join(data, 'bin', name), 0o755)
  for (const page of await filesUnder(join(folder, 'man')))
    await put(`share/man/${page}.gz`, packed(await readFile(join(folder, 'man', page))))
  for (const [file, place] of Object.entries(PLACES))
    await put(`share/${place}`, await readFile(join(folder, 'completions', file)))
  const licenses = await readFile(join(folder, 'licenses.txt'), 'utf8')
  await put(`share/doc/${name}/copyright`, licenses.replace(APACHE, APACHE_HERE))
  await put(`share/doc/${name}/changelog.gz`, packed(changelog(product, date)))
  await put(`share/lintian/overrides/${name}`, overridesOf(name))
  let bytes = 0
  for (const file of await filesUnder(data)) bytes += (await stat(join(data, file))).size
  await mkdir(join(tree, 'DEBIAN'), { recursive: true })
  await writeFile(join(tree, 'DEBIAN', 'control'), control(product, target, Math.ceil(bytes / 1024)))
}
