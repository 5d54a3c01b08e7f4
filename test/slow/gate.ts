import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A gate in front of the sandbox: when armed, it passes so many calls and holds the next one, or its reply, for ever. */
export class Gate {
  readonly #server: Server
  #left = Number.POSITIVE_INFINITY
  #held: () => void = () => {}
  #holdsReply = false

  constructor(target: string) {
    this.#server = createServer((incoming, outgoing) => {
      const last = this.#left === 0
      if (last && !this.#holdsReply) {
        this.#held()
        return
      }
      this.#left -= 1
      const { method, url, headers } = incoming
      const onward = request(new URL(url ?? '/', target), { method, headers, agent: false }, (reply) => {
        if (last) {
          this.#held()
          return
        }
        outgoing.writeHead(reply.statusCode ?? 500, reply.headers)
        reply.pipe(outgoing)
      })
      onward.on('error', () => outgoing.destroy())
      incoming.pipe(onward)
    })
  }

  /** @returns a promise that resolves when the call after so many others, or its reply, has come and is held */
  arm(calls: number, holdsReply = false): Promise<void> {
    this.#left = calls
    this.#holdsReply = holdsReply
    return new Promise((resolve) => {
      this.#held = resolve
    })
  }

  disarm(): void {
    this.#left = Number.POSITIVE_INFINITY
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
