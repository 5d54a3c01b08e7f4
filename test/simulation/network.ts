/**
 * Connections in memory, under node:http on both sides: got, node:http and the sandbox do what they do. Bytes of a direction
 * arrive in order, and a close behind them. Each request has a fate, drawn by the chance of the run's network.
 */
import { createRequire } from 'node:module'
import { Duplex } from 'node:stream'
import { someDamage, withoutOne } from '../e2e/damaged-lists.js'
import type { Chance } from './chance.js'
import type { Actor, Event, World } from './world.js'

const require = createRequire(import.meta.url)
const http: typeof import('node:http') = require('node:http')

export const FATES = [
  'refused',
  'lost-before',
  'silent-before',
  'lost-after',
  'silent-after',
  'cut',
  'damaged',
  'unavailable',
  'too-many',
  'slow',
  'false-list',
] as const
export type Fate = (typeof FATES)[number] | 'ok'

const [LEAST_MS, MOST_MS] = [0.5, 20]
const SLOW_MS = 40_000

/** Fates of a run on its way to the service. */
export interface Weather {
  /** The fate of the next request. */
  fate(): Fate
  readonly chance: Chance
  /**
   * True if the run restores prices of discounts: then a false list may lack a single item. Others could not tell that from a
   * removal.
   */
  readonly endsDiscounts: boolean
}

export interface NetworkEvents {
  /** Bytes of a request leave the client. @returns true if they write */
  sent(actor: Actor, bytes: Buffer): boolean
  /** The service has done what a request writes; its answer is on its way. */
  answers(actor: Actor): void
  fate(actor: Actor, fate: Fate): void
  weather(actor: Actor): Weather
}

/** One end of a connection. */
class End extends Duplex {
  other!: End
  #readyAt = 0
  #timeoutMs = 0
  #timeout: Event | undefined
  /** Treatment of bytes on their way out; undefined swallows them. */
  passes: (bytes: Buffer) => Buffer | undefined = (bytes) => bytes
  readonly remoteAddress = '127.0.0.1'
  readonly remotePort = 1
  readonly localPort = 2
  readonly remoteFamily = 'IPv4'

  constructor(
    readonly world: World,
    readonly actor: Actor,
    readonly chance: Chance,
  ) {
    super({ allowHalfOpen: false })
  }

  /** Brings something to the other end, behind everything before it. */
  bring(work: () => void, ms = this.chance.between(LEAST_MS, MOST_MS)): void {
    this.#readyAt = Math.max(this.#readyAt, this.world.now + ms)
    this.world.later(this.#readyAt - this.world.now, work, this.other.actor)
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#touch()
    const bytes = this.passes(Buffer.from(chunk))
    if (bytes !== undefined) this.bring(() => this.other.receive(bytes))
    done()
  }

  override _final(done: () => void): void {
    this.bring(() => void (this.other.destroyed || this.other.push(null)))
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#timeout !== undefined) this.#timeout.cancelled = true
    const { other } = this
    this.bring(() => {
      if (other.destroyed) return
      if (error === null) other.push(null)
      else other.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }))
    })
    done(error)
  }

  receive(bytes: Buffer): void {
    this.#touch()
    if (!this.destroyed) this.push(bytes)
  }

  #touch(): void {
    if (this.#timeout !== undefined) this.#timeout.cancelled = true
    this.#timeout =
      this.#timeoutMs === 0 || this.destroyed
        ? undefined
        : this.world.later(this.#timeoutMs, () => void this.emit('timeout'), this.actor)
  }

  setTimeout(ms: number, listener?: () => void): this {
    this.#timeoutMs = ms
    if (listener !== undefined) {
      if (ms === 0) this.off('timeout', listener)
      else this.once('timeout', listener)
    }
    this.#touch()
    return this
  }

  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  address(): object {
    return { address: '127.0.0.1', family: 'IPv4', port: 2 }
  }
}

const failure = (code: string, syscall: string): Error => Object.assign(new Error(`${syscall} ${code}`), { code, syscall })

const BROKEN = {
  unavailable: 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
  'too-many': 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 30\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
}

/** A reply with another body. */
function otherBody(reply: Buffer, change: (text: string) => string): Buffer {
  const end = reply.indexOf('\r\n\r\n')
  const head = reply.subarray(0, end).toString('latin1')
  const body = Buffer.from(change(whole(head, reply.subarray(end + 4)).toString('utf8')))
  const kept = head.split('\r\n').filter((line) => !/^(?:content-length|transfer-encoding):/i.test(line))
  return Buffer.concat([Buffer.from(`${[...kept, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n`, 'latin1'), body])
}

function falseList({ chance, endsDiscounts }: Weather): (xml: string) => string {
  return !endsDiscounts || chance.flip(0.5) ? someDamage(chance.next()) : withoutOne(chance.next())
}

/** A body without its chunks (RFC 9112, 7.1). */
function whole(head: string, body: Buffer): Buffer {
  if (!/^transfer-encoding: *chunked/im.test(head)) return body
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.subarray(at, line).toString('latin1'), 16)
    if (!(size > 0)) return Buffer.concat(pieces)
    pieces.push(body.subarray(line + 2, line + 2 + size))
    at = line + 4 + size
  }
}

/** Puts connections in memory under the agents and servers of node:http, for whoever acts in the world. */
export function installNetwork(
  world: World,
  service: Actor,
  events: NetworkEvents,
): { closeOf(actor: Actor): void; reset(): void } {
  const servers = new Map<number, import('node:http').Server>()
  const open = new Set<{ readonly client: End; readonly server: End }>()
  const FIRST_PORT = 1024
  let port = FIRST_PORT

  const connect = (actor: Actor, server: import('node:http').Server): End => {
    const weather = events.weather(actor)
    const client = new End(world, actor, weather.chance)
    const far = new End(world, service, weather.chance)
    client.other = far
    far.other = client
    const both = { client, server: far }
    open.add(both)
    client.once('close', () => open.delete(both))
    far.on('error', () => {})
    let isIdle = true
    let writes = false
    const lost = (): void => void client.destroy(failure('ECONNRESET', 'read'))
    /** Fate of the run where it waits: an event of its own. */
    const meets = (work: () => void, ms: number): void => void world.later(ms, work, actor)
    let held: Buffer[] | undefined
    far.on('answered', () => {
      isIdle = true
      if (writes) events.answers(actor)
      if (held === undefined) return
      const answer = otherBody(Buffer.concat(held), falseList(weather))
      held = undefined
      far.bring(() => void client.receive(answer))
    })
    client.passes = (bytes) => {
      if (client.destroyed) return undefined
      // The head of a request comes alone.
      if (!isIdle) {
        writes = events.sent(actor, bytes) || writes
        return swallows ? undefined : bytes
      }
      isIdle = false
      swallows = false
      far.passes = (answer) => answer
      writes = events.sent(actor, bytes)
      const fate = weather.fate()
      events.fate(actor, fate)
      swallows = ['refused', 'lost-before', 'silent-before', 'unavailable', 'too-many'].includes(fate)
      const wait = weather.chance.between(LEAST_MS, MOST_MS)
      if (fate === 'refused' || fate === 'lost-before') meets(lost, wait)
      if (fate === 'unavailable' || fate === 'too-many') meets(() => client.receive(Buffer.from(BROKEN[fate])), wait)
      if (fate === 'lost-after') {
        far.passes = () => {
          meets(lost, wait)
          return undefined
        }
      }
      if (fate === 'silent-after') far.passes = () => undefined
      if (fate === 'cut') {
        let left = weather.chance.int(1500)
        far.passes = (answer) => {
          const passed = answer.subarray(0, left)
          left -= passed.length
          if (passed.length < answer.length) meets(lost, MOST_MS * 2)
          return passed.length === 0 ? undefined : passed
        }
      }
      // Only what can be seen: another character in place of a "<" in the middle of the body.
      if (fate === 'damaged') {
        far.passes = (answer) => {
          const marks = [...answer.keys()].filter((at) => answer[at] === 0x3c)
          if (marks.length > 2) answer[marks[1 + weather.chance.int(marks.length - 2)]!] = 0x26
          return answer
        }
      }
      // A list that is missing, short, foreign or has an item twice: a reply that is whole and wrong.
      if (fate === 'false-list') {
        held = []
        far.passes = (answer) => {
          if (held === undefined) return answer
          held.push(answer)
          return undefined
        }
      }
      if (fate === 'slow') client.bring(() => {}, SLOW_MS)
      return swallows ? undefined : bytes
    }
    let swallows = false
    client.bring(() => void server.emit('connection', far))
    return client
  }

  const realConnect = http.Agent.prototype as unknown as { createConnection: (...given: unknown[]) => unknown }
  const { createConnection } = realConnect
  realConnect.createConnection = function (this: unknown, ...given: unknown[]) {
    const actor = world.current
    if (actor === undefined) return createConnection.apply(this, given)
    const server = servers.get(Number((given[0] as { port: number }).port))
    if (server !== undefined) return connect(actor, server)
    const nobody = new End(world, actor, actor.chance)
    nobody.other = nobody
    world.later(1, () => nobody.destroy(failure('ECONNREFUSED', 'connect')))
    return nobody
  }

  const prototype = http.Server.prototype as unknown as Record<string, (...given: never[]) => unknown>
  const { listen, close, address, closeIdleConnections, closeAllConnections } = prototype as Record<string, Function>
  const places = new WeakMap<object, number>()
  Object.assign(prototype, {
    listen(this: import('node:http').Server, ...given: unknown[]) {
      if (world.current === undefined) return listen!.apply(this, given)
      const place = port++
      places.set(this, place)
      servers.set(place, this)
      // Node keeps the header's text in a real timer.
      this.prependListener('request', (request, response) => {
        response.sendDate = false
        response.once('finish', () => request.socket.emit('answered'))
      })
      const listener = given.find((one) => typeof one === 'function') as (() => void) | undefined
      if (listener !== undefined) this.once('listening', listener)
      world.later(0, () => this.emit('listening'))
      return this
    },
    address(this: object) {
      const place = places.get(this)
      return place === undefined ? address!.call(this) : { address: '127.0.0.1', family: 'IPv4', port: place }
    },
    close(this: import('node:http').Server, done?: () => void) {
      const place = places.get(this)
      if (place === undefined) return close!.call(this, done)
      servers.delete(place)
      if (done !== undefined) world.later(0, done)
      return this
    },
    closeIdleConnections(this: object) {
      if (!places.has(this)) closeIdleConnections!.call(this)
    },
    closeAllConnections(this: object) {
      if (!places.has(this)) closeAllConnections!.call(this)
    },
  })

  return {
    reset() {
      port = FIRST_PORT
      servers.clear()
      open.clear()
    },
    closeOf(actor) {
      for (const { client, server } of [...open]) {
        if (client.actor !== actor) continue
        client.passes = () => undefined
        server.passes = () => undefined
        // Its machine closes what the process left; nothing of it is heard there any more.
        world.later(1, () => void server.destroy(), service)
        client.destroy()
      }
    },
  }
}
