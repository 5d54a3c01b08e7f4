/**
 * The connection to the quota server. Every wait is bounded, and every failure is put in words, without the address or the
 * password.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { createClient } from '@redis/client'
import type { Script } from './scripts.js'

/** Time for connecting, and for each answer, ms. */
const PATIENCE_MS = 5000
/** The most bytes of an answer: our scripts answer a few numbers. */
const MAX_ANSWER_BYTES = 64 * 1024
/** Number of characters of a server's text to show. */
const MAX_SAID = 160

type Client = ReturnType<typeof createClient>

/** The quota server did not answer, or not as it should. */
export class QuotaServerError extends Error {
  override readonly name = 'QuotaServerError'
  /** True if the connection was lost, which another one may cure. */
  readonly lost: boolean
  /** True if it may be over in a moment, as while the server starts. */
  readonly passing: boolean

  constructor(why: string, isLost: boolean, isPassing = isLost) {
    super(why)
    this.lost = isLost
    this.passing = isPassing
  }
}

export class QuotaServer {
  readonly #url: string
  readonly #patienceMs: number
  #client: Promise<Client> | undefined
  /** Bytes that came since the last command was sent. */
  #receivedBytes = 0

  constructor(url: string, patienceMs = PATIENCE_MS) {
    this.#url = url
    this.#patienceMs = patienceMs
  }

  /**
   * Runs a script. If an older connection is found broken, the script runs again over a new one: if only the answer was lost, it
   * has then run twice, and calls taken twice are never given back, so that the quota is not exceeded.
   * @throws QuotaServerError
   */
  async run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const older = this.#client
    try {
      return await this.#evaluate(script, keys, args)
    } catch (error) {
      if (!(error instanceof QuotaServerError && error.lost) || older === undefined) throw error
      return await this.#evaluate(script, keys, args)
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    this.#client = undefined
    if (client?.isOpen === true) client.destroy()
  }

  async #evaluate(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args]
    this.#client ??= this.#connect()
    const connecting = this.#client
    this.#receivedBytes = 0
    try {
      const client = await connecting
      try {
        return await this.#inTime(client, client.sendCommand(['EVALSHA', script.sha1, ...rest]))
      } catch (error) {
        if (!isReply(error, 'NOSCRIPT')) throw error
        return await this.#inTime(client, client.sendCommand(['EVAL', script.text, ...rest]))
      }
    } catch (error) {
      const failure = failureOf(error)
      // Others that wait for this connection fail alike; the next one makes another.
      if (failure.lost && this.#client === connecting) {
        this.#client = undefined
        void connecting.then((client) => client.isOpen && client.destroy()).catch(() => undefined)
      }
      throw failure
    }
  }

  async #connect(): Promise<Client> {
    // The bundle has only the default export of a CommonJS package; who runs the sources has the names.
    const library = await import('@redis/client')
    const { createClient } = library.createClient === undefined ? library.default : library
    const client: Client = createClient({
      url: this.#url,
      // The older protocol, because every server speaks it.
      RESP: 2,
      disableClientInfo: true,
      disableOfflineQueue: true,
      socket: { connectTimeout: this.#patienceMs, reconnectStrategy: false },
    })
    // Without a listener it would end the process. The command that waits gets the error too.
    client.on('error', () => undefined)
    const watch = (message: unknown) => this.#bound((message as { socket: Socket }).socket)
    // The library hands out no socket, and keeps whatever a server sends; Node tells of each that is made.
    subscribe('net.client.socket', watch)
    try {
      await this.#inTime(client, client.connect())
    } finally {
      unsubscribe('net.client.socket', watch)
    }
    return client
  }

  /** Ends the connection to a server that sends more than an answer. */
  #bound(socket: Socket): void {
    const port = new URL(this.#url).port || '6379'
    socket.on('data', ({ length }: Buffer) => {
      if (String(socket.remotePort) !== port) return
      this.#receivedBytes += length
      if (this.#receivedBytes > MAX_ANSWER_BYTES)
        socket.destroy(new QuotaServerError('it sends more than an answer, and was cut off', false))
    })
  }

  async #inTime<T>(client: Client, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new QuotaServerError(`no answer within ${this.#patienceMs / 1000} s`, false, true))
        if (client.isOpen) client.destroy()
        this.#client = undefined
      }, this.#patienceMs)
    })
    // The second of two failures is not reported.
    work.catch(() => undefined)
    try {
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Meanings of the server's errors, by their first word. */
const REPLIES: Readonly<Record<string, string>> = {
  WRONGPASS: 'it refuses the user or the password',
  NOAUTH: 'it asks for a password',
  NOPERM: 'its user may not run scripts on the keys seller:quota:*',
  WRONGTYPE: 'its keys seller:quota:* hold something else',
  OOM: 'its memory is full',
  READONLY: 'it is a replica, which takes no writes',
  LOADING: 'it is still loading its data',
  BUSY: 'it is busy with another script',
  MASTERDOWN: 'it is a replica without its master',
  MOVED: 'it is a cluster; give a single server',
  MISCONF: 'it cannot write to its disk',
}

/** Those that are over when the server has started, or has room again. */
const PASSING = ['LOADING', 'BUSY', 'MASTERDOWN', 'READONLY', 'MISCONF', 'OOM']

/** Meanings of connection errors, by code. */
const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  ETIMEDOUT: 'no connection was made in time',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the host',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS; give redis:// instead of rediss://',
}

/** Answer that is not of this protocol, or not of our scripts. */
export const OTHER_ANSWER = 'it answers something else'

function isReply(error: unknown, word: string): boolean {
  return error instanceof Error && error.message.startsWith(`${word} `)
}

function failureOf(error: unknown): QuotaServerError {
  if (error instanceof QuotaServerError) return error
  const { code, message = '' } = error as NodeJS.ErrnoException
  const word = Object.keys(REPLIES).find((one) => new RegExp(`(?:^|[ :-])${one}(?: |$)`).test(message))
  // Redis 7 says so to a client that is not logged in and sends a long command.
  if (message.includes('unauthenticated')) return new QuotaServerError(REPLIES.NOAUTH ?? '', false)
  if (word !== undefined) return new QuotaServerError(REPLIES[word] ?? '', false, PASSING.includes(word))
  if (/^ERR AUTH|without any password configured/.test(message))
    return new QuotaServerError('it has no password, and one is given', false)
  if (typeof code === 'string') {
    const certificate = /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)/.test(code)
    const reason = CODES[code] ?? (certificate ? `its certificate is not trusted (${code})` : code)
    return new QuotaServerError(reason, true, !certificate && code !== 'ERR_SSL_WRONG_VERSION_NUMBER')
  }
  if (message.startsWith('Unknown RESP type')) return new QuotaServerError(OTHER_ANSWER, false)
  if (/^[A-Z]+ /.test(message)) return new QuotaServerError(`it answers: ${message.slice(0, MAX_SAID)}`, false)
  return new QuotaServerError('the connection was lost', true)
}
