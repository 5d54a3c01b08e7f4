/**
 * The product from its TypeScript sources, for bin/dev.js: a new command, flag or summary works without a build. The manifest of
 * the commands is made when a source is newer than the last one, which takes about a second, and kept outside the committed
 * files.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from '@oclif/core/command'
import type { Product } from '../src/cli/manifest.js'

type Cached = Command.Cached & { id: string }

const require = createRequire(import.meta.url)

/** oclif makes the manifest of a whole plugin only from built files, and exports no way to do it for one class. */
function oclifCache(): (command: Command.Class, plugin: undefined, respectNoCacheDefault: boolean) => Promise<Cached> {
  const oclif = dirname(require.resolve('@oclif/core/package.json'))
  return require(join(oclif, 'lib', 'util', 'cache-command.js')).cacheCommand
}

/** @param root the directory of package.json and src @param place where the manifest is kept */
export async function devProduct(root: string, place = join(root, 'node_modules', '.cache', 'seller', 'dev')): Promise<Product> {
  const folder = join(root, 'src', 'commands')
  const idOf = (file: string): string => file.slice(0, -'.ts'.length).replaceAll(sep, ':')
  const ids = filesBelow(folder).map(idOf).sort()
  const load = async (id: string): Promise<Command.Class> => {
    const path = join(folder, `${id.replaceAll(':', sep)}.ts`)
    // A test changes a file within one process, where the same address is imported once.
    const { default: Class } = await import(`${pathToFileURL(path)}?${statSync(path).mtimeMs}`)
    return Class
  }
  const manifest = join(place, 'oclif.manifest.json')
  const sources = join(root, 'src')
  const newest = Math.max(...filesBelow(sources).map((file) => statSync(join(sources, file)).mtimeMs))
  if (!isCurrent(manifest, newest, ids)) {
    mkdirSync(place, { recursive: true })
    const cache = oclifCache()
    const commands: Record<string, Cached> = {}
    for (const id of ids) commands[id] = Object.assign(await cache(await load(id), undefined, true), { id })
    writeFileSync(manifest, JSON.stringify({ commands }))
  }
  copyFileSync(join(root, 'package.json'), join(place, 'package.json'))
  return { root: place, load }
}

function isCurrent(manifest: string, newest: number, ids: readonly string[]): boolean {
  if (!existsSync(manifest) || statSync(manifest).mtimeMs < newest) return false
  // A removed file leaves nothing that is newer.
  const { commands } = JSON.parse(readFileSync(manifest, 'utf8'))
  return Object.keys(commands).join() === ids.join()
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
}
