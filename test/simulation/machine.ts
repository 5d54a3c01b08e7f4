/**
 * The machine of a simulation: one process, one virtual clock, the built bundle and the sandbox in it. Commands run on hosts of
 * their own; each is a process with an id, a machine with a name and a clock, and a directory. Nothing waits for real time.
 */
import childProcess from 'node:child_process'
import crypto from 'node:crypto'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { join } from 'node:path'
import type { run as runCommand } from '../../src/cli/run.js'
import type { SandboxServer } from '../../src/sandbox/index.js'
import type { SandboxOptions } from '../../src/sandbox/options.js'
import { start as startSandbox } from '../../src/sandbox/server/start.js'
import { createTestHost, type TestHost } from '../test-host.js'
import { Chance } from './chance.js'
import { Disk } from './disk.js'
import { Files } from './files.js'
import { type Fate, installNetwork, type Weather } from './network.js'
import { Programs } from './programs.js'
import { real } from './real.js'
import { installTime } from './time.js'
import { type Actor, type Ending, World } from './world.js'
import { installZip } from './zip.js'

const require = createRequire(import.meta.url)
/** The product that is run: this one, or one with a planted fault. */
const ROOT = process.env.SELLER_SIMULATED ?? join(import.meta.dirname, '..', '..')

/** Changes of the names of files, as node:fs calls them. */
const NAMES = new Set(['rename', 'link', 'unlink', 'rm', 'copyFile'])

/** The longest that a command may take, virtual ms. */
const RUN_LIMIT_MS = 4 * 3600_000

/**
 * Where a run is left: before its n-th event, its n-th change of a file or table, its n-th commit, the n-th time that a file gets
 * or loses a name, its n-th write to stdout, or the n-th answer to what it has written to the service: that is done then, and the
 * run has heard nothing.
 */
export interface CrashPoint {
  readonly before: 'event' | 'change' | 'commit' | 'name' | 'output' | 'answer'
  readonly at: number
  /** True if the machine loses its power: what was not flushed may be missing. */
  readonly power: boolean
}

/** A computer of the seller. */
export interface Computer {
  readonly host: string
  readonly skewMs: number
  /**
   * Holds the directories of configuration and data, and files of the seller: a link, so that what is left of a run that was
   * left, such as a connection of SQLite, stays with the old files.
   */
  readonly directory: string
}

export interface RunOptions {
  readonly computer: Computer
  readonly chance: Chance
  readonly env: Readonly<Record<string, string>>
  readonly fates: () => Fate
  /** It starts within so many ms. */
  readonly startsWithin: number
  readonly crash?: CrashPoint
  /** Before which of its events Ctrl-C is pressed. */
  readonly interrupt?: number
}

export interface Ended {
  readonly argv: readonly string[]
  /** undefined for a run that was left. */
  readonly code: number | undefined
  readonly stdout: string
  readonly stderr: string
  readonly changes: number
  readonly events: number
}

/** A command that runs, as a process. */
interface Process extends Actor {
  readonly argv: readonly string[]
  readonly computer: Computer
  readonly directory: string
  readonly options: RunOptions
  readonly host: string
  readonly runHost: TestHost
  changes: number
  seen: number
  /** Number of the crash's kind that were met. */
  met: number
  code: number | undefined
  isOver: boolean
  fault: unknown
  /** Output when it ended: what a run that was left still says is heard by nobody. */
  written: { readonly stdout: string; readonly stderr: string }
}

export interface Watch {
  /** A request leaves: its first bytes, and the directory of the run. @returns true if it writes */
  sent(directory: string, bytes: Buffer, argv: readonly string[]): boolean
}

/** Commands that restore prices at the ends of discounts. */
const ENDS = new Set(['jobs:due', 'discounts:end'])

let machine: Machine | undefined

/** The machine of this process: Node is replaced once, by the first call. */
export function theMachine(): Machine {
  machine ??= new Machine()
  return machine
}

export class Machine {
  readonly world = new World(0)
  readonly #living = new Map<string, Process>()
  readonly #files: Files
  readonly #disk: Disk
  readonly #network: ReturnType<typeof installNetwork>
  readonly programs: Programs
  #service: Actor & { chance: Chance } = this.#newService('none')
  #run: typeof runCommand | undefined
  #nextPid = 1000
  #copies = 0
  watch: Watch = { sent: () => false }
  /** Number of times that each fate was met. */
  readonly fates = new Map<Fate, number>()

  constructor() {
    const { world } = this
    // Loaded before anything is replaced: what they hold of Node at their start is the real one.
    const onChange = (actor: Actor, what: string): void => this.#change(actor as Process, what)
    installTime(world)
    installZip(world)
    this.programs = new Programs(world, () => this.#service)
    this.#files = new Files(world, onChange)
    this.#disk = new Disk(world, onChange, (path) => this.#files.touched(path))
    this.#network = installNetwork(
      world,
      new Proxy({} as Actor, { get: (_, key) => Reflect.get(this.#service, key), set: () => false }),
      {
        sent: (actor, bytes) => {
          const { directory, argv } = actor as Process
          return this.watch.sent(directory, bytes, argv)
        },
        answers: (actor) => this.#meet(actor as Process, 'answer'),
        fate: (_, fate) => void this.fates.set(fate, (this.fates.get(fate) ?? 0) + 1),
        weather: (actor): Weather => {
          const { options, argv } = actor as Process
          return { fate: options.fates, chance: actor.chance.fork('network'), endsDiscounts: ENDS.has(argv[0] ?? '') }
        },
      },
    )
    this.#installIdentity()
    world.beforeEvent = (actor) => {
      const process = actor as Process
      if (process.options === undefined) return true
      process.seen++
      this.#meet(process, 'event')
      if (!process.dead && process.seen === process.options.interrupt) process.runHost.interrupt('SIGINT')
      return !process.dead
    }
    syncBuiltinESMExports()
  }

  /** Begins a simulation: another time, another service. */
  async begin(start: number, chance: Chance, sandboxFile: string, faults: SandboxOptions['faults'] = {}): Promise<SandboxServer> {
    // The same numbers as in a process of its own.
    this.world.reset(start)
    this.#network.reset()
    this.#files.reset()
    this.#disk.clear()
    this.programs.reset()
    this.#living.clear()
    this.#nextPid = 1000
    this.#copies = 0
    this.#service = this.#newService(chance.fork('service'))
    const { world } = this
    let server: SandboxServer | undefined
    let fault: unknown
    world.as(this.#service, () => {
      startSandbox({ path: sandboxFile, extended: true, clock: { now: () => Math.floor(world.now) }, faults }).then(
        (made) => {
          server = made
        },
        (error) => {
          fault = error
        },
      )
    })
    await world.until(() => server !== undefined || fault !== undefined, 60_000)
    if (server === undefined) throw fault ?? new Error('The sandbox did not start.')
    return server
  }

  /** Ends the service, and everything that waits. */
  async end(server: SandboxServer): Promise<void> {
    let isOver = false
    this.world.as(this.#service, () => void server.close().finally(() => (isOver = true)))
    await this.world.until(() => isOver, 60_000)
    this.#service.dead = true
  }

  /** Acts as the service, in its virtual time: other people, buyers, the operator. */
  asService<T>(work: () => T): T {
    return this.world.as(this.#service, work)
  }

  /** Runs command lines, one or several at once, to their ends. */
  async run(lines: readonly (readonly string[])[], options: readonly RunOptions[]): Promise<readonly Ended[]> {
    this.#run ??= (require(join(ROOT, 'dist', 'main.cjs')) as { run: typeof runCommand }).run
    const { world } = this
    const processes = lines.map((argv, at) => this.#start(argv, options[at]!))
    const ending: Ending = await world.until(() => processes.every(({ isOver }) => isOver), RUN_LIMIT_MS)
    const stuck = processes.find(({ isOver }) => !isOver)
    if (stuck !== undefined) {
      for (const process of processes) this.#end(process)
      throw new Error(`seller ${stuck.argv.join(' ')} did not end (${ending}).\n${stuck.runHost.written.stderr}`)
    }
    for (const process of processes) if (process.fault !== undefined) throw process.fault
    return processes.map(({ argv, code, written, changes, seen }) => ({
      argv,
      code,
      ...written,
      changes,
      events: seen,
    }))
  }

  /** The command of a run that holds a transaction between two events. */
  holder(): string | undefined {
    return (this.#disk.holder() as Process | undefined)?.argv.join(' ')
  }

  /** Lets time go by: what the service has to do is done. */
  async pass(ms: number): Promise<void> {
    const end = this.world.now + ms
    await this.world.until(() => false, ms)
    this.world.now = end
  }

  #start(argv: readonly string[], options: RunOptions): Process {
    const { computer, chance, env } = options
    const runHost = createTestHost({ env, cwd: join(computer.directory, 'work') })
    const process: Process = {
      name: argv[0] ?? '',
      argv,
      chance,
      options,
      computer,
      directory: computer.directory,
      host: computer.host,
      skewMs: computer.skewMs,
      pid: this.#nextPid++,
      dead: false,
      runHost,
      changes: 0,
      seen: 0,
      met: 0,
      code: undefined,
      isOver: false,
      fault: undefined,
      written: { stdout: '', stderr: '' },
    }
    this.#living.set(`${process.host}:${process.pid}`, process)
    if (options.crash?.before === 'output') this.#watchOutput(process)
    this.world.later(
      chance.between(1, options.startsWithin),
      () => {
        Promise.race([this.#run!(argv, runHost, { root: ROOT }), runHost.exited]).then(
          (code) => {
            if (process.dead) return
            process.code = code
            this.#end(process)
          },
          (error) => {
            if (process.dead) return
            process.fault = error
            this.#end(process)
          },
        )
      },
      process,
    )
    return process
  }

  /** The end of a process: nothing of it goes on. */
  #end(process: Process): void {
    process.dead = true
    process.isOver = true
    process.written = { ...process.runHost.written }
    this.#living.delete(`${process.host}:${process.pid}`)
    this.#disk.leave(process)
    this.#network.closeOf(process)
  }

  /** Before something of a run: leaves it if that is its crash. */
  #meet(process: Process, what: CrashPoint['before']): void {
    const { crash } = process.options
    if (crash?.before === what && ++process.met >= crash.at) this.#leave(process)
  }

  /** Before a run changes something on the disk. */
  #change(process: Process, what: string): void {
    if (process.dead) throw new Error('This run was left.')
    if (process.options === undefined) return
    process.changes++
    this.#meet(process, 'change')
    if (NAMES.has(what)) this.#meet(process, 'name')
    if (/^\s*(?:COMMIT|END)\b/i.test(what)) this.#meet(process, 'commit')
    if (process.dead) throw new Error('This run was left.')
  }

  /** A run may be left before what it writes is anywhere. */
  #watchOutput(process: Process): void {
    const { stdout } = process.runHost as unknown as { stdout: { _write(...given: unknown[]): void } }
    const write = stdout._write.bind(stdout)
    stdout._write = (...given) => {
      this.#meet(process, 'output')
      if (!process.dead) write(...given)
    }
  }

  /** A crash: the next run finds the files as the disk had them at this moment. */
  #leave(process: Process): void {
    if (process.dead) return
    const { computer, options } = process
    const isAlone = [...this.#living.values()].every((other) => other === process || other.directory !== process.directory)
    if (isAlone) {
      const copy = this.restart(computer)
      if (options.crash?.power === true)
        this.world.as(undefined, () => this.#cutPower(computer.directory, copy, process.chance.fork('power')))
    }
    this.#end(process)
  }

  /** The computer starts again: it has the files as they are now, in another place. @returns the place */
  restart({ directory }: Computer): string {
    return this.world.as(undefined, () => {
      const from = real.readlinkSync(directory)
      const copy = `${directory}.${++this.#copies}`
      real.cpSync(from, copy, { recursive: true, filter: (path) => !path.endsWith('-shm') })
      real.rmSync(directory)
      real.symlinkSync(copy, directory)
      real.rmSync(from, { recursive: true, force: true })
      return copy
    })
  }

  /** Takes from the logs of a copy a part of what was not flushed. */
  #cutPower(from: string, copy: string, chance: Chance): void {
    for (const path of this.#disk.files) {
      if (!path.startsWith(`${from}/`)) continue
      const { frames, salts } = this.#disk.flushed(path)
      const log = `${copy}${path.slice(from.length)}-wal`
      if (!real.existsSync(log)) continue
      const head = real.readFileSync(log)
      if (head.length < 32) continue
      const size = 24 + head.readUInt32BE(8)
      const most = Math.floor((head.length - 32) / size)
      // A log that was begun again since has nothing flushed in it.
      const least = head.subarray(16, 24).toString('hex') === salts ? Math.min(frames, most) : 0
      real.truncateSync(log, 32 + size * (least + chance.int(most - least + 1)))
    }
  }

  #newService(chance: Chance | string): Actor & { chance: Chance } {
    return {
      name: 'service',
      chance: typeof chance === 'string' ? new Chance(chance) : chance,
      skewMs: 0,
      host: 'service',
      pid: 1,
      dead: false,
    }
  }

  /** Who a run is: its process id, its machine, the processes that run there, its random numbers. */
  #installIdentity(): void {
    const { world } = this
    const realPid = process.pid
    Object.defineProperty(process, 'pid', { configurable: true, get: () => world.current?.pid ?? realPid })
    const { hostname } = os
    os.hostname = () => world.current?.host ?? hostname()
    const kill = process.kill.bind(process)
    process.kill = (pid, signal) => {
      if (world.current === undefined) return kill(pid, signal)
      // A library does so when the whole simulation is ended: the run that acts now is this process.
      if (signal !== 0 && pid === world.current.pid) return kill(realPid, signal)
      if (signal !== 0 && this.programs.kill(pid)) return true
      if (this.#living.has(`${world.current.host}:${pid}`)) return true
      throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH', syscall: 'kill' })
    }
    const fs: Record<string, (...given: unknown[]) => unknown> = require('node:fs')
    const { readFileSync, readlinkSync } = fs
    fs.readFileSync = (path: unknown, ...given: unknown[]) => {
      const actor = world.current
      if (actor === undefined || typeof path !== 'string' || !path.startsWith('/proc/')) return readFileSync!(path, ...given)
      if (path.endsWith('boot_id')) return `boot-${actor.host}\n`
      const pid = /^\/proc\/(self|\d+)\/stat$/.exec(path)?.[1]
      if (pid === undefined) return readFileSync!(path, ...given)
      const found = pid === 'self' ? actor.pid : Number(pid)
      if (pid !== 'self' && !this.#living.has(`${actor.host}:${found}`))
        throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
      return `${found} (seller) S ${Array.from({ length: 18 }, () => 0).join(' ')} ${found}00 0`
    }
    fs.readlinkSync = (path: unknown, ...given: unknown[]) =>
      world.current !== undefined && path === '/proc/self/ns/pid' ? `pid:[${world.current.host}]` : readlinkSync!(path, ...given)
    Math.random = (
      (realRandom) => () =>
        world.current?.chance.next() ?? realRandom()
    )(Math.random)
    const { randomUUID, randomInt, randomBytes } = crypto
    Object.assign(crypto, {
      randomUUID: () => {
        if (world.current === undefined) return randomUUID()
        const hex = world.current.chance.bytes(16).toString('hex')
        return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
      },
      randomInt: (...given: [number] | [number, number]) => {
        if (world.current === undefined) return (randomInt as (...given: number[]) => number)(...given)
        const [least, below] = given.length === 1 ? [0, given[0]] : given
        return least + world.current.chance.int(below - least)
      },
      randomBytes: (size: number, ...rest: never[]) =>
        world.current === undefined
          ? (randomBytes as (...given: unknown[]) => unknown)(size, ...rest)
          : world.current.chance.bytes(size),
    })
    for (const name of ['spawn', 'execFile', 'exec', 'fork'] as const) {
      const started = childProcess[name] as (...given: unknown[]) => unknown
      ;(childProcess as Record<string, unknown>)[name] = (...given: unknown[]) => {
        if (world.current === undefined) return started(...given)
        if (name === 'spawn') return this.programs.start(String(given[0]))
        throw new Error(`A run of the simulation starts no other program: ${String(given[0])}`)
      }
    }
  }
}
