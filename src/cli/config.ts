/**
 * What oclif's Command asks of its configuration. oclif's own looks for plugins, hooks, themes, shells and update servers, which are not
 * here, and takes a tenth of a start (measured).
 */
import type { Config } from '@oclif/core/config'
import { readProduct } from './manifest.js'

/** The parts of oclif's configuration that Command uses. */
export type CommandConfig = Pick<
  Config,
  'root' | 'name' | 'version' | 'bin' | 'topicSeparator' | 'userAgent' | 'runHook' | 'scopedEnvVarKeys'
>

/**
 * @param root the directory of package.json
 * @param runtime what runs the program (Host)
 */
export function configOf(root: string, runtime: string): CommandConfig {
  const { name, version, oclif } = JSON.parse(readProduct(root, 'package.json'))
  return {
    root,
    name,
    version,
    bin: oclif.bin,
    topicSeparator: ':',
    userAgent: `${name}/${version} ${runtime}`,
    runHook: async () => ({ successes: [], failures: [] }),
    // Variables that Command would remove from the environment.
    scopedEnvVarKeys: () => [],
  }
}
