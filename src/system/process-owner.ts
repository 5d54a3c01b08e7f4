/**
 * Records which process holds something on disk, and tells whether it still runs. Process ids are reused, so the start time of
 * the process (Linux: /proc) is recorded too.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

interface Owner {
  readonly host: string
  readonly pid: number
  /** Boot id and start time of the process; empty if the system does not report them. */
  readonly started: string
  /** The namespace that the process id is of (Linux); empty if the system does not report it. */
  readonly space?: string | undefined
}

/** alive and gone are certain. unknowable: a process of another machine, or a system that reports no start times. */
type OwnerState = 'alive' | 'gone' | 'unknowable'

let own: { readonly pid: number; readonly text: string } | undefined

/** This process, as text for a column. */
export function thisProcess(): string {
  const { pid } = process
  if (own?.pid !== pid) {
    const owner: Owner = { host: hostname(), pid, started: processStart('self'), space: spaceOfIds() }
    own = { pid, text: JSON.stringify(owner) }
  }
  return own.text
}

/** Reads what thisProcess wrote; undefined for anything else. */
export function readOwner(text: string): Owner | undefined {
  try {
    const { host, pid, started, space } = JSON.parse(text) as Partial<Owner>
    return typeof host === 'string' && typeof pid === 'number' && typeof started === 'string'
      ? { host, pid, started, space }
      : undefined
  } catch {
    return undefined
  }
}

/** Belief in the life of a process that cannot be judged. */
export interface Belief {
  /** ms since it last wrote something. */
  readonly silentMs: number
  /** After so many ms of silence it counts as gone. */
  readonly patienceMs: number
  /** State of this process itself: unknowable where it may hold the thing twice, which its text cannot tell. */
  readonly own?: OwnerState
}

/**
 * True if the process that wrote `text` is at work. One of another host (a new container is one), or of a system without start
 * times whose id is in use, cannot be judged: it is believed to be, until it has been silent for too long. A sign from the future
 * by more than that is no proof of life: its clock was ahead. This is the one rule for everything that a process holds.
 */
export function isAtWork(text: string, { silentMs, patienceMs, own: self = 'alive' }: Belief): boolean {
  const state = text === thisProcess() ? self : ownerState(text)
  return state === 'alive' || (state === 'unknowable' && Math.abs(silentMs) < patienceMs)
}

/** True if the process that wrote `text` runs on this machine, for certain. */
export function isSurelyAlive(text: string): boolean {
  return text !== thisProcess() && ownerState(text) === 'alive'
}

/** Who wrote `text`: `process 123 on host`. */
export function ownerWords(text: string): string {
  const owner = readOwner(text)
  return owner === undefined ? 'another process' : `process ${owner.pid} on ${owner.host}`
}

function ownerState(text: string): OwnerState {
  const owner = readOwner(text)
  if (owner === undefined) return 'gone'
  // Containers may share a host name (a fixed one, or that of the host), and number their processes each for itself.
  if (owner.host !== hostname() || (owner.space ?? spaceOfIds()) !== spaceOfIds()) return 'unknowable'
  if (!isRunning(owner.pid)) return 'gone'
  const started = processStart(owner.pid)
  if (started === '' || owner.started === '') return 'unknowable'
  return started === owner.started ? 'alive' : 'gone'
}

/** True if a process of this id runs, be it another's. */
export function isRunning(pid: number): boolean {
  try {
    // Signal 0 is not delivered: it only checks that the process exists (kill(2)).
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** pid_namespaces(7) */
function spaceOfIds(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** proc(5): field 22 of stat is the start time in ticks since boot; the second field, in parentheses, may hold anything. */
function processStart(pid: number | 'self'): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return start === undefined ? '' : `${boot}:${start}`
  } catch {
    return ''
  }
}
