/** The images that were sent for items, as far as the ledger shows. The pictures that the service has of them are other bytes. */
import { createHash } from 'node:crypto'
import { JobsError } from '../ledger/errors.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { readPayload } from './payloads.js'
import { rowsOfBatch } from './show.js'
import { imagesIn, type StoredImage, withImages } from './stored-images.js'

/** Batches that sent images, in the order in which they were sent; without their blobs. */
const BATCHES = `SELECT s.job_id AS jobId, s.batch FROM jobs j JOIN bulk_states s ON s.job_id = j.id
    JOIN bulk_batches b ON b.job_id = s.job_id AND b.batch = s.batch
  WHERE j.kind = ? AND j.profile = ? AND (j.user_id IS NULL OR ? IS NULL OR j.user_id = ?)
    AND s.ok + s.queued > 0 AND b.payloads LIKE '%"ItemImages"%'
  ORDER BY coalesce(s.sent_at, j.created_at), s.job_id, s.batch`

/**
 * Finds the images that each item was given last. A change counts once it was carried out, an addition once it was queued: an
 * item that is live was added.
 */
export function imagesSent({ store, requests }: Ledger, { profile, userId }: ShopKey): Map<number, readonly StoredImage[]> {
  const imagesByItem = new Map<number, readonly StoredImage[]>()
  for (const { ItemId, State, Adds } of requests.standing({ profile, userId }, { adds: true })) {
    const { Images = [] } = Adds
    if (ItemId !== null && (State === 'queued' || State === 'ok') && Images.length > 0)
      imagesByItem.set(ItemId, Images as readonly StoredImage[])
  }
  for (const kind of ['add-shop', 'update'] as const) {
    const states = kind === 'update' ? (['ok'] as const) : (['ok', 'queued'] as const)
    for (const of of store.all<{ jobId: number; batch: number }>(BATCHES, kind, profile, userId, userId))
      for (const row of rowsOfBatch({ store }, of, states)) {
        const images = imagesIn(readPayload(kind, row.Payload, row))
        if (row.Id !== null && images.length > 0) imagesByItem.set(row.Id, images)
      }
  }
  return imagesByItem
}

/** True if two lists of images are the same bytes in the same order. */
export function areSameImages(one: readonly StoredImage[], other: readonly StoredImage[]): boolean {
  return one.length === other.length && one.every((image, at) => nameOf(image) === nameOf(other[at]))
}

function nameOf(image: StoredImage | undefined): string {
  const { Sha256, Base64 = '', HasMega = false } = image ?? {}
  return `${Sha256 ?? createHash('sha256').update(Buffer.from(Base64, 'base64')).digest('hex')} ${HasMega}`
}

/**
 * True if images that were sent once can be sent again: the ledger has no bytes, so their files must be where they were, and the
 * same. The service has no way to take all pictures away.
 */
export async function canBeSent(images: unknown): Promise<boolean> {
  if (!Array.isArray(images) || images.length === 0) return false
  try {
    return !('why' in (await withImages({ ItemImages: images })))
  } catch (error) {
    if (error instanceof JobsError) return false
    throw error
  }
}
