/**
 * Descriptions of a service as `service:check --save` saves them: by the product once for each kind of sandbox in a process,
 * then copied (a check takes 90 ms, a copy 3 ms).
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashDescription } from '../../src/cli/saved-description.js'
import { systemClock } from '../../src/system/clock.js'
import type { Home } from './harness.js'

/** Stands in a copy for the address of its sandbox. */
const ADDRESS = 'http://sandbox.invalid'

/** By the kind of sandbox: the files by their names. */
const saved = new Map<string, ReadonlyMap<string, string>>()

/**
 * Saves them for the plain commands of a home.
 * @param kind what makes its sandbox offer something else than another
 * @param now ms since 1970
 */
export async function saveOffered(home: Home, kind: string, now: () => number): Promise<void> {
  const folder = join(home.dataDir, 'descriptions')
  const { url } = home.sandbox
  const known = saved.get(kind)
  if (known === undefined) {
    const { code, stderr } = await home.run(['service:check', '--save', '--yes'], { clock: { ...systemClock, now } })
    if (code !== 0) throw new Error(`The descriptions were not saved: ${stderr}`)
    const files = new Map<string, string>()
    for (const name of await readdir(folder))
      files.set(name, (await readFile(join(folder, name), 'utf8')).replaceAll(url, ADDRESS))
    saved.set(kind, files)
    return
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [name, text] of known) {
    const file = JSON.parse(text.replaceAll(ADDRESS, url))
    const own = { SavedAt: new Date(now()).toISOString(), Sha256: hashDescription(file.Text, file.Parts) }
    await writeFile(join(folder, name), `${JSON.stringify({ ...file, ...own })}\n`, { mode: 0o600 })
  }
}
