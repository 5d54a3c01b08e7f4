/** jobs:resume --profiles: continues every unfinished job of a shop. */

import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../cli/errors.js'
import { toSellerError } from '../../cli/translate.js'
import { hasParts, isBulkKind } from '../../jobs/bulk/index.js'
import type { JobRecord } from '../../jobs/index.js'
import type { DiscountFlags } from '../discounts/create.js'
import { beginLeft } from '../profiles/record.js'
import type { Result } from '../result.js'
import type { ShopPriceFlags } from '../shop/price-plan.js'
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
 * Continues every unfinished job of the shop, the oldest first. A job that cannot go on does not stop the others.
 * @returns the results of all; `error` is the first one of a job, with the most serious exit code
 */
export async function resumeAll(ctx: Context, flags: ResumeFlags): Promise<Result> {
  const ledger = await ctx.ledger()
  const ended: Result[] = []
  let code: ExitCode = EXIT.ok
  let first: SellerError | undefined
  for (const job of unfinishedJobs(ctx, ledger).reverse()) {
    if (job.Running) {
      ctx.output.warn(`Job ${job.JobId} is at work in another process.`)
      continue
    }
    try {
      const result = await resumeJob(ctx, job.JobId, flagsFor(job, flags))
      ended.push(result)
      code = worseExitCode(code, result.code)
    } catch (thrown) {
      const error = toSellerError(thrown)
      code = worseExitCode(code, error.exitCode)
      if (first !== undefined) ctx.output.warn(`${error.message}\n${error.hint}`)
      first ??= error
      if (STOPPING.has(error.category) || error.exitCode === EXIT.interrupted) break
    }
  }
  if (first === undefined) {
    const { shopPrices } = await import('../shop/price-plan.js')
    const { createLeftDiscount } = await import('../discounts/create.js')
    const begun = beginLeft(ctx, flags, (own, { profile, command }, { args, flags: given }) => {
      ctx.output.note(`Beginning ${profile}, which an earlier run did not begin.`)
      return command === 'shop:discount'
        ? createLeftDiscount(own, args, given as unknown as DiscountFlags)
        : shopPrices(own, args, given as unknown as ShopPriceFlags)
    })
    for await (const result of begun) {
      ended.push(result)
      code = worseExitCode(code, result.code)
    }
  }
  return {
    shown: ended.flatMap(({ shown }) => shown),
    jobs: ended.flatMap(({ jobs = [] }) => jobs),
    discountId: ended.find(({ discountId }) => typeof discountId === 'number')?.discountId,
    code,
    error: first?.with({ exitCode: code }),
  }
}

/** The flags that concern a job: a listing is continued by its steps, and a sync that is run again is its own check. */
function flagsFor({ Kind }: JobRecord, flags: ResumeFlags): ResumeFlags {
  if (isBulkKind(Kind)) return flags
  return hasParts(Kind) ? { ...flags, verify: undefined } : { wait: flags.wait, timeout: flags.timeout }
}
