/** Waits on this machine for the browser, where the application's accept address leads here (docs/service.md, Token login). */
import { createServer } from 'node:http'

export interface Receiver {
  /** The user id with which the browser came. @throws the signal's reason */
  userId(signal: AbortSignal): Promise<number>
  close(): void
}

/**
 * Listens on 127.0.0.1. Only the user id is taken: any page could send a token here, but only this login has the secret with which one is fetched.
 * @throws the system's error if something else listens there
 */
export async function openReceiver(port: number): Promise<Receiver> {
  let come: (userId: number) => void = () => undefined
  const came = new Promise<number>((resolve) => {
    come = resolve
  })
  const server = createServer((request, response) => {
    const userId = userIdIn(new URL(request.url ?? '/', 'http://127.0.0.1').searchParams)
    const [status, text] =
      userId === undefined
        ? [404, 'The address has no user id.']
        : [200, 'The browser has come back. You may close this window, and go on in the terminal.']
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${text}\n`)
    if (userId !== undefined) come(userId)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    userId: (signal) =>
      Promise.race([
        came,
        new Promise<never>((_resolve, reject) => {
          if (signal.aborted) reject(signal.reason)
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        }),
      ]),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The user id in the address to which a login led; undefined if there is none. */
export function userIdIn(query: URLSearchParams): number | undefined {
  const text = [...query].find(([name]) => name.toLowerCase() === 'userid')?.[1] ?? ''
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined
}
