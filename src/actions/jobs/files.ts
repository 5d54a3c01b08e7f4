/** Decides to which files rows are written back, in the form in which they came in. */
import { join, resolve } from 'node:path'
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import type { InputForm } from '../../rows/index.js'
import { errnoOf } from '../../system/errno.js'
import { writeWholeFile } from '../../system/whole-file.js'

/** How many files of one name are tried, in a directory that is never tidied. */
const MOST_NAMESAKES = 1000

/**
 * Refuses an output that would overwrite the input, before anything is read.
 * @param outputs paths by flag, e.g. `--failed-file`
 * @throws {SellerError} usage
 */
export function refuseOverwriting(
  ctx: Pick<Context, 'path'>,
  input: string | undefined,
  outputs: Readonly<Record<string, string | undefined>>,
): void {
  const taken = new Map<string, string>()
  if (input !== undefined && input !== '-') taken.set(resolve(ctx.path(input)), 'the input')
  for (const [flag, path] of Object.entries(outputs)) {
    if (path === undefined) continue
    const other = taken.get(resolve(ctx.path(path)))
    if (other !== undefined)
      throw new SellerError(
        'overwrites_input',
        `${flag}: "${path}" is also ${other}.`,
        'Name another file, or it would be overwritten.',
      )
    taken.set(resolve(ctx.path(path)), `the file of ${flag}`)
  }
}

/**
 * Writes rows to a file named after the job: in this directory or, if it cannot be written, beside the ledger. Never overwrites a
 * file.
 * @param make makes the pieces, once for each try
 * @returns the path
 */
export async function writeHere(
  ctx: Pick<Context, 'dataDir' | 'path'>,
  name: { readonly stem: string; readonly form: InputForm },
  make: () => Iterable<string> | Uint8Array,
): Promise<string> {
  for (const directory of ['', ctx.dataDir]) {
    for (let number = 1; number <= MOST_NAMESAKES; number++) {
      const path = join(directory, `${name.stem}${number === 1 ? '' : `-${number}`}.${extensionOf(name.form)}`)
      try {
        // Another ledger may have a job with the same number.
        await writeWholeFile(ctx.path(path), make(), { force: false })
        return path
      } catch (error) {
        const code = errnoOf(error)
        if (code === undefined) throw error
        if (code !== 'EEXIST') break
      }
    }
  }
  throw new SellerError(
    'unwritable_file',
    `The file of held rows cannot be written to this directory or to ${ctx.dataDir}.`,
    'Name a file with --held-file.',
  )
}

function extensionOf({ kind }: InputForm): string {
  if (kind === 'json' || kind === 'xlsx') return kind
  return kind === 'ndjson' || kind === 'yaml' ? 'ndjson' : 'csv'
}
