/**
 * Rows that are sent in several calls: the item uncommitted, its images, the commit. Nothing is on sale before the commit, so a
 * row that was broken off before it starts again with a new request, and one that was broken off at it first asks for the state
 * of its request. So a row may be sent again after any break, and still makes one item with each image once (docs/decisions.md).
 */

import { isUncommitted, requestState } from '../../contract/index.js'
import { type Hold, held } from '../../holds/index.js'
import { type FetchOptions, type SoapClient, SoapError } from '../../soap/client/index.js'
import { failureOf } from '../ledger/outcome.js'
import type { ImageFormatName } from '../listing/images.js'
import type { ItemRequestInput } from '../listing/listing.js'
import { fetchResultCode } from '../poller.js'
import type { Batch } from './batch.js'
import type { BulkRowState } from './types.js'

export type Client = Pick<SoapClient, 'call'>

/** Options of a row's calls, besides the client. */
export interface SendOptions {
  /** Stops the fetching of a picture. */
  readonly signal?: AbortSignal | undefined
  /** Puts the rows of the batch on disk as they are. */
  save(): void
  /** Options for fetching pictures, and for sending their metadata. */
  readonly pictures: Pick<FetchOptions, 'userAgent' | 'trace'> & { readonly keepMetadata?: boolean }
}

export interface ImageToSend {
  /** Its path or address, for messages. */
  readonly name: string
  readonly format: ImageFormatName
  readonly mega: boolean
  /** Its bytes. @throws JobsError if its file has changed */
  read(): Promise<Uint8Array>
}

/** The state of a row that is not sent, and why. */
export interface NotSent {
  readonly state: Extract<BulkRowState, 'held' | 'failed' | 'retryable'>
  readonly why: Hold
}

interface RowInSteps {
  readonly request: Readonly<Record<string, unknown>>
  readonly save: SendOptions['save']
  /** Looks once more if the item may be added. */
  refuse?(): Promise<NotSent | undefined>
  /** The images, all of which can be sent. */
  images(): Promise<readonly ImageToSend[] | NotSent>
}

/** The service refused an image, so the row has failed for its sake. */
export class ImageRefused extends Error {
  override readonly cause: SoapError
  readonly image: string

  constructor(image: string, cause: SoapError) {
    super(cause.message)
    this.image = image
    this.cause = cause
  }
}

/** Calls that a row with so many images takes. */
export function callsInSteps(images: number): number {
  return images + 2
}

/**
 * Sends a row, and puts it into the state that follows.
 * @throws what the client throws, ImageRefused; then the row may be sent again
 */
export async function sendInSteps(client: Client, batch: Batch, at: number, row: RowInSteps): Promise<void> {
  const { requestIds, itemIds } = batch
  const storedRequestId = batch.requestId(at)
  const code = storedRequestId === 0 ? undefined : await fetchResultCode(client, storedRequestId)
  const state = code === undefined ? undefined : requestState(code)
  // A request that the service has failed makes no item any more.
  const starts = storedRequestId === 0 || state === 'failed' || state === 'retryable'
  if (!starts && code !== undefined && !isUncommitted(code)) return batch.markQueued(at, storedRequestId, itemIds?.[at])
  const refusal = await row.refuse?.()
  if (refusal !== undefined) return batch.set(at, refusal.state, refusal.why)
  if (starts) {
    const images = await row.images()
    if ('why' in images) return batch.set(at, images.state, images.why)
    const itemRequest = { ...row.request, AutoCommit: false } as ItemRequestInput
    const { RequestId, ItemId } = await client.call('AddItem', { itemRequest })
    for (const image of images) await sendImage(client, RequestId, image)
    requestIds[at] = RequestId
    if (itemIds !== undefined) itemIds[at] = ItemId
    row.save()
  }
  const requestId = batch.requestId(at)
  try {
    await client.call('AddItemCommit', { requestId })
  } catch (error) {
    // A failure inside the service may have come after the commit: the next run asks. Any other lost reply is judged by the
    // sender.
    if (!(error instanceof SoapError) || error.kind !== 'fault' || failureOf(error).kind !== 'unknown') throw error
    return batch.set(at, 'unknown', held('commit_unknown', { Said: error.faultString ?? error.message }))
  }
  batch.markQueued(at, requestId, itemIds?.[at])
}

async function sendImage(client: Client, requestId: number, { name, format, mega, read }: ImageToSend): Promise<void> {
  const imageData = await read()
  try {
    await client.call('AddItemImage', { requestId, imageData, imageFormat: format, hasMega: mega })
  } catch (error) {
    throw error instanceof SoapError && error.kind === 'fault' ? new ImageRefused(name, error) : error
  }
}
