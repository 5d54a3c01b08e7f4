/**
 * From an application to a token (docs/service.md, Token login): the seller allows the application in a browser, and the token is
 * fetched as soon as that is done.
 */
import { randomBytes } from 'node:crypto'
import { hostBase } from '../../cli/address.js'
import { openInBrowser } from '../../cli/browser.js'
import type { Context } from '../../cli/context.js'
import type { Settings } from '../../cli/settings.js'
import { toSellerError } from '../../cli/translate.js'
import { publicExtended } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { MINUTE_MS, SECOND_MS } from '../../system/durations.js'
import { callExtended } from '../reference/extended.js'
import { openReceiver, type Receiver, userIdIn } from './receiver.js'

interface BrowserLogin {
  readonly name: string
  /** With the address, the application and its public key; a user id in them is offered as the answer. */
  readonly settings: Readonly<Settings>
  /** The user id, if it is known. */
  readonly userId?: number | undefined
  /** The port of this machine to which the application's accept address leads. */
  readonly port?: number | undefined
}

export type FetchedToken = Required<Pick<Settings, 'user_id' | 'token' | 'token_expires'>>

/** Calls count against the quota, so the service is asked at growing intervals: some twenty calls in this time. */
const WAIT_MS = 10 * MINUTE_MS
const NO_STATE =
  'A browser came with a user id that does not belong to this login, which was ignored. If it was yours, the service does not hand back what the address of the login has in ruparams: press Ctrl-C and leave out --accept-port.'
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [2 * SECOND_MS, 40 * SECOND_MS]

/**
 * Shows the address of the login, offers to open it, asks who logged in, and waits for the token.
 * @throws {SellerError} no_token if the time is up; what the service says against the application
 */
export async function tokenByBrowser(ctx: Context, login: BrowserLogin): Promise<FetchedToken> {
  const { settings, port } = login
  const [secret, state] = [randomBytes(32).toString('hex'), randomBytes(16).toString('hex')]
  const query = new URLSearchParams({ appId: String(settings.app_id), pkey: settings.public_key ?? '', skey: secret })
  const receiver = port === undefined ? undefined : await openReceiver(port, state, () => ctx.output.warn(NO_STATE))
  if (receiver !== undefined) query.set('ruparams', receiver.handedBack)
  const address = `${hostBase(settings.base_url ?? '')}/token-login?${query}`
  try {
    const { user_id: _user, token: _token, token_command: _command, ...unknown } = settings
    const client = await ctx.trialClient(login.name, unknown)
    ctx.prompts.show(`Log in as the seller at this address, and allow the application:\n\n  ${address}\n`)
    await offerToOpen(ctx, address)
    if (receiver !== undefined) ctx.output.note(`Waiting for the browser at http://127.0.0.1:${port}. Ctrl-C stops it.`)
    if (receiver === undefined || login.userId !== undefined) {
      const userId = login.userId ?? (await askWho(ctx, client, settings.user_id))
      return await waitForToken(ctx, client, { userIds: [userId] }, secret)
    }
    if (receiver.userIds.length === 0) await receiver.next(ctx.signal)
    return await waitForToken(ctx, client, receiver, secret)
  } finally {
    receiver?.close()
  }
}

async function offerToOpen(ctx: Context, address: string): Promise<void> {
  const { open } = await ctx.prompts.returning.fill([
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
async function askWho(ctx: Context, client: SoapClient, knownId: number | undefined): Promise<number> {
  for (;;) {
    const { who = '' } = await ctx.prompts.returning.fill([
      {
        key: 'who',
        flag: '--user-id',
        message: 'Your alias there, your user id, or the address to which the login led',
        kind: 'text',
        default: knownId === undefined ? undefined : String(knownId),
      },
    ])
    if (/^\d+$/.test(who)) return Number(who)
    const address = URL.canParse(who)
    const userId = address ? userIdIn(new URL(who).searchParams) : await findMember(client, who)
    if (userId !== undefined) return userId
    ctx.output.warn(address ? 'This address has no userId.' : `The service knows no member "${who}".`)
  }
}

async function findMember(client: SoapClient, alias: string): Promise<number | undefined> {
  const user = await callExtended(client, publicExtended.GetUserByAlias, { alias }).catch(unlessRefused)
  return user?.Alias?.toLowerCase() === alias.toLowerCase() ? user.Id : undefined
}

type Users = Pick<Receiver, 'userIds'> & Partial<Pick<Receiver, 'next'>>

/** Asks for the token of each user that has come, also of those who come meanwhile: the first may have been the wrong one. */
async function waitForToken(ctx: Context, client: SoapClient, users: Users, secret: string): Promise<FetchedToken> {
  const userIdList = () => users.userIds.join(' or ')
  const progress = ctx.output.progress({
    kind: 'spinner',
    text: `Waiting until user ${userIdList()} has allowed the application`,
  })
  const end = ctx.clock.now() + WAIT_MS
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
      const triedIds = [...users.userIds]
      for (const userId of triedIds) {
        const token = await fetchOnce(client, userId, secret).catch(unlessRefused)
        if (token !== null) return token
      }
      if (ctx.clock.now() + pause > end) break
      if (users.userIds[0] !== triedIds[0] || (await comesWithin(ctx, pause, users))) pause = FIRST_PAUSE_MS
    }
  } finally {
    progress.stop()
  }
  throw new SellerError(
    'no_token',
    `The service had no token for user ${userIdList()} after ${WAIT_MS / MINUTE_MS} minutes.`,
    'Run it again, allow the application in the browser, and name the seller who did. Nothing was stored.',
  )
}

/** Waits. @returns true, earlier, if the browser has come again @throws the signal's reason */
async function comesWithin({ clock, signal }: Context, ms: number, { next }: Users): Promise<boolean> {
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  try {
    return await Promise.race([
      clock.sleep(ms, until).then(() => false),
      ...(next === undefined ? [] : [next(until).then(() => true)]),
    ])
  } finally {
    over.abort()
  }
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
