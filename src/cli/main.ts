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
  // oclif swallows EPIPE once its command class is loaded; a reader that went away (`| head`) is no failure before that either.
  process.stdout.on('error', quietly)
  process.stderr.on('error', quietly)
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

function quietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

/** Waits until stdout and stderr are out: writes to a pipe are asynchronous on some systems. */
async function written(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.writable) await new Promise<void>((resolve) => stream.write('', () => resolve()))
  }
}
