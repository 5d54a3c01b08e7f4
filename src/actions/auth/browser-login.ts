/**
 * From an application to a token (docs/service.md, Token login): the seller allows the application in a browser, and the token is fetched as soon
 * as that is done.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { openInBrowser } from '../../cli/browser.js'
import type { Context } from '../../cli/context.js'
import type { Settings } from '../../cli/settings.js'
import { toSellerError } from '../../cli/translate.js'
import { publicExtended } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { MINUTE_MS, SECOND_MS } from '../../system/durations.js'
import { callExtended } from '../reference/extended.js'

interface BrowserLogin {
  readonly name: string
  /** With the address, the application and its public key; a user id in them is offered as the answer. */
  readonly settings: Readonly<Settings>
  /** The user id, if it is known. */
  readonly userId?: number
  /** The port of this machine to which the application's accept address leads. */
  readonly port?: number
}

export type FetchedToken = Required<Pick<Settings, 'user_id' | 'token' | 'token_expires'>>

/** Calls count against the quota, so the service is asked at growing intervals: some twenty calls in this time. */
const WAIT_MS = 10 * MINUTE_MS
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [2 * SECOND_MS, 40 * SECOND_MS]

/**
 * Shows the address of the login, offers to open it, asks who logged in, and waits for the token.
 * @throws {SellerError} no_token if the time is up; what the service says against the application
 */
export async function tokenByBrowser(ctx: Context, login: BrowserLogin): Promise<FetchedToken> {
  const { settings, port } = login
  const secret = randomBytes(32).toString('hex')
  const query = new URLSearchParams({ appId: String(settings.app_id), pkey: settings.public_key ?? '', skey: secret })
  const address = `${settings.base_url}/token-login?${query}`
  const receiver = port === undefined ? undefined : await openReceiver(port)
  try {
    const unknown: Settings = { ...settings, user_id: undefined, token: undefined, token_command: undefined }
    const client = await ctx.trialClient(login.name, unknown)
    ctx.prompts.show(`Log in as the seller at this address, and allow the application:\n\n  ${address}\n`)
    await offerToOpen(ctx, address)
    if (receiver !== undefined) ctx.output.note(`Waiting for the browser at http://127.0.0.1:${port}. Ctrl-C stops it.`)
    const userId = login.userId ?? (await (receiver?.userId(ctx.signal) ?? askWho(ctx, client, settings.user_id)))
    return await waitForToken(ctx, client, userId, secret)
  } finally {
    receiver?.close()
  }
}

async function offerToOpen(ctx: Context, address: string): Promise<void> {
  const { open } = await ctx.prompts.fill([
    {
      key: 'open',
      flag: '--stdin',
      message: 'Open it in the browser?',
      kind: 'select',
      choices: [
        { name: 'Open it here', value: 'yes' },
        { name: 'I open it myself', value: 'no' },
      ],
    },
  ])
  if (open === 'yes' && !(await openInBrowser(address)))
    ctx.output.warn('No browser could be started. Open the address yourself.')
}

/** Asks until the answer names a member: an alias costs one call each time. */
async function askWho(ctx: Context, client: SoapClient, known: number | undefined): Promise<number> {
  for (;;) {
    const { who = '' } = await ctx.prompts.fill([
      {
        key: 'who',
        flag: '--user-id',
        message: 'Your alias there, your user id, or the address to which the login led',
        kind: 'text',
        default: known === undefined ? undefined : String(known),
      },
    ])
    if (/^\d+$/.test(who)) return Number(who)
    const address = URL.canParse(who)
    const userId = address ? userIdIn(new URL(who).searchParams) : await memberOf(client, who)
    if (userId !== undefined) return userId
    ctx.output.warn(address ? 'This address has no userId.' : `The service knows no member "${who}".`)
  }
}

async function memberOf(client: SoapClient, alias: string): Promise<number | undefined> {
  const found = await callExtended(client, publicExtended.GetUserByAlias, { alias }).catch(unlessRefused)
  return found?.Alias?.toLowerCase() === alias.toLowerCase() ? found.Id : undefined
}

async function waitForToken(ctx: Context, client: SoapClient, userId: number, secret: string): Promise<FetchedToken> {
  const progress = ctx.output.progress({ kind: 'spinner', text: `Waiting until user ${userId} has allowed the application` })
  const end = ctx.clock.now() + WAIT_MS
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
      const token = await fetchOnce(client, userId, secret).catch(unlessRefused)
      if (token !== null) return token
      if (ctx.clock.now() + pause > end) break
      await ctx.clock.sleep(pause, ctx.signal)
    }
  } finally {
    progress.stop()
  }
  throw new SellerError(
    'no_token',
    `The service had no token for user ${userId} after ${WAIT_MS / MINUTE_MS} minutes.`,
    'Run it again, allow the application in the browser, and name the seller who did. Nothing was stored.',
  )
}

/** Fetches the token of a seller; null if the service answers without one. */
export async function fetchOnce(client: SoapClient, userId: number, secretKey: string): Promise<FetchedToken | null> {
  const answer = await callExtended(client, publicExtended.FetchToken, { userId, secretKey })
  const { AuthToken, HardExpirationTime } = answer ?? {}
  return AuthToken && HardExpirationTime ? { user_id: userId, token: AuthToken, token_expires: HardExpirationTime } : null
}

/** Faults about the data: the seller has not allowed the application yet. Those about the application have other codes. */
export const NOT_YET: ReadonlySet<string> = new Set(['refused_by_service', 'fault'])

function unlessRefused(error: unknown): null {
  if (NOT_YET.has(toSellerError(error).code)) return null
  throw error
}

interface Receiver {
  /** The user id with which the browser came. @throws the signal's reason */
  userId(signal: AbortSignal): Promise<number>
  close(): void
}

/**
 * Listens on 127.0.0.1. Only the user id is taken: any page could send a token here, but only this login has the secret with which one is fetched.
 * @throws the system's error if something else listens there
 */
async function openReceiver(port: number): Promise<Receiver> {
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
function userIdIn(query: URLSearchParams): number | undefined {
  const text = [...query].find(([name]) => name.toLowerCase() === 'userid')?.[1] ?? ''
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined
}
