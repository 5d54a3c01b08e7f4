/** The entry of the program: one command line of the process, from argv to its exit code. */
import { writeSync } from 'node:fs'
import { EXIT } from '../errors/exit-codes.js'
import { type Host, processHost } from './host.js'
import type { Product } from './manifest.js'
import { run } from './run.js'

const UNREPORTED =
  'Error: The program cannot be loaded: too many files are open, or its files are damaged.\nClose other programs and try again, or install it again.\n'

// The tests run it on hosts of their own.
export { run }

/** Runs the command line of the process, and ends it. */
export async function main(product: Product, argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  // With DEBUG, oclif and the proxy agents log what they do, including the URL of a proxy with its password. They read it when
  // they are loaded.
  delete process.env.DEBUG
  const host = processHost()
  let writeError: unknown
  host.onUncaught((error) => {
    // Errors of writing arrive here too, through a listener of oclif. The run must still end by itself: it has things to put
    // down.
    if ((error as NodeJS.ErrnoException | undefined)?.syscall === 'write') writeError = error
    else void report(error, argv, host).then((code) => host.exit(code))
  })
  let code = await run(argv, host, product).catch((error: unknown) => report(error, argv, host))
  await host.flush()
  if (code === 0 && writeError !== undefined) {
    // A JSON document on stdout would not arrive.
    code = await report(writeError, [], host)
    await host.flush()
  }
  // Something a library left open (a connection, a timer) must not keep the shell waiting. Ours is all closed.
  host.exit(code)
}

/** Reports an error that nothing caught, like any other error: never with a stack. */
async function report(error: unknown, argv: readonly string[], host: Host): Promise<number> {
  try {
    const { reportError } = await import('./report.js')
    return await reportError(error, { argv, host })
  } catch {
    // Where no file can be opened, what reports an error cannot be loaded either; that must not be reported again and again.
    writeSync(2, UNREPORTED)
    return EXIT.failure
  }
}
