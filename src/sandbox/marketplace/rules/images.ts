/** Images: which bytes are accepted at once, which turn out to be damaged when they are processed, and where they are stored. */

import { crc32 } from 'node:zlib'
import { MAX_IMAGE_BYTES, type ParamsOf } from '../../../contract/index.js'
import type { Store } from '../../../system/sqlite.js'
import type { ImageFormatName } from '../store/links.js'
import { type Call, notValid } from '../store/scene.js'
import { takeNumbers } from '../store/store.js'
import { findItemRequest } from './commit.js'
import type { ItemImage } from './items.js'
import type { Outcome } from './queue.js'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The format given by a file's first bytes; undefined if it is none of the three. */
export function detectFormat(bytes: Uint8Array): ImageFormatName | undefined {
  const head = Buffer.from(bytes.subarray(0, 8))
  if (head.equals(PNG)) return 'Png'
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'Jpeg'
  return /^GIF8[79]a/.test(head.toString('latin1')) ? 'Gif' : undefined
}

/**
 * Why bytes are refused at once as an image of the format; undefined if they are accepted (docs/service.md, Images and commit).
 */
export function imageFault(bytes: Uint8Array | undefined, format: ImageFormatName): string | undefined {
  if (bytes === undefined || bytes.length === 0) return 'The image holds no data.'
  if (bytes.length > MAX_IMAGE_BYTES) return `The image has ${bytes.length} bytes; at most ${MAX_IMAGE_BYTES} (4 MB) are allowed.`
  const actualFormat = detectFormat(bytes)
  if (actualFormat === format) return undefined
  return `The image is not of format ${format}: ${actualFormat === undefined ? 'its data is not a Gif, Jpeg or Png' : `its data is ${actualFormat}`}.`
}

/** True if an accepted image is unusable: cut short, or broken inside. */
export function isDamaged(bytes: Buffer, format: string): boolean {
  if (format === 'Png') return !wholePng(bytes)
  return format === 'Gif' ? !wholeGif(bytes) : !wholeJpeg(bytes)
}

/** True if every chunk is complete up to IEND (PNG 1.2, 3.2): length, type, data, checksum. */
function wholePng(bytes: Buffer): boolean {
  let at = PNG.length
  let pixels = false
  while (at + 12 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return false
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (at === PNG.length && type !== 'IHDR') return false
    if (type === 'IDAT') pixels = true
    if (type === 'IEND') return pixels
    at = end
  }
  return false
}

/** True if there are blocks up to the trailer (GIF89a, 17 to 27), with a picture among them. */
function wholeGif(bytes: Buffer): boolean {
  const table = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let at = 13 + table(bytes[10] ?? 0)
  let pictures = 0
  const skipBlocks = () => {
    while ((bytes[at] ?? 0) > 0) at += 1 + (bytes[at] ?? 0)
    at += 1
  }
  while (at < bytes.length) {
    const kind = bytes[at]
    if (kind === 0x3b) return pictures > 0
    if (kind === 0x21) at += 2
    else if (kind === 0x2c) {
      pictures++
      at += 11 + table(bytes[at + 9] ?? 0)
    } else return false
    skipBlocks()
  }
  return false
}

/** True if there are segments with a frame header before the scan, and an end after it (ITU T.81, B.1 and B.2). */
function wholeJpeg(bytes: Buffer): boolean {
  let at = 2
  let frame = false
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return false
    if (marker === 0xda) return frame && bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > at
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) frame = true
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return false
}

/** Stores an image's bytes. @returns its id */
export function storeImage(store: Store, bytes: Uint8Array, format: ImageFormatName): number {
  const id = takeNumbers(store, 'image')
  store.run('INSERT INTO images (image_id, format, bytes) VALUES (?, ?, ?)', id, format, bytes)
  return id
}

/** A stored image; undefined if there is none with this id. */
export function findImage(store: Store, imageId: number): { format: ImageFormatName; bytes: Buffer } | undefined {
  const [row] = store.rows<[ImageFormatName, Buffer]>('SELECT format, bytes FROM images WHERE image_id = ?', imageId)
  return row && { format: row[0], bytes: row[1] }
}

/** The outcome of a request with a damaged image; undefined if all are whole. */
export function findDamage(store: Store, images: readonly ItemImage[]): Outcome | undefined {
  const at = images.findIndex(([id]) => {
    const image = findImage(store, id)
    return image === undefined || isDamaged(image.bytes, image.format)
  })
  return at < 0 ? undefined : { code: 'ImageProcessingError', message: `Image ${at + 1} of ${images.length} is damaged.` }
}

/** Images of a request that waited for its commit, in the order in which they came. */
export function imagesOfRequest(store: Store, requestId: number): ItemImage[] {
  return store.rows<[number, ImageFormatName, 0 | 1]>(
    `SELECT i.image_id, i.format, r.mega FROM request_images r JOIN images i ON i.image_id = r.image_id
     WHERE r.request_id = ? ORDER BY r.position`,
    requestId,
  )
}

/** AddItemImage: one image for a request that is not committed yet (docs/service.md, Images and commit). */
export function addItemImage(call: Call, params: ParamsOf<'AddItemImage'>): null {
  // .NET reads an absent enumeration as its first value (docs/service.md, How requests are read).
  const { requestId, imageData, imageFormat = 'Gif', hasMega = false } = params
  const itemRequest = findItemRequest(call, requestId, 'images')
  const fault = imageFault(imageData, imageFormat)
  const faults = [...('fault' in itemRequest ? [itemRequest.fault] : []), ...(fault === undefined ? [] : [fault])]
  if (faults.length > 0 || imageData === undefined) throw notValid(faults)
  const imageId = storeImage(call.store, imageData, imageFormat)
  call.store.run(
    `INSERT INTO request_images (request_id, position, image_id, mega)
     SELECT ?, coalesce(max(position), 0) + 1, ?, ? FROM request_images WHERE request_id = ?`,
    ...[requestId, imageId, hasMega, requestId],
  )
  return null
}
