/**
 * One virtual time for everything in the process. An event belongs to the run that registered it; one event runs, then all
 * microtasks and ticks, then the next. `current` says whose event runs: who asks for the time, a file or a random number.
 */
import type { Chance } from './chance.js'

/** Whoever acts: a command, or the service. */
export interface Actor {
  readonly name: string
  readonly chance: Chance
  /** Lead of this machine's clock, ms. */
  readonly skewMs: number
  readonly host: string
  readonly pid: number
  /** Left for ever: a crash, or the end of the run. */
  dead: boolean
}

export interface Event {
  readonly at: number
  readonly order: number
  readonly actor: Actor | undefined
  readonly work: () => void
  cancelled: boolean
}

/** Why `until` ended. idle: nothing is left to happen. late: the time given is up. */
export type Ending = 'done' | 'idle' | 'late'

const realImmediate = globalThis.setImmediate

export class World {
  /** ms since 1970, with parts of one. */
  now: number
  current: Actor | undefined
  events = 0
  /** Called before each event; may end its actor. @returns whether the event happens */
  beforeEvent: (actor: Actor) => boolean = () => true
  readonly #heap: Event[] = []
  #order = 0

  constructor(start: number) {
    this.now = start
  }

  /** Another beginning: nothing of before happens any more. */
  reset(start: number): void {
    this.now = start
    this.#heap.length = 0
    this.#order = 0
  }

  /** Registers an event of an actor, by default of the one that acts now. */
  later(ms: number, work: () => void, actor = this.current): Event {
    const event: Event = { at: this.now + Math.max(ms, 0), order: this.#order++, actor, work, cancelled: false }
    this.#push(event)
    return event
  }

  /** Acts as somebody: starts a run, or changes the marketplace. */
  as<T>(actor: Actor | undefined, work: () => T): T {
    const before = this.current
    this.current = actor
    try {
      return work()
    } finally {
      this.current = before
    }
  }

  /** Lets events happen until something is so, nothing is left, or the time is up. */
  async until(isDone: () => boolean, limitMs: number): Promise<Ending> {
    const end = this.now + limitMs
    await settled()
    while (!isDone()) {
      const event = this.#pop()
      if (event === undefined) return 'idle'
      if (event.at > end) {
        this.#push(event)
        this.now = end
        return 'late'
      }
      if (event.cancelled || event.actor?.dead === true) continue
      this.now = Math.max(this.now, event.at)
      this.events++
      this.current = event.actor
      if (event.actor === undefined || this.beforeEvent(event.actor)) event.work()
      await settled()
      this.current = undefined
    }
    return 'done'
  }

  #push(event: Event): void {
    const heap = this.#heap
    let at = heap.push(event) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(event, heap[parent]!)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = event
  }

  #pop(): Event | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || first === last) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
      if (!isBefore(heap[child]!, last)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = last
    return first
  }
}

const isBefore = (one: Event, other: Event): boolean => one.at < other.at || (one.at === other.at && one.order < other.order)

/** Lets all microtasks and ticks run: one real turn of the loop. */
function settled(): Promise<void> {
  return new Promise((resolve) => void realImmediate(resolve))
}
