/** Proves a login: reads the description of the service, makes one call that changes nothing, and checks the limits of calls. */

import { NO_QUOTA_URL } from '../../cli/address.js'
import { callLimits, otherShares, tooManyShares } from '../../cli/call-limits.js'
import type { Context } from '../../cli/context.js'
import { extraDescriptions } from '../../cli/descriptions/addresses.js'
import { readAddress, readShown, type Source } from '../../cli/descriptions/read.js'
import { isExactAdvice } from '../../cli/origins.js'
import type { Settings } from '../../cli/settings.js'
import { toSellerError } from '../../cli/translate.js'
import { present } from '../../contract/present.js'
import { type ErrorCode, SellerError } from '../../errors/index.js'
import { thousands } from '../../format/output/index.js'
import { BudgetError } from '../../jobs/index.js'
import { blank, run, say } from '../../messages/index.js'
import { namespaceOf } from '../../soap/description/index.js'

/** The owner of the shop. */
export interface Seller {
  readonly Id: number
  readonly Name: string
  /** Currency of the account, where a newer service says it: three letters. */
  readonly Currency?: string
}

/** The service's description of itself. */
export interface Described {
  /** The descriptions that it publishes; empty if it publishes none. */
  readonly sources: readonly Source[]
  /** Without a final slash; undefined if no description was read. */
  readonly namespace: string | undefined
}

/**
 * Reads the descriptions of all services of a base address.
 * @param namespace the given one, if any. It must be that of the service; with it, the service need not publish a description.
 * @throws {SellerError} why it failed, and what to try
 */
export async function readDescribed(ctx: Context, baseUrl: string, namespace: string | undefined): Promise<Described> {
  const { sources, refused } = await readShown(ctx, baseUrl).catch((error: unknown) => {
    throw loginError(toSellerError(error))
  })
  const [first] = sources
  if (first === undefined) {
    if (refused !== undefined && namespace === undefined) throw loginError(refused)
    ctx.output.warn(`The service does not show its description: ${refused?.message ?? ''}`)
    return { sources, namespace: undefined }
  }
  const ownNamespace = namespaceOf(first.description.namespace)
  if (namespace !== undefined && namespace !== ownNamespace) {
    const message = `The namespace of the service is "${ownNamespace}" (${first.from}), not "${namespace}".`
    throw loginError(new SellerError('wrong_namespace', message, ''))
  }
  return { sources: [...sources, ...(await readExtra(ctx, baseUrl))], namespace: ownNamespace }
}

/**
 * The descriptions of services that not every host has. A host that refuses one has no such service, which is no fault of the
 * login.
 */
async function readExtra(ctx: Context, baseUrl: string): Promise<Source[]> {
  const sources: Source[] = []
  for (const address of extraDescriptions(baseUrl)) {
    try {
      sources.push(await readAddress(ctx, address))
    } catch (error) {
      const { code, message } = toSellerError(error)
      if (code === 'interrupted') throw error
      if (code === 'no_description') ctx.output.note(address.missing ?? '')
      else ctx.output.warn(`The description of ${address.service} was not read: ${message}`)
    }
  }
  return sources
}

/**
 * Makes one call that changes nothing: as the seller, or without a seller to the public service.
 * @returns the owner of the shop; undefined without a seller
 * @throws {SellerError} why it failed, and what to try
 */
export async function proveLogin(ctx: Context, name: string, settings: Readonly<Settings>): Promise<Seller | undefined> {
  try {
    const client = await ctx.trialClient(name, settings)
    if (settings.user_id === undefined) {
      await client.call('GetOfficalTime', {})
      return undefined
    }
    const user = await client.call('GetUserInfo', {})
    if (user === null) throw new SellerError('no_user', 'The service returned no user for these credentials.', '')
    const fullName = user.Alias ?? [user.FirstName, user.LastName].filter((part) => part !== undefined).join(' ')
    const { CurrencyCode: currency } = user as { readonly CurrencyCode?: unknown }
    const Currency = typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : undefined
    return { Id: user.Id, Name: fullName === '' ? 'a seller without a name' : fullName, ...present({ Currency }) }
  } catch (error) {
    throw loginError(toSellerError(error))
  }
}

const ADDRESS = 'Check the address. Any address of the service works: its base, or one that ends in /v3, .asmx or ?WSDL.'
const NAMESPACE = 'Leave out the namespace (--namespace, SELLER_NAMESPACE): it is read from the description of the service.'
const NETWORK = 'Check the address and the network. If you need a proxy, set HTTPS_PROXY.'
const CREDENTIALS =
  'Check the application id and key, the user id and the token, and whether the marketplace has activated the application.'

/** Advice for errors that a login can explain better than other commands. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  no_description: ADDRESS,
  not_a_description: ADDRESS,
  wrong_address: ADDRESS,
  not_soap: ADDRESS,
  wrong_namespace: NAMESPACE,
  operation_not_recognized: NAMESPACE,
  unreachable: NETWORK,
  connection_lost: NETWORK,
  refused: CREDENTIALS,
  no_user: CREDENTIALS,
}

function loginError(error: SellerError): SellerError {
  if (error.code === 'interrupted') return error
  const advice = isExactAdvice(error.advice) ? error.advice : (ADVICE[error.code] ?? error.advice)
  return error.with({ hint: say`${advice} Nothing was stored; --no-verify stores it without a check.` })
}

interface LimitsGiven {
  readonly name: string
  /** The profile as it would be stored. */
  readonly settings: Readonly<Settings>
  /** Settings that this login changes. */
  readonly given: Readonly<Settings>
  /** All profiles as they are stored. */
  readonly profiles: Readonly<Record<string, Settings>>
  /** True to ask a quota server that is given. */
  readonly ask: boolean
}

/**
 * @throws {SellerError} invalid_setting: a share or a quota server without a budget, shares of more than 100% together;
 * BudgetError: the quota server does not answer
 */
export async function proveLimits(ctx: Context, { name, settings, given, profiles, ask }: LimitsGiven): Promise<void> {
  const others = otherShares(profiles, name, settings.app_id)
  callLimits(name, settings, others)
  const { call_share: share = 0, app_id: appId } = given
  const tooMany = share === 0 && appId === undefined ? undefined : tooManyShares(name, settings.call_share ?? 0, others)
  if (tooMany !== undefined) {
    throw new SellerError(
      'invalid_setting',
      `The shares of calls are too large: ${tooMany}.`,
      say`Give a smaller one, or lower another first with: ${run('auth:login', { '--profile': blank('NAME'), '--setting': blank('call_share=PERCENT') })} (or none).`,
    )
  }
  const { quota_url: url, quota_url_command: command } = given
  if (!ask || ((url ?? NO_QUOTA_URL) === NO_QUOTA_URL && command === undefined)) return
  // Otherwise the first night job would find out.
  const quota = await ctx.trialQuota(name, { ...settings, quota_away: 'refuse', quota_patience: 0 })
  const { used, budget = 0 } = await quota.usage().catch((error: unknown) => {
    const hint = 'Nothing was stored. Correct the address or start the server; --no-verify stores it without asking the server.'
    throw error instanceof BudgetError ? error.with({ hint }) : error
  })
  ctx.output.note(`The quota server answers: ${thousands(used)} of ${thousands(budget)} calls made in the last 24 hours.`)
}
