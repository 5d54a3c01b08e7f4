/** What jobs:list prints, of one shop and of several. */

import type { Context } from '../../cli/context.js'
import { shellWord } from '../../cli/profiles.js'
import { jobsView, type ShopEnd, shopJobsView } from '../../format/views/index.js'
import type { JobRecord } from '../../jobs/index.js'
import { eachProfile } from '../profiles/each.js'
import { sayLeft } from '../profiles/record.js'
import { listResult, type Result } from '../result.js'
import { listedJobs, UNFINISHED, waysToEnd } from './list.js'

export interface JobListFlags {
  readonly profiles?: string
  readonly unfinished?: boolean
  readonly 'all-profiles'?: boolean
  readonly limit?: number
}

const MOST = 50

/** Jobs, the newest first. @throws {SellerError} as eachProfile */
export function listJobs(ctx: Context, flags: JobListFlags): Promise<Result> {
  return eachProfile(ctx, flags, { work: ownJobs, show: (whole, ends) => writeAll(whole, ends, flags) })
}

async function ownJobs(ctx: Context, flags: JobListFlags): Promise<Result> {
  const ledger = await ctx.ledger({ reading: true })
  const profile = flags['all-profiles'] === true ? undefined : ctx.profile.name
  const state = flags.unfinished === true ? UNFINISHED : undefined
  const jobs = [...listedJobs(ledger, { profile, state, limit: flags.limit ?? MOST })]
  sayLeft(ctx, ledger, flags.profiles === undefined ? undefined : ctx.profile.name)
  const open = jobs.find(isOpen)
  const below = () => {
    if (open !== undefined) ctx.output.hint(`Job ${open.JobId} is not finished. ${waysToEnd(ctx, open)}`)
  }
  return listResult({ view: jobsView, rows: () => jobs, below })
}

async function writeAll({ output }: Context, ends: readonly ShopEnd[], flags: JobListFlags): Promise<void> {
  const all = ends.flatMap(({ Result }) => (Result ?? []) as readonly JobRecord[])
  const jobs = all.sort((one, other) => other.JobId - one.JobId).slice(0, flags.limit ?? MOST)
  await output.list(shopJobsView, jobs)
  if (jobs.some(isOpen)) {
    output.hint(`Some are not finished. Continue with: seller jobs:resume --profiles ${shellWord(flags.profiles ?? '')}`)
  }
}

function isOpen({ State, Running }: JobRecord): boolean {
  return !Running && UNFINISHED.includes(State)
}
