/** jobs:resume --profiles: continues every unfinished job of a shop. */

import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../cli/errors.js'
import { toSellerError } from '../../cli/translate.js'
import { hasParts, isBulkKind } from '../../jobs/bulk/index.js'
import type { JobRecord } from '../../jobs/index.js'
import { unfinishedJobs } from './list.js'
import { type ResumeFlags, resumeJob } from './resume.js'

/** Ids are of one ledger, but each job is of one shop. @throws {SellerError} usage */
export function refuseIdOfMany(id: number | undefined, profiles: string | undefined): void {
  if (id === undefined || profiles === undefined) return
  throw new SellerError(
    'too_many_arguments',
    `Job ${id} is of one shop, so it cannot be given with --profiles.`,
    'Leave one of them out: --profiles continues every unfinished job of each shop.',
  )
}

/** After these the next job of the shop would fail in the same way. */
const STOPPING: ReadonlySet<string> = new Set(['auth', 'quota', 'network'])

/**
 * Continues every unfinished job of the shop, the oldest first, and writes a result for each. A job that cannot go on does not stop the others.
 * @returns the exit code
 * @throws {SellerError} the first error of a job, once the others are done, with the most serious exit code
 */
export async function resumeAll(ctx: Context, flags: ResumeFlags): Promise<ExitCode> {
  const ledger = await ctx.ledger()
  let code: ExitCode = EXIT.ok
  let first: SellerError | undefined
  for (const job of unfinishedJobs(ctx, ledger).reverse()) {
    if (job.Running) {
      ctx.output.warn(`Job ${job.JobId} is at work in another process.`)
      continue
    }
    try {
      code = worseExitCode(code, await resumeJob(ctx, job.JobId, flagsFor(job, flags)))
    } catch (thrown) {
      const error = toSellerError(thrown)
      code = worseExitCode(code, error.exitCode)
      if (first !== undefined) ctx.output.warn(`${error.message}\n${error.hint}`)
      first ??= error
      if (STOPPING.has(error.category) || error.exitCode === EXIT.interrupted) break
    }
  }
  if (first !== undefined) throw first.with({ exitCode: code })
  return code
}

/** The flags that concern a job: a listing is continued by its steps, and a sync that is run again is its own check. */
function flagsFor({ Kind }: JobRecord, flags: ResumeFlags): ResumeFlags {
  if (isBulkKind(Kind)) return flags
  return hasParts(Kind) ? { ...flags, verify: undefined } : { wait: flags.wait, timeout: flags.timeout }
}
