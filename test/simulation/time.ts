/** Virtual time under Node's timers, `Date`, `performance` and `process.hrtime`. Who acts for nobody has the real ones. */
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import type { Event, World } from './world.js'

const require = createRequire(import.meta.url)

/** Price of an immediate, virtual ms: a loop that waits for a time must end. */
const IMMEDIATE_MS = 0.01

export function installTime(world: World): void {
  installDate(world)
  installTimers(world)
  const { performance } = globalThis
  const realNow = performance.now.bind(performance)
  Object.defineProperty(performance, 'now', {
    configurable: true,
    value: () => (world.current === undefined ? realNow() : world.now),
  })
  const realHrtime = process.hrtime
  const hrtime = (before?: [number, number]): [number, number] => {
    if (world.current === undefined) return realHrtime(before)
    const [seconds, nanos] = [Math.floor(world.now / 1000), Math.floor((world.now % 1000) * 1e6)]
    if (before === undefined) return [seconds, nanos]
    const difference = (seconds - before[0]) * 1e9 + nanos - before[1]
    return [Math.floor(difference / 1e9), difference % 1e9]
  }
  process.hrtime = Object.assign(hrtime, {
    bigint: () => (world.current === undefined ? realHrtime.bigint() : BigInt(Math.floor(world.now * 1e6))),
  })
}

function installDate(world: World): void {
  const Real = globalThis.Date
  // Each machine's clock may be wrong; a whole number, as the system's.
  const now = (): number => (world.current === undefined ? Real.now() : Math.floor(world.now + world.current.skewMs))
  const virtual: DateConstructor = new Proxy(Real, {
    construct: (target, given: unknown[], newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget === virtual ? target : newTarget),
    apply: () => new Real(now()).toString(),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  })
  globalThis.Date = virtual
}

/** Handle that `setTimeout` returns to a run. */
class Timer {
  #event: Event
  #isRef = true

  constructor(
    readonly world: World,
    readonly ms: number,
    readonly work: () => void,
    readonly repeats: boolean,
  ) {
    this.#event = this.#start()
  }

  #start(): Event {
    const { world, ms, work, repeats } = this
    const actor = world.current
    return world.later(
      ms,
      () => {
        if (repeats) this.#event = this.#start()
        work()
      },
      actor,
    )
  }

  refresh(): this {
    const { actor } = this.#event
    this.#event.cancelled = true
    this.#event = this.world.as(actor, () => this.#start())
    return this
  }

  close(): this {
    this.#event.cancelled = true
    return this
  }

  ref(): this {
    this.#isRef = true
    return this
  }

  unref(): this {
    this.#isRef = false
    return this
  }

  hasRef(): boolean {
    return this.#isRef
  }
}

function installTimers(world: World): void {
  const real = {
    ...pick(globalThis, 'setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'),
  }
  const isVirtual = (): boolean => world.current !== undefined
  // Node takes what is not from 1 to 2^31 - 1 for 1.
  const delay = (ms: unknown): number => (Number(ms) >= 1 && Number(ms) < 2 ** 31 ? Number(ms) : 1)
  type Work = (...given: unknown[]) => void
  const setTimeout = (work: Work, ms?: number, ...given: unknown[]): unknown =>
    isVirtual() ? new Timer(world, delay(ms), () => work(...given), false) : real.setTimeout(work, ms, ...given)
  const setInterval = (work: Work, ms?: number, ...given: unknown[]): unknown =>
    isVirtual() ? new Timer(world, delay(ms), () => work(...given), true) : real.setInterval(work, ms, ...given)
  const setImmediate = (work: Work, ...given: unknown[]): unknown =>
    isVirtual() ? new Timer(world, IMMEDIATE_MS, () => work(...given), false) : real.setImmediate(work, ...given)
  const clear =
    (name: 'clearTimeout' | 'clearInterval' | 'clearImmediate') =>
    (timer: unknown): void => {
      if (timer instanceof Timer) timer.close()
      else (real[name] as (timer: unknown) => void)(timer)
    }

  const promises: Record<string, unknown> = require('node:timers/promises')
  const waiting =
    (realWait: (...given: never[]) => Promise<unknown>, makes: (work: () => void, ms: number) => unknown, takesMs: boolean) =>
    (...given: unknown[]): Promise<unknown> => {
      if (!isVirtual()) return realWait(...(given as never[]))
      const [ms, value, options] = (takesMs ? given : [0, ...given]) as [number, unknown, { signal?: AbortSignal } | undefined]
      const { signal } = options ?? {}
      const abortion = (): Error =>
        Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' })
      if (signal?.aborted === true) return Promise.reject(abortion())
      return new Promise((resolve, reject) => {
        const timer = makes(() => resolve(value), ms) as Timer
        const stop = (): void => {
          timer.close()
          reject(abortion())
        }
        signal?.addEventListener('abort', stop, { once: true })
      })
    }
  const laterPromise = waiting(promises.setTimeout as never, setTimeout as never, true)
  const soonPromise = waiting(promises.setImmediate as never, (work) => setImmediate(work), false)
  Object.assign(promises, { setTimeout: laterPromise, setImmediate: soonPromise })

  Object.defineProperty(setTimeout, promisify.custom, { value: laterPromise })
  Object.defineProperty(setImmediate, promisify.custom, { value: soonPromise })
  const virtual = {
    setTimeout,
    setInterval,
    setImmediate,
    clearTimeout: clear('clearTimeout'),
    clearInterval: clear('clearInterval'),
    clearImmediate: clear('clearImmediate'),
  }
  Object.assign(globalThis, virtual)
  Object.assign(require('node:timers'), virtual)
  const realAfter = AbortSignal.timeout
  AbortSignal.timeout = (ms) => {
    if (!isVirtual()) return realAfter.call(AbortSignal, ms)
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), ms)
    return controller.signal
  }
}

function pick<T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>
}
