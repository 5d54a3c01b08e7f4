/**
 * Rows that put an ended auction up again. Each takes several calls: the item uncommitted, its images, the commit. Nothing is on sale before the
 * commit, so a row that was broken off before it begins anew, and one that was broken off at it first asks what became of the request. That is why
 * a row may be sent again after any break, and still makes one auction.
 */

import { isUncommitted, MAX_IMAGE_BYTES, requestState } from '../../contract/index.js'
import { type Hold, held } from '../../holds/index.js'
import { sendable } from '../../images/index.js'
import { FetchError, type FetchOptions, fetchFile, type SoapClient, SoapError } from '../../soap/client/index.js'
import { failureOf } from '../ledger/outcome.js'
import { formatOfImage, type ImageFormatName } from '../listing/images.js'
import { resultCodeOf } from '../poller.js'
import type { Batch } from './batch.js'
import { restartsOf } from './restarts.js'
import type { RelistToSend } from './types.js'

type Client = Pick<SoapClient, 'call'>

/** Options of a row's calls, besides the client. */
export interface SendOptions {
  /** Stops the fetching of a picture. */
  readonly signal?: AbortSignal | undefined
  /** Puts the rows of the batch on disk as they are. */
  save(): void
  /** Options for fetching pictures, and for sending their metadata. */
  readonly pictures: Pick<FetchOptions, 'userAgent' | 'trace'> & { readonly keepMetadata?: boolean }
}

/** Calls that a row takes. */
export function callsOfRelist({ Images, Restarts }: Pick<RelistToSend, 'Images' | 'Restarts'>): number {
  return (Restarts ? 3 : 2) + Images.length
}

/** When a row is sent at the earliest, ms since 1970; 0 for at once. */
export function startOf({ StartsAt }: Pick<RelistToSend, 'StartsAt'>): number {
  return StartsAt === null ? 0 : Date.parse(StartsAt)
}

/** Sends a row, and puts it into the state that follows. @throws what the client throws; then the row may be sent again */
export async function sendRelist(client: Client, batch: Batch, at: number, options: SendOptions): Promise<void> {
  const row = batch.payload('relist', at)
  const { requestIds, itemIds } = batch
  const known = batch.requestId(at)
  const code = known === 0 ? undefined : await resultCodeOf(client, known)
  const state = code === undefined ? undefined : requestState(code)
  // A request that the service has failed makes no auction any more.
  const anew = known === 0 || state === 'failed' || state === 'retryable'
  if (!anew && code !== undefined && !isUncommitted(code)) return batch.markQueued(at, known, itemIds?.[at])
  // Another machine may have put the auction up since the plan was made, a moment ago too.
  const elsewhere = row.Restarts ? await restartedElsewhere(client, row, itemIds?.[at]) : undefined
  if (elsewhere !== undefined) return batch.set(at, 'held', elsewhere)
  if (anew) {
    const images: { bytes: Buffer; format: ImageFormatName }[] = []
    for (const url of row.Images) {
      const image = await imageAt(url, options)
      if ('why' in image) return batch.set(at, image.again ? 'retryable' : 'failed', image.why)
      images.push(image)
    }
    const { RequestId, ItemId } = await client.call('AddItem', { itemRequest: { ...row.Request, AutoCommit: false } })
    for (const { bytes, format } of images) {
      const image = { requestId: RequestId, imageData: bytes, imageFormat: format, hasMega: false }
      await client.call('AddItemImage', image)
    }
    requestIds[at] = RequestId
    if (itemIds !== undefined) itemIds[at] = ItemId
    options.save()
  }
  const requestId = batch.requestId(at)
  try {
    await client.call('AddItemCommit', { requestId })
  } catch (error) {
    // A failure inside the service may have come after the commit: the next run asks. Any other lost reply is judged by the sender.
    if (!(error instanceof SoapError) || error.kind !== 'fault' || failureOf(error).kind !== 'unknown') throw error
    return batch.set(at, 'unknown', held('commit_unknown', { Said: error.faultString ?? error.message }))
  }
  batch.markQueued(at, requestId, itemIds?.[at])
}

type Image = { readonly bytes: Buffer; readonly format: ImageFormatName } | { readonly why: Hold; readonly again: boolean }

/** An image of the old listing. The service names the address; only the web is asked, without credentials. */
async function imageAt(url: string, { signal, pictures }: SendOptions): Promise<Image> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return { why: held('image', { Url: url, Problem: 'no_web_address', Said: '' }), again: false }
  }
  try {
    const { userAgent, trace } = pictures
    const asked = { userAgent, trace, signal: signal ?? new AbortController().signal, maxBytes: MAX_IMAGE_BYTES }
    const { bytes } = await fetchFile('picture', url, asked)
    const format = await formatOfImage(bytes)
    if ('wrong' in format) return { why: held('image', { Url: url, Problem: 'unfit', Said: format.wrong }), again: false }
    const sent = await sendable(bytes, format.format, pictures.keepMetadata ?? false)
    // The service shows it to everybody already.
    return { bytes: 'why' in sent ? bytes : sent.bytes, ...format }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    if (error.fault === 'aborted') throw new SoapError('aborted', 'Interrupted.', { operation: 'AddItem', sent: false })
    return {
      why: held('image', { Url: url, Problem: 'not_fetched', Said: error.message }),
      again: ['unreachable', 'interrupted', 'too-slow'].includes(error.fault),
    }
  }
}

/** Why an auction is not put up again: the service names a listing that followed it. @param own the listing of this row, if any */
async function restartedElsewhere(client: Client, { Request }: RelistToSend, own = 0): Promise<Hold | undefined> {
  const chain = await restartsOf(client, Request.RestartedFromItemId)
  const others = chain?.after.filter((id) => id !== own) ?? []
  return others.length === 0 ? undefined : held('restarted', { Items: others })
}
