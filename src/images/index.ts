/** The interface of images: what is sent of an image. */
import type { Fitted } from './fit.js'
import { type MetadataKind, UnreadableImageError } from './parts.js'

export type { Fitted } from './fit.js'
export { METADATA, type MetadataKind } from './parts.js'

/** Why there are no bytes to send: a text that continues "The image …", and what to do. */
export interface NotSendable {
  readonly why: string
  readonly hint: string
}

/** Image to send: its bytes, and the kinds of metadata that are left out. */
export interface SentImage {
  /** The given bytes if nothing is left out. */
  readonly bytes: Buffer
  readonly removed: readonly MetadataKind[]
}

/**
 * The bytes of an image that are sent.
 * @param format by its first bytes
 */
export async function sendable(
  bytes: Buffer,
  format: 'Gif' | 'Jpeg' | 'Png',
  keepMetadata: boolean,
): Promise<SentImage | NotSendable> {
  if (keepMetadata) return { bytes, removed: [] }
  // Loaded with the first image.
  const { withoutMetadata } = await import('./metadata.js')
  try {
    return withoutMetadata(bytes, format)
  } catch (error) {
    if (!(error instanceof UnreadableImageError)) throw error
    return {
      why: `is ${error.message}, so its metadata, which may hold the place where it was taken, cannot be removed`,
      hint: 'Save it again with an image program. A profile whose setting image_metadata is keep sends it as it is.',
    }
  }
}

/**
 * Decides whether an image is to be made to fit: a JPEG that is larger than the limit, or is not upright.
 * @param format by its first bytes
 */
export async function needsFit(bytes: Buffer, format: 'Gif' | 'Jpeg' | 'Png', mostBytes: number): Promise<boolean> {
  if (format !== 'Jpeg') return false
  const { isUpright } = await import('./jpeg.js')
  try {
    return bytes.length > mostBytes || !isUpright(bytes)
  } catch (error) {
    // The removal of its metadata refuses it, with the reason.
    if (error instanceof UnreadableImageError) return false
    throw error
  }
}

/** Makes a JPEG fit. @param jpeg without metadata but orientation and colour profile */
export async function fitImage(jpeg: Buffer, mostBytes: number): Promise<Fitted | NotSendable> {
  // Loaded with the first image that needs it.
  const { fitJpeg } = await import('./fit.js')
  try {
    return await fitJpeg(jpeg, mostBytes)
  } catch (error) {
    if (!(error instanceof UnreadableImageError)) throw error
    return { why: `is ${error.message}, so it cannot be made to fit`, hint: 'Save it smaller and upright with an image program.' }
  }
}
