/**
 * Makes oclif.manifest.json from the built commands through @oclif/core, by the same steps as `oclif manifest`, but without a
 * second process, without loading all of oclif, and without its time stamps.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Plugin } from '@oclif/core/config'
import { settings } from '@oclif/core/settings'

export type Manifest = Plugin['manifest']

/** @returns the manifest as an object, and its text for the committed file */
export async function manifestOf(root: string): Promise<{ manifest: Manifest; text: string }> {
  settings.tsnodeEnabled = false
  const pjson = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const plugin = new Plugin({
    root,
    pjson,
    isRoot: true,
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  })
  await plugin.load()
  const commands = Object.fromEntries(Object.entries(plugin.manifest.commands).sort(([a], [b]) => (a < b ? -1 : 1)))
  const manifest = { ...plugin.manifest, commands }
  return { manifest, text: `${JSON.stringify(manifest, null, 2)}\n` }
}

export async function writeManifest(root: string): Promise<void> {
  const { text } = await manifestOf(root)
  const path = join(root, 'oclif.manifest.json')
  // tsc keeps what it knew of a JSON file that has changed, so that a command with a new flag would not compile (7.0).
  if (text !== (await readFile(path, 'utf8').catch(() => '')))
    await rm(join(root, 'node_modules', '.cache', 'seller', 'types.tsbuildinfo'), { force: true })
  await writeFile(path, text)
}
