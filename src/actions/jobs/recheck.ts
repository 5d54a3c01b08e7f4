/** Compares an older plan with the live list before more of it is sent. */
import type { Context } from '../../cli/context.js'
import { bulkJob, whyRecheck } from '../../jobs/bulk/index.js'
import type { JobRecord, Ledger } from '../../jobs/index.js'
import type { LiveItems } from '../../pricing/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { durationText } from '../../system/durations.js'
import { liveItems } from '../prices/live.js'
import type { Absence } from '../prices/seen.js'
import { listOf } from './run.js'

/** Reads the live list before sending, if the plan of the job may be out of date; undefined if it is not. */
export function recheckOf(
  ctx: Context,
  client: SoapClient,
  ledger: Ledger,
  { JobId }: JobRecord,
  flags: { readonly 'as-planned'?: boolean; readonly 'retry-failed'?: boolean } & Absence,
): (() => LiveItems) | undefined {
  if (flags['as-planned'] === true) return undefined
  const job = bulkJob(ledger, JobId)
  const why = whyRecheck(ledger, job, { now: ctx.clock.now(), retryFailed: flags['retry-failed'] === true })
  if (why === undefined) return undefined
  const age =
    why === 'old'
      ? `was planned ${durationText(ctx.clock.now() - Date.parse(job.CreatedAt))} ago`
      : 'is older than another job of this shop'
  ctx.output.note(`Job ${JobId} ${age}: comparing its rows with the live list first.`)
  return () => liveItems(ctx, client, { ...listOf(job.Kind), absence: flags })
}
