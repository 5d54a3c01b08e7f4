/**
 * Facts about the commands without loading them: everything in oclif.manifest.json, and a start's part of it in an index
 * that the build puts next to the bundle. Reading the whole manifest takes 5 ms of each start (measured at 360 kB), reading the
 * index almost nothing.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '@oclif/core/command'

/** A command with its flags, arguments and examples, and the additions of its class. */
export type ManifestCommand = Command.Cached & {
  readonly operations?: readonly string[]
  readonly columns?: readonly string[]
}

/** The facts needed to find and list a command. */
export type IndexedCommand = Pick<ManifestCommand, 'id' | 'summary' | 'hidden' | 'aliases' | 'hiddenAliases'>

/** Loads the class of a command by its id, e.g. `items:list`. */
export type LoadCommand = (id: string) => Promise<Command.Class>

/** Where the product is, and how its commands are loaded. */
export interface Product {
  /** The directory of package.json and oclif.manifest.json. */
  readonly root: string
  /** Loads a command of the manifest; the built one by default. */
  readonly load?: LoadCommand
  /** The manifest; by default it is read, of which the built product reads only an index. */
  readonly commands?: readonly ManifestCommand[]
}

const INDEX = 'dist/commands.json'

/**
 * Reads a file of the product: from its folder, or out of the program where all is one file.
 * @param name its path from the root, with slashes
 */
export function readProduct(root: string, name: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  const { getAsset, isSea } = process.getBuiltinModule('node:sea')
  return isSea() ? getAsset(name, encoding) : readFileSync(join(root, name), encoding)
}

/** Reads every command, sorted by id. @param root the directory of oclif.manifest.json */
export function readManifest(root: string): ManifestCommand[] {
  const { commands } = JSON.parse(readProduct(root, 'oclif.manifest.json'))
  return Object.values(commands)
}

/** The topics of package.json: what each is about, and its group in the help. */
export function readTopics(root: string): Readonly<Record<string, { readonly description: string; readonly group?: string }>> {
  return JSON.parse(readProduct(root, 'package.json')).oclif.topics
}

/** Reads the facts needed to find a command, sorted by id: for the built product from the index. */
export function readCommands({ root, load, commands }: Product): readonly IndexedCommand[] {
  if (commands !== undefined) return commands
  return load === undefined ? JSON.parse(readProduct(root, INDEX, 'latin1')) : readManifest(root)
}

/** The index for the build to write: a path from the root, and a text in ASCII, which is read fastest. */
export function buildIndex(commands: readonly ManifestCommand[]): { path: string; text: string } {
  const indexedCommands = commands.map(
    ({ id, summary, hidden, aliases, hiddenAliases }): IndexedCommand => ({ id, summary, hidden, aliases, hiddenAliases }),
  )
  const ascii = JSON.stringify(indexedCommands).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return { path: INDEX, text: `${ascii}\n` }
}
