/** From argv to a command, and from there to the exit code. Only what stands between is loaded: `--version` loads no framework. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@oclif/core'

export interface MainOptions {
  /** The directory of package.json. */
  readonly root: string
  readonly argv?: readonly string[]
  /** Where commands are read from and how; the manifest and the built ones unless told (bin/dev.js tells). */
  readonly config?: () => Promise<Config>
}

/** Runs one command line and ends the process with its exit code. */
export async function main({ root, argv = process.argv.slice(2), config }: MainOptions): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', unwritable)
  process.on('uncaughtException', (error) => void lastWords(error, argv))
  process.on('unhandledRejection', (error) => void lastWords(error, argv))
  if (argv[0] === '--version' || argv[0] === '-v') {
    const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`)
    return
  }
  const { dispatch } = await import('./dispatch.js')
  await dispatch(root, argv, config)
  await written()
  // What a library left open (a kept connection, a timer) must not keep the shell waiting: everything of ours is closed.
  process.exit()
}

/**
 * A stream that cannot be written to. A reader that went away (`| head`) is no failure; anything else is one, and whoever writes
 * results learns of it from a listener of his own.
 */
function unwritable(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.exitCode ||= 1
}

/** An error that nobody caught, told like any other: never a stack. A full disk under stdout comes this way, by a listener of oclif's. */
async function lastWords(error: unknown, argv: readonly string[]): Promise<void> {
  const [{ reportError }, { toSellerError }] = await Promise.all([import('./report.js'), import('./translate.js')])
  // Where writing itself failed, a JSON document on stdout would say it to nobody.
  const writing = (error as NodeJS.ErrnoException | undefined)?.syscall === 'write'
  process.exitCode = await reportError(toSellerError(error), { argv: writing ? [] : argv })
  process.exit()
}

/** Waits until stdout and stderr are out: writes to a pipe are asynchronous on some systems. */
async function written(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.writable) await new Promise<void>((resolve) => stream.write('', () => resolve()))
  }
}
