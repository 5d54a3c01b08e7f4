/** shop:sync: makes the shop like a catalogue. */

import type { Context } from '../../../cli/context.js'
import { countOf } from '../../../contract/numbers.js'
import { SellerError } from '../../../errors/index.js'
import { shareWords } from '../../../format/views/plans.js'
import { type SyncRowShown, type SyncSummaryShown, syncPlanView, syncSummary } from '../../../format/views/sync.js'
import { sentenceOf } from '../../../holds/index.js'
import { supersede } from '../../../jobs/bulk/index.js'
import { JobsError } from '../../../jobs/index.js'
import { letThrough } from '../../jobs/words.js'
import type { Result } from '../../result.js'
import { heldByLimit } from '../../rows/fields.js'
import { inputFile } from '../../rows/input.js'
import { type RowsFlags, type RowsPlan, runRows } from '../../rows/run-rows.js'
import { newestJob } from './earlier.js'
import { tellImages } from './images.js'
import { type PlannedSync, planSync, type SyncPlanFlags } from './plan.js'
import {
  byHandList,
  byHandRows,
  countsText,
  partRows,
  sumFacts,
  summarizeSync,
  syncRows,
  tellByHand,
  tellRateless,
  tellRest,
} from './rows.js'

export interface SyncFlags extends SyncPlanFlags, RowsFlags {
  /** Also write the plan to this file, as a page. */
  readonly html?: string | undefined
}

/**
 * Makes the shop like a catalogue.
 * @returns as runRows
 * @throws {SellerError} what planSync throws; guard (6) for too many removals, or where a guard over all prices stops the plan;
 * what runRows throws
 */
export function syncShop(ctx: Context, flags: SyncFlags): Promise<Result> {
  const input = inputFile(flags.file, flags)
  return runRows(ctx, { flags, input, outputs: { '--html': flags.html }, plan: () => syncPlan(ctx, flags) })
}

async function syncPlan(ctx: Context, flags: SyncFlags): Promise<RowsPlan<SyncRowShown>> {
  const sync = await planSync(ctx, flags)
  const { catalogue, calls, during, prices } = sync
  const summary = summarizeSync(ctx, sync)
  const { Rows, Held, Unchanged, Pending, Missing, WithoutReference, Calls, Stopped } = summary
  const Change = summary.Add + summary.Reprice + summary.Restock + summary.Update + summary.Remove
  const ledger = await ctx.ledger()
  const title = `${flags['add-none'] === true ? 'shop:update' : 'shop:sync'} --file ${flags.file}`
  if (flags.html !== undefined) {
    const { imagesOfSync, writeChangesPage } = await import('./page.js')
    const heading = flags['add-none'] === true ? 'Update' : 'Sync'
    const changes = { heading, rows: syncRows(ctx, sync), images: imagesOfSync(sync), summary, title } as const
    await writeChangesPage(ctx, changes, flags.html, flags.force)
  }
  return {
    parts: partRows(sync),
    title,
    form: catalogue.form,
    summary: {
      Rows,
      Change,
      Unchanged,
      Unknown: 0,
      Held,
      Calls,
      HeldBy: { ...prices.summary.HeldBy, ...heldByLimit(sync.updates) },
      Stopped,
    },
    calls,
    verb: 'Send',
    noun: 'change',
    during,
    sync: {
      counted: countsText(summary),
      nothing: Pending > 0 ? 'Nothing to do now.' : 'Nothing to do.',
      compared: {
        ...{ Pending, Missing, WithoutReference },
        // Made for the result alone: where the service changes no texts, there may be a shop full of them.
        get ByHand() {
          return [...byHandRows(sync)]
        },
      },
      before: () => {
        const newest = newestJob(ledger, ctx.profile.name)
        if (newest > sync.earlier.newest) throw overtaken(newest)
        for (const { JobId } of sync.earlier.unfinished) supersede(ledger, JobId)
      },
    },
    refused: refusalOf(Stopped),
    shown: {
      view: syncPlanView,
      rows: () => syncRows(ctx, sync),
      beside: () => ({ Summary: summary, ByHand: byHandList(sync), ImagesNotCompared: sync.images.notCompared }),
      totals: syncSummary(summary),
      facts: (unit) => [...syncFacts(sync, summary, unit), ...imageFacts(sync)],
      largest: () => largestChanges(syncRows(ctx, sync)),
      also: () => {
        tellEarlier(ctx, sync)
        tellRest(ctx, sync, summary, flags)
        tellRateless(ctx, sync)
        tellImages(ctx, sync.images.notCompared)
        tellByHand(ctx, sync)
      },
    },
  }
}

/** Sums of what is sent, and the share of the shop that is removed. */
function syncFacts(
  { prices, stock }: PlannedSync,
  { Reprice, Restock, Remove, Items }: SyncSummaryShown,
  unit: string,
): string[] {
  return [
    ...sumFacts({ prices, stock }, { Reprice, Restock }, unit),
    ...(Remove > 0 ? [`Removed: ${shareWords(Remove, Items)}.`] : []),
  ]
}

/** Says how many images are sent, and that the pictures of live items go. */
function imageFacts({ updates, plan }: PlannedSync): string[] {
  let [images, replaced] = [0, 0]
  for (const { value } of plan.additions) images += countImages(value.ItemImages)
  for (const { differences, state } of updates.entries) {
    const wantedImages = state === 'change' ? differences.find(({ field }) => field === 'ItemImages')?.wanted : undefined
    images += countImages(wantedImages)
    if (wantedImages !== undefined) replaced++
  }
  const back = 'an undo sends those of before, where their files are still the same'
  return [
    ...(images === 0 ? [] : [`${countOf(images, 'image')} to send.`]),
    ...(replaced === 0 ? [] : [`The pictures of ${countOf(replaced, 'item')} are replaced; ${back}.`]),
  ]
}

function countImages(images: unknown): number {
  return Array.isArray(images) ? images.length : 0
}

/** Rows that a person should see of many, of each kind: what is removed first. */
const LARGEST: Readonly<Partial<Record<NonNullable<SyncRowShown['Action']>, number>>> = { remove: 2, reprice: 2, restock: 1 }

/** The removals and the largest changes of prices and stock; none where rows only add. */
function largestChanges(rows: Iterable<SyncRowShown>): SyncRowShown[] {
  const largest: Partial<Record<string, SyncRowShown[]>> = {}
  for (const row of rows) {
    const most = row.State === 'change' && row.Action !== null ? LARGEST[row.Action] : undefined
    if (most === undefined) continue
    const of = largest[row.Action ?? ''] ?? []
    largest[row.Action ?? ''] = of
    of.push(row)
    if (of.length > most) of.sort((one, other) => moveOf(other) - moveOf(one)).pop()
  }
  return Object.keys(LARGEST).flatMap((action) => largest[action] ?? [])
}

/** The size of a change as a share of what was. */
function moveOf({ Live, Wanted }: SyncRowShown): number {
  return typeof Live !== 'number' || typeof Wanted !== 'number' ? 0 : Math.abs(Wanted - Live) / Math.max(1, Live)
}

function tellEarlier({ output }: Context, { earlier }: PlannedSync): void {
  for (const { JobId, Counts } of earlier.unfinished) {
    const are = Counts.unsent === 1 ? 'is' : 'are'
    output.note(`Job ${JobId} was not finished. The ${countOf(Counts.unsent, 'row')} that it had not sent ${are} planned anew.`)
  }
}

/**
 * Where a guard over everything is broken, not even a job of held rows is written: a part of a sync alone is not what was asked
 * for.
 */
function refusalOf(stop: SyncSummaryShown['Stopped']): SellerError | undefined {
  if (stop === null) return undefined
  const { Limit } = stop
  return new SellerError('sync_held', sentenceOf(stop), letThrough(Limit), { limit: Limit })
}

function overtaken(jobId: number): JobsError {
  return new JobsError(
    'job_locked',
    `Another process has made job ${jobId} while this plan was made, so the plan may be out of date. Nothing was sent.`,
    'Run the command again.',
    { jobId },
  )
}
