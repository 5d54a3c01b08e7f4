/** Rows given back in the form they came in, and plans: written whole or not at all. */
import { open, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Context } from '../../cli/context.js'
import { type SellerError, usageError } from '../../cli/errors.js'
import type { InputForm } from '../../pricing/index.js'

/** Text gathered before it is written: a write for every row would be slow. */
const PIECE = 64 * 1024
/** Files of one name that are tried, in a directory that nobody tidies. */
const MOST_NAMESAKES = 1000

/**
 * Writes text to a file: first beside it, then in its place, so that a half-written one never stands there.
 * @param given the path as the user gave it
 * @throws {SellerError} usage: its directory does not exist, it may not be written
 */
export async function writeWhole(ctx: Pick<Context, 'path'>, given: string, pieces: Iterable<string>): Promise<void> {
  const path = ctx.path(given)
  const beside = `${path}.${process.pid}.tmp`
  try {
    const file = await open(beside, 'w')
    try {
      let text = ''
      for (const piece of pieces) {
        text += piece
        if (text.length < PIECE) continue
        await file.writeFile(text)
        text = ''
      }
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw unwritable(given, error) ?? error
  }
}

function unwritable(path: string, error: unknown): SellerError | undefined {
  const refuse = (why: string, hint: string) => usageError('unwritable_file', `The file "${path}" ${why}.`, hint)
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return refuse('is in a directory that does not exist', 'Make it first.')
    case 'EISDIR':
      return refuse('is a directory', 'Name a file in it.')
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return refuse('may not be written', 'Check modes and owner.')
    default:
      return undefined
  }
}

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
      throw usageError('overwrites_input', `${flag}: "${path}" is ${other} too.`, 'Name another file; it would be overwritten.')
    taken.set(resolve(ctx.path(path)), `the file of ${flag}`)
  }
}

/**
 * Writes rows to a file of a job's own name: here, or, where this directory cannot be written, beside the ledger. Never over another file.
 * @param make the pieces, made anew for each try
 * @returns the path
 */
export async function writeHere(
  ctx: Pick<Context, 'dataDir' | 'path'>,
  name: { readonly stem: string; readonly form: InputForm },
  make: () => Iterable<string>,
): Promise<string> {
  for (const directory of ['', ctx.dataDir]) {
    for (let number = 1; number <= MOST_NAMESAKES; number++) {
      const path = join(directory, `${name.stem}${number === 1 ? '' : `-${number}`}.${extensionOf(name.form)}`)
      try {
        // Claims the name: another ledger may have a job of the same number.
        await (await open(ctx.path(path), 'wx')).close()
        await writeWhole(ctx, path, make())
        return path
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
        if (unwritable(path, error) === undefined) throw error
        break
      }
    }
  }
  throw usageError(
    'unwritable_file',
    `Neither this directory nor ${ctx.dataDir} takes a file of held rows.`,
    'Name one with --held-file.',
  )
}

function extensionOf({ kind }: InputForm): string {
  if (kind === 'json') return 'json'
  return kind === 'ndjson' || kind === 'yaml' ? 'ndjson' : 'csv'
}
