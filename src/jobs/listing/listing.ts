/**
 * An item with images or a campaign code as one job of steps: AddItem (not committed), AddItemImage for each image,
 * AddItemCampaignCode, AddItemCommit. Job and steps are on disk before the first call; `runListing` (run.ts) carries them out and
 * resumes them.
 */

import { checkInput, operations, type ParamsOf } from '../../contract/index.js'
import { run, say } from '../../messages/index.js'
import { SoapError } from '../../soap/client/index.js'
import { JobsError } from '../ledger/errors.js'
import type { JobRecord } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import type { RequestRow } from '../ledger/requests.js'
import { isInt, isObject, orMissing, type Shape } from '../ledger/stored.js'
import type { ImageFile } from './images.js'
import { type ListingOperation, type ListingStep, readSteps } from './steps.js'

export type ItemRequestInput = NonNullable<ParamsOf<'AddItem'>['itemRequest']>

interface ListingBase {
  ledger: Ledger
  profile: string
  userId?: number | null | undefined
  /** From inspectImages, in the order in which they are to be shown. */
  images: readonly ImageFile[]
  campaignCode?: string | undefined
}

/** A new item, or more for a request that is not committed yet. */
export type NewListing = ListingBase &
  (
    | { itemRequest: ItemRequestInput; requestId?: undefined; commit?: true }
    | { itemRequest?: undefined; requestId: number; commit?: boolean }
  )

/** A listing with its steps, as commands show it. */
export interface ListingRecord extends JobRecord {
  RequestId: number | null
  ItemId: number | null
  Steps: ListingStep[]
}

/** Stored data of a job's steps. The bytes of the images stay in their files. */
export interface ListingDetail {
  itemRequest?: ItemRequestInput | undefined
  requestId?: number | undefined
}

/** Shape of a ListingDetail. The client holds the item against the contract before it is sent. */
export const LISTING_DETAIL: Shape<ListingDetail> = { itemRequest: orMissing(isObject), requestId: orMissing(isInt) }

/**
 * Records a listing: the item request, the path, size, format and SHA-256 of each image, the campaign code and the commit.
 * Nothing is sent. With `itemRequest`, the item is sent with AutoCommit false, whatever the request says. With `requestId`, the
 * steps are added to an existing request of the seller, and `commit` (default true) says whether it is committed after them.
 * @throws SoapError kind `input` if the item request breaks a rule of the service; then nothing is recorded
 */
export function createListing(listing: NewListing): ListingRecord {
  const { ledger, profile, userId, images, campaignCode } = listing
  const itemRequest = listing.itemRequest && { ...listing.itemRequest, AutoCommit: false }
  const detail: ListingDetail = itemRequest ? { itemRequest } : { requestId: listing.requestId }
  if (itemRequest !== undefined) refuseFaulty(itemRequest)
  const title = itemRequest?.Title ?? `Images for request ${listing.requestId}`
  const steps: [operation: ListingOperation, subject: string, image?: ImageFile][] = []
  if (itemRequest !== undefined) steps.push(['AddItem', title])
  for (const image of images) steps.push(['AddItemImage', image.path, image])
  if (campaignCode !== undefined) steps.push(['AddItemCampaignCode', campaignCode])
  if (listing.commit !== false) steps.push(['AddItemCommit', ''])
  const { JobId } = ledger.store.transaction(() => {
    const job = ledger.jobs.create({ kind: 'listing', profile, userId, title, detail, counts: { unsent: steps.length } })
    for (const [index, [operation, subject, image]] of steps.entries())
      ledger.store.insert('listing_steps', {
        ...{ job_id: job.JobId, step: index + 1, operation, subject, state: 'waiting' },
        ...{ bytes: image?.bytes, format: image?.format, mega: image?.mega, sha256: image?.sha256 },
      })
    return job
  })
  return showListing(ledger, JobId)
}

/** Removes a listing from the ledger. Nothing of it may have been carried out. */
export function removeListing({ store }: Pick<Ledger, 'store'>, jobId: number): void {
  store.transaction(() => {
    store.run('DELETE FROM listing_steps WHERE job_id = ?', jobId)
    store.run('DELETE FROM jobs WHERE id = ?', jobId)
  })
}

function refuseFaulty(itemRequest: ItemRequestInput): void {
  const faults = checkInput(operations.AddItem, { itemRequest })
  if (faults.length === 0) return
  const what = faults.map(({ field, message }) => `${field} ${message}`).join('; ')
  throw new SoapError('input', `AddItem was not sent: ${what}.`, { operation: 'AddItem', sent: false, faults })
}

/** @throws JobsError code `job_not_found`, or `job_of_another_kind` */
export function showListing(ledger: Pick<Ledger, 'jobs' | 'requests' | 'store'>, jobId: number): ListingRecord {
  const job = ledger.jobs.show(jobId)
  if (job.Kind !== 'listing') {
    throw new JobsError(
      'job_of_another_kind',
      `Job ${jobId} is not a listing; its kind is "${job.Kind}".`,
      say`See the job with: ${run('jobs:show', { id: jobId })}`,
      {
        jobId,
        kind: job.Kind,
      },
    )
  }
  const request = requestOf(ledger, job)
  const { requestId } = ledger.jobs.detail(jobId, LISTING_DETAIL)
  return {
    ...job,
    RequestId: request?.RequestId ?? requestId ?? null,
    ItemId: request?.ItemId ?? null,
    Steps: readSteps(ledger.store, jobId),
  }
}

/** The request of the listing's steps, if the ledger has it. */
export function requestOf(
  ledger: Pick<Ledger, 'jobs' | 'requests'>,
  job: Pick<JobRecord, 'JobId' | 'Profile'>,
): RequestRow | undefined {
  const { requestId } = ledger.jobs.detail(job.JobId, LISTING_DETAIL)
  if (requestId !== undefined) return ledger.requests.byRequestId(requestId, job.Profile)
  return ledger.requests.list({ jobId: job.JobId, operation: 'AddItem' }).find(({ RequestId }) => RequestId !== null)
}
