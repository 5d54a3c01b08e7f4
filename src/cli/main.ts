/** The entry of the program: one command line of the process, from argv to its exit code. */
import type { Product } from './dispatch.js'
import { type Host, processHost } from './host.js'
import { run } from './run.js'

/** Runs the command line of the process, and ends it. */
export async function main(product: Product, argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  const host = processHost()
  host.onUncaught((error) => void lastWords(error, argv, host))
  const code = await run(argv, host, product)
  await host.flush()
  // What a library left open (a kept connection, a timer) must not keep the shell waiting: everything of ours is closed.
  host.exit(code)
}

/** An error that nobody caught, told like any other: never a stack. A full disk under stdout comes this way, by a listener of oclif's. */
async function lastWords(error: unknown, argv: readonly string[], host: Host): Promise<void> {
  const [{ reportError }, { toSellerError }] = await Promise.all([import('./report.js'), import('./translate.js')])
  // Where writing itself failed, a JSON document on stdout would say it to nobody.
  const writing = (error as NodeJS.ErrnoException | undefined)?.syscall === 'write'
  host.exit(await reportError(toSellerError(error), { argv: writing ? [] : argv, host }))
}
