/** Decides to which files rows are written back, in the form in which they came in. */
import { join, resolve } from 'node:path'
import type { Context } from '../../cli/context.js'
import { makeDirectory } from '../../cli/directory.js'
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
 * Writes rows to a file named after the job, in its folder beside the ledger. Never overwrites a file.
 * @param make makes the pieces, once for each try
 * @returns the whole path
 */
export async function writeBesideLedger(
  ctx: Pick<Context, 'dataDir'>,
  name: { readonly jobId: number; readonly form: InputForm },
  make: () => Iterable<string> | Uint8Array,
): Promise<string> {
  const directory = join(ctx.dataDir, 'jobs', String(name.jobId))
  makeDirectory(directory, 'SELLER_DATA_DIR')
  for (let number = 1; number <= MOST_NAMESAKES; number++) {
    const path = join(directory, `held-${name.jobId}${number === 1 ? '' : `-${number}`}.${extensionOf(name.form)}`)
    try {
      // A ledger that was here before may have had a job with the same number.
      await writeWholeFile(path, make(), { force: false })
      return path
    } catch (error) {
      const code = errnoOf(error)
      if (code === undefined) throw error
      if (code !== 'EEXIST') break
    }
  }
  throw new SellerError(
    'unwritable_file',
    `The file of held rows cannot be written to ${directory}.`,
    'Name a file with --held-file.',
  )
}

function extensionOf({ kind }: InputForm): string {
  if (kind === 'json' || kind === 'xlsx') return kind
  return kind === 'ndjson' || kind === 'yaml' ? 'ndjson' : 'csv'
}
