/**
 * Files of runs: every asynchronous operation of node:fs is an event and then its synchronous form, so that no thread pool
 * decides an order. Times of files are virtual. What changes a file is told before it happens, and fails for a run that was left.
 */
import { createRequire } from 'node:module'
import type { Actor, World } from './world.js'

const require = createRequire(import.meta.url)
const fs: Record<string, unknown> & { readonly promises: Record<string, unknown> } = require('node:fs')

type Call = (...given: unknown[]) => unknown
type Path = string | number

/** Duration of an operation on a file, ms. */
const [LEAST_MS, MOST_MS] = [0.05, 0.35]

/** Synchronous functions that change a file: their first argument is the file, or the second one too. */
const CHANGES =
  'appendFile chmod copyFile fchmod fdatasync fsync ftruncate futimes link mkdir mkdtemp rename rm rmdir symlink truncate unlink utimes write writeFile writev'.split(
    ' ',
  )

/** Before something on the disk changes. Throws if the run is over. */
export type OnChange = (actor: Actor, what: string) => void

export class Files {
  /** Virtual time of the last change, by path. */
  readonly #changed = new Map<string, number>()
  /** Which file has a path: it keeps its number where it is renamed or linked, and where its computer starts again. */
  readonly #inodes = new Map<string, number>()
  readonly #paths = new Map<number, string>()
  #nextInode = 1

  constructor(
    readonly world: World,
    readonly onChange: OnChange,
  ) {
    this.#installSync()
    this.#installAsync()
  }

  /** Another simulation begins. */
  reset(): void {
    this.#changed.clear()
    this.#inodes.clear()
    this.#nextInode = 1
  }

  /** Something outside of node:fs, such as SQLite, wrote to a file. */
  touched(path: string): void {
    this.#changed.set(path, this.world.now)
  }

  #nameOf(file: unknown): string {
    return typeof file === 'number' ? (this.#paths.get(file) ?? '') : String(file)
  }

  #inodeOf(path: string): number {
    const known = this.#inodes.get(path)
    if (known !== undefined) return known
    const inode = this.#nextInode++
    this.#inodes.set(path, inode)
    return inode
  }

  #installSync(): void {
    const { world, onChange } = this
    for (const name of CHANGES) {
      const real = fs[`${name}Sync`] as Call | undefined
      if (real === undefined) continue
      fs[`${name}Sync`] = (...given: unknown[]) => {
        const actor = world.current
        if (actor === undefined) return real(...given)
        onChange(actor, name)
        const made = real(...given)
        const [first, second] = given.map((file) => this.#nameOf(file as Path))
        if (name === 'rename') this.#changed.set(second ?? '', this.#changed.get(first ?? '') ?? world.now)
        else if (name === 'copyFile') this.#changed.set(second ?? '', world.now)
        else if (!name.startsWith('ch') && !name.startsWith('f')) this.#changed.set(first ?? '', world.now)
        if (name === 'rename' || name === 'link') this.#inodes.set(second ?? '', this.#inodeOf(first ?? ''))
        if (name === 'rename' || name === 'unlink' || name === 'rm') this.#inodes.delete(first ?? '')
        return made
      }
    }
    const realOpen = fs.openSync as (path: string, flags?: string | number, mode?: number) => number
    fs.openSync = (path: string, flags: string | number = 'r', mode?: number) => {
      const actor = world.current
      const writes = typeof flags === 'string' ? flags !== 'r' : (flags & 3) !== 0
      if (actor !== undefined && writes && path !== '/dev/null') {
        onChange(actor, 'open')
        this.#changed.set(path, world.now)
      }
      const opened = realOpen(path, flags, mode)
      this.#paths.set(opened, path)
      return opened
    }
    for (const name of ['statSync', 'lstatSync', 'fstatSync']) {
      const real = fs[name] as Call
      fs[name] = (file: Path, ...given: unknown[]) => {
        const found = real(file, ...given)
        if (world.current === undefined || found === undefined) return found
        const at = Math.floor(this.#changed.get(this.#nameOf(file)) ?? 0)
        const date = new Date(at)
        const inode = this.#inodeOf(this.#nameOf(file))
        const isBig = typeof (found as { ino: unknown }).ino === 'bigint'
        const times = isBig ? { mtimeMs: BigInt(at), ctimeMs: BigInt(at) } : { mtimeMs: at, ctimeMs: at }
        return Object.assign(found as object, { ...times, mtime: date, ctime: date, ino: isBig ? BigInt(inode) : inode })
      }
    }
    const realPlace = fs.realpathSync as Call
    fs.realpathSync = Object.assign((...given: unknown[]) => {
      const place = realPlace(...given)
      return world.current === undefined ? place : asLinked(String(place))
    }, fs.realpathSync)
    const realNames = fs.readdirSync as Call
    fs.readdirSync = (...given: unknown[]) => {
      const names = realNames(...given) as (string | { name: string })[]
      const text = (entry: string | { name: string }): string => (typeof entry === 'string' ? entry : entry.name)
      return world.current === undefined ? names : names.sort((one, other) => (text(one) < text(other) ? -1 : 1))
    }
  }

  #installAsync(): void {
    const { world } = this
    const { promises } = fs
    /** The synchronous form, as an event of the run that asks. */
    const event = <T>(work: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        world.later(world.current!.chance.between(LEAST_MS, MOST_MS), () => {
          try {
            resolve(work())
          } catch (error) {
            reject(error)
          }
        })
      })
    for (const [name, real] of Object.entries(fs)) {
      const sync = fs[`${name}Sync`]
      if (typeof real !== 'function' || typeof sync !== 'function' || name === 'exists') continue
      fs[name] = (...given: unknown[]) => {
        const done = given.at(-1)
        if (world.current === undefined || typeof done !== 'function') return (real as Call)(...given)
        const values = ['read', 'write', 'readv', 'writev'].includes(name) ? [given[1]] : []
        event(() => (fs[`${name}Sync`] as Call)(...given.slice(0, -1))).then(
          (made) => done(null, made, ...values),
          (error) => done(error),
        )
        return undefined
      }
    }
    const handle = (opened: number): object => this.#handle(opened, event)
    for (const [name, real] of Object.entries(promises)) {
      if (typeof real !== 'function') continue
      const realCall = real as Call
      if (name === 'open') {
        promises.open = (...given: unknown[]) =>
          world.current === undefined ? realCall(...given) : event(() => handle((fs.openSync as Call)(...given) as number))
      } else if (name === 'writeFile') {
        promises.writeFile = async (path: unknown, content: unknown, ...given: unknown[]) => {
          if (world.current === undefined) return realCall(path, content, ...given)
          const whole = await gathered(content)
          return event(() => (fs.writeFileSync as Call)(path, whole, ...given))
        }
      } else if (typeof fs[`${name}Sync`] === 'function') {
        promises[name] = (...given: unknown[]) =>
          world.current === undefined ? realCall(...given) : event(() => (fs[`${name}Sync`] as Call)(...given))
      }
    }
  }

  #handle(opened: number, event: <T>(work: () => T) => Promise<T>): object {
    const call = (name: string, ...given: unknown[]): Promise<unknown> =>
      event(() => (fs[`${name}Sync`] as Call)(opened, ...given))
    const close = (): Promise<unknown> => call('close')
    return {
      fd: opened,
      close,
      chmod: (mode: number) => call('fchmod', mode),
      sync: () => call('fsync'),
      datasync: () => call('fdatasync'),
      stat: (options?: object) => call('fstat', options),
      truncate: (length = 0) => call('ftruncate', length),
      readFile: (options?: unknown) => call('readFile', options),
      writeFile: (content: unknown, options?: unknown) => call('writeFile', content, options),
      appendFile: (content: unknown, options?: unknown) => call('writeFile', content, options),
      async read(buffer: Buffer, offset = 0, length = buffer.byteLength - offset, position: number | null = null) {
        return { bytesRead: await call('read', buffer, offset, length, position), buffer }
      },
      async write(content: unknown, ...given: unknown[]) {
        return { bytesWritten: await call('write', content, ...given), buffer: content }
      },
      createReadStream: (options?: object) => (fs.createReadStream as Call)('', { ...options, fd: opened }),
      createWriteStream: (options?: object) => (fs.createWriteStream as Call)('', { ...options, fd: opened }),
      [Symbol.asyncDispose]: close,
    }
  }
}

/** The path by which a computer knows a file, wherever its files are (`restart` in machine.ts). */
const asLinked = (place: string): string => place.replace(/(\/seller-simulation-[^/]+\/pc)\.\d+(?=\/|$)/, '$1')

/** The whole of what may come in pieces. */
async function gathered(content: unknown): Promise<unknown> {
  if (typeof content === 'string' || ArrayBuffer.isView(content)) return content
  const pieces: Buffer[] = []
  for await (const piece of content as AsyncIterable<string | Buffer>) pieces.push(Buffer.from(piece as string))
  return Buffer.concat(pieces)
}
