/** The system's error codes in words: one table for all messages about files, directories and ports. */

import { getSystemErrorMap } from 'node:util'

/** Each follows "cannot be read: " or similar. Meanings: errno(3). */
const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'the address is in use by another program',
  EBUSY: 'it is open in another program, such as Excel',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it already exists',
  EFBIG: 'it is too large for the file system',
  EIO: 'the device reports an input/output error',
  EISDIR: 'it is a directory',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open',
  ENOENT: 'it does not exist',
  ENOSPC: 'no space is left on the device',
  ENOTDIR: 'a part of the path is not a directory',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
}

/** The code of an error of the system (`ENOENT`); undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code)) return code
  // The database driver, which is written in Rust, has the number in its message only: "Too many open files (os error 24)".
  const number = typeof message === 'string' ? /\(os error (\d{1,3})\)/.exec(message)?.[1] : undefined
  const name = number === undefined ? undefined : getSystemErrorMap().get(-Number(number))?.[0]
  return name !== undefined && Object.hasOwn(WORDS, name) ? name : undefined
}

/** Codes of Windows for a file that another program has open, besides EBUSY. */
const MAYBE_OPEN: ReadonlySet<string> = new Set(['EACCES', 'EPERM'])

/** A code in words (`permission denied`), or the code itself if it is not in the table. */
export function errnoWords(code: string, platform = process.platform): string {
  const words = Object.hasOwn(WORDS, code) ? (WORDS[code] ?? code) : code
  return platform === 'win32' && MAYBE_OPEN.has(code) ? `${words}, or ${WORDS.EBUSY}` : words
}

/** Pauses between tries, ms: a virus scanner or an indexer reads what was just written, and Windows moves no open file. */
const PAUSES = [10, 20, 40, 80, 160, 320, 640]

/** Does what needs a file that nothing else has open. On Windows it is tried again for about a second. @throws the last error */
export async function whenFree<T>(work: () => Promise<T>, platform = process.platform): Promise<T> {
  for (const pause of platform === 'win32' ? PAUSES : []) {
    try {
      return await work()
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? ''
      if (code !== 'EBUSY' && !MAYBE_OPEN.has(code)) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  return work()
}
