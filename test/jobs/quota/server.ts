/**
 * A quota server whose answers the tests give: it speaks the protocol of Redis (RESP 2) over a socket to the real client, and
 * knows a script only once it was sent whole. It runs none: what the scripts count is tested on a real server (test/slow).
 */
import { createServer, type Server, type Socket } from 'node:net'
import { CLAIM_SCRIPT, GIVE_BACK_SCRIPT, REPORT_SCRIPT, TAKE_SCRIPT } from '../../../src/jobs/quota/scripts.js'

/** A run of a script, as the server got it. */
export interface ScriptRun {
  readonly script: 'take' | 'give back' | 'report' | 'claim'
  readonly keys: readonly string[]
  readonly args: readonly string[]
}

/** Reply of a script: a number, a text, or a list of them; `error` as the server words it; `cut`: the connection ends. */
export type Reply = number | readonly (number | string)[] | { readonly error: string } | 'cut'

const SCRIPTS = [
  [TAKE_SCRIPT, 'take'],
  [GIVE_BACK_SCRIPT, 'give back'],
  [REPORT_SCRIPT, 'report'],
  [CLAIM_SCRIPT, 'claim'],
] as const

export class FakeQuotaServer {
  readonly runs: ScriptRun[] = []
  connections = 0
  /** Sends of a whole script. */
  sentWhole = 0
  answer: (run: ScriptRun) => Reply | Promise<Reply> = () => ({ error: 'ERR no answer was given' })
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #known = new Set<string>()

  private constructor() {
    this.#server = createServer((socket) => this.#serve(socket))
  }

  static async start(): Promise<FakeQuotaServer> {
    const server = new FakeQuotaServer()
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as { port: number }).port}`
  }

  /** Ends the connections that are open; new ones are taken. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  forgetScripts(): void {
    this.#known.clear()
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.drop()
    await closed
  }

  #serve(socket: Socket): void {
    this.connections++
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => undefined)
    let text = ''
    let before = Promise.resolve()
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      for (let read = commandOf(text); read !== undefined; read = commandOf(text)) {
        text = text.slice(read.length)
        const { words } = read
        before = before.then(() => this.#reply(socket, words))
      }
    })
  }

  async #reply(socket: Socket, words: readonly string[]): Promise<void> {
    const [name, which = '', count = '0', ...rest] = words
    const found = SCRIPTS.find(([{ text, sha1 }]) => which === (name === 'EVAL' ? text : sha1))
    if (found === undefined || (name !== 'EVAL' && name !== 'EVALSHA')) {
      socket.write(`-ERR unknown command '${name}'\r\n`)
      return
    }
    const [{ sha1 }, script] = found
    if (name === 'EVAL') {
      this.sentWhole++
      this.#known.add(sha1)
    } else if (!this.#known.has(sha1)) {
      socket.write('-NOSCRIPT No matching script. Please use EVAL.\r\n')
      return
    }
    const run = { script, keys: rest.slice(0, Number(count)), args: rest.slice(Number(count)) }
    this.runs.push(run)
    const reply = await this.answer(run)
    if (reply === 'cut') socket.destroy()
    else socket.write(written(reply))
  }
}

/** The first command of the text: an array of bulk strings; undefined until all of it is there. The tests send ASCII. */
function commandOf(text: string): { words: string[]; length: number } | undefined {
  const head = /^\*(\d+)\r\n/.exec(text)
  if (head === null) return undefined
  const words: string[] = []
  let at = head[0].length
  for (let left = Number(head[1]); left > 0; left--) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at, at + 20))
    if (size === null) return undefined
    const start = at + size[0].length
    const end = start + Number(size[1])
    if (text.length < end + 2) return undefined
    words.push(text.slice(start, end))
    at = end + 2
  }
  return { words, length: at }
}

function written(reply: Exclude<Reply, 'cut'> | string): string {
  if (typeof reply === 'number') return `:${reply}\r\n`
  if (typeof reply === 'string') return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`
  if ('error' in reply) return `-${reply.error}\r\n`
  return `*${reply.length}\r\n${reply.map((one) => written(one)).join('')}`
}
