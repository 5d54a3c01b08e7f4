/**
 * Rows that put an ended auction up again. Each takes several calls: the item uncommitted, its images, the commit. Nothing is on sale before the
 * commit, so a row that was broken off before it begins anew, and one that was broken off at it first asks what became of the request. That is why
 * a row may be sent again after any break, and still makes one auction.
 */
import { isUncommitted, MAX_IMAGE_BYTES, requestState } from '../../contract/index.js'
import { FetchError, type FetchOptions, fetchFile, type SoapClient, SoapError } from '../../soap/client/index.js'
import { failureOf } from '../ledger/outcome.js'
import { formatOfImage, type ImageFormatName } from '../listing/images.js'
import type { ItemRequestInput } from '../listing/listing.js'
import { resultCodeOf } from '../poller.js'
import type { Batch } from './batch.js'

type Client = Pick<SoapClient, 'call'>

/** What a row of an ended auction sends. */
export interface RelistToSend {
  /** The start price, kronor. */
  readonly OpeningPrice: number
  readonly Request: ItemRequestInput
  /** Addresses of its images, in their order. */
  readonly Images: readonly string[]
  /** When it is sent at the earliest, ISO 8601; null for at once. */
  readonly StartsAt: string | null
  /** Whether the service tells what an auction was restarted as. */
  readonly Restarts: boolean
}

/** What an auction had that ended. */
export interface Relisted {
  readonly OpeningPrice: number | null
  readonly StartDate: string
}

/** What the calls of a row need besides the client. */
export interface SendOptions {
  /** Stops the fetching of a picture. */
  readonly signal?: AbortSignal
  /** Puts the rows of the batch on disk as they are. */
  save(): void
  /** How pictures are asked for. */
  readonly pictures: Pick<FetchOptions, 'userAgent' | 'trace'>
}

/** Calls that a row takes. */
export function callsOfRelist({ Images }: Pick<RelistToSend, 'Images'>): number {
  return 2 + Images.length
}

/** When a row is sent at the earliest, ms since 1970; 0 for at once. */
export function startOf(payload: unknown): number {
  const { StartsAt } = payload as RelistToSend
  return StartsAt === null ? 0 : Date.parse(StartsAt)
}

/** Sends a row, and puts it into the state that follows. @throws what the client throws; then the row may be sent again */
export async function sendRelist(client: Client, batch: Batch, at: number, options: SendOptions): Promise<void> {
  const row = batch.payload(at) as RelistToSend
  const { requestIds, itemIds } = batch
  const known = requestIds[at] ?? 0
  const code = known === 0 ? undefined : await resultCodeOf(client, known)
  const state = code === undefined ? undefined : requestState(code)
  // A request that the service has failed makes no auction any more.
  if (known === 0 || state === 'failed' || state === 'retryable') {
    const images: { bytes: Buffer; format: ImageFormatName }[] = []
    for (const url of row.Images) {
      const image = await imageAt(url, options)
      if ('why' in image) return batch.set(at, image.again ? 'retryable' : 'failed', `nothing was sent: its image ${image.why}`)
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
  } else if (code !== undefined && !isUncommitted(code)) return batch.markQueued(at, known, itemIds?.[at])
  const requestId = requestIds[at] ?? 0
  try {
    await client.call('AddItemCommit', { requestId })
  } catch (error) {
    // A failure inside the service may have come after the commit: the next run asks. Any other lost reply is judged by the sender.
    if (!(error instanceof SoapError) || error.kind !== 'fault' || failureOf(error).kind !== 'unknown') throw error
    return batch.set(at, 'unknown', `whether it was committed is not known: ${error.faultString ?? error.message}`)
  }
  batch.markQueued(at, requestId, itemIds?.[at])
}

type Image = { readonly bytes: Buffer; readonly format: ImageFormatName } | { readonly why: string; readonly again: boolean }

/** An image of the old listing. The service names the address; only the web is asked, without credentials. */
async function imageAt(url: string, { signal, pictures }: SendOptions): Promise<Image> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return { why: `has no web address: ${url}`, again: false }
  try {
    const asked = { ...pictures, signal: signal ?? new AbortController().signal, maxBytes: MAX_IMAGE_BYTES }
    const { bytes } = await fetchFile('picture', url, asked)
    const format = await formatOfImage(bytes)
    return 'wrong' in format ? { why: `${url} ${format.wrong}`, again: false } : { bytes, ...format }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    if (error.fault === 'aborted') throw new SoapError('aborted', 'Interrupted.', { operation: 'AddItem', sent: false })
    return {
      why: `could not be fetched: ${error.message}`,
      again: ['unreachable', 'interrupted', 'too-slow'].includes(error.fault),
    }
  }
}

/** The items that followed when an auction was restarted; null where the service does not tell. @throws what the client throws */
export async function restartsOf(client: Client, itemId: number): Promise<readonly number[] | null> {
  try {
    return await client.call('GetItemRestarts', { itemId })
  } catch (error) {
    if (error instanceof SoapError && [403, 404, 405].includes(error.httpStatus ?? 0)) return null
    throw error
  }
}

/** Why an auction that was restarted is not put up again. */
export function restartedReason(restarts: readonly number[]): string {
  return `it was restarted already, as item ${restarts.join(', ')}`
}
