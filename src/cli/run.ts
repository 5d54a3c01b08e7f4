/** Runs one command line on a host. Loads only what it needs: `--version` and `--help` do not load the framework. */
import type { Host } from './host.js'
import { type Product, readCommands, readProduct } from './manifest.js'

/** Words that ask for the version. */
const VERSION: ReadonlySet<string> = new Set(['--version', '-v', 'version'])

/** Words that, alone, ask for the help of the whole program. */
const HELP: ReadonlySet<string> = new Set(['--help', '-h', 'help'])

/** Asks for completion instead of a command: the completion scripts run it at every Tab. */
const COMPLETE = '__complete'

/**
 * Runs one command line to its end. Never throws: an error is shown on the host's streams.
 * @param argv the words after the name of the program
 * @returns the exit code
 */
export async function run(argv: readonly string[], host: Host, product: Product): Promise<number> {
  if (VERSION.has(argv[0] ?? '')) {
    const { name, version } = JSON.parse(readProduct(product.root, 'package.json'))
    host.stdout.write(`${name}/${version} ${host.runtime}\n`)
    return 0
  }
  if (argv[0] === COMPLETE) {
    const { complete } = await import('./complete/complete.js')
    await complete(argv.slice(1), host, product.root)
    return 0
  }
  if (argv.length === 1 && HELP.has(argv[0] ?? '')) {
    const { showProgramHelp } = await import('./help.js')
    await showProgramHelp(product.root, readCommands(product), host)
    return 0
  }
  const { dispatch } = await import('./dispatch.js')
  return dispatch(argv, host, product)
}
