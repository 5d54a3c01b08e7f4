/**
 * Waits for the browser to come back from a login (docs/service.md, Token login). Any page that is open in a browser of this
 * machine can send requests here too, so a user id counts only with the state that this login gave the service to hand back.
 * Nothing that is sent ends the wait.
 */
import { createServer, type IncomingMessage } from 'node:http'

/** The parameter that carries the state. */
const STATE = 'state'

/** The most user ids that are tried: each look costs a call. */
const MOST_IDS = 3

export interface Receiver {
  /** Value that the login address asks the service to return, for its parameter `ruparams`. */
  readonly handedBack: string
  /** The user ids with which the browser came, the last first. */
  readonly userIds: readonly number[]
  /** Resolves when it comes the next time. @throws the signal's reason */
  next(signal: AbortSignal): Promise<void>
  close(): void
}

/**
 * Listens on 127.0.0.1.
 * @param state a secret of this login
 * @param refused is called once, for the first request that has a user id and not the state
 * @throws the system's error if something else listens there
 */
export async function openReceiver(port: number, state: string, warnRefused: () => void): Promise<Receiver> {
  const userIds: number[] = []
  const wakers = new Set<() => void>()
  let warn: (() => void) | undefined = warnRefused
  const server = createServer((request, response) => {
    const judgement = judge(request, { port, state })
    if (judgement.foreign === true) {
      warn?.()
      warn = undefined
    }
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', connection: 'close' }
    response.writeHead(judgement.status, headers).end(`${judgement.text}\n`)
    if (judgement.userId === undefined) return
    userIds.splice(
      0,
      userIds.length,
      ...[judgement.userId, ...userIds.filter((id) => id !== judgement.userId)].slice(0, MOST_IDS),
    )
    for (const wake of wakers) wake()
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    handedBack: new URLSearchParams({ [STATE]: state }).toString(),
    userIds,
    next: (signal) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void) => () => {
          wakers.delete(wake)
          signal.removeEventListener('abort', abort)
          settle()
        }
        const wake = end(resolve)
        const abort = end(() => reject(signal.reason))
        wakers.add(wake)
        if (signal.aborted) abort()
        else signal.addEventListener('abort', abort, { once: true })
      }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Judged {
  readonly status: number
  readonly text: string
  readonly userId?: number
  /** It has a user id, but not the state. */
  readonly foreign?: boolean
}

function judge({ method, url = '', headers }: IncomingMessage, { port, state }: { port: number; state: string }): Judged {
  if (method !== 'GET') return { status: 405, text: 'Only GET is expected here.' }
  const names = ['127.0.0.1', 'localhost'].flatMap((name) => (port === 80 ? [name, `${name}:80`] : `${name}:${port}`))
  // A name that somebody has pointed at this machine (DNS rebinding).
  if (!names.includes(headers.host?.toLowerCase() ?? '')) return { status: 421, text: 'This is not the address of the login.' }
  // The way back from a login is a page that opens: a browser says so, and sends no Origin with it.
  const { 'sec-fetch-dest': dest = 'document', origin } = headers
  if (origin !== undefined || dest !== 'document') return { status: 403, text: 'Only a page that opens is expected here.' }
  const address = `http://127.0.0.1${url}`
  if (!url.startsWith('/') || !URL.canParse(address)) return { status: 400, text: 'The address cannot be read.' }
  const query = new URL(address).searchParams
  const userId = userIdIn(query)
  if (userId === undefined) return { status: 404, text: 'The address has no user id.' }
  if (query.get(STATE) !== state) return { status: 403, text: 'The address does not belong to this login.', foreign: true }
  return { status: 200, text: 'The browser has come back. You may close this window and continue in the terminal.', userId }
}

/** The user id in the address to which a login led; undefined if it has none. */
export function userIdIn(query: URLSearchParams): number | undefined {
  const text = [...query].find(([name]) => name.toLowerCase() === 'userid')?.[1] ?? ''
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined
}
