/** Uploads images for an item that waits for its commit. */

import type { Context } from '../../cli/context.js'
import { InputFaults } from '../../cli/input-faults.js'
import { SellerError } from '../../errors/index.js'
import { type UploadRecord, uploadView } from '../../format/views/sending.js'
import { createListing, inspectImages, type ListingOutcome } from '../../jobs/index.js'
import { run, say } from '../../messages/index.js'
import { photosOf } from '../input/photos.js'
import { followListing, type WaitFlags } from '../requests/follow.js'
import { type Result, recordResult } from '../result.js'
import { refuseCommitted } from './committed.js'

export interface UploadOptions {
  readonly requestId: number
  readonly files: readonly { readonly path: string; readonly mega: boolean }[]
  readonly commit: boolean
  readonly commitAnyway?: boolean | undefined
  readonly flags: WaitFlags & { readonly fit?: boolean | undefined }
}

/**
 * Checks all files, then sends them as a job of steps.
 * @throws {SellerError} usage if there is nothing to do; validation naming every file that is not allowed, before any call; what
 * the job throws
 */
export async function uploadImages(
  ctx: Context,
  { requestId, files, commit, commitAnyway, flags }: UploadOptions,
): Promise<Result> {
  if (files.length === 0 && !commit) {
    throw new SellerError(
      'nothing_to_do',
      'No image file and no --commit given.',
      'Name the image files, or give --commit to commit the item as it is.',
    )
  }
  const photos = photosOf(ctx, flags)
  const { images, faults } = await inspectImages(files, { locate: ctx.path, ...photos.options })
  const input = new InputFaults()
  input.add(...faults.map((fault) => ({ ...fault, field: 'FILE' })))
  input.throwIfAny()
  for (const image of images) photos.add(image.path, image)
  for (const note of photos.notes()) ctx.output.note(note)
  const client = await ctx.client()
  const ledger = await ctx.ledger()
  const { name: profile, settings } = ctx.profile
  await refuseCommitted(ctx, client, requestId, { commitOnly: images.length === 0 })
  const { JobId } = createListing({ ledger, profile, userId: settings.user_id, requestId, images, commit })
  const { outcome, code } = await followListing(ctx, client, { jobId: JobId, images, commitAnyway, ...flags })
  const record = uploadRecord(outcome)
  if (!record.Committed) {
    ctx.output.hint(
      say`Not committed yet. Add more, or continue with: ${run('images:upload', { request: requestId, '--commit': true })}`,
    )
  }
  return recordResult(uploadView, record, code)
}

/** The outcome of the images, and of their item. */
export function uploadRecord(outcome: ListingOutcome): UploadRecord {
  const countDone = (operation: string): number =>
    outcome.Steps.filter(({ Operation, State }) => Operation === operation && State === 'done').length
  return {
    JobId: outcome.JobId,
    RequestId: outcome.RequestId,
    ItemId: outcome.ItemId,
    Images: countDone('AddItemImage'),
    Committed: countDone('AddItemCommit') > 0,
    State: outcome.Request?.State ?? outcome.State,
    ResultCode: outcome.Request?.ResultCode ?? null,
    Message: outcome.Request?.Message ?? null,
  }
}
