/** seller doctor: checks one after another what this tool needs, and gives a fix for each fault. */

import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../cli/context.js'
import { makeDirectory } from '../../cli/directories.js'
import { missingSettings } from '../../cli/profiles.js'
import { offers } from '../../cli/saved-description.js'
import { tokenEnd } from '../../cli/token-end.js'
import { toSellerError } from '../../cli/translate.js'
import { capital, instantOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import type { CheckRecord } from '../../format/views/tool.js'
import { blank, run, say, type Words } from '../../messages/index.js'
import { DAY_MS, durationText } from '../../system/durations.js'
import { ago, overdueWords } from '../discounts/overdue.js'
import { dueTimer, type ShownSchedule, timerFault } from '../discounts/timer.js'
import { UNFINISHED } from '../jobs/list.js'

/** Above this, the service may take a new token for one of the future, and dates of `--since` miss sales. */
const CLOCK_LIMIT_MS = 2 * 60 * 1000

type Found = Omit<CheckRecord, 'Check' | 'Fix'> & { readonly Fix: Words | null }

/** Runs the checks. A fault of an earlier one explains faults of later ones. Never throws: a check that fails reports that. */
export async function* checkSetup(ctx: Context, nodeVersion: string): AsyncGenerator<CheckRecord> {
  // A check that rests on another says nothing new where that one found a fault.
  const checks: readonly (readonly [name: string, look: () => Found | Promise<Found>, restsOn?: readonly string[]])[] = [
    // bin/run.js has refused an older one.
    ['Node', () => ok(nodeVersion)],
    ['Settings directory', () => checkDirectory(ctx.configDir, 'SELLER_CONFIG_DIR')],
    ['Data directory', () => checkDirectory(ctx.dataDir, 'SELLER_DATA_DIR')],
    ['Ledger', () => checkLedger(ctx)],
    ['Backup', () => checkBackup(ctx), ['Ledger']],
    ['Profile', () => checkProfile(ctx)],
    ['Timer', () => checkTimer(ctx), ['Profile']],
    ['Call budget', () => checkBudget(ctx)],
    ['Service', () => checkService(ctx), ['Profile']],
    ['Credentials', () => checkCredentials(ctx), ['Profile', 'Service']],
    ['Orders', () => checkOrders(ctx), ['Profile']],
    ['Completion', () => checkCompletion(ctx)],
  ]
  const faults = new Set<string>()
  for (const [Check, look, restsOn = []] of checks) {
    const cause = restsOn.find((name) => faults.has(name))
    let finding: Found
    try {
      finding = cause === undefined ? await look() : { State: 'note', Detail: `not checked; see ${cause}`, Fix: null }
    } catch (error) {
      ctx.signal.throwIfAborted()
      const { code, words, advice } = toSellerError(error)
      // Every check needs a profile that exists. The fault is that of one check.
      finding =
        code === 'no_such_profile' && Check !== 'Profile'
          ? { State: 'note', Detail: 'not checked; see Profile', Fix: null }
          : { State: 'fault', Detail: ctx.text(words), Fix: advice }
    }
    if (finding.State === 'fault') faults.add(Check)
    yield { Check, ...finding, Fix: finding.Fix === null ? null : ctx.text(finding.Fix) }
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
  const unfinishedCount = jobs.list({ state: UNFINISHED, partOf: null }).length
  if (unfinishedCount === 0) return ok(path)
  const Detail = `${path}: ${countOf(unfinishedCount, 'unfinished job')}`
  return { State: 'note', Detail, Fix: say`See ${run('jobs:list', { '--unfinished': true })}, then ${run('jobs:resume')}.` }
}

/** Age from which the newest copy is worth a word, ms. */
const OLD_BACKUP_MS = 7 * DAY_MS

async function checkBackup(ctx: Context): Promise<Found> {
  const { signs, jobs } = await ctx.ledger()
  const last = signs.last('', 'backup')
  const file = (last?.detail as { readonly File?: string } | undefined)?.File
  const Fix = say`Let the system copy the ledger every night: ${run('schedule:show', { '--backup': blank('FOLDER') })}`
  const schedule = signs.last('', 'backup schedule')?.detail as ShownSchedule | undefined
  const fault = schedule === undefined ? undefined : await timerFault(ctx, schedule)
  if (last === undefined)
    return jobs.list({ limit: 1 }).length === 0
      ? ok('none; nothing is recorded yet')
      : { State: 'note', Detail: ['no copy of the ledger was made', fault].filter(Boolean).join('; '), Fix }
  const Detail = `${file}, ${ago(last.at, ctx.clock.now())}`
  if (file !== undefined && !existsSync(file)) return { State: 'note', Detail: `${Detail}, is not there any more`, Fix }
  if (fault !== undefined) return { State: 'note', Detail: `${Detail}; ${fault}`, Fix }
  return ctx.clock.now() - last.at > OLD_BACKUP_MS ? { State: 'note', Detail, Fix } : ok(Detail)
}

async function checkTimer(ctx: Context): Promise<Found> {
  const { waiting, overdue, ran: when, hasRun, isShown, fault, isDead, isKnown } = await dueTimer(ctx)
  const scheduled = waiting.discounts + waiting.jobs + waiting.closings
  const ran = `jobs:due ${when}`
  const Fix = say`Set up a timer with: ${run('schedule:show')}. Without one nothing starts or ends at its time; until it runs, send what is due with: ${run('jobs:due')}`
  if (overdue.length > 0) {
    const sentences = [overdueWords(overdue, ctx.clock.now()), `${capital(ran)}.`, fault && `${capital(fault)}.`]
    return { State: 'fault', Detail: sentences.filter(Boolean).join(' '), Fix }
  }
  if (scheduled === 0 && !isShown) return ok(hasRun ? ran : 'none needed: nothing is scheduled')
  if (fault !== undefined) return { State: 'fault', Detail: `${ran}; ${fault}`, Fix }
  if (isDead && scheduled > 0)
    return { State: 'fault', Detail: `${ran}, and work waits for it (${countOf(scheduled, 'task')})`, Fix }
  if (isDead) return { State: 'note', Detail: ran, Fix }
  return isKnown ? ok(ran) : { State: 'note', Detail: `${ran}; no timer is known that runs it`, Fix }
}

function checkProfile({ profile }: Context): Found {
  const missing = missingSettings(profile, true)
  if (missing.length === 0) return ok(`${profile.name} (${profile.chosen.from})`)
  return { State: 'fault', Detail: `${profile.name}: ${missing.join(', ')} missing`, Fix: say`Log in with ${run('auth:login')}.` }
}

/** Asks the quota server, if the profile names one. */
async function checkBudget(ctx: Context): Promise<Found> {
  const quota = await ctx.quota()
  const { used, budget, remaining } = await quota.usage()
  if (budget === undefined) return ok('none set')
  const where = quota.countedAt === undefined ? '' : `, counted at ${quota.countedAt}`
  const byDefault =
    ctx.profile.settings.call_budget === undefined ? ', the default of the service (auth:login --setting call_budget=N)' : ''
  const Detail = `${countOf(used, 'call')} of ${budget} made in 24 hours${where}${byDefault}`
  if (remaining !== 0) return ok(Detail)
  return { State: 'note', Detail, Fix: say`See when the next call is free with: ${run('calls:show')}.` }
}

/** Makes one call to the public service, which checks the address, the network and the clock. */
async function checkService(ctx: Context): Promise<Found> {
  const client = await ctx.client({ user: false })
  const sentAt = ctx.clock.now()
  const time = await client.call('GetOfficalTime', {})
  const ahead = (sentAt + ctx.clock.now()) / 2 - instantOf(time)
  const address = ctx.profile.embedded ? 'the sandbox answers' : `${ctx.profile.settings.base_url} answers`
  if (Math.abs(ahead) <= CLOCK_LIMIT_MS) return ok(address)
  const Detail = `${address}, but this clock is ${durationText(Math.abs(ahead))} ${ahead > 0 ? 'ahead' : 'behind'}`
  return { State: 'note', Detail, Fix: 'Let the system set its clock by network time.' }
}

async function checkCredentials(ctx: Context): Promise<Found> {
  const client = await ctx.client()
  const user = await client.call('GetUserInfo', {})
  if (user === null)
    return { State: 'fault', Detail: 'The service knows no user for them', Fix: say`Log in again: ${run('auth:login')}.` }
  const end = tokenEnd(ctx.profile, ctx.clock)
  const Detail = `${user.Alias ?? 'user'} (${user.Id})${end === undefined ? '' : `. ${end.said}`}`
  return end === undefined || end.state === 'far'
    ? ok(Detail)
    : { State: 'note', Detail, Fix: say`Fetch another token: ${end.fix}.` }
}

/** True if the service has orders, by its saved description: a look asks for nothing and saves nothing. */
async function checkOrders(ctx: Context): Promise<Found> {
  if ((await offers(ctx, 'GetSellerOrders', 'OrderService')) === true) return ok('the service has orders')
  const Fix = say`Read what the service offers: ${run('service:check', { '--save': true })}`
  const isDescribed = (await offers(ctx, 'GetItem')) !== undefined
  if (!isDescribed) return { State: 'note', Detail: 'not known: no description of the service is saved', Fix }
  return { State: 'note', Detail: 'the service has no order service: no command of orders works, all others do', Fix: null }
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
    return {
      State: 'note',
      Detail: 'not looked at: the shell is not known',
      Fix: say`See ${run('completion', { '--help': true })}.`,
    }
  const paths = files.map((file) => join(env.HOME ?? '', file)).filter((path) => existsSync(path))
  const path = paths.find((candidate) => readFileSync(candidate, 'utf8').includes('seller'))
  if (path !== undefined) return ok(path)
  return { State: 'note', Detail: `not set up for ${shell}`, Fix: say`See ${run('completion', { shell })}.` }
}
