/**
 * oclif's configuration, from package.json and the manifest. oclif's own plugin class finds both by glob, reads them with promises, sorts
 * the commands by ICU collation and looks for a theme: 10 ms of each start (measured).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Interfaces } from '@oclif/core'
import type { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'

/** Loads the class of a command by its id, e.g. `items:list`. */
export type LoadCommand = (id: string) => Promise<Command.Class>

class SellerConfig extends Config {
  /** Help has no colours of its own. */
  override async loadTheme(): Promise<undefined> {
    return undefined
  }
}

/**
 * @param root the directory of package.json and oclif.manifest.json
 * @param load the built commands by default
 */
export async function loadConfig(root: string, load: LoadCommand = (id) => loadBuilt(root, id)): Promise<Config> {
  const plugin = pluginOf(root, load)
  const config = new SellerConfig({ root, plugins: new Map([[plugin.name, plugin]]), userPlugins: false, devPlugins: false })
  await config.load()
  return config
}

function pluginOf(root: string, load: LoadCommand): Interfaces.Plugin {
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
  const pjson = read('package.json') as Interfaces.PJSON
  const { commands } = read('oclif.manifest.json') as { commands: Record<string, Command.Cached> }
  const findCommand = async (id: string): Promise<Command.Class> => Object.assign(await load(id), { id })
  return {
    _base: '',
    alias: pjson.name,
    commandIDs: Object.keys(commands),
    // The manifest is sorted.
    commands: Object.entries(commands).map(([id, command]) => ({
      ...command,
      pluginAlias: pjson.name,
      pluginType: 'core',
      load: () => findCommand(id),
    })),
    commandsDir: undefined,
    findCommand,
    hasManifest: true,
    hooks: {},
    isRoot: true,
    load: async () => {},
    moduleType: 'module',
    name: pjson.name,
    options: { root },
    pjson,
    root,
    topics: Object.entries(pjson.oclif.topics ?? {}).map(([name, topic]) => ({ ...topic, name })),
    type: 'core',
    valid: true,
    version: pjson.version,
  }
}

async function loadBuilt(root: string, id: string): Promise<Command.Class> {
  const { default: Class } = await import(join(root, 'dist', 'commands', `${id.replaceAll(':', '/')}.cjs`))
  return Class
}
