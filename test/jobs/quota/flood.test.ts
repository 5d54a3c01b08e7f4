/** A quota server that sends without end, or what no such server sends: it is cut off, and nothing of it is kept. */

import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import { QuotaServer, QuotaServerError } from '../../../src/jobs/quota/server.js'

const MEGABYTE = 1024 * 1024
const SCRIPT = { sha1: 'a'.repeat(40), text: 'return 1' } as never

describe('a quota server that floods', () => {
  let server: Server
  let sent = 0
  const open = new Set<Socket>()
  const start = async (first: string, then: Buffer): Promise<string> => {
    sent = 0
    server = createServer((socket) => {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.once('data', () => {
        socket.write(first)
        const more = (): void => {
          // Bounded, so that a fault of ours ends too.
          while (sent < 64 * MEGABYTE && !socket.destroyed) {
            sent += then.length
            if (!socket.write(then)) break
          }
        }
        socket.on('drain', more)
        more()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  afterEach(() => {
    for (const socket of open) socket.destroy()
    open.clear()
    server.close()
  })

  for (const [name, first, then] of [
    ['a text that never ends', `$${512 * MEGABYTE}\r\n`, Buffer.alloc(64 * 1024, 'x')],
    ['answers that nobody asked for', '', Buffer.from(':1\r\n'.repeat(16 * 1024))],
    ['what is no answer', 'HTTP/1.1 200 OK\r\n\r\n', Buffer.alloc(64 * 1024, '<')],
  ] as const) {
    it(`with ${name} is cut off: an error, and a few megabytes at the most`, async () => {
      const quota = new QuotaServer(await start(first, then), 60_000)
      const end = await quota.run(SCRIPT, [], []).catch((error: unknown) => error)
      // The first of many answers is one.
      if (end !== 1) expect(end, String(end)).to.be.instanceOf(QuotaServerError)
      for (const socket of open) if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
      expect(sent).to.be.below(16 * MEGABYTE)
      await quota.close()
    })
  }
})
