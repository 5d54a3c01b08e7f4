/**
 * Takes out of an image what it says besides its pixels: the place and time where it was taken, the camera, texts, thumbnails,
 * other pictures and films behind it. Nothing is decoded: the parts that a decoder needs are the same bytes as before, with the
 * colour profile. Only the orientation is written anew, alone.
 */
import { orientationExif } from './exif.js'
import { cleanGif } from './gif.js'
import { cleanJpeg } from './jpeg.js'
import { ImageParts, type MetadataKind, UnreadableImageError } from './parts.js'
import { cleanPng } from './png.js'

const CLEANERS = { Gif: cleanGif, Jpeg: cleanJpeg, Png: cleanPng } as const

/** Beginnings of metadata. Where one is left, it stood in a part that has another use, or behind damage. */
const TRACES = ['Exif\0\0', 'http://ns.adobe.com/x', 'Photoshop 3.0\0', 'GPSLatitude'].map((text) => Buffer.from(text, 'latin1'))
/** The Exif that is written here, up to its value. */
const OWN_EXIF = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), orientationExif(0).subarray(0, 18)])

/**
 * Removes the metadata of an image, but for orientation and colour profile. Doing it twice changes nothing more.
 * @param format by its first bytes
 * @returns the given bytes if nothing was removed, and the kinds of what was removed
 * @throws {UnreadableImageError} if its structure is not understood, so that it may hold metadata that nobody sees. A file that
 * only ends too early is understood.
 */
export function withoutMetadata(
  bytes: Buffer,
  format: keyof typeof CLEANERS,
): {
  bytes: Buffer
  removed: MetadataKind[]
} {
  const parts = new ImageParts()
  CLEANERS[format](bytes, parts)
  const clean = parts.bytes()
  refuseTraces(clean)
  return clean.equals(bytes) ? { bytes, removed: [] } : { bytes: clean, removed: parts.removedKinds() }
}

/** @throws {UnreadableImageError} if metadata is left */
function refuseTraces(clean: Buffer): void {
  for (const trace of TRACES) {
    for (let at = clean.indexOf(trace); at >= 0; at = clean.indexOf(trace, at + 1)) {
      if (clean.subarray(at, at + OWN_EXIF.length).equals(OWN_EXIF)) continue
      throw new UnreadableImageError('damaged (it holds metadata where no image has any)')
    }
  }
}
