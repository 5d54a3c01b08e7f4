/** seller doctor: checks one after another what this tool needs, and gives a fix for each fault. */

import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../cli/context.js'
import { makeDirectory } from '../../cli/directories.js'
import { missingSettings } from '../../cli/profiles.js'
import { tokenEnd } from '../../cli/token-end.js'
import { toSellerError } from '../../cli/translate.js'
import { instantOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import type { CheckRecord } from '../../format/views/index.js'
import { durationText } from '../../system/durations.js'
import { UNFINISHED } from '../jobs/list.js'

/** Above this, the service may take a new token for one of the future, and dates of `--since` miss sales. */
const CLOCK_LIMIT_MS = 2 * 60 * 1000

type Found = Omit<CheckRecord, 'Check'>

/** Runs the checks. A fault of an earlier one explains faults of later ones. Never throws: a check that fails reports that. */
export async function* checkSetup(ctx: Context, nodeVersion: string): AsyncGenerator<CheckRecord> {
  // A check that rests on another says nothing new where that one found a fault.
  const checks: readonly (readonly [name: string, look: () => Found | Promise<Found>, restsOn?: readonly string[]])[] = [
    // bin/run.js has refused an older one.
    ['Node', () => ok(nodeVersion)],
    ['Settings directory', () => checkDirectory(ctx.configDir, 'SELLER_CONFIG_DIR')],
    ['Data directory', () => checkDirectory(ctx.dataDir, 'SELLER_DATA_DIR')],
    ['Ledger', () => checkLedger(ctx)],
    ['Profile', () => checkProfile(ctx)],
    ['Call budget', () => checkBudget(ctx)],
    ['Service', () => checkService(ctx), ['Profile']],
    ['Credentials', () => checkCredentials(ctx), ['Profile', 'Service']],
    ['Completion', () => checkCompletion(ctx)],
  ]
  const faults = new Set<string>()
  for (const [Check, look, restsOn = []] of checks) {
    const cause = restsOn.find((name) => faults.has(name))
    let found: Found
    try {
      found = cause === undefined ? await look() : { State: 'note', Detail: `not checked; see ${cause}`, Fix: null }
    } catch (error) {
      ctx.signal.throwIfAborted()
      const { message, hint } = toSellerError(error)
      found = { State: 'fault', Detail: message, Fix: hint ?? 'Run it again with --trace.' }
    }
    if (found.State === 'fault') faults.add(Check)
    yield { Check, ...found }
  }
}

const ok = (Detail: string): Found => ({ State: 'ok', Detail, Fix: null })

function checkDirectory(path: string, variable: string): Found {
  makeDirectory(path, variable)
  accessSync(path, constants.R_OK | constants.W_OK)
  return ok(path)
}

async function checkLedger(ctx: Context): Promise<Found> {
  const { jobs, path } = await ctx.ledger()
  const unfinished = jobs.list({ state: UNFINISHED, partOf: null }).length
  if (unfinished === 0) return ok(path)
  const Detail = `${path}: ${countOf(unfinished, 'unfinished job')}`
  return { State: 'note', Detail, Fix: 'See seller jobs:list --unfinished, then seller jobs:resume.' }
}

function checkProfile({ profile }: Context): Found {
  const missing = missingSettings(profile, true)
  if (profile.embedded || missing.length === 0) return ok(`${profile.name} (${profile.chosen.from})`)
  return { State: 'fault', Detail: `${profile.name}: ${missing.join(', ')} missing`, Fix: 'Log in with seller auth:login.' }
}

/** Asks the quota server, if the profile names one. */
async function checkBudget(ctx: Context): Promise<Found> {
  const quota = await ctx.quota()
  const { used, budget, remaining } = await quota.usage()
  if (budget === undefined) return ok('none set')
  const where = quota.countedAt === undefined ? '' : `, counted at ${quota.countedAt}`
  const byDefault =
    ctx.profile.settings.call_budget === undefined ? ', the default of the service (auth:login --call-budget)' : ''
  const Detail = `${countOf(used, 'call')} of ${budget} made in 24 hours${where}${byDefault}`
  if (remaining !== 0) return ok(Detail)
  return { State: 'note', Detail, Fix: 'See when the next call is free with: seller calls:show.' }
}

/** Makes one call to the public service, which checks the address, the network and the clock. */
async function checkService(ctx: Context): Promise<Found> {
  const client = await ctx.client({ user: false })
  const sent = ctx.clock.now()
  const time = await client.call('GetOfficalTime', {})
  const ahead = (sent + ctx.clock.now()) / 2 - instantOf(time)
  const address = ctx.profile.embedded ? 'the sandbox answers' : `${ctx.profile.settings.base_url} answers`
  if (Math.abs(ahead) <= CLOCK_LIMIT_MS) return ok(address)
  const Detail = `${address}, but this clock is ${durationText(Math.abs(ahead))} ${ahead > 0 ? 'ahead' : 'behind'}`
  return { State: 'note', Detail, Fix: 'Let the system set its clock by network time.' }
}

async function checkCredentials(ctx: Context): Promise<Found> {
  const client = await ctx.client()
  const user = await client.call('GetUserInfo', {})
  if (user === null)
    return { State: 'fault', Detail: 'The service knows no user for them', Fix: 'Log in again: seller auth:login.' }
  const end = tokenEnd(ctx.profile, ctx.clock, ctx.profileFlag())
  const Detail = `${user.Alias ?? 'user'} (${user.Id})${end === undefined ? '' : `. ${end.said}`}`
  return end === undefined || end.state === 'far'
    ? ok(Detail)
    : { State: 'note', Detail, Fix: `Fetch another token: ${end.fix}.` }
}

/** The start file of each shell that would load the completion script. */
const START_FILES: Readonly<Record<string, readonly string[]>> = {
  bash: ['.bashrc', '.bash_profile'],
  zsh: ['.zshrc'],
  fish: ['.config/fish/completions/seller.fish', '.config/fish/config.fish'],
}

function checkCompletion({ env }: Context): Found {
  const shell = (env.SHELL ?? '').split('/').at(-1) ?? ''
  const files = START_FILES[shell]
  if (files === undefined)
    return { State: 'note', Detail: 'not looked at: the shell is not known', Fix: 'See seller completion --help.' }
  const paths = files.map((file) => join(env.HOME ?? '', file)).filter((path) => existsSync(path))
  const path = paths.find((candidate) => readFileSync(candidate, 'utf8').includes('seller'))
  if (path !== undefined) return ok(path)
  return { State: 'note', Detail: `not set up for ${shell}`, Fix: `See seller completion ${shell}.` }
}
