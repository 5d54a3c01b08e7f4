/** Small pictures of image files for a page. Nothing is decoded or made smaller: a file has a small picture in it, or is one. */
import { open } from 'node:fs/promises'
import { UnreadableImageError } from './parts.js'

/** Bytes of one picture. Thumbnails of Exif are at most 64 kB. */
const MOST_BYTES = 64 * 1024
/** An Exif stands within the first segments, of 64 kB each; a colour profile may come before it. */
const HEAD_BYTES = 4 * MOST_BYTES
const TYPES = { Png: 'image/png', Jpeg: 'image/jpeg', Gif: 'image/gif' } as const

/**
 * A picture of an image file as a data address: the thumbnail in its Exif, or the whole file where it is small.
 * @returns undefined if it has no small picture, or cannot be read
 */
export async function createThumbnail(path: string, format: keyof typeof TYPES): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(Math.min(size, HEAD_BYTES)), position: 0 })
    const head = buffer.subarray(0, bytesRead)
    const small = await inFile(head, format)
    const picture = small ?? (size <= MOST_BYTES ? head : undefined)
    return picture && `data:${TYPES[format]};base64,${picture.toString('base64')}`
  } catch (error) {
    // The file was looked at before; what goes wrong since leaves a picture out of a page.
    if (error instanceof UnreadableImageError || (error as NodeJS.ErrnoException).code !== undefined) return undefined
    throw error
  } finally {
    await file.close()
  }
}

async function inFile(head: Buffer, format: keyof typeof TYPES): Promise<Buffer | undefined> {
  if (format !== 'Jpeg') return undefined
  const { jpegThumbnail } = await import('./jpeg.js')
  return jpegThumbnail(head)
}
