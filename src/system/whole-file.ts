/** Writes a file completely or not at all. */
import { randomUUID } from 'node:crypto'
// From node:fs, which loads its promises on first use: saves 3 ms in commands that write no file (measured).
import { promises, type Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DAY_MS, HOUR_MS } from './durations.js'
import { whenFree } from './errno.js'
import { keepForOwner } from './owner-only.js'
import { isRunning } from './process-owner.js'

/** Length of text that is collected before a write, in UTF-16 units: one write per row would be slow. */
const PIECE = 64 * 1024

export interface WriteOptions {
  /** True to replace an existing file; otherwise it is an error (EEXIST). */
  readonly force: boolean
  /**
   * Permissions of a new file, before the umask; 0o666 by default. A file that is replaced keeps its own, unless it is `private`.
   */
  readonly mode?: number | undefined
  /** Readable by its owner alone, also where it replaces a file that was not. */
  readonly private?: boolean | undefined
  /**
   * True if a link to a file is followed; otherwise (default) it is an error (ELOOP), as open(2) says with O_NOFOLLOW. A link to
   * a device, such as /dev/stdout, always is.
   */
  readonly follow?: boolean | undefined
  /**
   * Notes where the file is made before anything is in it, so that it is found if the process dies.
   * @returns what ends the note
   */
  readonly note?: ((beside: string) => () => void) | undefined
  /** Records elsewhere that the file gets its name. */
  readonly entry?: (() => NameEntry | undefined) | undefined
}

/** A note of a file that gets its name, so that a process that dies in between leaves a trace of it. */
export interface NameEntry {
  /** All is on the disk, beside its place: from here on the entry finds it if the process dies, and no note of it is needed. */
  made(place: string, beside: string): void
  /** It gets its name next. If this throws, no file is left. */
  begun(place: string, beside: string): void
  named(): void
  /** It got no name after all. */
  undone(): void
}

/**
 * Writes a temporary file next to the target, flushes it to disk and renames it. So readers always find the old file or the new
 * one, whatever fails. A link is followed by default. A target that is not a regular file (a pipe, /dev/stderr) is written
 * directly.
 * @param content bytes, text, or pieces of text
 * @throws the system's error, whose code errnoWords puts in words: EEXIST, ENOENT (its directory), EISDIR, EACCES …
 */
export async function writeWholeFile(
  path: string,
  content: Uint8Array | string | Iterable<string>,
  { force, mode = 0o666, private: secret = false, follow = false, entry, note }: WriteOptions,
): Promise<void> {
  const found = await statTarget(path, force, follow)
  if (found !== undefined && !found.isFile()) {
    await promises.writeFile(path, content)
    return
  }
  const options = { resolve: found !== undefined && follow, force, entry, note }
  await replace(path, options, async (beside) => {
    const file = await promises.open(beside, 'wx', secret ? 0o600 : mode)
    try {
      if (secret) await keepForOwner(beside)
      else if (found !== undefined) await file.chmod(found.mode & 0o777)
      await writePieces(file, typeof content === 'string' || content instanceof Uint8Array ? [content] : content)
      await file.sync()
    } finally {
      await file.close()
    }
  })
}

/**
 * Like writeWholeFile, for a file that other code fills, such as a database: `fill` gets the path of an empty file next to the
 * target. A target that is not a regular file is refused.
 * @param mode permissions of the file, also of one that is replaced
 * @throws the system's error, as writeWholeFile does, and what `fill` throws; then no file is left behind
 */
export async function fillWholeFile(
  path: string,
  fill: (beside: string) => void | Promise<void>,
  { force, mode, follow = false, entry, note }: WriteOptions & { readonly mode: number },
): Promise<void> {
  const found = await statTarget(path, force, follow)
  if (found !== undefined && !found.isFile()) throw systemError('EEXIST', path)
  await replace(path, { resolve: found !== undefined && follow, force, entry, note }, async (beside) => {
    await (await promises.open(beside, 'wx', mode)).close()
    if ((mode & 0o077) === 0) await keepForOwner(beside)
    await fill(beside)
    const file = await promises.open(beside, 'r+')
    try {
      await file.chmod(mode)
      await file.sync()
    } finally {
      await file.close()
    }
  })
}

/** Stats of what is to be written, or replaced. @throws EEXIST, EISDIR; ELOOP as statFile */
async function statTarget(path: string, force: boolean, follow: boolean): Promise<Stats | undefined> {
  const found = await statFile(path, follow)
  if (found !== undefined && !force) throw systemError('EEXIST', path)
  if (found?.isDirectory() === true) throw systemError('EISDIR', path)
  return found
}

/** Stats of a path. @throws ELOOP for a link to a file, or to nothing, that is not to be followed */
export async function statFile(path: string, follow: boolean): Promise<Stats | undefined> {
  const found = await promises.lstat(path).catch(() => undefined)
  if (found?.isSymbolicLink() !== true) return found
  const target = await promises.stat(path).catch(() => undefined)
  if (!follow && (target === undefined || target.isFile() || target.isDirectory())) throw systemError('ELOOP', path)
  return target
}

/** Makes a file next to the target and gives it the target's name once it is on the disk; a failure leaves nothing behind. */
async function replace(
  path: string,
  { resolve, force, entry, note }: Pick<WriteOptions, 'force' | 'entry' | 'note'> & { readonly resolve: boolean },
  make: (beside: string) => Promise<void>,
): Promise<void> {
  const place = resolve ? await promises.realpath(path) : path
  const beside = `${place}.${process.pid}-${randomUUID()}.tmp`
  const noted = note?.(beside)
  try {
    await make(beside)
    const entered = entry?.()
    entered?.made(place, beside)
    // Whoever finds the entry decides by the half file what became of it, and removes it. Nobody else may: its note ends first.
    if (entered !== undefined) noted?.()
    entered?.begun(place, beside)
    if (force) await whenFree(() => promises.rename(beside, place))
    else await takeName(beside, place)
  } catch (error) {
    await whenFree(() => promises.rm(beside, { force: true }))
    entry?.()?.undone()
    throw error
  } finally {
    noted?.()
  }
  entry?.()?.named()
  await removeLeftovers(place)
}

/** Names of files that replace makes, and that the package conf makes (atomically), which does not name its process. */
const LEFTOVER = /^\.(?:(?:(\d+)-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp|tmp-\d{10}[0-9a-f]{6})$/
/** A file that was written to more recently may be in use. */
const LEFTOVER_AFTER_MS = HOUR_MS

/** Removes the temporary files that killed processes left next to a file. Never throws: the file itself is whole. */
export async function removeLeftovers(path: string): Promise<void> {
  try {
    const directory = dirname(path)
    for (const name of await promises.readdir(directory)) {
      const form = name.startsWith(basename(path)) ? LEFTOVER.exec(name.slice(basename(path).length)) : null
      if (form === null) continue
      const file = join(directory, name)
      const stats = await promises.lstat(file)
      const isOwn = stats.isFile() && (process.getuid === undefined || stats.uid === process.getuid())
      // Ids of processes are given again, on Windows within minutes.
      const after = form[1] !== undefined && isRunning(Number(form[1])) ? DAY_MS : LEFTOVER_AFTER_MS
      if (isOwn && Date.now() - stats.mtimeMs > after) await promises.rm(file, { force: true })
    }
  } catch {
    // The next write tries again.
  }
}

async function writePieces(file: FileHandle, pieces: Iterable<string | Uint8Array>): Promise<void> {
  let text = ''
  for (const piece of pieces) {
    if (typeof piece !== 'string') await file.writeFile(piece)
    else text += piece
    if (text.length < PIECE) continue
    await file.writeFile(text)
    text = ''
  }
  await file.writeFile(text)
}

/** Gives a file a name that is not taken: rename(2) would replace the file of another process, link(2) does not. */
async function takeName(beside: string, place: string): Promise<void> {
  try {
    await whenFree(() => promises.link(beside, place))
    await whenFree(() => promises.rm(beside))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    // A file system without hard links (FAT): create the name, then replace it.
    await (await promises.open(place, 'wx')).close()
    await whenFree(() => promises.rename(beside, place))
  }
}

function systemError(code: 'EEXIST' | 'EISDIR' | 'ELOOP', path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${path}`), { code, path })
}
