/**
 * Keeps compiled code between runs. `items:list` reaches its first call in 18 % less CPU time, on Node 20 as on Node 26, where
 * module.enableCompileCache saves 5 %: that keeps a file as it was before it ran, without the functions that are compiled when
 * they are first called, and in a file for each module. When the cache cannot be used, the product runs without it.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { Script } from 'node:vm'
import { makeDirectories } from '../system/directory.js'

/** The build puts the hash of the bundle here: code of another build must never run. */
const BUILD = '__BUILD__'
const MAGIC = 'seller compiled 1\n'

/** Names of files of this cache, whole or half-written: only these are ever deleted. */
const OWN_NAME = new RegExp(`^(?:[\\da-f]{16}|${BUILD})-v\\d+\\.\\d+\\.\\d+[\\w+-]*(?:\\.\\d+)?$`)
/** Marks a folder as a cache (the Cache Directory Tagging Specification), and as ours by its second line. */
const TAG = 'CACHEDIR.TAG'
const MARK = 'Signature: 8a477f597d28d172789f06886806bc55\n# Compiled code of seller. It deletes that of earlier versions here.\n'

/** Exports of a CommonJS file. */
type Exports = Record<string, unknown>
/** A file that runs or has run: where files require each other in a cycle, with what it exports so far. */
interface Loaded {
  readonly exports: Exports
}
type Require = ((id: string) => unknown) & { readonly resolve: unknown }
type Wrapped = (this: Exports, exports: Exports, require: Require, module: Loaded, file: string, folder: string) => void

/**
 * Makes a `require` for the files of the bundle. It compiles them from the cache, and adds missing ones to the cache when the
 * process ends. Node loads everything else; nothing in Node is patched.
 * @param dist the directory of the bundle
 * @param read reads a file of the bundle by its name in that directory
 */
export function requireKept(
  dist: string,
  env: NodeJS.ProcessEnv = process.env,
  readDist = (name: string): string => readFileSync(dist + sep + name, 'utf8'),
): (file: string) => unknown {
  const native = createRequire(join(dist, 'main.cjs'))
  const directory = cacheDirectory(env)
  const path =
    directory === undefined || env.NODE_DISABLE_COMPILE_CACHE !== undefined
      ? undefined
      : join(directory, `${BUILD}-${process.version}-${process.arch}`)
  const outside = (id: string): unknown => {
    // libsql's native file is a package that libsql depends on, so a strict layout of packages shows it to libsql alone.
    return (id.startsWith('@libsql/') ? createRequire(native.resolve('libsql')) : native)(id)
  }
  const cachedCode = path === undefined ? new Map<string, Buffer>() : readCode(path)
  const fresh = new Map<string, Script>()
  const modules = new Map<string, Loaded>()
  const load = (file: string): Loaded => {
    const knownModule = modules.get(file)
    if (knownModule !== undefined) return knownModule
    const module = { exports: {} }
    // Before it runs, because files may require each other in a cycle.
    modules.set(file, module)
    const name = file.slice(dist.length + 1)
    const cachedData = cachedCode.get(name)
    const script = new Script(Module.wrap(readDist(name)), { filename: file, cachedData })
    if (cachedData === undefined || script.cachedDataRejected === true) fresh.set(name, script)
    const folder = file.slice(0, file.lastIndexOf(sep))
    const wrapper = script.runInThisContext() as Wrapped
    wrapper.call(module.exports, module.exports, requireFrom(folder), module, file, folder)
    return module
  }
  // Files are required hundreds of times in a start, and resolving a path is slow: what the files of a folder asked for, by their
  // name for it.
  const modulesByFolder = new Map<string, Map<string, Loaded>>()
  const requireFrom = (folder: string): Require => {
    const modulesById = modulesByFolder.get(folder) ?? new Map<string, Loaded>()
    modulesByFolder.set(folder, modulesById)
    const require = (id: string): unknown => {
      const knownModule = modulesById.get(id)
      if (knownModule !== undefined) return knownModule.exports
      const wantedFile = wantedBy(folder, id)
      if (!wantedFile.startsWith(dist + sep)) return outside(id)
      const module = load(wantedFile)
      modulesById.set(id, module)
      return module.exports
    }
    return Object.assign(require, { resolve: native.resolve })
  }
  const requireFile = (file: string): unknown => load(file).exports
  if (path === undefined) return requireFile
  process.on('exit', () => {
    if (fresh.size > 0) write(dirname(path), path, cachedCode, fresh)
  })
  return requireFile
}

/**
 * The path of a file that one in a folder requires; '' for a module of Node or a package. Most are beside it, and resolving takes
 * longer.
 */
function wantedBy(folder: string, id: string): string {
  if (id.lastIndexOf('/') === 1 && id.startsWith('./')) return folder + sep + id.slice(2)
  return id.startsWith('.') || isAbsolute(id) ? resolve(folder, id) : ''
}

/** @returns '' where the system knows none: a container may run as a user that it has no entry for */
function knownHome(): string {
  try {
    // Loaded only where it is needed: it costs a start 0.3 ms.
    return process.getBuiltinModule('node:os').homedir()
  } catch {
    return ''
  }
}

/** The same directory as oclif's cache. */
function cacheDirectory(env: NodeJS.ProcessEnv): string | undefined {
  if (env.SELLER_CACHE_DIR) return join(env.SELLER_CACHE_DIR, 'compiled')
  // The XDG Base Directory Specification: ignore relative paths.
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return join(env.XDG_CACHE_HOME, 'seller', 'compiled')
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'seller', 'compiled')
  const home = env.HOME ?? knownHome()
  if (home === '') return undefined
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches', 'seller', 'compiled')
  return join(home, '.cache', 'seller', 'compiled')
}

/**
 * The compiled code of earlier runs: MAGIC, the length of the index, the index as JSON (name: offset and length), then the code
 * of each file. All of it is read at once: 3 MB for a user who has tried all commands. An unreadable file is written again.
 */
function readCode(path: string): Map<string, Buffer> {
  const codeByName = new Map<string, Buffer>()
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    // This code will run, so the file must belong to the user and no one else may write to it.
    const { uid, mode } = fstatSync(file)
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return codeByName
    const bytes = readFileSync(file)
    if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return codeByName
    const start = MAGIC.length + 4
    const body = start + bytes.readUInt32LE(MAGIC.length)
    const index = JSON.parse(bytes.toString('utf8', start, body)) as Record<string, [number, number]>
    for (const [name, [offset, length]] of Object.entries(index)) {
      const code = bytes.subarray(body + offset, body + offset + length)
      if (code.length === length) codeByName.set(name, code)
    }
  } catch {
    // Whole entries are used.
  } finally {
    if (file !== undefined) closeSync(file)
  }
  return codeByName
}

function write(directory: string, path: string, codeByName: Map<string, Buffer>, fresh: Map<string, Script>): void {
  const half = `${path}.${process.pid}`
  try {
    for (const [name, script] of fresh) codeByName.set(name, script.createCachedData())
    const index: Record<string, [number, number]> = {}
    let offset = 0
    for (const [name, { length }] of codeByName) {
      index[name] = [offset, length]
      offset += length
    }
    const json = Buffer.from(JSON.stringify(index))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(json.length)
    makeDirectories(directory, 0o700)
    if (!isOwn(directory, 'directory')) return
    const file = openSync(half, 'wx', 0o600)
    writeSync(file, Buffer.concat([Buffer.from(MAGIC), length, json, ...codeByName.values()]))
    // Flush before renaming: V8 crashes on code with holes, which a power failure could leave.
    fsyncSync(file)
    closeSync(file)
    renameSync(half, path)
    if (isMarked(directory)) removeOld(directory, path)
  } catch {
    // The directory is not writable, or on Windows another process reads the file just now: the next run compiles again.
    removeQuietly(half)
  }
}

function removeQuietly(path: string): void {
  try {
    if (isOwn(path, 'file')) rmSync(path)
  } catch {
    // removeOld tries again.
  }
}

/** True if this is a file or a directory of the user, and not a link to one. */
function isOwn(path: string, kind: 'file' | 'directory'): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || (process.getuid !== undefined && stats.uid !== process.getuid())) return false
  return kind === 'file' ? stats.isFile() : stats.isDirectory()
}

/** True if the directory has our mark. It gets one if nothing of others is in it: SELLER_CACHE_DIR may name any directory. */
function isMarked(directory: string): boolean {
  const tag = join(directory, TAG)
  if (isOwn(tag, 'file')) return readFileSync(tag, 'utf8') === MARK
  if (!readdirSync(directory).every((name) => OWN_NAME.test(name))) return false
  writeFileSync(tag, MARK, { flag: 'wx', mode: 0o600 })
  return true
}

/**
 * Removes caches of an earlier build or another Node: not needed again, or quickly rebuilt. Not what a process may be writing.
 */
function removeOld(directory: string, current: string): void {
  for (const name of readdirSync(directory)) {
    const other = join(directory, name)
    if (other === current || !OWN_NAME.test(name) || !isOwn(other, 'file')) continue
    if (Date.now() - lstatSync(other).mtimeMs > 60_000) rmSync(other, { force: true })
  }
}
