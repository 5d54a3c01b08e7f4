/** Fetches the token of a seller who has allowed the application, and stores it (docs/service.md, Token login). */

import type { Context } from '../../cli/context.js'
import { descriptionsBelow } from '../../cli/descriptions/addresses.js'
import { readAddress } from '../../cli/descriptions/read.js'
import { missingSettings, notLoggedIn } from '../../cli/profiles.js'
import { inOrder } from '../../cli/prompts.js'
import { readSecret } from '../../cli/setting-readers.js'
import { changeStored } from '../../cli/settings-file.js'
import { toSellerError } from '../../cli/translate.js'
import { SellerError } from '../../errors/index.js'
import type { TokenRecord } from '../../format/views/auth.js'
import { joined, run, say } from '../../messages/index.js'
import { readSaved } from '../service/saved.js'
import { type FetchedToken, fetchOnce, NOT_YET, tokenByBrowser } from './browser-login.js'

export interface TokenOptions {
  /** By default that of the profile. */
  readonly userId?: number | undefined
  /** Text from stdin, if it was read. */
  readonly piped?: string | undefined
  /** The port of this machine to which the application's accept address leads. */
  readonly port?: number | undefined
}

/**
 * Goes through a login in the browser where the profile has a public key and a person is there, or else asks for the secret key
 * if it was not piped in; fetches the token, and stores it with its expiry.
 * @throws {SellerError} operation_not_offered if the service has no FetchToken; no_token if it has none for the seller and the
 * key
 */
export async function fetchToken(ctx: Context, options: TokenOptions): Promise<TokenRecord> {
  const { profile } = ctx
  if (profile.embedded) {
    const hint = 'Name another profile with --profile.'
    throw new SellerError('sandbox_is_built_in', 'The sandbox inside this process has its own token.', hint)
  }
  const missing = missingSettings(profile, false)
  if (missing.length > 0) throw notLoggedIn(profile, missing)
  await requireFetchToken(ctx)
  let token: FetchedToken | undefined
  await inOrder([
    async () => {
      token = await (options.piped === undefined && ctx.prompts.available && profile.settings.public_key !== undefined
        ? tokenByBrowser(ctx, { name: profile.name, settings: profile.settings, ...options })
        : fetchBySecret(ctx, options))
      return true
    },
  ])
  if (token === undefined) throw new Error('No token was fetched.')
  await changeStored(ctx, (file) => {
    const settings = { ...file.profiles[profile.name] }
    delete settings.token_command
    file.profiles[profile.name] = { ...settings, ...token }
  })
  if (profile.settings.token_command !== undefined)
    ctx.output.note('token_command was removed from the profile: the token is stored now.')
  if (profile.sourced.token?.source === 'environment') ctx.output.warn('SELLER_TOKEN is set, and counts before the stored token.')
  return { Profile: profile.name, UserId: token.user_id, Expires: token.token_expires }
}

/** Checks the saved description, or else the one that the service publishes now. */
async function requireFetchToken(ctx: Context): Promise<void> {
  const { profile } = ctx
  const savedSource = await readSaved(ctx, 'PublicService')
  const address = descriptionsBelow(profile.settings.base_url ?? '').find(({ service }) => service === 'PublicService')
  const source = savedSource ?? (address === undefined ? undefined : await readAddress(ctx, address))
  if (source?.description.operations.has('FetchToken') !== false) return
  throw new SellerError(
    'operation_not_offered',
    `The public service has no FetchToken (${source.from}).`,
    joined([
      say`Copy the token from the page of the service that shows it, and store it with: ${run('auth:login')}.`,
      savedSource === undefined ? undefined : say`If the service has changed: ${run('service:check', { '--save': true })}`,
    ]),
    { operation: 'FetchToken' },
  )
}

async function askFor(ctx: Context, { userId: given, piped }: TokenOptions): Promise<{ userId: number; secretKey: string }> {
  const { output, prompts, profile } = ctx
  let userId = given ?? profile.settings.user_id
  const flags = [...(userId === undefined ? ['--user-id'] : []), ...(piped === undefined ? ['--stdin'] : [])]
  if (!prompts.available && flags.length > 0) {
    const hint = `Nobody can be asked here (no terminal, --no-input or CI): give ${flags.join(' and ')}, and pipe the secret key in.`
    throw new SellerError('missing_flags', `Missing: ${flags.join(', ')}.`, hint, { missing: flags })
  }
  const { returning } = prompts
  let secret = piped
  await inOrder([
    async (again) => {
      if (userId !== undefined && !again) return false
      const message = 'User id of the seller'
      const { user } = await returning.fill([{ key: 'user', flag: '--user-id', message, kind: 'int' }])
      userId = Number(user)
      return true
    },
    async () => {
      if (piped !== undefined) return false
      output.note(
        `User ${userId}: the secret key is the one with which this seller allowed the application (skey of the login address).`,
      )
      secret = (await returning.fill([{ key: 'secret', flag: '--stdin', message: 'Secret key', kind: 'secret' }])).secret
      return true
    },
  ])
  return { userId: Number(userId), secretKey: readSecret(secret ?? '', piped === undefined ? 'Secret key' : 'stdin') }
}

async function fetchBySecret(ctx: Context, options: TokenOptions): Promise<FetchedToken> {
  const { userId, secretKey } = await askFor(ctx, options)
  const { name, settings } = ctx.profile
  // A client that knows the current token removes it from every text, and the fetched token may be the same.
  const { user_id: _user, token: _token, token_command: _command, ...others } = settings
  const client = await ctx.trialClient(name, others)
  const token = await fetchOnce(client, userId, secretKey).catch((error: unknown) => {
    const knownError = toSellerError(error)
    throw NOT_YET.has(knownError.code) ? noToken(knownError.message.replaceAll(secretKey, '•••')) : error
  })
  if (token === null) throw noToken(`The service has no token for user ${userId} and this secret key.`)
  return token
}

function noToken(message: string): SellerError {
  const hint = 'The seller has to allow the application first, with the same secret key (skey). Nothing was stored.'
  return new SellerError('no_token', message, hint)
}
