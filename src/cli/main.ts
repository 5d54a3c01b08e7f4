/** The entry of the program: one command line of the process, from argv to its exit code. */
import { type Host, processHost } from './host.js'
import type { Product } from './manifest.js'
import { run } from './run.js'

// The tests run it on hosts of their own.
export { run }

/** Runs the command line of the process, and ends it. */
export async function main(product: Product, argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  const host = processHost()
  host.onUncaught((error) => void reportUncaught(error, argv, host))
  const code = await run(argv, host, product)
  await host.flush()
  // Something a library left open (a connection, a timer) must not keep the shell waiting. Ours is all closed.
  host.exit(code)
}

/** Reports an error that nothing caught, like any other error: never with a stack. A full disk under stdout arrives here, through oclif. */
async function reportUncaught(error: unknown, argv: readonly string[], host: Host): Promise<void> {
  const [{ reportError }, { toSellerError }] = await Promise.all([import('./report.js'), import('./translate.js')])
  // If writing itself failed, a JSON document on stdout would not arrive.
  const writing = (error as NodeJS.ErrnoException | undefined)?.syscall === 'write'
  host.exit(await reportError(toSellerError(error), { argv: writing ? [] : argv, host }))
}
