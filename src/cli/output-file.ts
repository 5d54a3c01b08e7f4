/** Writing the files that a user names. */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SellerError } from '../errors/index.js'
import { errnoOf, errnoWords } from '../system/errno.js'
import { statFile, type WriteOptions, writeWholeFile } from '../system/whole-file.js'
import { notesIn } from './left-files.js'

/**
 * Names of devices, with any ending, and a colon behind the drive, which names a hidden part of a file (learn.microsoft.com,
 * "Naming Files").
 */
const NO_WINDOWS_NAME =
  /(?:^|[\\/])(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.[^\\/]*)?$|^(?![a-z]:(?:[\\/][^:]*)?$|[\\/]{2}[.?][\\/]).*:/i

/** @throws {SellerError} wrong_usage for what names no file on Windows: what is written there is lost */
export function requireFileName(path: string, platform = process.platform): string {
  if (platform !== 'win32' || !NO_WINDOWS_NAME.test(path)) return path
  throw new SellerError('wrong_usage', `"${path}" is not a valid file name on Windows.`, 'Choose another name, without a colon.')
}

/** Where a path that the user gave is. */
export interface Places {
  path(given: string): string
  readonly dataDir?: string
}

type OutputOptions = Pick<WriteOptions, 'force' | 'entry' | 'private'>

/**
 * Refuses a path that cannot be written, before the call whose reply would be lost.
 * @throws {SellerError} usage: the file exists and `force` is not set, it is a directory, or a link to a file, or its directory
 * does not exist
 */
export async function checkOutputFile(ctx: Places, path: string, { force }: OutputOptions): Promise<void> {
  const whole = ctx.path(path)
  const stats = await statFile(whole, false).catch((error: unknown) => {
    throw unwritable(path, errnoOf(error) ?? 'ELOOP')
  })
  if (stats?.isDirectory() === true) throw unwritable(path, 'EISDIR')
  if (stats !== undefined && !force) throw unwritable(path, 'EEXIST')
  if (stats !== undefined) return
  await stat(dirname(whole)).catch((error: unknown) => {
    throw unwritable(path, errnoOf(error) ?? 'ENOENT')
  })
}

/**
 * Writes a whole file or nothing. Never replaces a file without `force`.
 * @param path as the user gave it
 * @param content bytes, text, or pieces of text
 * @throws {SellerError} usage: it exists, its directory does not, it cannot be written
 */
export async function writeOutputFile(
  ctx: Places,
  path: string,
  content: Uint8Array | string | Iterable<string>,
  options: OutputOptions,
): Promise<void> {
  await writing(path, () => writeWholeFile(ctx.path(path), content, { ...options, note: noteOf(ctx, options) }))
}

/** Personal data is noted while it is written. */
export function noteOf({ dataDir }: Places, { private: secret }: Pick<OutputOptions, 'private'>): WriteOptions['note'] {
  return secret === true && dataDir !== undefined ? notesIn(dataDir) : undefined
}

/** Does work that writes a file. @throws {SellerError} unwritable_file for an error of the system */
export async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = errnoOf(error)
    throw code === undefined ? error : unwritable(path, code)
  }
}

const HINTS: Readonly<Record<string, string>> = {
  EEXIST: 'Choose another name, or replace it with --force.',
  EISDIR: 'Name a file in that directory.',
  ELOOP: 'Name the file itself, or another one.',
  ENOENT: 'Create the directory first, or name a file elsewhere.',
  ENOTDIR: 'Correct the path.',
  ENOSPC: 'Free some space, or name a file on another disk.',
}

/** A file is new, so ENOENT is about its directory. */
const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'its directory does not exist',
  ELOOP: 'it is a link, or its links lead in a circle',
}

/** The error for a file that cannot be written. @param code of the system's error, e.g. ENOSPC */
export function unwritable(path: string, code: string): SellerError {
  const why = WHY[code] ?? errnoWords(code)
  const hint = HINTS[code] ?? 'Check the owner and permissions of the file and its directory.'
  return new SellerError('unwritable_file', `The file "${path}" cannot be written: ${why}.`, hint)
}
