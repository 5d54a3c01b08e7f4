/** The interface of images: what is sent of an image. */
import { type MetadataKind, UnreadableImageError } from './parts.js'

export { METADATA, type MetadataKind } from './parts.js'

/** Image to send: its bytes, and the kinds of metadata that are left out. */
export interface SentImage {
  /** The given bytes if nothing is left out. */
  readonly bytes: Buffer
  readonly removed: readonly MetadataKind[]
}

/**
 * The bytes of an image that are sent.
 * @param format by its first bytes
 * @returns or why there are none: a text that continues "The image …", and what to do
 */
export async function sendable(
  bytes: Buffer,
  format: 'Gif' | 'Jpeg' | 'Png',
  keepMetadata: boolean,
): Promise<SentImage | { readonly why: string; readonly hint: string }> {
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
